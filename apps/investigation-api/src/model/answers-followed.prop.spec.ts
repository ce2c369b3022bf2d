import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  compareJudgements,
  type ClaimInput,
  type ComparedVerdict,
  type InvestigationInput,
  type InvestigationResult,
  type VerdictMove,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { feedOf } from '../engine/feed-changes.ts';
import { listedChanges } from '../engine/listed-changes.ts';
import { comparisonText } from '../mcp/comparison-text.ts';
import { JudgementComparison } from '../wire/session-schema.ts';
import { packJson, type PackedJson } from '../wire/packed-json.ts';
import { watchJudgement, type LeadingChance, type WatchState } from './watch-rules.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-01-01T00:00:00Z');
const JUDGED = { id: '6f1c2d3e-1111-4222-8333-444455556666', judged_at: NOW.toISOString() };
type Said = readonly [id: string, source: string, value: string, more?: Partial<ClaimInput>];

const TYPES: Readonly<Record<string, string>> = { R: 'Regulator', S: 'Anonymous' };
const asked = (claims: readonly Said[]): InvestigationInput => ({
  research_question: 'Who is it?',
  actors: ['A', 'B', 'C', 'R', 'S'].map((id) => ({ id, name: id, source_type: TYPES[id] ?? 'Journalist' })),
  subjects: [{ id: 's', name: 'Office', subject_type: 'office' }],
  claims: claims.map(([id, actor_id, value, more]) => ({
    id,
    actor_id,
    value,
    subject_id: 's',
    predicate: 'holder',
    content: '',
    ...more,
  })),
});
const judged = (claims: readonly Said[]) => {
  const input = asked(claims);
  return { input, judgedAt: NOW, result: analyze(input, { now: NOW }) as InvestigationResult };
};
const compared = (before: readonly Said[], after: readonly Said[]) =>
  compareJudgements(judged(before), judged(after));

const WATCHED = { rules: ['leading_changed', 'chance_moved'], chanceStep: 0.1 };
function fired(before: readonly Said[], after: readonly Said[]) {
  const at = (day: number, claims: readonly Said[]) => {
    const { result } = judged(claims);
    return { id: `judgement ${day}`, judgedAt: day, revision: day, result };
  };
  const { state } = watchJudgement(WATCHED, null, at(0, before));
  const kept = JSON.parse(JSON.stringify(state)) as WatchState;
  return watchJudgement(WATCHED, kept, at(1, after)).firings.flatMap(({ rule, questions }) =>
    questions.map((question) => ({ rule, before: question.before!, after: question.after! })),
  );
}
function fed(before: readonly Said[], after: readonly Said[]) {
  const published = (day: number, claims: readonly Said[], feedState: PackedJson | null) =>
    feedOf({
      frame: { judgement: { id: `judgement ${day}`, judged_at: new Date(day).toISOString() } },
      result: packJson(JSON.stringify(judged(claims).result)),
      feedState,
    } as unknown as Parameters<typeof feedOf>[0]);
  return published(1, after, published(0, before, null).feedState).changes;
}

const NAMED = ['Ames', 'Bell', 'Cole', 'Dunn', 'Eads', 'Ford', 'Gray', 'Hall', 'Ives', 'Jung', 'Kerr'];
const PARIS = { scope: 'Paris' };
const ROME = { scope: 'Rome' };
const DENIES = { valence: 'Refutes' };
const WITHDRAWN = { epistemic_status: 'retracted' };
const years = (from: string, to?: string) => ({
  event_start_time: from,
  ...(to !== undefined && { event_end_time: to }),
});

