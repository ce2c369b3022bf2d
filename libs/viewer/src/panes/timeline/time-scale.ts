import { instant } from '../../format/times.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MONTHS_PER_YEAR = 12;

/** A stretch of time, milliseconds since 1970 in UTC; `from` lies before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Where in the span an instant lies: 0 at its start, 1 at its end, less or more outside. */
export function shareOf(span: Span, at: number): number {
  return (at - span.from) / (span.to - span.from);
}

/** The part `factor` of the span around its middle, kept inside `whole` and not shorter than an hour. */
export function zoomed(span: Span, whole: Span, factor: number): Span {
  const length = Math.min(Math.max((span.to - span.from) * factor, HOUR_MS), whole.to - whole.from);
  return within(whole, (span.from + span.to - length) / 2, length);
}

/** The span moved by a share of its length, kept inside `whole`. */
export function moved(span: Span, whole: Span, share: number): Span {
  const length = span.to - span.from;
  return within(whole, span.from + length * share, length);
}

/** The part of `whole` around `inner`, three times as long. */
export function around(inner: Span, whole: Span): Span {
  const length = Math.max(inner.to - inner.from, DAY_MS);
  return within(whole, inner.from - length, Math.min(3 * length, whole.to - whole.from));
}

/** As much of `whole` as the span covers, not shorter than an hour. */
export const inside = (span: Span, whole: Span): Span => zoomed(span, whole, 1);

function within(whole: Span, from: number, length: number): Span {
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

interface Step {
  readonly ms: number;
  /** Months between two ticks; 0 for steps that are even in milliseconds. */
  readonly months: number;
}

const even = (ms: number): Step => ({ ms, months: 0 });
const months = (count: number): Step => ({ ms: count * 30.44 * DAY_MS, months: count });
const STEPS: readonly Step[] = [
  ...[0.25, 1, 3, 6, 12].map((hours) => even(hours * HOUR_MS)),
  ...[1, 2, 7, 14].map((count) => even(count * DAY_MS)),
  ...[1, 2, 3, 6].map(months),
  ...[1, 2, 5, 10, 20, 25, 50, 100, 200, 500].map((years) => months(years * MONTHS_PER_YEAR)),
];

/** Round instants inside the span on the calendar in UTC, at most one more than `most`. */
export function ticks(span: Span, most: number): Tick[] {
  const step = STEPS.find(({ ms }) => (span.to - span.from) / ms <= most) ?? STEPS.at(-1)!;
  const list: Tick[] = [];
  for (let at = firstTick(span.from, step); at <= span.to; at = nextTick(at, step))
    if (at >= span.from) list.push({ at, label: tickLabel(at, step) });
  return list;
}

function firstTick(from: number, { ms, months: count }: Step): number {
  if (count === 0) return Math.ceil(from / ms) * ms;
  const date = new Date(from);
  const month = date.getUTCFullYear() * MONTHS_PER_YEAR + date.getUTCMonth();
  return monthStart(Math.floor(month / count) * count);
}

function nextTick(at: number, { ms, months: count }: Step): number {
  if (count === 0) return at + ms;
  const date = new Date(at);
  return monthStart(date.getUTCFullYear() * MONTHS_PER_YEAR + date.getUTCMonth() + count);
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999, which `setUTCFullYear` does not. */
function monthStart(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / MONTHS_PER_YEAR), month % MONTHS_PER_YEAR, 1);
}

function tickLabel(at: number, { ms, months: count }: Step): string {
  const [date, clock] = instant(new Date(at).toISOString()).split(', ') as [string, string];
  const [dayOfMonth, month, year] = date.split('\u00a0') as [string, string, string];
  if (count >= MONTHS_PER_YEAR) return year;
  if (count > 0) return `${month}\u00a0${year}`;
  return ms >= DAY_MS
    ? `${dayOfMonth}\u00a0${month}\u00a0${year}`
    : `${dayOfMonth}\u00a0${month} ${clock.slice(0, 5)}`;
}
