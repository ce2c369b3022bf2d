import {
  CLAIM_TYPE_HALF_LIFE,
  CORROBORATIONS_MAX,
  FRESHNESS,
  SOURCES,
  STALE_BELOW,
  STATUS_FRESHNESS,
  STATUS_HALF_LIFE,
} from '../contract/constants.ts';
import { competenceOf } from '../model/model.ts';
import type { Actor, Claim, Model } from '../model/model.ts';
import { quote } from '../contract/quote.ts';
import { isBelowFloor } from '../model/reliability.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import { DAY_MS, parseTime } from '../contract/timestamp.ts';
import type { CorroborationEventInput } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';

/** How a claim has aged. */
export interface Ageing {
  /** Effective half-life in days, ≥ 0; 0 for a retracted claim. */
  readonly halfLifeDays: number;
  /** δ: share of the weight that age leaves, 0..1. */
  readonly decay: number;
  /** The instant that age counts from, milliseconds; null without an assertion time. */
  readonly origin: number | null;
  readonly ageDays: number;
  /** What the last valid corroboration is still worth, 0..1; 0 without one. */
  readonly recency: number;
  /** 0..1. */
  readonly freshness: number;
  readonly corroborations: number;
  readonly independentCorroborations: number;
  /** The last valid corroboration as written, and its instant. */
  readonly lastCorroborated: { readonly text: string; readonly ms: number } | null;
}

/**
 * Weight left of a claim after `ageDays`, from 1 (fresh) to 0; exactly 0.5 at one half-life.
 * `halfLifeDays` is the effective value; 0 leaves nothing. Nor do a thousand half-lives, of which a double
 * holds so little that a claim without weight would seem to have some. Ages are never negative here: clocks
 * of sources disagree and a claim from tomorrow must not gain weight. Source: rule 13. Never throws.
 */
export function decayFactor(ageDays: number, halfLifeDays: number): number {
  return ageDays < 1_000 * halfLifeDays ? 0.5 ** (ageDays / halfLifeDays) : 0;
}

/** Whether a claim of which age leaves `decay`, 0..1, is stale: less than a quarter. Source: rule 13. */
export const isStale = (decay: number): boolean => roundForComparison(decay) < STALE_BELOW;

/**
 * Effective half-life of a claim in days: domain (or investigation) × claim type × authority × epistemic
 * status; a claim's own half-life replaces the product, yet superseded still means a quarter and retracted
 * nothing. Always finite: a product too large for a number is the largest number. Source: rule 13; §5.
 */
export function effectiveHalfLife(claim: Claim, baseDays: number): number {
  const { status } = claim;
  if (claim.ownHalfLifeDays !== null) {
    const left = status === 'superseded' || status === 'retracted' ? STATUS_HALF_LIFE[status] : 1;
    return claim.ownHalfLifeDays * left;
  }
  // The factors first, which are exact, so that retracted is 0 whatever the days.
  const factor =
    CLAIM_TYPE_HALF_LIFE[claim.type] * SOURCES[claim.actor.type].authority * STATUS_HALF_LIFE[status];
  return Math.min(baseDays * factor, Number.MAX_VALUE);
}

/** Whether two actors cannot vouch for each other. */
export type SameVoice = (a: Actor, b: Actor) => boolean;

