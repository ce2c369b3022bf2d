import { opened, statement, type Alternative, type Part } from '@platform/opinion-fusion';
import { isOfYesAndNo, leadingPlaceText, placeText, tiedPair, type Rival } from '../../format/words.ts';
import type { Verdict } from '../../model.ts';

/** What a verdict says, as a sentence without likelihood and full stop; of a tie, both values. */
export function statementOf({ result, pattern }: Pick<Verdict, 'result' | 'pattern'>): Part[] {
  const { subject_name: subject, predicate, leading_value: leading } = result;
  const proposition = { pattern, subject, predicate, value: leading };
  const tie = tiedPair(result);
  const place = userPart(leadingPlaceText(result));
  if (tie === null || leading === null) return [...statement(proposition), ...place];
  if (isOfYesAndNo(tie)) return [...opened('Whether ', proposition), ...place];
  return statement({ ...proposition, either: eitherOf(tie) });
}

/** The values of a tie, each with its scope and time; those that both have stand behind the second. */
export function eitherOf([one, other]: readonly [Rival, Rival]): readonly Alternative[] {
  const [first, second] = [placeText(one), placeText(other)];
  return [
    { value: one.value, place: first === second ? '' : first },
    { value: other.value, place: second },
  ];
}

/** A text as a user wrote it; nothing where it is empty. */
export const userPart = (text: string): Part[] => (text === '' ? [] : [{ user: text }]);
