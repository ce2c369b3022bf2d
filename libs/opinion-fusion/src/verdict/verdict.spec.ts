import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  actor,
  analysisOf,
  claim,
  evidenceOf,
  investigation,
  judge,
  verdictOf,
} from '../fixtures/investigation.fixture.ts';
import { category, truthStatus } from './truth-status.ts';
import type { ClaimInput, InferenceInput, InvestigationInput } from '../contract/types.ts';

const G = 0.8;

const distinction = (a: string, b: string) => ({
  id: 'd',
  argument_a: a,
  argument_b: b,
  feature: '',
  condition_a: '',
  condition_b: '',
});

const opinion = (belief: number, disbelief: number) => ({
  belief,
  disbelief,
  uncertainty: 1 - belief - disbelief,
  baseRate: 0.5,
});

describe('the verdict of a pair', () => {
  it('a verdict is led by the claim with the largest r, and states its value as written', () => {
    covers('RM-6.1', 'RM-6.4', 'RM-6.5', 'INV-R0.2', 'INV-R0.4');
    const verdict = verdictOf(
      judge(investigation([claim('c1', 'a', 'Blue'), claim('c2', 'b', ' RED '), claim('c3', 'c', 'red')])),
    );
    expect(verdict).toMatchObject({ leading_value: ' RED ', source_count: 2, subject_name: 'Subject s1' });
    expect(evidenceOf(verdict.confidence)).toEqual({ r: expect.closeTo(2 * G), s: expect.closeTo(G) });
    expect(verdict.confidence.base_rate).toBe(0.5);
    expect(verdict.expected_probability).toBeCloseTo(
      verdict.confidence.support + 0.5 * verdict.confidence.uncertainty,
      12,
    );
  });

  it('a verdict is led by a claim that affirms, however strong the denials; by a denial where nothing is affirmed', () => {
    covers('RM-6.1', 'RM-6.2');
    const denials = [
      claim('c1', 'a', 'red', { valence: 'Refutes' }),
      claim('c2', 'b', 'red', { valence: 'Refutes' }),
    ];
    const denied = verdictOf(judge(investigation(denials)));
    expect(denied).toMatchObject({ leading_value: 'red', truth_status: 'False', source_count: 2 });
    expect(evidenceOf(denied.confidence)).toEqual({ r: expect.closeTo(0), s: expect.closeTo(2 * G) });
    const affirmed = verdictOf(judge(investigation([...denials, claim('c3', 'c', 'blue')])));
    expect(affirmed).toMatchObject({ leading_value: 'blue', source_count: 1 });
    const retracted = claim('c3', 'c', 'blue', { epistemic_status: 'retracted' });
    expect(verdictOf(judge(investigation([...denials, retracted])))).toMatchObject({ leading_value: 'red' });
  });

  it('the number that most sources state leads among near ones with the same evidence', () => {
    covers('RM-11.171');
    const said = [claim('c1', 'a', '64'), claim('c2', 'b', '66'), claim('c3', 'c', '66.0')];
    expect(judge(investigation(said)).subject_results[0]).toMatchObject({
      leading_value: '66',
      source_count: 3,
      rival_values: [{ value: '66' }],
    });
    const dependent = [actor('a'), actor('b'), actor('c', { depends_on: ['b'] })];
    const { subject_results: results } = judge(investigation(said, { actors: dependent }));
    expect(results[0]!.leading_value).toBe('64');
  });

  it('a verdict decides ties by P, then by the smallest id', () => {
    covers('RM-6.3');
    const tie = [claim('c2', 'a', 'red'), claim('c1', 'b', 'blue')];
    expect(verdictOf(judge(investigation(tie)))).toMatchObject({ leading_value: 'blue' });
    const against = [{ id: 'e', claim_id: 'c1', content: '', valence: 'Refutes' }];
    expect(verdictOf(judge(investigation(tie, { evidence: against })))).toMatchObject({
      leading_value: 'red',
    });
  });

  it('a distinction between two claims leaves what a third source and the first hold against each other', () => {
    covers('RM-11.207');
    const archive = actor('a', { base_reliability: 0.85 });
    const blog = actor('b', { base_reliability: 0.2 });
    const historian = actor('c', { base_reliability: 0.85 });
    const told = (value: string, near: string, other: string, parted: boolean) =>
      verdictOf(
        judge(
          investigation([claim('c0', 'a', other), claim('c1', 'b', near), claim('c2', 'c', value)], {
            actors: [archive, blog, historian],
            distinctions: parted ? [distinction('c0', 'c1')] : [],
          }),
        ),
      );
    const cases = [
      ['1905', '1905', '1901'],
      ['false', 'false', 'true'],
      ['106 m', '105 m', '90 m'],
    ] as const;
    for (const [value, near, other] of cases)
      expect(told(value, near, other, true)).toEqual({
        ...told(value, near, other, false),
        rival_values: expect.any(Array),
      });
  });

  it('yes leads over no that has the same evidence, whatever the ids of their claims', () => {
    covers('RM-11.208');
    const led = (first: string, second: string) =>
      verdictOf(
        judge(
          investigation([claim('c1', 'a', first), claim('c2', 'b', second)], {
            distinctions: [distinction('c1', 'c2')],
          }),
        ),
      );
    expect(led('yes', 'no')).toEqual(led('no', 'yes'));
    expect(led('no', 'yes')).toMatchObject({ tied: true, leading_value: 'true' });
  });

  it('a verdict states true for a boolean predicate, swapped when the leading claim says false', () => {
    covers('RM-6.4', 'RM-6.5');
    const verdict = verdictOf(
      judge(investigation([claim('c1', 'a', 'No'), claim('c2', 'b', 'n'), claim('c3', 'c', 'yes')])),
    );
    expect(verdict).toMatchObject({ leading_value: 'true', truth_status: 'Both', source_count: 2 });
    expect(evidenceOf(verdict.confidence)).toEqual({ r: expect.closeTo(G), s: expect.closeTo(2 * G) });
    const denied = verdictOf(judge(investigation([claim('c1', 'a', 'false', { valence: 'Refutes' })])));
    expect(denied).toMatchObject({ leading_value: 'true', truth_status: 'True' });
  });

  it('an answer that is neither yes nor no is on no side of a no that leads, and against a yes that leads', () => {
    covers('RM-11.246');
    const of = (...values: string[]) =>
      verdictOf(judge(investigation(values.map((value, i) => claim(`c${i}`, `abc`[i]!, value)))));
    for (const other of ['no comment', 'partly', '7'])
      expect(of('no', 'no', other)).toEqual({
        ...of('no', 'no'),
        rival_values: expect.any(Array),
        calibrated_probability: expect.any(Number),
      });
    const led = of('no', 'no', 'partly');
    expect(led).toMatchObject({
      truth_status: 'False',
      supporting_source_count: 0,
      opposing_source_count: 2,
    });
    expect(of('yes', 'yes', 'partly')).toMatchObject({
      supporting_source_count: 2,
      opposing_source_count: 1,
    });
  });

  it.each([
    ['y', 'True'],
    ['Yes', 'True'],
    ['N', 'False'],
  ])('a claim that says %s gives the value true the status %s', (said, status) => {
    covers('RM-6.4', 'RM-6.5');
    const verdict = verdictOf(judge(investigation([claim('c1', 'a', said)])));
    expect(verdict).toMatchObject({ leading_value: 'true', truth_status: status });
  });

  it('a verdict counts actors and classes of the agreeing claims with weight', () => {
    covers('RM-6.6', 'RM-6.7', 'RM-10.3');
    const actors = [
      actor('a'),
      actor('b', { depends_on: ['a'] }),
      actor('c'),
      actor('w', { source_type: 'Troll', base_reliability: 0.1 }),
    ];
    const claims = [
      claim('c1', 'a', '100'),
      claim('c2', 'b', '100'),
      claim('c3', 'c', '98'),
      claim('c4', 'w', '100'),
      claim('c5', 'a', '99'),
      claim('c6', 'c', '50'),
    ];
    expect(verdictOf(judge(investigation(claims, { actors })))).toMatchObject({
      source_count: 3,
      independent_source_count: 2,
    });
  });

  it('a verdict exists for every pair, without a leading value where nothing has weight, as after a retraction', () => {
    covers('RM-8.15', 'INV-R13.9');
    const result = judge(
      investigation([
        claim('c1', 'a', 'x', { subject_id: 's2' }),
        claim('c2', 'a', 'x', { predicate: 'size' }),
        claim('c3', 'a', 'x', { epistemic_status: 'retracted' }),
      ]),
    );
    expect(
      result.subject_results.map((verdict) => [verdict.subject_id, verdict.predicate, verdict.leading_value]),
    ).toEqual([
      ['s1', 'colour', null],
      ['s1', 'size', 'x'],
      ['s2', 'colour', 'x'],
    ]);
    expect(result.conflict_analysis.map((entry) => [entry.subject_id, entry.predicate])).toEqual([
      ['s1', 'colour'],
      ['s1', 'size'],
      ['s2', 'colour'],
    ]);
    expect(verdictOf(result)).toMatchObject({
      truth_status: 'Neither',
      expected_probability: 0.5,
      source_count: 0,
    });
  });
});

