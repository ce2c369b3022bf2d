import type { Method } from '../data-set.ts';
import { classAnswers, classShares, classVotes, softmax } from './shared.ts';

const ROUNDS = 50;
const STEPS = 20;
const RATE = 0.05;

/**
 * Ability α of each source and ease e^b of each item: a vote is right with probability 1/(1 + exp(−α·e^b)),
 * errors fall evenly on the other classes. Normal priors (mean 1, variance 1) on both, gradient ascent in the
 * M step. Source: J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma, J. Movellan, Whose vote should count more:
 * optimal integration of labels from labelers of unknown expertise, NIPS 2009.
 */
export const glad: Method = (question) => {
  const votes = classVotes(question);
  const classes = question.classes.length;
  const ability = new Float64Array(question.sourceCount).fill(1);
  const ease = new Float64Array(votes.length).fill(1);
  const rightness = (source: number, item: number) =>
    1 / (1 + Math.exp(-ability[source]! * Math.exp(ease[item]!)));
  let probabilities = classShares(votes, classes);
  for (let round = 0; round < ROUNDS; round++) {
    for (let step = 0; step < STEPS; step++) {
      const abilityGradient = ability.map((a) => 1 - a);
      const easeGradient = ease.map((e) => 1 - e);
      votes.forEach((said, i) => {
        for (const { source, label } of said) {
          const surplus = probabilities[i]![label]! - rightness(source, i);
          abilityGradient[source]! += surplus * Math.exp(ease[i]!);
          easeGradient[i]! += surplus * ability[source]! * Math.exp(ease[i]!);
        }
      });
      for (let s = 0; s < ability.length; s++) ability[s]! += (RATE * abilityGradient[s]!) / 10;
      for (let i = 0; i < ease.length; i++) ease[i]! += (RATE * easeGradient[i]!) / 10;
    }
    probabilities = votes.map((said, i) => {
      const logs = new Array<number>(classes).fill(0);
      for (const { source, label } of said) {
        const right = Math.min(1 - 1e-9, Math.max(1e-9, rightness(source, i)));
        for (let j = 0; j < classes; j++)
          logs[j]! += Math.log(j === label ? right : (1 - right) / (classes - 1));
      }
      return softmax(logs);
    });
  }
  return classAnswers(question, probabilities);
};
