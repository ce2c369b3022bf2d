import { COPYING, ESTIMATION } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';

/** Sources that never differ, by their numbers, ascending, two or more. */
export interface EchoingMinority {
  readonly members: readonly number[];
  /** The smallest posterior among its pairs that one repeats the other. Probability. */
  readonly probability: number;
}

/**
 * Sources that state the same on at least `ESTIMATION.saidMin` items where others differ, nowhere differ from
 * one another, and on most of those items meet at least as many sources that contradict them, who agree on
 * something else. Which side is right is not asked: a bloc that confirms itself makes the search for truth
 * take its opponents for the copiers. Sources of a majority are left alone, because agreement with most is
 * what the truth looks like, and so are sources that one of them contradicts anywhere.
 *
 * Each agreement multiplies the odds of repeating by 1 / the share of the other speakers who state the same.
 */
export function echoingMinorities(index: Index): EchoingMinority[] {
  const { pairs, itemOf, slotsOf, claimants, speakers, sources } = index;
  const prior = COPYING.prior / Math.max(1, sources.length - 1);
  const links = pairs
    .filter(({ differences }) => differences === 0)
    .flatMap(({ a, b, agreeing }) => {
      const tested = agreeing.filter((slot) => slotsOf[itemOf[slot]!]!.length > 1);
      if (tested.length < ESTIMATION.saidMin) return [];
      const logOdds = tested.reduce(
        (sum, slot) => sum - Math.log((claimants[slot]! - 1) / (speakers[itemOf[slot]!]! - 1)),
        Math.log(prior / (1 - prior)),
      );
      return [{ a, b, strength: 1 / (1 + Math.exp(-logOdds)) }];
    });
  return linkCompletely(links, COPYING.probabilityMin)
    .filter((members) => isContradicted(index, members))
    .map((members) => ({
      members,
      probability: links.reduce(
        (least, { a, b, strength }) =>
          members.includes(a) && members.includes(b) ? Math.min(least, strength) : least,
        1,
      ),
    }));
}

/**
 * Whether, on most items that members share, others agree on another value and at least as many as the
 * members contradict them.
 */
function isContradicted(
  { starts, slots, itemOf, slotsOf, claimants, speakers }: Index,
  members: readonly number[],
): boolean {
  const stating = new Map<number, number>();
  for (const member of members)
    for (let i = starts[member]!; i < starts[member + 1]!; i++)
      stating.set(slots[i]!, (stating.get(slots[i]!) ?? 0) + 1);
  let shared = 0;
  let contradicted = 0;
  for (const [slot, count] of stating) {
    const item = itemOf[slot]!;
    if (count < 2 || slotsOf[item]!.length < 2) continue;
    shared++;
    const rival = Math.max(
      ...slotsOf[item]!.filter((other) => other !== slot).map((other) => claimants[other]!),
    );
    const against = speakers[item]! - claimants[slot]!;
    if (rival > 1 && rival > claimants[slot]! - count && against >= count) contradicted++;
  }
  return 2 * contradicted > shared;
}
