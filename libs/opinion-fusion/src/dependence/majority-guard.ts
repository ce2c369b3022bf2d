import { COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';

/**
 * Sources by slot, where the members of a group count once, and by group the slots that two or more of its
 * members state.
 */
function countOnce(
  { starts, slots, claimants }: Index,
  groups: readonly (readonly number[])[],
): { once: Int32Array; sharedBy: number[][] } {
  const once = Int32Array.from(claimants);
  const sharedBy = groups.map((members) => {
    const own = new Map<number, number>();
    for (const member of members)
      for (let i = starts[member]!; i < starts[member + 1]!; i++)
        own.set(slots[i]!, (own.get(slots[i]!) ?? 0) + 1);
    const shared = [...own].filter(([, count]) => count > 1);
    for (const [slot, count] of shared) once[slot]! -= count - 1;
    return shared.map(([slot]) => slot);
  });
  return { once, sharedBy };
}

/**
 * The majority guard, by group: true where the group, counted once, loses most of the items it shares, and
 * where counting its members one by one would let its value lead, or tie, on a good part of them. Then either
 * the group is a coalition or its opponents are, and the claims cannot tell which. Source: reasoning model
 * §11.
 */
export function silencedSides(index: Index, groups: readonly (readonly number[])[]): boolean[] {
  const { itemOf, slotsOf, claimants } = index;
  const { once, sharedBy } = countOnce(index, groups);
  const strongestRival = (slot: number, counts: Int32Array) =>
    slotsOf[itemOf[slot]!]!.reduce(
      (most, other) => (other === slot ? most : Math.max(most, counts[other]!)),
      0,
    );
  return sharedBy.map((shared) => {
    const lost = shared.filter((slot) => once[slot]! < strongestRival(slot, once));
    const decided = lost.filter((slot) => claimants[slot]! >= strongestRival(slot, claimants));
    const [lostShare, decidedShare] = [lost.length / shared.length, decided.length / shared.length];
    return lostShare > COPYING.lostMin && decidedShare > Math.max(COPYING.decidedMin, (1 - lostShare) / 2);
  });
}
