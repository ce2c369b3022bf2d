import type { Method } from '../data-set.ts';
import { expectedRight, tally, toAnswers, votesBySource } from './shared.ts';

const TRUST_AT_START = 0.9;
/** Dampens the confidence for sources that copy one another. */
const GAMMA = 0.3;
/** Trust is kept below 1 by this much, so that its score −ln(1 − trust) stays finite. */
const DOUBT = 1e-6;
const ROUNDS = 100;
/** The iteration ends when 1 − cos of the angle between two rounds of trust falls below this. */
const SETTLED = 1e-6;

/**
 * A value is likely when trustworthy sources claim it; a source is as trustworthy as its values are likely.
 * Without implication between values.
 * Source: X. Yin, J. Han, P. S. Yu, Truth discovery with multiple conflicting information providers on the
 * web, IEEE TKDE 20(6), 2008.
 */
export const truthFinder: Method = (question) => {
  const counts = votesBySource(question);
  let trust = new Float64Array(question.sourceCount).fill(TRUST_AT_START);
  let confidence: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const scores = trust.map((t) => -Math.log(1 - Math.min(t, 1 - DOUBT)));
    confidence = question.items.map((item) =>
      tally(item, scores).map((sum) => 1 / (1 + Math.exp(-GAMMA * sum))),
    );
    const next = expectedRight(question, confidence).map((right, s) => right / Math.max(1, counts[s]!));
    const turned = 1 - cosine(trust, next);
    trust = next;
    if (turned < SETTLED) break;
  }
  return toAnswers(question, confidence);
};

function cosine(a: Float64Array, b: Float64Array): number {
  const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
