import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { LimitStore } from './limit-store.ts';
import { createFallbackLimitStore } from './fallback-limit-store.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';

export interface LimitStoreOptions {
  readonly url: string | undefined;
  /** The URL names nodes of a Redis Cluster. */
  readonly isCluster: boolean;
  readonly timeoutMs: number;
  readonly replicas: number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Makes a random UUID. */
  readonly newId: () => string;
  /** Called when Redis is back after an outage. */
  readonly onReturn: () => void;
  /** Called with what the client of Redis says about its connection, at every try. */
  readonly onError: (error: unknown) => void;
  /** The time, for the limit store within this process; Redis goes by its own clock. */
  readonly now?: (() => Date) | undefined;
}

/** Longest wait for Redis at the start, in milliseconds. */
const START_WAIT_MS = 2_000;

/**
 * The limit store over Redis, or within this process when no URL is given. While Redis is unavailable the
 * fallback decides, at the start as well as later: a replica that is replaced during an outage of Redis
 * must come up.
 */
export async function openLimitStore(options: LimitStoreOptions): Promise<LimitStore> {
  const { url, registry, now } = options;
  const limits =
    url === undefined
      ? createMemoryLimitStore(now === undefined ? {} : { nowMicros: () => now().getTime() * 1000 })
      : await openRedisLimitStore(url, options);
  new Gauge({
    name: 'authz_gate_away',
    help: '1 while Redis is unavailable and limits are counted per replica.',
    registers: [registry],
    collect() {
      this.set(limits.isUnavailable() ? 1 : 0);
    },
  });
  return limits;
}

/**
 * Asks Redis, so that a replica without calls notices as well that it is unavailable. Errors: an Error while
 * limits are counted per replica, with `lastError` as its cause.
 */
export async function requireShared(limits: LimitStore, lastError: () => unknown): Promise<void> {
  await limits.usage(['ping']);
  if (limits.isUnavailable()) throw new Error('Redis does not respond', { cause: lastError() });
}

async function openRedisLimitStore(url: string, options: LimitStoreOptions) {
  const { replicas, logger, newId, onReturn } = options;
  const { link, opened } = await linkTo(url, options);
  await Promise.race([opened, delay(START_WAIT_MS, undefined, { ref: false })]);
  const { createRedisLimitStore } = await import('./redis-limit-store.ts');
  const limits = createFallbackLimitStore(createRedisLimitStore(link), { replicas, logger, newId, onReturn });
  // One question makes the fallback take over now, so that the metric shows the outage before the first call.
  if (!link.isReady()) await limits.usage(['start']);
  return limits;
}

async function linkTo(url: string, { isCluster, timeoutMs, onError }: LimitStoreOptions) {
  // The client of Redis takes long to load, and many a process does without.
  const { createLimitStoreClient, linkToCluster, linkToRedis } = await import('./redis-limit-link.ts');
  if (isCluster) {
    const link = linkToCluster({ url, timeoutMs, onError });
    return { link, opened: link.opened };
  }
  const client = createLimitStoreClient(url);
  client.on('error', onError);
  // The client keeps trying in the background; what it could not do is an `error`.
  const opened = client.connect().catch(() => undefined);
  return { link: linkToRedis(client, { timeoutMs }), opened };
}
