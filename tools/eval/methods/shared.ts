import type { Answer, Item, Question } from '../data-set.ts';

/** Two scores closer than this are a tie, which the value that was claimed first wins. */
const TIE = 1e-12;

/** The index of the largest score; ties go to the smaller index. */
export function best(scores: ArrayLike<number>): number {
  let index = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[index]! + TIE) index = i;
  return index;
}

/** Scales to sum 1; equal shares where the sum is 0. */
export function normalize(scores: readonly number[]): number[] {
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.map((score) => (sum > 0 ? score / sum : 1 / scores.length));
}

/** Probabilities in proportion to eˣ. `others`: the log scores of further outcomes that are not listed. */
export function softmax(
  logs: readonly number[],
  others: { count: number; log: number } | null = null,
): number[] {
  const high = Math.max(...logs, others && others.count > 0 ? others.log : -Infinity);
  const terms = logs.map((log) => Math.exp(log - high));
  const rest = others ? others.count * Math.exp(others.log - high) : 0;
  const sum = terms.reduce((total, term) => total + term, rest);
  return terms.map((term) => term / sum);
}

/** Sum of a weight per source over the votes for each value of an item. */
export function tally(item: Item, weights: ArrayLike<number> | null = null): number[] {
  const scores = item.values.map(() => 0);
  for (const { source, value } of item.votes) scores[value]! += weights ? weights[source]! : 1;
  return scores;
}

/** Answers from probabilities by item and value. */
export function toAnswers(
  { items }: Question,
  probabilities: readonly (readonly number[])[],
): (Answer | null)[] {
  return items.map(({ values }, i) => {
    if (values.length === 0) return null;
    const leading = best(probabilities[i]!);
    return { value: values[leading]!, probability: probabilities[i]![leading]! };
  });
}

/** How many votes each source cast. */
export function votesBySource({ items, sourceCount }: Question): Int32Array {
  const counts = new Int32Array(sourceCount);
  for (const { votes } of items) for (const { source } of votes) counts[source]!++;
  return counts;
}

/** How often each source is expected to be right, given the probability of each value. */
export function expectedRight(
  { items, sourceCount }: Question,
  probabilities: readonly (readonly number[])[],
): Float64Array {
  const right = new Float64Array(sourceCount);
  items.forEach(({ votes }, i) => {
    for (const { source, value } of votes) right[source]! += probabilities[i]![value]!;
  });
  return right;
}

export function clamp(x: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, x));
}

/**
 * Wrong values that an item of the set can have: the other classes, or `open` where any text may be claimed.
 */
export function falseValues({ classes }: Question, open: number): number {
  return classes.length > 1 ? classes.length - 1 : open;
}

/** Items of a set with classes: votes as class indices. */
export function classVotes({ items, classes }: Question): { source: number; label: number }[][] {
  const indexOf = new Map(classes.map((name, index) => [name, index]));
  return items.map(({ values, votes }) =>
    votes.map(({ source, value }) => ({ source, label: indexOf.get(values[value]!)! })),
  );
}

/** Answers from probabilities by item and class; ties go to the value that was claimed first. */
export function classAnswers(
  question: Question,
  probabilities: readonly (readonly number[])[],
): (Answer | null)[] {
  const indexOf = new Map(question.classes.map((name, index) => [name, index]));
  return question.items.map(({ values }, i) => {
    if (values.length === 0) return null;
    const claimed = values.map((value) => indexOf.get(value)!);
    const order = [...claimed, ...question.classes.keys()];
    const leading = order[best(order.map((label) => probabilities[i]![label]!))]!;
    return { value: question.classes[leading]!, probability: probabilities[i]![leading]! };
  });
}

/** The share of votes for each class of each item; equal shares where nobody voted. */
export function classShares(votes: readonly { label: number }[][], classCount: number): number[][] {
  return votes.map((said) => {
    const counts = new Array<number>(classCount).fill(0);
    for (const { label } of said) counts[label]!++;
    return normalize(counts);
  });
}
