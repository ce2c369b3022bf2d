import type { Contribution } from '@platform/opinion-fusion';
import type { Model } from '../model.ts';

/**
 * Contributions in which sources that count as one are told by their origin: by the one that depends on none
 * of the others, and among several by the one that spoke first. The engine counts the strongest of them,
 * which is often the latest copy; its amount stays with the one that is named. Of claims without a time, or
 * that the model does not hold, the one that counts stays named. Pure.
 */
export function toldByOrigin(contributions: readonly Contribution[], model: Model): readonly Contribution[] {
  const leaders = new Map(
    contributions.flatMap((one) => (one.route === 'voice' && one.counted > 0 ? [[one.claim_id, one]] : [])),
  );
  const groups = new Map<Contribution, [Contribution, ...Contribution[]]>();
  for (const one of contributions) {
    const isCopy = one.route === 'voice' && one.outcome === 'dependent';
    const leader = isCopy ? leaders.get(one.counted_claim_id ?? null) : undefined;
    if (!leader) continue;
    const group = groups.get(leader);
    if (group) group.push(one);
    else groups.set(leader, [leader, one]);
  }
  const told = new Map<Contribution, Contribution>();
  for (const [leader, group] of groups) {
    const origin = originOf(group, model);
    if (origin.actor_id === leader.actor_id) continue;
    const { counted_claim_id: _, suspected, ...named } = origin;
    const { outcome, counted, offered } = leader;
    const copy = { outcome: 'dependent', counted_claim_id: origin.claim_id! } as const;
    for (const one of group) told.set(one, { ...one, ...copy });
    told.set(leader, { ...named, outcome, counted, offered });
    told.set(origin, {
      ...leader,
      ...copy,
      counted: 0,
      offered: origin.offered,
      ...(suspected && { suspected }),
    });
  }
  return contributions.map((one) => told.get(one) ?? one);
}

function originOf(
  group: readonly [Contribution, ...Contribution[]],
  { actorById, claimById }: Model,
): Contribution {
  const among = new Set(group.map(({ actor_id }) => actor_id));
  const follows = ({ actor_id: own }: Contribution) => {
    const reached = new Set([own!]);
    for (const id of reached) {
      if (id !== own && among.has(id)) return true;
      for (const next of actorById.get(id)?.depends_on ?? []) reached.add(next);
    }
    return false;
  };
  const leading = group.filter((one) => !follows(one));
  const timeOf = ({ claim_id }: Contribution) =>
    Date.parse(claimById.get(claim_id ?? '')?.input.assertion_time ?? '');
  // A comparison with NaN is false.
  return (leading.length > 0 ? leading : group).reduce((first, one) =>
    timeOf(one) < timeOf(first) ? one : first,
  );
}
