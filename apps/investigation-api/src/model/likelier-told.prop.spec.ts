import {
  analyze,
  compareJudgements,
  forecastOf,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { feedOf } from '../engine/feed-changes.ts';
import { packJson, type PackedJson } from '../wire/packed-json.ts';
import { watchJudgement, type WatchedJudgement } from './watch-rules.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly type: string;
  readonly value: string;
  readonly scope?: string;
  readonly denies?: boolean;
  /** Weights of the evidence against the claim. */
  readonly refuted?: readonly number[];
}

const NOW = new Date('2026-01-01T00:00:00Z');
const ALL = { rules: ['leading_changed', 'chance_moved', 'became_contested'], chanceStep: 0.001 };

const asked = (said: readonly Said[]): InvestigationInput => ({
  research_question: 'Who?',
  actors: said.map(({ type }, i) => ({ id: `a${i}`, name: `Source ${i}`, source_type: type })),
  subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
  claims: said.map(({ value, scope, denies }, i) => ({
    ...(scope && { scope }),
    id: `c${i}`,
    actor_id: `a${i}`,
    subject_id: 's',
    predicate: 'source',
    value,
    content: `statement ${i}`,
    valence: denies ? 'Refutes' : 'Supports',
  })),
  evidence: said.flatMap(({ refuted = [] }, i) =>
    refuted.map((weight, j) => ({
      id: `e${i}-${j}`,
      claim_id: `c${i}`,
      content: 'a document',
      valence: 'Refutes',
      weight,
    })),
  ),
});
const judged = (said: readonly Said[]) => analyze(asked(said), { now: NOW }) as InvestigationResult;
const judgementOf = (said: readonly Said[], day: number): WatchedJudgement => ({
  id: `judgement ${day}`,
  judgedAt: day,
  revision: day,
  result: judged(said),
});
const movedTo = (before: readonly Said[], after: readonly Said[]) => {
  const { state } = watchJudgement(ALL, null, judgementOf(before, 0));
  const { firings } = watchJudgement(ALL, state, judgementOf(after, 1));
  // A value that is denied has an entry of its own.
  return firings.flatMap(({ questions }) => questions.filter((one) => !one.after?.denied));
};

const JONES: readonly Said[] = [{ type: 'Journalist', value: 'Jones' }];
const AND_SMITH: readonly Said[] = [
  { type: 'Institutional', value: 'Smith', denies: true, refuted: [3, 3] },
  { type: 'Journalist', value: 'Jones' },
];

describe('a value that is likelier than the one that leads by weight, outside pages', () => {
  it('an event of a watch names the likelier value of the side that has one, with its chance', () => {
    covers('INV-WATCH.60');
    for (const { before, after } of movedTo(JONES, AND_SMITH)) {
      expect(before).not.toHaveProperty('likelier');
      expect(after).toMatchObject({ value: 'Jones', likelier: { value: 'Smith' } });
      expect(after!.likelier!.chance).toBeGreaterThan(after!.chance!);
    }
  });

  it('a feed counts the questions on which another value became likelier', () => {
    covers('INV-WATCH.61', 'INV-WATCH.67');
    const published = (said: readonly Said[], day: number, feedState: PackedJson | null) =>
      feedOf({
        frame: { judgement: { id: `judgement ${day}`, judged_at: new Date(day).toISOString() } },
        result: packJson(JSON.stringify(judged(said))),
        feedState,
      } as unknown as Parameters<typeof feedOf>[0]);
    const first = published(JONES, 0, null);
    const second = published(AND_SMITH, 1, first.feedState);
    expect(second.changes).toMatchObject({ became_likelier: 1 });
    expect(published([...AND_SMITH, { type: 'Insider', value: 'Jones' }], 2, second.feedState).changes ?? {})
      .not //
      .toHaveProperty('became_likelier');
    const inNorth = (said: readonly Said[]) => [
      ...said.map((one) => ({ ...one, scope: 'north' })),
      ...['Expert', 'Expert', 'Expert'].map((type) => ({ type, value: 'Brown', scope: 'south' })),
    ];
    const before = published(inNorth(JONES), 0, null);
    const after = published(inNorth(AND_SMITH), 1, before.feedState);
    expect(after.changes).toMatchObject({ became_likelier: 1 });
  });

  it('an outcome names the value that the judgement before gave more chance than the one it scores', () => {
    covers('INV-WATCH.62');
    const input = asked(AND_SMITH);
    const question = {
      input,
      result: judged(AND_SMITH),
      judgedAt: NOW,
      subject_id: 's',
      predicate: 'source',
    };
    expect(forecastOf({ ...question, value: 'Smith' })).toMatchObject({
      leading_value: 'Jones',
      was_right: false,
      likelier: { value: 'Smith', chance: expect.closeTo(0.9, 0) },
    });
  });

  it('events and outcomes of any small investigation name the likelier value that its comparison names', () => {
    covers('INV-WATCH.60', 'INV-WATCH.62');
    const one = fc.record({
      type: fc.constantFrom('Regulator', 'Expert', 'Journalist', 'Institutional', 'Insider'),
      value: fc.constantFrom('Smith', 'Jones', 'Kay'),
      denies: fc.constantFrom(false, false, true),
      refuted: fc.array(fc.constantFrom(1, 3), { maxLength: 2 }),
    });
    let named = 0;
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (said) => {
        const result = judged(said);
        const input = asked(said);
        const { questions } = watchJudgement(ALL, null, judgementOf(said, 0)).state!;
        const none = asked([]);
        const compared = compareJudgements(
          { input: none, result: judged([]), judgedAt: NOW },
          { input, result, judgedAt: NOW },
        ).verdicts.find(({ after }) => after?.truth_status)!.after!;
        const forecast = forecastOf({
          input,
          result,
          judgedAt: NOW,
          subject_id: 's',
          predicate: 'source',
          value: 'Smith',
        });
        // Comparisons name nothing beside a tie, and events nothing beside a denial.
        if (compared.tied || compared.denied) return;
        named += compared.likelier ? 1 : 0;
        expect([
          questions[0]!.answers![0]!.leading.likelier,
          (forecast as { likelier?: object }).likelier,
        ]).toEqual([compared.likelier, compared.likelier]);
      }),
      { numRuns: soak(300, 150) },
    );
    expect(named).toBeGreaterThan(0);
  });
});
