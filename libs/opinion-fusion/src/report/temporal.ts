import { byIds } from '../interpretations/causal-chains.ts';
import { CHAINS_MAX } from '../contract/constants.ts';
import type { Claim } from '../model/model.ts';
import { maximalPaths } from '../interpretations/paths.ts';
import { roundForComparison } from '../contract/rounding.ts';
import type { TemporalAnalysis } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';
import { isStale } from '../weighing/ageing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * What time has done to the claims; null when no kept claim has corroborations or an epistemic status,
 * supersedes or is superseded. Source: rule 13; reasoning model §5 and §8. Never throws.
 */
export function analyzeTime({ model, weighings }: Weighed, warnings: Warnings): TemporalAnalysis | null {
  const { claims } = model;
  if (!claims.some(usesTime)) return null;
  const ageing = (claim: Claim) => weighings[claim.index]!.ageing;
  let freshness = 0;
  for (const claim of claims) freshness += ageing(claim).freshness;
  const { paths, complete } = maximalPaths(
    claims.filter((claim) => claim.supersededBy.length > 0 && claim.supersedes.length === 0),
    (claim) => claim.supersededBy,
    CHAINS_MAX,
  );
  if (!complete)
    warnings.add(
      'listing_truncated',
      '',
      `There are more supersession chains than the ${CHAINS_MAX} listed.`,
    );
  return {
    stale_claims: claims
      .filter((claim) => isStale(ageing(claim).decay))
      .sort(
        (a, b) =>
          roundForComparison(ageing(a).decay) - roundForComparison(ageing(b).decay) || a.index - b.index,
      )
      .map((claim) => ({
        claim_id: claim.id,
        age_days: ageing(claim).ageDays,
        decay_factor: ageing(claim).decay,
        recommendation: recommend(claim),
      })),
    recently_corroborated: claims
      .filter((claim) => ageing(claim).lastCorroborated !== null)
      .sort((a, b) => ageing(b).lastCorroborated!.ms - ageing(a).lastCorroborated!.ms || a.index - b.index)
      .map((claim) => ({
        claim_id: claim.id,
        corroboration_count: ageing(claim).corroborations,
        last_corroborated: ageing(claim).lastCorroborated!.text,
        freshness_score: ageing(claim).freshness,
      })),
    supersession_chains: paths
      .map((path) => path.map((claim) => claim.id))
      .sort(byIds)
      .map((ids) => ({ claim_ids: ids, current_claim_id: ids.at(-1)! })),
    overall_freshness: freshness / claims.length,
  };
}

function usesTime({ input, supersedes, supersededBy }: Claim): boolean {
  if (input.epistemic_status != null || supersedes.length > 0 || supersededBy.length > 0) return true;
  return (input.corroboration_events?.length ?? 0) > 0;
}

function recommend(claim: Claim): string {
  if (claim.status === 'retracted') return 'Retracted: leave it out, or replace it by what took its place.';
  if (claim.status === 'superseded')
    return claim.supersededBy.length > 0
      ? `Superseded: rely on ${claim.supersededBy.map((other) => other.id).join(', ')} instead.`
      : 'Superseded: find and add the claim that replaced it.';
  return 'Old: look for a recent confirmation by an independent source, or for what has changed since.';
}
