import { isYesNo, type Contribution, type Part } from '@platform/opinion-fusion';
import { saysYesOrNo } from '../../../components/claim-statement.tsx';
import { answerWord, chanceOf, leadingPlaceText, togetherOf } from '../../../format/words.ts';
import type { Model, Verdict } from '../../../model.ts';
import { isDenied, othersNamed } from '../headline.ts';
import { isSpoken, isVoice } from '../sides.ts';

/** What line one says, as the sentence on its sources refers to it. */
export interface Standpoint {
  /** The value that it is about is one that no source affirms. */
  readonly isDenial: boolean;
  /** The answer is no. */
  readonly isNo: boolean;
  /** The answer is yes and has less than half of the chance, because a third answer is given. */
  readonly isOneOfThree: boolean;
  /** The values that line one names besides the leading one; null where it names one alone. */
  readonly others: ReturnType<typeof othersNamed>;
  /** Behind `One source says`. */
  readonly so: Part;
  /** Behind `one item of evidence speaks for`. */
  readonly it: Part;
  /** The leading value with its scope and time, where line one does not tell them. */
  readonly leading: Part;
  /** The side of contributions that speak for what line one says: those against where the answer is no. */
  readonly side: Contribution['side'];
  readonly ours: 'for' | 'against';
  readonly theirs: 'for' | 'against';
}

export function standpointOf(
  verdict: Verdict,
  contributions: readonly Contribution[],
  model: Model,
): Standpoint {
  const { result } = verdict;
  const { leading_value: value } = result;
  const isDenial = isDenied(verdict, model);
  const isUnlikely =
    value !== null && isYesNo({ subject: '', predicate: '', value }) && chanceOf(result) < 0.5;
  // Against a yes that leads besides a third answer, that answer may speak and not the no.
  const isOneOfThree =
    isUnlikely &&
    !isDenial &&
    contributions.some((one) => isVoice(one) && isSpoken(one) && isThirdAnswer(one, model));
  const isNo = isUnlikely && !isOneOfThree;
  const others = isDenial ? null : othersNamed(result, isDenial);
  const isOneOfSeveral = others !== null || (!isDenial && togetherOf(result) !== null);
  const leading = {
    user: value === null ? '' : `${answerWord(value)}${others === null ? leadingPlaceText(result) : ''}`,
  };
  const so: Part = isNo ? 'it is not so' : isOneOfSeveral || isOneOfThree ? leading : 'so';
  const it: Part = isOneOfSeveral ? so : 'it';
  const [ours, theirs] = isNo ? (['against', 'for'] as const) : (['for', 'against'] as const);
  const side = isNo ? 'opposition' : 'support';
  return { isDenial, isNo, isOneOfThree, others, so, it, leading, side, ours, theirs };
}

/** Whether a claim answers a question of yes or no with something else: `no comment`, `partly`. */
export function isThirdAnswer({ claim_id }: Pick<Contribution, 'claim_id'>, { claimById }: Model): boolean {
  const claim = claimById.get(claim_id ?? '');
  return claim !== undefined && !saysYesOrNo(claim);
}
