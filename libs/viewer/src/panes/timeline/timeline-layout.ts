import { verdictFragment } from '../../format/fragments.ts';
import { questionSubject, readable } from '../../format/words.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import type { Ageing } from './ageing.ts';
import { ageingOf } from './ageing.ts';
import type { Span } from './time-scale.ts';
import { judgedAsOf, timeMs } from '../../format/times.ts';
import { DAY_MS } from './time-scale.ts';

/**
 * A lane is a finding - a subject with one of its properties - and not a subject: whether a claim is for or
 * against is said about a finding, and a lane of several would show one color for answers to several
 * questions.
 */
export const LANE_KINDS = ['finding', 'actor', 'predicate'] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

/** Rows drawn before their lane is unfolded, shared out over the lanes; all others are in the table. */
const ROWS_MAX = 120;
const LANE_ROWS = { least: 4, most: 14 } as const;
/** The future is shown for at most this share of the past, to leave the past its room. */
const FUTURE_SHARE = 0.25;
const MARGIN_SHARE = 0.03;

/** A claim on the timeline. Times in milliseconds; null is open or not given. */
export interface Moment {
  readonly claim: Claim;
  readonly ageing: Ageing;
  readonly eventFrom: number | null;
  readonly eventTo: number | null;
  /** What rows are ordered by: the assertion, else the event; null for an undated claim. */
  readonly at: number | null;
  readonly isSuperseded: boolean;
  /** At the end of a chain of supersession. */
  readonly isCurrent: boolean;
  readonly supersedes: readonly Claim[];
  readonly supersededBy: readonly Claim[];
}

export interface Lane {
  readonly id: string;
  readonly title: string;
  /** What it is about, where it is a finding that has a verdict. */
  readonly verdict: Verdict | null;
  /** Moments in the order of time. */
  readonly moments: readonly Moment[];
  /** Those without any date, in rank order. */
  readonly undated: readonly Moment[];
  /** The strongest of the dated ones, in the order of time. */
  readonly shown: readonly Moment[];
  /** These are in the document before the lane is unfolded. */
  readonly isDrawnAhead: boolean;
}

export interface Timeline {
  /** Moments in the order of their ranks. */
  readonly moments: readonly Moment[];
  readonly undated: readonly Moment[];
  /** All that is dated, with margins; a year around the analysis when nothing is. */
  readonly whole: Span;
  /** The instant of the analysis. */
  readonly asOf: number;
  /** Assertions and corroborations, in the order of time. */
  readonly statements: readonly number[];
}

/** Every claim with its place in time. Pure. */
export function createTimeline(model: Model): Timeline {
  const asOf = judgedAsOf(model.judged);
  const ageing = ageingOf(model);
  const { newerOf, olderOf, current } = supersession(model);
  const claimsOf = (ids: readonly string[] = []) => ids.flatMap((id) => model.claimById.get(id) ?? []);
  const moments = model.claims.map((claim): Moment => {
    const aged = ageing(claim);
    const eventFrom = timeMs(claim.input.event_start_time);
    const eventTo = timeMs(claim.input.event_end_time);
    return {
      claim,
      ageing: aged,
      eventFrom,
      eventTo,
      at: aged.assertedAt ?? eventFrom ?? eventTo,
      isSuperseded: claim.analysis?.epistemic_status === 'superseded' || newerOf.has(claim.id),
      isCurrent: current.has(claim.id),
      supersedes: claimsOf(olderOf.get(claim.id)),
      supersededBy: claimsOf(newerOf.get(claim.id)),
    };
  });
  const statements = moments.flatMap(({ ageing: { assertedAt, corroborations } }) => [
    ...(assertedAt === null ? [] : [assertedAt]),
    ...corroborations.map(({ at }) => at),
  ]);
  return {
    moments,
    undated: moments.filter(({ at }) => at === null),
    whole: wholeSpan(moments, statements, asOf),
    asOf,
    statements: statements.toSorted((a, b) => a - b),
  };
}

