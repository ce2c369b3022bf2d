import type { Method } from '../data-set.ts';
import { digamma } from './chi-square.ts';
import { classAnswers, classShares, classVotes, softmax } from './shared.ts';

const ROUNDS = 100;
/** Pseudo-counts of the Beta prior on honesty and the Dirichlet prior on what a spammer says. */
const PRIOR = 0.5;

/**
 * Each vote either copies the truth or is spam drawn from the source's own favorites; both are learned by
 * variational expectation–maximization, from one even start instead of the paper's ten random ones. Source:
 * D. Hovy, T. Berg-Kirkpatrick, A. Vaswani, E. Hovy, Learning whom to trust with MACE, NAACL 2013.
 */
export const mace: Method = (question) => {
  const votes = classVotes(question);
  const classes = question.classes.length;
  const sources = Array.from({ length: question.sourceCount });
  /** By source: of copying the truth, and of spamming. */
  let honesty = sources.map(() => [0.5, 0.5]);
  let spam = sources.map(() => new Array<number>(classes).fill(1 / classes));
  let probabilities = classShares(votes, classes);
  for (let round = 0; round < ROUNDS; round++) {
    const spams = ({ source, label }: { source: number; label: number }) =>
      honesty[source]![1]! * spam[source]![label]!;
    probabilities = votes.map((said) => {
      const logs = new Array<number>(classes).fill(0);
      for (const vote of said) {
        const [honest, spamming] = [honesty[vote.source]![0]!, spams(vote)];
        for (let j = 0; j < classes; j++) logs[j]! += Math.log((j === vote.label ? honest : 0) + spamming);
      }
      return softmax(logs);
    });
    const honestCounts = sources.map(() => [PRIOR, PRIOR]);
    const spamCounts = sources.map(() => new Array<number>(classes).fill(PRIOR));
    votes.forEach((said, i) => {
      for (const vote of said) {
        const honest = honesty[vote.source]![0]!;
        const copied = (probabilities[i]![vote.label]! * honest) / (honest + spams(vote));
        honestCounts[vote.source]![0]! += copied;
        honestCounts[vote.source]![1]! += 1 - copied;
        spamCounts[vote.source]![vote.label]! += 1 - copied;
      }
    });
    honesty = honestCounts.map(variational);
    spam = spamCounts.map(variational);
  }
  return classAnswers(question, probabilities);
};

/** exp(E[ln θ]) of a Dirichlet distribution; sums to less than 1. */
function variational(counts: readonly number[]): number[] {
  const total = digamma(counts.reduce((sum, count) => sum + count, 0));
  return counts.map((count) => Math.exp(digamma(count) - total));
}
