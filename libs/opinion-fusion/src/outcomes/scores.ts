/** One answer compared with the truth. */
export interface CheckedChance {
  readonly right: boolean;
  /** The stated chance of being right; null where the method states none. Probability. */
  readonly probability: number | null;
}

/** How good a method is on one set; the last three are null where it states no probabilities. */
export interface Scores {
  /** Share of right answers, 0..1. */
  readonly accuracy: number;
  /** Mean squared difference between the stated chance and what was right (1) or wrong (0); 0 is best. */
  readonly brier: number | null;
  /** Mean −ln of the chance stated for the right answer; chances clipped to [0.001, 0.999]. Nats. */
  readonly logLoss: number | null;
  /**
   * Mean distance of stated chance and share of right answers over ten equal bins, weighted by size; 0 is
   * best.
   */
  readonly calibrationError: number | null;
}

/** A bin of stated chances. */
export interface Bin {
  readonly count: number;
  /** Mean stated chance and share of right answers; both 0 in an empty bin. */
  readonly stated: number;
  readonly right: number;
}

const CLIP = 0.001;
const BINS = 10;

/** Scores of a non-empty list of outcomes. */
export function score(outcomes: readonly CheckedChance[]): Scores {
  const mean = (of: (outcome: CheckedChance) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  const stated = outcomes.every(({ probability }) => probability !== null);
  return {
    accuracy: mean(({ right }) => Number(right)),
    brier: stated ? mean(squaredError) : null,
    logLoss: stated
      ? mean(({ right, probability }) => {
          const p = Math.min(1 - CLIP, Math.max(CLIP, probability!));
          return -Math.log(right ? p : 1 - p);
        })
      : null,
    calibrationError: stated
      ? bins(outcomes).reduce((sum, bin) => sum + bin.count * Math.abs(bin.stated - bin.right), 0) /
        outcomes.length
      : null,
  };
}

/** The squared error of one stated chance. */
export function squaredError({ right, probability }: CheckedChance): number {
  return (probability! - Number(right)) ** 2;
}

/** The outcomes by stated chance in ten bins of equal width; a chance of exactly 1 is in the last. */
export function bins(outcomes: readonly CheckedChance[]): Bin[] {
  const sums = Array.from({ length: BINS }, () => ({ count: 0, stated: 0, right: 0 }));
  for (const { right, probability } of outcomes) {
    const bin = sums[Math.min(BINS - 1, Math.floor(probability! * BINS))]!;
    bin.count++;
    bin.stated += probability!;
    bin.right += Number(right);
  }
  return sums.map(({ count, stated, right }) => ({
    count,
    stated: stated / Math.max(1, count),
    right: right / Math.max(1, count),
  }));
}
