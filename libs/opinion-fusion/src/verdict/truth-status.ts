import { CATEGORY_MARGIN, HELD } from '../contract/constants.ts';
import type { Opinion } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import type { Category, TruthStatus } from '../contract/types.ts';

/**
 * Belnap's four values of an opinion: True b ≥ θ > d; False d ≥ θ > b; Both b, d ≥ θ; Neither otherwise; θ = 0.2.
 * Source: N. D. Belnap, "A useful four-valued logic", 1977; reasoning model §6. Never throws.
 */
export function truthStatus({ belief, disbelief }: Opinion): TruthStatus {
  const believed = roundForComparison(belief) >= HELD;
  const disbelieved = roundForComparison(disbelief) >= HELD;
  if (believed) return disbelieved ? 'Both' : 'True';
  return disbelieved ? 'False' : 'Neither';
}

/** Category of a ranked claim, the first that fits. Source: rule 16; reasoning model §6. Never throws. */
export function category({ belief, disbelief }: Opinion): Category {
  if (roundForComparison(belief) >= HELD && roundForComparison(disbelief) >= HELD) return 'contested';
  const margin = roundForComparison(belief - disbelief);
  if (-margin >= CATEGORY_MARGIN.moderate) return 'refuted';
  if (margin >= CATEGORY_MARGIN.strong) return 'strong';
  return margin >= CATEGORY_MARGIN.moderate ? 'moderate' : 'weak';
}