describe('what each surface tells about an answer', () => {
  it('a watch and a feed tell the move of one scope, and no turn, where what leads the question is another one', () => {
    covers('INV-WATCH.69');
    for (const [here, there, value] of [
      [PARIS, ROME, 'false'],
      [years('2000', '2010'), years('2010'), 'Bo'],
    ] as const) {
      const before: readonly Said[] = [
        ['a', 'R', value === 'Bo' ? 'Ann' : 'true', here],
        ['b', 'B', value, there],
      ];
      const after: readonly Said[] = [...before, ['c', 'C', value, there]];
      expect(fired(before, after)).toMatchObject([
        { rule: 'chance_moved', before: { value, ...there }, after: { value, ...there } },
      ]);
      expect(fed(before, after)).toEqual({ chance_moved: 1 });
    }
  });

  it('a watch and a feed fire where the scope or the time alone of an answer is another one', () => {
    covers('INV-WATCH.70');
    const present = years('1990');
    for (const [here, there] of [
      [PARIS, ROME],
      [PARIS, {}],
      [years('1990', '2000'), years('2010', '2020')],
      [present, years('1990', '2000')],
    ]) {
      const [before, after] = [here, there].map((place): readonly Said[] => [['a', 'A', 'Ann', place]]);
      expect(fired(before!, after!).map(({ rule }) => rule)).toContain('leading_changed');
      expect(fed(before!, after!)).toMatchObject({ leading_changed: 1 });
      const rows = compared(before!, after!).verdicts;
      const isOneRow = here === present;
      expect(rows).toMatchObject(
        isOneRow
          ? [{ before: here, after: there, move: 0 }]
          : [
              { before: null, after: there },
              { before: here, after: null },
            ],
      );
    }
  });

  it('a comparison makes no row of answers of two places, or of a stated value and a denied one', () => {
    covers('INV-V.326');
    expect(
      compared(
        [
          ['a', 'A', 'Smith', PARIS],
          ['b', 'B', 'Jones', { ...ROME, ...DENIES }],
        ],
        [
          ['a', 'A', 'Smith', { ...PARIS, ...WITHDRAWN }],
          ['b', 'B', 'Jones', { ...ROME, ...DENIES }],
        ],
      ),
    ).toMatchObject({ verdicts: [{ value: 'Smith', before: PARIS, after: null }], unchanged_verdicts: 1 });
    const rows = compared([['a', 'A', 'true', PARIS]], [['b', 'B', 'false', ROME]]).verdicts;
    expect(rows).toMatchObject([
      { before: PARIS, after: null },
      { before: null, after: { ...ROME, denied: true } },
    ]);
  });

  it('a denial that comes or goes is a row, an event and an entry of a feed', () => {
    covers('INV-WATCH.71', 'RM-11.376');
    const before: readonly Said[] = [['a', 'A', 'Smith', PARIS]];
    const after: readonly Said[] = [...before, ['b', 'B', 'Jones', { ...ROME, ...DENIES }]];
    const jones = { leading_value: 'Jones', ...ROME, denied: true, chance: null };
    expect(compared(before, after).verdicts).toMatchObject([{ value: 'Jones', before: null, after: jones }]);
    expect(compared(after, before).verdicts).toMatchObject([{ value: 'Jones', before: jones, after: null }]);
    expect(fired(before, after)).toMatchObject([
      { rule: 'leading_changed', before: { value: null }, after: { value: 'Jones', ...ROME, denied: true } },
    ]);
    expect(fed(before, after)).toEqual({ denials_changed: 1 });
  });

  it('a place in which claims only deny what led there says so', () => {
    covers('RM-11.377');
    const others: Said = ['b', 'B', 'Jones', ROME];
    const [row] = compared(
      [['a', 'A', 'Smith', PARIS], others],
      [['a', 'A', 'Smith', { ...PARIS, ...DENIES }], others],
    ).verdicts;
    expect(row).toMatchObject({ value: 'Smith', before: PARIS, after: { ...PARIS, denied: true } });
  });

  it('a yes without weight that becomes no is told though the chance stays even', () => {
    covers('RM-11.378');
    for (const place of [{}, PARIS]) {
      const rows = compared([['a', 'S', 'true', place]], [['a', 'S', 'false', place]]).verdicts;
      expect(rows).toMatchObject([{ value: 'true', after: { denied: true }, move: 0 }]);
      expect(rows[0]!.before).not.toHaveProperty('denied');
    }
  });

  it('values that are tied, each of its own time, have moved where the time of any is another one', () => {
    covers('RM-11.379');
    const held = (smith: string, jones: string): readonly Said[] => [
      ['a', 'A', 'Smith', years('1990', smith)],
      ['b', 'B', 'Jones', years('1989', jones)],
    ];
    for (const after of [held('2000', '2006'), held('2001', '2005')]) {
      const [row, ...others] = compared(held('2000', '2005'), after).verdicts;
      expect(others).toEqual([]);
      expect(row!.after).toMatchObject({ tied: ['Jones', 'Smith'], tied_places: [{}, {}] });
      expect(row!.after!.tied_places).not.toEqual(row!.before!.tied_places);
    }
  });

  it('a state that an earlier version kept is paired by scope and time, and fires nothing that it did not know', () => {
    covers('INV-WATCH.73');
    const told = (value: string, where: object) => {
      const leading = { value, scope: null, ...where, chance: 0.7 };
      return { leading, told: leading };
    };
    const question = {
      subject_id: 's',
      predicate: 'holder',
      contested: false,
      staleAt: null,
      isStale: false,
    };
    const earlier = { ...question, ...told('Ann', PARIS), elsewhere: [told('Bo', ROME)] };
    const state = { judgedAt: 0, judgementId: 'judgement 0', questions: [earlier] };
    const after = judged([
      ['a', 'A', 'Ann', PARIS],
      ['b', 'B', 'Cy', ROME],
      ['c', 'C', 'Dan', { ...DENIES, scope: 'Oslo' }],
    ]);
    const { firings } = watchJudgement(WATCHED, state, {
      id: 'judgement 1',
      judgedAt: 1,
      revision: 1,
      result: after.result,
    });
    expect(firings.map(({ questions }) => questions)).toMatchObject([
      [{ before: { value: 'Bo', ...ROME }, after: { value: 'Cy', ...ROME } }],
      [{ before: { value: 'Bo', ...ROME }, after: { value: 'Cy', ...ROME } }],
    ]);
  });

  const districts = (count: number, last: readonly Said[]): readonly Said[] => [
    ...NAMED.slice(NAMED.length - count, -1).map((name, at): Said => [
      `c${at + 10}`,
      'A',
      name,
      { scope: `d${name}` },
    ]),
    ...last,
  ];
  const kerr: Said = ['z', 'B', 'Kerr', { scope: 'last' }];

  it.each<[string, readonly Said[]]>([
    ['turns', [['z', 'B', 'Zorn', { scope: 'last' }]]],
    ['is confirmed', [kerr, ['x', 'C', 'Kerr', { scope: 'last' }]]],
    ['goes', []],
  ])('the last of eleven values that %s fires what the last of two does', (_, last) => {
    covers('INV-WATCH.80');
    const [few, many] = [2, 11].map((count) => {
      const [before, after] = [districts(count, [kerr]), districts(count, last)];
      return { events: fired(before, after), feed: fed(before, after) };
    });
    expect(few!.events).not.toEqual([]);
    expect(many).toEqual(few);
  });

  it('a state that an earlier version kept of eight of eleven values fires nothing on the same report', () => {
    covers('INV-WATCH.81');
    const { result } = judged(districts(11, [kerr]));
    const of = (day: number) => ({ id: `judgement ${day}`, judgedAt: day, revision: day, result });
    const { state } = watchJudgement(WATCHED, null, of(0));
    const kept = {
      ...state!,
      questions: state!.questions.map((one) => ({
        ...one,
        isWhole: undefined,
        answers: one.answers!.slice(0, 8),
      })),
    } as WatchState;
    expect(watchJudgement(WATCHED, kept, of(1)).firings).toEqual([]);
  });

  it('the text of a tool says false where no leads, whatever its status', () => {
    covers('INV-V.327');
    const comparison = listedChanges(compared([['a', 'A', 'true']], [['a', 'A', 'false']]), {
      offset: 0,
      limit: 5,
    });
    const text = comparisonText(
      JudgementComparison.parse({ session_id: 's', before: JUDGED, after: JUDGED, ...comparison }),
    );
    expect(text).toContain('true, True to false, False');
  });
});

