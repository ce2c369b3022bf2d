/** A date of Wikidata. */
export interface WikidataTime {
  /** `1731`, `1731-05`, `1731-05-17`, `1980s`, `19th century`, `2nd millennium`, `15 March 44 BC`. */
  readonly text: string;
  /** Null where event times cannot say it: outside the years 1 to 9998, and on days that do not exist. */
  readonly interval: Interval | null;
}

/** Days, months or years, ISO 8601: the first of a date, and the first after it. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/** Source: Wikibase DataModel, TimeValue. */
const PRECISION = { millennium: 6, century: 7, decade: 8, year: 9, month: 10, day: 11 } as const;

/** What `calendarmodel` says, as the last part of its address. Source: Wikibase DataModel, TimeValue. */
const CALENDARS = { gregorian: 'Q1985727', julian: 'Q1985786' } as const;

/**
 * Why a date is not on the days that it is read as; null where it is. Days of the Julian calendar are
 * converted, and coarser dates stay the months and years that they name.
 */
export function whyCalendar(calendar: unknown, precision: unknown): string | null {
  if (isOf(calendar, 'gregorian') || calendar === undefined) return null;
  if (!isOf(calendar, 'julian'))
    return 'is neither the Gregorian nor the Julian calendar: the date is read as Gregorian';
  return isDay(precision)
    ? null
    : 'is the Julian calendar: the date, which names no day, is read as one of the Gregorian calendar';
}

const isDay = (precision: unknown) => typeof precision === 'number' && precision >= PRECISION.day;
const isOf = (calendar: unknown, name: keyof typeof CALENDARS) =>
  typeof calendar === 'string' && calendar.split('/').at(-1) === CALENDARS[name];

const MONTHS = 'January February March April May June July August September October November December';

/**
 * Reads `+1731-05-00T00:00:00Z` by its precision. As on Wikidata's pages, a decade begins with the year that
 * ends in 0, a century and a millennium with the year 1. Where `calendar` is the Julian one, a day becomes
 * that of the Gregorian calendar, also before 1582, as ISO 8601 has it. Null for any other text, the year 0
 * and precisions coarser than a millennium.
 */
export function readWikidataTime(time: string, precision: unknown, calendar?: unknown): WikidataTime | null {
  const [, sign, ...digits] = /^([+-])(\d{4,16})-(\d\d)-(\d\d)T[\d:.]*Z?$/.exec(time) ?? [];
  const [year = 0, month = 0, day = 0] = digits.map(Number);
  if (isOf(calendar, 'julian') && isDay(precision) && month > 0 && day > 0) {
    const converted = gregorianOf(sign === '-' ? 1 - year : year, month, day);
    if (converted !== null) return readWikidataTime(converted, precision);
  }
  if (year === 0 || month > 12 || day > 31) return null;
  if (typeof precision !== 'number' || precision < PRECISION.millennium) return null;
  if (precision < PRECISION.year) return longTime(year, precision, sign === '-');
  const written =
    precision === PRECISION.year || month === 0 ? 1 : precision === PRECISION.month || day === 0 ? 2 : 3;
  if (sign === '-') {
    const parts = [year, MONTHS.split(' ')[month - 1], day].slice(0, written);
    return { text: [...parts.reverse(), 'BC'].join(' '), interval: null };
  }
  const later = (periods: number) => {
    const step = (part: number) => (part === written ? periods : 0);
    const date = new Date(0);
    date.setUTCFullYear(year + step(1), Math.max(month, 1) - 1 + step(2), Math.max(day, 1) + step(3));
    return isoParts(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), written);
  };
  const text = isoParts(year, month, day, written);
  return { text, interval: later(0) === text ? intervalOf(text, later(1)) : null };
}

/**
 * The Gregorian day of a Julian one, as Wikidata writes it; null for a day that the Julian calendar lacks.
 * Years are astronomical, so that 1 BC is 0.
 */
function gregorianOf(year: number, month: number, day: number): string | null {
  const isLeap = year % 4 === 0;
  const length = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (day > length || Math.abs(year) > YEARS_CONVERTED) return null;
  // Both calendars agree from 1 March 200 to 28 February 300; from each 1 March of a century on, Julian days
  // lag by one more, unless the century is divisible by 400.
  const century = Math.floor((month > 2 ? year : year - 1) / 100);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day + century - Math.floor(century / 4) - 2);
  const isBefore = date.getUTCFullYear() < 1;
  const written = isBefore ? 1 - date.getUTCFullYear() : date.getUTCFullYear();
  return `${isBefore ? '-' : '+'}${isoParts(written, date.getUTCMonth() + 1, date.getUTCDate(), 3)}T00:00:00Z`;
}
/** `Date` has no years beyond these. */
const YEARS_CONVERTED = 270_000;

/** A decade, century or millennium. */
function longTime(year: number, precision: number, isBefore: boolean): WikidataTime {
  const years = 10 ** (PRECISION.year - precision);
  const isDecade = precision === PRECISION.decade;
  const number = isDecade ? Math.floor(year / years) : Math.ceil(year / years);
  const name = isDecade
    ? `${number * years}s`
    : `${ordinal(number)} ${precision === PRECISION.century ? 'century' : 'millennium'}`;
  if (isBefore) return { text: `${name} BC`, interval: null };
  const from = isDecade ? number * years : (number - 1) * years + 1;
  const year4 = (of: number) => isoParts(of, 1, 1, 1);
  return { text: name, interval: from === 0 ? null : intervalOf(year4(from), year4(from + years)) };
}

/** ISO 8601 has four digits for a year, and so have event times. */
const intervalOf = (from: string, to: string): Interval | null => (/^\d{5}/.test(to) ? null : { from, to });

function isoParts(year: number, month: number, day: number, written: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return [String(year).padStart(4, '0'), two(month), two(day)].slice(0, written).join('-');
}

function ordinal(number: number): string {
  const suffix = { one: 'st', two: 'nd', few: 'rd' } as Readonly<Record<string, string>>;
  return `${number}${suffix[ORDINALS.select(number)] ?? 'th'}`;
}
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
