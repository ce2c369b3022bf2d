import {
  isTurned,
  movesBetween,
  saysTheSame,
  type ComparedVerdict,
  type JudgedVerdicts,
  type MovedAnswer,
  type Part,
} from '@platform/opinion-fusion';
import { percent } from '../format/numbers.ts';
import { answerWord, chanceOf, placeText } from '../format/words.ts';
import { verdictsOf } from '../model.ts';
import { userPart } from '../panes/overview/statement-of.ts';
import type { ChangedAnswer, ChangesSince, JudgedInvestigation, Presentation } from '../snapshot.ts';
import { moveWords } from '../changes/move-words.ts';

/** Moves smaller than this are those of time passing; they are counted, not listed. Probability. */
const LEAST_MOVE = 0.005;

type Judged = Pick<JudgedInvestigation, 'result'>;

/** The answers that moved since an earlier judgement, as comparisons of judgements find them. Pure. */
export function changesSince(
  before: Judged,
  now: JudgedInvestigation & { readonly share?: Presentation },
): ChangesSince {
  const { patterns } = now.share ?? now.presentation ?? {};
  const all = movesBetween(verdictsIn(before), verdictsIn(now));
  const moved = all.filter(({ move }) => isTurned(move) || Math.abs(move.move) >= LEAST_MOVE);
  return {
    all: all.length,
    answers: moved.map((answer): ChangedAnswer => ({
      subject_id: answer.move.subject_id,
      predicate: answer.move.predicate,
      ...moveWords(answer.move, patterns),
      was: earlierWords(answer),
    })),
  };
}

type MovedVerdict = NonNullable<MovedAnswer['pair'][0]>['verdict'];

/** Compact results have the strongest verdicts alone. */
const verdictsIn = ({ result }: Judged): JudgedVerdicts => ({
  ...result,
  subject_results: [...verdictsOf(result)],
});

/** What led before, or with which chance, where a reader would see a difference; else null. */
function earlierWords({ pair: [was, is], move: { before, after } }: MovedAnswer): readonly Part[] | null {
  if (!was || !before) return null;
  // Results of engine 1 list none.
  const { rival_values: rivals }: Partial<MovedVerdict> = was.verdict;
  const where = userPart(placeText({ ...rivals?.[0] }));
  const [led, chance] = [leaderOf(before), percent(chanceOf(was.verdict))];
  if (is && after && isSame(led, leaderOf(after)))
    return before.chance === null || chance === percent(chanceOf(is.verdict)) ? null : [chance, ...where];
  return led === null
    ? ['no answer led', ...where]
    : ['“', { user: answerWord(led) }, '”', ...where, ` led (${chance})`];
}

/** What leads; null where values are tied, or sources only deny them. Of yes and no the chance tells it. */
const leaderOf = ({ leading_value: value, denied }: ComparedVerdict): string | null =>
  denied && value !== 'true' ? null : value;

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : saysTheSame(one, other);
