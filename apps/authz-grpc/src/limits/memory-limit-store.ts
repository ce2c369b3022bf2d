import { stepGcra } from '@platform/service-kit';
import type { QuotaUsage } from '../model/quota.ts';
import {
  createVersionSource,
  isPending,
  PENDING_MS,
  type LimitStore,
  type AcquireResult,
  type AcquireRequest,
  type Invalidation,
} from './limit-store.ts';

interface CacheVersion {
  value: string;
  /** Milliseconds since 1970; Infinity unless pending. */
  expiresAt: number;
}

/** Theoretical arrival times older than this many are swept. */
const RATES_MAX = 100_000;

/**
 * The limit store within one process: same replies as the Redis script, for one replica. `nowMicros` is
 * the time in microseconds since 1970. Versions and counters live as long as the process.
 */
export function createMemoryLimitStore(
  options: { nowMicros?: () => number; origin?: string } = {},
): LimitStore {
  const nowMicros = options.nowMicros ?? (() => (performance.timeOrigin + performance.now()) * 1000);
  const source = createVersionSource(options.origin ?? 'm');
  const versions = new Map<string, CacheVersion>();
  const arrivals = new Map<string, number>();
  const counters = new Map<string, { used: number; epoch: number }>();

  function versionOf(key: string): string {
    const held = versions.get(key);
    if (held !== undefined && held.expiresAt > nowMicros() / 1000) return held.value;
    const value = source.fresh();
    versions.set(key, { value, expiresAt: Infinity });
    return value;
  }

  function acquire({ expectVersions, rates, quotas }: AcquireRequest): AcquireResult {
    const stale = new Map<string, string>();
    for (const [key, version] of expectVersions) {
      const current = versionOf(key);
      if (current !== version) stale.set(key, current);
    }
    if (stale.size > 0) return { kind: 'stale', versions: stale };

    const uninitialized = quotas.filter(({ key }) => !counters.has(key)).map(({ key }) => key);
    if (uninitialized.length > 0) return { kind: 'uninitialized', keys: uninitialized };

    const now = nowMicros();
    const nextArrivals: number[] = [];
    for (const { key, limit, windowMs } of rates) {
      const windowMicros = windowMs * 1000;
      const interval = windowMicros / limit;
      const { next, wait } = stepGcra(arrivals.get(key), now, {
        interval,
        tolerance: windowMicros - interval,
      });
      if (wait > 0) return { kind: 'rate_limited', key, retryAfterMs: wait / 1000 };
      nextArrivals.push(next);
    }
    for (const { key, calls, epoch, capacity } of quotas) {
      const counter = counters.get(key) as QuotaUsage;
      if ((counter.epoch < epoch ? 0 : counter.used) + Math.max(calls, 1) > capacity)
        return { kind: 'quota_exhausted', key };
    }

    rates.forEach(({ key }, index) => arrivals.set(key, nextArrivals[index] as number));
    if (arrivals.size > RATES_MAX) for (const [key, next] of arrivals) if (next < now) arrivals.delete(key);
    for (const { key, calls, epoch } of quotas) {
      const counter = counters.get(key) as { used: number; epoch: number };
      if (counter.epoch < epoch) {
        counter.epoch = epoch;
        counter.used = 0;
      }
      counter.used += calls;
    }
    return { kind: 'acquired' };
  }

  return {
    tryAcquire: async (request) => acquire(request),
    async beginInvalidation(keys) {
      const mark: Invalidation = { keys, version: source.pending() };
      const expiresAt = nowMicros() / 1000 + PENDING_MS;
      for (const key of keys) versions.set(key, { value: mark.version, expiresAt });
      return mark;
    },
    async commitInvalidation({ keys, version }) {
      for (const key of keys) {
        const held = versions.get(key);
        // Another writer's mark stays: readers read the store until that writer commits its own.
        if (held !== undefined && held.value !== version && isPending(held.value)) continue;
        versions.set(key, { value: source.fresh(), expiresAt: Infinity });
      }
    },
    async seed(key, usage) {
      if (!counters.has(key)) counters.set(key, { ...usage });
    },
    usage: async (keys) => keys.map((key) => counters.get(key) ?? null).map((usage) => usage && { ...usage }),
    isUnavailable: () => false,
    close: async () => undefined,
  };
}
