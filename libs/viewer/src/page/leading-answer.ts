import { textOf } from '@platform/opinion-fusion';
import { isOpposite } from '../components/claim-statement.tsx';
import { shortened } from '../format/text.ts';
import { chanceText, shownChance } from '../format/words.ts';
import { joinVerdicts } from '../model.ts';
import { answeringVerdict } from '../panes/overview/answer.ts';
import { asksForValue, headlineOf } from '../panes/overview/headline.ts';
import type { JudgedInvestigation, Presentation } from '../snapshot.ts';

/** What an investigation answers, in one line. */
export interface LeadingAnswer {
  readonly subject_id: string;
  readonly predicate: string;
  /** The page's first words, `Probably Wilbur and Orville Wright (chance 78 %)`; at most 240 characters. */
  readonly text: string;
  /** The chance in the text; of a tie, that of the first value; null where no value counts. Probability. */
  readonly calibrated_probability: number | null;
}

const HEADLINE_LENGTH = 200;

/**
 * The answer of a judgement as lists show it: the finding that the author marked, or a guessed one, in the
 * words of the page. Null without a verdict. Pure.
 */
export function leadingAnswer({
  input,
  result,
  presentation = {},
}: Pick<JudgedInvestigation, 'input' | 'result'> & {
  readonly presentation?: Presentation;
}): LeadingAnswer | null {
  const full = 'summary_mode' in result ? null : result;
  const verdicts = joinVerdicts({ input, result, explanations: [] }, full, [], presentation);
  const verdict = answeringVerdict(verdicts, presentation, result.research_question);
  if (verdict === undefined) return null;
  const { subjectId: subject_id, predicate, result: found } = verdict;
  const leading = input.claims
    .filter((claim) => claim.subject_id === subject_id && claim.predicate === predicate)
    .filter(({ value }) => value === found.leading_value)
    .map((claim) => ({ input: claim }));
  const headline = headlineOf(verdict, {
    isValueAsked: asksForValue(verdict, {
      subjects: input.subjects.length,
      question: result.research_question,
      presentation,
    }),
    isValueDenied: leading.length > 0 && leading.every(isOpposite),
  });
  return {
    subject_id,
    predicate,
    text: `${shortened(textOf(headline), HEADLINE_LENGTH)}${found.no_value_counts ? '' : ` (chance ${chanceText(found)})`}`,
    calibrated_probability: shownChance(found),
  };
}
