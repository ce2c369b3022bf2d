import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { analyze } from '../analyze.ts';
import type {
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  SubjectResult,
} from '../contract/types.ts';
import { actor, claim, investigation, NOW } from '../fixtures/investigation.fixture.ts';
import { compareJudgements, type ComparedJudgement, type VerdictMove } from './compare-judgements.ts';
import type { ComparedVerdict } from './answer-moves.ts';

fc.configureGlobal({ seed: SEED });

const judged = (input: InvestigationInput): ComparedJudgement => ({
  input,
  judgedAt: NOW,
  result: analyze(input, { now: NOW }) as InvestigationResult,
});
type Said = readonly [id: string, source: string, value: string, place: Partial<ClaimInput>];
const said = (claims: readonly Said[]) =>
  judged(investigation(claims.map(([id, source, value, place]) => claim(id, source, value, place))));
const compare = (before: readonly Said[], after: readonly Said[]) =>
  compareJudgements(said(before), said(after));

const STANDARD = { scope: 'standard' };
const REDUCED = { scope: 'reduced' };
const FIRST = { event_start_time: '1915', event_end_time: '1925' };
const LATER = { event_start_time: '1935', event_end_time: '1945' };
const SINCE = { event_start_time: '1925' };

describe('comparing answers of several scopes and times', () => {
  const rates: readonly Said[] = [
    ['c1', 'a', '19 %', STANDARD],
    ['c2', 'b', '19 %', STANDARD],
    ['c3', 'a', '7 %', REDUCED],
  ];
  const mayors: readonly Said[] = [
    ['c1', 'a', 'Huber', FIRST],
    ['c2', 'b', 'Huber', FIRST],
    ['c3', 'a', 'Moser', SINCE],
  ];

  it('a value of another scope than that of the leading one is followed in its own', () => {
    covers('INV-V.280');
    const { verdicts, unchanged_verdicts } = compare(rates, rates.with(2, ['c3', 'a', '8 %', REDUCED]));
    expect(verdicts).toMatchObject([
      {
        value: '8 %',
        before: { leading_value: '7 %', scope: 'reduced', chance: 0 },
        after: { leading_value: '8 %', scope: 'reduced' },
        parts: [{ items: [{ id: 'c3' }] }],
      },
    ]);
    expect(unchanged_verdicts).toBe(1);
  });

  it('the present holder is followed though an earlier one leads, whatever the ids', () => {
    covers('INV-V.280');
    for (const id of ['c3', 'a0', 'z9']) {
      const { verdicts } = compare(
        mayors.with(2, [id, 'a', 'Moser', SINCE]),
        mayors.with(2, [id, 'a', 'Keller', SINCE]),
      );
      expect(verdicts).toMatchObject([
        {
          value: 'Keller',
          before: { leading_value: 'Moser', event_start_time: '1925', chance: 0 },
          after: { leading_value: 'Keller', event_start_time: '1925' },
        },
      ]);
      expect(verdicts[0]!.move).toBeGreaterThan(0.5);
    }
  });

  it('a holder who comes or goes has a verdict of its own, and one whose time ended is named', () => {
    covers('INV-V.280');
    expect(compare(mayors.slice(0, 2), mayors).verdicts).toMatchObject([{ value: 'Moser', before: null }]);
    expect(compare(mayors, mayors.slice(0, 2)).verdicts).toMatchObject([{ value: 'Moser', after: null }]);
    const ended = { ...SINCE, event_end_time: '1930' };
    expect(compare(mayors, mayors.with(2, ['c3', 'a', 'Moser', ended])).verdicts).toMatchObject([
      { value: 'Moser', before: { event_start_time: '1925' }, after: { event_end_time: '1930' } },
    ]);
  });

  it('a claim more for one scope moves that scope alone, though its value leads by it', () => {
    covers('INV-V.280');
    const even: readonly Said[] = [
      ['c1', 'a', '19 %', STANDARD],
      ['c2', 'b', '7 %', REDUCED],
    ];
    for (const [place, value] of [
      [STANDARD, '19 %'],
      [REDUCED, '7 %'],
    ] as const)
      expect(compare(even, [...even, ['c3', 'c', value, place]]).verdicts).toMatchObject([
        { value, before: { leading_value: value, ...place }, after: { leading_value: value, ...place } },
      ]);
  });

  it.each<[string, readonly Said[], readonly Said[], object, object | null]>([
    [
      'a past time that is another one',
      [['c1', 'a', 'Smith', FIRST]],
      [['c1', 'a', 'Smith', LATER]],
      { event_start_time: '1915' },
      { event_start_time: '1935' },
    ],
    [
      'one of two past times that goes',
      [
        ['c1', 'a', 'Smith', FIRST],
        ['c2', 'a', 'Smith', LATER],
      ],
      [['c2', 'a', 'Smith', LATER]],
      { event_start_time: '1915' },
      null,
    ],
    [
      'another scope',
      [
        ['c1', 'a', '19 %', STANDARD],
        ['c2', 'b', '7 %', REDUCED],
      ],
      [
        ['c1', 'a', '19 %', { scope: 'special' }],
        ['c2', 'b', '7 %', REDUCED],
      ],
      { scope: 'standard' },
      { scope: 'special' },
    ],
  ])('a value is told as gone, and as there where it is now, by %s', (_, was, is, before, after) => {
    covers('INV-V.286');
    expect(compare(was, is).verdicts).toMatchObject([
      ...(after ? [{ before: null, after }] : []),
      { before, after: null },
    ]);
  });

  it('no in another scope than a yes turns to yes, and keeps the chance of yes', () => {
    covers('INV-V.280');
    const legal = (value: string): readonly Said[] => [
      ['c1', 'a', 'yes', { scope: 'Malta' }],
      ['c2', 'b', 'yes', { scope: 'Malta' }],
      ['c3', 'a', value, { scope: 'Rome' }],
    ];
    const [move, ...others] = compare(legal('no'), legal('yes')).verdicts;
    expect(others).toEqual([]);
    expect(move).toMatchObject({ value: 'true', before: { denied: true, scope: 'Rome' }, after: {} });
    expect(move!.before!.chance! + move!.after!.chance!).toBeCloseTo(1, 9);
  });
});

