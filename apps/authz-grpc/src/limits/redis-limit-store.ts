import { randomBytes } from 'node:crypto';
import { createReplyWatch, inTime, REDIS_TIMES } from '@platform/service-kit';
import { createClient, defineScript } from 'redis';
import type { CommandParser } from 'redis';
import { AcquireGroup, type ScriptReply } from './acquire-group.ts';
import {
  COUNTER_TTL_MS,
  createVersionSource,
  PENDING_MS,
  VERSION_TTL_MS,
  type LimitStore,
  type AcquireResult,
  type AcquireRequest,
  type Invalidation,
} from './limit-store.ts';
import { TRY_ACQUIRE, SEED, COMMIT_INVALIDATION } from './limit-scripts.ts';

const VERSION = 'authz:stamp:';
const COUNTER = 'authz:quota:';
const PREFIXES = { version: VERSION, rate: 'authz:rate:', counter: COUNTER } as const;

/**
 * A group with this many calls or keys is sent before its turn ends: Redis does nothing else while it decides
 * on a group.
 */
const GROUP_CALLS_MAX = 256;
const GROUP_KEYS_MAX = 2_000;

const CLOSE_MAX_MS = 1_000;

/** Defines a script whose keys come first and whose numbers are already text. */
function script(SCRIPT: string) {
  return defineScript({
    SCRIPT,
    parseCommand(parser: CommandParser, keys: readonly string[], args: readonly string[]) {
      parser.pushKeysLength([...keys]);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => reply as ScriptReply[],
  });
}

const SCRIPTS = {
  tryAcquire: script(TRY_ACQUIRE),
  commitInvalidation: script(COMMIT_INVALIDATION),
  seed: script(SEED),
};

/**
 * A node-redis client that knows the limit store's scripts and fails at once instead of queueing while
 * disconnected.
 */
export function createLimitStoreClient(url: string) {
  return createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    // The limit store has a timeout of its own, see `inTime`.
    commandOptions: { timeout: 0 },
    ...REDIS_TIMES,
    socket: {
      ...REDIS_TIMES.socket,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  });
}

export type LimitStoreClient = ReturnType<typeof createLimitStoreClient>;

/** Calls that acquire together, and who waits for them. */
interface Entering {
  readonly group: AcquireGroup;
  readonly waiting: { resolve(reply: AcquireResult): void; reject(error: unknown): void }[];
}

/**
 * The limit store shared by all replicas over one Redis. The calls of one turn of the event loop are one
 * group, in their order: an exchange with Redis costs several times what deciding on a call does. A Redis
 * that does not answer within `timeoutMs` counts as away, one that hangs with its connection open too.
 * Closing the limit store closes the client.
 */
export function createRedisLimitStore(
  client: LimitStoreClient,
  { timeoutMs }: { timeoutMs: number },
): LimitStore {
  const source = createVersionSource(randomBytes(6).toString('base64url'));
  const replied = createReplyWatch(client, { timeoutMs });
  let next: Entering | null = null;

  function join(request: AcquireRequest, waiter: Entering['waiting'][number]): void {
    let entering = next;
    if (entering === null) {
      next = entering = { group: new AcquireGroup(), waiting: [] };
      setImmediate(send, entering);
    }
    entering.group.add(request);
    entering.waiting.push(waiter);
    if (entering.waiting.length >= GROUP_CALLS_MAX || entering.group.keys >= GROUP_KEYS_MAX) send(entering);
  }

  function send(entering: Entering): void {
    // A full group was sent before its turn ended.
    if (next !== entering) return;
    next = null;
    const { group, waiting } = entering;
    const { keys, args } = group.call(PREFIXES, source.fresh(), VERSION_TTL_MS);
    replied(client.tryAcquire(keys, args)).then(
      (replies) => {
        for (const [index, { resolve, reject }] of waiting.entries()) {
          try {
            resolve(group.read(replies[index] as ScriptReply));
          } catch (error) {
            reject(error);
          }
        }
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }

  return {
    tryAcquire: (request) => new Promise((resolve, reject) => join(request, { resolve, reject })),
    async beginInvalidation(keys) {
      const mark: Invalidation = { keys, version: source.pending() };
      const set = keys.map((key) => client.set(VERSION + key, mark.version, { PX: PENDING_MS }));
      await replied(Promise.all(set));
      return mark;
    },
    async commitInvalidation({ keys, version }) {
      const versions = keys.map((key) => VERSION + key);
      await replied(client.commitInvalidation(versions, [version, source.fresh(), String(VERSION_TTL_MS)]));
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
    isUnavailable: () => false,
    async close() {
      // It waits for the replies of what was sent.
      if (client.isOpen) await inTime(client.close(), CLOSE_MAX_MS).catch(() => client.destroy());
    },
  };
}
