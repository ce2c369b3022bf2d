import {
  CLAIM_TYPE_HALF_LIFE,
  CREDIBILITY_FLOOR,
  RELIABILITY_RANGE,
  REFINED_FACTOR,
  SELF_CONTRADICTION_FACTOR,
  SOURCES,
  STATUS_FRESHNESS,
  STATUS_HALF_LIFE,
} from '../contract/constants.ts';
import { judgeInvestigation } from '../verdict/judge-investigation.ts';
import { competenceOf } from '../model/model.ts';
import type { Claim } from '../model/model.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import { formatTime } from '../contract/timestamp.ts';
import { Warnings } from '../contract/warnings.ts';
import { isStale } from '../weighing/ageing.ts';
import { supportingEvidence, voiceCap } from '../weighing/claim-weighing.ts';
import type { Weighing } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { ClaimAudit, DecayAudit, HalfLifeAudit, ReliabilityAudit, WeightAudit } from './explanation.ts';

/**
 * What each claim weighs and why, one entry for every claim kept, by id as claim_analyses; its numbers are
 * the engine's own. Throws InvalidInvestigation for an input that cannot be judged. Source: rules 1–3, 12,
 * 13; reasoning model §4 and §5.
 */
export function auditClaims(input: unknown, { now }: { readonly now: Date }): ClaimAudit[] {
  return auditWeighed(judgeInvestigation(input, now, new Warnings(), () => {}).weighed);
}

/** `auditClaims` of claims that are weighed already. Never throws. */
export function auditWeighed(weighed: Weighed): ClaimAudit[] {
  const { model, weighings } = weighed;
  const repetitions = new Map<Claim, string[]>();
  for (const [id, claim] of model.claimById) {
    if (id === claim.id) continue;
    const ids = repetitions.get(claim);
    if (ids) ids.push(id);
    else repetitions.set(claim, [id]);
  }
  return model.claims.map((claim): ClaimAudit => {
    const weighing = weighings[claim.index]!;
    const { ageing } = weighing;
    return {
      claim_id: claim.id,
      actor_id: claim.actor.id,
      repetition_ids: (repetitions.get(claim) ?? []).sort(byCodeUnits),
      reliability: auditReliability(claim, weighing, weighed),
      half_life: auditHalfLife(claim, weighing, weighed),
      decay: auditDecay(claim, weighing),
      freshness: {
        decay: ageing.decay,
        recency: ageing.recency,
        status: STATUS_FRESHNESS[claim.status],
        score: ageing.freshness,
      },
      weight: auditWeight(claim, weighing, weighed),
    };
  });
}

function auditReliability(
  claim: Claim,
  { reliability, belowFloor }: Weighing,
  weighed: Weighed,
): ReliabilityAudit {
  const { actor, predicate } = claim;
  const k = weighed.contradictions[claim.index]!;
  const baseFrom = actor.base === actor.givenBase ? 'given' : 'clamped';
  const estimated = weighed.estimate?.statements.get(claim.id);
  return {
    given: actor.givenBase,
    ...(actor.record && { record: actor.record }),
    clamp_low: RELIABILITY_RANGE.low,
    clamp_high: RELIABILITY_RANGE.high,
    base: estimated?.base ?? actor.base,
    base_from: estimated ? 'estimated' : actor.givenBase === null ? 'source_type' : baseFrom,
    competence: competenceOf(actor, predicate),
    competence_from: actor.competence?.has(predicate) ? 'predicate' : 'default_competence',
    self_contradictions: k,
    self_contradiction: SELF_CONTRADICTION_FACTOR ** k,
    effective: reliability,
    floor: CREDIBILITY_FLOOR,
    below_floor: belowFloor,
  };
}

function auditHalfLife(claim: Claim, { ageing }: Weighing, { model }: Weighed): HalfLifeAudit {
  const { decay_half_life_days: given } = model.input;
  return {
    domain: model.settings.halfLifeDays,
    domain_from: given != null && given > 0 ? 'investigation' : 'domain',
    claim_type: CLAIM_TYPE_HALF_LIFE[claim.type],
    source_authority: SOURCES[claim.actor.type].authority,
    epistemic_status: STATUS_HALF_LIFE[claim.status],
    status: claim.status,
    override: claim.ownHalfLifeDays,
    effective_days: ageing.halfLifeDays,
  };
}

function auditDecay(claim: Claim, { ageing }: Weighing): DecayAudit {
  return {
    assertion_time: claim.input.assertion_time ?? null,
    origin: ageing.origin === null ? null : formatTime(ageing.origin),
    corroborations: ageing.corroborations,
    independent_corroborations: ageing.independentCorroborations,
    age_days: ageing.ageDays,
    factor: ageing.decay,
    is_stale: isStale(ageing.decay),
  };
}

function auditWeight(claim: Claim, weighing: Weighing, { refined, successions }: Weighed): WeightAudit {
  return {
    is_retracted: claim.status === 'retracted',
    superseded: successions.factorOf(claim),
    refined: refined.has(claim) ? REFINED_FACTOR : 1,
    weight: weighing.weight,
    supporting_evidence: supportingEvidence(claim),
    cap: voiceCap(weighing.weight, weighing.reliability),
    voice: weighing.voice,
    kappa: weighing.kappa,
    r: weighing.r,
    s: weighing.s,
  };
}
