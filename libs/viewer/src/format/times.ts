import type { JudgedInvestigation } from '../snapshot.ts';
import { count, counted } from './numbers.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const YEAR_DAYS = 365.25;

/** `14 Mar 2026` in UTC, the same on a server and in any browser; the text itself when it is not a time. */
export function day(time: string | null | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return `${date.getUTCDate()}\u00a0${MONTHS[date.getUTCMonth()]}\u00a0${date.getUTCFullYear()}`;
}

/** `1 Aug 2024 to 4 Nov 2024`; one of them alone where both are the same. */
export const spanText = (from: string, to: string): string => (from === to ? from : `${from} to ${to}`);

/** `14 Mar 2026, 09:12 UTC`. */
export function instant(time: string | null | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return `${day(time)}, ${date.toISOString().slice(11, 16)}\u00a0UTC`;
}

/** A span of days: `0.4 days`, `12 days`, `200 years`; years from two years on. */
export function days(value: number): string {
  if (value >= 2 * YEAR_DAYS) {
    const years = value / YEAR_DAYS;
    return `${years < 10 ? trim(years) : count(years)}\u00a0years`;
  }
  return value < 10 && value !== 1 ? `${trim(value)}\u00a0days` : counted(Math.round(value), 'day');
}

const trim = (value: number) => String(Math.round(value * 10) / 10);

/**
 * The first instant that a text of the contract names (YYYY, YYYY-MM, YYYY-MM-DD, date-time), in UTC where it
 * names no zone, as the engine reads it; null for an absent text and for one that is not a time.
 */
export function timeMs(text: string | null | undefined): number | null {
  if (!text) return null;
  const [date, clock] = text.replace(',', '.').toUpperCase().split('T') as [string, string | undefined];
  const zoned =
    clock === undefined || /(Z|[+-]\d\d:?\d\d)$/.test(clock)
      ? clock?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
      : `${clock}Z`;
  const ms = Date.parse(zoned === undefined ? date : `${date}T${zoned}`);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * The instant that weights are of: `as_of`, or the evaluation where there is none or it lies ahead.
 * Milliseconds since 1970.
 */
export function judgedAsOf({ input, result }: Pick<JudgedInvestigation, 'input' | 'result'>): number {
  return Math.min(timeMs(input.as_of) ?? Infinity, timeMs(result.evaluated_at)!);
}

/** ` as of 20 May 2025` where a judgement is of another time than its evaluation, by `words`; else empty. */
export function asOfText(
  { input, result }: Pick<JudgedInvestigation, 'input' | 'result'>,
  words: (time: string) => string,
): string {
  const asOf = judgedAsOf({ input, result });
  return asOf === timeMs(result.evaluated_at) ? '' : ` as of ${words(new Date(asOf).toISOString())}`;
}
