import { textOf } from '@platform/opinion-fusion';
import { inBrackets, likelihoodWithChance } from '../format/words.ts';
import { createModel, type Model, type Verdict } from '../model.ts';
import { answerOf } from '../panes/overview/answer.ts';
import { statementOf } from '../panes/overview/statement-of.ts';

/** What the overview says, as plain text. */
export interface AnswerText {
  /**
   * The answer with its chance and sources, what it depends on, what would help most; empty without a
   * verdict.
   */
  readonly answer: readonly string[];
  /** The other findings in the order of the page, each a sentence with its likelihood and chance. */
  readonly findings: readonly string[];
}

/** The sentences of a published page for places that hold no markup, such as a terminal. Pure. */
export function answerText(judged: Parameters<typeof createModel>[0]): AnswerText {
  const model = createModel(judged);
  const answer = answerOf(model);
  if (answer === null) return { answer: [], findings: [] };
  const { headline, chance, sources, conditions, next, verdict } = answer;
  const first = [`${textOf(headline)}${inBrackets(chance)}.`, textOf(sources)]
    .filter((text) => text !== '')
    .join(' ');
  return {
    answer: [first, ...conditions.map(textOf), textOf(next)].filter((text) => text !== ''),
    findings: findingsBeside(verdict, model),
  };
}

const findingsBeside = (answering: Verdict, { verdicts }: Model): string[] =>
  verdicts
    .filter((verdict) => verdict !== answering)
    .map((verdict) => {
      const { result } = verdict;
      return `${textOf(statementOf(verdict))}: ${likelihoodWithChance(result)}.`;
    });
