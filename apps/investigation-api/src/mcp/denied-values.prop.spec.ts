import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  compareJudgements,
  explain,
  forecastOf,
  summarizeResult,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { toldExplanation } from '../engine/told-explanation.ts';
import { watchJudgement } from '../model/watch-rules.ts';
import { comparisonText } from './comparison-text.ts';
import { essentialsOf } from './compact-response.ts';
import { explanationText } from './explanation-text.ts';
import { summarizeVerdict } from './verdict-summary.ts';
import { eventLine } from './watch-tools.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-11-29T10:00:00Z');
const VALUES = ['Smith', 'Jones', 'Brown'] as const;
type Said = readonly [value: string, valence?: 'Refutes' | 'Supports', source_type?: string];

const leak = (...said: readonly Said[]): InvestigationInput => ({
  research_question: 'Who leaked the memo?',
  actors: said.map(([, , source_type = 'Journalist'], i) => ({
    id: `a${i}`,
    name: `Paper ${i}`,
    source_type,
  })),
  subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
  claims: said.map(([value, valence = 'Refutes'], i) => ({
    id: `c${i}`,
    actor_id: `a${i}`,
    subject_id: 's',
    predicate: 'source',
    value,
    valence,
    content: '',
  })),
});
const judged = (input: InvestigationInput) => analyze(input, { now: NOW }) as InvestigationResult;

function explained(input: InvestigationInput): string {
  const explanation = explain(input, { now: NOW, subject_id: 's', predicate: 'source' })!;
  return explanationText({
    session_id: 'x',
    judgement_id: 'x',
    judged_at: NOW.toISOString(),
    explanation: toldExplanation(explanation, input, judged(input)),
  } as unknown as Parameters<typeof explanationText>[0]);
}

const WATCHED = { rules: ['leading_changed', 'chance_moved'], chanceStep: 0.01 };
const watched = (input: InvestigationInput, n: number) => ({
  id: `${n}`,
  judgedAt: n,
  revision: 0,
  result: judged(input),
});
const firedBetween = (before: InvestigationInput, after: InvestigationInput) => {
  const { state } = watchJudgement(WATCHED, null, watched(before, 1));
  return watchJudgement(WATCHED, state, watched(after, 2)).firings.flatMap(({ rule, questions }) =>
    questions.map((question) => ({ rule, before: question.before, after: question.after })),
  );
};

