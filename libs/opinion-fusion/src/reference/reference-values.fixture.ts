/**
 * The reading of values and times by the text of the reasoning model §3 and §11, for the reference that the
 * engine is held to.
 */

/** An exact decimal: digits × 10^exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export type ReferenceValue =
  | { readonly form: 'boolean'; readonly truth: boolean }
  /** `iso` is complete, in UTC; `precision` counts the characters of it that were given: 4, 7, 10 or 24. */
  | { readonly form: 'date'; readonly iso: string; readonly precision: number; readonly unit: string }
  /** `about` is the year that the number, said to be inexact, may be. */
  | { readonly form: 'number'; readonly amount: Decimal; readonly unit: string; readonly about?: string }
  | { readonly form: 'text'; readonly text: string };

const DATE = /^[12]\d{3}(-\d\d(-\d\d)?)?$/;
const RFC_3339 = /^[12]\d{3}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/;
const ROUGHLY = ['~', 'about ', 'approx.', 'circa ', 'ca.', 'c.', 'around '];
/** Spellings of currencies, each list led by the code. */
const CURRENCIES = [
  ['usd', 'us$', '$'],
  ['eur', '€'],
  ['gbp', '£'],
  ['cad', 'ca$'],
  ['jpy', '¥'],
];
/** Spellings of units, each list led by its name. */
const UNITS = [
  ['kilometre', 'km', 'kilometres'],
  ['kilogram', 'kg', 'kilograms'],
  ['second', 's', 'sec', 'seconds'],
  ['%', 'percent'],
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ZEROS = [
  ['k', 'thousand'],
  ['m', 'mn', 'million'],
  ['b', 'bn', 'billion'],
  ['t', 'tn', 'trillion'],
];

/**
 * What a text has taken from its beginning or end: the first of the lists with a spelling there, and the
 * rest.
 */
function peeled(text: string, lists: readonly (readonly string[])[], where: 'start' | 'end') {
  const spellings = lists
    .flatMap((list, index) => list.map((spelling) => ({ spelling, index })))
    .toSorted((a, b) => b.spelling.length - a.spelling.length);
  for (const { spelling, index } of spellings) {
    if (where === 'start' && text.startsWith(spelling))
      return { index, rest: text.slice(spelling.length).trim() };
    if (where === 'end' && text.endsWith(spelling)) {
      const rest = text.slice(0, text.length - spelling.length);
      // A word ends where it ends: `km` is no `k` before an `m`.
      if (!/\p{L}$/u.test(rest) || !/^\p{L}/u.test(spelling)) return { index, rest: rest.trim() };
    }
  }
  return { index: -1, rest: text };
}

/** `2024-05-17` for `17 May 2024` and `May 17, 2024`. */
function dateInWords(text: string): string | null {
  const words = text.replace(',', ' ').split(' ').filter(Boolean);
  const month = words.findIndex((word) => MONTHS.some((name) => word.startsWith(name)));
  if (words.length !== 3 || month < 0 || month > 1) return null;
  const number = MONTHS.findIndex((name) => words[month]!.startsWith(name)) + 1;
  const iso = [words[2]!, String(number).padStart(2, '0'), words[1 - month]!.padStart(2, '0')].join('-');
  return DATE.test(iso) && isDay(iso) ? iso : null;
}

export function readValue(written: string): ReferenceValue {
  const text = written.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
  if (['true', 'yes', 'y'].includes(text)) return { form: 'boolean', truth: true };
  if (['false', 'no', 'n'].includes(text)) return { form: 'boolean', truth: false };
  const date = dateInWords(text) ?? text;
  if (DATE.test(date) && isDay(date))
    return { form: 'date', iso: new Date(date).toISOString(), precision: date.length, unit: '' };
  if (RFC_3339.test(text) && isDay(text.slice(0, 10)))
    return { form: 'date', iso: new Date(text.toUpperCase()).toISOString(), precision: 24, unit: '' };
  return readNumber(text) ?? { form: 'text', text };
}

function readNumber(text: string): ReferenceValue | null {
  const exactly = ROUGHLY.find((word) => text.startsWith(word)) ?? '';
  let rest = text.slice(exactly.length).trim();
  const sign = /^[+-]/.exec(rest)?.[0] ?? '';
  const before = peeled(rest.slice(sign.length), CURRENCIES, 'start');
  const after = peeled(before.rest, CURRENCIES, 'end');
  if (before.index >= 0 && after.index >= 0 && before.index !== after.index) return null;
  const currency = CURRENCIES[Math.max(before.index, after.index)]?.[0]?.toUpperCase() ?? '';
  const unit = peeled(after.rest, UNITS, 'end');
  const suffix = peeled(unit.rest, ZEROS, 'end');
  rest = suffix.rest;
  const digits = /^(?<whole>[1-9]\d{0,2}(,\d{3})+|\d+)(\.(?<fraction>\d+))?$/.exec(rest)?.groups;
  if (!digits) return null;
  const isBare = currency === '' && unit.index < 0 && suffix.index < 0;
  if (isBare && /^0\d\d+$/.test(rest)) return null;
  const fraction = digits['fraction'] ?? '';
  return {
    form: 'number',
    amount: {
      digits: BigInt((sign === '-' ? '-' : '') + digits['whole']!.replaceAll(',', '') + fraction),
      exponent: 3 * (suffix.index + 1) - fraction.length,
    },
    unit: [currency, UNITS[unit.index]?.[0] ?? ''].filter(Boolean).join(' '),
    ...(exactly !== '' && /^[12]\d{3}$/.test(text.slice(exactly.length).trim()) && { about: rest }),
  };
}

/** The day that eight digits name, as YYYY-MM-DD; null where they name none. */
export function eightDigits(written: string): string | null {
  const day = /^\s*(\d{4})(\d\d)(\d\d)\s*$/.exec(written)?.slice(1).join('-') ?? '';
  return DATE.test(day) && isDay(day) ? day : null;
}

/** Whether the value takes a unit of its question: a number without one, a bare year. */
export const lacksUnit = (value: ReferenceValue) =>
  (value.form === 'number' && value.unit === '') || (value.form === 'date' && value.precision === 4);

/** Whether YYYY, YYYY-MM or YYYY-MM-DD names a day of the calendar. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Two amounts as whole numbers on one scale. */
function onOneScale(x: Decimal, y: Decimal): [bigint, bigint] {
  const least = Math.min(x.exponent, y.exponent);
  const scaled = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent - least);
  return [scaled(x), scaled(y)];
}

