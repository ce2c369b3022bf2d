import { COPYING } from '../contract/constants.ts';
import { indexStatements } from './agreement.ts';
import type { Index, SourceStatements, ValueDomains } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';
import { copyingOdds } from './copying-odds.ts';
import type { Odds } from './copying-odds.ts';
import { findTruth } from './find-truth.ts';

/** Two sources that agree often enough to be looked at. `first` < `second` by id. */
export interface CopyingPair {
  readonly first: string;
  readonly second: string;
  /** Posterior that one copies the other or both copy a third. Probability. */
  readonly probability: number;
  /** Share of that posterior which says that `first` copies `second`. Probability. */
  readonly firstCopies: number;
  /** Items on which both say the same, and on which they differ. */
  readonly agreements: number;
  readonly differences: number;
}

/** Sources that speak with one voice. */
export interface CopyingGroup {
  /** Ascending, two or more. */
  readonly sources: string[];
  /** The smallest posterior of copying among the group's pairs. Probability. */
  readonly probability: number;
  /** Items on which two or more of the group say the same. */
  readonly sharedItems: number;
  /** Of those, the ones whose value fewer than half of the other sources on that item report. */
  readonly sharedRareValues: number;
  /** Who copied from whom; only for two sources whose direction is as certain as the copying itself. */
  readonly direction?: { readonly from: string; readonly to: string };
  /**
   * False where counting the group once would silence the side it speaks for, so that it is only reported.
   */
  readonly isApplied: boolean;
}

const OPEN: ValueDomains = {
  falseValues: () => COPYING.falseValuesMax,
  domain: () => -1,
  label: (value) => value,
};

/**
 * Finds sources that copy from each other or from the same place: those that share values which others do not
 * report, above all values that are probably false. Two sources are joined at a posterior of 0.95 on at least
 * 5 shared values, and every pair of a group passes this test by itself (`linkCompletely`): two sources do
 * not become dependent because each resembles a third. Each source is in at most one group.
 *
 * Two steps. First truth and accuracy are found by the iteration of the paper (`findTruth`), where a
 * suspicion costs little: a copy counts less. Then each pair is judged against these (`copyingOdds`), where
 * doubt about the truth and about accuracies speaks for the sources, because joining silences a voice.
 *
 * Work is bounded: values that very many sources report tell nothing and are passed over, only pairs that
 * share a value off the majority are looked at, and when these are too many, those that share the most such
 * values are.
 *
 * Source: X. L. Dong, L. Berti-Équille, D. Srivastava, Integrating conflicting data: the role of source
 * dependence, PVLDB 2(1), 2009. The result depends on ids and statements alone, not on the order of
 * `sources`. Never throws.
 */
export function detectCopying(
  sources: readonly SourceStatements[],
  domains: ValueDomains = OPEN,
): {
  pairs: CopyingPair[];
  groups: CopyingGroup[];
  /** By source: how often it was found right. Probabilities; empty when no two sources were compared. */
  accuracy: ReadonlyMap<string, number>;
  /** Pairs that were not compared, to keep the work bounded. */
  leftOut: number;
} {
  const index = indexStatements(sources, domains);
  if (index.pairs.length === 0) return { pairs: [], groups: [], accuracy: new Map(), leftOut: index.leftOut };
  const truth = findTruth(index);
  const odds = copyingOdds(index, truth);

  const links = index.pairs.map(({ a, b }, i) => ({ a, b, strength: logistic(odds.logOdds[i]!) }));
  const linked = linkCompletely(links, COPYING.probabilityMin);
  const silenced = silencedSides(index, linked);
  const groups = linked.map((members, i) => ({
    ...describeGroup(index, members, odds),
    isApplied: !silenced[i],
  }));
  const pairs = index.pairs.map(({ a, b, agreeing, differences }, i) => ({
    first: index.sources[a]!,
    second: index.sources[b]!,
    probability: logistic(odds.logOdds[i]!),
    firstCopies: odds.firstCopies[i]!,
    agreements: agreeing.length,
    differences,
  }));
  // Where a group is held back, the truth found is in doubt, and so is how often each source was right.
  const accuracy = silenced.includes(true)
    ? new Map<string, number>()
    : new Map(index.sources.map((source, i) => [source, truth.accuracy[i]!]));
  return { pairs, groups, accuracy, leftOut: index.leftOut };
}

/**
 * The majority guard, by group: true where the group, counted once, loses most of the items it shares, and
 * where counting its members one by one would let its value lead, or tie, on a good part of them. Then either
 * the group is a coalition or its opponents are, and the claims cannot tell which. Source: reasoning model
 * §11.
 */
function silencedSides(index: Index, groups: readonly (readonly number[])[]): boolean[] {
  const { starts, slots, itemOf, slotsOf, claimants } = index;
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

function describeGroup(
  index: Index,
  members: readonly number[],
  { logOdds, firstCopies }: Odds,
): Omit<CopyingGroup, 'isApplied'> {
  const inside = new Set(members);
  let probability = 1;
  let toward = 0.5;
  index.pairs.forEach(({ a, b }, i) => {
    if (!inside.has(a) || !inside.has(b)) return;
    probability = Math.min(probability, logistic(logOdds[i]!));
    toward = firstCopies[i]!;
  });
  const sources = members.map((member) => index.sources[member]!);

  const own = new Map<number, number>();
  for (const member of members) {
    for (let i = index.starts[member]!; i < index.starts[member + 1]!; i++) {
      own.set(index.slots[i]!, (own.get(index.slots[i]!) ?? 0) + 1);
    }
  }
  const speaking = new Map<number, number>();
  for (const [slot, count] of own) {
    const item = index.itemOf[slot]!;
    speaking.set(item, (speaking.get(item) ?? 0) + count);
  }
  const shared = new Set<number>();
  let sharedRareValues = 0;
  for (const [slot, count] of own) {
    if (count < 2) continue;
    const item = index.itemOf[slot]!;
    shared.add(item);
    const others = index.speakers[item]! - speaking.get(item)!;
    if (2 * (index.claimants[slot]! - count) < others) sharedRareValues++;
  }

  const certain = COPYING.probabilityMin;
  const direction =
    members.length !== 2 || (toward < certain && toward > 1 - certain)
      ? {}
      : {
          direction:
            toward >= certain
              ? { from: sources[0]!, to: sources[1]! }
              : { from: sources[1]!, to: sources[0]! },
        };
  return {
    sources,
    probability: Math.min(1, probability),
    sharedItems: shared.size,
    sharedRareValues,
    ...direction,
  };
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
