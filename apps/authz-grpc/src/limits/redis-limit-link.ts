import { createClusterConnection, createReplyWatch, withTimeout, REDIS_TIMES } from '@platform/service-kit';
import { createClient, createCluster, defineScript } from 'redis';
import type { CommandParser } from 'redis';
import {
  BEGIN_INVALIDATION,
  COMMIT_INVALIDATION,
  GIVE_BACK,
  SEED,
  TRY_ACQUIRE,
  USAGE,
} from './limit-scripts.ts';

const CLOSE_MAX_MS = 1_000;

/** Defines a script whose keys come first and whose numbers are already text. */
function script(SCRIPT: string) {
  return defineScript({
    SCRIPT,
    parseCommand(parser: CommandParser, keys: readonly string[], args: readonly string[]) {
      parser.pushKeysLength([...keys]);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => reply,
  });
}

const SCRIPTS = {
  tryAcquire: script(TRY_ACQUIRE),
  beginInvalidation: script(BEGIN_INVALIDATION),
  commitInvalidation: script(COMMIT_INVALIDATION),
  seed: script(SEED),
  usage: script(USAGE),
  giveBack: script(GIVE_BACK),
};

/** The scripts of the limit store; all keys of a call lie in one slot. */
export type LimitScripts = {
  readonly [Name in keyof typeof SCRIPTS]: (
    keys: readonly string[],
    args: readonly string[],
  ) => Promise<unknown>;
};

/** Where the limit store's scripts run. */
export interface LimitStoreLink {
  /** What stands before the keys of each part of the store: a hash tag, or nothing when there is one part. */
  readonly tags: readonly string[];
  /** The reply to a script that is sent once. Errors: no reply in time, or no connection. */
  once<T>(send: (scripts: LimitScripts) => Promise<T>): Promise<T>;
  /** The same for what may be done twice: a cluster is asked again while it changes. */
  repeated<T>(send: (scripts: LimitScripts) => Promise<T>): Promise<T>;
  isReady(): boolean;
  close(): Promise<void>;
}

/**
 * A node-redis client that knows the limit store's scripts and fails at once instead of queueing while
 * disconnected.
 */
export function createLimitStoreClient(url: string) {
  return createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    // The limit store has a timeout of its own, see `withTimeout`.
    commandOptions: { timeout: 0 },
    ...REDIS_TIMES,
    socket: {
      ...REDIS_TIMES.socket,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  });
}

export type LimitStoreClient = ReturnType<typeof createLimitStoreClient>;

/** One Redis. One that does not respond within `timeoutMs` counts as unavailable, also if it hangs. */
export function linkToRedis(client: LimitStoreClient, { timeoutMs }: { timeoutMs: number }): LimitStoreLink {
  const replied = createReplyWatch(client, timeoutMs);
  const once: LimitStoreLink['once'] = (send) => replied(send(client));
  return {
    tags: [''],
    once,
    repeated: once,
    isReady: () => client.isReady,
    async close() {
      // It waits for the replies of what was sent.
      if (client.isOpen) await withTimeout(client.close(), CLOSE_MAX_MS).catch(() => client.destroy());
    },
  };
}

/**
 * Hash tags whose slots lie in the sixteenths of the slots, one in each, so that any number of primaries up
 * to 16 have about as many of them. A change of them is a change of every key.
 */
const TAGS = ['t3', 't18', 't58', 't61', 't2', 't19', 't59', 't60', 't1', 't142', 't49', 't63', 't0', 't143'];
TAGS.push('t48', 't62');

/** A Redis Cluster; `opened` resolves once it is connected. `url` names nodes, separated by commas. */
export function linkToCluster(options: {
  readonly url: string;
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
}): LimitStoreLink & { readonly opened: Promise<void> } {
  const connection = createClusterConnection({
    ...options,
    create: (cluster) => createCluster({ ...cluster, scripts: SCRIPTS }),
  });
  return { ...connection, tags: TAGS.map((tag) => `{${tag}}:`) };
}
