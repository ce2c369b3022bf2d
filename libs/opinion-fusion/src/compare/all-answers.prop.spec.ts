import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { analyze } from '../analyze.ts';
import { RIVALS_MAX } from '../contract/constants.ts';
import type {
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  SubjectResult,
} from '../contract/types.ts';
import { actor, claim, investigation, NOW } from '../fixtures/investigation.fixture.ts';
import { compareJudgements, type ComparedJudgement, type VerdictMove } from './compare-judgements.ts';

fc.configureGlobal({ seed: SEED });

type Said = readonly [id: string, source: string, value: string, more?: Partial<ClaimInput>];
const SOURCES = 'abcdefghijklmnopqrst'.split('');
const asked = (claims: readonly Said[]) =>
  investigation(
    claims.map(([id, source, value, more]) => claim(id, source, value, more)),
    { actors: SOURCES.map((id) => actor(id)) },
  );
const judged = (input: InvestigationInput): ComparedJudgement => ({
  input,
  judgedAt: NOW,
  result: analyze(input, { now: NOW }) as InvestigationResult,
});
const compared = (before: readonly Said[], after: readonly Said[]) =>
  compareJudgements(judged(asked(before)), judged(asked(after)));

/** A judgement as versions that listed eight values kept it. */
const asKeptBefore = ({ result, ...rest }: ComparedJudgement): ComparedJudgement => ({
  ...rest,
  result: {
    ...result,
    subject_results: result.subject_results.map(
      ({ all_values: _values, all_denials: _denials, ...verdict }) => verdict,
    ),
  },
});

const DENIES = { valence: 'Refutes' };
const years = (from: number, to: number) => ({
  event_start_time: String(from),
  event_end_time: String(to),
});
const PLACES: Readonly<Record<string, (at: number) => Partial<ClaimInput>>> = {
  times: (at) => years(1900 + at * 5, 1905 + at * 5),
  scopes: (at) => ({ scope: `d${at + 10}` }),
};
const NAMES = ['Ames', 'Bell', 'Cole', 'Dunn', 'Eads', 'Ford', 'Gray', 'Hall', 'Ives', 'Jung', 'Kerr'];
/** What happens in the place of the last claim. */
const EDITS: Readonly<Record<string, (place: Partial<ClaimInput>, last: Said) => readonly Said[]>> = {
  'turns to another value': (place, [id, source]) => [[id, source, 'Zorn', place]],
  'is denied by two': (place, last) => [
    last,
    ['x1', 'p', last[2], { ...DENIES, ...place }],
    ['x2', 'q', last[2], { ...DENIES, ...place }],
  ],
  'gets a rival of two': (place, last) => [last, ['x1', 'p', 'Zorn', place], ['x2', 'q', 'Zorn', place]],
  'is confirmed': (place, last) => [last, ['x1', 'p', last[2], place]],
  goes: () => [],
};

const rows = (verdicts: readonly VerdictMove[]) =>
  verdicts.map(({ value, before, after, move, parts }) => ({
    value,
    before: before?.leading_value,
    after: after?.leading_value,
    move: Number(move.toFixed(9)),
    by: parts.flatMap(({ items }) => items.map(({ id }) => id)),
  }));

