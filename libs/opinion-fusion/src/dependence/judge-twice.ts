import { CONTESTED_SHARE, COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';
import { copyingOdds } from './copying-odds.ts';
import { labelHabits } from './label-habits.ts';
import type { Camps } from './copying-odds.ts';
import type { Truth } from './find-truth.ts';

/**
 * The groups that stay suspected when the truth found may be wrong about them. Who is right is one question
 * and not one for each item: where the search for truth has taken the wrong side, it is wrong on all
 * contested items at once, and what the few good sources share there then looks like copied errors. So
 * every pair of a group is judged a second time, as if its side were right on each item where the value it
 * shares is contested: where it has, every group counted once, those who contradict it and agree as closely
 * too, and habits with a label little, at least half as many voices as the strongest value
 * (`CONTESTED_SHARE`). What is shared beyond that, and the differences, must still point to
 * copying.
 *
 * `strengths`, the posteriors by compared pair, become the smaller of both. Groups change as pairs fall, so
 * this repeats until none does; pairs never judged twice link nothing. Returns groups as `linkCompletely`.
 */
export function judgeTwice(index: Index, truth: Truth, strengths: number[]): number[][] {
  const judged = new Uint8Array(strengths.length);
  const telling = new TellingVoices(index);
  const habits = labelHabits(index, truth);
  const linked = () =>
    linkCompletely(
      index.pairs.map(({ a, b }, i) => ({ a, b, strength: strengths[i]! })),
      COPYING.probabilityMin,
    );
  for (let round = 0; round < COPYING.judgingRoundsMax; round++) {
    const groups = linked();
    const groupOf = new Int32Array(index.sources.length).fill(-1);
    groups.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
    const within: number[][] = groups.map(() => []);
    index.pairs.forEach(({ a, b }, i) => {
      if (groupOf[a]! >= 0 && groupOf[a] === groupOf[b]) within[groupOf[a]!]!.push(i);
    });
    let hasFallen = false;
    groups.forEach((members, group) => {
      const pairs = within[group]!.map((i) => index.pairs[i]!);
      const camps = campsOf(index, truth, groups, members, telling);
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

/**
 * The values that are contested for a group when each group counts once, and so do those who contradict this
 * one and agree at least as closely, and every voice by what it tells; how often each member is right if
 * they are.
 */
function campsOf(
  index: Index,
  { probability }: Truth,
  groups: readonly (readonly number[])[],
  members: readonly number[],
  telling: TellingVoices,
): Camps {
  const { starts, slots, slotsOf, itemOf } = index;
  const isOpen = new Uint8Array(probability.length);
  const items = new Set<number>();
  for (const member of members)
    for (let i = starts[member]!; i < starts[member + 1]!; i++) items.add(itemOf[slots[i]!]!);
  const oneVoice = new Map<number, number>();
  groups.forEach((group, number) => group.forEach((source) => oneVoice.set(source, number)));
  for (const bloc of blocsAgainst(index, members, telling))
    for (const source of bloc) if (!oneVoice.has(source)) oneVoice.set(source, groups.length + bloc[0]!);
  for (const item of items) {
    const voices = slotsOf[item]!.map((slot) => telling.on(slot, oneVoice));
    const most = Math.max(...voices);
    slotsOf[item]!.forEach((slot, i) => {
      if (voices[i]! >= CONTESTED_SHARE * most) isOpen[slot] = 1;
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

/**
 * Those who contradict a group and among whom agreement, on the disputed items that the group shares, is at
 * least as close as within the group: what makes the group suspect makes them so, and which of the two is
 * right the claims do not say. A bloc that agrees no closer than the group and weighs far more by declared
 * reliability (`blocMin`) is left out: that so many repeat one is less likely than that two do. Each bloc
 * ascending, of two or more. None where those who contradict are many.
 */
function blocsAgainst(index: Index, members: readonly number[], telling: TellingVoices): number[][] {
  const { starts, slots, slotsOf, itemOf } = index;
  const spoken = new Map<number, number>();
  for (const member of members) {
    for (let i = starts[member]!; i < starts[member + 1]!; i++) {
      const item = itemOf[slots[i]!]!;
      spoken.set(item, (spoken.get(item) ?? 0) + 1);
    }
  }
  const items = new Set<number>();
  for (const [item, speakers] of spoken) if (speakers > 1 && slotsOf[item]!.length > 1) items.add(item);
  const inside = new Set(members);
  /** By source: what it says on these items. */
  const said = new Map<number, Map<number, number>>();
  for (const item of items) {
    for (const slot of slotsOf[item]!) {
      for (const source of telling.speakersOn(slot)) {
        const own = said.get(source);
        if (own) own.set(item, slot);
        else said.set(source, new Map([[item, slot]]));
      }
    }
  }
  const rivals = [...said.keys()].filter((source) => !inside.has(source)).sort((x, y) => x - y);
  if (rivals.length < 2 || rivals.length > COPYING.claimantsMax) return [];
  const within = (sources: readonly number[]) =>
    mean(sources.flatMap((a, i) => sources.slice(i + 1).map((b) => closeness(said.get(a), said.get(b)))));
  const own = within(members);
  const blocOf = new Map(rivals.map((source) => [source, source]));
  const rootOf = (source: number): number => {
    let root = source;
    while (blocOf.get(root) !== root) root = blocOf.get(root)!;
    return root;
  };
  rivals.forEach((a, i) => {
    for (const b of rivals.slice(i + 1)) {
      if (closeness(said.get(a), said.get(b)) < own) continue;
      const [x, y] = [rootOf(a), rootOf(b)];
      blocOf.set(Math.max(x, y), Math.min(x, y));
    }
  });
  const blocs = new Map<number, number[]>();
  for (const source of rivals) {
    const root = rootOf(source);
    blocs.set(root, [...(blocs.get(root) ?? []), source]);
  }
  const weight = (sources: readonly number[]) =>
    sources.reduce((sum, source) => sum + index.reliability[source]!, 0);
  const isCloser = (bloc: readonly number[]) => within(bloc) > own;
  return [...blocs.values()].filter(
    (bloc) => bloc.length > 1 && (weight(members) >= COPYING.blocMin * weight(bloc) || isCloser(bloc)),
  );
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** The share of items both speak on, at least `sharedMin`, on which they say the same; −1 for fewer. */
function closeness(
  a: ReadonlyMap<number, number> | undefined,
  b: ReadonlyMap<number, number> | undefined,
): number {
  let both = 0;
  let same = 0;
  for (const [item, slot] of a ?? []) {
    const other = b?.get(item);
    if (other === undefined) continue;
    both += 1;
    if (other === slot) same += 1;
  }
  return both < COPYING.sharedMin ? -1 : same / both;
}

/**
 * Voices by what they tell. A source that gives a label to the share q of its items of a domain of K labels
 * tells with it (1 − q)/(1 − 1/K) of a voice, at most one: who always says the same says it whatever is
 * right, so many of them make no value stronger. Shares start as if the source had given each label equally
 * often on `habitPrior` items.
 */
class TellingVoices {
  /** Who states slot s, ascending: from starts[s] to starts[s + 1], with the voice of each. */
  readonly #starts: Int32Array;
  readonly #speakers: Int32Array;
  readonly #voices: Float64Array;

  constructor({ sources, starts, slots, itemOf, domainOf, labelOf, falseValues, claimants }: Index) {
    this.#starts = new Int32Array(claimants.length + 1);
    claimants.forEach((count, slot) => (this.#starts[slot + 1] = this.#starts[slot]! + count));
    const next = this.#starts.slice();
    this.#speakers = new Int32Array(slots.length);
    this.#voices = new Float64Array(slots.length);
    for (let source = 0; source < sources.length; source++) {
      const given = new Map<number, number>();
      const items = new Map<number, number>();
      for (let i = starts[source]!; i < starts[source + 1]!; i++) {
        const slot = slots[i]!;
        const domain = domainOf[itemOf[slot]!]!;
        given.set(labelOf[slot]!, (given.get(labelOf[slot]!) ?? 0) + 1);
        items.set(domain, (items.get(domain) ?? 0) + 1);
      }
      for (let i = starts[source]!; i < starts[source + 1]!; i++) {
        const slot = slots[i]!;
        const item = itemOf[slot]!;
        const usual = 1 / (falseValues[item]! + 1);
        const { habitPrior } = COPYING;
        const share =
          (given.get(labelOf[slot]!)! + habitPrior * usual) / (items.get(domainOf[item]!)! + habitPrior);
        const at = next[slot]!++;
        this.#speakers[at] = source;
        this.#voices[at] = domainOf[item]! < 0 ? 1 : Math.min(1, (1 - share) / (1 - usual));
      }
    }
  }

  speakersOn(slot: number): Int32Array {
    return this.#speakers.subarray(this.#starts[slot], this.#starts[slot + 1]);
  }

  /** The voices for a value; of sources with the same number in `oneVoice` the most telling counts. */
  on(slot: number, oneVoice: ReadonlyMap<number, number>): number {
    const together = new Map<number, number>();
    let sum = 0;
    for (let at = this.#starts[slot]!; at < this.#starts[slot + 1]!; at++) {
      const group = oneVoice.get(this.#speakers[at]!);
      if (group === undefined) sum += this.#voices[at]!;
      else together.set(group, Math.max(together.get(group) ?? 0, this.#voices[at]!));
    }
    for (const voice of together.values()) sum += voice;
    return sum;
  }
}
