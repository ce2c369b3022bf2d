import type { IndexedText } from './indexed-text.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Selector } from './selector.ts';
import { isWhole } from './whole-words.ts';

/** A place at which a text holds the words of a quote. Positions in Unicode code points, `end` behind it. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Share of the quote's prefix and suffix that stands around it, from the quote outward; 0 to 1. */
  readonly agreement: number;
}

/**
 * Where a quote stands in a text:
 * - `verified`: at its position, between its prefix and suffix; without a position, the one place that has
 *   both;
 * - `moved`: its words are there, and not so: `candidates` are the places, the likeliest first, of all
 *   `occurrences`. None of them is chosen;
 * - `gone`: its words are not there; with `cut` its characters are, and begin or end within a word or number.
 */
export type Anchoring =
  | { readonly state: 'verified'; readonly start: number; readonly end: number }
  | { readonly state: 'moved'; readonly occurrences: number; readonly candidates: readonly Candidate[] }
  | { readonly state: 'gone'; readonly cut?: true };

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Candidates that are told, the likeliest first. */
const CANDIDATES_MAX = 5;
/** Occurrences whose context is compared: those nearest to the quote's position, or the first. */
const COMPARED_MAX = 1000;
/** Longest passage that is searched for. UTF-16 code units, as many as borders are counted with. */
const EXACT_MAX = 65_535;

/**
 * Looks for a quote in a text, character by character and never fuzzily: neither case nor white space nor
 * Unicode forms are taken for one another, and a part of a word or number is no quote. Pure and linear in the
 * lengths of text and quote. Throws RangeError for a quote of more than 65,535 UTF-16 code units.
 */
export function anchorQuote(text: IndexedText, selector: Selector): Anchoring {
  const { exact, start = null } = selector;
  if (exact.length > EXACT_MAX) throw new RangeError(`a quote has at most ${EXACT_MAX} UTF-16 code units`);
  if (exact === '' || LONE_SURROGATE.test(exact)) return { state: 'gone' };
  const pinned = start === null ? null : text.unitsAt(start);
  if (
    pinned !== null &&
    text.text.startsWith(exact, pinned) &&
    isWhole(text.text, pinned, pinned + exact.length) &&
    agreementAt(text.text, pinned, selector) === 1
  )
    return { state: 'verified', ...placeOf(text, pinned, exact) };

  const occurrences = occurrencesOf(text.text, exact);
  const found = occurrences.filter((at) => isWhole(text.text, at, at + exact.length));
  if (found.length === 0) return { state: 'gone', ...(occurrences.length > 0 && { cut: true }) };
  const origin = pinned ?? (start === null ? 0 : text.text.length);
  const ranked = nearest(found, origin)
    .map((at) => ({ at, agreement: agreementAt(text.text, at, selector) }))
    .toSorted(
      (a, b) => b.agreement - a.agreement || Math.abs(a.at - origin) - Math.abs(b.at - origin) || a.at - b.at,
    );
  const [best, second] = ranked;
  const isOnly =
    start === null && found.length <= COMPARED_MAX && best!.agreement === 1 && (second?.agreement ?? 0) < 1;
  if (isOnly) return { state: 'verified', ...placeOf(text, best!.at, exact) };
  return {
    state: 'moved',
    occurrences: found.length,
    candidates: ranked
      .slice(0, CANDIDATES_MAX)
      .map(({ at, agreement }) => ({ ...placeOf(text, at, exact), agreement })),
  };
}

function placeOf(
  text: IndexedText,
  at: number,
  exact: string,
): { readonly start: number; readonly end: number } {
  return { start: text.pointsAt(at), end: text.pointsAt(at + exact.length) };
}

/** The positions nearest to one, at most COMPARED_MAX, of a list in order. */
function nearest(found: readonly number[], origin: number): readonly number[] {
  if (found.length <= COMPARED_MAX) return found;
  let from = 0;
  let to = found.length;
  while (to - from > COMPARED_MAX) {
    if (origin - found[from]! > found[to - 1]! - origin) from += 1;
    else to -= 1;
  }
  return found.slice(from, to);
}

/** The share of prefix and suffix that stands around a quote at a position; 1 without either. */
function agreementAt(text: string, at: number, { exact, prefix, suffix }: Selector): number {
  const before = prefix ?? '';
  const after = suffix ?? '';
  const total = before.length + after.length;
  if (total === 0) return 1;
  let same = 0;
  while (same < before.length && same < at) {
    if (text.charCodeAt(at - 1 - same) !== before.charCodeAt(before.length - 1 - same)) break;
    same += 1;
  }
  const end = at + exact.length;
  let following = 0;
  while (following < after.length && end + following < text.length) {
    if (text.charCodeAt(end + following) !== after.charCodeAt(following)) break;
    following += 1;
  }
  return (same + following) / total;
}
