import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { explanationText } from './explanation-text.ts';

const idle = (actor_name: string, suspected?: true) => ({
  side: 'support',
  route: 'voice',
  outcome: 'dependent',
  claim_id: `c-${actor_name}`,
  actor_id: actor_name,
  actor_name,
  value: 'red',
  counted: 0,
  offered: 1,
  factors: [],
  ...(suspected && { suspected }),
});

const explained = (contributions: readonly object[]) =>
  ({
    judged_at: '2026-03-14T09:12:45.000Z',
    explanation: {
      subject_name: 'Box',
      predicate: 'color',
      leading_value: 'red',
      truth_status: 'True',
      calibrated_probability: 0.8,
      rival_values: [],
      r: 1,
      s: 0,
      prior_weight: 2,
      contributions,
      smallest_change: null,
      without_source: [],
    },
  }) as unknown as Parameters<typeof explanationText>[0];

describe('the text of an explained verdict', () => {
  it('explain_verdict says that a suspected source may not be independent, and that a declared one is not', () => {
    covers('INV-V.57');
    const lines = explanationText(explained([idle('suspect', true), idle('declared')])).split('\n');
    expect(lines).toContain(
      '- suspect says red (c-suspect): it says the same unusual things as a source that counts in its place, and may not be independent of it',
    );
    expect(lines).toContain(
      '- declared says red (c-declared): a source it depends on says the same and counts in its place',
    );
  });

  it('explain_verdict says why the verdict changes without a claim that is not counted', () => {
    covers('INV-V.114');
    const withChange = (contribution: object) => {
      const given = explained([contribution]);
      const change = { claim_ids: ['c-paper'], removed_claim_ids: ['c-paper'], truth_status: 'False' };
      Object.assign(given.explanation, { smallest_change: { ...change, leading_value: 'red', tied: false } });
      return explanationText(given).split('\n');
    };
    const corrected = { ...idle('paper'), outcome: 'corrected' };
    expect(withChange(corrected)).toContain(
      'Without c-paper, which adds nothing itself but decides whether others count: truth status False.',
    );
    expect(withChange({ ...corrected, counted: 1 })).toContain('Without c-paper: truth status False.');
    // The list of what is not counted says that it counts in the weight of that claim.
    expect(withChange({ ...corrected, outcome: 'lowers_target' })).toContain(
      'Without c-paper: truth status False.',
    );
  });
});
