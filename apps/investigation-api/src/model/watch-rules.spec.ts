import { analyze, type EvidenceInput, type InvestigationResult } from '@platform/opinion-fusion';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import {
  JUDGEMENT_RULES,
  passTime,
  watchJudgement,
  type LeadingChance,
  type WatchState,
} from './watch-rules.ts';

fc.configureGlobal({ seed: SEED });

const DAY_MS = 24 * 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const ALL = { rules: JUDGEMENT_RULES, chanceStep: 0.1 };

/** A judgement of one dated claim at a number of days; News is half as much worth after 90. */
function judged(day: number, more: object = {}) {
  const claim = { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'v', content: '' };
  const result = analyze(
    {
      research_question: 'q',
      domain: 'News',
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      claims: [{ ...claim, assertion_time: '2026-01-01T00:00:00Z', ...more }],
    },
    { now: new Date(START + day * DAY_MS) },
  ) as InvestigationResult;
  return {
    id: `judgement ${String(day).padStart(5, '0')}`,
    judgedAt: START + day * DAY_MS,
    revision: 0,
    result,
  };
}

describe('rules of subscriptions', () => {
  it('a question goes stale at the instant from which the engine calls its claims stale, and fires once', () => {
    covers('INV-WATCH.1');
    const { state, firings, dueAt } = watchJudgement(ALL, null, judged(0));
    expect(firings).toEqual([]);
    const day = (dueAt! - START) / DAY_MS;
    const decayAt = (at: number) => judged(at).result.claim_analyses[0]!.temporal_decay_factor;
    expect(decayAt(day - 0.01)).toBeGreaterThan(0.25);
    expect(decayAt(day + 0.01)).toBeLessThan(0.25);
    expect(passTime(ALL, state, dueAt! - 1).firings).toEqual([]);
    const passed = passTime(ALL, state, dueAt!);
    expect(passed).toMatchObject({ dueAt: null, firings: [{ rule: 'goes_stale', at: dueAt }] });
    expect(passTime(ALL, passed.state, dueAt! + DAY_MS).firings).toEqual([]);
    expect(watchJudgement({ ...ALL, chanceStep: 1 }, passed.state, judged(day + 1)).firings).toEqual([]);
  });

  it('a judgement that comes late fires what time had made stale first, and an older one changes nothing', () => {
    covers('INV-WATCH.1');
    const { state, dueAt } = watchJudgement(ALL, null, judged(0));
    const late = watchJudgement({ ...ALL, rules: ['goes_stale'] }, state, judged(5000));
    expect(late.firings).toMatchObject([{ rule: 'goes_stale', at: dueAt, judgementId: null }]);
    expect(watchJudgement(ALL, late.state, judged(1))).toMatchObject({ state: late.state, firings: [] });
  });

  it('a judgement of a later revision is looked at although its clock is behind, and one of an earlier never', () => {
    covers('INV-S.48');
    const first = watchJudgement(ALL, null, { ...judged(10), revision: 3 });
    const later = watchJudgement(ALL, first.state, { ...judged(1), revision: 4 });
    expect(later.state).toMatchObject({ judgementId: judged(1).id, revision: 4 });
    const stale = watchJudgement(ALL, later.state, { ...judged(20), revision: 3 });
    expect(stale).toMatchObject({ state: later.state, firings: [] });
  });

  it('a chance is compared with the one that fired last, so that small moves add up', () => {
    covers('INV-WATCH.1');
    const base = judged(0);
    const at = (day: number, chance: number) => ({
      id: `judgement ${day}`,
      judgedAt: START + day * DAY_MS,
      revision: 0,
      result: {
        ...base.result,
        subject_results: base.result.subject_results.map((one) => ({
          ...one,
          calibrated_probability: chance,
        })),
      },
    });
    let state: WatchState | null = null;
    const moves = [0.5, 0.56, 0.62, 0.68, 0.74].map((chance, day) => {
      const watched = watchJudgement({ rules: ['chance_moved'], chanceStep: 0.1 }, state, at(day, chance));
      state = watched.state;
      return watched.firings.length;
    });
    expect(moves).toEqual([0, 0, 1, 0, 1]);
  });

  it('leading_changed fires once when the answer to a yes-or-no question turns, and not at an even chance', () => {
    covers('INV-WATCH.25');
    const answers = ['y', 'yn', 'yyn', 'yn', 'ynn', 'yn', 'n', 'yn', 'yyn', 'y'];
    const fired = turnsOf(answers);
    expect(fired.map(({ day }) => answers[day])).toEqual(['ynn', 'yyn']);
    expect(fired[0]).toMatchObject({
      before: { value: 'true', chance: expect.closeTo(0.5) },
      after: { value: 'false', chance: expect.closeTo(0.72, 2) },
    });
    expect(fired[1]).toMatchObject({ before: { value: 'false' }, after: { value: 'true' } });
  });

  it('a tie leaves the value that led and says so, whatever the ids of its claims', () => {
    covers('INV-WATCH.44');
    const said = (day: number, ids: string, values: readonly string[]) => {
      const result = analyze(
        {
          research_question: 'q',
          actors: values.map((_, i) => ({ id: `a${i}`, name: `A${i}`, source_type: 'Journalist' })),
          subjects: [{ id: 's', name: 'S', subject_type: 't' }],
          claims: values.map((value, i) => {
            const claim = { actor_id: `a${i}`, subject_id: 's', predicate: 'owner', value, content: '' };
            return { ...claim, id: `${ids[i]}` };
          }),
        },
        { now: new Date(START + day * DAY_MS) },
      ) as InvestigationResult;
      return { id: `judgement ${day}`, judgedAt: START + day * DAY_MS, revision: 0, result };
    };
    const days = [
      ['Ann'],
      ['Ann', 'Bob'],
      ['Ann', 'Bob', 'Bob'],
      ['Ann', 'Bob', 'Bob', 'Ann'],
      ['Cee', 'Dan'],
    ];
    const fired = (ids: string) => {
      let state: WatchState | null = null;
      return days.map((values, day) => {
        const watched = watchJudgement(ALL, state, said(day, ids, values));
        ({ state } = watched);
        return watched.firings
          .filter(({ rule }) => rule !== 'became_contested')
          .map(({ rule, questions: [one] }) => [
            rule,
            one!.before?.value,
            one!.after?.value,
            one!.after?.tied,
          ]);
      });
    };
    expect(fired('abcd')).toEqual([
      [],
      [['chance_moved', 'Ann', 'Ann', true]],
      [
        ['leading_changed', 'Ann', 'Bob', undefined],
        ['chance_moved', 'Ann', 'Bob', undefined],
      ],
      [['chance_moved', 'Bob', 'Bob', true]],
      [
        ['leading_changed', 'Bob', null, true],
        ['chance_moved', 'Bob', null, true],
      ],
    ]);
    expect(fired('dcba')).toEqual(fired('abcd'));
  });

  it('a chance that moved across a turn is compared as the chance of the answer that was told', () => {
    covers('INV-WATCH.25');
    const chances = (chanceStep: number) => {
      const { state } = watchJudgement({ ...ALL, chanceStep }, null, answered('ynn', 0));
      return watchJudgement({ rules: ['chance_moved'], chanceStep }, state, answered('yyn', 1)).firings;
    };
    expect(chances(0.43)).toMatchObject([
      {
        questions: [
          { before: { value: 'false' }, after: { value: 'true', chance: expect.closeTo(0.72, 2) } },
        ],
      },
    ]);
    expect(chances(0.44)).toEqual([]);
  });

  it('a chance that moved while another value took the lead says what the value that led has now', () => {
    covers('INV-WATCH.34');
    const rules = ['chance_moved'];
    const { state } = watchJudgement({ rules, chanceStep: 0.1 }, null, answered('ynn', 0));
    const turned = watchJudgement({ rules, chanceStep: 0.1 }, state, answered('yyn', 1));
    expect(turned.firings[0]!.questions[0]).toMatchObject({
      before: { value: 'false', chance: expect.closeTo(0.72, 2) },
      before_now: expect.closeTo(0.28, 2),
      after: { value: 'true', chance: expect.closeTo(0.72, 2) },
    });
    const back = watchJudgement({ rules, chanceStep: 0.1 }, turned.state, answered('yyyyyn', 2));
    expect(back.firings[0]!.questions[0]).not.toHaveProperty('before_now');
  });

  it('leading_changed of a yes-or-no question fires exactly where the likelier of its two answers is another one', () => {
    covers('INV-WATCH.25');
    const answers = fc.array(fc.string({ unit: fc.constantFrom('y', 'n'), minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(answers, (sets) => {
        const side = (set: string) => Math.sign(set.split('y').length - set.split('n').length);
        let led = sets[0] === undefined ? 0 : side(sets[0]) || 1;
        const turned = sets.flatMap((set, day) => {
          const leads = side(set) || led;
          const isTurn = leads !== led;
          led = leads;
          return isTurn ? [day] : [];
        });
        expect(turnsOf(sets).map(({ day }) => day)).toEqual(turned);
      }),
      { numRuns: soak(200, 40) },
    );
  });
});

describe('questions that lose their verdict', () => {
  const claim = (id: string, value: string) => ({
    id,
    actor_id: 'a',
    subject_id: 's',
    predicate: 'p',
    value,
    content: '',
  });

  it('a question whose claims are all removed fires, and fires again when it has another value', () => {
    covers('INV-WATCH.29');
    const rules = ALL.rules.filter((rule) => rule !== 'goes_stale');
    let state: WatchState | null = null;
    const fired = [[claim('c', 'guilty')], [], [], [claim('d', 'innocent')]].map((claims, day) => {
      const watched = watchJudgement({ rules, chanceStep: 0.01 }, state, judgementOf(claims, day));
      state = watched.state;
      return watched.firings.map(({ rule, questions }) => [rule, questions[0]!.before, questions[0]!.after]);
    });
    const guilty = { value: 'guilty', scope: null, chance: expect.closeTo(0.74, 2) as unknown };
    const nothing = { value: null, scope: null, chance: null };
    const innocent = { ...guilty, value: 'innocent' };
    expect(fired).toEqual([
      [],
      [
        ['leading_changed', guilty, nothing],
        ['chance_moved', guilty, nothing],
      ],
      [],
      [
        ['leading_changed', nothing, innocent],
        ['chance_moved', nothing, innocent],
      ],
    ]);
  });

  it('an event names the time that each of its values is about, and none where claims name none', () => {
    covers('INV-WATCH.41');
    const dated = (id: string, value: string, time: object) => ({ ...claim(id, value), ...time });
    const held = { event_start_time: '1990', event_end_time: '2000' };
    const rules = ['leading_changed'];
    const first = judgementOf([dated('c', 'Ann', held)], 0);
    const second = judgementOf([dated('d', 'Bob', { event_start_time: '2010' })], 1);
    const third = judgementOf([claim('e', 'Cid')], 2);
    let state: WatchState | null = null;
    const fired = [first, second, third].flatMap((judgement) => {
      const watched = watchJudgement({ rules, chanceStep: 1 }, state, judgement);
      state = watched.state;
      return watched.firings.flatMap(({ questions }) => questions);
    });
    const chance = expect.any(Number) as unknown;
    const bob = { value: 'Bob', scope: null, event_start_time: '2010', chance };
    const ann = { value: 'Ann', scope: null, ...held, chance };
    const nothing = { value: null, chance: null };
    expect(fired).toMatchObject([
      { before: { ...bob, ...nothing }, after: bob },
      { before: ann, after: { ...ann, ...nothing } },
      { before: bob, after: { value: 'Cid', scope: null, chance } },
    ]);
    expect(fired[2]!.after).not.toHaveProperty('event_start_time');
  });

  it('another present holder, or value of another scope, fires though another value leads the question', () => {
    covers('INV-V.284');
    const rules = { rules: ['leading_changed', 'chance_moved'], chanceStep: 0.01 };
    for (const [elsewhere, here] of [
      [{ event_start_time: '1915', event_end_time: '1925' }, { event_start_time: '1925' }],
      [{ scope: 'standard' }, { scope: 'reduced' }],
    ])
      for (const leads of [true, false]) {
        const first = [
          claim('a', 'Huber'),
          ...(leads ? [{ ...claim('b', 'Huber'), actor_id: 'a1' }] : []),
        ].map((one) => ({ ...one, ...elsewhere }));
        let state: WatchState | null = null;
        const fired = ['Moser', 'Moser', 'Keller', null, 'Moser'].map((value, day) => {
          const present = value === null ? [] : [{ ...claim('d', value), ...here }];
          const watched = watchJudgement(rules, state, judgementOf([...first, ...present], day));
          state = watched.state;
          return watched.firings.map(({ rule, questions }) => [
            rule,
            ...questions.map(({ before, after }) => [before?.value, after?.value]),
          ]);
        });
        const both = (...move: unknown[]) => [
          ['leading_changed', move],
          ['chance_moved', move],
        ];
        if (leads)
          expect(fired).toEqual([[], [], both('Moser', 'Keller'), both('Keller', null), both(null, 'Moser')]);
        expect(fired[2]).toEqual(both('Moser', 'Keller'));
      }
  });

  it('a tie in another scope or time than what leads is told as one before, and its chance is compared', () => {
    covers('INV-WATCH.64');
    for (const [south, north] of [
      [{ scope: 'south' }, { scope: 'north' }],
      [{ event_start_time: '2000' }, { event_start_time: '1990', event_end_time: '2000' }],
    ]) {
      const brown = ['a0', 'a1'].map((id) => ({ ...claim(id, 'Brown'), actor_id: id, ...south }));
      const tie = [
        { ...claim('c1', 'Smith'), ...north },
        { ...claim('c2', 'Jones'), actor_id: 'a2', ...north },
      ];
      const evidence = { id: 'e', claim_id: 'c1', content: 'note', valence: 'Supports', weight: 0.1 };
      const before = watchJudgement(ALL, null, judgementOf([...brown, ...tie], 1));
      const { firings } = watchJudgement(ALL, before.state, judgementOf([...brown, ...tie], 2, [evidence]));
      expect(firings).toMatchObject([
        {
          rule: 'leading_changed',
          questions: [{ before: { value: null, tied: true, ...north }, after: { value: 'Smith', ...north } }],
        },
      ]);
      expect(firings[0]!.questions[0]!.before!.chance).toBeGreaterThan(0.3);
    }
  });

  it('what is likelier in a scope now is not told of what was there before', () => {
    covers('INV-WATCH.65');
    const brown = ['a0', 'a1'].map((id) => ({ ...claim(id, 'Brown'), actor_id: id, scope: 'south' }));
    const north = [
      { ...claim('c1', 'Smith'), scope: 'north' },
      { ...claim('c2', 'Jones'), actor_id: 'a2', scope: 'north' },
    ];
    const evidence = [
      { id: 'e1', claim_id: 'c1', content: 'for it', valence: 'Supports', weight: 0.5 },
      { id: 'e2', claim_id: 'c1', content: 'against it', valence: 'Refutes', weight: 0.9 },
    ];
    for (const first of [brown, [...brown, ...north]]) {
      const { state } = watchJudgement(ALL, null, judgementOf(first, 1));
      const { firings } = watchJudgement(ALL, state, judgementOf([...brown, ...north], 2, evidence));
      const [question] = firings[0]!.questions;
      expect(question!.after).toMatchObject({ value: 'Smith', likelier: { value: 'Jones' } });
      expect(question!.before).not.toHaveProperty('likelier');
    }
  });

  it('the same report fires nothing, in any scopes and times, and another holder of a scope alone fires once', () => {
    covers('INV-V.285');
    const said = fc.record({
      value: fc.constantFrom('Huber', 'Moser', 'yes', 'no'),
      actor_id: fc.constantFrom('a0', 'a1', 'a2'),
      place: fc.constantFrom(
        { event_start_time: '1915', event_end_time: '1925' },
        { event_start_time: '1925' },
        { scope: 'north' },
        { scope: 'north', event_start_time: '1920' },
        {},
      ),
    });
    const rules = { rules: ['leading_changed', 'chance_moved'], chanceStep: 0.01 };
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 6 }), (list) => {
        const claims = list.map(({ place, ...one }, index) => ({
          ...claim(`c${index}`, one.value),
          ...one,
          ...place,
        }));
        const holder = (value: string) => [...claims, { ...claim('z', value), scope: 'south' }];
        let state: WatchState | null = null;
        const fired = [holder('Ann'), holder('Ann').toReversed(), holder('Bob')].map((said, day) => {
          const watched = watchJudgement(rules, state, judgementOf(said, day));
          state = watched.state;
          return watched.firings.flatMap(({ rule, questions }) =>
            questions.map(({ before, after }) => [rule, before?.value, after?.value]),
          );
        });
        expect(fired).toEqual([
          [],
          [],
          [
            ['leading_changed', 'Ann', 'Bob'],
            ['chance_moved', 'Ann', 'Bob'],
          ],
        ]);
      }),
      { numRuns: soak(200, 60) },
    );
  });

  it('a yes whose claims are all removed leaves an even chance, as a withdrawn one does', () => {
    covers('INV-V.162');
    const after = [[], [{ ...claim('c', 'yes'), epistemic_status: 'retracted' }]].map((claims) => {
      const rules = { rules: ['chance_moved'], chanceStep: 0.01 };
      const { state } = watchJudgement(rules, null, judgementOf([claim('c', 'yes')], 0));
      return watchJudgement(rules, state, judgementOf(claims, 1)).firings[0]!.questions[0]!.after;
    });
    const even = { value: null, scope: null, chance: 0.5 };
    expect(after).toEqual([even, even]);
  });

  it('a question of yes or no whose rating and answer are withdrawn has the chance of its page', () => {
    covers('INV-V.188');
    const withdrawn = (claims: readonly ReturnType<typeof claim>[]) =>
      claims.map((one) => ({ ...one, epistemic_status: 'retracted' }));
    for (const claims of [
      [claim('c', 'Misleading'), claim('d', 'Misleading'), claim('e', 'yes')],
      [claim('c', 'Misleading'), claim('d', 'yes'), claim('e', 'yes')],
    ]) {
      const rules = { rules: ['chance_moved'], chanceStep: 0.01 };
      const { state } = watchJudgement(rules, null, judgementOf(claims, 0));
      const after = judgementOf(withdrawn(claims), 1);
      const [verdict] = after.result.subject_results;
      expect(watchJudgement(rules, state, after).firings[0]!.questions[0]!.after).toEqual({
        value: null,
        scope: null,
        chance: verdict!.no_value_counts ? null : verdict!.expected_probability,
      });
    }
  });

  it('a chance that no event told of is compared with the last one told, over a gap without a verdict', () => {
    covers('INV-WATCH.29');
    const watched = { rules: ['chance_moved'], chanceStep: 0.3 };
    let state: WatchState | null = null;
    // From a yes of 0.74 to nothing (0.5), and then a no, by which the yes has 0.26.
    const fired = [[claim('c', 'yes')], [], [claim('d', 'no')]].map((claims, day) => {
      const { state: next, firings } = watchJudgement(watched, state, judgementOf(claims, day));
      state = next;
      return firings.map(({ questions }) => [questions[0]!.before!.value, questions[0]!.after!.value]);
    });
    expect(fired).toEqual([[], [], [['true', 'false']]]);
  });

  it('what rules fire over any edits chains up to the present judgement, and removing fires what retracting does', () => {
    covers('INV-WATCH.1', 'INV-WATCH.29');
    fc.assert(
      fc.property(
        fc.array(EDIT, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(0.01, 0.1, 0.4),
        (edits, step) => {
          const removed = eventsOver(edits, step, 'remove');
          for (const rule of ['leading_changed', 'chance_moved'] as const)
            for (const [question, { base, now }] of removed.questions) {
              const told = removed.events
                .filter((event) => event.rule === rule && event.question === question)
                .reduce((last, { before, after }) => {
                  if (rule === 'chance_moved') expect(before).toEqual(last);
                  else expect(before.value).toBe(last.value);
                  return after;
                }, base);
              if (rule === 'leading_changed') expect(told.value).toBe(now.value);
              else if (told.chance === null || now.chance === null) expect(told.chance).toBe(now.chance);
              else if (told.value === now.value)
                expect(Math.abs(told.chance - now.chance)).toBeLessThanOrEqual(step);
            }
          expect(removed.events).toEqual(eventsOver(edits, step, 'retract').events);
        },
      ),
      { numRuns: soak(300, 40) },
    );
  });
});

