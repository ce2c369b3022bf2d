import { saysTheSame } from '../model/same-value.ts';
import type { VerdictWithout } from './explanation.ts';

type Leading = Pick<VerdictWithout, 'leading_value' | 'tied'>;

/**
 * Whether another value would lead without some claims than leads now; the status of `without` is then
 * about that one. A verdict without a leading value is about no value, so no other takes its place; where
 * values are tied, none leads, so whatever leads without a tie is another. Two spellings of one value are
 * no difference.
 */
export function leadsOther(
  { leading_value: other, tied }: Leading,
  { leading_value: now, tied: isTiedNow }: Leading,
): boolean {
  if (tied || other === null || now === null) return false;
  return isTiedNow === true || !saysTheSame(other, now);
}

/** Whether values would be tied without some claims of which one leads now. */
export function wouldTie({ tied }: Leading, { tied: isTiedNow }: Leading): boolean {
  return tied === true && isTiedNow !== true;
}
