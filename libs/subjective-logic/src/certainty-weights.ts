import type { Opinion } from './opinion.ts';

/**
 * Relative weights wᵢ = m / uᵢ with m the smallest uncertainty, each in [0, 1]; 1 for the opinions that have
 * u = m. They are Π_{j≠i} uⱼ of the published formulas divided by Π uⱼ / m, so they neither underflow with
 * many opinions nor need a case of their own for dogmatic ones: with m = 0 the dogmatic opinions weigh 1 each
 * and the others nothing, which is the limit that van der Heijden et al. 2018 (Section III) take, with equal
 * γ.
 */
export function certaintyWeights(opinions: readonly Opinion[]): { weights: number[]; least: number } {
  const least = opinions.reduce((min, { uncertainty }) => Math.min(min, uncertainty), 1);
  return { least, weights: opinions.map(({ uncertainty: u }) => (u === least ? 1 : least / u)) };
}

/**
 * Mean of the base rates by `weights`; the plain mean when all weights are 0. Weights are taken relative to
 * the largest, since products with the smallest numbers there are keep no digits.
 */
export function meanBaseRate(opinions: readonly Opinion[], weights: readonly number[]): number {
  const largest = weights.reduce((max, weight) => Math.max(max, weight), 0);
  let sum = 0;
  let total = 0;
  let plain = 0;
  opinions.forEach(({ baseRate }, i) => {
    const weight = largest > 0 ? weights[i]! / largest : 0;
    sum += weight * baseRate;
    total += weight;
    plain += baseRate;
  });
  return Math.min(1, total > 0 ? sum / total : plain / opinions.length);
}
