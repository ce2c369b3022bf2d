import type { Grant } from '../platform/ledger.ts';
import type { Invariant } from './invariant.ts';

/**
 * A loss of Redis: it had its counts until `from`, and had lost them at `to`. Milliseconds of
 * `performance.now()`.
 */
export interface Loss {
  readonly from: number;
  readonly to: number;
}

/** Time between two writes of the counts to Postgres. Milliseconds. */
const FLUSH_PERIOD_MS = 1_000;
/**
 * Longest that the timer's delay and such a write take. Of a hundred writes of 20 counters, on two cores with
 * a load of 17, half took 9 ms and the longest 82. Milliseconds.
 */
const FLUSH_MAX_MS = 250;

/**
 * Compares the grants of each tenant with its quota and overage, `grantsMax`. What was granted within a
 * period of the flush before a loss may be forgotten, and so granted once more; a tenant that was not calling
 * then has not one call more.
 */
export function quotasHeld(
  granted: ReadonlyMap<string, readonly Grant[]>,
  { grantsMax, redisLosses }: { readonly grantsMax: number; readonly redisLosses: readonly Loss[] },
): Invariant {
  const mayBeForgotten = ({ sentAt, answeredAt }: Grant) =>
    redisLosses.some(({ from, to }) => answeredAt >= from - FLUSH_PERIOD_MS - FLUSH_MAX_MS && sentAt <= to);
  const broken = [...granted].flatMap(([tenant, grants]) => {
    const forgotten = grants.filter(mayBeForgotten).length;
    if (grants.length <= grantsMax + forgotten) return [];
    return [`tenant ${tenant} was granted ${grants.length} of ${grantsMax}, ${forgotten} may be forgotten`];
  });
  return {
    promise: 'no quota was over-granted by more than the second of counts before a loss of Redis',
    compared: granted.size,
    broken,
  };
}
