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
      expected_probability: 0.8,
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
    covers('INV-V.57', 'INV-V.270');
    const lines = explanationText(explained([idle('suspect', true), idle('declared')])).split('\n');
    expect(lines).toContain(
      '- suspect says red (c-suspect): it says the same unusual things as a source that counts in its place, and may not be independent of it',
    );
    expect(lines).toContain(
      '- declared says red (c-declared): a source that is not independent of it counts in its place',
    );
  });

  it.each([
    [
      'withdrawn_original',
      { claim_id: 'c1', suspected: true },
      'it says the same as claim c1 of another source, which was withdrawn, and may not be independent of it, which is a suspicion and no proof',
    ],
    [
      'withdrawn_original',
      { claim_id: 'c1' },
      'it repeats claim c1 of another source, which was withdrawn; its source depends on that one, according to the author',
    ],
    [
      'superseded',
      { claim_id: 'c1' },
      'it repeats claim c1 of another source, which was superseded; its source depends on that one, according to the author',
    ],
  ])('explain_verdict names for %s and %j the claim that one is weighed like', (outcome, original, words) => {
    covers('INV-V.144');
    const text = explanationText(explained([{ ...idle('echo'), outcome, original }]));
    expect(text.split('\n')).toContain(`- echo says red (c-echo): ${words}`);
  });

  it('explain_verdict names the superseded claim that one that counts in part is like', () => {
    covers('INV-V.144');
    const counted = { ...idle('echo'), counted: 0.2, factors: [{ name: 'superseded', value: 0.25 }] };
    const lost = (more: object) => explanationText(explained([{ ...counted, ...more }]));
    expect(lost({})).toContain('; 75 % lost to being superseded');
    expect(lost({ original: { claim_id: 'c1' } })).toContain(
      '; 75 % lost to saying the same as claim c1, which is superseded',
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
