import type { Method } from '../data-set.ts';
import { normalize, tally, toAnswers } from './shared.ts';

/** The value that most sources claim; its share of the votes is the stated chance. */
export const majorityVote: Method = (question) =>
  toAnswers(
    question,
    question.items.map((item) => normalize(tally(item))),
  );
