import { CATEGORY_MARGIN, CONTESTED_SHARE, HELD } from '../contract/constants.ts';
import type { Opinion } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import type { Category, TruthStatus } from '../contract/types.ts';

/**
 * Whether both sides hold: each of belief and disbelief reaches θ, or together they do and the smaller is at
 * least half of the larger. Source: reasoning model §11. Never throws.
 */
function isContested({ belief, disbelief }: Opinion): boolean {
  const smaller = roundForComparison(Math.min(belief, disbelief));
  if (smaller >= HELD) return true;
  return (
    roundForComparison(belief + disbelief) >= HELD &&
    smaller >= roundForComparison(Math.max(belief, disbelief) * CONTESTED_SHARE)
  );
}

/**
 * Belnap's four values of an opinion: Both where it is contested; else True b ≥ θ, False d ≥ θ; Neither
 * otherwise; θ = 0.2. Source: N. D. Belnap, "A useful four-valued logic", 1977; reasoning model §11. Never
 * throws.
 */
export function truthStatus(opinion: Opinion): TruthStatus {
  if (isContested(opinion)) return 'Both';
  if (roundForComparison(opinion.belief) >= HELD) return 'True';
  return roundForComparison(opinion.disbelief) >= HELD ? 'False' : 'Neither';
}

/**
 * How evenly evidence is divided: 2·min(r, s)/(r + s), 0 (none, or all on one side) to 1 (half against half).
 * §11.
 */
export function disputeLevel(r: number, s: number): number {
  return r + s > 0 ? (2 * Math.min(r, s)) / (r + s) : 0;
}

/** Category of a ranked claim, the first that fits. Source: rule 16; reasoning model §11. Never throws. */
export function category(opinion: Opinion): Category {
  if (isContested(opinion)) return 'contested';
  const margin = roundForComparison(opinion.belief - opinion.disbelief);
  if (-margin >= CATEGORY_MARGIN.moderate) return 'refuted';
  if (margin >= CATEGORY_MARGIN.strong) return 'strong';
  return margin >= CATEGORY_MARGIN.moderate ? 'moderate' : 'weak';
}
