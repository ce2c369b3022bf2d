import { ESTIMATION } from '../contract/constants.ts';

/** A value of an item and the sources that state it. */
interface Stated {
  readonly classes: readonly number[];
}

/** Two sources, a < b, that never differ, and on how many items they agree where others differ. */
interface Echo {
  readonly a: number;
  readonly b: number;
  readonly agreed: number;
}

/**
 * Numberings of the sources in which those that never differ have one number: one for each number of items
 * from more than `priorClaims` to `saidMin` on which they must state the same where others differ. How often
 * such sources are right cannot be told from their agreement, which says as little as that of a source with
 * itself; from how many items on is no fact but a choice, so all of these are to be weighed alike, and no
 * single item turns a verdict round. Numberings that are the same stand once, with the share of the choices
 * that lead to them. Each source joins the first that it never differs from. Where the comparison would take
 * too much work, all stay apart. Never throws. Source: J. A. Hoeting, D. Madigan, A. E. Raftery, C. T.
 * Volinsky, Bayesian model averaging: a tutorial, Statistical Science 14(4), 1999.
 */
export function joinEchoes(
  items: readonly { readonly slots: readonly Stated[] }[],
  count: number,
): { readonly joined: Int32Array; readonly share: number }[] {
  const echoes = echoesOf(items, count);
  const choices = ESTIMATION.saidMin - ESTIMATION.priorClaims;
  const found: { joined: Int32Array; share: number }[] = [];
  for (let least = ESTIMATION.saidMin; least > ESTIMATION.priorClaims; least -= 1) {
    const joined = Int32Array.from({ length: count }, (_, cls) => cls);
    for (const { a, b, agreed } of echoes)
      if (agreed >= least && joined[a] === a && joined[b] === b) joined[b] = a;
    const last = found.at(-1);
    if (last?.joined.every((root, cls) => root === joined[cls])) last.share += 1 / choices;
    else found.push({ joined, share: 1 / choices });
  }
  return found.length === 1 ? [{ ...found[0]!, share: 1 }] : found;
}

/** The sources that never differ, by a, then b. */
function echoesOf(items: readonly { readonly slots: readonly Stated[] }[], count: number): Echo[] {
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
  if (work > ESTIMATION.echoWorkMax) return [];
  const found: Echo[] = [];
  const agreed = new Int32Array(count);
  for (let a = 0; a < count; a += 1) {
    if (said[a]!.size <= ESTIMATION.priorClaims) continue;
    const met: number[] = [];
    for (const [item, slot] of said[a]!)
      for (const b of items[item]!.slots[slot]!.classes) if (b > a && agreed[b]!++ === 0) met.push(b);
    for (const b of met.sort((x, y) => x - y)) {
      const both = agreed[b]!;
      agreed[b] = 0;
      if (both > ESTIMATION.priorClaims && both === sharedItems(said[a]!, said[b]!))
        found.push({ a, b, agreed: both });
    }
  }
  return found;
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
