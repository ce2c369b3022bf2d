import { DomainError } from '@platform/error-contracts';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LargeBodies } from './http/large-bodies.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { ComputePool } from './search/compute-pool.ts';

/**
 * `limiter`, whose refusals are counted in `docstore_rate_refusals_total`, and whose Redis shows in
 * `docstore_redis_away`. Never by subject: labels stay few.
 */
export function measuringRateLimiter(limiter: RateLimiter, registry: Registry): RateLimiter {
  const refusals = new Counter({
    name: 'docstore_rate_refusals_total',
    help: 'Requests refused because their credential makes too many.',
    registers: [registry],
  });
  const help = '1 while Redis is unavailable, so that rates are counted per replica.';
  showNumber(registry, 'docstore_redis_away', help, () => Number(limiter.isRedisUnavailable()));
  return {
    ...limiter,
    async take(subject, request) {
      const verdict = await limiter.take(subject, request);
      if (verdict.seconds > 0) refusals.inc();
      return verdict;
    },
  };
}

/**
 * `largeBodies`, shown in `docstore_body_slots_in_use` and `docstore_body_slots_waiting`; those whose turn
 * did not come in time are counted in `docstore_body_slots_refused_total`.
 */
export function measuringLargeBodies(largeBodies: LargeBodies, registry: Registry): LargeBodies {
  const { load } = largeBodies;
  showNumber(registry, 'docstore_body_slots_in_use', 'Large bodies worked on.', () => load().inUse);
  showNumber(
    registry,
    'docstore_body_slots_waiting',
    'Large bodies waiting for their turn.',
    () => load().waiting,
  );
  const refused = new Counter({
    name: 'docstore_body_slots_refused_total',
    help: 'Large bodies refused with 503 because their turn did not come.',
    registers: [registry],
  });
  return {
    ...largeBodies,
    run(res, length, owner, work) {
      let isTurn = false;
      const turn = () => {
        isTurn = true;
        return work();
      };
      return largeBodies.run(res, length, owner, turn).catch((error: unknown) => {
        if (!isTurn && error instanceof DomainError && error.kind === 'unavailable') refused.inc();
        throw error;
      });
    },
  };
}

/**
 * Shows the thread of searches and merges: `docstore_heavy_tasks_waiting` and `docstore_heavy_worker_busy`.
 */
export function measureComputePool({ load }: ComputePool, registry: Registry): void {
  const waiting = 'Searches and merges waiting for their thread.';
  showNumber(registry, 'docstore_heavy_tasks_waiting', waiting, () => load().waiting);
  const busy = '1 while the thread of searches and merges is at work.';
  showNumber(registry, 'docstore_heavy_worker_busy', busy, () => Number(load().isBusy));
}

/** A gauge that is read when it is asked for. */
function showNumber(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
