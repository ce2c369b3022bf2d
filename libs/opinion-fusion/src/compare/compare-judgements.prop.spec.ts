import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { analyze } from '../analyze.ts';
import type { ClaimInput, InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { actor, claim, investigation, meta, NOW } from '../fixtures/investigation.fixture.ts';
import { compareJudgements, type ComparedJudgement, type VerdictMove } from './compare-judgements.ts';

fc.configureGlobal({ seed: SEED });

const DAY_MS = 86_400_000;

function judged(input: InvestigationInput, at = NOW): ComparedJudgement {
  return { input, judgedAt: at, result: analyze(input, { now: at }) as InvestigationResult };
}

const inputs = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      by: fc.constantFrom('a', 'b', 'c'),
      value: fc.constantFrom('red', 'blue', 'green'),
      retracted: fc.boolean(),
      age: fc.integer({ min: 0, max: 400 }),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  )
  .map((claims) =>
    investigation(
      claims.map(({ id, by, value, retracted, age }) =>
        claim(`c${id}`, by, value, {
          assertion_time: new Date(NOW.getTime() - age * DAY_MS).toISOString(),
          ...(retracted ? { epistemic_status: 'retracted' } : {}),
        }),
      ),
      { actors: [actor('a'), actor('b', { depends_on: ['a'] }), actor('c', { base_reliability: 0.5 })] },
    ),
  );