describe('truth status and category', () => {
  it.each([
    [0.2, 0.0999, 'True'],
    [0.0999, 0.2, 'False'],
    [0.2, 0.2, 'Both'],
    [0.2, 0.1, 'Both'],
    [0.1, 0.1, 'Both'],
    [0.1999, 0.1999, 'Both'],
    [0.6, 0.2, 'Both'],
    [0.1, 0.0999, 'Neither'],
    [0.1999, 0, 'Neither'],
    [0.2 - 1e-14, 0, 'True'],
  ])('the truth status of b = %p, d = %p is %s', (b, d, status) => {
    covers('RM-6.8', 'RM-0.6', 'RM-11.122', 'RM-11.149');
    expect(truthStatus(opinion(b, d))).toBe(status);
  });

  it('the truth status of a claim concerns its own statement', () => {
    covers('RM-6.9');
    const result = judge(investigation([claim('c1', 'a', 'red', { valence: 'Refutes' })]));
    expect(analysisOf(result, 'c1').truth_status).toBe('True');
    expect(verdictOf(result).truth_status).toBe('False');
  });

  it.each([
    [0.5, 0.3, 'contested'],
    [0.1, 0.3, 'refuted'],
    [0.1, 0.29, 'weak'],
    [0.6, 0.1, 'strong'],
    [0.5, 0, 'strong'],
    [0.4, 0.1, 'moderate'],
    [0.2, 0, 'moderate'],
    [0.19, 0, 'weak'],
  ])('category of b = %p, d = %p is %s', (b, d, expected) => {
    covers('RM-6.10', 'RM-6.11', 'INV-R16.2', 'RM-11.123');
    expect(category(opinion(b, d))).toBe(expected);
  });
});

