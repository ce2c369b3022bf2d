import type { SubjectResult } from '../contract/types.ts';

/**
 * What would lead, as a sentence names it: of yes and no `leading_value` is `true` whichever of the two
 * leads, so that both are named where the share of evidence does not tell that it is yes. Source: ADR 0141.
 * Pure.
 */
export const leadingOf = ({
  leading_value: value,
  expected_probability: share,
}: Pick<SubjectResult, 'leading_value' | 'expected_probability'>): string | null =>
  value === 'true' && share <= 0.5 ? 'true or false' : value;
