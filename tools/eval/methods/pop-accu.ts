import type { Item, Method } from '../data-set.ts';
import { clamp, expectedRight, softmax, toAnswers, votesBySource } from './shared.ts';

const ACCURACY_AT_START = 0.8;
const ROUNDS = 50;

/**
 * As Accu, but a wrong source claims the wrong values as often as they are claimed: popular errors weigh
 * less. Source: X. L. Dong, B. Saha, D. Srivastava, Less is more: selecting sources wisely for integration,
 * PVLDB 6(2), 2012, the model PopAccu.
 */
export const popAccu: Method = (question) => {
  const counts = votesBySource(question);
  let accuracy = new Float64Array(question.sourceCount).fill(ACCURACY_AT_START);
  let probabilities: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    probabilities = question.items.map((item) => softmax(logLikelihoods(item, accuracy)));
    accuracy = expectedRight(question, probabilities).map((right, s) =>
      clamp(right / Math.max(1, counts[s]!), 0.01, 0.99),
    );
  }
  return toAnswers(question, probabilities);
};

/** ln P(all votes | value is right) for each value of the item. */
function logLikelihoods({ values, votes }: Item, accuracy: Float64Array): number[] {
  const supporters = values.map(() => 0);
  const weights = values.map(() => 0);
  for (const { source, value } of votes) {
    supporters[value]!++;
    weights[value]! += Math.log(accuracy[source]! / (1 - accuracy[source]!));
  }
  return values.map((_, right) => {
    const wrong = votes.length - supporters[right]!;
    return supporters.reduce(
      (sum, count, value) => (value === right ? sum : sum + count * Math.log(count / wrong)),
      weights[right]!,
    );
  });
}