/**
 * Answers to either question. Where a question has both kinds, removed claims leave no trace of that, and
 * retracted ones do.
 */
const VALUES = { p: ['one', 'two'], q: ['yes', 'no'] } as const;

/** One edit of a session: of claim `slot`, which says `value` on question `predicate`. */
const EDIT = fc
  .record({
    kind: fc.constantFrom('put', 'remove', 'clear', 'rename', 'supersede', 'shrink'),
    slot: fc.nat(4),
    answer: fc.nat(1),
    predicate: fc.constantFrom('p', 'q'),
  })
  .map(({ answer, ...edit }) => ({ ...edit, value: VALUES[edit.predicate][answer]! }));

interface EditedClaim {
  readonly id: string;
  readonly actor_id: string;
  readonly predicate: string;
  readonly value: string;
  readonly epistemic_status?: string;
  readonly supersedes_claim_id?: string;
}

/** What the edits leave of the claims, where what is taken out is removed or stays as retracted. */
function edited(
  claims: readonly EditedClaim[],
  { kind, slot, value, predicate }: { kind: string; slot: number; value: string; predicate: string },
  day: number,
  how: 'remove' | 'retract',
): EditedClaim[] {
  const actor = `a${slot}`;
  const isOfSlot = (claim: EditedClaim) => claim.actor_id === actor;
  const without = (isOut: (claim: EditedClaim) => boolean) =>
    claims.flatMap((claim): EditedClaim[] =>
      !isOut(claim) ? [claim] : how === 'remove' ? [] : [{ ...claim, epistemic_status: 'retracted' }],
    );
  const added = { id: `c${day}`, actor_id: actor, predicate, value };
  const last = claims.findLast((claim) => isOfSlot(claim) && claim.epistemic_status === undefined);
  switch (kind) {
    case 'put':
      return [...claims, added];
    case 'supersede':
      return [...claims, last === undefined ? added : { ...added, supersedes_claim_id: last.id }];
    case 'remove':
      return without(isOfSlot);
    case 'clear':
      return without((claim) => claim.predicate === predicate);
    case 'shrink':
      return without(() => true);
    default:
      // A claim that is said on another question: there it is new, here it is out.
      return [
        ...without(isOfSlot),
        ...claims
          .filter((claim) => isOfSlot(claim) && claim.epistemic_status === undefined)
          .map((claim) => ({
            ...claim,
            id: `${claim.id}-${day}`,
            ...(claim.predicate === 'p'
              ? { predicate: 'q', value: claim.value === 'one' ? 'yes' : 'no' }
              : { predicate: 'p', value: claim.value === 'yes' ? 'one' : 'two' }),
          })),
      ];
  }
}

