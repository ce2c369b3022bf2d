import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { QuotaUsage } from '../model/quota.ts';
import type { LimitStore, AcquireResult, AcquireRequest, Invalidation, QuotaTake } from './limit-store.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';

/** How often an unavailable limit store is asked again. Milliseconds. */
const PROBE_MS = 200;
/** Counters given back in one step. */
const CHUNK = 1_000;
/** Counters whose figure a replica remembers for the next outage. */
const FIGURES_MAX = 100_000;

/** Calls of a counter that this replica granted by itself, and the shared counter if it is there. */
interface Owed {
  readonly key: string;
  readonly calls: number;
  readonly own: QuotaUsage;
  readonly other: QuotaUsage | null;
}

/**
 * A limit store that keeps working while the shared one is unavailable: rates are counted in this
 * process, at their limit divided by the replicas; so are quotas, of what the store's figure leaves;
 * every version is a pending one, so each call reads its states from the store. As soon as the shared
 * limit store is back, and before it is used again, entities written meanwhile get fresh versions on it,
 * calls granted meanwhile are taken from its counters, and `onReturn` makes this replica forget what it
 * holds under versions of before.
 */
export function createFallbackLimitStore(
  shared: LimitStore,
  options: { replicas: number; logger: Logger; newId: () => string; onReturn: () => void },
): LimitStore {
  const { replicas, logger, newId, onReturn } = options;
  let local: LimitStore | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Keys whose versions the shared limit store still has from before a write. */
  const unannounced = new Set<string>();
  /** Per counter, the store's figure when this replica began to count by itself. */
  const bases = new Map<string, QuotaUsage>();
  /** Per counter, the part of this replica's own count that the shared limit store already has. */
  const told = new Map<string, QuotaUsage>();
  /**
   * Per counter, the shared figure after this replica gave back its count. The store gets it with the next
   * flush; an outage that begins before then would grant the same calls again.
   */
  const figures = new LRUCache<string, QuotaUsage>({ max: FIGURES_MAX });
  /** While the counts are given back: a call that came in between would be granted and forgotten. */
  let givingBack: Promise<void> | null = null;
  let isClosed = false;

  function leave(err: unknown): LimitStore {
    if (local === null) {
      logger.warn(
        { err },
        'the limit store is unavailable: limits are counted per replica, states are read from the store',
      );
      const counting = createMemoryLimitStore();
      local = counting;
      timer = setTimeout(() => void comeBack(counting), PROBE_MS);
      timer.unref();
    }
    return local;
  }

  async function comeBack(counted: LimitStore): Promise<void> {
    if (isClosed) return;
    try {
      // Writes that begin while this waits are announced too.
      do {
        await announceWrites();
        givingBack = giveBackCounts(counted);
        await givingBack;
        givingBack = null;
      } while (unannounced.size > 0);
      onReturn();
      local = null;
      logger.info({ counters: told.size }, 'the limit store is back');
      bases.clear();
      told.clear();
    } catch {
      givingBack = null;
      timer = setTimeout(() => void comeBack(counted), PROBE_MS);
      timer.unref();
    }
  }

  async function announceWrites(): Promise<void> {
    const keys = [...unannounced];
    // The probe is a write: a limit store that only reads, as after a failover, is still unavailable.
    // Settling a mark replaces the versions of all keys but those that another writer has marked.
    const probe = await shared.beginInvalidation([`probe:${newId()}`]);
    await shared.commitInvalidation({ keys: [...probe.keys, ...keys], version: probe.version });
    keys.forEach((key) => unannounced.delete(key));
  }

  /** Takes from the shared counters the calls that this replica granted by itself. */
  async function giveBackCounts(counted: LimitStore): Promise<void> {
    const keys = [...bases.keys()];
    for (let at = 0; at < keys.length; at += CHUNK) {
      const chunk = keys.slice(at, at + CHUNK);
      const owns = await counted.usage(chunk);
      const others = await shared.usage(chunk);
      const owed = chunk.flatMap((key, index) => {
        const own = owns[index] as QuotaUsage;
        const before = told.get(key);
        const calls = own.used - (before?.epoch === own.epoch ? before.used : 0);
        const other = others[index] ?? null;
        // The shared limit store is in a later cycle, so calls of this one no longer count.
        if (calls === 0 || (other !== null && other.epoch > own.epoch)) return [];
        return [{ key, calls, own, other }];
      });
      const lost = owed.filter(({ other }) => other === null);
      await Promise.all(lost.map(({ key }) => shared.seed(key, bases.get(key) as QuotaUsage)));
      if (owed.length > 0) await giveBack(owed);
    }
  }

  async function giveBack(owed: readonly Owed[]): Promise<void> {
    const quotas = owed.map(({ key, calls, own }) => ({
      key,
      calls,
      epoch: own.epoch,
      capacity: Number.MAX_SAFE_INTEGER,
    }));
    // Calls that may have arrived are not sent again, so doubt favors the customer.
    let isTaken = true;
    try {
      isTaken = (await shared.tryAcquire({ expectVersions: [], rates: [], quotas })).kind === 'acquired';
    } finally {
      if (isTaken) for (const { key, own } of owed) told.set(key, own);
    }
    if (!isTaken) throw new Error('the limit store lost its counters while they were given back');
    for (const { key, calls, own, other } of owed) {
      const base = other ?? (bases.get(key) as QuotaUsage);
      figures.set(key, { epoch: own.epoch, used: calls + (base.epoch === own.epoch ? base.used : 0) });
    }
  }

  /** The store's figure, or what this replica knows if that is more. */
  function latest(key: string, stored: QuotaUsage): QuotaUsage {
    const known = figures.get(key) ?? stored;
    return known.epoch > stored.epoch || (known.epoch === stored.epoch && known.used > stored.used)
      ? known
      : stored;
  }

  /** This replica's share of the quota that was left when it began to count alone. */
  function ownCapacity({ key, epoch, capacity }: QuotaTake): number {
    const base = bases.get(key);
    const used = base?.epoch === epoch ? base.used : 0;
    return Math.floor((capacity - used) / replicas);
  }

  async function acquireLocally(limits: LimitStore, request: AcquireRequest): Promise<AcquireResult> {
    // Every version of an outage is pending: it is passed once, to the call that read the store under it.
    const stale = request.expectVersions.filter(([, version]) => !version.startsWith(UNAVAILABLE));
    if (stale.length > 0)
      return { kind: 'stale', versions: new Map(stale.map(([key]) => [key, UNAVAILABLE + newId()])) };
    return limits.tryAcquire({
      expectVersions: [],
      rates: request.rates.map((rate) => ({ ...rate, limit: Math.max(1, rate.limit / replicas) })),
      quotas: request.quotas.map((take) => ({ ...take, capacity: ownCapacity(take) })),
    });
  }

  return {
    isUnavailable: () => local !== null,
    async tryAcquire(request) {
      if (givingBack !== null) await givingBack.catch(() => undefined);
      if (local !== null) return acquireLocally(local, request);
      try {
        return await shared.tryAcquire(request);
      } catch (error) {
        return acquireLocally(leave(error), request);
      }
    },
    async beginInvalidation(keys): Promise<Invalidation> {
      // Asked although this replica counts alone: others may use the shared limit store again already.
      try {
        return await shared.beginInvalidation(keys);
      } catch (error) {
        leave(error);
      }
      keys.forEach((key) => unannounced.add(key));
      return { keys, version: 'p:none' };
    },
    async commitInvalidation(mark) {
      try {
        return await shared.commitInvalidation(mark);
      } catch (error) {
        leave(error);
      }
      mark.keys.forEach((key) => unannounced.add(key));
    },
    async seed(key, usage) {
      const base = latest(key, usage);
      if (local === null) return shared.seed(key, base).catch((error: unknown) => void leave(error));
      if (!bases.has(key)) bases.set(key, { ...base });
      await local.seed(key, { used: 0, epoch: base.epoch });
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

const UNAVAILABLE = 'p:away:';
