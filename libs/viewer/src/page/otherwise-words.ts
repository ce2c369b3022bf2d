import {
  leadingOf,
  leadsOther,
  noneWouldLead,
  type Part,
  type VerdictExplanation,
} from '@platform/opinion-fusion';
import { otherwise, shownStatus, shownValue, YES_OR_NO } from '../format/words.ts';

type Without = VerdictExplanation['without_source'][number];

/**
 * What a verdict would be without some claims, `Bo (from 2010 on) would lead`: another value, none, or
 * another status, as a reader is shown it; null where a reader is shown the same. Pure.
 */
export function otherwiseWords(
  without: Omit<Without, 'actor_id' | 'flips'>,
  now: VerdictExplanation,
  where: string,
): readonly Part[] | null {
  const status = shownStatus(without);
  const { leading_value: leading, tied, denied } = without;
  if (leadsOther(without, now) && !(status === 'False' && YES_OR_NO.test(leading!))) {
    const value = { user: shownValue(leadingOf(without)!) + where };
    if (status === 'False') return ['it would probably not be “', value, '”'];
    if (denied && status === 'True') return ['it would probably be “', value, '”'];
    return denied ? ['no answer would lead'] : [value, ' would lead'];
  }
  const isOtherStatus = without.truth_status !== now.truth_status;
  if (noneWouldLead(without, now) && (tied || !isOtherStatus)) return ['no answer would lead'];
  // A no that is tied with another answer is open, as now.
  const isOpen = tied && status === 'False';
  const isNews = isOtherStatus && !isOpen && status !== shownStatus(now);
  return isNews || leadsOther(without, now) ? [otherwise(status, now)] : null;
}
