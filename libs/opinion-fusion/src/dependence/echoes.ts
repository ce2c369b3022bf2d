import { ESTIMATION } from '../contract/constants.ts';

/** A value of an item and the sources that state it. */
interface Stated {
  readonly classes: readonly number[];
}

/**
 * Numbers sources anew so that those that never differ have one number: on at least `saidMin` items where
 * others differ from them, they state the same, and nowhere do they differ. How often such sources are right
 * cannot be told from their agreement, which says as little as that of a source with itself. Each joins the
 * first that it never differs from. Where the comparison would take too much work, all stay apart. Never
 * throws.
 */
export function joinEchoes(
  items: readonly { readonly slots: readonly Stated[] }[],
  count: number,
): Int32Array {
  /** By source: the items it states something on, in order, with the value. */
  const said: Map<number, number>[] = Array.from({ length: count }, () => new Map<number, number>());
  let work = 0;
  items.forEach(({ slots }, item) => {
    if (slots.length < 2) return;
    slots.forEach(({ classes }, slot) => {
      for (const cls of classes) said[cls]!.set(item, slot);
      work += classes.length ** 2;
    });
  });
  const joined = Int32Array.from({ length: count }, (_, cls) => cls);
  if (work > ESTIMATION.echoWorkMax) return joined;
  const agreed = new Int32Array(count);
  for (let cls = 0; cls < count; cls += 1) {
    if (joined[cls] !== cls || said[cls]!.size < ESTIMATION.saidMin) continue;
    const met: number[] = [];
    for (const [item, slot] of said[cls]!)
      for (const other of items[item]!.slots[slot]!.classes)
        if (other > cls && joined[other] === other && agreed[other]!++ === 0) met.push(other);
    for (const other of met) {
      if (agreed[other]! >= ESTIMATION.saidMin && agreed[other] === sharedItems(said[cls]!, said[other]!))
        joined[other] = cls;
      agreed[other] = 0;
    }
  }
  return joined;
}

/**
 * The joined classes that outnumber those who contradict them: on most of the items where others differ,
 * more of their members speak than state any other value. Counting them once turns these questions round by
 * itself, so it must not be held against them that they lose there. Never throws.
 */
export function outnumbering(
  items: readonly { readonly slots: readonly Stated[] }[],
  joined: Int32Array,
): ReadonlySet<number> {
  const echoing = new Set([...joined].filter((root, cls) => root !== cls));
  const disputed = new Map([...echoing].map((root) => [root, { items: 0, won: 0 }]));
  for (const { slots } of items) {
    if (slots.length < 2) continue;
    slots.forEach(({ classes }, slot) => {
      const members = new Map<number, number>();
      for (const cls of classes)
        if (echoing.has(joined[cls]!)) members.set(joined[cls]!, (members.get(joined[cls]!) ?? 0) + 1);
      if (members.size === 0) return;
      const rival = slots.reduce(
        (most, other, i) => (i === slot ? most : Math.max(most, other.classes.length)),
        0,
      );
      for (const [root, count] of members) {
        const known = disputed.get(root)!;
        known.items += 1;
        if (count > rival) known.won += 1;
      }
    });
  }
  return new Set([...disputed].filter(([, { items, won }]) => 2 * won > items).map(([root]) => root));
}

function sharedItems(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  let shared = 0;
  for (const item of a.keys()) if (b.has(item)) shared += 1;
  return shared;
}
