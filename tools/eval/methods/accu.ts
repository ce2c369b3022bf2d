import type { Method } from '../data-set.ts';
import { clamp, expectedRight, falseValues, softmax, tally, toAnswers, votesBySource } from './shared.ts';

const ACCURACY_AT_START = 0.8;
const OPEN_FALSE_VALUES = 100;
const ROUNDS = 50;

/**
 * Bayesian vote of independent sources: each adds ln(n·A/(1 − A)) to the value it claims; its accuracy A is
 * the mean probability of what it claims; n wrong values are equally likely. Source: X. L. Dong, L.
 * Berti-Équille, D. Srivastava, Integrating conflicting data: the role of source dependence, PVLDB 2(1),
 * 2009, the model Accu without copying.
 */
export const accu: Method = (question) => {
  const counts = votesBySource(question);
  const n = falseValues(question, OPEN_FALSE_VALUES);
  let accuracy = new Float64Array(question.sourceCount).fill(ACCURACY_AT_START);
  let probabilities: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const weights = accuracy.map((a) => Math.log((n * a) / (1 - a)));
    probabilities = question.items.map((item) =>
      softmax(tally(item, weights), { count: Math.max(0, n + 1 - item.values.length), log: 0 }),
    );
    accuracy = expectedRight(question, probabilities).map((right, s) =>
      clamp(right / Math.max(1, counts[s]!), 0.01, 0.99),
    );
  }
  return toAnswers(question, probabilities);
};