describe('ranked claims', () => {
  it('ranked claims contain all claims kept, by belief minus disbelief, ranks from 1, ties by id', () => {
    covers('INV-R16.1', 'RM-6.12', 'RM-8.14');
    const { ranked_claims: ranked, claim_analyses: analyses } = judge(
      investigation([
        claim('c4', 'a', 'red'),
        claim('c3', 'b', 'red'),
        claim('c2', 'c', 'blue'),
        claim('c1', 'd', 'x', { epistemic_status: 'retracted' }),
        { ...claim('m1', 'e', 'x'), subject_id: null, target_claim_id: 'c2', valence: 'Neutral' },
      ]),
    );
    expect(ranked.map((entry) => [entry.rank, entry.claim_id])).toEqual([
      [1, 'm1'],
      [2, 'c3'],
      [3, 'c4'],
      [4, 'c1'],
      [5, 'c2'],
    ]);
    expect(analyses.map((analysis) => analysis.claim_id)).toEqual(['c1', 'c2', 'c3', 'c4', 'm1']);
  });
});

describe('inferences', () => {
  const infer = (
    rule_type: string,
    premise_claim_ids: string[],
    more: Partial<InferenceInput> = {},
  ): InferenceInput => ({
    id: 'i1',
    subject_id: 's1',
    predicate: 'size',
    premise_claim_ids,
    rule_type,
    rule_param: 'hint',
    rule_param2: 'described',
    ...more,
  });
  const premises = [
    claim('c1', 'a', 'red', { assertion_time: '2025-12-31T23:00:00Z', decay_half_life_days: 365_000 }),
    claim('c2', 'b', 'blue', { predicate: 'mood', event_start_time: '2026-02' }),
  ];
  const run = (
    inference: InferenceInput,
    more: Partial<InvestigationInput> = {},
    claims: ClaimInput[] = premises,
  ) => judge(investigation(claims, { inferences: [inference], ...more }));

  it.each([
    ['a_fortiori', 0.9],
    ['expert_testimony', 0.8],
    ['custom', 0.7],
    ['generalization', 0.6],
    ['default', 0.6],
    ['temporal_precedence', 0.5],
    ['analogy', 0.5],
  ])('inferences by %s add %p of the weakest premise to the verdict alone', (rule, strength) => {
    covers('RM-4.34', 'RM-4.38', 'RM-4.36');
    const result = run(infer(rule, ['c1', 'c2']));
    expect(result.warnings).toEqual([]);
    const verdict = verdictOf(result, 's1', 'size');
    const least = Math.min(analysisOf(result, 'c1').support, analysisOf(result, 'c2').support);
    expect(evidenceOf(verdict.confidence).r).toBeCloseTo(strength * least, 12);
    expect(verdict).toMatchObject({ leading_value: null, source_count: 0 });
    expect(result.claim_analyses).toEqual(judge(investigation(premises)).claim_analyses);
  });

  it('inferences add at most one unit together, to r after the swap, and choose no leading value', () => {
    covers('RM-4.35', 'RM-6.5', 'RM-4.36');
    const strong = claim('c1', 'a', 'no', { assertion_time: null });
    const evidence = [{ id: 'e', claim_id: 'c1', content: '', valence: 'Supports', weight: 100 }];
    const inferences = [1, 2, 3].map((i) =>
      infer('a_fortiori', ['c1'], { id: `i${i}`, predicate: 'colour' }),
    );
    const verdict = verdictOf(judge(investigation([strong], { inferences, evidence })));
    expect(evidenceOf(verdict.confidence)).toEqual({ r: expect.closeTo(1), s: expect.closeTo(8) });
    expect(verdict.leading_value).toBe('true');
  });

  it.each<[string, Partial<InferenceInput>, string[]]>([
    ['a_fortiori', { rule_param: null }, ['c1']],
    ['analogy', { rule_param: ' ' }, ['c1']],
    ['generalization', { rule_param: '' }, ['c1', 'c2']],
    ['generalization', {}, ['c1', 'c1']],
    ['default', { rule_param: undefined }, ['c1']],
    ['custom', { rule_param2: null }, ['c1']],
    ['custom', { rule_param: null }, ['c1']],
    ['temporal_precedence', {}, ['c1']],
    ['temporal_precedence', {}, ['c2', 'c1']],
    ['temporal_precedence', {}, ['c1', 'c1']],
    ['default', {}, []],
    ['default', {}, ['c1', 'missing']],
  ])('inferences by %s with %p from %p are dropped with a warning', (rule, more, ids) => {
    covers(
      'INV-R11.3',
      'RM-4.39',
      'INV-R9.1',
      'RM-4.40',
      'INV-R9.2',
      'RM-4.41',
      'INV-R9.3',
      'RM-4.42',
      'INV-R9.5',
      'RM-4.43',
      'INV-R9.7',
      'RM-4.44',
      'INV-R11.1',
      'INV-R11.2',
    );
    const result = run(infer(rule, ids, more));
    expect(result.warnings).toEqual([expect.stringMatching(/^Inference `i1` was dropped: .*\.$/)]);
    expect(result.subject_results.map((verdict) => verdict.predicate)).not.toContain('size');
  });

  it('inferences need no parameter for expert_testimony and temporal_precedence', () => {
    covers('INV-R9.4', 'INV-R9.6');
    for (const rule of ['expert_testimony', 'temporal_precedence'])
      expect(run(infer(rule, ['c1', 'c2'], { rule_param: null, rule_param2: null })).warnings).toEqual([]);
  });

  it('inferences by expert_testimony rest on an Expert, Regulator or Analyst', () => {
    covers('RM-4.45');
    const by = (source_type: string) =>
      run(infer('expert_testimony', ['c1']), {
        actors: [actor('a', { source_type, base_reliability: null }), actor('b')],
      }).warnings;
    for (const type of ['Expert', 'Regulator', 'Analyst']) expect(by(type)).toEqual([]);
    for (const type of ['Journalist', 'Insider', 'Institutional']) expect(by(type)).toHaveLength(1);
  });

  it('inferences cannot rest on a retracted or below-floor claim, nor on what depends on a retracted one', () => {
    covers('RM-4.37');
    const retracted = [claim('c1', 'a', 'red', { epistemic_status: 'retracted' })];
    expect(run(infer('default', ['c1']), {}, retracted).warnings).toHaveLength(1);
    const hanging = { ...claim('m1', 'b', 'x'), subject_id: null, target_claim_id: 'c1' };
    expect(run(infer('default', ['m1']), {}, [...retracted, hanging]).warnings).toHaveLength(1);
    const weak = { actors: [actor('a', { source_type: 'Troll', base_reliability: 0.1 })] };
    expect(run(infer('default', ['c1']), weak, [claim('c1', 'a', 'red')]).warnings).toHaveLength(2);
  });
});

