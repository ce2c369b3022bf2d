import { CONTESTED_SHARE, COPYING, ESTIMATION } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { blocsAgainst } from './blocs-against.ts';
import { linkCompletely } from './complete-linkage.ts';
import { copyingOdds } from './copying-odds.ts';
import { labelHabits } from './label-habits.ts';
import type { Camps } from './copying-odds.ts';
import { bounded } from './find-truth.ts';
import type { Truth } from './find-truth.ts';
import { TellingVoices } from './telling-voices.ts';

/**
 * The groups that stay suspected when the truth found may be wrong about them. Who is right is one question
 * and not one for each item: where the search for truth has taken the wrong side, it is wrong on all
 * contested items at once, and what the few good sources share there then looks like copied errors. So
 * every pair of a group is judged a second time, as if its side were right on each item where the value it
 * shares is contested: where it has, every group counted once, those who contradict it and agree as closely
 * too (`blocsAgainst`), and habits with a label little, at least half as many voices as the strongest value
 * (`CONTESTED_SHARE`), or where the members who share it all stated it before anyone stated that strongest
 * value, because it may have been right then. And where it is the likeliest value if two members know it by
 * themselves, which is what a pair is tested against: each voice then counts ln(n·A/(1 − A)) by the
 * accuracy A found, which is at least that declared. Errors fall on few values n there
 * (`ESTIMATION.falseValues`) instead of all that the predicate has, so that sources that often err do not
 * look right where they err alike. What is shared beyond that, and the differences, must still point to
 * copying.
 *
 * `strengths`, the posteriors by compared pair, become the smaller of both. Groups change as pairs fall, so
 * this repeats until none does; pairs never judged twice link nothing. `settled` groups count once, too, and
 * are not judged. Returns groups as `linkCompletely`.
 */
export function judgeTwice(
  index: Index,
  truth: Truth,
  strengths: number[],
  settled: readonly (readonly number[])[],
): number[][] {
  const judged = new Uint8Array(strengths.length);
  const telling = new TellingVoices(index);
  const habits = labelHabits(index, truth);
  const firstSaid = firstTimes(index);
  const linked = () =>
    linkCompletely(
      index.pairs.map(({ a, b }, i) => ({ a, b, strength: strengths[i]! })),
      COPYING.probabilityMin,
    );
  for (let round = 0; round < COPYING.judgingRoundsMax; round++) {
    const groups = linked();
    const within = pairsWithin(index, groups);
    let hasFallen = false;
    groups.forEach((members, group) => {
      const pairs = within[group]!.map((i) => index.pairs[i]!);
      const camps = campsOf(index, truth, [...groups, ...settled], members, telling, firstSaid);
      copyingOdds({ ...index, pairs }, truth, { camps, habits }).logOdds.forEach((logOdds, k) => {
        const i = within[group]![k]!;
        judged[i] = 1;
        const again = 1 / (1 + Math.exp(-logOdds));
        if (again < COPYING.probabilityMin) hasFallen = true;
        strengths[i] = Math.min(strengths[i]!, again);
      });
    });
    if (!hasFallen) return groups;
  }
  judged.forEach((isJudged, i) => {
    if (!isJudged) strengths[i] = Math.min(strengths[i]!, 1 - COPYING.probabilityMin);
  });
  return linked();
}

/** By group: the numbers of its pairs. No source is in two groups. */
export function pairsWithin({ sources, pairs }: Index, groups: readonly (readonly number[])[]): number[][] {
  const groupOf = new Int32Array(sources.length).fill(-1);
  groups.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
  const within: number[][] = groups.map(() => []);
  pairs.forEach(({ a, b }, i) => {
    if (groupOf[a]! >= 0 && groupOf[a] === groupOf[b]) within[groupOf[a]!]!.push(i);
  });
  return within;
}

/**
 * The values that are contested for a group when each group counts once, and so do those who contradict this
 * one and agree at least as closely, and every voice by what it tells, or the likeliest when two members of
 * this one do; how often each member is right if they are.
 */
function campsOf(
  index: Index,
  { probability, accuracy: found }: Truth,
  groups: readonly (readonly number[])[],
  members: readonly number[],
  telling: TellingVoices,
  firstSaid: Float64Array,
): Camps {
  const { starts, slots, slotsOf, itemOf, falseValues } = index;
  const odds = found.map((often, source) => {
    const right = bounded(Math.max(often, index.reliability[source]!));
    return Math.log(right / (1 - right));
  });
  const isOpen = new Uint8Array(probability.length);
  const items = new Set<number>();
  for (const member of members)
    for (let i = starts[member]!; i < starts[member + 1]!; i++) items.add(itemOf[slots[i]!]!);
  const oneVoice = new Map<number, number>();
  const own = groups.indexOf(members);
  groups.forEach((group, number) => group.forEach((source) => oneVoice.set(source, number)));
  for (const bloc of blocsAgainst(index, members, telling))
    for (const source of bloc) if (!oneVoice.has(source)) oneVoice.set(source, groups.length + bloc[0]!);
  const spoken = lastTimes(index, members);
  for (const item of items) {
    const voices = slotsOf[item]!.map((slot) => telling.on(slot, oneVoice));
    const most = Math.max(...voices);
    const perVoice = Math.log(Math.min(falseValues[item]!, ESTIMATION.falseValues));
    const weightOf = (source: number) => odds[source]! + perVoice;
    const likely = slotsOf[item]!.map((slot) => telling.on(slot, oneVoice, weightOf, own));
    const likeliest = Math.max(...likely);
    const top = slotsOf[item]![voices.indexOf(most)]!;
    slotsOf[item]!.forEach((slot, i) => {
      const wasFirst = slot !== top && spoken.has(slot) && spoken.get(slot)! < firstSaid[top]!;
      const isLikeliest = likely[i]! >= likeliest - COPYING.tie;
      if (voices[i]! >= CONTESTED_SHARE * most || wasFirst || isLikeliest) isOpen[slot] = 1;
    });
  }
  const accuracy = new Float64Array(index.sources.length);
  for (const source of members) {
    let right = 0;
    for (let i = starts[source]!; i < starts[source + 1]!; i++)
      right += isOpen[slots[i]!] ? 1 : probability[slots[i]!]!;
    accuracy[source] = right / Math.max(1, starts[source + 1]! - starts[source]!);
  }
  return { isOpen, accuracy };
}

/** By slot: when it was first stated, as far as statements have times; NaN where none has. Milliseconds. */
function firstTimes({ slots, times, itemOf }: Index): Float64Array {
  const first = new Float64Array(itemOf.length).fill(NaN);
  slots.forEach((slot, i) => {
    const time = times[i]!;
    if (!Number.isNaN(time) && !(first[slot]! <= time)) first[slot] = time;
  });
  return first;
}

/** By slot that members state: when the last of them did; NaN where one gives no time. Milliseconds. */
function lastTimes({ starts, slots, times }: Index, members: readonly number[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const member of members)
    for (let i = starts[member]!; i < starts[member + 1]!; i++)
      last.set(slots[i]!, Math.max(last.get(slots[i]!) ?? -Infinity, times[i]!));
  return last;
}
