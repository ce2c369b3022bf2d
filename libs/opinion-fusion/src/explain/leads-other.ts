import { saysTheSame } from '../model/same-value.ts';
import { parseValue } from '../model/value.ts';
import type { VerdictWithout } from './explanation.ts';

type Leading = Pick<VerdictWithout, 'leading_value' | 'tied'>;

/**
 * Whether another value would lead without some claims than leads now; the status of `without` is then
 * about that one. A verdict without a leading value is about no value, so no other takes its place; where
 * values are tied, none leads, so whatever leads without a tie is another, except of yes and no: there the
 * leading value is `true` whichever of the two leads, and the status alone tells them apart. Two spellings of
 * one value are no difference.
 */
export function leadsOther(
  { leading_value: other, tied }: Leading,
  { leading_value: now, tied: isTiedNow }: Leading,
): boolean {
  if (tied || other === null || now === null) return false;
  if (!saysTheSame(other, now)) return true;
  return isTiedNow === true && parseValue(other).kind !== 'boolean';
}

/** Whether values would be tied without some claims of which one leads now. */
export function wouldTie({ tied }: Leading, { tied: isTiedNow }: Leading): boolean {
  return tied === true && isTiedNow !== true;
}

/** Whether a verdict without some claims differs from the present one: in status, what leads, or by a tie. */
export function isOtherwise(without: VerdictWithout, now: VerdictWithout): boolean {
  return without.truth_status !== now.truth_status || leadsOther(without, now) || wouldTie(without, now);
}
