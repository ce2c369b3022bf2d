import type { ActorInput, CorroborationEventInput } from '@platform/opinion-fusion';
import type { Claim, Model } from '../../model.ts';
import { judgedAsOf, timeMs } from '../../format/times.ts';
import { DAY_MS } from './time-scale.ts';

/** Below this effective reliability an actor cannot corroborate by itself. Probability. Rule 3. */
const CREDIBILITY_FLOOR = 0.15;
/**
 * Rule 12: how far a dependent corroboration moves the clock, unless the investigation says otherwise. Share.
 */
const DEPENDENT_REFRESH_FACTOR = 0.5;
/** Half-lives after which less than a quarter is left. Rule 13. */
const STALE_HALF_LIVES = 2;

export type CorroborationKind = 'independent' | 'dependent' | 'ignored';

export interface Corroboration {
  readonly at: number;
  readonly event: CorroborationEventInput;
  readonly actorName: string;
  readonly kind: CorroborationKind;
}

/**
 * A run of ageing between two corroborations: weight 0.5^((t − origin) / half-life) for t in [from, to).
 * Milliseconds.
 */
export interface Tooth {
  readonly from: number;
  readonly to: number;
  readonly origin: number;
}

/** The aging of a claim, drawn from the engine's numbers. Times in milliseconds. */
export interface Ageing {
  readonly assertedAt: number | null;
  /** In the order of time. */
  readonly corroborations: readonly Corroboration[];
  /** Null when the claim does not age: no analysis, or no time of assertion. 0 for a retracted claim. */
  readonly halfLifeMs: number | null;
  /** In the order of time, without gaps; the last one never ends. Empty when the claim does not age. */
  readonly teeth: readonly Tooth[];
  /** When less than a quarter of the weight is left; null when the claim does not age. */
  readonly staleAt: number | null;
}

/** Answers for claims of one model how they age. Joins dependent sources once. */
export function ageingOf(model: Model): (claim: Claim) => Ageing {
  const { input } = model.judged;
  const now = judgedAsOf(model.judged);
  const factor = Math.min(1, Math.max(0, input.dependent_refresh_factor ?? DEPENDENT_REFRESH_FACTOR));
  const classOf = dependenceClasses(model);
  const baseOf = new Map(
    model.claims.flatMap(({ audit }) => (audit ? [[audit.actor_id, audit.reliability.base]] : [])),
  );

  function kindOf(claim: Claim, event: CorroborationEventInput, at: number, assertedAt: number | null) {
    if (event.actor_id === claim.actor.id || at > now || (assertedAt !== null && at < assertedAt))
      return 'ignored';
    const actor = model.actorById.get(event.actor_id);
    if (!actor || classOf(actor.id) === classOf(claim.actor.id)) return 'dependent';
    const base = baseOf.get(actor.id) ?? actor.base_reliability ?? 1;
    return base * competenceOf(actor, claim.input.predicate) < CREDIBILITY_FLOOR
      ? 'dependent'
      : 'independent';
  }

  return (claim) => {
    const assertedAt = timeMs(claim.input.assertion_time);
    const corroborations = (claim.input.corroboration_events ?? [])
      .map((event): Corroboration => {
        const at = timeMs(event.time) ?? now;
        const actorName = model.actorById.get(event.actor_id)?.name ?? event.actor_id;
        return { at, event, actorName, kind: kindOf(claim, event, at, assertedAt) };
      })
      .toSorted((a, b) => a.at - b.at);
    const origin = timeMs(claim.analysis?.decay_origin);
    if (!claim.analysis || assertedAt === null || origin === null)
      return { assertedAt, corroborations, halfLifeMs: null, teeth: [], staleAt: null };
    const halfLifeMs = drawable(claim.analysis.effective_half_life_days * DAY_MS);
    return {
      assertedAt,
      corroborations,
      halfLifeMs,
      teeth: teethOf(assertedAt, corroborations, factor, origin),
      staleAt: origin + STALE_HALF_LIVES * halfLifeMs,
    };
  };
}

/**
 * A half-life that can be divided by and multiplied: a positive one is at least a millisecond, and none is
 * infinite.
 */
function drawable(halfLifeMs: number): number {
  return halfLifeMs > 0 ? Math.min(Math.max(halfLifeMs, 1), Number.MAX_VALUE) : 0;
}

/**
 * The saw of ageing and refreshing. Its last origin is the engine's; where the two differ, the engine's
 * stands alone.
 */
function teethOf(
  assertedAt: number,
  corroborations: readonly Corroboration[],
  factor: number,
  decayOrigin: number,
): Tooth[] {
  const teeth: Tooth[] = [];
  let from = assertedAt;
  let origin = assertedAt;
  for (const { at, kind } of corroborations) {
    if (kind === 'ignored') continue;
    if (at > from) teeth.push({ from, to: at, origin });
    from = at;
    origin = kind === 'independent' ? at : Math.round(origin + factor * (at - origin));
  }
  if (origin !== decayOrigin) return [{ from: assertedAt, to: Infinity, origin: decayOrigin }];
  return [...teeth, { from, to: Infinity, origin }];
}

/** The class of sources that speak with one voice, declared by depends_on or detected. */
function dependenceClasses({ judged: { input, result } }: Model): (actorId: string) => string {
  const parent = new Map<string, string>();
  const find = (id: string): string => {
    let root = id;
    while (parent.has(root)) root = parent.get(root)!;
    return root;
  };
  const join = (a: string, b: string) => {
    const [left, right] = [find(a), find(b)];
    if (left !== right) parent.set(left, right);
  };
  for (const actor of input.actors) for (const other of actor.depends_on ?? []) join(actor.id, other);
  if ('source_dependence' in result)
    for (const { actor_ids } of result.source_dependence) for (const id of actor_ids) join(id, actor_ids[0]!);
  return find;
}

function competenceOf(actor: ActorInput, predicate: string): number {
  const { competence } = actor;
  // A predicate may be called `constructor`, which every object has.
  const own = competence && Object.hasOwn(competence, predicate) ? competence[predicate] : undefined;
  return own ?? actor.default_competence ?? 1;
}
