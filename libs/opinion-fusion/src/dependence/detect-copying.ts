import { COPYING } from '../contract/constants.ts';
import { indexStatements } from './agreement.ts';
import type { ComparedPair, Index, SourceStatements, ValueDomains } from './agreement.ts';
import { copyingOdds } from './copying-odds.ts';
import type { Odds } from './copying-odds.ts';
import { echoingMinorities } from './echoing-minorities.ts';
import { findTruth } from './find-truth.ts';
import { judgeTwice, pairsWithin } from './judge-twice.ts';
import { silencedSides } from './majority-guard.ts';

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

/** Sources that speak with one voice, or unidentified sources that say what an identified one says. */
export interface CopyingGroup {
  /** Ascending; one only where it resembles an identified source. */
  readonly sources: string[];
  /** The identified source that all of them, unidentified, resemble; it is not suspected. */
  readonly resembles?: string;
  /** The smallest posterior of copying among the group's pairs. Probability. */
  readonly probability: number;
  /** Items on which two or more of the group say the same. */
  readonly sharedItems: number;
  /**
   * Of those, the ones whose value few of the other sources on that item report: at most `fewMax` of them.
   * Identified sources are compared with identified ones.
   */
  readonly sharedRareValues: number;
  /** Who copied from whom; only for two sources whose direction is as certain as the copying itself. */
  readonly direction?: { readonly from: string; readonly to: string };
  /**
   * False where counting the group once would silence the side it speaks for, so that it is only reported,
   * and of a single source.
   */
  readonly isApplied: boolean;
}

/** Who copies, as far as the statements tell. */
export interface Copying {
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
 * not become dependent because each resembles a third. Each source is in at most one group.
 *
 * Two steps. First truth and accuracy are found by the iteration of the paper (`findTruth`), where a
 * suspicion costs little: a copy counts less, and members of an echoing minority are copies of one another
 * from the start. Then each pair is judged against these (`copyingOdds`), where
 * doubt about the truth and about accuracies speaks for the sources, because joining silences a voice; pairs
 * of a group must still look copied if their side is right wherever that is contested (`judgeTwice`).
 *
 * Unidentified sources cost nothing to add, so they neither accuse nor clear an identified one: those are
 * judged alone. Their groups are then given as `known`, with the statements of all `sources`, and only pairs
 * with an unidentified source are judged. One that resembles an identified source is suspected alone, unless
 * it spoke first. Pairs, groups and accuracies returned are then those that concern unidentified sources.
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
  known: readonly CopyingGroup[] | null = null,
): Copying {
  const all = indexStatements(sources, domains);
  if (all.pairs.length === 0) return { pairs: [], groups: [], accuracy: new Map(), leftOut: all.leftOut };
  const echoes = echoingMinorities(all);
  const truth = findTruth(all, echoes.minorityOf);
  const isAsked = (source: number) => known === null || all.isUnidentified[source] === 1;
  const isJudged = all.pairs.map(({ a, b }) => isAsked(a) || isAsked(b));
  const index = { ...all, pairs: all.pairs.filter((_, i) => isJudged[i]) };
  const echoed = echoes.strengths.filter((_, i) => isJudged[i]);
  const odds = copyingOdds(index, truth);
  const strengths = index.pairs.map((pair, i) =>
    isRepeatOfUnidentified(index, pair, odds.firstCopies[i]!)
      ? 0
      : Math.max(logistic(odds.logOdds[i]!), echoed[i]!),
  );

  const settled = (known ?? []).map((group) => group.sources.map((source) => index.sources.indexOf(source)));
  const linked = judgeTwice(index, truth, strengths, settled);
  const within = pairsWithin(index, linked);
  const suspects = linked.map((members) => {
    const unidentified = members.filter((member) => index.isUnidentified[member]);
    return unidentified.length > 0 ? unidentified : members;
  });
  const silenced = silencedSides(index, [...suspects, ...settled]);
  const groups = linked
    .map((members, i) => ({
      ...describeGroup(index, members, suspects[i]!, within[i]!, strengths, odds),
      isApplied: suspects[i]!.length > 1 && (!silenced[i] || isOneOf(echoes.minorityOf, suspects[i]!)),
    }))
    .sort((x, y) => (x.sources[0]! < y.sources[0]! ? -1 : 1));
  const pairs = index.pairs.map(({ a, b, agreeing, differences }, i) => ({
    first: index.sources[a]!,
    second: index.sources[b]!,
    probability: strengths[i]!,
    firstCopies: odds.firstCopies[i]!,
    agreements: agreeing.length,
    differences,
  }));
  // Where a group is held back, the truth found is in doubt, and so is how often each source was right.
  const accuracy = groups.some(({ isApplied, sources }) => !isApplied && sources.length > 1)
    ? new Map<string, number>()
    : new Map(
        index.sources.map((source, i) => [source, truth.accuracy[i]!] as const).filter((_, i) => isAsked(i)),
      );
  return { pairs, groups, accuracy, leftOut: index.leftOut };
}

/** Whether what points to copying says that an identified source copies an unidentified one. */
function isRepeatOfUnidentified(
  { isUnidentified }: Index,
  { a, b }: ComparedPair,
  firstCopies: number,
): boolean {
  if (isUnidentified[a] === isUnidentified[b]) return false;
  return (isUnidentified[b] ? firstCopies : 1 - firstCopies) >= COPYING.probabilityMin;
}

/** Whether the members are all of one echoing minority. */
function isOneOf(minorityOf: Int32Array, members: readonly number[]): boolean {
  const minority = minorityOf[members[0]!]!;
  return minority >= 0 && members.every((member) => minorityOf[member] === minority);
}

function describeGroup(
  index: Index,
  members: readonly number[],
  suspects: readonly number[],
  within: readonly number[],
  strengths: readonly number[],
  { firstCopies }: Odds,
): Omit<CopyingGroup, 'isApplied'> {
  const [first, second] = members.map((member) => index.sources[member]!);
  const toward = firstCopies[within[0]!]!;
  const certain = COPYING.probabilityMin;
  const direction =
    members.length !== 2 || (toward < certain && toward > 1 - certain)
      ? {}
      : { direction: toward >= certain ? { from: first!, to: second! } : { from: second!, to: first! } };
  const resembled = members.find((member) => !suspects.includes(member));
  return {
    sources: suspects.map((member) => index.sources[member]!),
    ...(resembled !== undefined && { resembles: index.sources[resembled]! }),
    probability: within.reduce((least, i) => Math.min(least, strengths[i]!), 1),
    ...sharedBy(index, members),
    ...direction,
  };
}

/** What a group shares: items, and those of them whose value few of the others report. */
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
    if (index.claimants[slot]! - count <= COPYING.fewMax * others) sharedRareValues++;
  }
  return { sharedItems: shared.size, sharedRareValues };
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
