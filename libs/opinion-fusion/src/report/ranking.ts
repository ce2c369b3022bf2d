import type { Claim } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { category } from '../verdict/truth-status.ts';
import type { RankedClaim } from '../contract/types.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * Every claim kept, by belief minus disbelief, largest first, ties by id; ranks start at 1. Where nothing
 * changed, the rank included, the earlier entry. Also the entries by the place of the claim. Source: rule 16.
 * Never throws.
 */
export function rankClaims(
  { model, weighings }: Weighed,
  earlier: (claim: Claim) => RankedClaim | null = () => null,
): { readonly listed: RankedClaim[]; readonly byPlace: readonly RankedClaim[] } {
  const byPlace = new Array<RankedClaim>(model.claims.length);
  const ordered = inOrder(model.claims, (claim) => {
    const { belief, disbelief } = weighings[claim.index]!.opinion;
    return roundForComparison(belief - disbelief);
  });
  const listed = ordered.map((claim, i) => {
    const known = earlier(claim);
    return (byPlace[claim.index] = known?.rank === i + 1 ? known : rankedClaim(claim, i + 1, weighings));
  });
  return { listed, byPlace };
}

function rankedClaim(claim: Claim, rank: number, weighings: Weighed['weighings']): RankedClaim {
  const { opinion } = weighings[claim.index]!;
  return {
    rank,
    claim_id: claim.id,
    actor_id: claim.actor.id,
    subject_id: claim.subject?.id ?? null,
    predicate: claim.predicate,
    value: claim.input.value,
    category: category(opinion),
    expected_probability: expectedProbability(opinion),
    belief: opinion.belief,
    disbelief: opinion.disbelief,
    uncertainty: opinion.uncertainty,
  };
}

/**
 * Claims, which stand by id, by a margin, largest first. Numbers are sorted much faster than claims, and each
 * claim then finds its place: after all larger margins, and after those before it that have its own.
 */
function inOrder(claims: readonly Claim[], marginOf: (claim: Claim) => number): Claim[] {
  const margins = Float64Array.from(claims, marginOf);
  const sorted = margins.toSorted();
  const taken = new Int32Array(claims.length);
  const ordered = new Array<Claim>(claims.length);
  claims.forEach((claim, i) => {
    const last = lastAtMost(sorted, margins[i]!);
    ordered[claims.length - 1 - last + taken[last]!] = claim;
    taken[last]! += 1;
  });
  return ordered;
}

/** The place of the last number that is not above `most` in an ascending list that holds it. */
function lastAtMost(sorted: Float64Array, most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