/**
 * Which claim replaced which: the chains of the result, or the declarations of the input where the result has
 * none.
 */
function supersession({ full, claims, claimById }: Model) {
  const newerOf = new Map<string, string[]>();
  const olderOf = new Map<string, string[]>();
  const current = new Set<string>();
  const note = (older: string, newer: string) => {
    if (newerOf.get(older)?.includes(newer)) return;
    newerOf.set(older, [...(newerOf.get(older) ?? []), newer]);
    olderOf.set(newer, [...(olderOf.get(newer) ?? []), older]);
  };
  if (full) {
    for (const { claim_ids, current_claim_id } of full.temporal_analysis?.supersession_chains ?? []) {
      current.add(current_claim_id);
      claim_ids.slice(1).forEach((newer, index) => note(claim_ids[index]!, newer));
    }
    return { newerOf, olderOf, current };
  }
  for (const { id, input } of claims) {
    const targets = (input.relationships ?? [])
      .filter(({ relationship_type }) => relationship_type.toLowerCase() === 'supersedes')
      .map(({ target_claim_id }) => target_claim_id);
    for (const target of [input.supersedes_claim_id ?? '', ...targets])
      if (target !== id && claimById.has(target)) note(target, id);
  }
  for (const newer of olderOf.keys()) if (!newerOf.has(newer)) current.add(newer);
  return { newerOf, olderOf, current };
}

function wholeSpan(moments: readonly Moment[], statements: readonly number[], asOf: number): Span {
  const dated = [...statements, ...moments.flatMap(({ eventFrom, eventTo }) => [eventFrom, eventTo])];
  let [from, to] = [asOf, asOf];
  for (const at of dated) {
    if (at === null) continue;
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  const future = (to - from) * FUTURE_SHARE;
  let until = to;
  for (const { ageing } of moments)
    if (ageing.staleAt !== null && ageing.staleAt <= to + future) until = Math.max(until, ageing.staleAt);
  const margin = Math.max((until - from) * MARGIN_SHARE, from === until ? 182 * DAY_MS : DAY_MS / 24);
  return { from: from - margin, to: until + margin };
}

/**
 * The lanes with a dated claim, in the order in which findings, actors or predicates first appear in model
 * and input.
 */
export function lanesBy(kind: LaneKind, { moments }: Timeline, model: Model): Lane[] {
  const { verdicts, judged } = model;
  const verdictOf = new Map(
    verdicts.map((verdict) => [verdictFragment(verdict.subjectId, verdict.predicate), verdict]),
  );
  const lanes = new Map<string, Moment[]>();
  if (kind === 'finding') for (const id of verdictOf.keys()) lanes.set(id, []);
  if (kind === 'actor') for (const { id } of judged.input.actors) lanes.set(id, []);
  for (const moment of moments) {
    const key = laneKey(kind, moment.claim);
    const lane = lanes.get(key);
    if (lane) lane.push(moment);
    else lanes.set(key, [moment]);
  }
  const filled = [...lanes].filter(([, list]) => list.some(({ at }) => at !== null));
  const rows = Math.min(LANE_ROWS.most, Math.max(LANE_ROWS.least, Math.floor(ROWS_MAX / filled.length)));
  let drawn = 0;
  return filled.map(([id, list]) => {
    const dated = list.filter(({ at }) => at !== null);
    const shown = dated.slice(0, rows).toSorted(byTime);
    drawn += shown.length;
    return {
      id,
      title: laneTitle(kind, id, dated[0]!.claim),
      verdict: (kind === 'finding' && verdictOf.get(id)) || null,
      moments: dated.toSorted(byTime),
      undated: list.filter(({ at }) => at === null),
      shown,
      isDrawnAhead: drawn <= ROWS_MAX,
    };
  });
}

/** The finding that a claim belongs to, as its address names it. */
export const findingOf = ({ subject, predicate }: Claim): string =>
  verdictFragment(subject?.id ?? '', predicate);

function laneKey(kind: LaneKind, claim: Claim): string {
  if (kind === 'finding') return findingOf(claim);
  return kind === 'actor' ? claim.actor.id : claim.predicate;
}

function laneTitle(kind: LaneKind, id: string, { actor, subject, predicate }: Claim): string {
  if (kind === 'predicate') return readable(id);
  return kind === 'actor'
    ? actor.name
    : `${questionSubject(subject?.name ?? '', predicate)}, ${readable(predicate)}`;
}

function byTime(a: Moment, b: Moment): number {
  return a.at! - b.at! || (a.claim.id < b.claim.id ? -1 : 1);
}

/**
 * A line that leads from a superseded claim's row to that of the claim which took its place, cut at the rows.
 */
export interface Connector {
  readonly at: number;
  /** `leave` at the older claim, `arrive` at the newer, `pass` between. */
  readonly part: 'leave' | 'pass' | 'arrive';
  /** The newer claim's row lies below. */
  readonly isDown: boolean;
}

/**
 * For each row the pieces of the lines that cross it; a newer claim without a time of assertion draws no
 * line.
 */
export function connectors(rows: readonly Moment[]): Connector[][] {
  const pieces: Connector[][] = rows.map(() => []);
  const rowOf = new Map(rows.map(({ claim }, index) => [claim.id, index]));
  rows.forEach(({ supersedes, ageing: { assertedAt } }, newer) => {
    if (assertedAt === null) return;
    for (const { id } of supersedes) {
      const older = rowOf.get(id);
      if (older === undefined) continue;
      const isDown = older < newer;
      for (let row = Math.min(older, newer); row <= Math.max(older, newer); row += 1) {
        const part = row === older ? 'leave' : row === newer ? 'arrive' : 'pass';
        pieces[row]!.push({ at: assertedAt, part, isDown });
      }
    }
  });
  return pieces;
}

/** How many instants fall into each of `bins` equal parts of the span. */
export function density(instants: readonly number[], span: Span, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const at of instants) {
    const bin = Math.floor(((at - span.from) / (span.to - span.from)) * bins);
    if (bin >= 0 && bin < bins) counts[bin]! += 1;
  }
  return counts;
}

