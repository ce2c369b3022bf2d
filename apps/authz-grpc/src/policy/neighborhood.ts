import type { Rule } from '@platform/decide/parts';
import type { Fact, FactStatement } from './facts.ts';

/** Keys that every check has exactly once, those with the most different values first. */
const KEYS = ['subject', 'object', 'action'] as const;
export const SINGLE: ReadonlySet<string> = new Set(KEYS);

/** So few neighbors are compared one by one, without narrowing them by another key. */
const FEW = 16;

/** What a rule asks of a value: a whole text, or the text that it begins with. */
type Anchor = Extract<Rule['anchor'], { readonly text: string }>;

/** The anchors of one fact, in the order of KEYS; null where any value may match. */
type Anchors = readonly (Anchor | null)[];

interface Holder {
  readonly fact: Fact;
}

interface Filed<H> {
  readonly holder: H;
  readonly anchors: Anchors;
}

/** The statement that a request must match for the fact to decide it; null for an inverted one. */
export function soleStatement({ invert, statements }: Fact): FactStatement | null {
  return invert ? null : (statements[0] as FactStatement);
}

/**
 * Returns a function from one of the facts to the others that may match the same request, judged by KEYS
 * alone. It misses none, and takes about as long as it finds facts.
 */
export function neighborhoodOf<H extends Holder>(holders: readonly H[]): (one: H) => H[] {
  const filed = holders.map((holder): Filed<H> => {
    const statement = soleStatement(holder.fact);
    return { holder, anchors: KEYS.map((key) => anchorOf(statement, key)) };
  });
  const anchorsOf = new Map(filed.map(({ holder, anchors }) => [holder, anchors]));
  const finders = KEYS.map((_, key) => neighborsBy(key, filed));
  return (one) => {
    const own = anchorsOf.get(one) as Anchors;
    let found: readonly Filed<H>[] = filed;
    for (const [key, find] of finders.entries()) {
      const anchor = own[key] ?? null;
      if (anchor === null || found.length <= FEW) continue;
      const ofKey = find(anchor);
      if (ofKey.length < found.length) found = ofKey;
    }
    return found
      .filter(({ holder, anchors }) => holder !== one && mayMeet(own, anchors))
      .map(({ holder }) => holder);
  };
}

/** Returns a function from an anchor to the facts whose values of the key may meet it. */
function neighborsBy<H>(key: number, filed: readonly Filed<H>[]): (anchor: Anchor) => Filed<H>[] {
  const anywhere: Filed<H>[] = [];
  const anchored: { readonly text: string; readonly one: Filed<H> }[] = [];
  const prefixes = new Map<string, Filed<H>[]>();
  for (const one of filed) {
    const anchor = one.anchors[key] ?? null;
    if (anchor === null) {
      anywhere.push(one);
      continue;
    }
    const { kind, text } = anchor;
    anchored.push({ text, one });
    if (kind === 'exact') continue;
    const alike = prefixes.get(text);
    if (alike === undefined) prefixes.set(text, [one]);
    else alike.push(one);
  }
  anchored.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const lengths = new Set(Array.from(prefixes.keys(), ({ length }) => length));
  return ({ kind, text }) => {
    const found = [...anywhere];
    for (const length of lengths) {
      if (length < text.length) for (const one of prefixes.get(text.slice(0, length)) ?? []) found.push(one);
    }
    // Texts that begin with this one stand together, this one first.
    for (let at = firstAtLeast(anchored, text); at < anchored.length; at += 1) {
      const { text: other, one } = anchored[at] as (typeof anchored)[number];
      if (kind === 'exact' ? other !== text : !other.startsWith(text)) break;
      found.push(one);
    }
    return found;
  };
}

/** Index of the first text that does not come before this one, in sorted texts. */
function firstAtLeast(sorted: readonly { readonly text: string }[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as { text: string }).text < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The anchor of a statement for a key; null where any value may match. */
function anchorOf(statement: FactStatement | null, key: string): Anchor | null {
  const anchor = statement?.byKey.get(key)?.rule.anchor ?? null;
  return anchor === null || anchor.kind === 'regex' ? null : anchor;
}

/** Whether one request may match both, judged by KEYS alone. */
function mayMeet(one: Anchors, other: Anchors): boolean {
  for (let key = 0; key < KEYS.length; key += 1) {
    const [a, b] = [one[key] ?? null, other[key] ?? null];
    if (a !== null && b !== null && !mayBothHold(a, b)) return false;
  }
  return true;
}

function mayBothHold(one: Anchor, other: Anchor): boolean {
  if (one.kind === 'prefix' && other.text.startsWith(one.text)) return true;
  if (other.kind === 'prefix' && one.text.startsWith(other.text)) return true;
  return one.kind === 'exact' && other.kind === 'exact' && one.text === other.text;
}
