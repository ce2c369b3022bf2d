import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import type { ClaimInput, InvestigationInput } from '../contract/types.ts';
import { ageWords } from '../report/age-words.ts';
import { textOf } from '../report/statements.ts';
import {
  actor,
  claim,
  investigation,
  judge,
  meta,
  NOW,
  verdictOf,
} from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const REGULATOR = { source_type: 'Regulator', base_reliability: null };
const JOURNALIST = { source_type: 'Journalist', base_reliability: null };

/** The verdict on claims by a regulator `r` and journalists `j` and `k`, judged on 1 January 2026. */
function judged(claims: readonly ClaimInput[], more: Partial<InvestigationInput> = {}) {
  const actors = [actor('r', REGULATOR), actor('j', JOURNALIST), actor('k', JOURNALIST)];
  const result = judge(investigation([...claims], { actors, ...more }));
  return { verdict: verdictOf(result), gap: result.sensitivity_analysis.evidence_gaps[0]! };
}
const said = (id: string, source: string, value: string, assertion_time: string | null = null) =>
  claim(id, source, value, { assertion_time });

describe('age that decides a verdict', () => {
  const old = said('c1', 'r', '1200', '2024-01-01');
  const recent = said('c2', 'j', '900', '2025-12-30');

  it('a leading value that another one has displaced by its age alone says which', () => {
    covers('RM-11.220');
    covers('RM-11.227');
    const { verdict, gap } = judged([old, recent]);
    expect(verdict.leading_value).toBe('900');
    expect(verdict.age_decides).toMatchObject({ leading_value: '1200', default_half_life: true });
    expect(verdict.age_decides!.weight_lost).toBeCloseTo(0.42, 2);
    expect(gap.suggestion).toMatch(
      /^Look for a second, independent source .* Or set decay_half_life_days to how fast such claims age\.$/,
    );
  });

  it.each([73_000, 180])('the half-life that is given, %d days, is not said to be the default', (days) => {
    covers('RM-11.220');
    const { age_decides: age } = judged([old, recent], { decay_half_life_days: days }).verdict;
    if (days === 180) expect(age).toMatchObject({ leading_value: '1200' });
    else expect(age).toBeUndefined();
    expect(age?.default_half_life).toBeUndefined();
  });

  it('claims that have all faded into too little evidence are said to', () => {
    covers('RM-11.220');
    covers('RM-11.227');
    const faded = ['r', 'j'].map((source) => said(source, source, '1200', '2018-01-01'));
    const { verdict, gap } = judged(faded);
    expect(verdict.truth_status).toBe('Neither');
    expect(verdict.age_decides).toMatchObject({ leading_value: '1200', truth_status: 'True' });
    expect(verdict.age_decides!.weight_lost).toBeGreaterThan(0.95);
    expect(gap.suggestion).toMatch(
      /^Look for a recent source on whether `.* is 1200`: age has taken \d+ % of the weight of what is said; or set /,
    );
  });

  it('the source that is asked for is of shortly before as_of, and as_of is not asked for where it is given', () => {
    covers('RM-11.310');
    const faded = ['r', 'j'].map((source) => said(source, source, '1200', '2018-01-01'));
    const as_of = '2024-12-31T00:00:00Z';
    const { gap } = judged(faded, { as_of });
    expect(gap.suggestion).toMatch(/^Look for a source of shortly before 31 December 2024 on whether /);
    const warningsOf = (more: Partial<InvestigationInput>) =>
      judge(investigation(faded, { actors: [actor('r', REGULATOR), actor('j', JOURNALIST)], ...more }))
        .warnings.filter((warning) => warning.startsWith('Age has left'))
        .join();
    expect(warningsOf({})).toContain('Set as_of to ');
    expect(warningsOf({ as_of })).toContain('half-lives. Set decay_half_life_days to ');
  });

  it.each([
    [
      'of equally heavy sources',
      [said('c1', 'j', '1200', '2025-06-01'), said('c2', 'k', '900', '2025-12-30')],
    ],
    ['of yes and no', [said('c1', 'j', 'yes', '2023-01-01'), said('c2', 'k', 'no', '2025-12-30')]],
  ])('age that breaks a tie %s decides', (_, claims) => {
    covers('RM-11.220');
    expect(judged(claims).verdict.age_decides).toMatchObject({ tied: true });
  });

  it.each<[string, ClaimInput[]]>([
    ['that are undated', [said('c1', 'r', '1200'), said('c2', 'j', '900')]],
    ['of one day', [said('c1', 'r', '1200', '2025-12-01'), said('c2', 'j', '900', '2025-12-01')]],
    [
      'that are old and would be tied but for a day',
      [said('c1', 'j', '1200', '2025-08-01'), said('c2', 'k', '900', '2025-08-02')],
    ],
    [
      'that would be tied but for a day',
      [said('c1', 'j', '1200', '2025-12-29'), said('c2', 'k', '900', '2025-12-30')],
    ],
    ['that are old and still suffice', [said('c1', 'r', '1200', '2025-08-01')]],
    [
      'of other times',
      [
        claim('c1', 'r', 'Ann', { assertion_time: '2020-01-01', event_end_time: '2020-01-01' }),
        claim('c2', 'j', 'Bo', { assertion_time: '2025-12-30', event_start_time: '2020-01-01' }),
      ],
    ],
    [
      'that are retracted or count for nothing',
      [claim('c1', 'r', '1200', { assertion_time: '2010', epistemic_status: 'retracted' }), recent],
    ],
  ])('age decides nothing of claims %s', (_, claims) => {
    covers('RM-11.220');
    expect(judged(claims).verdict.age_decides).toBeUndefined();
  });

  it('a value that age displaced in its scope is told, though another one would lead elsewhere', () => {
    covers('RM-11.365');
    const old = (id: string, source: string, value: string, scope: string) =>
      claim(id, source, value, { assertion_time: '2020-01-01', scope });
    const claims = [
      claim('c1', 'j', '1200', { assertion_time: '2025-12-30', scope: 'north' }),
      old('c2', 'r', '900', 'north'),
      old('c3', 'r', '700', 'south'),
      old('c4', 'k', '700', 'south'),
    ];
    const { verdict } = judged(claims);
    expect(verdict.leading_value).toBe('1200');
    expect(verdict.age_decides).toMatchObject({ leading_value: '900' });
  });

  it('age decides the status alone of values that are only denied, of which none would lead', () => {
    covers('RM-11.366');
    const denied = (id: string, source: string, value: string, assertion_time: string) =>
      claim(id, source, value, { assertion_time, valence: 'Refutes' });
    const { verdict } = judged([
      denied('c1', 'j', '900', '2024-01-01'),
      denied('c2', 'r', '1200', '2018-01-01'),
      denied('c3', 'k', '1200', '2018-01-01'),
    ]);
    expect(verdict).toMatchObject({ leading_value: '900', denied: true, truth_status: 'Neither' });
    expect(verdict.age_decides).toMatchObject({ leading_value: '900', truth_status: 'False' });
    expect(textOf(ageWords(verdict, 180))).not.toContain('would lead');
  });

  it('a no that would lead without age is not told as a yes', () => {
    covers('RM-11.366');
    const { verdict } = judged([
      said('c1', 'j', 'partly', '2025-12-30'),
      said('c2', 'r', 'no', '2024-01-01'),
    ]);
    expect(verdict.leading_value).toBe('partly');
    expect(verdict.age_decides).toMatchObject({ leading_value: 'true' });
    expect(textOf(ageWords(verdict, 180))).toMatch(/^age decides: without it true or false would lead /);
  });

  it('the leading one of values that are tied in different times stays where age decides its status', () => {
    covers('RM-11.366');
    const at = (id: string, source: string, value: string, year: number) =>
      claim(id, source, value, {
        assertion_time: '2018-01-01',
        event_start_time: `${year}-01-01`,
        event_end_time: `${year + 5}-01-01`,
      });
    const { verdict } = judged([at('c1', 'j', 'Ann', 2000), at('c2', 'k', 'Bo', 2005)]);
    expect(verdict).toMatchObject({
      tied: true,
      leading_value: 'Ann',
      age_decides: { leading_value: 'Ann' },
    });
    expect(textOf(ageWords(verdict, 180))).not.toContain('would lead');
  });

  it('claims within three weeks of now decide nothing by their age', () => {
    covers('RM-11.226');
    const one = fc.record({
      source: fc.constantFrom('r', 'j', 'k'),
      value: fc.constantFrom('1200', '900', 'true', 'false'),
      days: fc.integer({ min: 0, max: 21 }),
    });
    const claims = fc.uniqueArray(one, { minLength: 2, maxLength: 3, selector: ({ source }) => source });
    fc.assert(
      fc.property(claims, (list) => {
        const { verdict, gap } = judged(
          list.map(({ source, value, days }) =>
            said(source, source, value, new Date(NOW.getTime() - days * 86_400_000).toISOString()),
          ),
        );
        expect(verdict.age_decides).toBeUndefined();
        expect(gap.suggestion).not.toMatch(/recent|decay_half_life_days/);
      }),
      { numRuns: soak(60) },
    );
  });

  it('age decides the status alone of old claims that are tied but for a day', () => {
    covers('RM-11.226');
    const claims = [said('c1', 'j', '1200', '2023-01-01'), said('c2', 'k', '900', '2023-01-02')];
    const { age_decides: age } = judged(claims).verdict;
    expect(age).toMatchObject({ leading_value: '900', truth_status: 'Both' });
    expect(age).not.toHaveProperty('tied');
  });

  it('a claim about a claim that has aged decides where the verdict turns on it', () => {
    covers('RM-11.220');
    const claims = [said('c1', 'j', '1200'), said('c2', 'k', '900'), meta('m', 'r', 'c1', 'Refutes')];
    const aged = claims.map((one) => (one.id === 'm' ? { ...one, assertion_time: '2010' } : one));
    expect(judged(claims).verdict.leading_value).toBe('900');
    expect(judged(aged).verdict.age_decides).toMatchObject({ leading_value: '900' });
  });
});
