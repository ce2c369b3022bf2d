import { Counter, Gauge, type Registry } from 'prom-client';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { HeavyWork } from './search/heavy-work.ts';

/** `limiter`, whose refusals are counted in `docstore_rate_refusals_total`. Never by subject: labels stay few. */
export function countingRefusals(limiter: RateLimiter, registry: Registry): RateLimiter {
  const refusals = new Counter({
    name: 'docstore_rate_refusals_total',
    help: 'Requests refused because their credential makes too many.',
    registers: [registry],
  });
  return {
    ...limiter,
    async take(subject) {
      const waitSeconds = await limiter.take(subject);
      if (waitSeconds > 0) refusals.inc();
      return waitSeconds;
    },
  };
}

/** Shows the thread of searches and merges: `docstore_heavy_tasks_waiting` and `docstore_heavy_worker_busy`. */
export function measureHeavyWork(heavyWork: HeavyWork, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'docstore_heavy_tasks_waiting',
    help: 'Searches and merges waiting for their thread.',
    registers,
    collect() {
      this.set(heavyWork.load().waiting);
    },
  });
  new Gauge({
    name: 'docstore_heavy_worker_busy',
    help: '1 while the thread of searches and merges is at work.',
    registers,
    collect() {
      this.set(heavyWork.load().isBusy ? 1 : 0);
    },
  });
}