const place = fc.record(
  {
    scope: fc.constantFrom('north', 'south'),
    event_start_time: fc.constantFrom('1900', '1910'),
    event_end_time: fc.constantFrom('1920', '1930'),
  },
  { requiredKeys: [] },
);
const said = (values: readonly string[]) =>
  fc.uniqueArray(
    fc
      .tuple(
        fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'c5'),
        fc.constantFrom('A', 'B', 'C', 'R', 'S'),
        fc.constantFrom(...values),
        place,
        fc.constantFrom({}, {}, DENIES),
      )
      .map(([id, source, value, where, denial]): Said => [id, source, value, { ...where, ...denial }]),
    { selector: ([id]) => id, minLength: 1, maxLength: 5 },
  );
const pairsOf = (values: readonly string[]) =>
  fc
    .tuple(said(values), said(values), fc.boolean())
    .map(([before, other, isEdit]): readonly [readonly Said[], readonly Said[]] => [
      before,
      isEdit ? [...before.filter(([id]) => id !== other[0]![0]), other[0]!] : other,
    ]);
const NAMES = ['Huber', 'Moser', 'Keller'];
const pairs = fc.oneof(pairsOf(NAMES), pairsOf(['true', 'false', 'partly']));

/** All rows of a comparison, those that did not change, too: every answer came of nothing once. */
const answersOf = (claims: readonly Said[]) =>
  compareJudgements(judged([]), judged(claims)).verdicts.map(({ after }) => keyOf(after!));
