import { opened, statement, type Alternative, type Part } from '@platform/opinion-fusion';
import { isOfYesAndNo, placeText, tiedPair, type Rival } from '../../format/words.ts';
import type { Verdict } from '../../model.ts';

/** What a verdict says, as a sentence without likelihood and full stop; of a tie, both values. */
export function statementOf({ result, pattern }: Pick<Verdict, 'result' | 'pattern'>): Part[] {
  const { subject_name: subject, predicate, leading_value: leading } = result;
  const proposition = { pattern, subject, predicate, value: leading };
  const tie = tiedPair(result);
  const first: Rival | undefined = result.rival_values?.[0];
  if (tie === null || leading === null) return [...statement(proposition), ...placeOf(first, result)];
  if (isOfYesAndNo(tie)) return opened('Whether ', proposition);
  return statement({ ...proposition, either: eitherOf(tie, result) });
}

/** The values of a tie, each with its scope and time where these tell them apart. */
export const eitherOf = (
  tie: readonly Rival[],
  verdict: Pick<Verdict['result'], 'rival_values'>,
): readonly Alternative[] => tie.map((rival) => ({ value: rival.value, place: placeText(rival, verdict) }));

/** The scope and time in which a value is said, as a user wrote them. */
export function placeOf(rival: Rival | undefined, verdict: Pick<Verdict['result'], 'rival_values'>): Part[] {
  const where = placeText(rival, verdict);
  return where === '' ? [] : [{ user: where }];
}
