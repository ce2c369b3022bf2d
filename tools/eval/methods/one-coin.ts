import type { Method } from '../data-set.ts';
import {
  clamp,
  expectedRight,
  falseValues,
  normalize,
  softmax,
  tally,
  toAnswers,
  votesBySource,
} from './shared.ts';

const ROUNDS = 50;

/**
 * One accuracy per source with a Beta prior whose two parameters are fitted to all sources by their moments
 * (empirical Bayes). Errors fall evenly on the other classes, or on as many wrong values as the item has
 * values where any text may be claimed. Source: the one-coin model of Y. Zhang, X. Chen, D. Zhou, M. I.
 * Jordan, Spectral methods meet EM, JMLR 17, 2016; the prior as in G. Casella, An introduction to empirical
 * Bayes data analysis, The American Statistician 39(2), 1985.
 */
export const oneCoin: Method = (question) => {
  const counts = votesBySource(question);
  let probabilities = question.items.map((item) => normalize(tally(item)));
  for (let round = 0; round < ROUNDS; round++) {
    const right = expectedRight(question, probabilities);
    const prior = betaByMoments(right, counts);
    const logOdds = right.map((r, s) => {
      const accuracy = clamp((r + prior.alpha) / (counts[s]! + prior.alpha + prior.beta), 0.01, 0.99);
      return Math.log(accuracy / (1 - accuracy));
    });
    probabilities = question.items.map((item) => {
      const spread = Math.log(falseValues(question, item.values.length));
      const votes = tally(item);
      return softmax(tally(item, logOdds).map((sum, value) => sum + votes[value]! * spread));
    });
  }
  return toAnswers(question, probabilities);
};

/** The Beta distribution with the mean and variance of the sources' accuracies. */
function betaByMoments(right: Float64Array, counts: Int32Array): { alpha: number; beta: number } {
  const rates = [...right].flatMap((r, s) => (counts[s]! > 0 ? [r / counts[s]!] : []));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length;
  const strength = clamp((mean * (1 - mean)) / Math.max(variance, 1e-9) - 1, 2, 1000);
  return { alpha: mean * strength, beta: (1 - mean) * strength };
}
