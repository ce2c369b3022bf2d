import { saysTheSame } from '../model/same-value.ts';
import { parseValue } from '../model/value.ts';
import type { VerdictWithout } from './explanation.ts';

type Leading = Pick<VerdictWithout, 'leading_value' | 'tied' | 'denied'>;

/**
 * Whether another value would lead without some claims than leads now, or would be the one that sources only
 * deny; the status of `without` is then about that one. A verdict without a leading value is about no value,
 * so no other takes its place; where values are tied or only denied, none leads, so whatever leads without
 * that is another, except of yes and no: there the leading value is `true` whichever of the two leads, and
 * the status alone tells them apart. Two spellings of one value are no difference.
 */
export function leadsOther(
  { leading_value: other, tied, denied }: Leading,
  { leading_value: now, tied: isTiedNow, denied: isDeniedNow }: Leading,
): boolean {
  if (tied || other === null || now === null) return false;
  if (denied && isDeniedNow) return false;
  if (isDeniedNow || !saysTheSame(other, now)) return true;
  return isTiedNow === true && parseValue(other).kind !== 'boolean';
}

/** Whether a value leads now and none would without some claims: values would be tied, or only denied. */
export function noneWouldLead(without: Leading, now: Leading): boolean {
  return isLeaderless(without) && !isLeaderless(now);
}

const isLeaderless = ({ tied, denied }: Leading) => tied === true || denied === true;

/**
 * Whether a verdict without some claims differs from the present one: in status, what leads, or that nothing
 * does.
 */
export function isOtherwise(without: VerdictWithout, now: VerdictWithout): boolean {
  return without.truth_status !== now.truth_status || leadsOther(without, now) || noneWouldLead(without, now);
}
