import { BASE_RATE, PRIOR_WEIGHT } from './constants.ts';

/**
 * A binomial opinion ω = (b, d, u, a) about one statement.
 * INVARIANT (opinion-sum): belief + disbelief + uncertainty = 1 within 1e-12, each in [0, 1]; baseRate in [0, 1].
 */
export interface Opinion {
  readonly belief: number;
  readonly disbelief: number;
  readonly uncertainty: number;
  readonly baseRate: number;
}

/** Evidence behind an opinion: r for, s against; counts of observations, ≥ 0. */
export interface Evidence {
  readonly r: number;
  readonly s: number;
}

/**
 * The opinion that `r` observations for and `s` against give: b = r/(r+s+W), d = s/(r+s+W), u = W/(r+s+W).
 * Source: Jøsang 2016, Def. 3.9 (Eq. 3.11). Never throws.
 */
export function opinionFromEvidence(r: number, s: number, baseRate = BASE_RATE): Opinion {
  const total = r + s + PRIOR_WEIGHT;
  return { belief: r / total, disbelief: s / total, uncertainty: PRIOR_WEIGHT / total, baseRate };
}

/**
 * Probability expected from an opinion, P = b + a·u, in [0, 1].
 * Source: Jøsang 2016, Eq. 3.2. Never throws.
 */
export function expectedProbability(opinion: Opinion): number {
  return opinion.belief + opinion.baseRate * opinion.uncertainty;
}