const keyOf = ({ leading_value, denied, tied, tied_places, ...place }: ComparedVerdict) =>
  JSON.stringify([leading_value, denied, tied, tied_places, placeKey(place), spanOf(place)]);
const placeKey = ({ scope = '' }: Partial<ComparedVerdict>) => scope;
const spanOf = ({
  event_start_time: from = '0000',
  event_end_time: to = '9999',
}: Partial<ComparedVerdict>) => [from, to];

function areApart({ before, after }: VerdictMove): boolean {
  if (!before || !after || before.tied || after.tied) return false;
  const [[from, to], [start, end]] = [spanOf(before), spanOf(after)];
  return placeKey(before) !== placeKey(after) || !(from! < end! && start! < to!);
}

describe('answers of random pairs of judgements', () => {
  it('each answer of either side is in one row, and no row joins two places', () => {
    covers('INV-V.328');
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const rows = compared(before, after).verdicts;
        const sides = (side: 'before' | 'after') =>
          rows.flatMap((row) => (row[side] ? [keyOf(row[side])] : []));
        for (const [side, claims] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const all = answersOf(claims);
          for (const one of sides(side)) expect(all).toContain(one);
          expect(new Set(sides(side)).size).toBe(sides(side).length);
        }
        expect(rows.filter(areApart)).toEqual([]);
      }),
      { numRuns: soak(300, 80) },
    );
  });

  it('a watch fires for the answers of which the comparison says that they turned, came or went', () => {
    covers('INV-WATCH.72');
    fc.assert(
      fc.property(pairsOf(NAMES), ([before, after]) => {
        const rows = compared(before, after).verdicts;
        const leads = fired(before, after).filter(({ rule }) => rule === 'leading_changed');
        // A tie leaves what led before.
        if (rows.some(({ before: was, after: is }) => was?.tied ?? is?.tied)) return;
        const told = ({
          value,
          scope,
          event_start_time: from,
          event_end_time: to,
          denied,
        }: Omit<LeadingChance, 'tied' | 'likelier'>) =>
          value === null ? [] : [[value, scope ?? '', from, to, denied].join()];
        const named = (one: ComparedVerdict | null) =>
          one ? told({ ...one, value: one.leading_value, scope: one.scope ?? null }) : [];
        const turned = rows.filter((row) => named(row.before).join() !== named(row.after).join());
        const sorted = (list: string[]) => [...new Set(list)].toSorted();
        expect(sorted(leads.flatMap((one) => [...told(one.before), ...told(one.after)]))).toEqual(
          sorted(turned.flatMap((row) => [...named(row.before), ...named(row.after)])),
        );
      }),
      { numRuns: soak(300, 80) },
    );
  });
});
