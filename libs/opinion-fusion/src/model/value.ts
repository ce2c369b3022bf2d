import { NUMERIC_TOLERANCE, ROUGH_YEAR_TOLERANCE } from '../contract/constants.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { parseTime } from '../contract/timestamp.ts';
import { CURRENCY_LETTERS, currencyBefore, currencyOf, isNameBeforeNumbers } from './currencies.ts';
import { ratesOf } from './rates.ts';
import { ERAS, isOfKind, isUnitOfWords, MONTHS, SUFFIXES, unitOf } from './units.ts';

/**
 * A claim's value, read once. `key` is equal for two values of the same parsed form (yes = true, 100M =
 * 0.1B); near values have different keys and may still agree. The unit is that of a number, '' where it has
 * none; a bare year has the unit that it takes where it is compared with numbers. A number has a year where
 * it is one, said to be inexact (`circa 1900`): it agrees with numbers, with years few years from it and with
 * the dates of that year. A year with its era is a number of that unit, and agrees with its neighbors only
 * where one of them is inexact.
 */
export type Value =
  | { readonly kind: 'boolean'; readonly key: string; readonly truth: boolean }
  | { readonly kind: 'date'; readonly key: string; readonly year: number | null; readonly unit: string }
  | {
      readonly kind: 'number';
      readonly key: string;
      readonly amount: number;
      readonly unit: string;
      readonly year: number | null;
    }
  | { readonly kind: 'text'; readonly key: string };

const WORDS = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['false', false],
  ['no', false],
  ['n', false],
]);

/** Says that a number is not exact; the number is read as it stands. Reasoning model §11. */
const APPROXIMATELY =
  /^(?:[~≈] ?|(?:approx|ca|c)\. ?|(?:about|approx|approximately|around|roughly|circa|ca) )/u;
/** `U.S. dollars`, `U.S.$5`, and the space of `US $5`. */
const OF_THE_US = /\bu\.s\.?(?=[ $])/;
const SPACED_US_SIGN = /\bus (?=\$)/;
const ROUGH_YEAR = /^[12]\d{3}$/;
/**
 * sign, currency sign or code, sign, digits with separators, decimals, then the tail of suffix, percent and
 * unit. No thousands begin with 0: what is parted from it are decimals.
 */
const NUMBER = new RegExp(
  String.raw`^([+\-\u2212]?)(\p{L}{0,3}\p{Sc}|(?:${CURRENCY_LETTERS})\.?(?= ?[+\-\u2212]?\.?\d)|\p{L}{3}|) ?([+\-\u2212]?)` +
    String.raw`([1-9]\d{0,2}(?:([, '\u2019])\d{3}(?:\5\d{3})*)|\d+)?(?:\.(\d+))?(.*)$`,
  'u',
);
/** `aged 62`. */
const AGED = /^aged (\d{1,3})$/;
/** `62-year-old`. */
const HYPHENATED_AGE = /^-(\p{L}+)-old$/u;
/** Units of more than one word, whatever the words are. */
const UNITS_OF_WORDS = [
  String.raw`(?:sq\.?|square|cu\.?|cubic) \p{L}+`,
  String.raw`metric tons?|metric tonnes?|nautical miles?|light[- ]years?|\p{L}*watt[- ]hours?`,
  String.raw`(?:deg\.?|degrees?|°) ?(?:c|celsius|f|fahrenheit)(?!\p{L})`,
  'percentage points?|basis points?|y\\.o\\.|y/o',
].join('|');
const SUFFIX = [...SUFFIXES.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace('.', String.raw`\.`))
  .join('|');
const TAIL = new RegExp(
  `^(?: ?(${SUFFIX})(?![\\p{L}\\p{M}]))?` +
    String.raw` ?(%|(?:percent|per cent|pct)(?![\p{L}\p{M}]))? ?(\p{L}{0,3}\p{Sc}|` +
    UNITS_OF_WORDS +
    // `Australian dollars` and `barrels of oil`, which a table has to know.
    String.raw`|\p{L}+(?: \p{L}[\p{L}\p{N}]*){1,4}` +
    String.raw`|[\p{L}°µ][\p{L}\p{M}\p{N}°µ/^·*]*)?$`,
  'u',
);
const EXPONENT = /^ ?e\d/;
/**
 * `17 may 2024`, `17th of may, 2024`; `may 17, 2024`; `may 2024`. Longer names come first, lest one be read
 * as its beginning.
 */
