import type { Method } from '../data-set.ts';
import { chiSquareQuantile } from './chi-square.ts';
import { best, normalize, tally, toAnswers, votesBySource } from './shared.ts';

const ROUNDS = 20;
const ALPHA = 0.05;
/** Keeps the weight of a source without errors finite. Errors. */
const LOSS_AT_LEAST = 0.5;

/**
 * As CRH, but with the weight χ²(α/2, n)/loss: a source that says little gets less weight than its few errors
 * suggest. The stated chance is the share of weight. Source: Q. Li, Y. Li, J. Gao, L. Su, B. Zhao, M.
 * Demirbas, W. Fan, J. Han, A confidence-aware approach for truth discovery on long-tail data, PVLDB 8(4),
 * 2014.
 */
export const catd: Method = (question) => {
  const counts = votesBySource(question);
  const quantiles = new Map(
    [...new Set(counts)].map((n) => [n, n === 0 ? 0 : chiSquareQuantile(ALPHA / 2, n)]),
  );
  let weights = new Float64Array(question.sourceCount).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const losses = new Float64Array(question.sourceCount);
    for (const item of question.items) {
      const leading = best(tally(item, weights));
      for (const { source, value } of item.votes) if (value !== leading) losses[source]!++;
    }
    weights = losses.map((loss, s) => quantiles.get(counts[s]!)! / Math.max(loss, LOSS_AT_LEAST));
  }
  return toAnswers(
    question,
    question.items.map((item) => normalize(tally(item, weights))),
  );
};
