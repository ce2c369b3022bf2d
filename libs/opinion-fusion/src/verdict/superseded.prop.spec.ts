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

describe('evidence against what a source has corrected to an answer near it', () => {
  interface Told {
    readonly value: string;
    readonly scope?: { readonly event_start_time?: string; readonly event_end_time?: string };
  }
  const years = (from: number, to: number): NonNullable<Told['scope']> => ({
    event_start_time: `${from}-01-01`,
    event_end_time: `${to}-01-01`,
  });

  /** The chance of what the source and others say at last, without and with evidence against the first. */
  function chances(first: Told, last: Told, others: number) {
    return [0, 2].map((count) => {
      const evidence = Array.from({ length: count }, (_, i) => ({
        id: `e${i}`,
        claim_id: 'old',
        content: 'A document.',
        valence: 'Refutes',
        weight: 3,
      }));
      const actors = Array.from({ length: 1 + others }, (_, i) => ({
        id: `a${i}`,
        name: `a${i}`,
        source_type: i === 0 ? 'Institutional' : 'Journalist',
      }));
      const claims = [
        claim('old', 'a0', first.value, first.scope),
        claim('new', 'a0', last.value, { ...last.scope, supersedes_claim_id: 'old' }),
        ...actors.slice(1).map(({ id }) => claim(`c-${id}`, id, last.value, last.scope)),
      ];
      const input = { ...investigation(claims, { actors, evidence }), dependence: 'declared' as const };
      return judge(input).subject_results[0]!.rival_values[0]!.calibrated_probability;
    });
  }

  it.each<[string, Told, Told]>([
    ['a near number', { value: '100' }, { value: '103' }],
    ['a near percentage', { value: '49 %' }, { value: '51 %' }],
    ['a longer time', { value: 'Ann', scope: years(2000, 2005) }, { value: 'Ann', scope: years(2000, 2010) }],
    ['a time, of none', { value: 'Ann' }, { value: 'Ann', scope: years(2000, 2010) }],
    ['no time, of one', { value: 'Ann', scope: years(2000, 2005) }, { value: 'Ann' }],
    ['another number', { value: '100' }, { value: '130' }],
  ])('evidence against the first makes no correction to %s less likely', (_, first, last) => {
    covers('RM-11.388');
    for (const others of [1, 3]) {
      const [without, refuted] = chances(first, last, others);
      expect(refuted).toBeGreaterThanOrEqual(without! - 1e-9);
    }
  });

  it('evidence against an answer counts where its source says the same again', () => {
    covers('RM-11.388');
    const [without, refuted] = chances({ value: '100' }, { value: '100' }, 1);
    expect(refuted).toBeLessThan(without!);
  });
});

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

describe('evidence against what its own source has corrected', () => {
  interface Case {
    readonly said: readonly (Said & { readonly refuted?: number })[];
    /** What the source of the first says instead. */
    readonly correction?: string;
  }
  const judged = ({ said, correction }: Case) => {
    const actors = said.map(({ type }, i) => ({ id: `a${i}`, name: `a${i}`, source_type: type }));
    const claims = said.map(({ value, denies }, i) =>
      claim(`c${i}`, `a${i}`, value, { valence: denies ? 'Refutes' : 'Supports' }),
    );
    const evidence = said.flatMap(({ refuted = 0 }, i) =>
      refuted > 0
        ? [{ id: `e${i}`, claim_id: `c${i}`, content: 'A memo.', valence: 'Refutes', weight: refuted }]
        : [],
    );
    const corrected =
      correction === undefined ? [] : [claim('d', 'a0', correction, { supersedes_claim_id: 'c0' })];
    const input = investigation([...claims, ...corrected], { actors, evidence });
    return judge({ ...input, dependence: 'declared' }).subject_results[0]!;
  };
  const chanceOf = (one: Case, value: string) =>
    judged(one).rival_values.find((rival) => rival.value === value)?.calibrated_probability;
  const ministry = { type: 'Institutional', value: 'no', refuted: 6 } as const;
  const papers: Said[] = ['no', 'no'].map((value) => ({ type: 'Journalist', value }));

  it.each([0, 1, 2])(
    'who admits what documents proved, beside %s who deny it, makes it no less likely',
    (n) => {
      covers('RM-11.362');
      const said = [ministry, ...papers.slice(0, n)];
      const [before, after] = [judged({ said }), judged({ said, correction: 'yes' })];
      expect(after.truth_status).toBe('True');
      expect(after.expected_probability).toBeGreaterThan(before.expected_probability);
      expect(after.calibrated_probability).toBeGreaterThanOrEqual(before.calibrated_probability);
    },
  );

  it('what supports a claim that its source has corrected falls with it', () => {
    covers('RM-11.363');
    const input = investigation([
      claim('c0', 'a', 'no'),
      claim('d', 'a', 'yes', { supersedes_claim_id: 'c0' }),
    ]);
    const item = { id: 'e', claim_id: 'c0', content: 'A memo.', valence: 'Supports', weight: 3 } as const;
    expect(judge({ ...input, evidence: [item] }).subject_results).toEqual(judge(input).subject_results);
  });

  it('what refutes a claim that its source has retracted, or one below the floor, counts for nothing', () => {
    covers('RM-11.363');
    const item = { id: 'e', claim_id: 'c0', content: 'A memo.', valence: 'Refutes', weight: 3 } as const;
    for (const [first, actors] of [
      [{ epistemic_status: 'retracted' as const }, undefined],
      [
        {},
        [
          { id: 'a', name: 'a', source_type: 'Troll' as const },
          { id: 'b', name: 'b', source_type: 'Expert' as const },
        ],
      ],
    ] as const) {
      const claims = [claim('c0', 'a', 'no', first), claim('c1', 'b', 'no')];
      const input = investigation(claims, actors && { actors: [...actors] });
      expect(judge({ ...input, evidence: [item] }).subject_results).toEqual(judge(input).subject_results);
    }
  });

  it('a correction to what documents support never lowers the chance of that value', () => {
    covers('RM-11.362');
    const types = ['Regulator', 'Expert', 'Analyst', 'Journalist', 'Institutional', 'Insider'] as const;
    const type = fc.constantFrom<SourceType>(...types);
    const others = (values: readonly string[]) =>
      fc.array(
        fc.record({
          type,
          value: fc.constantFrom(...values),
          denies: fc.constantFrom(false, false, true),
          refuted: fc.constantFrom(0, 0, 1, 3),
        }),
        { maxLength: 5 },
      );
    const yesAndNo = others(['yes', 'no']).map((list) => ({ value: 'no', denies: false, to: 'yes', list }));
    const named = others(['Ann', 'Bo']).map((list) => ({ value: 'Ann', denies: true, to: 'Ann', list }));
    fc.assert(
      fc.property(
        type,
        fc.constantFrom(1, 2, 5),
        fc.oneof(yesAndNo, named),
        (own, refuted, { list, to, ...rest }) => {
          const said = [{ type: own, refuted, ...rest }, ...list];
          const key = to === 'yes' ? 'true' : to;
          const [before, after] = [chanceOf({ said }, key), chanceOf({ said, correction: to }, key)];
          if (before !== undefined && after !== undefined)
            expect(after).toBeGreaterThanOrEqual(before - 1e-9);
        },
      ),
      { numRuns: soak(1000) },
    );
  });
});
