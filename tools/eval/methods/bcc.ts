import type { Method } from '../data-set.ts';
import { digamma } from './chi-square.ts';
import { classAnswers, classShares, classVotes, softmax } from './shared.ts';

const ROUNDS = 100;
const PRIOR = { right: 2, wrong: 1, class: 1 };

/**
 * Bayesian classifier combination: Dawid–Skene with Dirichlet distributions over the matrices and class
 * shares, by mean-field variational inference. Source: H.-C. Kim, Z. Ghahramani, Bayesian classifier
 * combination, AISTATS 2012; E. Simpson, S. Roberts, I. Psorakis, A. Smith, Dynamic Bayesian combination of
 * multiple imperfect classifiers, 2013 (the updates).
 */
export const bayesianClassifierCombination: Method = (question) => {
  const votes = classVotes(question);
  const classes = question.classes.length;
  let probabilities = classShares(votes, classes);
  for (let round = 0; round < ROUNDS; round++) {
    const logShares = expectedLogs(
      question.classes.map((_, j) => probabilities.reduce((sum, p) => sum + p[j]!, PRIOR.class)),
    );
    const counts = Array.from({ length: question.sourceCount }, () =>
      question.classes.map((_, j) => question.classes.map((_, l) => (j === l ? PRIOR.right : PRIOR.wrong))),
    );
    votes.forEach((said, i) => {
      for (const { source, label } of said)
        for (let j = 0; j < classes; j++) counts[source]![j]![label]! += probabilities[i]![j]!;
    });
    const logs = counts.map((rows) => rows.map(expectedLogs));
    probabilities = votes.map((said) =>
      softmax(
        logShares.map((log, j) =>
          said.reduce((sum, { source, label }) => sum + logs[source]![j]![label]!, log),
        ),
      ),
    );
  }
  return classAnswers(question, probabilities);
};

/** E[ln θ] of a Dirichlet distribution. */
function expectedLogs(parameters: readonly number[]): number[] {
  const total = digamma(parameters.reduce((sum, parameter) => sum + parameter, 0));
  return parameters.map((parameter) => digamma(parameter) - total);
}
