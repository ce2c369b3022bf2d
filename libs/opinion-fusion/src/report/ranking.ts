import type { Claim } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { category } from '../verdict/truth-status.ts';
import type { RankedClaim } from '../contract/types.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * Every claim kept, by belief minus disbelief, largest first, ties by id; ranks start at 1. Source: rule 16.
 * Never throws.
 */
export function rankClaims({ model, weighings }: Weighed): RankedClaim[] {
  return inOrder(model.claims, (claim) => {
    const { belief, disbelief } = weighings[claim.index]!.opinion;
    return roundForComparison(belief - disbelief);
  }).map((claim, i) => {
    const { opinion } = weighings[claim.index]!;
    return {
      rank: i + 1,
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
  });
}

/**
 * Claims, which stand by id, by a margin, largest first; many share one, so only the different margins are
 * sorted.
 */
function inOrder(claims: readonly Claim[], marginOf: (claim: Claim) => number): Claim[] {
  const byMargin = new Map<number, Claim[]>();
  for (const claim of claims) {
    const margin = marginOf(claim);
    const list = byMargin.get(margin);
    if (list) list.push(claim);
    else byMargin.set(margin, [claim]);
  }
  const margins = Float64Array.from(byMargin.keys()).sort().reverse();
  return Array.from(margins).flatMap((margin) => byMargin.get(margin)!);
}
