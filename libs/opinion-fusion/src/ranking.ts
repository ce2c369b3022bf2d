import { expectedProbability } from './opinion.ts';
import { compared } from './rounding.ts';
import { category } from './truth-status.ts';
import type { RankedClaim } from './types.ts';
import type { Weighed } from './weighing.ts';

/** Every claim kept, by belief minus disbelief, largest first, ties by id; ranks start at 1. Source: rule 16. Never throws. */
export function rankClaims({ model, weighings }: Weighed): RankedClaim[] {
  const margin = Float64Array.from(weighings, ({ opinion }) => compared(opinion.belief - opinion.disbelief));
  return model.claims
    .toSorted((a, b) => margin[b.index]! - margin[a.index]! || a.index - b.index)
    .map((claim, i) => {
      const { opinion } = weighings[claim.index]!;
      return {
        rank: i + 1,
        claim_id: claim.id,
        actor_id: claim.actor.id,
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