/** A gap is longer than this share of all the time in which anything was said. */
const GAP_SHARE = 0.15;

/** The longest gap among sorted instants; null where none is worth naming. */
export function longestSilence(instants: readonly number[]): Span | null {
  if (instants.length < 3) return null;
  let longest: Span = { from: instants[0]!, to: instants[0]! };
  for (let i = 1; i < instants.length; i += 1)
    if (instants[i]! - instants[i - 1]! > longest.to - longest.from)
      longest = { from: instants[i - 1]!, to: instants[i]! };
  const all = instants.at(-1)! - instants[0]!;
  return longest.to - longest.from >= GAP_SHARE * all && all > 0 ? longest : null;
}

/** A burst is this many times as dense as the average, and at least this many statements. */
const BURST = { density: 3, least: 3, windowShare: 1 / 30 } as const;

/**
 * The stretch, a thirtieth of all the time, in which most was said; null where statements are spread evenly.
 */
export function busiestStretch(instants: readonly number[]): (Span & { readonly count: number }) | null {
  const all = (instants.at(-1) ?? 0) - (instants[0] ?? 0);
  if (all <= 0) return null;
  const width = all * BURST.windowShare;
  let best: (Span & { count: number }) | null = null;
  for (let first = 0, last = 0; first < instants.length; first += 1) {
    last = Math.max(last, first);
    while (last + 1 < instants.length && instants[last + 1]! - instants[first]! <= width) last += 1;
    const count = last - first + 1;
    if (!best || count > best.count) best = { from: instants[first]!, to: instants[last]!, count };
  }
  const even = instants.length * BURST.windowShare;
  return best && best.count >= BURST.least && best.count >= BURST.density * even ? best : null;
}
