import { stepGcra, type GcraPace } from '@platform/service-kit';
import type { Rate, RateLimiter } from './rate-limiter.ts';

/** The rate in milliseconds. */
export function paceOf({ perMinute, burst }: Rate): GcraPace {
  const interval = 60_000 / perMinute;
  return { interval, tolerance: interval * (burst - 1) };
}

/** Subjects remembered before those that have recovered are forgotten. */
const SWEEP_SIZE = 10_000;

/** Counts in this process. `now` gives milliseconds and never goes back. */
export function createLocalRateLimiter(rate: Rate, now: () => number): RateLimiter {
  const pace = paceOf(rate);
  const arrivals = new Map<string, number>();
  return {
    async take(subject) {
      const time = now();
      const { next, wait } = stepGcra(arrivals.get(subject), time, pace);
      if (wait > 0) return Math.ceil(wait / 1000);
      if (arrivals.size >= SWEEP_SIZE) {
        for (const [other, arrival] of arrivals) if (arrival <= time) arrivals.delete(other);
      }
      arrivals.set(subject, next);
      return 0;
    },
    isRedisAway: () => false,
    async close() {
      arrivals.clear();
    },
  };
}
