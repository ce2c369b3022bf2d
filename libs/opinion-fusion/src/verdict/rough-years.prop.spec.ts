import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import type { SourceType } from '../contract/vocabulary.ts';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

type Said = readonly [SourceType, string];

function verdictOn(said: readonly Said[]) {
  const actors = said.map(([type], i) => ({ id: `a${i}`, name: `a${i}`, source_type: type }));
  const claims = said.map(([, value], i) => claim(`c${i}`, `a${i}`, value));
  return judge({ ...investigation(claims, { actors }), dependence: 'declared' }).subject_results[0]!;
}

describe('a year that is said to be inexact', () => {
  it.each<[leading: string, voices: number, said: readonly Said[]]>([
    [
      '1850',
      2,
      [
        ['Regulator', '1850'],
        ['Regulator', '1850'],
        ['Expert', 'c. 1926'],
      ],
    ],
    [
      'about 1850',
      1,
      [
        ['Regulator', 'about 1850'],
        ['Expert', 'c. 1926'],
      ],
    ],
    [
      '1850',
      1,
      [
        ['Regulator', '1850'],
        ['Expert', '1926'],
        ['Anonymous', 'ca. 1900'],
      ],
    ],
    [
      '1902',
      2,
      [
        ['Regulator', '1902'],
        ['Expert', 'circa 1900'],
        ['Journalist', '1926'],
      ],
    ],
    [
      '106 BC',
      1,
      [
        ['Regulator', '106 BC'],
        ['Expert', 'circa 100 BC'],
      ],
    ],
    [
      '1850',
      2,
      [
        ['Regulator', '1850'],
        ['Expert', 'c. 1852'],
        ['Expert', '1926'],
      ],
    ],
  ])('%s has %i independent voices among %j', (leading, voices, said) => {
    covers('RM-11.390');
    const verdict = verdictOn(said);
    expect(verdict.leading_value).toBe(leading);
    expect(verdict.supporting_source_count).toBe(voices);
    expect(verdict.opposing_source_count).toBe(said.length - voices);
  });

  it('numbers that are not years stay near by their size, said to be inexact or not', () => {
    covers('RM-11.390');
    for (const [a, b] of [
      ['about 1,900', '1850'],
      ['circa 1900 km', '1850 km'],
      ['about 1850', '1,900'],
    ] as const)
      expect(
        verdictOn([
          ['Regulator', a],
          ['Expert', b],
        ]).supporting_source_count,
      ).toBe(2);
  });

  it('inexact years far from an exact one never lend it voices', () => {
    covers('RM-11.391');
    const year = fc.integer({ min: 1800, max: 2000 });
    const rough = fc.tuple(fc.constantFrom('c. ', 'circa ', 'about ', '~'), year);
    fc.assert(
      fc.property(year, year, fc.array(rough, { maxLength: 5 }), (one, other, roughly) => {
        fc.pre(Math.abs(one - other) > 5 && roughly.every(([, near]) => Math.abs(near - one) > 5));
        const others = roughly.map(([word, near]): Said => ['Anonymous', `${word}${near}`]);
        const own = Array.from({ length: 4 }, (): Said => ['Regulator', `${one}`]);
        const verdict = verdictOn([...own, ['Journalist', `${other}`], ...others]);
        expect(verdict.leading_value).toBe(`${one}`);
        expect(verdict.supporting_source_count).toBe(own.length);
      }),
    );
  });
});
