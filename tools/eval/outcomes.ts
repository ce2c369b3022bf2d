import type { Answer, DataSet, Method } from './data-set.ts';
import { isRight, toQuestion } from './data-set.ts';
import { score } from '@platform/opinion-fusion';
import type { CheckedChance } from '@platform/opinion-fusion';

/**
 * The answers of a set against its right values. An item without an answer counts as wrong, stated with
 * chance 0.
 */
export function toOutcomes(set: DataSet, answers: readonly (Answer | null)[]): CheckedChance[] {
  return Object.entries(set.gold).map(([item, right]) => {
    const answer = answers[Number(item)] ?? null;
    return answer === null
      ? { right: false, probability: 0 }
      : { right: isRight(set, answer.value, right), probability: answer.probability };
  });
}

/** Share of the items whose right value is known on which the method is right. */
export function rightShare(set: DataSet, method: Method): number {
  return score(toOutcomes(set, method(toQuestion(set)))).accuracy;
}
