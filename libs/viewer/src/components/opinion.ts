import type {
  ClaimAnalysisSummary,
  InterpretationClaim,
  OpinionSummary,
  RankedClaim,
} from '@platform/opinion-fusion';

const BASE_RATE = 0.5;

/**
 * A claim's opinion in the shape of a verdict's; claims carry no base rate of their own, it is the reasoning
 * model's 0.5.
 */
export function claimOpinion(
  claim: ClaimAnalysisSummary | RankedClaim | InterpretationClaim,
): OpinionSummary {
  return {
    support: 'support' in claim ? claim.support : claim.belief,
    opposition: 'opposition' in claim ? claim.opposition : claim.disbelief,
    uncertainty: claim.uncertainty,
    base_rate: BASE_RATE,
  };
}
