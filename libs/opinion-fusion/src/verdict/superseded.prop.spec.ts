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
}

/** Chances of the values told where each source makes a claim, and the last one supersedes some of them. */
function chancesOf(said: readonly Said[], superseded: readonly number[]) {
  const actors = said.map(({ type }, i) => ({ id: `a${i}`, name: `a${i}`, source_type: type }));
  const claims = said.map(({ value, denies }, i) =>
    claim(`c${i}`, `a${i}`, value, {
      valence: denies ? 'Refutes' : 'Supports',
      ...(i === said.length - 1 && {
        relationships: superseded.map((at) => ({
          relationship_type: 'supersedes',
          target_claim_id: `c${at}`,
        })),
      }),
    }),
  );
  const verdict = judge({ ...investigation(claims, { actors }), dependence: 'declared' }).subject_results[0]!;
  return new Map(
    verdict.rival_values
      .filter(({ denied }) => !denied)
      .map(({ value, calibrated_probability: chance }) => [value, chance]),
  );
}

const journalists = ['10', '14', '20', '30', '60'].map((value): Said => ({ type: 'Journalist', value }));
const coroner: Said = { type: 'Regulator', value: '45' };

describe('chances beside superseded values', () => {
  it.each([1, 2, 3, 4, 5])('a value that supersedes %s others stays more likely than not', (count) => {
    covers('RM-11.291');
    const said = [...journalists.slice(0, count), coroner];
    const chance = chancesOf(
      said,
      journalists.slice(0, count).map((_, at) => at),
    ).get('45')!;
    expect(chance).toBeGreaterThan(0.5);
    expect(chance).toBeGreaterThan(chancesOf(said, []).get('45')!);
  });

  it('what a superseded value takes of the chance of its superseder is at most a quarter of what it took', () => {
    covers('RM-11.291');
    for (let count = 1; count <= 5; count++) {
      const said = [...journalists.slice(0, count), coroner];
      const at = journalists.slice(0, count).map((_, index) => index);
      const oddsAgainst = (chance: number) => 1 / chance - 1;
      const [whole, left, none] = [chancesOf(said, []), chancesOf(said, at), chancesOf([coroner], [])].map(
        (chances) => oddsAgainst(chances.get('45')!),
      );
      expect(left! - none!).toBeLessThanOrEqual(0.25 * (whole! - none!));
    }
  });

  it('a denial of a superseded value counts as it did', () => {
    covers('RM-11.292');
    const analysts: Said[] = [
      { type: 'Analyst', value: 'Ann' },
      { type: 'Regulator', value: 'Ann', denies: true },
      { type: 'Analyst', value: 'Bo' },
    ];
    expect(chancesOf(analysts, [0]).get('Bo')!).toBeGreaterThan(chancesOf(analysts, []).get('Bo')!);
  });

  it('superseding a claim never lowers the chance of the value that supersedes it', () => {
    covers('RM-11.292');
    const types = ['Regulator', 'Expert', 'Analyst', 'Journalist', 'Institutional', 'Insider'] as const;
    const sources = (values: readonly string[]) =>
      fc.array(
        fc.record({
          type: fc.constantFrom<SourceType>(...types),
          value: fc.constantFrom(...values),
          denies: fc.constantFrom(false, false, true),
        }),
        { minLength: 2, maxLength: 8 },
      );
    const cases = fc
      .constantFrom(['Ann', 'Bo', 'Cy'], ['10', '14', '20', '30'], ['yes', 'no'], ['yes', 'no', 'partly'])
      .chain((values) => fc.tuple(sources(values), fc.constantFrom(...values), fc.constantFrom(...types)));
    fc.assert(
      fc.property(
        cases,
        fc.array(fc.nat(7), { minLength: 1, maxLength: 3 }),
        ([others, value, type], any) => {
          const said = [...others, { type, value }];
          const at = [...new Set(any)].filter(
            (index) => index < others.length && !others[index]!.denies && others[index]!.value !== value,
          );
          const key = value === 'yes' ? 'true' : value === 'no' ? 'false' : value;
          const before = chancesOf(said, []).get(key);
          const after = chancesOf(said, at).get(key);
          if (before === undefined || after === undefined) return;
          expect(after).toBeGreaterThanOrEqual(before - 1e-9);
        },
      ),
      { numRuns: soak(3000) },
    );
  });
});