const places = fc.record(
  {
    scope: fc.constantFrom('north', 'south'),
    event_start_time: fc.constantFrom('1900', '1910', '1920'),
    event_end_time: fc.constantFrom('1930', '1940', '2100'),
  },
  { requiredKeys: [] },
);
const claims = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 9 }),
    by: fc.constantFrom('a', 'b', 'c', 'd'),
    value: fc.constantFrom('red', 'blue', 'green', 'yes', 'no'),
    valence: fc.constantFrom('Supports' as const, 'Supports' as const, 'Refutes' as const),
    place: places,
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 7 },
);
const inputs = claims.map((list) =>
  investigation(
    list.map(({ id, by, value, valence, place }) => claim(`c${id}`, by, value, { valence, ...place })),
    {
      actors: [
        actor('a'),
        actor('b'),
        actor('c', { base_reliability: 0.6 }),
        actor('d', { base_reliability: 0.3 }),
      ],
    },
  ),
);

/** The likely values of a verdict that are said to hold in a scope at an instant. */
function holding(verdict: SubjectResult | undefined, scope: string | undefined, at: number): string[] {
  const time = (text: string | undefined, open: number) => (text === undefined ? open : Date.parse(text));
  const values = (verdict?.rival_values ?? []).filter(
    (one) =>
      one.scope === scope &&
      !one.denied &&
      one.calibrated_probability > 0.55 &&
      time(one.event_start_time, -Infinity) <= at &&
      at < time(one.event_end_time, Infinity),
  );
  return [...new Set(values.map(({ value }) => value))].toSorted();
}