const MONTH = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|');
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?`;
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
/** A day of the week has to fit the date, else the whole is text. */
const WEEKDAY = String.raw`(?:(${DAYS.join('|')}),? )?(?:the )?`;
const DAY_FIRST = new RegExp(`^${WEEKDAY}${DAY} (?:of )?(${MONTH})\\.?,? ([12]\\d{3})$`);
const MONTH_FIRST = new RegExp(`^${WEEKDAY}(${MONTH})\\.? (?:${DAY},? |, ?)?([12]\\d{3})$`);
/** Beyond this many characters a value is text: no number or date is that long. */
const PARSED_LENGTH_MAX = 128;

/**
 * The normal form: NFKC, trimmed, lower case by Unicode's locale-free mapping, runs of white space as one
 * space.
 */
export function normalise(text: string): string {
  const folded = ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase();
  return SPACED.test(folded) ? folded.trim().replace(/\s+/gu, ' ') : folded;
}
/** NFKC leaves these characters unchanged. */
const ASCII = /^[ -~]*$/;
/** White space that is not one space between words. */
const SPACED = /^\s|\s$|\s\s|[^\S ]/u;

/**
 * Reads a value: boolean, date, number, else text, tried in this order. A value too long or too large to be a
 * finite number is text. Source: reasoning model §3 and §11. Never throws.
 */
export function parseValue(raw: string): Value {
  const text = normalise(raw);
  if (text.length <= PARSED_LENGTH_MAX) {
    const truth = WORDS.get(text);
    if (truth !== undefined) return { kind: 'boolean', key: `b:${truth}`, truth };
    const isDigits = DIGIT.test(text) && !RAISED.test(raw);
    const read = isDigits ? (parseDate(text) ?? parseNumber(text, raw)) : null;
    if (read) return read;
  }
  return { kind: 'text', key: `t:${text}` };
}
const DIGIT = /\d/;
/** A power, base or footnote behind a digit (`10⁶`, `42¹`), which NFKC makes a digit of the number itself. */
const RAISED = /[\d⁻]\s*[⁻²³¹⁰⁴-⁹₀-₉]/u;

/**
 * Dates of the years 1000–2999 by precision; the key is the written prefix in UTC, so that prefix means
 * precision.
 */
function parseDate(text: string): Value | null {
  const date = withMonthAsNumber(text) ?? text;
  const first = date.charCodeAt(0);
  if (first !== 0x31 && first !== 0x32) return null;
  const time = parseTime(date);
  if (!time || (time.precision === 'instant' && !time.isRfc3339)) return null;
  if (time.precision === 'instant') {
    const iso = new Date(time.ms).toISOString();
    const year = Number(iso.slice(0, 4));
    return year >= 1000 && year <= 2999 ? { kind: 'date', key: `d:${iso}`, year: null, unit: '' } : null;
  }
  return { kind: 'date', key: `d:${date}`, year: time.precision === 'year' ? Number(date) : null, unit: '' };
}

/**
 * `2024-05-17` for a date whose month is a word, `2024-05` where it names no day; null for any other text.
 */
function withMonthAsNumber(text: string): string | null {
  const dayFirst = DAY_FIRST.exec(text);
  const monthFirst = dayFirst ? null : MONTH_FIRST.exec(text);
  const [weekday, month, day, year] = dayFirst
    ? [dayFirst[1], dayFirst[3], dayFirst[2], dayFirst[4]]
    : [monthFirst?.[1], monthFirst?.[2], monthFirst?.[3], monthFirst?.[4]];
  if (month === undefined) return null;
  const parts = [year!, String(MONTHS.get(month)), ...(day === undefined ? [] : [day])];
  const date = parts.map((part) => part.padStart(2, '0')).join('-');
  const fits = weekday === undefined || (day !== undefined && DAYS[new Date(date).getUTCDay()] === weekday);
  return fits ? date : null;
}

/**
 * Numbers: optional word of approximation, sign, currency before or after, thousands separators, decimal
 * point, a lone suffix, percent, one unit word. The suffix shifts the decimal point before the text becomes a
 * double, so 1.1M is exactly 1,100,000. Exponents, ranges, decimal commas, amounts in two currencies,
 * decades, ordinals, days of a month and bare digits that begin with zeros are text. The value as written
 * tells currency codes from words.
 */
function parseNumber(text: string, raw: string): Value | null {
  if (NO_QUANTITY.test(text)) return null;
  const exact = text
    .replace(APPROXIMATELY, '')
    .replace(OF_THE_US, 'us')
    .replace(SPACED_US_SIGN, 'us')
    .replace(AGED, '$1 years');
  const match = NUMBER.exec(exact);
  if (!match) return null;
  const [, sign1 = '', lead = '', sign2 = '', whole = '', separator, decimals = '', tail = ''] = match;
  const before = lead.endsWith('.') ? lead.slice(0, -1) : lead;
  if ((whole === '' && decimals === '') || (sign1 !== '' && sign2 !== '')) return null;
  if (EXPONENT.test(tail)) return null;
  const written = raw.normalize('NFKC').trim().replace(/\s+/gu, ' ');
  const aged = tail.replace(HYPHENATED_AGE, ' $1 old');
  const inCase = aged === tail ? written.slice(-tail.length) : aged;
  const { rest: counted, per } = ratesOf(aged, tail === '' ? '' : inCase, before !== '');
  const rest = TAIL.exec(counted);
  if (!rest) return null;
  const isMillions = rest[1] === undefined && rest[3] === 'mm' && before !== '';
  const [found, percent, named = ''] = isMillions ? ['million', rest[2], ''] : rest.slice(1);
  const letter =
    per.length > 0 && before === '' && percent === undefined && named === ''
      ? unitLetterOfRate(inCase.slice(0, counted.length).trim(), per)
      : null;
  const [suffix, after] = letter === null ? [found, named] : [undefined, letter];
  // Of two multipliers nobody says which one is a unit.
  if (suffix !== undefined && after.length > 1 && SUFFIXES.has(after)) return null;
  const isAmount = separator !== undefined || suffix !== undefined || decimals.length === 2;
  if (isNameBeforeNumbers(before) && !isAmount) return null;
  const amountUnit = unitWritten(before, percent === undefined ? '' : '%', after, {
    raw,
    written: letter ?? inCase.slice(0, counted.length),
  });
  if (amountUnit === null) return null;
  const unit = ratio(amountUnit, per);
  const digits = separator === undefined ? whole : whole.replaceAll(separator, '');
  if (unit === '' && suffix === undefined && decimals === '' && PADDED.test(digits)) return null;
  const { times, power } = SUFFIXES.get(suffix ?? '') ?? { times: 1, power: 0 };
  const magnitude = times * Number(`${digits || '0'}.${decimals || '0'}e${power}`);
  if (!Number.isFinite(magnitude)) return null;
  const negative = sign1 + sign2 !== '' && sign1 + sign2 !== '+';
  const amount = magnitude === 0 ? 0 : negative ? -magnitude : magnitude;
  const isYear = ERAS.has(unit) || ROUGH_YEAR.test(exact);
  const year = exact !== text && isYear ? amount : null;
  return { kind: 'number', key: numberKey(amount, unit, year), amount, unit, year };
}

/**
 * Letters after a number that are a unit and no multiplier where a rate follows and no currency says that
 * money is meant: `5 m per second`, `5 t/ha`, `0.2 K per decade`. Null for all others.
 */
function unitLetterOfRate(letter: string, per: readonly string[]): string | null {
  const isCount = per.some((name) => COUNTED_BY.has(name));
  if (letter === 'm' && !isCount && !per.some((name) => COUNTED_FOR.has(name))) return 'metre';
  if (letter === 't') return 'tonne';
  if (letter === 'K' && !isCount) return 'kelvin';
  if (/^[bB]$/.test(letter) && per.includes('second')) return letter === 'b' ? 'bit' : 'byte';
  return null;
}
/** Times that people count things by; what changes by a second or a century is a temperature. */
const COUNTED_BY = new Set('day week month quarter year'.split(' '));
/** Whom people count things for. */
const COUNTED_FOR = new Set('person household night fortnight'.split(' '));

/** The name of a unit and of what it is per; speeds have names of their own. */
function ratio(unit: string, per: readonly string[]): string {
  const name = [unit, ...per].join('/');
  return name === 'kilometre/hour' ? 'km/h' : name === 'mile/hour' ? 'mile/h' : name;
}

/** Quantities are not filled up with zeros; postcodes and serial numbers are (`02139`, `007`). */
const PADDED = /^0\d\d/;

const numberKey = (amount: number, unit: string, year: number | null) =>
  `n:${year === null ? '' : '~'}${amount} ${unit}`;

/** The key of a rough year without a unit, which the dates of that year agree with. */
export const roughYearKey = (year: string) => `n:~${year} `;

/** `1980s`, `24th`, `5 may`, `10.15am`: neither a quantity nor near to the next one. */
const NO_QUANTITY = new RegExp(
  `^(?:[12]\\d\\d0['’]?s|\\d+ ?(?:st|nd|rd|th|(?:${MONTH})\\.?)|\\d{1,2}(?:[.:]\\d\\d)? ?[ap]m)$`,
  'u',
);

/**
 * The unit of a number by what stands before and after it; null where that is not a unit: letters before it,
 * two currencies, several words that no table has. `raw` is the value as written, `written` the part of it
 * that ends in what stands after.
 */
function unitWritten(
  before: string,
  percent: string,
  after: string,
  { raw, written }: { readonly raw: string; readonly written: string },
): string | null {
  const currencyIn = (word: string) => {
    const isCapital = /^\p{L}{3}$/u.test(word) && raw.normalize('NFKC').includes(word.toUpperCase());
    return currencyOf(word, isCapital) ?? (LONE_SIGN.test(word) ? word : null);
  };
  const currency = before === '' ? null : (currencyIn(before) ?? currencyBefore(before, raw));
  if (before !== '' && currency === null) return null;
  const trailing = after === '' ? null : currencyIn(after);
  // Letters with a sign of which no currency is known.
  if (trailing === null && SIGNED.test(after)) return null;
  if (currency !== null && trailing !== null && currency !== trailing) return null;
  const word = trailing === null && after !== '' ? unitOf(after, written.slice(-after.length)) : '';
  if (word !== '' && after.includes(' ') && !IS_UNIT_OF_WORDS.test(after) && !isUnitOfWords(after))
    return null;
  return [currency ?? trailing ?? '', percent, word].filter((part) => part !== '').join(' ');
}
const IS_UNIT_OF_WORDS = new RegExp(`^(?:${UNITS_OF_WORDS})$`, 'u');
/** A currency sign that the table lacks is a currency of its own. */
const LONE_SIGN = /^\p{Sc}$/u;
const SIGNED = /\p{Sc}$/u;

/** A number or bare year without a unit, which takes the unit of its question if there is one. */
export function isWithoutUnit(value: Value): boolean {
  return value.kind === 'number' ? value.unit === '' : value.kind === 'date' && value.year !== null;
}

/** The same number with a unit; a bare year with one is a number, because years have no unit. */
export function withUnit(value: Value, unit: string): Value {
  if (value.kind === 'number') return { ...value, key: numberKey(value.amount, unit, value.year), unit };
  if (value.kind !== 'date' || value.year === null || unit === '') return value;
  return { kind: 'number', key: numberKey(value.year, unit, null), amount: value.year, unit, year: null };
}

/** Letters that are suffixes and that people also write for a unit, beside units of these. */
const UNIT_LETTERS = [
  { letter: /\d ?m\s*$/, written: ' metres', isBeside: (unit: string) => isOfKind(unit, 'length') },
  { letter: /\d ?m\s*$/, written: ' minutes', isBeside: (unit: string) => TIMES_OF_MINUTES.has(unit) },
  { letter: /\d ?t\s*$/, written: ' tonnes', isBeside: (unit: string) => isOfKind(unit, 'mass') },
  { letter: /\d ?K\s*$/, written: ' kelvins', isBeside: (unit: string) => isOfKind(unit, 'temperature') },
] as const;
/** Beside days and weeks an `m` may be a month. */
const TIMES_OF_MINUTES = new Set('second minute hour'.split(' '));

/**
 * What a text ending in a small `m` or `t` or a large `K` means among numbers of a unit: metres where they
 * are lengths, minutes where they are hours, minutes or seconds, tonnes where they are masses, kelvins where
 * they are temperatures; null for every other text and unit.
 */
export function asUnitLetter(raw: string, unit: string): Value | null {
  const meant = UNIT_LETTERS.find((one) => one.isBeside(unit) && one.letter.test(raw));
  return meant ? parseValue(raw.trimEnd().slice(0, -1).trimEnd() + meant.written) : null;
}

/** Whether a text ends in a letter that is a unit among numbers of that kind. */
export const endsInUnitLetter = (raw: string): boolean => UNIT_LETTERS.some(({ letter }) => letter.test(raw));

/**
 * Equal for two values that repeat each other: equal keys, or a bare year and the number it is. Reasoning
 * model §11.
 */
export function repeatKey(value: Value): string {
  if (value.kind === 'number') return numberKey(value.amount, value.unit, null);
  return value.kind === 'date' && value.year !== null ? numberKey(value.year, value.unit, null) : value.key;
}

/**
 * True when two values say the same: equal forms; dates of which one is the other's prefix by precision;
 * numbers of the same unit with |x − y| ≤ 0.05·max(|x|, |y|); a bare year and a number compare as numbers, a
 * rough year and a longer date as dates; of two other years one has to be rough, and few years lie between
 * them. Near-agreement is not transitive. Source: rule 5; reasoning model §3; ADR 0064.
 */
export function valuesAgree(a: Value, b: Value): boolean {
  if (a.key === b.key) return true;
  if (a.kind === 'number' && b.kind === 'number')
    return (
      a.unit === b.unit &&
      !(isExactYear(a) && isExactYear(b)) &&
      near(a.amount, b.amount, isYear(a) && isYear(b))
    );
  if (a.kind === 'date' && b.kind === 'date') return datePrefix(a.key, b.key) || datePrefix(b.key, a.key);
  if (a.kind === 'date' && b.kind === 'number') return dateIsNumber(a, b);
  if (a.kind === 'number' && b.kind === 'date') return dateIsNumber(b, a);
  return false;
}

/** Whether a number is a year of an era that is not said to be inexact: such years differ as dates do. */
function isExactYear(value: Value): boolean {
  return value.kind === 'number' && ERAS.has(value.unit) && value.year === null;
}

/** Whether a value is a year, said to be inexact or not. */
export const isYear = (value: Value): boolean =>
  (value.kind === 'date' && value.year !== null) || isExactYear(value) || isRoughYear(value);

/** Whether a value is a year that is said to be inexact; a number with another unit is none. */
export function isRoughYear(value: Value): boolean {
  return value.kind === 'number' && value.year !== null && (value.unit === '' || ERAS.has(value.unit));
}

/** Whether a date says more exactly what another, or a rough year, says: a day of a month or a year. Pure. */
export function isFiner(value: Value, other: Value): boolean {
  if (value.kind !== 'date') return false;
  if (other.kind === 'date') return datePrefix(other.key, value.key);
  return value.year === null && valuesAgree(value, other);
}

function dateIsNumber(
  date: Extract<Value, { kind: 'date' }>,
  number: Extract<Value, { kind: 'number' }>,
): boolean {
  if (date.year !== null)
    return date.unit === number.unit && near(date.year, number.amount, isRoughYear(number));
  return number.year !== null && number.unit === '' && date.key.startsWith(`d:${number.year}-`);
}

function near(x: number, y: number, areYears: boolean): boolean {
  if (areYears) return Math.abs(x - y) <= ROUGH_YEAR_TOLERANCE;
  const largest = Math.max(Math.abs(x), Math.abs(y));
  return roundForComparison(Math.abs(x - y) / largest) <= NUMERIC_TOLERANCE || x === y;
}

/** `YYYY` of `YYYY-MM`, `YYYY-MM` of `YYYY-MM-DD`, `YYYY-MM-DD` of an instant. */
function datePrefix(short: string, long: string): boolean {
  return short.length < long.length && short.length <= 'd:YYYY-MM-DD'.length && long.startsWith(short);
}