describe('values that sources only deny, in the texts of tools', () => {
  it('several are named as denied, each with its chance, and none as leading or said by others', () => {
    covers('INV-V.118');
    const input = leak(['Smith'], ['Smith'], ['Jones']);
    const result = judged(input);
    const line =
      '- The leak: source (only denied: Jones 7 % and Smith 3 %; no value leads): False, chance that Smith is true 3 %';
    for (const shown of [result, summarizeResult(result)])
      expect(summarizeVerdict(shown as Parameters<typeof summarizeVerdict>[0])).toContain(line);
    expect(summarizeVerdict(result as Parameters<typeof summarizeVerdict>[0])).toContain(
      '0 sources for, 2 against)',
    );
    expect(summarizeResult(result).synthesis).toContain(
      'The leak, source: no value leads; Jones (7 %) and Smith (3 %) are only denied.',
    );
    expect(explained(input).split('\n')[0]).toContain(
      'The leak: source (only denied: Jones 7 % and Smith 3 %; no value leads): False, chance that Smith is true 3 %',
    );
    expect(JSON.stringify(essentialsOf(result as Parameters<typeof essentialsOf>[0]))).toContain(
      '"value":"Smith","denied":true',
    );
  });

  it('a single denied value is said to be only denied, or denied where the denial is disputed', () => {
    covers('INV-V.172');
    const evidence = [
      { id: 'e', claim_id: 'c0', content: 'A record', valence: 'Refutes' as const, weight: 1 },
    ];
    for (const [input, word] of [
      [leak(['Smith']), 'only denied'],
      [{ ...leak(['Smith']), evidence }, 'denied'],
    ] as const) {
      const result = judged(input);
      expect(summarizeResult(result).synthesis).toMatch(
        new RegExp(`^The source of the leak is Smith: [^.]*; it is ${word}\\. Evidence`),
      );
      for (const text of [summarizeVerdict(result), explained(input).split('\n')[0]!])
        expect(text).toContain(`The leak: source = Smith (${word}): `);
    }
    const asserted = judged(leak(['Smith'], ['Jones', 'Supports']));
    expect(summarizeResult(asserted).synthesis).not.toContain('denied');
  });

  it('a denial that evidence refutes leaves its value denied, and not only denied', () => {
    covers('INV-V.138');
    const evidence = [
      { id: 'e', claim_id: 'c1', content: 'A record', valence: 'Refutes' as const, weight: 3 },
    ];
    const input = { ...leak(['Smith'], ['Jones']), evidence };
    const result = judged(input);
    const texts = [summarizeVerdict(result), explained(input), summarizeResult(result).synthesis].join('\n');
    expect(texts.match(/\(denied: Jones \d+ % and Smith \d+ %; no value leads\)/g)).toHaveLength(2);
    expect(texts).toMatch(/Jones \(\d+ %\) and Smith \(\d+ %\) are denied\./);
    expect(texts).not.toContain('only denied');
    expect(JSON.stringify(essentialsOf(result as Parameters<typeof essentialsOf>[0]))).toContain(
      '"value":"Jones","denied":true,"disputed":true',
    );
  });

  it('evidence that refutes a denial is listed with whose denial it is, whether or not somebody states the value', () => {
    covers('INV-V.212', 'RM-11.247');
    const evidence = [
      { id: 'e', claim_id: 'c0', content: 'A record', valence: 'Refutes' as const, weight: 3 },
    ];
    const listed = '- evidence e against c0, which denies Smith: disputes that claim';
    const rivalled = { ...leak(['Smith'], ['Jones', 'Supports']), evidence };
    expect(explained(rivalled)).toContain(listed);
    expect(explained(rivalled)).toMatch(/Rival values: Smith \(denied, \d+ %\)/);
    expect(summarizeVerdict(judged(rivalled) as Parameters<typeof summarizeVerdict>[0])).toMatch(
      /; denied: Smith \d+ %/,
    );
    const stated = { ...leak(['Smith'], ['Smith', 'Supports', 'Insider']), evidence };
    expect(explained(stated)).toContain(listed);
    for (const [input, side] of [
      [rivalled, 'opposition'],
      [stated, 'support'],
    ] as const) {
      const { contributions } = explain(input, { now: NOW, subject_id: 's', predicate: 'source' })!;
      expect(contributions.filter(({ evidence_id: id }) => id === 'e')).toMatchObject([
        { side, outcome: 'lowers_target', claim_id: 'c0', counted: 0 },
      ]);
    }
  });

  it('no text of a comparison, event or explanation tells a disputed denial as the only thing that is said', () => {
    covers('INV-V.140');
    const evidence = [
      { id: 'e', claim_id: 'c1', content: 'A record', valence: 'Refutes' as const, weight: 3 },
    ];
    for (const after of [
      { ...leak(['Smith'], ['Jones']), evidence },
      { ...leak(['Brown'], ['Smith']), evidence },
      { ...leak(['Smith'], ['Smith']), evidence },
    ]) {
      const before = leak(['Smith', 'Supports']);
      const judgedAt = NOW;
      const { verdicts } = compareJudgements(
        { input: before, result: judged(before), judgedAt },
        { input: after, result: judged(after), judgedAt },
      );
      const text = comparisonText({
        session_id: 's',
        before: { id: 'x', judged_at: NOW.toISOString() },
        after: { id: 'y', judged_at: NOW.toISOString() },
        changes: [],
        change_count: 0,
        settings: [],
        verdicts,
        changed_verdicts: verdicts.length,
        unchanged_verdicts: 0,
      } as unknown as Parameters<typeof comparisonText>[0]);
      // A value that what refutes its denials makes likely is told with its chance alone.
      const isDenied = verdicts.some(({ after: now }) => now?.denied);
      expect([text, text.includes('which is denied')]).toEqual([text, isDenied]);
      const led = leak(['Smith', 'Supports'], ['Smith', 'Refutes', 'Expert'], ['Jones']);
      const questions = firedBetween(before, after).map((fired) => ({
        subject_id: 's',
        predicate: 'source',
        ...fired,
      }));
      const told = eventLine({
        number: 1,
        type: 'leading_changed',
        timestamp: NOW.toISOString(),
        data: { questions },
      } as unknown as Parameters<typeof eventLine>[0]);
      expect(told).toMatch(/to (Smith|Jones|Brown) \(denied, /);
      for (const one of [text, told, explained(after), explained({ ...led, evidence })])
        expect(one).not.toContain('only denied');
    }
  });

  it('explaining a tie begins with the values that are tied and names none as leading', () => {
    covers('INV-T.40');
    const input = leak(['Paris', 'Supports'], ['Lyon', 'Supports']);
    const [head, ...lines] = explained(input).split('\n');
    expect(head).toMatch(/^The leak: source \(tied: Lyon and Paris; no value leads\): Both, /);
    expect(lines.join('\n')).not.toMatch(/tied|Rival values/);
  });

  it('an event says that a value is only denied, and one denied more than another leads no more than it', () => {
    covers('INV-V.119');
    const two = leak(['Smith'], ['Smith'], ['Jones']);
    const turned = leak(['Smith'], ['Jones'], ['Jones']);
    expect(firedBetween(two, turned).map(({ rule }) => rule)).not.toContain('leading_changed');
    const led = leak(['Smith', 'Supports'], ['Jones']);
    const [changed] = firedBetween(led, leak(['Smith'], ['Smith'], ['Jones']));
    expect(changed).toMatchObject({
      rule: 'leading_changed',
      before: expect.not.objectContaining({ denied: true }),
      after: { value: 'Smith', denied: true },
    });
    expect(changed!.after).not.toHaveProperty('tied');
  });

  it('an event on which none of the denied values led before names the first of them, with its own chance', () => {
    covers('INV-WATCH.46');
    const led = leak(['Brown', 'Supports']);
    const afters = [leak(['Smith'], ['Smith'], ['Jones']), leak(['Jones'], ['Smith'], ['Smith'])].map(
      (denied) => firedBetween(led, denied)[0]!.after,
    );
    for (const after of afters)
      expect(after).toEqual({ value: 'Jones', scope: null, denied: true, chance: expect.closeTo(0.07, 2) });
  });

  it('an outcome and a comparison mark what the judgement had as denied', () => {
    covers('INV-V.119');
    const input = leak(['Smith'], ['Smith'], ['Jones']);
    const question = { subject_id: 's', predicate: 'source', value: 'Brown' };
    expect(forecastOf({ input, result: judged(input), judgedAt: NOW, ...question })).toMatchObject({
      leading_value: 'Smith',
      denied: true,
      was_right: true,
    });
    const asserted = leak(['Smith', 'Supports'], ['Smith', 'Supports'], ['Jones']);
    const [move] = compareJudgements(
      { input: asserted, result: judged(asserted), judgedAt: NOW },
      { input, result: judged(input), judgedAt: NOW },
    ).verdicts;
    expect([move!.before!.denied, move!.after!.denied]).toEqual([undefined, true]);
  });

  it('no comparison or event calls a value tied that no source asserts', () => {
    covers('INV-WATCH.46');
    const said = fc.tuple(
      fc.constantFrom(...VALUES),
      fc.constantFrom('Supports' as const, 'Refutes' as const, 'Refutes' as const),
    );
    const lists = fc.array(said, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lists, lists, (was, is) => {
        const isSaid = (list: typeof is, value: string | null) =>
          list.some((one) => one[0] === value && one[1] === 'Supports');
        const [before, after] = [leak(...was), leak(...is)];
        const [move] = compareJudgements(
          { input: before, result: judged(before), judgedAt: NOW },
          { input: after, result: judged(after), judgedAt: NOW },
        ).verdicts;
        for (const value of move?.after?.tied ?? []) expect(isSaid(is, value)).toBe(true);
        if (move?.after?.denied) expect(isSaid(is, move.after.leading_value)).toBe(false);
        for (const { after: one } of firedBetween(before, after))
          if (one!.value !== null) expect(one!.denied !== true).toBe(isSaid(is, one!.value));
      }),
      { numRuns: soak(200) },
    );
  });

  it('no text of a tool names a value as leading, or as said by others, that no source asserts', () => {
    covers('INV-V.118');
    const said = fc.tuple(
      fc.constantFrom(...VALUES),
      fc.constantFrom('Supports' as const, 'Refutes' as const, 'Refutes' as const, 'Refutes' as const),
      fc.constantFrom('Journalist', 'Regulator'),
    );
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 6 }), (list) => {
        const input = leak(...list);
        const result = judged(input);
        const texts = [summarizeVerdict(result), summarizeResult(result).synthesis, explained(input)];
        for (const value of VALUES) {
          if (list.some((one) => one[0] === value && one[1] === 'Supports')) continue;
          const asAnswer = new RegExp(
            `= ${value}( \\([^)]*\\))? would lead|others say[^;\\n]*${value}|Rival values:[^\\n]*${value}|${value} leads|says ${value}|tied: [^;\\n]*${value}|less likely than ${value}`,
          );
          for (const text of texts) expect(text).not.toMatch(asAnswer);
        }
      }),
      { numRuns: soak(400) },
    );
  });

  it('the line of an event names the value that is likelier than the one that leads by weight', () => {
    covers('INV-WATCH.66');
    const smith = { value: 'Smith', scope: null, chance: 0.26 };
    const question = {
      subject_id: 's',
      predicate: 'source',
      before: { ...smith, chance: 0.4 },
      after: { ...smith, likelier: { value: 'Jones', chance: 0.51 } },
    };
    const line = eventLine({
      number: 1,
      type: 'chance_moved',
      timestamp: NOW.toISOString(),
      data: { questions: [question] },
    } as unknown as Parameters<typeof eventLine>[0]);
    expect(line).toContain('Smith (40 %) to Smith (26 %, Jones likelier at 51 %)');
  });
});