/** The double nearest to a decimal. */
export const toDouble = ({ digits, exponent }: Decimal) => Number(`${digits}e${exponent}`);

/** A bare year, where it is compared with a number. */
export function asNumber(value: ReferenceValue): ReferenceValue {
  if (value.form !== 'date' || value.precision !== 4) return value;
  return { form: 'number', amount: { digits: BigInt(value.iso.slice(0, 4)), exponent: 0 }, unit: value.unit };
}

export function valuesAgree(first: ReferenceValue, second: ReferenceValue): boolean {
  const x = second.form === 'number' ? asNumber(first) : first;
  const y = first.form === 'number' ? asNumber(second) : second;
  if (x.form === 'boolean' && y.form === 'boolean') return x.truth === y.truth;
  if (x.form === 'date' && y.form === 'date') {
    const precision = Math.min(x.precision, y.precision);
    return x.iso.slice(0, precision) === y.iso.slice(0, precision);
  }
  if (x.form === 'number' && y.form === 'number') {
    const [a, b] = onOneScale(x.amount, y.amount);
    const size = (n: bigint) => (n < 0n ? -n : n);
    const larger = size(a) > size(b) ? size(a) : size(b);
    if (x.unit !== y.unit) return false;
    const areYears = x.unit === '' && isYear(first) && isYear(second);
    return areYears ? size(a - b) <= 5n : 20n * size(a - b) <= larger;
  }
  if (x.form === 'date' && y.form === 'number') return isOfYear(x, y);
  if (x.form === 'number' && y.form === 'date') return isOfYear(y, x);
  return x.form === 'text' && y.form === 'text' && x.text === y.text;
}

/** Whether a value is a year, exact or said to be inexact. */
const isYear = (value: ReferenceValue) =>
  value.form === 'date' ? value.precision === 4 : value.form === 'number' && value.about !== undefined;

/** Whether a day, month or instant is of a year that was said to be inexact. */
function isOfYear(date: ReferenceValue, number: ReferenceValue): boolean {
  if (date.form !== 'date' || number.form !== 'number' || number.unit !== '') return false;
  return date.precision > 4 && number.about === date.iso.slice(0, 4);
}

/** The equality that makes duplicates: by parsed form, a bare year being a number, too. */
export const valuesRepeat = (x: ReferenceValue, y: ReferenceValue) => valuesSame(asNumber(x), asNumber(y));

/** Equality by parsed form, near values apart. */
export function valuesSame(x: ReferenceValue, y: ReferenceValue): boolean {
  if (x.form === 'number' && y.form === 'number') {
    const [a, b] = onOneScale(x.amount, y.amount);
    return x.unit === y.unit && a === b;
  }
  if (x.form === 'date' && y.form === 'date') return x.iso === y.iso && x.precision === y.precision;
  return x.form === y.form && valuesAgree(x, y);
}

/** Milliseconds of a timestamp or of the first instant of an ISO 8601 date; a time without zone is UTC. */
export function instant(written: string): number {
  return Date.parse(/T.*\d$/.test(written) && !/T.*[+-]\d\d:\d\d$/.test(written) ? `${written}Z` : written);
}
