import { IndexedText } from './indexed-text.ts';
import { widened } from './whole-words.ts';

/**
 * A passage by its words, and optionally by its position in Unicode code points and by what stands before and
 * after it. Source: W3C Web Annotation Data Model §4.2.4 and §4.2.5.
 */
export interface Selector {
  readonly exact: string;
  readonly start?: number | null;
  readonly end?: number | null;
  readonly prefix?: string | null;
  readonly suffix?: string | null;
}

/** Characters of context that tell a passage from its lookalikes, where a text has so many. */
const CONTEXT = 32;

/**
 * The selector of what lies between two UTF-16 positions of a well-formed text, as selections of browsers
 * give them. Halves of surrogate pairs, words and numbers are rounded to whole ones. Null for an empty
 * passage.
 */
export function selectPassage(
  text: string | IndexedText,
  from: number,
  to: number,
): Required<{ [K in keyof Selector]: NonNullable<Selector[K]> }> | null {
  const indexed = typeof text === 'string' ? new IndexedText(text) : text;
  const whole = indexed.text;
  const first = outside(whole, Math.max(0, from), -1);
  const last = outside(whole, Math.min(whole.length, to), 1);
  if (first >= last) return null;
  const [begin, end] = widened(whole, first, last);
  return {
    start: indexed.pointsAt(begin),
    end: indexed.pointsAt(end),
    exact: whole.slice(begin, end),
    prefix: whole.slice(outside(whole, Math.max(0, begin - CONTEXT), 1), begin),
    suffix: whole.slice(end, outside(whole, Math.min(whole.length, end + CONTEXT), -1)),
  };
}

/**
 * The selectors of at most `max` places of a text, in their order, rounded as `selectPassage` does. Places
 * that follow each other within the same words, as “an” has two in “banana”, have one selector.
 */
export function selectPassages(
  text: IndexedText,
  places: Iterable<readonly [from: number, to: number]>,
  max: number,
): NonNullable<ReturnType<typeof selectPassage>>[] {
  const passages: NonNullable<ReturnType<typeof selectPassage>>[] = [];
  for (const [from, to] of places) {
    if (passages.length === max) break;
    const passage = selectPassage(text, from, to)!;
    const last = passages.at(-1);
    if (passage.start !== last?.start || passage.end !== last.end) passages.push(passage);
  }
  return passages;
}

/** The position itself, or, inside a surrogate pair, the next in a direction. */
function outside(text: string, at: number, direction: -1 | 1): number {
  const isInside =
    at > 0 &&
    at < text.length &&
    text.codePointAt(at - 1)! > 0xffff &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isInside ? at + direction : at;
}
