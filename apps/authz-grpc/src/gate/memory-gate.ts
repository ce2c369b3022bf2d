import { stepGcra } from '@platform/service-kit';
import type { QuotaUsage } from '../model/quota.ts';
import {
  createStampSource,
  isPending,
  PENDING_MS,
  type Gate,
  type GateReply,
  type GateRequest,
  type PendingMark,
} from './gate.ts';

interface Stamp {
  value: string;
  /** Milliseconds since 1970; Infinity unless pending. */
  expiresAt: number;
}

/** Theoretical arrival times older than this many are swept. */
const RATES_MAX = 100_000;

/**
 * The gate within one process: same replies as the Redis script, for one replica. `nowMicros` is the time in
 * microseconds since 1970. Stamps and counters live as long as the process.
 */
export function createMemoryGate(options: { nowMicros?: () => number; origin?: string } = {}): Gate {
  const nowMicros = options.nowMicros ?? (() => (performance.timeOrigin + performance.now()) * 1000);
  const source = createStampSource(options.origin ?? 'm');
  const stamps = new Map<string, Stamp>();
  const arrivals = new Map<string, number>();
  const counters = new Map<string, { used: number; epoch: number }>();

  function stampOf(key: string): string {
    const held = stamps.get(key);
    if (held !== undefined && held.expiresAt > nowMicros() / 1000) return held.value;
    const value = source.fresh();
    stamps.set(key, { value, expiresAt: Infinity });
    return value;
  }

  function enter({ seen, rates, takes }: GateRequest): GateReply {
    const stale = new Map<string, string>();
    for (const [key, stamp] of seen) {
      const current = stampOf(key);
      if (current !== stamp) stale.set(key, current);
    }
    if (stale.size > 0) return { kind: 'stale', stamps: stale };

    const unseeded = takes.filter(({ key }) => !counters.has(key)).map(({ key }) => key);
    if (unseeded.length > 0) return { kind: 'unseeded', keys: unseeded };

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
    for (const { key, calls, epoch, capacity } of takes) {
      const counter = counters.get(key) as QuotaUsage;
      if ((counter.epoch < epoch ? 0 : counter.used) + calls > capacity)
        return { kind: 'quota_exhausted', key };
    }

    rates.forEach(({ key }, index) => arrivals.set(key, nextArrivals[index] as number));
    if (arrivals.size > RATES_MAX) for (const [key, next] of arrivals) if (next < now) arrivals.delete(key);
    for (const { key, calls, epoch } of takes) {
      const counter = counters.get(key) as { used: number; epoch: number };
      if (counter.epoch < epoch) {
        counter.epoch = epoch;
        counter.used = 0;
      }
      counter.used += calls;
    }
    return { kind: 'entered' };
  }

  return {
    enter: async (request) => enter(request),
    async pend(keys) {
      const mark: PendingMark = { keys, stamp: source.pending() };
      const expiresAt = nowMicros() / 1000 + PENDING_MS;
      for (const key of keys) stamps.set(key, { value: mark.stamp, expiresAt });
      return mark;
    },
    async settle({ keys, stamp }) {
      for (const key of keys) {
        const held = stamps.get(key);
        // Another writer's mark stays: readers read the store until that writer settles.
        if (held !== undefined && held.value !== stamp && isPending(held.value)) continue;
        stamps.set(key, { value: source.fresh(), expiresAt: Infinity });
      }
    },
    async seed(key, usage) {
      if (!counters.has(key)) counters.set(key, { ...usage });
    },
    usage: async (keys) => keys.map((key) => counters.get(key) ?? null).map((usage) => usage && { ...usage }),
    isAway: () => false,
    close: async () => undefined,
  };
}
