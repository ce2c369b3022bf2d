import type { Contribution, Outcome } from '@platform/opinion-fusion';

/** The note on a contribution that does not count in full; empty on one that does. */
export const outcomeNote = ({ outcome, suspected }: Contribution): string =>
  suspected ? SUSPECTED : OUTCOME_NOTE[outcome];

const SUSPECTED =
  'not counted: a source that says the same unusual things, and may not be independent of it, says so more strongly';
const OUTCOME_NOTE: Readonly<Record<Outcome, string>> = {
  counted: '',
  dependent: 'not counted: a source it depends on says so more strongly',
  capped: 'counted in part: inferences add one item at most',
  discounted: 'counted in part: one of several unidentified sources',
  below_floor: 'not counted: below the credibility floor',
  corrected: 'not counted: its own source replaced it',
  superseded: 'not counted: replaced by a claim that stands',
  retracted: 'not counted: retracted',
  unheard_target: 'not counted: what it speaks about is not heard',
  distinguished: 'not counted: a distinction parts the two',
  raises_target: 'counted in the weight of the claim that it supports',
  lowers_target: 'counted in the weight of the claim that it disputes',
};
