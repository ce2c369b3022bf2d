import type { CellObject } from '@e965/xlsx';

/**
 * What a cell says as text: its stored value, dates as ISO 8601, wherever its format shows neither more nor
 * less than that; else what the sheet shows. So `12 km`, `18:00`, `May 2024` and `00123` come as they are
 * shown, and a number that is only rounded, grouped or a percentage comes whole, to the 15 digits that
 * spreadsheets keep, with its currency where it shows one. Empty for errors. Pure.
 */
export function cellText(cell: CellObject | undefined): string {
  if (cell?.v === undefined || cell.t === 'e') return '';
  const { v: value } = cell;
  const shown = cell.w?.trim() ?? '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value, shown, cell.z);
  if (typeof value !== 'number') return String(value);
  if (shown === '' || PLAIN_NUMBER.test(shown)) return digits(value);
  if (PERCENTAGE.test(shown) && isInHundredths(cell.z)) return `${digits(value * 100)}%`;
  return scaledText(value, shown, cell.z) ?? moneyText(value, shown) ?? shown;
}

/** Whether a cell was read as its sheet shows it, and that has other digits than its number. Pure. */
export function isRounded(cell: CellObject | undefined, text: string): boolean {
  if (typeof cell?.v !== 'number' || text !== cell.w?.trim()) return false;
  const stored = figures(digits(Math.abs(cell.v)));
  const [first = ''] = /\d[\d.,'’\s]*/.exec(text) ?? [];
  return figures(text) !== stored && figures(first) !== stored;
}

/** The digits of a number without zeros before and behind them. */
const figures = (text: string) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '');

/** Words of a format for thousands and more. A unit is none: `0.0,"km"` shows meters as kilometers. */
const SCALE = /^(?:k|K|T|Tsd|M|MM|Mn|Mio|mln|B|bn|Bn|Mrd|thousand|million|billion)\.?$/;

/**
 * A number whole, with its sign of a currency, where its format shows thousands or more of it with a word
 * such as M; null for any other. Source of the commas behind digits: ECMA-376 Part 1, 18.8.31.
 */
