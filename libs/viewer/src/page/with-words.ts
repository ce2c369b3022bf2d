import { statement, type ClaimInput, type Part } from '@platform/opinion-fusion';
import { isDenial } from '../components/claim-statement.tsx';
import { placeText } from '../format/words.ts';
import { createModel, type Model } from '../model.ts';
import { answerOf, type Answer } from '../panes/overview/answer.ts';
import { statementOf, userPart } from '../panes/overview/statement-of.ts';
import { sidesOf, sideText, type Sides } from '../panes/overview/sides.ts';
import type { AnswerWords, JudgedInvestigation, SidesWords } from '../snapshot.ts';

/**
 * The same with what it says in sentences. Where it holds a part of an investigation alone, `whole` is all of
 * it: who says what is told of every claim. Pure.
 */
export function withWords<Shown extends JudgedInvestigation>(
  shown: Shown,
  whole: Model = createModel(shown),
): Shown {
  const model = shown === whole.judged ? whole : createModel(shown);
  const answer = answerOf(whole);
  return {
    ...shown,
    words: {
      answer: answer && wordsOf(answer),
      verdicts: model.verdicts.map(statementOf),
      sides: model.verdicts.map((verdict) => sidesWords(sidesOf(verdict))),
      claims: shown.input.claims.map(({ id }) => {
        const { input, subject } = whole.claimById.get(id)!;
        return claimStatement(input, subject?.name);
      }),
    },
  };
}

const sidesWords = (sides: Sides | null): SidesWords | null =>
  sides && {
    for: sideText(sides, 'for'),
    against: sideText(sides, 'against'),
    short: `${sides.for.independent} for, ${sides.against.independent} against`,
    all: sides.all,
    independent: sides.independent,
    suspected: sides.for.suspected || sides.against.suspected,
  };

const wordsOf = ({ finding, headline, chance, sources, conditions, next }: Answer): AnswerWords => ({
  finding,
  headline,
  chance,
  sources,
  conditions,
  next,
});

/**
 * What a claim says about its subject as a sentence with its scope and time, in the words that every pane and
 * every export uses for it. Pure.
 */
export function claimStatement(input: ClaimInput, subjectName?: string): Part[] {
  const subject = subjectName ?? input.subject_id ?? 'an unknown subject';
  const proposition = { subject, predicate: input.predicate, value: input.value };
  return [...statement(proposition, { isDenied: isDenial({ input }) }), ...userPart(placeText(input))];
}
