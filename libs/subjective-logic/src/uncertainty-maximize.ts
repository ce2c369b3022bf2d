import { checkOpinion, expectedProbability } from './opinion.ts';
import type { Opinion } from './opinion.ts';

/**
 * The opinion of the same expected probability and base rate with the most uncertainty: u = min(P/a,
 * (1−P)/(1−a)). One of belief and disbelief becomes 0. For statements about a single settled fact, where
 * evidence for and against is no frequency. Source: Jøsang 2016, Section 3.5.6. RangeError for an invalid
 * opinion.
 */
export function uncertaintyMaximize(opinion: Opinion): Opinion {
  checkOpinion(opinion, 'opinion');
  const { baseRate } = opinion;
  const probability = Math.min(1, expectedProbability(opinion));
  // At P = a both bounds are 1 and only rounding tells them apart.
  if (probability === baseRate) return { belief: 0, disbelief: 0, uncertainty: 1, baseRate };
  if (probability < baseRate) {
    const uncertainty = probability / baseRate;
    return { belief: 0, disbelief: 1 - uncertainty, uncertainty, baseRate };
  }
  const uncertainty = (1 - probability) / (1 - baseRate);
  return { belief: 1 - uncertainty, disbelief: 0, uncertainty, baseRate };
}