function scaledText(value: number, shown: string, format: unknown): string | null {
  const codes = String(format).replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
  if (!/[0#?],+(?![0#?,])/.test(codes)) return null;
  const [sign = ''] = /\p{Sc}/u.exec(shown) ?? [];
  const figure = shown.replace(sign, '').trim();
  const word = figure.replace(/^\(?[-+]?\s*[\d.,]+\s*|\s*\)$/g, '');
  if (!SCALE.test(word)) return null;
  return sign !== '' && shown.endsWith(sign)
    ? `${digits(value)} ${sign}`
    : `${value < 0 ? '-' : ''}${sign}${digits(Math.abs(value))}`;
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (word: string) => /\p{Sc}$/u.test(word) || CURRENCIES.has(word);

/**
 * A number with its currency where what the sheet shows is another number, as formats for accounting do by
 * rounding, parentheses and a dash for zero; null for what shows no currency, or the number as it is.
 */
function moneyText(value: number, shown: string): string | null {
  const [currency = '', ...more] = shown.match(/\p{L}{0,3}\p{Sc}|\p{L}{3}/gu) ?? [];
  if (more.length > 0 || (currency !== '' && !isCurrency(currency))) return null;
  const figure = shown.replace(currency, '').replace(/\s/g, '');
  if (!(value === 0 && /^[-–—]$/.test(figure)) && !/^\(?[-+]?\d[\d,]*(?:\.\d+)?\)?$/.test(figure))
    return null;
  if (Number(figure.replaceAll(',', '')) === value) return null;
  const amount = digits(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  if (shown.replace(/[()\s]/g, '').endsWith(currency)) return `${sign}${amount} ${currency}`.trim();
  return `${sign}${currency}${/\p{L}$/u.test(currency) ? ' ' : ''}${amount}`;
}

const digits = (value: number) => String(Number(value.toPrecision(15)));

/** A number with its sign of a percentage alone. */
const PERCENTAGE = /^\(?[-+]?\d[\d.,'’\s]*%\)?$/;
/** Whether a format shows hundredths: a percent sign in quotation marks or behind a backslash is a text. */
const isInHundredths = (format: unknown) =>
  typeof format !== 'string' || format.replace(/"[^"]*"|\\./g, '').includes('%');

/** A number as formats without words and units show it, a negative one perhaps in parentheses. */
const PLAIN_NUMBER = /^(?!-?0\d)\(?[-+]?\d[\d.,'’\s/]*(?:E[-+]?\d+)?\)?$/i;

/** Days that plain numbers are taken for: of 1954 to 2119, as spreadsheets count from 1900. */
const DAY_MIN = 20_000;
const DAY_MAX = 80_000;
/** The first of January 1970, so counted, and what is added to a count from 1904. */
const DAY_OF_EPOCH = 25_569;
const DAYS_TO_1904 = 1_462;

/**
 * The date, or date and time, that the number of a cell means where spreadsheets count days; null for texts
 * of other numbers, among them years and dates in eight digits. Pure.
 */
export function dayOfNumber(text: string, date1904: boolean): string | null {
  if (!/^\d{5}(\.\d+)?$/.test(text)) return null;
  const day = Number(text) + (date1904 ? DAYS_TO_1904 : 0);
  if (day < DAY_MIN || day > DAY_MAX) return null;
  const iso = new Date(Math.round((day - DAY_OF_EPOCH) * 86_400) * 1_000).toISOString();
  return iso.replace('.000Z', 'Z').replace('T00:00:00Z', '');
}

/** A date as far as its format shows it; a date without its year is shown short, and means the whole. */
function dateText(date: Date, shown: string, format: unknown): string {
  // Spreadsheets count days in fractions, and 14:30 is stored as 14:29:59.999.
  const second = Math.round(date.getTime() / 1_000) * 1_000;
  const iso = (Math.abs(date.getTime() - second) <= 1 ? new Date(second) : date).toISOString();
  const whole = iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
  if (typeof format !== 'string' || shown === '') return whole;
  const parts = partsOf(format);
  // A cell of a date may have the format of numbers, and shows how spreadsheets count its days.
  if (parts.size === 0 && PLAIN_NUMBER.test(shown)) return whole;
  if (parts.has('day') && parts.has('month')) return parts.has('time') ? whole : iso.slice(0, 10);
  const hasWholeYear = /(?<!\d)\d{4}(?!\d)/.test(shown);
  // Two digits of a year may be read as a day.
  return parts.has('year') && parts.has('month') && !hasWholeYear ? iso.slice(0, 7) : shown;
}

/** What a format of spreadsheets shows of a date. Source: ECMA-376 Part 1, 18.8.31. */
function partsOf(format: string): ReadonlySet<'year' | 'month' | 'day' | 'time'> {
  const codes = format
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .replace(/\[(h+|m+|s+)\]/gi, 'h')
    .replace(/\[[^\]]*\]/g, '')
    .split(';', 1)[0]!
    .replace(/am\/pm|a\/p/gi, 'h')
    // `m` next to hours or seconds is minutes.
    .replace(/(h+[^a-z]*)m+/gi, '$1')
    .replace(/m+([^a-z]*s)/gi, '$1');
  const parts = new Set<'year' | 'month' | 'day' | 'time'>();
  for (const [code] of codes.matchAll(/y+|m+|d+|h+|s+/gi)) {
    const letter = code[0]!.toLowerCase();
    if (letter === 'y') parts.add('year');
    else if (letter === 'm') parts.add('month');
    else if (letter !== 'd') parts.add('time');
    // Three and more are the name of a weekday.
    else if (code.length < 3) parts.add('day');
  }
  return parts;
}
