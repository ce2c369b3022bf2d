import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { explanationText } from './explanation-text.ts';
import { summarizeVerdict } from './verdict-summary.ts';

const YEARS = { event_start_time: '1990', event_end_time: '2000' };

function judged(predicate: string, values: readonly { readonly value: string; readonly scope: string }[]) {
  return analyze(
    {
      research_question: 'Is the pass open?',
      actors: values.map((_, index) => ({ id: `a${index}`, name: `A${index}`, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'The pass', subject_type: 'road' }],
      claims: values.map(({ value, scope }, index) => ({
        id: `c${index}`,
        actor_id: `a${index}`,
        subject_id: 's',
        predicate,
        value,
        scope,
        ...(scope === 'in winter' && YEARS),
        content: `statement ${index}`,
      })),
    },
    { now: new Date('2026-11-29T10:00:00Z') },
  ) as InvestigationResult;
}

describe('the text of a verdict', () => {
  const winter = { scope: 'in winter' };
  it.each([
    ['open', [{ value: 'yes', ...winter }], 'open (in winter, from 1990 to 2000): '],
    ['open', [{ value: 'no', ...winter }], 'open (in winter, from 1990 to 2000): '],
    ['height', [{ value: '90 m', ...winter }], 'height = 90 m (in winter, from 1990 to 2000): '],
    [
      'open',
      [
        { value: 'no', ...winter },
        { value: 'no', ...winter },
        { value: 'yes', scope: 'in summer' },
      ],
      'open (in winter, from 1990 to 2000): ',
    ],
  ])(
    'judging and explaining name the scope and time of the value of %s, case %#',
    (predicate, values, line) => {
      covers('INV-V.84');
      const result = judged(predicate, values);
      expect(summarizeVerdict(result as never)).toContain(`The pass: ${line}`);
      const explanation = {
        ...result.subject_results[0]!,
        r: 1,
        s: 0,
        prior_weight: 2,
        contributions: [],
        smallest_change: null,
        without_source: [],
      };
      const told = explanationText({ judged_at: '2026-03-14T09:12:45.000Z', explanation } as never);
      expect(told).toContain('(in winter, from 1990 to 2000): ');
    },
  );
});
