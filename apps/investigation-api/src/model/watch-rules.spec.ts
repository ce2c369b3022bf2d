import { analyze, type InvestigationResult } from '@platform/opinion-fusion';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { JUDGEMENT_RULES, passTime, watchJudgement, type WatchState } from './watch-rules.ts';

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
  return { id: `judgement ${String(day).padStart(5, '0')}`, judgedAt: START + day * DAY_MS, result };
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

  it('a chance is compared with the one that fired last, so that small moves add up', () => {
    covers('INV-WATCH.1');
    const base = judged(0);
    const at = (day: number, chance: number) => ({
      id: `judgement ${day}`,
      judgedAt: START + day * DAY_MS,
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

/** A judgement of one yes-or-no question, of which `y` and `n` are the answers of equal sources. */
function answered(answers: string, day: number) {
  const all = [...answers];
  const result = analyze(
    {
      research_question: 'q',
      domain: 'News',
      actors: all.map((_, index) => ({ id: `a${index}`, name: `A${index}`, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      claims: all.map((answer, index) => ({
        id: `c${index}`,
        actor_id: `a${index}`,
        subject_id: 's',
        predicate: 'holds',
        content: '',
        value: answer === 'y' ? 'yes' : 'no',
      })),
    },
    { now: new Date(START) },
  ) as InvestigationResult;
  return { id: `judgement ${String(day).padStart(5, '0')}`, judgedAt: START + day * DAY_MS, result };
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
