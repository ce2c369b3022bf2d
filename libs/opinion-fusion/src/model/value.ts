import { NUMERIC_TOLERANCE } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { parseTime } from '../contract/timestamp.ts';

/**
 * A claim's value, read once. `key` is equal for two values of the same parsed form (yes = true, 100M = 0.1B);
 * near values have different keys and may still agree.
 */
export type Value =
  | { readonly kind: 'boolean'; readonly key: string; readonly truth: boolean }
  | { readonly kind: 'date'; readonly key: string; readonly year: number | null }
  | { readonly kind: 'number'; readonly key: string; readonly amount: number; readonly unit: string }
  | { readonly kind: 'text'; readonly key: string };

const WORDS = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['false', false],
  ['no', false],
  ['n', false],
]);

/** Powers of ten of the suffixes. Rule 5; reasoning model §3. */
const SUFFIXES = new Map([
  ['k', 3],
  ['thousand', 3],
  ['m', 6],
  ['million', 6],
  ['b', 9],
  ['billion', 9],
  ['t', 12],
  ['trillion', 12],
]);

/**
 * sign, currency sign, sign, digits with separators, decimals, then the tail of suffix, percent and unit. No thousands begin
 * with 0: what is parted from it are decimals.
 */
const NUMBER =
  /^([+\-\u2212]?)(\p{Sc}?) ?([+\-\u2212]?)([1-9]\d{0,2}(?:([, '\u2019])\d{3}(?:\5\d{3})*)|\d+)?(?:\.(\d+))?(.*)$/u;
const TAIL =
  /^(?: ?(k|m|b|t|thousand|million|billion|trillion)(?![\p{L}\p{M}]))? ?(%|percent(?![\p{L}\p{M}]))? ?(\p{Sc}|[\p{L}°µ][\p{L}\p{M}\p{N}°µ/^·*]*)?$/u;
const EXPONENT = /^ ?e\d/;
/** Beyond this many characters a value is text: no number or date is that long. */
const PARSED_LENGTH_MAX = 128;

/** The normal form: NFKC, trimmed, lower case by Unicode's locale-free mapping, runs of white space as one space. */
export function normalise(text: string): string {
  const folded = ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase();
  return SPACED.test(folded) ? folded.trim().replace(/\s+/gu, ' ') : folded;
}
/** NFKC changes nothing in it. */
const ASCII = /^[ -~]*$/;
/** White space that is not one space between words. */
const SPACED = /^\s|\s$|\s\s|[^\S ]/u;

/**
 * Reads a value: boolean, date, number, else text, tried in this order. A value too long or too large to be a finite
 * number is text. Source: reasoning model §3. Never throws.
 */
export function parseValue(raw: string): Value {
  const text = normalise(raw);
  if (text.length <= PARSED_LENGTH_MAX) {
    const truth = WORDS.get(text);
    if (truth !== undefined) return { kind: 'boolean', key: `b:${truth}`, truth };
    const first = text.charCodeAt(0);
    // No date or number begins with a letter a to z.
    if (first >= 97 && first <= 122) return { kind: 'text', key: `t:${text}` };
    if (first >= 49 && first <= 50) {
      const date = parseDate(text);
      if (date) return date;
    }
    const number = parseNumber(text);
    if (number) return number;
  }
  return { kind: 'text', key: `t:${text}` };
}

/** Dates of the years 1000–2999 by precision; the key is the written prefix in UTC, so that prefix means precision. */
function parseDate(text: string): Value | null {
  const time = parseTime(text);
  if (!time || (time.precision === 'instant' && !time.isRfc3339)) return null;
  if (time.precision === 'instant') {
    const iso = new Date(time.ms).toISOString();
    const year = Number(iso.slice(0, 4));
    return year >= 1000 && year <= 2999 ? { kind: 'date', key: `d:${iso}`, year: null } : null;
  }
  return { kind: 'date', key: `d:${text}`, year: time.precision === 'year' ? Number(text) : null };
}

/**
 * Numbers: optional sign, currency sign, thousands separators, decimal point, a lone suffix, percent, one unit word.
 * The suffix shifts the decimal point before the text becomes a double, so 1.1M is exactly 1,100,000.
 * Exponents, ranges and decimal commas are text.
 */
function parseNumber(text: string): Value | null {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const [, sign1 = '', currency = '', sign2 = '', whole = '', separator, decimals = '', tail = ''] = match;
  if ((whole === '' && decimals === '') || (sign1 !== '' && sign2 !== '')) return null;
  if (EXPONENT.test(tail)) return null;
  const rest = TAIL.exec(tail);
  if (!rest) return null;
  const [, suffix, percent, word = ''] = rest;
  const trailingCurrency = word !== '' && /^\p{Sc}$/u.test(word);
  if (trailingCurrency && currency !== '') return null;
  const digits = separator === undefined ? whole : whole.replaceAll(separator, '');
  const magnitude = Number(
    `${digits || '0'}.${decimals || '0'}e${suffix === undefined ? 0 : SUFFIXES.get(suffix)}`,
  );
  if (!Number.isFinite(magnitude)) return null;
  const negative = sign1 + sign2 !== '' && sign1 + sign2 !== '+';
  const amount = magnitude === 0 ? 0 : negative ? -magnitude : magnitude;
  const unit = `${trailingCurrency ? word : currency}${percent === undefined ? '' : '%'}${trailingCurrency ? '' : word}`;
  return { kind: 'number', key: `n:${amount} ${unit}`, amount, unit };
}

/**
 * True when two values say the same: equal forms; dates of which one is the other's prefix by precision; numbers of the
 * same unit with |x − y| ≤ 0.05·max(|x|, |y|); a bare year and a number compare as numbers. Near-agreement is not transitive.
 * Source: rule 5; reasoning model §3.
 */
export function valuesAgree(a: Value, b: Value): boolean {
  if (a.key === b.key) return true;
  if (a.kind === 'number' && b.kind === 'number') return a.unit === b.unit && near(a.amount, b.amount);
  if (a.kind === 'date' && b.kind === 'date') return datePrefix(a.key, b.key) || datePrefix(b.key, a.key);
  if (a.kind === 'date' && b.kind === 'number')
    return a.year !== null && b.unit === '' && near(a.year, b.amount);
  if (a.kind === 'number' && b.kind === 'date')
    return b.year !== null && a.unit === '' && near(a.amount, b.year);
  return false;
}

function near(x: number, y: number): boolean {
  const largest = Math.max(Math.abs(x), Math.abs(y));
  return roundForComparison(Math.abs(x - y) / largest) <= NUMERIC_TOLERANCE || x === y;
}

/** `YYYY` of `YYYY-MM`, `YYYY-MM` of `YYYY-MM-DD`, `YYYY-MM-DD` of an instant. */
function datePrefix(short: string, long: string): boolean {
  return short.length < long.length && short.length <= 'd:YYYY-MM-DD'.length && long.startsWith(short);
}
