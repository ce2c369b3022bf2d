import { COPYING } from '../contract/constants.ts';
import { indexStatements } from './agreement.ts';
import type { Index, SourceStatements, ValueDomains } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';
import { copyingOdds } from './copying-odds.ts';
import type { Odds } from './copying-odds.ts';
import { echoingMinorities } from './echoing-minorities.ts';
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

/** Who copies, as far as the statements tell. */
interface Copying {
  readonly pairs: CopyingPair[];
  readonly groups: CopyingGroup[];
  /** By source: how often it was found right. Probabilities; empty when no two sources were compared. */
  readonly accuracy: ReadonlyMap<string, number>;
  /** Pairs that were not compared, to keep the work bounded. */
  readonly leftOut: number;
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
 * not become dependent because each resembles a third. Members of an echoing minority (`echoingMinorities`)
 * count as one source in this, and join whatever group it joins. Each source is in at most one group.
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
export function detectCopying(sources: readonly SourceStatements[], domains: ValueDomains = OPEN): Copying {
  const index = indexStatements(sources, domains);
  const minorities = echoingMinorities(index);
  if (minorities.length === 0) return judgePairs(index);
  // Truth is sought with one voice of each such minority, lest it confirm itself.
  const byVoice = new Map(
    minorities.map((minority) => {
      const ids = minority.members.map((member) => index.sources[member]!);
      return [ids[0]!, { ...minority, ids }];
    }),
  );
  const repeating = new Set([...byVoice.values()].flatMap(({ ids }) => ids.slice(1)));
  const heard = sources.filter(({ source }) => !repeating.has(source));
  const found = judgePairs(indexStatements(heard, domains));
  const joined = found.groups.filter(({ sources: ids, isApplied }) => {
    const minority = ids.find((id) => byVoice.has(id));
    return minority === undefined || isApplied;
  });
  const numberOf = new Map(index.sources.map((source, i) => [source, i]));
  const inGroup = new Set(joined.flatMap(({ sources: ids }) => ids));
  const groups = [
    ...joined.map((group) => {
      const within = group.sources.flatMap((id) => byVoice.get(id) ?? []);
      if (within.length === 0) return group;
      const { direction: _, ...rest } = group;
      const ids = [...new Set([...group.sources, ...within.flatMap((minority) => minority.ids)])];
      const members = ids.map((id) => numberOf.get(id)!).sort((x, y) => x - y);
      return {
        ...rest,
        ...sharedBy(index, members),
        sources: members.map((member) => index.sources[member]!),
        probability: Math.min(group.probability, ...within.map(({ probability }) => probability)),
      };
    }),
    ...[...byVoice].flatMap(([voice, { ids, members, probability }]) =>
      inGroup.has(voice) ? [] : { sources: ids, probability, ...sharedBy(index, members), isApplied: true },
    ),
  ].sort((x, y) => (x.sources[0]! < y.sources[0]! ? -1 : 1));
  const accuracy = new Map(found.accuracy);
  for (const [voice, { ids }] of byVoice) {
    const own = accuracy.get(voice);
    if (own !== undefined) for (const id of ids) accuracy.set(id, own);
  }
  return { ...found, groups, accuracy, leftOut: index.leftOut };
}

/** Finds truth and accuracies, then judges each compared pair against them. */
function judgePairs(index: Index): Copying {
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
    ...sharedBy(index, members),
    ...direction,
  };
}

/** What a group shares: items, and those of them whose value fewer than half of the others report. */
function sharedBy(
  index: Index,
  members: readonly number[],
): Pick<CopyingGroup, 'sharedItems' | 'sharedRareValues'> {
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
  return { sharedItems: shared.size, sharedRareValues };
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