/** Ages one claim at t0. Source: rules 12 and 13; reasoning model §5. Never throws. */
export function ageClaim(claim: Claim, model: Model, sameVoice: SameVoice, warnings: Warnings): Ageing {
  const { settings } = model;
  const halfLifeDays = effectiveHalfLife(claim, settings.halfLifeDays);
  const events = claim.input.corroboration_events?.length
    ? validEvents(claim, model, sameVoice, warnings)
    : NO_EVENTS;
  let origin = claim.assertedAt;
  if (origin !== null) {
    for (const event of events)
      // The move is rounded, not the instant: its sum has digits to spare in some years and not in others
      // (§9, shifted times).
      origin = event.independent
        ? event.ms
        : origin + Math.round(settings.dependentRefreshFactor * (event.ms - origin));
  }
  const ageDays = origin === null ? 0 : daysSince(origin, settings.now);
  const decay = decayFactor(ageDays, halfLifeDays);
  const last = events.at(-1) ?? null;
  const recency = last === null ? 0 : decayFactor(daysSince(last.ms, settings.now), halfLifeDays);
  return {
    halfLifeDays,
    decay,
    origin,
    ageDays,
    recency,
    freshness:
      FRESHNESS.decay * decay +
      FRESHNESS.recency * recency +
      FRESHNESS.status * STATUS_FRESHNESS[claim.status],
    corroborations: events.length,
    independentCorroborations: events.filter((event) => event.independent).length,
    lastCorroborated: last,
  };
}

function daysSince(at: number, now: number): number {
  return Math.max(0, now - at) / DAY_MS;
}

interface ValidEvent {
  readonly ms: number;
  readonly text: string;
  readonly independent: boolean;
}

const NO_EVENTS: readonly ValidEvent[] = [];

/** The latest CORROBORATIONS_MAX corroborations that count, in the order of time, then actor id. */
function validEvents(
  claim: Claim,
  model: Model,
  sameVoice: SameVoice,
  warnings: Warnings,
): readonly ValidEvent[] {
  const valid: { readonly ms: number; readonly event: CorroborationEventInput }[] = [];
  for (const event of claim.input.corroboration_events!) {
    const ms = parseTime(event.time)!.ms;
    const reason = whyIgnored(claim, event, ms, model.settings.now);
    if (reason) {
      const by = `The corroboration of claim ${quote(claim.id)} by ${quote(event.actor_id)} at ${event.time}`;
      warnings.add(reason.code, claim.id, `${by} ${reason.text} and was ignored.`);
      continue;
    }
    valid.push({ ms, event });
  }
  valid.sort(
    (a, b) =>
      a.ms - b.ms ||
      byCodeUnits(a.event.actor_id, b.event.actor_id) ||
      byCodeUnits(a.event.time, b.event.time),
  );
  if (valid.length > CORROBORATIONS_MAX) {
    warnings.add(
      'corroborations_truncated',
      claim.id,
      `Claim ${quote(claim.id)} has ${valid.length} corroborations; the latest ${CORROBORATIONS_MAX} are kept.`,
    );
  }
  return valid.slice(-CORROBORATIONS_MAX).map(({ ms, event }) => ({
    ms,
    text: event.time,
    independent: isIndependent(claim, event, model, sameVoice, warnings),
  }));
}

function whyIgnored(claim: Claim, event: CorroborationEventInput, ms: number, now: number) {
  if (event.actor_id === claim.actor.id)
    return { code: 'self_corroboration', text: 'comes from the author of the claim' } as const;
  if (claim.assertedAt !== null && ms < claim.assertedAt)
    return {
      code: 'corroboration_before_assertion',
      text: 'is dated before the claim was asserted',
    } as const;
  if (ms > now)
    return { code: 'corroboration_after_now', text: 'is dated after the time of the analysis' } as const;
  return null;
}

function isIndependent(
  claim: Claim,
  event: CorroborationEventInput,
  model: Model,
  sameVoice: SameVoice,
  warnings: Warnings,
): boolean {
  const actor = model.actorById.get(event.actor_id);
  if (!actor) {
    warnings.add(
      'corroboration_by_unknown_actor',
      claim.id,
      `Claim ${quote(claim.id)} is corroborated by ${quote(event.actor_id)}, who is not among the actors and so cannot be shown independent; it counts as dependent.`,
    );
    return false;
  }
  return !sameVoice(actor, claim.actor) && !isBelowFloor(actor.base * competenceOf(actor, claim.predicate));
}
