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
});
