import { COPYING, ESTIMATION } from '../contract/constants.ts';
import type { ComparedPair, Index } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';
import { silencedSides } from './majority-guard.ts';

/** The minorities in which sources never differ. */
export interface EchoingMinorities {
  /** By source: the number of its minority, −1 for most. */
  readonly minorityOf: Int32Array;
  /** By compared pair: the posterior that one repeats the other, 0 for pairs of no minority. Probability. */
  readonly strengths: Float64Array;
}

/**
 * Sources that state the same on at least `ESTIMATION.saidMin` items where others differ, nowhere differ from
 * one another, and on most of those items meet at least as many sources that contradict them, who agree on
 * something else; and whom the majority guard would hold back, because their number decides much of what they
 * share. Which side is right is not asked: such a bloc confirms itself, so that the search for truth takes
 * its opponents for the copiers. Sources of a majority are left alone, because agreement with most is what
 * the truth looks like, and so are those whose number decides little: pairs are judged well without this.
 *
 * Each agreement multiplies the odds of repeating by 1 / the share of the other speakers who state the same.
 */
export function echoingMinorities(index: Index): EchoingMinorities {
  const { pairs, itemOf, slotsOf, claimants, speakers, sources } = index;
  const prior = COPYING.prior / Math.max(1, sources.length - 1);
  const strengths = Float64Array.from(pairs, ({ agreeing, differences }) => {
    if (differences > 0) return 0;
    const tested = agreeing.filter((slot) => slotsOf[itemOf[slot]!]!.length > 1);
    if (tested.length < ESTIMATION.saidMin) return 0;
    const logOdds = tested.reduce(
      (sum, slot) => sum - Math.log((claimants[slot]! - 1) / (speakers[itemOf[slot]!]! - 1)),
      Math.log(prior / (1 - prior)),
    );
    return 1 / (1 + Math.exp(-logOdds));
  });
  const minorityOf = new Int32Array(sources.length).fill(-1);
  linkCompletely(
    pairs.map(({ a, b }, i) => ({ a, b, strength: strengths[i]! })),
    COPYING.probabilityMin,
  ).forEach((members, minority) => {
    if (silencedSides(index, [members])[0] && isContradicted(index, members))
      for (const member of members) minorityOf[member] = minority;
  });
  const isWithin = ({ a, b }: ComparedPair) => minorityOf[a]! >= 0 && minorityOf[a] === minorityOf[b];
  return { minorityOf, strengths: strengths.map((strength, i) => (isWithin(pairs[i]!) ? strength : 0)) };
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