/** What the rules fire over these edits, each judged, and what each question had first and has last. */
function eventsOver(
  edits: readonly Parameters<typeof edited>[1][],
  chanceStep: number,
  how: 'remove' | 'retract',
) {
  let state: WatchState | null = null;
  let claims: EditedClaim[] = [];
  const bases = new Map<string, LeadingChance>();
  const events = edits.flatMap((edit, day) => {
    claims = edited(claims, edit, day, how);
    const watched = watchJudgement(
      { rules: ['leading_changed', 'chance_moved', 'became_contested'], chanceStep },
      state,
      judgementOf(claims, day),
    );
    state = watched.state;
    for (const { predicate, answers } of state!.questions)
      if (!bases.has(predicate)) bases.set(predicate, answers![0]!.leading);
    return watched.firings.flatMap(({ rule, questions }) =>
      questions
        .map(({ predicate, before, after }) => ({
          rule,
          day,
          question: predicate,
          before: before!,
          after: after!,
        }))
        .toSorted((a, b) => (a.question < b.question ? -1 : 1)),
    );
  });
  const last = new Map(state!.questions.map(({ predicate, answers }) => [predicate, answers![0]!.leading]));
  return {
    events,
    questions: [...bases].map(([question, base]) => [question, { base, now: last.get(question)! }] as const),
  };
}

