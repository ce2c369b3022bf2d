import type { Authority } from '@platform/authz-client';
import type { KeptByLease } from '../store/kept-by-lease.ts';

/** Leases of one call; each is asked about with its tenant's, and a call takes a hundred leases. */
const BATCH_MAX = 50;
const DAY_MS = 24 * 3_600_000;

/**
 * Erases what a store keeps for users and accounts that were found to have ended more than `afterDays` days
 * before `now`; returns how many. A lease has ended when authz-grpc says so and knows the lease of its
 * tenant: an authz-grpc with another database would call every lease ended. What was marked as ended is kept
 * when its lease is found again. Throws `unavailable`, and errors of the store.
 */
export async function sweepEnded(options: {
  readonly store: KeptByLease;
  readonly ask: Authority['leaseStates'];
  readonly now: Date;
  readonly afterDays: number;
}): Promise<number> {
  const { store, ask, now, afterDays } = options;
  for (let after = ''; ;) {
    const holders = await store.listLeases(after, BATCH_MAX);
    const last = holders.at(-1);
    if (last === undefined) break;
    after = last.lease;
    const states = await ask(holders.flatMap(({ lease, tenantLease }) => [lease, tenantLease]));
    const hasEnded = (_: unknown, index: number) =>
      states[2 * index]!.status === 'ended' && states[2 * index + 1]!.status !== 'ended';
    const ended = holders.filter(hasEnded).map(({ lease }) => lease);
    const others = holders.map(({ lease }) => lease).filter((lease) => !ended.includes(lease));
    await store.markEnded(ended, now);
    await store.markEnded(others, null);
  }
  return store.eraseEnded(new Date(now.getTime() - afterDays * DAY_MS));
}
