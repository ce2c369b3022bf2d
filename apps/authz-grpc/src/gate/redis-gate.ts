import { randomBytes } from 'node:crypto';
import { createReplyWatch, inTime, REDIS_TIMES } from '@platform/service-kit';
import { createClient, defineScript } from 'redis';
import type { CommandParser } from 'redis';
import {
  COUNTER_TTL_MS,
  createStampSource,
  PENDING_MS,
  STAMP_TTL_MS,
  type Gate,
  type GateReply,
  type GateRequest,
  type PendingMark,
} from './gate.ts';
import { ENTER, SEED, SETTLE } from './gate-scripts.ts';

const STAMP = 'authz:stamp:';
const RATE = 'authz:rate:';
const COUNTER = 'authz:quota:';

const CLOSE_MAX_MS = 1_000;

/** Defines a script whose keys come first and whose numbers are already text. */
function script(SCRIPT: string) {
  return defineScript({
    SCRIPT,
    parseCommand(parser: CommandParser, keys: readonly string[], args: readonly string[]) {
      parser.pushKeysLength([...keys]);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => reply as (number | string)[],
  });
}

const SCRIPTS = { enter: script(ENTER), settle: script(SETTLE), seed: script(SEED) };

/**
 * A node-redis client that knows the gate's scripts and fails at once instead of queueing while disconnected.
 */
export function createGateClient(url: string) {
  return createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    // The gate has a timeout of its own, see `inTime`.
    commandOptions: { timeout: 0 },
    ...REDIS_TIMES,
    socket: {
      ...REDIS_TIMES.socket,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  });
}

export type GateClient = ReturnType<typeof createGateClient>;

/**
 * The gate shared by all replicas over one Redis. A Redis that does not answer within `timeoutMs` counts as
 * away, one that hangs with its connection open too. Closing the gate closes the client.
 */
export function createRedisGate(client: GateClient, { timeoutMs }: { timeoutMs: number }): Gate {
  const source = createStampSource(randomBytes(6).toString('base64url'));
  const replied = createReplyWatch(client, { timeoutMs });
  return {
    async enter(request) {
      const reply = await replied(client.enter(keysOf(request), argumentsOf(request, source.fresh())));
      return readReply(request, reply);
    },
    async pend(keys) {
      const mark: PendingMark = { keys, stamp: source.pending() };
      const set = keys.map((key) => client.set(STAMP + key, mark.stamp, { PX: PENDING_MS }));
      await replied(Promise.all(set));
      return mark;
    },
    async settle({ keys, stamp }) {
      const stamps = keys.map((key) => STAMP + key);
      await replied(client.settle(stamps, [stamp, source.fresh(), String(STAMP_TTL_MS)]));
    },
    async seed(key, { used, epoch }) {
      const args = [String(used), String(epoch), String(COUNTER_TTL_MS)];
      await replied(client.seed([COUNTER + key], args));
    },
    async usage(keys) {
      const counters = keys.map((key) => client.hmGet(COUNTER + key, ['used', 'epoch']));
      const rows = await replied(Promise.all(counters));
      return rows.map(([used, epoch]) =>
        used == null ? null : { used: Number(used), epoch: Number(epoch) },
      );
    },
    isAway: () => false,
    async close() {
      // It waits for the replies of what was sent.
      if (client.isOpen) await inTime(client.close(), CLOSE_MAX_MS).catch(() => client.destroy());
    },
  };
}

function keysOf({ seen, rates, takes }: GateRequest): string[] {
  const keys: string[] = [];
  for (const [key] of seen) keys.push(STAMP + key);
  for (const { key } of rates) keys.push(RATE + key);
  for (const { key } of takes) keys.push(COUNTER + key);
  return keys;
}

function argumentsOf({ seen, rates, takes }: GateRequest, fresh: string): string[] {
  const args = [String(seen.length), String(rates.length), fresh, String(STAMP_TTL_MS)];
  for (const [, stamp] of seen) args.push(stamp);
  for (const { limit, windowMs } of rates) args.push(String(limit), String(windowMs));
  for (const { calls, epoch, capacity } of takes) args.push(String(calls), String(epoch), String(capacity));
  return args;
}

function readReply({ seen, rates, takes }: GateRequest, reply: (number | string)[]): GateReply {
  const nameOf = (list: readonly { readonly key: string }[], index: number) =>
    (list[index - 1] as { key: string }).key;
  switch (reply[0]) {
    case 0:
      return { kind: 'entered' };
    case 1: {
      const stamps = new Map<string, string>();
      for (let i = 1; i < reply.length; i += 2) {
        stamps.set((seen[Number(reply[i]) - 1] as readonly [string, string])[0], String(reply[i + 1]));
      }
      return { kind: 'stale', stamps };
    }
    case 2:
      return { kind: 'unseeded', keys: reply.slice(1).map((index) => nameOf(takes, Number(index))) };
    case 3:
      return {
        kind: 'rate_limited',
        key: nameOf(rates, Number(reply[1])),
        retryAfterMs: Number(reply[2]) / 1000,
      };
    case 4:
      return { kind: 'quota_exhausted', key: nameOf(takes, Number(reply[1])) };
    default:
      throw new Error(`unknown reply of the gate script: ${String(reply[0])}`);
  }
}
