/**
 * Non-informative prior weight W: how much evidence uncertainty stands for. Items, > 0. Jøsang 2016, §3.3.2.
 */
export const PRIOR_WEIGHT = 2;
/** Base rate a of an opinion unless given. Probability. Jøsang 2016, §3.2. */
export const BASE_RATE = 0.5;

/**
 * A binomial opinion ω = (b, d, u, a) about one statement.
 * INVARIANT (opinion-sum): belief + disbelief + uncertainty = 1 within 1e-12, each in [0, 1]; baseRate in [0,
 * 1].
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
 * Boundless evidence on one side (Infinity) gives the dogmatic opinion for that side.
 * Source: Jøsang 2016, Def. 3.9 (Eq. 3.11). RangeError for negative evidence, NaN, boundless evidence on both
 * sides, a sum beyond the range of numbers, or a base rate outside [0, 1].
 */
export function opinionFromEvidence(r: number, s: number, baseRate = BASE_RATE): Opinion {
  if (!(r >= 0 && s >= 0)) throw new RangeError(`evidence must not be negative: r = ${r}, s = ${s}`);
  if (!(baseRate >= 0 && baseRate <= 1)) throw new RangeError(`baseRate must lie in [0, 1]: ${baseRate}`);
  const total = r + s + PRIOR_WEIGHT;
  if (total < Infinity) {
    return { belief: r / total, disbelief: s / total, uncertainty: PRIOR_WEIGHT / total, baseRate };
  }
  if (r < Infinity && s < Infinity) throw new RangeError(`evidence is too large: r = ${r}, s = ${s}`);
  if (r === s) throw new RangeError('boundless evidence on both sides has no opinion');
  return { belief: r === Infinity ? 1 : 0, disbelief: s === Infinity ? 1 : 0, uncertainty: 0, baseRate };
}

/**
 * The evidence behind an opinion: r = W·b/u, s = W·d/u; the inverse of `opinionFromEvidence`.
 * A dogmatic opinion (u = 0) stands for boundless evidence: Infinity on each side that has mass, 0 on the
 * other. Source: Jøsang 2016, Def. 3.9 (Eq. 3.11). RangeError for an invalid opinion.
 */
export function evidenceFromOpinion(opinion: Opinion): Evidence {
  checkOpinion(opinion, 'opinion');
  const { belief, disbelief, uncertainty } = opinion;
  return {
    r: belief === 0 ? 0 : (PRIOR_WEIGHT * belief) / uncertainty,
    s: disbelief === 0 ? 0 : (PRIOR_WEIGHT * disbelief) / uncertainty,
  };
}

/**
 * Probability expected from an opinion, P = b + a·u, in [0, 1].
 * Source: Jøsang 2016, Eq. 3.2. Never throws.
 */
export function expectedProbability(opinion: Opinion): number {
  return opinion.belief + opinion.baseRate * opinion.uncertainty;
}

/**
 * How far an opinion that comes from outside may miss a sum of 1: values that went through text are rounded.
 */
const SUM_TOLERANCE = 1e-9;

/**
 * Refuses anything but a binomial opinion: a part or base rate that is not a number in [0, 1], or parts that
 * do not sum to 1 within 1e-9. RangeError, its message starts with `name`.
 */
export function checkOpinion(opinion: Opinion, name: string): void {
  for (const part of ['belief', 'disbelief', 'uncertainty', 'baseRate'] as const) {
    const value = opinion[part];
    if (!(typeof value === 'number' && value >= 0 && value <= 1)) {
      throw new RangeError(`${name}: ${part} must be a number in [0, 1], not ${String(value)}`);
    }
  }
  const sum = opinion.belief + opinion.disbelief + opinion.uncertainty;
  if (Math.abs(sum - 1) > SUM_TOLERANCE) {
    throw new RangeError(`${name}: belief, disbelief and uncertainty must sum to 1, not ${sum}`);
  }
}

/** Refuses an empty list and any invalid opinion in it. RangeError naming the index, as `opinions[2]: …`. */
export function checkOpinions(opinions: readonly Opinion[]): void {
  if (opinions.length === 0) throw new RangeError('opinions: at least one opinion is needed');
  opinions.forEach((opinion, index) => checkOpinion(opinion, `opinions[${index}]`));
}