describe('comparing all answers of a question', () => {
  it.each(Object.keys(EDITS).flatMap((edit) => Object.keys(PLACES).map((place) => [edit, place] as const)))(
    'the last of eleven values %s as the last of two does, by %s',
    (edit, kind) => {
      covers('INV-V.340');
      const told = (values: readonly string[]) => {
        const said = values.map((value): Said => {
          const at = NAMES.indexOf(value);
          return [`c${at + 10}`, SOURCES[at]!, value, PLACES[kind]!(at)];
        });
        const last = said.at(-1)!;
        const after = [...said.slice(0, -1), ...EDITS[edit]!(last[3]!, last)];
        const { verdicts, unchanged_verdicts } = compared(said, after);
        expect(unchanged_verdicts).toBe(values.length - 1);
        return rows(verdicts);
      };
      const few = told(NAMES.slice(-2));
      expect(few).not.toEqual([]);
      expect(told(NAMES)).toEqual(few);
    },
  );

  it('a ninth value that comes or goes is told, and no other', () => {
    covers('INV-V.340');
    for (const ninth of ['Aaron', 'Zorn']) {
      const eight = NAMES.slice(0, 8).map((value, at): Said => [
        `c${at}`,
        SOURCES[at]!,
        value,
        { scope: value },
      ]);
      const nine: readonly Said[] = [...eight, ['x', 's', ninth, { scope: 'else' }]];
      expect(compared(eight, nine)).toMatchObject({
        verdicts: [{ value: ninth, before: null }],
        unchanged_verdicts: 8,
      });
      expect(compared(nine, eight)).toMatchObject({
        verdicts: [{ value: ninth, after: null }],
        unchanged_verdicts: 8,
      });
    }
  });

  it('a denial beyond eight is told where it comes, and none that stays', () => {
    covers('INV-V.340');
    const denied = (count: number): readonly Said[] => [
      ['a', 'a', 'Ames', { scope: 'here' }],
      ...NAMES.slice(1, count + 1).map((value, at): Said => [
        `d${at + 10}`,
        SOURCES[at + 1]!,
        value,
        { ...DENIES, scope: 'there' },
      ]),
    ];
    const { verdicts } = compared(denied(9), denied(10));
    expect(verdicts.map(({ value, before }) => [value, before])).toEqual([['Kerr', null]]);
  });
});

describe('comparing answers by time', () => {
  it.each<[string, readonly Said[], readonly Said[], readonly object[]]>([
    [
      'a value that comes in another time takes none from that in which it is said already',
      [
        ['c1', 'a', 'Ann', years(2011, 2012)],
        ['c2', 'b', 'Bo', years(2006, 2010)],
      ],
      [
        ['c1', 'a', 'Ann', years(2011, 2012)],
        ['c2', 'b', 'Bo', years(2006, 2010)],
        ['x1', 'c', 'Ann', years(2006, 2010)],
        ['x2', 'd', 'Ann', years(2006, 2010)],
      ],
      [{ value: 'Ann', before: { leading_value: 'Bo', ...years(2006, 2010) }, after: years(2006, 2010) }],
    ],
    [
      'a value that was said all along is not told where it goes in another time',
      [
        ['c1', 'a', 'Ann', years(2000, 2005)],
        ['c2', 'b', 'Ann', years(2006, 2010)],
      ],
      [
        ['c1', 'a', 'Bo', years(2000, 2005)],
        ['c2', 'b', 'Ann', years(2006, 2010)],
      ],
      [{ value: 'Bo', before: { leading_value: 'Ann', ...years(2000, 2005) }, after: years(2000, 2005) }],
    ],
    [
      'a value that goes in one time and comes in another is moved in each by what is said of it',
      [['c1', 'a', 'Ann', years(2000, 2010)]],
      [['x1', 'b', 'Ann', years(2015, 2020)]],
      [
        { before: null, after: years(2015, 2020), parts: [{ items: [{ id: 'x1' }] }] },
        { before: years(2000, 2010), after: null, parts: [{ items: [{ id: 'c1' }] }] },
      ],
    ],
    [
      'a yes that is withdrawn has no part in a no of another time',
      [['c1', 'a', 'yes', years(2001, 2002)]],
      [
        ['c1', 'a', 'yes', { ...years(2001, 2002), epistemic_status: 'retracted' }],
        ['x1', 'b', 'no', years(2015, 2016)],
      ],
      [
        { before: years(2001, 2002), after: null, parts: [{ items: [{ id: 'c1' }] }] },
        { before: null, after: years(2015, 2016), parts: [{ items: [{ id: 'x1' }] }] },
      ],
    ],
    [
      'a no that is confirmed in one time leaves that of another',
      [
        ['c1', 'a', 'no', years(2000, 2005)],
        ['c2', 'b', 'no', years(2006, 2010)],
      ],
      [
        ['c1', 'a', 'no', years(2000, 2005)],
        ['c2', 'b', 'no', years(2006, 2010)],
        ['x1', 'c', 'no', years(2006, 2010)],
      ],
      [{ before: years(2006, 2010), after: years(2006, 2010), parts: [{ items: [{ id: 'x1' }] }] }],
    ],
  ])('%s', (_, before, after, expected) => {
    covers('INV-V.341');
    expect(compared(before, after).verdicts).toMatchObject(expected);
  });
});

