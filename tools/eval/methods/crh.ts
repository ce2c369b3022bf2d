import type { Answer, Method, Question } from '../data-set.ts';
import { best, normalize, tally, toAnswers, votesBySource } from './shared.ts';

const ROUNDS = 20;

/**
 * Weighted vote that minimizes the weighted loss of all sources: the weight of a source is −ln of its share
 * of the largest mean loss. Zero-one loss for text; for numbers the weighted median, with the distance from
 * it in standard deviations of the item as loss. The stated chance is the share of weight. Source: Q. Li, Y.
 * Li, J. Gao, B. Zhao, W. Fan, J. Han, Resolving conflicts in heterogeneous data by truth discovery and
 * source reliability estimation, SIGMOD 2014.
 */
export const crh: Method = (question) =>
  question.kind === 'numeric' ? numericCrh(question) : categoricalCrh(question);

function categoricalCrh(question: Question): (Answer | null)[] {
  const counts = votesBySource(question);
  let weights: Float64Array = new Float64Array(question.sourceCount).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const losses = new Float64Array(question.sourceCount);
    for (const item of question.items) {
      const leading = best(tally(item, weights));
      for (const { source, value } of item.votes) if (value !== leading) losses[source]!++;
    }
    weights = weightsFrom(losses, counts);
  }
  return toAnswers(
    question,
    question.items.map((item) => normalize(tally(item, weights))),
  );
}

function numericCrh(question: Question): (Answer | null)[] {
  const counts = votesBySource(question);
  const numbers = question.items.map(({ values }) => values.map(Number));
  const deviations = question.items.map(({ votes }, i) => {
    const said = votes.map(({ value }) => numbers[i]![value]!);
    const mean = said.reduce((sum, x) => sum + x, 0) / Math.max(1, said.length);
    return Math.sqrt(said.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, said.length)) || 1;
  });
  let weights: Float64Array = new Float64Array(question.sourceCount).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const losses = new Float64Array(question.sourceCount);
    question.items.forEach((item, i) => {
      if (item.values.length === 0) return;
      const median = numbers[i]![weightedMedian(numbers[i]!, tally(item, weights))]!;
      for (const { source, value } of item.votes) {
        losses[source]! += Math.abs(numbers[i]![value]! - median) / deviations[i]!;
      }
    });
    weights = weightsFrom(losses, counts);
  }
  return question.items.map((item, i) => {
    if (item.values.length === 0) return null;
    const shares = normalize(tally(item, weights));
    const median = weightedMedian(numbers[i]!, shares);
    return { value: item.values[median]!, probability: shares[median]! };
  });
}

/** Half an error in one more claim keeps the weight of a source without errors finite. */
function weightsFrom(losses: Float64Array, counts: Int32Array): Float64Array {
  const mean = losses.map((loss, s) => (loss + 0.5) / (counts[s]! + 1));
  const largest = mean.reduce((max, loss) => Math.max(max, loss), 0);
  return mean.map((loss) => Math.max(1e-9, -Math.log(loss / largest)));
}

/** Index of the weighted median: the smallest number with at least half of the weight at or below it. */
export function weightedMedian(numbers: readonly number[], weights: readonly number[]): number {
  const order = [...numbers.keys()].sort((a, b) => numbers[a]! - numbers[b]!);
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let below = 0;
  for (const index of order) {
    below += weights[index]!;
    if (below >= half) return index;
  }
  return order.at(-1)!;
}
