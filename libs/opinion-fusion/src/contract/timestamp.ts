import { clamp } from './rounding.ts';

/**
 * Milliseconds of one day; ages are one difference of whole milliseconds divided by this. Reasoning model §5.
 */
export const DAY_MS = 86_400_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Days from 1970-01-01 to a date of the proleptic Gregorian calendar. Howard Hinnant, "chrono-Compatible
 * Low-Level Date Algorithms".
 */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const PATTERN =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|[+-]\d{2}:?\d{2})?)?)?)?$/;

/** A calendar date or date-time, read once. */
export interface ParsedTime {
  /** First instant, whole milliseconds since 1970-01-01T00:00:00Z; fractions of a millisecond are cut off. */
  readonly ms: number;
  /** How much was written. */
  readonly precision: 'year' | 'month' | 'day' | 'instant';
  /** Seconds and offset stand there and the separators are RFC 3339's. */
  readonly isRfc3339: boolean;
}

/**
 * Reads YYYY, YYYY-MM, YYYY-MM-DD or a date-time, with `T` or `t` and an optional offset (UTC where none
 * stands). Null for anything else, days that do not exist and hours past 23 included; second 60 is taken at
 * 23:59 UTC only. Sources: RFC 3339 §5.6 and §5.7; ISO 8601 for the shorter forms.
 */
export function parseTime(text: string): ParsedTime | null {
  if (text.length < 4 || text.length > 64) return null;
  const usual = parseUsual(text);
  if (usual !== null) return usual;
  const match = PATTERN.exec(text);
  if (!match) return null;
  const year = Number(match[1]);
  const month = match[2] === undefined ? 1 : Number(match[2]);
  const day = match[3] === undefined ? 1 : Number(match[3]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const date = daysFromCivil(year, month, day) * DAY_MS;
  if (match[4] === undefined) {
    const precision = match[2] === undefined ? 'year' : match[3] === undefined ? 'month' : 'day';
    return { ms: date, precision, isRfc3339: false };
  }
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = match[6] === undefined ? 0 : Number(match[6]);
  if (hour > 23 || minute > 59 || second > 60) return null;
  const zone = match[8];
  let offset = 0;
  if (zone !== undefined && zone !== 'Z' && zone !== 'z') {
    const zoneHour = Number(zone.slice(1, 3));
    const zoneMinute = Number(zone.slice(-2));
    if (zoneHour > 23 || zoneMinute > 59) return null;
    offset = (zone[0] === '-' ? -1 : 1) * (zoneHour * HOUR_MS + zoneMinute * MINUTE_MS);
  }
  const minuteStart = date + hour * HOUR_MS + minute * MINUTE_MS - offset;
  if (second === 60 && ((minuteStart % DAY_MS) + DAY_MS) % DAY_MS !== DAY_MS - MINUTE_MS) return null;
  const fraction = match[7] === undefined ? 0 : Number(match[7].slice(0, 3).padEnd(3, '0'));
  return {
    ms: minuteStart + second * 1000 + fraction,
    precision: 'instant',
    isRfc3339:
      match[6] !== undefined &&
      zone !== undefined &&
      (zone.length !== 5 || zone === 'Z') &&
      !text.includes(','),
  };
}

/**
 * The forms nearly all input has, YYYY-MM-DDTHH:MM:SSZ and the same with milliseconds, read without a regular
 * expression.
 */
function parseUsual(text: string): ParsedTime | null {
  const { length } = text;
  if (
    (length !== 20 && length !== 24) ||
    text.charCodeAt(10) !== 0x54 ||
    text.charCodeAt(length - 1) !== 0x5a
  )
    return null;
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const fraction = length === 20 ? 0 : text[19] === '.' ? digits(text, 20, 3) : NO_NUMBER;
  // Anything unusual, a wrong digit included, fails one of these and goes the long way.
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || fraction < 0)
    return null;
  const ms =
    daysFromCivil(year, month, day) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + fraction;
  return { ms, precision: 'instant', isRfc3339: true };
}

/** Stands for text that is not a number; a small integer, so that arithmetic on it stays fast. */
const NO_NUMBER = -1;

/** The number that `count` decimal digits spell; NO_NUMBER where one is none. */
function digits(text: string, start: number, count: number): number {
  let number = 0;
  for (let i = start; i < start + count; i += 1) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return NO_NUMBER;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * RFC 3339 text of an instant, in UTC with milliseconds. RFC 3339 has the years 0000 to 9999; of the instants
 * that an offset moves out of them the nearest that it has.
 */
export function formatTime(ms: number): string {
  return new Date(clamp(ms, FIRST_MS, LAST_MS)).toISOString();
}
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
