import { mulberry32 } from './random.ts';

/** A difference and the interval in which it lies in 95 of 100 resamples. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The difference of means of two methods, averaged over sets, with its paired percentile bootstrap interval:
 * items are drawn with replacement within each set, both methods judged on the same draws. `sets[k][i]` is
 * [value of the first method, value of the second] on item i of set k. Source: B. Efron, R. J. Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13.
 */
export function pairedInterval(
  sets: readonly (readonly (readonly [number, number])[])[],
  seed: number,
  resamples = 1000,
): Interval {
  const next = mulberry32(seed);
  const differences = sets.map((pairs) => Float64Array.from(pairs, ([first, second]) => first - second));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const drawn = Array.from({ length: resamples }, () =>
    mean(
      differences.map((of) => {
        let sum = 0;
        for (let i = 0; i < of.length; i++) sum += of[Math.floor(next() * of.length)]!;
        return sum / of.length;
      }),
    ),
  ).sort((a, b) => a - b);
  return {
    difference: mean(differences.map((of) => of.reduce((sum, value) => sum + value, 0) / of.length)),
    low: drawn[Math.floor(0.025 * (resamples - 1))]!,
    high: drawn[Math.ceil(0.975 * (resamples - 1))]!,
  };
}