/** A judgement of claims on one subject by sources of equal standing. */
function judgementOf(
  claims: readonly { readonly id: string; readonly actor_id: string }[],
  day: number,
  evidence: readonly EvidenceInput[] = [],
) {
  const result = analyze(
    {
      research_question: 'q',
      domain: 'News',
      actors: ['a', ...Array.from({ length: 6 }, (_, index) => `a${index}`)].map((id) => ({
        id,
        name: id,
        source_type: 'Expert',
      })),
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      evidence,
      claims: claims.map((claim) => ({ predicate: 'p', value: '', ...claim, subject_id: 's', content: '' })),
    },
    { now: new Date(START) },
  ) as InvestigationResult;
  return {
    id: `judgement ${String(day).padStart(5, '0')}`,
    judgedAt: START + day * DAY_MS,
    revision: 0,
    result,
  };
}

/** A judgement of one yes-or-no question, of which `y` and `n` are the answers of equal sources. */
function answered(answers: string, day: number) {
  const all = [...answers];
  return judgementOf(
    all.map((answer, index) => ({
      id: `c${index}`,
      actor_id: `a${index}`,
      predicate: 'holds',
      value: answer === 'y' ? 'yes' : 'no',
    })),
    day,
  );
}

/** The questions of what `leading_changed` fires over judgements of these answers, with their day. */
function turnsOf(sets: readonly string[]) {
  let state: WatchState | null = null;
  return sets.flatMap((answers, day) => {
    const watched = watchJudgement({ ...ALL, rules: ['leading_changed'] }, state, answered(answers, day));
    state = watched.state;
    return watched.firings.flatMap(({ questions }) => questions.map((question) => ({ ...question, day })));
  });
}
