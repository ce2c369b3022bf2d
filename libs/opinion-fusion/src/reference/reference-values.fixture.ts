/** The reading of values and times by the text of the reasoning model §3, for the reference that the engine is held to. */

/** An exact decimal: digits × 10^exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export type ReferenceValue =
  | { readonly form: 'boolean'; readonly truth: boolean }
  /** `iso` is complete, in UTC; `precision` counts the characters of it that were given: 4, 7, 10 or 24. */
  | { readonly form: 'date'; readonly iso: string; readonly precision: number }
  | { readonly form: 'number'; readonly amount: Decimal; readonly unit: string }
  | { readonly form: 'text'; readonly text: string };

const DATE = /^[12]\d{3}(-\d\d(-\d\d)?)?$/;
const RFC_3339 = /^[12]\d{3}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/;
const NUMBER =
  /^(?<sign>[+-])?(?<currency>\p{Sc})?(?<whole>[1-9]\d{0,2}(,\d{3})+|\d+)(\.(?<fraction>\d+))?( ?(?<suffix>k|m|b|t|thousand|million|billion|trillion)(?!\p{L}))?( ?(?<percent>%))?( ?(?<word>\p{L}+))?$/u;
const ZEROS: Readonly<Record<string, number>> = {
  k: 3,
  thousand: 3,
  m: 6,
  million: 6,
  b: 9,
  billion: 9,
  t: 12,
  trillion: 12,
};

export function readValue(written: string): ReferenceValue {
  const text = written.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
  if (['true', 'yes', 'y'].includes(text)) return { form: 'boolean', truth: true };
  if (['false', 'no', 'n'].includes(text)) return { form: 'boolean', truth: false };
  if (DATE.test(text) && isDay(text))
    return { form: 'date', iso: new Date(text).toISOString(), precision: text.length };
  if (RFC_3339.test(text) && isDay(text.slice(0, 10)))
    return { form: 'date', iso: new Date(text.toUpperCase()).toISOString(), precision: 24 };
  const parts = NUMBER.exec(text)?.groups;
  if (!parts) return { form: 'text', text };
  const fraction = parts['fraction'] ?? '';
  const digits = BigInt((parts['sign'] === '-' ? '-' : '') + parts['whole']!.replaceAll(',', '') + fraction);
  const exponent = (ZEROS[parts['suffix'] ?? ''] ?? 0) - fraction.length;
  const unit = [parts['currency'], parts['percent'], parts['word']].map((part) => part ?? '').join('|');
  return { form: 'number', amount: { digits, exponent }, unit };
}

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

/** A bare year, where it is compared with a number. */
function asNumber(value: ReferenceValue): ReferenceValue {
  if (value.form !== 'date' || value.precision !== 4) return value;
  return { form: 'number', amount: { digits: BigInt(value.iso.slice(0, 4)), exponent: 0 }, unit: '||' };
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
    return x.unit === y.unit && 20n * size(a - b) <= larger;
  }
  return x.form === 'text' && y.form === 'text' && x.text === y.text;
}

/** The equality that makes duplicates: by parsed form, near values apart. */
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
