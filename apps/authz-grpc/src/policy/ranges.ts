/**
 * Ranges of texts in the order of their code points, which is that of UTF-8 bytes and of Postgres's collation
 * "C", and not that of `<`, which compares UTF-16. The texts are what can be named in a check: they hold
 * neither U+0000 and U+0001 nor U+10FFFF, which serve as the ends of ranges.
 */
export interface Range {
  /** The first text of it. */
  readonly from: string;
  /** The first text behind it. */
  readonly to: string;
}

const NEXT = '\u0001';
const LAST = '\u{10FFFF}';

/** Negative, 0 or positive, as `a` is before `b`, the same or behind it. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return a.length - b.length;
}

/** Surrogates, which stand for the highest code points, behind all other code units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The range of this text alone. */
export function exactly(text: string): Range {
  return { from: text, to: text + NEXT };
}

/** The range of all texts that begin with this one. */
export function beginningWith(text: string): Range {
  return { from: text, to: text + LAST };
}

export const EVERYTHING: Range = beginningWith('');

/** The part of the ranges that is behind the text. */
export function behindText(ranges: readonly Range[], text: string): readonly Range[] {
  return intersect(ranges, [{ from: text + NEXT, to: EVERYTHING.to }]);
}

/** The same texts in ranges that are in order and apart, as the functions below take and return them. */
export function union(ranges: readonly Range[]): readonly Range[] {
  const merged: { from: string; to: string }[] = [];
  for (const range of [...ranges].sort((a, b) => compareTexts(a.from, b.from))) {
    const last = merged.at(-1);
    if (last === undefined || compareTexts(range.from, last.to) > 0) merged.push({ ...range });
    else if (compareTexts(range.to, last.to) > 0) last.to = range.to;
  }
  return merged;
}

/** The ranges that lie within no other one, in order; each must be one text or all that begin with one. */
export function outermost(ranges: readonly Range[]): readonly Range[] {
  const kept: Range[] = [];
  // Of two that begin alike the longer one first: such ranges do not overlap without one holding the other.
  const sorted = [...ranges].sort((a, b) => compareTexts(a.from, b.from) || compareTexts(b.to, a.to));
  for (const range of sorted) {
    const last = kept.at(-1);
    if (last === undefined || compareTexts(range.to, last.to) > 0) kept.push(range);
  }
  return kept;
}

/** The text that is the whole range, or that all of it begins with. */
export function textOf({ from, to }: Range): { readonly text: string; readonly isWhole: boolean } {
  return { text: from, isWhole: to === from + NEXT };
}

/** The texts that are in both. */
export function intersect(some: readonly Range[], others: readonly Range[]): readonly Range[] {
  const both: Range[] = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    const [a, b] = [some[i] as Range, others[j] as Range];
    const from = compareTexts(a.from, b.from) > 0 ? a.from : b.from;
    const isFirstDone = compareTexts(a.to, b.to) < 0;
    const to = isFirstDone ? a.to : b.to;
    if (compareTexts(from, to) < 0) both.push({ from, to });
    if (isFirstDone) i += 1;
    else j += 1;
  }
  return both;
}

/** The texts of the first that are not in the second. */
export function subtract(some: readonly Range[], others: readonly Range[]): readonly Range[] {
  const gaps: Range[] = [];
  let from = '';
  for (const other of others) {
    if (compareTexts(from, other.from) < 0) gaps.push({ from, to: other.from });
    from = other.to;
  }
  gaps.push({ from, to: EVERYTHING.to });
  return intersect(some, gaps);
}
