import type { Ageing } from '../weighing/ageing.ts';
import { SUGGEST } from '../contract/constants.ts';
import type { Claim } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { formatTime, parseTime } from '../contract/timestamp.ts';
import { spellingsOfDenied } from '../verdict/denials.ts';
import { truthStatus } from '../verdict/truth-status.ts';
import type { ClaimAnalysisSummary } from '../contract/types.ts';
import type { EpistemicStatus } from '../contract/vocabulary.ts';
import type { Weighing } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** One summary for every claim kept, by id; `earlier` gives those in which nothing changed. Never throws. */
export function analyzeClaims(
  weighed: Weighed,
  earlier: (claim: Claim) => ClaimAnalysisSummary | null = () => null,
): ClaimAnalysisSummary[] {
  const spellingsOf = spellingsOfDenied(weighed);
  return weighed.model.claims.map(
    (claim) => earlier(claim) ?? analyseClaim(claim, weighed.weighings[claim.index]!, spellingsOf(claim)),
  );
}

function analyseClaim(claim: Claim, weighing: Weighing, deniedAs: readonly string[]): ClaimAnalysisSummary {
  const { opinion, ageing } = weighing;
  const analysis: ClaimAnalysisSummary = {
    claim_id: claim.id,
    predicate: claim.predicate,
    value: claim.input.value,
    actor_id: claim.actor.id,
    truth_status: truthStatus(opinion),
    expected_probability: expectedProbability(opinion),
    support: opinion.belief,
    opposition: opinion.disbelief,
    uncertainty: opinion.uncertainty,
    temporal_decay_factor: ageing.decay,
    effective_half_life_days: ageing.halfLifeDays,
    freshness_score: ageing.freshness,
    supporting_count: weighing.supporting,
    refuting_count: weighing.refuting,
    neutral_count: weighing.neutral,
    epistemic_status: claim.status,
    decay_origin: originOf(claim, ageing),
    corroboration_count: ageing.corroborations,
  };
  if (claim.input.assertion_time != null) analysis.assertion_time = claim.input.assertion_time;
  if (ageing.lastCorroborated) analysis.last_corroborated = ageing.lastCorroborated.text;
  if (weighing.belowFloor) analysis.below_credibility_floor = true;
  const suggested = suggestStatus(claim, weighing);
  if (deniedAs.length > 0) analysis.denied_as = [...deniedAs];
  if (suggested !== claim.status) analysis.suggested_epistemic_status = suggested;
  return analysis;
}

/**
 * The instant decay counts from, as text; where that is the assertion in a usual form, made from its own
 * text.
 */
function originOf({ assertedAt, input }: Claim, { origin }: Ageing): string | null {
  if (origin === null) return null;
  const written = input.assertion_time;
  if (origin !== assertedAt || written == null || !USUAL.test(written)) return formatTime(origin);
  // A time in the future counts as now: its text says another instant.
  if (parseTime(written)!.ms !== origin) return formatTime(origin);
  return written.length === 24 ? written : `${written.slice(0, -1)}.000Z`;
}

const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{3})?Z$/;

/** The epistemic status that the evidence calls for; law is never suggested. Source: reasoning model §5. */
function suggestStatus(claim: Claim, { opinion, ageing }: Weighing): EpistemicStatus {
  const P = roundForComparison(expectedProbability(opinion));
  const independent = ageing.independentCorroborations;
  switch (claim.status) {
    case 'conjecture':
      return independent >= SUGGEST.hypothesisCorroborations || P >= SUGGEST.hypothesisProbability
        ? 'hypothesis'
        : 'conjecture';
    case 'hypothesis':
      return independent >= SUGGEST.theoryCorroborations && P >= SUGGEST.theoryProbability
        ? 'theory'
        : 'hypothesis';
    case 'theory':
      return roundForComparison(opinion.disbelief) >= SUGGEST.demoteDisbelief ? 'hypothesis' : 'theory';
    case 'law':
    case 'superseded':
    case 'retracted':
      return claim.status;
  }
}