describe('ties where copying was detected', () => {
  // Three copies of one another are often wrong; a to g are right.
  const subjects = Array.from({ length: 30 }, (_, i) => ({
    id: `t${String(i).padStart(2, '0')}`,
    name: '',
    subject_type: 'thing',
  }));
  const said = subjects.flatMap(({ id }, i) =>
    [...'abcdefgxyz'].map((who) =>
      claim(`${id}${who}`, who, 'xyz'.includes(who) && i % 2 === 0 ? `wrong ${i}` : `right ${i}`, {
        subject_id: id,
      }),
    ),
  );
  const tied = [
    claim('1', 'x', 'copied', { subject_id: 'tie' }),
    claim('2', 'a', 'proven', { subject_id: 'tie' }),
  ];
  const input = investigation([...said, ...tied], {
    actors: [...'abcdefgxyz'].map((id) => actor(id)),
    subjects: [...subjects, { id: 'tie', name: '', subject_type: 'thing' }],
  });

  it('ties where copying was detected go to the sources found right more often, else to the smallest id', () => {
    covers('RM-4.31', 'RM-4.32');
    const detected = judge(input);
    expect(detected.source_dependence.map((group) => group.actor_ids)).toEqual([['x', 'y', 'z']]);
    expect(detected.warnings).toEqual([expect.stringContaining('`x`, `y`, `z`')]);
    expect(verdictOf(detected, 'tie').leading_value).toBe('proven');
    const declared = judge({ ...input, dependence: 'declared' });
    expect(declared.source_dependence).toEqual([]);
    expect(verdictOf(declared, 'tie').leading_value).toBe('copied');
  });
});
