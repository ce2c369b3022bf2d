import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { SOURCES } from '../contract/constants.ts';
import { SOURCE_TYPES } from '../contract/vocabulary.ts';
import type { SourceType } from '../contract/vocabulary.ts';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

/** The verdict where each of some sources of these types states a value, `red` unless given. */
function verdictOf(types: readonly SourceType[], values: readonly string[] = []) {
  const actors = types.map((source_type, i) => ({ id: `a${i}`, name: `a${i}`, source_type }));
  const claims = actors.map(({ id }, i) => claim(`c${i}`, id, values[i] ?? 'red'));
  return judge(investigation(claims, { actors })).subject_results[0]!;
}

describe('chances of what sources of low declared reliability state', () => {
  it.each(SOURCE_TYPES.filter((type) => type !== 'Troll'))(
    'one unopposed source (%s) gives its value no more chance than it is declared to be right',
    (type) => {
      covers('RM-11.5');
      const { base } = SOURCES[type];
      const { calibrated_probability: chance } = verdictOf([type]);
      expect(chance).toBeLessThanOrEqual(base + 1e-9);
      if (base <= 0.7) expect(chance).toBeCloseTo(base, 9);
    },
  );

  it.each(['Insider', 'Institutional', 'Anonymous'] as const)(
    'one unopposed source (%s) that says yes or no speaks against nothing and proves nothing',
    (type) => {
      covers('RM-11.5');
      for (const value of ['yes', 'no'])
        expect(verdictOf([type], [value]).calibrated_probability).toBeCloseTo(0.5, 9);
    },
  );

  it.each(
    (['Insider', 'Institutional', 'Anonymous'] as const).flatMap((type) =>
      (['a denial', 'a value', 'an item of evidence'] as const).map((what) => [type, what] as const),
    ),
  )(
    'the chance of what one source (%s) states falls by %s against it, the more the better its source',
    (type, what) => {
      covers('RM-11.5');
      const chances = (['Anonymous', 'Journalist', 'Regulator'] as const).map((other, i) => {
        const actors = [type, other].map((source_type, n) => ({ id: `a${n}`, name: `a${n}`, source_type }));
        const said = claim('c0', 'a0', 'red');
        const claims = [
          said,
          ...(what === 'an item of evidence' ? [] : [claim('c1', 'a1', what === 'a value' ? 'blue' : 'red')]),
        ].map((one, n) => (n === 1 && what === 'a denial' ? { ...one, valence: 'Refutes' as const } : one));
        const evidence = [
          { id: 'e', claim_id: 'c0', content: 'no', valence: 'Refutes' as const, weight: (i + 1) / 2 },
        ];
        const { rival_values, leading_value, calibrated_probability } = judge(
          investigation(claims, { actors, ...(what === 'an item of evidence' ? { evidence } : {}) }),
        ).subject_results[0]!;
        return leading_value === 'red'
          ? calibrated_probability
          : rival_values.find(({ value }) => value === 'red')!.calibrated_probability;
      });
      const falling = [SOURCES[type].base, ...chances];
      for (const [i, chance] of chances.entries()) expect(chance).toBeLessThan(falling[i]! - 0.005);
    },
  );

  it('sources of any kind who agree give their value more chance, until they outweigh a Journalist by far', () => {
    covers('RM-11.5');
    for (const type of ['Insider', 'Institutional', 'Anonymous'] as const) {
      const chances = [1, 2, 3, 4, 6].map(
        (count) => verdictOf(Array.from({ length: count }, () => type)).calibrated_probability,
      );
      for (const [i, chance] of chances.slice(1).entries()) expect(chance).toBeGreaterThan(chances[i]!);
    }
    expect(verdictOf(['Insider', 'Insider', 'Insider']).calibrated_probability).toBeGreaterThan(0.8);
  });

  it('no value is likelier than the reliabilities of those who state it sum to, and agreement never lowers it', () => {
    covers('RM-11.5');
    const values = fc.array(fc.constantFrom('red', 'blue', 'green', 'yes', 'no'), {
      minLength: 7,
      maxLength: 7,
    });
    const types = fc.array(fc.constantFrom(...SOURCE_TYPES), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(types, values, (all, said) => {
        const {
          leading_value: leading,
          calibrated_probability: chance,
          rival_values: rivals,
        } = verdictOf(all, said);
        for (const { value, calibrated_probability: own } of rivals) {
          const isClosed = said.slice(0, all.length).every((one) => one === 'yes' || one === 'no');
          const sum = all.reduce((total, type, i) => total + (said[i] === value ? SOURCES[type].base : 0), 0);
          if (!isClosed && value !== 'true' && value !== 'false') expect(own).toBeLessThanOrEqual(sum + 1e-9);
        }
        if (leading === null || leading === 'true' || leading === 'false') return;
        const more = verdictOf([...all, 'Expert'], [...said.slice(0, all.length), leading]);
        expect(more.calibrated_probability).toBeGreaterThanOrEqual(chance - 1e-3);
      }),
      { numRuns: soak(400) },
    );
  });
});
