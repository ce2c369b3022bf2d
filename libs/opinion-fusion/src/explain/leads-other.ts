import { saysTheSame } from '../model/same-value.ts';
import { parseValue } from '../model/value.ts';
import type { VerdictWithout } from './explanation.ts';

type Leading = Pick<VerdictWithout, 'leading_value' | 'tied' | 'denied' | 'truth_status'>;

/**
 * Whether another value would lead without some claims than leads now, or would be the one that sources only
 * deny; the status of `without` is then about that one. A verdict without a leading value is about no value,
 * so no other takes its place; where values are tied or only denied, none leads, so whatever leads without
 * that is another, except of yes and no: there the leading value is `true` whichever of the two leads, and
 * the status alone tells them apart, but for a no that is tied with another answer. Two spellings of one
 * value are no difference. Where all values are only denied, it is none either that the verdict is about
 * another of them.
 */
export function leadsOther(without: Leading, now: Leading): boolean {
  const { leading_value: other, denied, tied, truth_status: status } = without;
  if (tied || other === null || now.leading_value === null) return false;
  const isSameStatus = status === now.truth_status;
  if (denied && now.denied && isSameStatus && !isBorneOut(now)) return false;
  if (now.denied && !denied) return true;
  if (other !== now.leading_value && !saysTheSame(other, now.leading_value)) return true;
  return now.tied === true && (parseValue(other).kind !== 'boolean' || (isSameStatus && status === 'False'));
}

/** Whether a value leads now and none would without some claims: values would be tied, or only denied. */
export function noneWouldLead(without: Leading, now: Leading): boolean {
  return isLeaderless(without) && !isLeaderless(now);
}

const isLeaderless = (one: Leading) => one.tied === true || (one.denied === true && !isBorneOut(one));

/** Whether what speaks against the denials of a value makes it the answer. */
const isBorneOut = ({ truth_status: status }: Leading) => status === 'True';

/**
 * Whether a verdict without some claims differs from the present one: in status, what leads, or that nothing
 * does.
 */
export function isOtherwise(without: Leading, now: Leading): boolean {
  return without.truth_status !== now.truth_status || leadsOther(without, now) || noneWouldLead(without, now);
}