/** Places that are one or have nothing in common. */
const places = fc
  .tuple(fc.constantFrom({}, { scope: 'north' }, { scope: 'south' }), fc.constantFrom(0, 1, 2, 3))
  .map(([scope, at]) => ({ ...scope, ...years(1900 + at * 20, 1910 + at * 20) }));
const saidOf = (values: readonly string[], max: number) =>
  fc.uniqueArray(
    fc
      .tuple(
        fc.integer({ min: 10, max: 39 }),
        fc.constantFrom(...SOURCES),
        fc.constantFrom(...values),
        places,
        fc.constantFrom({}, {}, {}, DENIES, { epistemic_status: 'retracted' }),
      )
      .map(([id, source, value, place, more]): Said => [`c${id}`, source, value, { ...place, ...more }]),
    { selector: ([id]) => id, minLength: 1, maxLength: max },
  );
const edited = fc
  .tuple(saidOf(['Ann', 'Bo', 'Cy', 'Dee'], 18), saidOf(['Ann', 'Bo', 'Cy', 'Dee'], 3))
  .map(([before, edits]) => {
    const ids = new Set(edits.map(([id]) => id));
    return { before, after: [...before.filter(([id]) => !ids.has(id)), ...edits] };
  });
const placeOf = (one: Partial<ClaimInput> | null | undefined) =>
  JSON.stringify([one?.scope ?? '', one?.event_start_time, one?.event_end_time]);

describe('comparisons after random edits by scope and time', () => {
  it('rows tell only places that an edit touches, and each part has an item that touches its place', () => {
    covers('INV-V.342');
    fc.assert(
      fc.property(edited, ({ before, after }) => {
        const { verdicts } = compared(before, after);
        const touched = ([id]: Said) =>
          [...before, ...after].filter((one) => one[0] === id).map((one) => placeOf(one[3]));
        const edits = after.filter((one) => !before.includes(one)).flatMap(touched);
        for (const { before: was, after: is, parts } of verdicts) {
          // Where no claim counts on a whole question, nothing has a place.
          const sides = [was, is].filter((side) => side && (side.tied ?? side.leading_value !== null));
          if ([was, is].some((side) => side && !sides.includes(side))) continue;
          const told = new Set(sides.flatMap((side) => (side!.tied_places ?? [side]).map(placeOf)));
          expect(told.size).toBe(1);
          const [place] = told;
          expect(edits).toContain(place);
          for (const { items } of parts.filter(({ cause }) => cause === 'items')) {
            const of = items.flatMap(({ id }) => touched([id, '', '']));
            expect(of).toContain(place);
          }
        }
      }),
      { numRuns: soak(400, 100) },
    );
  });

  it('a judgement that an earlier version kept has no move to the same report', () => {
    covers('INV-V.343');
    fc.assert(
      fc.property(fc.oneof(edited, many), ({ before, after }) => {
        for (const claims of [before, after]) {
          const now = judged(asked(claims));
          expect(rows(compareJudgements(asKeptBefore(now), now).verdicts)).toEqual([]);
          expect(rows(compareJudgements(now, asKeptBefore(now)).verdicts)).toEqual([]);
        }
      }),
      { numRuns: soak(200, 50) },
    );
  });

  it('all values of a verdict have those that it lists, with the same chances', () => {
    covers('RM-11.400');
    fc.assert(
      fc.property(many, ({ after }) => {
        const [verdict] = judged(asked(after)).result.subject_results as [SubjectResult];
        expect(verdict.all_values ?? []).toEqual(expect.arrayContaining(verdict.rival_values));
        expect(verdict.all_values?.[0]).toEqual(verdict.rival_values[0]);
        expect(verdict.rival_values.length).toBeLessThanOrEqual(RIVALS_MAX);
      }),
      { numRuns: soak(200, 50) },
    );
  });
});

const many = saidOf(NAMES, 24).map((before) => ({ before, after: before }));
