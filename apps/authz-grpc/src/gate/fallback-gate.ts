import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Gate, GateReply, GateRequest, PendingMark } from './gate.ts';
import { createMemoryGate } from './memory-gate.ts';

export interface FallbackGate extends Gate {
  isAway(): boolean;
}

/** How often a gate that is away is asked again. Milliseconds. */
const PROBE_MS = 200;

/**
 * A gate that goes on when the shared one is away: rates and quotas are counted in this process, at their limit divided by
 * the replicas, starting from nothing (fail open); every stamp is a pending one, so each call reads its states from the
 * store. Entities written meanwhile get fresh stamps on the shared gate as soon as it is back, before it is used again,
 * and `onReturn` makes this replica forget what it holds under stamps of before.
 */
export function createFallbackGate(
  shared: Gate,
  options: { replicas: number; logger: Logger; onReturn: () => void },
): FallbackGate {
  const { replicas, logger, onReturn } = options;
  let local: Gate | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Keys whose stamps the shared gate still has from before a write. */
  const unannounced = new Set<string>();
  let isClosed = false;

  function leave(err: unknown): Gate {
    if (local === null) {
      logger.error(
        { err },
        'the gate is away: limits are counted per replica, states are read from the store',
      );
      local = createMemoryGate();
      timer = setTimeout(() => void comeBack(), PROBE_MS);
      timer.unref();
    }
    return local;
  }

  async function comeBack(): Promise<void> {
    if (isClosed) return;
    try {
      // Settling a mark nobody holds replaces the stamps; with no keys it merely asks whether the gate is there.
      const keys = [...unannounced];
      await shared.settle({ keys: keys.length > 0 ? keys : [`probe:${randomUUID()}`], stamp: 'p:none' });
      keys.forEach((key) => unannounced.delete(key));
      onReturn();
      local = null;
      logger.info({ announced: keys.length }, 'the gate is back');
    } catch {
      timer = setTimeout(() => void comeBack(), PROBE_MS);
      timer.unref();
    }
  }

  async function enterLocally(gate: Gate, request: GateRequest): Promise<GateReply> {
    // Every stamp of an outage is pending: it is passed once, to the call that read the store under it.
    const stale = request.seen.filter(([, stamp]) => !stamp.startsWith(AWAY));
    if (stale.length > 0)
      return { kind: 'stale', stamps: new Map(stale.map(([key]) => [key, AWAY + randomUUID()])) };
    const share = { ...request, seen: [] };
    const limited: GateRequest = {
      ...share,
      rates: request.rates.map((rate) => ({ ...rate, limit: Math.max(1, rate.limit / replicas) })),
      takes: request.takes.map((take) => ({ ...take, capacity: Math.floor(take.capacity / replicas) })),
    };
    const reply = await gate.enter(limited);
    if (reply.kind !== 'unseeded') return reply;
    await Promise.all(
      limited.takes.map(({ key, epoch }) =>
        reply.keys.includes(key) ? gate.seed(key, { used: 0, epoch }) : null,
      ),
    );
    return gate.enter(limited);
  }

  return {
    isAway: () => local !== null,
    async enter(request) {
      if (local !== null) return enterLocally(local, request);
      try {
        return await shared.enter(request);
      } catch (error) {
        return enterLocally(leave(error), request);
      }
    },
    async pend(keys): Promise<PendingMark> {
      if (local === null) {
        try {
          return await shared.pend(keys);
        } catch (error) {
          leave(error);
        }
      }
      keys.forEach((key) => unannounced.add(key));
      return { keys, stamp: 'p:none' };
    },
    async settle(mark) {
      if (local === null) {
        try {
          return await shared.settle(mark);
        } catch (error) {
          leave(error);
        }
      }
      mark.keys.forEach((key) => unannounced.add(key));
    },
    async seed(key, usage) {
      if (local === null) await shared.seed(key, usage).catch(leave);
    },
    async usage(keys) {
      if (local === null) {
        try {
          return await shared.usage(keys);
        } catch (error) {
          leave(error);
        }
      }
      return keys.map(() => null);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await shared.close();
    },
  };
}

const AWAY = 'p:away:';