describe('comparing judgements', () => {
  it('the parts of every move sum to it, and a move is the change of the chance', () => {
    covers('INV-X.6');
    fc.assert(
      fc.property(inputs, inputs, fc.integer({ min: 0, max: 400 }), (before, after, days) => {
        const { verdicts } = compareJudgements(
          judged(before),
          judged(after, new Date(NOW.getTime() + days * DAY_MS)),
        );
        for (const { move, parts, before: was, after: is } of verdicts) {
          expect(parts.reduce((sum, part) => sum + part.move, 0)).toBeCloseTo(move, 9);
          expect((is?.chance ?? 0) - (was?.chance ?? 0)).toBeCloseTo(move, 12);
        }
      }),
      { numRuns: soak(300, 50) },
    );
  });

  it.each(['true', 'false'])(
    'a question whose %s was withdrawn has an even chance, as on its page',
    (value) => {
      covers('INV-V.187');
      const withdrawn = claim('c', 'a', value, { epistemic_status: 'retracted' });
      const [move] = compareJudgements(
        judged(investigation([claim('c', 'a', value)])),
        judged(investigation([withdrawn])),
      ).verdicts;
      expect(move).toMatchObject({ value: 'true', after: { leading_value: null, chance: 0.5 } });
      expect(move!.move).toBeCloseTo(0.5 - move!.before!.chance!, 12);
    },
  );

  it('a tie is compared as one, whatever the ids of its claims', () => {
    covers('INV-WATCH.45');
    const said = (ids: string, ...values: string[]) =>
      judged(investigation(values.map((value, i) => claim(ids[i]!, 'abc'[i]!, value))));
    const told = (ids: string, before: string[], after: string[]) =>
      compareJudgements(said(ids, ...before), said(ids, ...after)).verdicts.map(
        ({ value, before: was, after: is, move }) => ({ value, was, is, move: Number(move.toFixed(9)) }),
      );
    for (const ids of ['xyz', 'zyx']) {
      expect(told(ids, ['Tigers'], ['Tigers', 'Lions'])).toMatchObject([
        {
          value: 'Tigers',
          was: { leading_value: 'Tigers' },
          is: { leading_value: null, tied: ['Lions', 'Tigers'] },
        },
      ]);
      expect(told(ids, ['Tigers', 'Lions'], ['Tigers', 'Lions', 'Lions'])).toMatchObject([
        { value: 'Lions', was: { tied: ['Lions', 'Tigers'] }, is: { leading_value: 'Lions' } },
      ]);
      expect(told(ids, ['Bears'], ['Tigers', 'Lions'])).toMatchObject([
        { value: 'Lions', was: { leading_value: 'Bears' }, is: { tied: ['Lions', 'Tigers'] } },
      ]);
    }
  });

  it('values that are only denied are compared as denied and never as tied, whatever the ids of the claims', () => {
    covers('INV-WATCH.46', 'RM-11.197');
    const said = (ids: string, ...values: string[]) =>
      judged(
        investigation(
          values.map((value, i) =>
            value.startsWith('not ')
              ? claim(ids[i]!, 'abc'[i]!, value.slice(4), { valence: 'Refutes' })
              : claim(ids[i]!, 'abc'[i]!, value),
          ),
        ),
      );
    const told = (ids: string, before: string[], after: string[]) =>
      compareJudgements(said(ids, ...before), said(ids, ...after)).verdicts;
    const denied = (value: string) => ({ leading_value: value, denied: true });
    for (const ids of ['xyz', 'zyx']) {
      for (const after of [
        ['not Smith', 'not Smith', 'not Jones'],
        ['not Smith', 'not Jones'],
      ]) {
        const moves = told(ids, ['Smith'], after);
        expect(moves).toMatchObject([
          { value: 'Smith', before: { leading_value: 'Smith' }, after: denied('Smith') },
          { value: 'Jones', before: null, after: denied('Jones') },
        ]);
        for (const move of moves) expect(move.after).not.toHaveProperty('tied');
      }
      const back = told(ids, ['not Smith', 'not Jones'], ['Smith', 'Jones']);
      expect(back).toMatchObject([
        { value: 'Jones', before: denied('Jones'), after: { tied: ['Jones', 'Smith'] } },
        { value: 'Smith', before: denied('Smith'), after: null },
      ]);
      expect(back[0]!.after).not.toHaveProperty('denied');
    }
  });

  it('a judgement compared with itself has no change, in whichever order its lists stand', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const turned = { ...input, claims: input.claims.toReversed() };
        expect(compareJudgements(judged(input), judged(turned))).toMatchObject({
          items: [],
          settings: [],
          verdicts: [],
        });
      }),
      { numRuns: soak(100, 20) },
    );
  });

  it('another spelling of the same word is no change', () => {
    covers('INV-X.6');
    const claims = [claim('c1', 'a', 'red')];
    const before = investigation(claims, { actors: [actor('a')], domain: 'News' });
    const spelled = actor('a', { source_type: 'EXPERT' });
    const after = investigation(claims, { actors: [spelled], domain: 'news' });
    const { items, settings } = compareJudgements(judged(before), judged(after));
    expect([items, settings]).toEqual([[], []]);
  });

  it('a claim that changed is named with the value that it had and the fields that differ', () => {
    covers('INV-B.81');
    const was = claim('c1', 'a', '14');
    const itemsOf = (more: Partial<ClaimInput>) =>
      compareJudgements(
        judged(investigation([was, claim('c2', 'a', '9')])),
        judged(investigation([{ ...was, ...more }, claim('c2', 'a', '9')])),
      ).items;
    expect(itemsOf({ value: '40' })).toEqual([
      expect.objectContaining({ id: 'c1', value: '40', value_before: '14', fields: ['value'] }),
    ]);
    const [denied] = itemsOf({ valence: 'Refutes', scope: 'north' });
    expect(denied).toMatchObject({ change: 'replaced', value: '14', fields: ['scope', 'valence'] });
    expect(denied).not.toHaveProperty('value_before');
  });

  it('a claim that changed and a subject that was renamed are both named, whether the subject kept its id or not', () => {
    covers('INV-B.81');
    const before = investigation([claim('c1', 'a', '14')]);
    const edited = (subject: { id: string; name: string }, value: string) => ({
      ...before,
      subjects: before.subjects.with(0, { ...before.subjects[0]!, ...subject }),
      claims: [{ ...before.claims[0]!, subject_id: subject.id, value }],
    });
    const told = (subject: { id: string; name: string }) =>
      compareJudgements(judged(before), judged(edited(subject, '40'))).items;
    const { id } = before.subjects[0]!;
    expect(told({ id, name: 'Another name' })).toEqual([
      expect.objectContaining({ change: 'replaced', kind: 'subjects', id, fields: ['name'] }),
      expect.objectContaining({ change: 'replaced', id: 'c1', value_before: '14', fields: ['value'] }),
    ]);
    expect(told({ id: 'other', name: 'Another name' })).toEqual([
      { change: 'added', kind: 'subjects', id: 'other', name: 'Another name' },
      expect.objectContaining({ change: 'replaced', id: 'c1', fields: ['subject_id', 'value'] }),
      { change: 'removed', kind: 'subjects', id, name: 'Subject s1' },
    ]);
  });

  it('a correction is named with what it moved, and a claim before its source shares a part', () => {
    const claims: ClaimInput[] = [claim('c1', 'a', 'red')];
    const before = judged(investigation(claims, { actors: [actor('a')] }));
    const corrected = claim('c9', 'a', 'blue', { supersedes_claim_id: 'c1' });
    const after = judged(
      investigation([...claims, corrected, claim('c10', 'new', 'blue')], {
        actors: [actor('a'), actor('new')],
      }),
    );
    const { items, verdicts } = compareJudgements(before, after);
    expect(items.map(({ change, kind, id }) => `${change} ${kind} ${id}`)).toEqual([
      'added actors new',
      'added claims c9',
      'added claims c10',
    ]);
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({ value: 'blue', before: { leading_value: 'red', chance: 0 } });
    expect(verdicts[0]!.parts.map(({ items: [first] }) => first?.id)).toEqual(['c9', 'c10']);
    expect(verdicts[0]!.parts.every(({ move }) => move > 0)).toBe(true);
  });

  it('a value that is likelier than the one that leads by weight stands beside it', () => {
    covers('INV-WATCH.55');
    const byType = (id: string, source_type: 'Journalist' | 'Regulator') =>
      actor(id, { source_type, base_reliability: null });
    const actors = [byType('paper', 'Journalist'), byType('office', 'Regulator')];
    const first = claim('c1', 'paper', 'red');
    const refuted = claim('c2', 'office', 'blue');
    const survey = {
      id: 'e1',
      claim_id: 'c2',
      content: 'A survey.',
      evidence_type: 'Documentary' as const,
      weight: 1.2,
      valence: 'Refutes' as const,
    };
    const [before, after] = [
      judged(investigation([first], { actors })),
      judged(investigation([first, refuted], { actors, evidence: [survey] })),
    ];
    const [{ before: was, after: is }] = compareJudgements(before, after).verdicts as [VerdictMove];
    expect([was!.likelier, is!.leading_value]).toEqual([undefined, 'blue']);
    const rival = after.result.subject_results[0]!.rival_values.find(({ value }) => value === 'red')!;
    expect(is!.likelier).toEqual({ value: 'red', chance: rival.calibrated_probability });
    expect(rival.calibrated_probability).toBeGreaterThan(is!.chance!);
  });

  it('a value whose denial documents refute is compared as the likely one, and not as denied', () => {
    covers('INV-WATCH.56');
    const denial = claim('c1', 'a', 'Smith', { valence: 'Refutes' });
    const documents = ['e1', 'e2'].map((id) => ({
      id,
      claim_id: 'c1',
      content: 'A record.',
      evidence_type: 'Documentary' as const,
      weight: 2,
      valence: 'Refutes' as const,
    }));
    const [before, after] = [
      judged(investigation([denial], { actors: [actor('a')] })),
      judged(investigation([denial], { actors: [actor('a')], evidence: documents })),
    ];
    const [{ before: was, after: is }] = compareJudgements(before, after).verdicts as [VerdictMove];
    expect([was!.denied, is!.denied]).toEqual([true, undefined]);
    expect([was!.chance! < 0.5, is!.chance! > 0.9]).toEqual([true, true]);
  });

  it('what two claims move only together, or each alone, is shared between them', () => {
    covers('INV-V.96');
    const before = investigation([claim('c1', 'a', 'red')]);
    // They are equal but for their place.
    const after = investigation([
      claim('c1', 'a', 'red'),
      claim('c2', 'b', 'blue'),
      claim('c3', 'c', 'blue'),
    ]);
    const parts = compareJudgements(judged(before), judged(after)).verdicts[0]!.parts;
    expect(parts.map(({ items: [first] }) => first?.id)).toEqual(['c2', 'c3']);
    expect(parts[0]!.move).toBeCloseTo(parts[1]!.move, 9);
    expect(Math.abs(parts[0]!.move)).toBeGreaterThan(0.01);
  });

  it('a claim about an added claim, which cannot be judged before it, has a part in which both orders agree', () => {
    covers('INV-V.96');
    const before = investigation([claim('c1', 'a', 'red')]);
    const added = [claim('c2', 'b', 'blue'), meta('c3', 'c', 'c2', 'Refutes')];
    const { items, verdicts } = compareJudgements(
      judged(before),
      judged(investigation([...before.claims, ...added])),
    );
    expect(items.map(({ id, statement, name }) => [id, name, statement])).toEqual([
      ['c2', 'Actor b', 'The colour of Subject s1 is blue'],
      ['c3', 'Actor c', 'disputes what Actor b says'],
    ]);
    expect(verdicts[0]!.statement).toBe('The colour of Subject s1 is red');
    expect(verdicts[0]!.parts.map(({ items: [first] }) => first?.id)).toEqual(['c2', 'c3']);
  });

  it('how an item differs is said in words that name the direction', () => {
    covers('INV-V.92');
    const claims = [claim('c1', 'a', 'red')];
    const at = (more: Partial<ClaimInput>, valence: string, weight: number, reliability: number) =>
      judged(
        investigation([{ ...claims[0]!, ...more }], {
          actors: [actor('a', { base_reliability: reliability })],
          evidence: [{ id: 'e', claim_id: 'c1', content: 'A photo', valence, weight }],
        }),
      );
    const { items } = compareJudgements(
      at({}, 'Supports', 0.5, 0.8),
      at({ epistemic_status: 'retracted', content: 'x'.repeat(80), valence: 'Refutes' }, 'Refutes', 0.9, 0.4),
    );
    expect(items.map(({ id, name, differences }) => [id, name, differences])).toEqual([
      ['a', 'Actor a', ['base reliability 0.8 → 0.4']],
      // The denial is told by what the claim says.
      ['c1', 'Actor a', ['content changed', 'was withdrawn']],
      ['e', 'A photo', ['now counts against it', 'weight 0.5 → 0.9']],
    ]);
    const [, back] = compareJudgements(
      at({ epistemic_status: 'retracted' }, 'Supports', 0.5, 0.8),
      at({}, 'Neutral', 0.5, 0.8),
    ).items;
    expect(back).toMatchObject({ id: 'e', differences: ['now counts for neither side'] });
  });

  it('another research question is named among the settings, and moves nothing', () => {
    covers('INV-V.104');
    const before = investigation([claim('c1', 'a', 'red')]);
    const asked = { ...before, research_question: 'What else?' };
    const slower = { ...asked, decay_half_life_days: 10 } as InvestigationInput;
    expect(compareJudgements(judged(before), judged(asked))).toMatchObject({
      settings: ['research_question'],
      verdicts: [],
    });
    const later = new Date(NOW.getTime() + 400 * DAY_MS);
    const old = { ...before, claims: [claim('c1', 'a', 'red', { assertion_time: NOW.toISOString() })] };
    const { settings, verdicts } = compareJudgements(
      judged(old, later),
      judged({ ...slower, claims: old.claims }, later),
    );
    expect(settings).toEqual(['decay_half_life_days', 'research_question']);
    expect(verdicts[0]!.parts.map((part) => part.settings)).toEqual([['decay_half_life_days']]);
  });

  it('time, settings and many changes at once have parts of their own', () => {
    const old = { assertion_time: NOW.toISOString() };
    const input = investigation([claim('c1', 'a', 'red', old), claim('c2', 'b', 'blue', old)], {
      actors: [actor('a'), actor('b', { base_reliability: 0.4 })],
    });
    const later = new Date(NOW.getTime() + 400 * DAY_MS);
    const aged = compareJudgements(judged(input), judged(input, later));
    expect(aged.verdicts[0]!.parts.map(({ cause }) => cause)).toEqual(['time']);
    const faster = { ...input, decay_half_life_days: 10 } as InvestigationInput;
    const settled = compareJudgements(judged(input, later), judged(faster, later));
    expect(settled.settings).toEqual(['decay_half_life_days']);
    expect(settled.verdicts[0]!.parts.map(({ cause }) => cause)).toEqual(['settings']);
    const crowd = Array.from({ length: 60 }, (_, index) =>
      claim(`x${index}`, index % 2 ? 'a' : 'b', `v${index}`),
    );
    const grown = compareJudgements(
      judged(input),
      judged(investigation([...input.claims, ...crowd], { actors: input.actors })),
    );
    expect(grown.items).toHaveLength(60);
    expect(grown.verdicts[0]!.parts.every(({ items }) => items.length === 60)).toBe(true);
  });

  it.each([
    ['$5M', '5,000,000 USD'],
    ['17 May 2024', '2024-05-17'],
    ['2024', '2024-05'],
    ['Paris', 'paris'],
    ['100', '102'],
    ['5 km', '5'],
  ])('the chance of %s is followed when a second source spells it %s', (first, second) => {
    covers('INV-X.6');
    const before = investigation([claim('z', 'a', first)], { actors: [actor('a'), actor('b')] });
    const after = { ...before, claims: [claim('b', 'b', second), ...before.claims] };
    const [verdict] = compareJudgements(judged(before), judged(after)).verdicts;
    expect(verdict!.before!.chance).toBeGreaterThan(0.5);
    expect(verdict!.after!.chance).toBeGreaterThan(verdict!.before!.chance!);
  });

  it('two judgements of one input at different times differ in no verdict that moves by less than a tenth of a point', () => {
    covers('INV-X.6');
    const input = investigation([claim('c', 'a', 'red', { assertion_time: NOW.toISOString() })], {
      actors: [actor('a')],
    });
    const later = judged(input, new Date(NOW.getTime() + 1000));
    expect(compareJudgements(judged(input), later)).toMatchObject({ verdicts: [], unchanged_verdicts: 1 });
  });
});
