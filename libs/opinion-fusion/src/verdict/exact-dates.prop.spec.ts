import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import type { SourceType } from '../contract/vocabulary.ts';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly type: SourceType;
  readonly value: string;
  readonly denies?: boolean;
  /** Weight of a document against it. */
  readonly refuted?: number;
}

function verdictOn(said: readonly Said[]) {
  const actors = said.map(({ type }, i) => ({ id: `a${i}`, name: `a${i}`, source_type: type }));
  const claims = said.map(({ value, denies }, i) =>
    claim(`c${i}`, `a${i}`, value, { valence: denies ? 'Refutes' : 'Supports' }),
  );
  const evidence = said.flatMap(({ refuted }, i) =>
    refuted
      ? [{ id: `e${i}`, claim_id: `c${i}`, content: 'A deed.', valence: 'Refutes', weight: refuted }]
      : [],
  );
  return judge({ ...investigation(claims, { actors, evidence }), dependence: 'declared' })
    .subject_results[0]!;
}

const chanceOf = (said: readonly Said[]) => verdictOn(said).calibrated_probability;
const year: Said = { type: 'Regulator', value: '1925' };
const day: Said = { type: 'Anonymous', value: '12 March 1925' };
const expert: Said = { type: 'Expert', value: '12 March 1925', denies: true };

describe('an exact date beside the year', () => {
  it('a document against a day takes nothing from the year', () => {
    covers('RM-11.360');
    const refuted = verdictOn([year, year, { ...day, refuted: 3 }]);
    expect(refuted.leading_value).toBe('1925');
    expect(refuted.calibrated_probability).toBeGreaterThan(0.87);
    expect(chanceOf([year, year, { ...day, value: '1925', refuted: 3 }])).toBeLessThan(0.5);
  });

  it.each(['1925', 'March 1925'])('who denies a day says nothing of %s', (value) => {
    covers('RM-11.361');
    const stated = [year, year].map((said) => ({ ...said, value }));
    const verdict = verdictOn([...stated, expert, expert]);
    const unrelated = { ...expert, value: '12 March 1931' };
    expect(verdict.calibrated_probability).toBe(chanceOf([...stated, unrelated, unrelated]));
    expect(verdict.opposing_source_count).toBe(0);
    expect(verdict.denials).toMatchObject([{ value: '12 March 1925', source_count: 2 }]);
  });

  it('who denies the year denies its days, and a rough year is less exact than a day', () => {
    covers('RM-11.361');
    const years = ['1925', 'c. 1925', 'March 1925'];
    for (const value of years) {
      const against = verdictOn([
        { ...day, type: 'Regulator' },
        { ...expert, value },
      ]);
      expect(against.opposing_source_count).toBe(1);
      expect(verdictOn([{ ...year, value }, expert]).opposing_source_count).toBe(0);
    }
  });

  it('what is brought against a more exact date never lowers the chance of the less exact one', () => {
    covers('RM-11.360', 'RM-11.361');
    const types = ['Regulator', 'Expert', 'Journalist', 'Insider', 'Anonymous'] as const;
    const said = fc.record({
      type: fc.constantFrom<SourceType>(...types),
      value: fc.constantFrom('1925', 'March 1925', '12 March 1925', '1930', 'c. 1925'),
      denies: fc.constantFrom(false, false, true),
      refuted: fc.constantFrom(0, 0, 1, 3),
    });
    const stated = fc.array(said, { maxLength: 6 }).map((list) => [...list, year, year, year]);
    fc.assert(
      fc.property(stated, fc.constantFrom<SourceType>(...types), (list, type) => {
        const before = verdictOn(list);
        if (before.leading_value !== '1925') return;
        const denied = (value: string) => verdictOn([...list, { type, value, denies: true }]);
        const [near, unrelated] = [denied('14 March 1925'), denied('14 March 1931')];
        expect(near.expected_probability).toBe(before.expected_probability);
        expect(near.calibrated_probability).toBeCloseTo(unrelated.calibrated_probability, 9);
        const isExact = ({ value, denies }: Said) => value.includes('March') && !denies;
        const refuted = verdictOn(list.map((one) => (isExact(one) ? { ...one, refuted: 5 } : one)));
        if (refuted.leading_value === '1925')
          expect(refuted.calibrated_probability).toBeGreaterThanOrEqual(before.calibrated_probability - 1e-9);
      }),
      { numRuns: soak(500) },
    );
  });
});
