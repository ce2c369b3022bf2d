import { timeWords } from './date-words.ts';

/** When something holds, as written; endless on the sides that are not given. */
export interface Span {
  readonly event_start_time?: string | null | undefined;
  readonly event_end_time?: string | null | undefined;
}

const startOf = ({ event_start_time: from }: Span) => (from ? Date.parse(from) : -Infinity);
const endOf = ({ event_end_time: to }: Span) => (to ? Date.parse(to) : Infinity);

/** Whether two times are the same, in whatever form they are written. Pure. */
const isSameTime = (one: Span, other: Span): boolean =>
  startOf(one) === startOf(other) && endOf(one) === endOf(other);

/** The part of two times that belongs to both; null where there is none. Pure. */
export function sharedTime(one: Span, other: Span): Span | null {
  const from = startOf(one) > startOf(other) ? one : other;
  const to = endOf(one) < endOf(other) ? one : other;
  if (startOf(from) >= endOf(to)) return null;
  return { event_start_time: from.event_start_time, event_end_time: to.event_end_time };
}

/** Times in their order; those that overlap or follow each other without a gap are one. Pure. */
export function joinedTimes<S extends Span>(spans: readonly S[]): S[] {
  const joined: S[] = [];
  for (const span of spans.toSorted((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b))) {
    const last = joined.at(-1);
    if (!last || endOf(last) < startOf(span)) joined.push(span);
    else if (endOf(last) < endOf(span))
      joined[joined.length - 1] = { ...last, event_end_time: span.event_end_time };
  }
  return joined;
}

/**
 * ` (from 2005 to 2015; at odds from 2005 to 2010)`: the time of a value that competes with the leading one
 * of a verdict, and the time in which they do where it is that of neither. Empty where both are of one time,
 * and where no time has an end: it is then when something happened. Source: ADR 0141. Pure.
 */
export function timeAtOdds(
  said: Span,
  rivals: readonly (Span & { readonly apart?: true | undefined })[] = [],
): string {
  const [leading] = rivals;
  if (!leading || isSameTime(said, leading)) return '';
  if (![said, ...rivals].some((one) => one.event_end_time)) return '';
  const [own, others, both] = [said, leading, sharedTime(said, leading) ?? said].map((span) =>
    timeWords(span.event_start_time ?? undefined, span.event_end_time ?? undefined),
  ) as [string, string, string];
  if (own === '') return '';
  return both === own || both === others ? ` (${own})` : ` (${own}; at odds ${both})`;
}
