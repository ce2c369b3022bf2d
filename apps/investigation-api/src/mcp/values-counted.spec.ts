import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  inWords,
  type InvestigationInput,
  type InvestigationSummary,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { compactVerdict } from './compact-response.ts';
import { summarizeVerdict } from './verdict-summary.ts';

/** A question that regulators answer in one city each. */
const asked = (values: readonly string[], predicate: string): InvestigationInput => ({
  research_question: 'What is so?',
  actors: values.map((_, i) => ({ id: `a${i}`, name: `S${i}`, source_type: 'Regulator' })),
  subjects: [{ id: 's', name: 'Pool', subject_type: 'organization' }],
  claims: values.map((value, i) => ({
    id: `c${i}`,
    actor_id: `a${i}`,
    subject_id: 's',
    predicate,
    value,
    content: 'x',
    scope: `City${i}`,
  })),
});
const resultOf = (input: InvestigationInput) =>
  analyze(
    { ...input, summary_mode: true },
    { now: new Date('2025-01-01T00:00:00Z') },
  ) as InvestigationSummary;
const lineOf = (input: InvestigationInput) => summarizeVerdict(resultOf(input)).split('\n')[1]!;

describe('values beyond those that a judgement lists, in the text of a tool', () => {
  it.each(Array.from({ length: 26 }, (_, i) => i + 5))('all of %i are counted', (count) => {
    covers('INV-Q.100');
    const yes = asked(
      Array.from({ length: count }, () => 'yes'),
      'is_open',
    );
    const [, more = '0'] = / and (\d+) more$/.exec(lineOf(yes)) ?? [];
    expect((lineOf(yes).match(/true \(in City/g) ?? []).length + 1 + Number(more)).toBe(count);
    const tied = asked(
      Array.from({ length: count }, (_, i) => (i % 2 ? 'yes' : 'no')),
      'is_open',
    );
    expect(lineOf(tied)).toContain(` and ${inWords(count - 3)} more; each for itself)`);
  });

  it.each([9, 10, 20])('behind a tie of %i values of one scope those of others are counted', (count) => {
    covers('INV-Q.107');
    const values = Array.from(
      { length: count + 3 },
      (_, i) => `Mayor ${'abcdefghijklmnopqrstuvw'[i]!.repeat(4)}`,
    );
    const { actors, claims, ...rest } = asked(values, 'head');
    const placed = claims.map((claim, i) => (i < count ? { ...claim, scope: 'Paris' } : claim));
    const weak = actors.map((actor, i) => (i < count ? actor : { ...actor, source_type: 'Insider' }));
    expect(lineOf({ ...rest, actors: weak, claims: placed })).toMatch(
      /; in other scopes or of other times 3 more$/,
    );
    const denied = placed.map((claim, i) => (i < count ? claim : { ...claim, valence: 'Refutes' as const }));
    const line = lineOf({ ...rest, actors, claims: denied });
    expect(line).toMatch(/; one source denies Mayor/);
    expect(line).not.toContain('in other scopes or of other times');
  });

  it('the compact data count those that neither they nor the judgement list', () => {
    covers('INV-Q.100', 'INV-V.102');
    const [finding] = resultOf(
      asked(
        Array.from({ length: 20 }, (_, i) => `Mayor ${'abcdefghijklmnopqrst'[i]!.repeat(4)}`),
        'head',
      ),
    ).top_findings;
    const compact = compactVerdict(finding as never) as {
      readonly more_rival_values: number;
      readonly rival_values: readonly unknown[];
    };
    expect(compact.rival_values.length + compact.more_rival_values).toBe(20);
  });
});