describe('comparisons of random investigations with scopes and times', () => {
  const edits = fc.tuple(inputs, inputs, fc.func(fc.boolean())).map(([one, other, keeps]) => ({
    before: one,
    // Most claims stay as they are.
    after: {
      ...one,
      claims: [...one.claims.filter((kept) => keeps(kept.id)), ...other.claims.slice(0, 2)].filter(
        ({ id }, index, all) => all.findIndex((each) => each.id === id) === index,
      ),
    },
  }));

  it('a likely value that holds now, or at any time in a scope, on one side alone is named', () => {
    covers('INV-V.281');
    fc.assert(
      fc.property(edits, ({ before, after }) => {
        const [was, is] = [judged(before), judged(after)];
        const { verdicts } = compareJudgements(was, is);
        const [old, now] = [was, is].map(({ result }) => result.subject_results[0]);
        for (const scope of [undefined, 'north', 'south'])
          for (const at of [NOW.getTime(), Date.parse('1915'), Date.parse('1925'), Date.parse('1935')]) {
            const [held, holds] = [holding(old, scope, at), holding(now, scope, at)];
            const isPresent = at === NOW.getTime();
            // A time that begins or ends otherwise in the past is none that comes or goes.
            if (!isPresent && (held.length === 0 || holds.length === 0)) continue;
            for (const value of held.concat(holds))
              if (held.includes(value) !== holds.includes(value))
                expect({ value, scope, at, named: namedIn(scope, verdicts) }).toEqual(
                  expect.objectContaining({ named: expect.arrayContaining([value]) as unknown }),
                );
          }
      }),
      { numRuns: soak(400, 80) },
    );
  });

  it('the parts of each move sum to it, and the same report has no verdict that moved', () => {
    covers('INV-V.282');
    fc.assert(
      fc.property(edits, ({ before, after }) => {
        const [was, is] = [judged(before), judged(after)];
        const { verdicts } = compareJudgements(was, is);
        for (const { move, parts, before: from, after: to } of verdicts) {
          expect(parts.reduce((sum, part) => sum + part.move, 0)).toBeCloseTo(move, 9);
          expect((to?.chance ?? 0) - (from?.chance ?? 0)).toBeCloseTo(move, 12);
        }
        const turned = { ...after, claims: after.claims.toReversed() };
        expect(compareJudgements(is, judged(turned)).verdicts).toEqual([]);
        expect(compareJudgements(is, is).verdicts).toEqual([]);
        // Other ids are other items, which each move something in between.
        const renamed = after.claims.map((one) => ({ ...one, id: `c${9 - Number(one.id.slice(1))}` }));
        for (const side of compareJudgements(is, judged({ ...after, claims: renamed })).verdicts) {
          expect(side.move).toBeCloseTo(0, 9);
          expect(side.after).toMatchObject(leadOf(side.before));
        }
      }),
      { numRuns: soak(200, 40) },
    );
  });
});

const leadOf = (side: ComparedVerdict | null) => ({
  leading_value: side?.leading_value,
  ...(side?.tied && { tied: side.tied }),
  ...(side?.likelier && { likelier: side.likelier }),
});

/** The values that verdicts name which are about a scope; of yes and no, a verdict is about yes. */
function namedIn(scope: string | undefined, verdicts: readonly VerdictMove[]): unknown[] {
  const named = verdicts.flatMap(({ value, before, after }) => {
    const sides = [before, after].filter((side) => side !== null);
    if (!sides.some((side) => side.scope === scope || side.value_place?.scope === scope)) return [];
    const others = sides.flatMap(({ leading_value, likelier, tied = [], denied_values = [] }) => [
      leading_value,
      likelier?.value,
      ...tied,
      ...denied_values,
    ]);
    return [value, ...others];
  });
  return named.includes('true') ? [...named, 'false'] : named;
}
