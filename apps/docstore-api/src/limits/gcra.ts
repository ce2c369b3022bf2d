import type { Rate, RateLimiter } from './rate-limiter.ts';

/**
 * Milliseconds from one request to the next at the sustained rate, and how far ahead of it a burst may run.
 */
export function gcraParameters({ perMinute, burst }: Rate): { intervalMs: number; toleranceMs: number } {
  const intervalMs = 60_000 / perMinute;
  return { intervalMs, toleranceMs: intervalMs * (burst - 1) };
}

/** Subjects remembered before those that have recovered are forgotten. */
const SWEEP_SIZE = 10_000;

/**
 * The generic cell rate algorithm (ITU-T I.371, Annex A, virtual scheduling) in this process: per subject one
 * number, the theoretical arrival time of the next request. `now` gives milliseconds and never goes back.
 */
export function createLocalRateLimiter(rate: Rate, now: () => number): RateLimiter {
  const { intervalMs, toleranceMs } = gcraParameters(rate);
  const arrivals = new Map<string, number>();
  return {
    async take(subject) {
      const time = now();
      const expected = Math.max(arrivals.get(subject) ?? 0, time);
      const waitMs = expected - toleranceMs - time;
      if (waitMs > 0) return Math.ceil(waitMs / 1000);
      if (arrivals.size >= SWEEP_SIZE) {
        for (const [other, arrival] of arrivals) if (arrival <= time) arrivals.delete(other);
      }
      arrivals.set(subject, expected + intervalMs);
      return 0;
    },
    isRedisAway: () => false,
    async close() {
      arrivals.clear();
    },
  };
}
