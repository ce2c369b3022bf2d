import type { Method, Question } from '../data-set.ts';
import { classAnswers, classShares, classVotes, normalize, softmax } from './shared.ts';

const ROUNDS = 100;

/** What is taken to be known before any vote. */
interface Prior {
  /** Pseudo-counts of a row of a source's matrix, and the share of them on the right label. */
  readonly strength: number;
  readonly right: number;
  /** Pseudo-count of each class. */
  readonly class: number;
}

/**
 * A confusion matrix per source and class shares, by expectation–maximization from the vote shares.
 * Source: A. P. Dawid, A. M. Skene, Maximum likelihood estimation of observer error-rates using the EM
 * algorithm, Applied Statistics 28(1), 1979.
 */
export const dawidSkene: Method = (question) =>
  classAnswers(question, confusionEm(question, { strength: 1e-6, right: 0.5, class: 1e-6 }));

/**
 * Dawid–Skene with a Dirichlet prior on each row of the matrices.
 * Source: V. C. Raykar, S. Yu, L. H. Zhao, G. H. Valadez, C. Florin, L. Bogoni, L. Moy, Learning from crowds,
 * JMLR 11, 2010.
 */
export const learningFromCrowds: Method = (question) =>
  classAnswers(question, confusionEm(question, { strength: 4, right: 0.7, class: 1 }));

function confusionEm(question: Question, prior: Prior): number[][] {
  const votes = classVotes(question);
  const classes = question.classes.length;
  const right = prior.strength * prior.right;
  const wrong = (prior.strength * (1 - prior.right)) / (classes - 1);
  let probabilities = classShares(votes, classes);
  for (let round = 0; round < ROUNDS; round++) {
    const shares = normalize(
      question.classes.map((_, j) => probabilities.reduce((sum, p) => sum + p[j]!, prior.class)),
    );
    const confusion = Array.from({ length: question.sourceCount }, () =>
      question.classes.map((_, j) => question.classes.map((_, l) => (j === l ? right : wrong))),
    );
    votes.forEach((said, i) => {
      for (const { source, label } of said)
        for (let j = 0; j < classes; j++) confusion[source]![j]![label]! += probabilities[i]![j]!;
    });
    const logs = confusion.map((rows) => rows.map((row) => normalize(row).map(Math.log)));
    probabilities = votes.map((said) =>
      softmax(
        shares.map((share, j) =>
          said.reduce((sum, { source, label }) => sum + logs[source]![j]![label]!, Math.log(share)),
        ),
      ),
    );
  }
  return probabilities;
}
