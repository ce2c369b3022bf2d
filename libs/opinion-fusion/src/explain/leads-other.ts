import { saysTheSame } from '../model/same-value.ts';
import type { VerdictWithout } from './explanation.ts';

type Leading = Pick<VerdictWithout, 'leading_value'>;

/**
 * Whether another value would lead without some claims than leads now; the status of `without` is then
 * about that one. A verdict without a leading value is about no value, so no other takes its place. Two
 * spellings of one value are no difference.
 */
export function leadsOther({ leading_value: other }: Leading, { leading_value: now }: Leading): boolean {
  return other !== null && now !== null && !saysTheSame(other, now);
}
