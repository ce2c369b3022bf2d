import { counted, percent } from '../../format/numbers.ts';
import { day, days, instant, spanText, timeMs } from '../../format/times.ts';
import type { CorroborationKind } from './ageing.ts';
import { DAY_MS } from './time-scale.ts';
import type { Moment } from './timeline-layout.ts';

/**
 * A claim that goes stale later than this is said to hardly age: a date so far off would be false precision.
 */
const FAR_MS = 100 * 365.25 * DAY_MS;

/** The UTC day of an instant. */
export function dayOf(at: number): string {
  return day(new Date(at).toISOString());
}

/** `12 May 2025`, or `12 May 2025 to 3 June 2025` where it is more than a day. */
export function daysOf({ from, to }: { readonly from: number; readonly to: number }): string {
  return spanText(dayOf(from), dayOf(to));
}

/**
 * What age has left of the claim and when it goes stale, short: `43 % left, stale from 28 Dec 2026`,
 * `15 % left, stale since 5 Nov 2025`; null when it does not age.
 */
export function ageingWords({ claim, ageing }: Moment, asOf: number): string | null {
  const { staleAt, halfLifeMs } = ageing;
  if (staleAt === null || halfLifeMs === null || !claim.analysis) return null;
  if (halfLifeMs === 0) return 'retracted, weighs nothing';
  const left = `${percent(claim.analysis.temporal_decay_factor)} left`;
  if (staleAt - asOf > FAR_MS) return `${left}, hardly ages`;
  return `${left}, stale ${claim.isStale ? 'since' : 'from'} ${dayOf(staleAt)}`;
}

/**
 * When it happened, as written: `1 Aug 2024 to 4 Nov 2024`, `from …, open`, `until …`; null where no event is
 * dated.
 */
export function eventWords({ claim: { input } }: Pick<Moment, 'claim'>): string | null {
  const [from, to] = [asWritten(input.event_start_time), asWritten(input.event_end_time)];
  if (from && to) return spanText(from, to);
  if (from) return `from ${from}, end open`;
  return to ? `until ${to}, start open` : null;
}

/** A date with the precision in which it was given. */
function asWritten(text: string | null | undefined): string {
  if (!text || timeMs(text) === null || /^\d{4}$/.test(text)) return text ?? '';
  return /^\d{4}-\d\d$/.test(text) ? day(`${text}-01`).slice(2) : day(new Date(timeMs(text)!).toISOString());
}

const KINDS: readonly CorroborationKind[] = ['independent', 'dependent', 'ignored'];

/** `2 independent, 1 ignored`; empty without corroborations. */
export function corroborationWords({ ageing: { corroborations } }: Moment): string {
  return KINDS.flatMap((kind) => {
    const number = corroborations.filter((item) => item.kind === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  }).join(', ');
}

/** All that a row shows, as sentences. */
export function momentSentences(moment: Moment, asOf: number): string {
  const { assertedAt, corroborations, halfLifeMs } = moment.ageing;
  const event = eventWords(moment);
  const ageing = ageingWords(moment, asOf);
  return [
    event && `Event ${event}.`,
    assertedAt === null
      ? 'Time of assertion unknown.'
      : `Asserted ${instant(new Date(assertedAt).toISOString())}.`,
    corroborations.length > 0 &&
      `${counted(corroborations.length, 'corroboration')}: ${corroborationWords(moment)}.`,
    halfLifeMs !== null && halfLifeMs > 0 && `Half-life ${days(halfLifeMs / DAY_MS)}.`,
    ageing && `Weight: ${ageing}.`,
    moment.supersededBy.length > 0 && 'Superseded.',
    moment.isCurrent && 'Takes the place of an earlier claim.',
  ]
    .filter(Boolean)
    .join(' ');
}
