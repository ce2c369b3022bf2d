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
