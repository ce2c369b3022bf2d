import { COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import type { TellingVoices } from './telling-voices.ts';

/**
 * Those who contradict a group and could as well repeat one another: what makes the group suspect makes them
 * so, and which of the two is right the claims do not say. Each bloc ascending, no source in two, none with
 * a member of the group. None at all where those who contradict are more than `claimantsMax`.
 *
 * Two things show it. On the items where the group, counted once, is outvoted, sources that are more than
 * the group agree as closely as it does, and hardly ever differ although they err apart elsewhere
 * (`spotMax`): a blind spot that they share, or a place from which they all have it. Or they agree more
 * closely than the group on all disputed items of which it speaks; or exactly as closely, and weigh little
 * more by declared reliability (`blocMin`): that so many repeat one is less likely than that two do.
 */
export function blocsAgainst(index: Index, members: readonly number[], telling: TellingVoices): number[][] {
  const { disputed, outvoted, carried } = itemsOf(index, members);
  const said = statementsOn(disputed, index, telling);
  const inside = new Set(members);
  const rivals = [...said.keys()].filter((source) => !inside.has(source)).sort((x, y) => x - y);
  if (rivals.length < 2 || rivals.length > COPYING.claimantsMax) return [];

  const spot = statementsOn(outvoted, index, telling);
  const elsewhere = statementsOn(carried, index, telling);
  const blind = blocsOf(rivals, spot, closenessWithin(spot, members)).filter(
    (bloc) =>
      bloc.length > members.length &&
      1 - closenessWithin(spot, bloc) < COPYING.spotMax * (1 - closenessWithin(elsewhere, bloc, 1)),
  );

  const own = closenessWithin(said, members);
  const weight = (sources: readonly number[]) =>
    sources.reduce((sum, source) => sum + index.reliability[source]!, 0);
  const taken = new Set(blind.flat());
  const close = blocsOf(
    rivals.filter((source) => !taken.has(source)),
    said,
    own,
  ).filter((bloc) => weight(members) >= COPYING.blocMin * weight(bloc) || closenessWithin(said, bloc) > own);
  return [...blind, ...close];
}

/**
 * The items of which two members of a group speak and not all sources say the same; those where the value
 * that most members share is outvoted by another once the group counts as one voice; and all the others of
 * which a member speaks.
 */
function itemsOf(
  { starts, slots, slotsOf, itemOf, claimants }: Index,
  members: readonly number[],
): { disputed: number[]; outvoted: number[]; carried: number[] } {
  /** Members by item, and by slot. */
  const speaking = new Map<number, number>();
  const sharing = new Map<number, number>();
  for (const member of members) {
    for (let i = starts[member]!; i < starts[member + 1]!; i++) {
      const slot = slots[i]!;
      speaking.set(itemOf[slot]!, (speaking.get(itemOf[slot]!) ?? 0) + 1);
      sharing.set(slot, (sharing.get(slot) ?? 0) + 1);
    }
  }
  const outvoted = new Set<number>();
  for (const [slot, count] of sharing) {
    const item = itemOf[slot]!;
    const once = claimants[slot]! - count + 1;
    if (
      count > 1 &&
      2 * count > speaking.get(item)! &&
      slotsOf[item]!.some((other) => other !== slot && claimants[other]! > once)
    )
      outvoted.add(item);
  }
  return {
    disputed: [...speaking]
      .filter(([item, count]) => count > 1 && slotsOf[item]!.length > 1)
      .map(([item]) => item),
    outvoted: [...outvoted],
    carried: [...speaking.keys()].filter((item) => !outvoted.has(item)),
  };
}

/**
 * The closeness of two sources that share too few items: less than any, so that a group which cannot be
 * compared is no closer than those who contradict it.
 */
const INCOMPARABLE = -1;

/** By source: the slot it states on each item. */
type StatementsBySource = ReadonlyMap<number, ReadonlyMap<number, number>>;

function statementsOn(
  items: readonly number[],
  { slotsOf }: Index,
  telling: TellingVoices,
): StatementsBySource {
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
  return said;
}

/** Sources joined, over any number of steps, by a closeness of at least `least`; two or more. */
function blocsOf(sources: readonly number[], said: StatementsBySource, least: number): number[][] {
  const blocOf = new Map(sources.map((source) => [source, source]));
  const rootOf = (source: number): number => {
    let root = source;
    while (blocOf.get(root) !== root) root = blocOf.get(root)!;
    return root;
  };
  sources.forEach((a, i) => {
    for (const b of sources.slice(i + 1)) {
      if (closeness(said.get(a), said.get(b)) < least) continue;
      const [x, y] = [rootOf(a), rootOf(b)];
      blocOf.set(Math.max(x, y), Math.min(x, y));
    }
  });
  const blocs = new Map<number, number[]>();
  for (const source of sources) {
    const root = rootOf(source);
    blocs.set(root, [...(blocs.get(root) ?? []), source]);
  }
  return [...blocs.values()].filter((bloc) => bloc.length > 1);
}

/** The mean closeness of the pairs; of those that cannot be compared, `unknown`. */
function closenessWithin(
  said: StatementsBySource,
  sources: readonly number[],
  unknown = INCOMPARABLE,
): number {
  let sum = 0;
  sources.forEach((a, i) => {
    for (const b of sources.slice(i + 1)) {
      const close = closeness(said.get(a), said.get(b));
      sum += close === INCOMPARABLE ? unknown : close;
    }
  });
  return (2 * sum) / (sources.length * (sources.length - 1));
}

/** The share of items both speak on, at least `sharedMin`, on which they say the same. */
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
  return both < COPYING.sharedMin ? INCOMPARABLE : same / both;
}
