import { describe, expect, it } from '@jest/globals';
import { analyze, explain, summarizeResult, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { resultPart } from '../engine/result-part.ts';
import { toldExplanation } from '../engine/told-explanation.ts';
import { essentialsOf } from './compact-response.ts';
import { explanationText } from './explanation-text.ts';
import type { VerdictPart } from './shown-result.ts';
import { compactPart } from './verdict-part.ts';
import { summarizeVerdict } from './verdict-summary.ts';

const YEARS = { event_start_time: '1990', event_end_time: '2000' };

function judged(predicate: string, values: readonly { readonly value: string; readonly scope: string }[]) {
  return analyze(
    {
      research_question: 'Is the pass open?',
      actors: values.map((_, index) => ({ id: `a${index}`, name: `A${index}`, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'The pass', subject_type: 'road' }],
      claims: values.map(({ value, scope }, index) => ({
        id: `c${index}`,
        actor_id: `a${index}`,
        subject_id: 's',
        predicate,
        value,
        scope,
        ...(scope === 'in winter' && YEARS),
        content: `statement ${index}`,
      })),
    },
    { now: new Date('2026-11-29T10:00:00Z') },
  ) as InvestigationResult;
}

/** The text that explains the first result, with nothing found to change it. */
function explainedOf(result: InvestigationResult): string {
  const explanation = {
    ...result.subject_results[0]!,
    r: 1,
    s: 0,
    prior_weight: 2,
    contributions: [],
    smallest_change: null,
    without_source: [],
  };
  return explanationText({ judged_at: '2026-03-14T09:12:45.000Z', explanation } as never);
}

describe('the text of a verdict', () => {
  const winter = { scope: 'in winter' };
  it.each([
    ['open', [{ value: 'yes', ...winter }], 'open (in winter, from 1990 to 2000): '],
    ['open', [{ value: 'no', ...winter }], 'open (in winter, from 1990 to 2000): '],
    ['height', [{ value: '90 m', ...winter }], 'height = 90 m (in winter, from 1990 to 2000): '],
    [
      'open',
      [
        { value: 'no', ...winter },
        { value: 'no', ...winter },
        { value: 'yes', scope: 'in summer' },
      ],
      'open (in winter, from 1990 to 2000): ',
    ],
  ])(
    'judging and explaining name the scope and time of the value of %s, case %#',
    (predicate, values, line) => {
      covers('INV-V.84');
      const result = judged(predicate, values);
      expect(summarizeVerdict(result as never)).toContain(`The pass: ${line}`);
      const told = explainedOf(result);
      expect(told).toContain('(in winter, from 1990 to 2000): ');
    },
  );
});

describe('the text of a verdict on a statement', () => {
  it.each([
    ['Misleading', '“The lake is empty” is rated Misleading: supported, chance of this rating '],
    ['true', 'The lake is empty: True, chance that it is true '],
    ['false', 'The lake is empty: False, chance that it is true '],
  ])('judging and explaining say %s in the sentence of the share page', (value, line) => {
    covers('INV-T.39');
    const input = {
      research_question: 'Is it?',
      actors: ['a', 'b'].map((id) => ({ id, name: id, source_type: 'Journalist' })),
      subjects: [{ id: 's', name: 'The lake is empty.', subject_type: 'statement' }],
      claims: ['a', 'b'].map((id) => ({
        id,
        actor_id: id,
        subject_id: 's',
        predicate: 'is_true',
        value,
        content: '',
      })),
    };
    const now = new Date('2026-11-29T10:00:00Z');
    const result = analyze(input, { now }) as InvestigationResult;
    for (const text of [summarizeVerdict(result), explainedOf(result)]) {
      expect(text).toContain(line);
      expect(text).not.toMatch(/is_true|empty\./);
    }
  });
});

describe('the values and sources that a verdict names', () => {
  const heights = (values: readonly string[]) =>
    judged(
      'height',
      values.map((value) => ({ value, scope: '' })),
    );
  const lineOf = (result: InvestigationResult) => summarizeVerdict(result).split('\n')[1]!;
  const dataOf = (result: InvestigationResult) =>
    (
      essentialsOf(result) as {
        top_findings: { rival_values: { value: string }[]; more_rival_values?: number }[];
      }
    ).top_findings[0]!;
  const words = ['red', 'blue', 'green', 'black', 'white', 'pink'];

  it('values of different scopes of which none leads are told each for itself, and not as tied', () => {
    covers('INV-V.142');
    const line = lineOf(
      judged('height', [
        { value: 'red', scope: 'Europe' },
        { value: 'blue', scope: 'Asia' },
      ]),
    );
    expect(line).toMatch(/\((red|blue) \(in \w+\) \d+ % and (red|blue) \(in \w+\) \d+ %; each for itself\)/);
    expect(line).not.toContain('undecided');
    expect(line).not.toMatch(/tied|no value leads/);
  });

  it.each([2, 3, 4, 5, 6])(
    'a tie of %d names as many in text and data, and none of them as a rival',
    (count) => {
      covers('INV-V.101', 'RM-11.192');
      const result = heights(words.slice(0, count));
      const line = lineOf(result);
      const [, named] = /\(tied: (.*); no value leads\)/.exec(line)!;
      const left = ['', ' and one more', ' and two more', ' and three more'][Math.max(0, count - 3)]!;
      expect(named!.endsWith(left)).toBe(true);
      expect(line).not.toContain('others say');
      const { rival_values: rivals, more_rival_values: more = 0 } = dataOf(result);
      for (const value of named!.replace(left, '').split(/, | and /))
        expect(rivals.map((one) => one.value)).toContain(value);
      expect(rivals.length + more).toBe(count);
    },
  );

  it('data hold every rival value that the text names, and how many there are more', () => {
    covers('INV-V.102');
    const result = heights(['14', '14', '31', '100', '55', '70', '200']);
    const [, first, second, more] = /; others say (\S+) \d+ %, (\S+) \d+ % and (\d) more$/.exec(
      lineOf(result),
    )!;
    const data = dataOf(result);
    expect(data.rival_values.map(({ value }) => value)).toEqual(['14', first, second]);
    expect(data.more_rival_values).toBe(Number(more));
  });

  it('values of other scopes are named as such, and not as rivals, in text and data', () => {
    covers('INV-T.41');
    const values = ['7 %', '7 %', '7 %', '9 %', '19 %', '19 %'];
    const result = judged(
      'VAT',
      values.map((value) => ({ value, scope: value === '19 %' ? 'standard' : 'food' })),
    );
    const end =
      /; others say 9 % \(in food\) \d+ %; in other scopes or of other times 19 % \(in standard\) \d+ %$/;
    expect(lineOf(result)).toMatch(end);
    expect(dataOf(result).rival_values.map(({ value }) => value)).toContain('19 %');
    const explanation = { ...result.subject_results[0]!, r: 1, s: 0, prior_weight: 2, contributions: [] };
    const told = explanationText({
      judged_at: '2026-03-14T09:12:45.000Z',
      explanation: { ...explanation, smallest_change: null, without_source: [] },
    } as never);
    expect(told).toMatch(
      /Rival values: 9 % \([^)]*\)\nIn other scopes or of other times: 19 % \(in standard: \d+ %\)/,
    );
  });

  it('a value that leads in one scope is told in another where it is disputed', () => {
    covers('INV-V.171');
    const result = judged('choice', [
      { value: 'Drug A', scope: 'children' },
      { value: 'Drug B', scope: 'children' },
      { value: 'Drug B', scope: 'adults' },
      { value: 'Drug B', scope: 'adults' },
    ]);
    expect(lineOf(result)).toMatch(
      /; in other scopes or of other times Drug A \(in children\) \d+ %, Drug B \(in children\) \d+ %; what holds in children is disputed$/,
    );
    expect(explainedOf(result)).toMatch(
      /In other scopes or of other times: Drug A \(in children: \d+ %\), Drug B \(in children: \d+ %\)/,
    );
  });

  it('sources that dispute or support a claim are counted in text and data', () => {
    covers('INV-V.103', 'RM-11.191');
    const names = ['Herald', 'Historian', 'Curator', 'Reader'];
    const meta = (id: string, actor: string, valence: string) => ({
      id,
      actor_id: actor,
      target_claim_id: 'c',
      valence,
      predicate: 'accuracy',
      value: 'x',
      content: id,
    });
    const result = analyze(
      {
        research_question: 'Did it fly?',
        actors: names.map((name) => ({ id: name, name, source_type: 'Expert' })),
        subjects: [{ id: 's', name: 'No. 21', subject_type: 'aircraft' }],
        claims: [
          {
            id: 'c',
            actor_id: 'Herald',
            subject_id: 's',
            predicate: 'flew',
            value: 'true',
            content: 'It flew.',
          },
          meta('m1', 'Historian', 'Refutes'),
          meta('m2', 'Curator', 'Refutes'),
          meta('m3', 'Reader', 'Supports'),
        ],
      },
      { now: new Date('2026-11-29T10:00:00Z') },
    ) as InvestigationResult;
    expect(lineOf(result)).toContain('; 2 sources for, 2 against)');
    expect(dataOf(result)).toMatchObject({
      source_count: 1,
      supporting_source_count: 2,
      opposing_source_count: 2,
    });
  });

  it.each([
    ['no', 'Supports', 'Refutes', '0 sources for, 2 against; evidence or inferences alone speak for it)'],
    [
      'yes',
      'Supports',
      'Refutes',
      '2 sources for, 0 against; evidence or inferences alone speak against it)',
    ],
    ['yes', 'Refutes', 'Refutes', '0 sources for, 2 against; evidence or inferences alone speak for it)'],
    ['no', 'Supports', 'Supports', '2 independent sources)'],
    ['yes', 'Supports', 'Supports', '2 independent sources)'],
  ] as const)(
    'sources that say %s (%s) beside documents (%s) are told on their side: %s',
    (value, valence, direction, told) => {
      covers('INV-Q.107');
      const result = analyze(
        {
          research_question: 'Did they know?',
          actors: ['Ministry', 'Daily'].map((id) => ({ id, name: id, source_type: 'Institutional' })),
          subjects: [{ id: 's', name: 'Minister', subject_type: 'person' }],
          claims: ['Ministry', 'Daily'].map((id) => ({
            id,
            actor_id: id,
            subject_id: 's',
            predicate: 'knew_of_it',
            value,
            valence,
            content: 'x',
          })),
          evidence: ['Ministry', 'Ministry', 'Daily', 'Daily'].map((claim_id, i) => ({
            id: `e${i}`,
            claim_id,
            valence: direction,
            weight: 3,
            content: 'x',
          })),
        },
        { now: new Date('2026-11-29T10:00:00Z') },
      ) as InvestigationResult;
      expect(lineOf(result)).toContain(`; ${told}`);
    },
  );

  it.each([
    [null, '; half-life 180 days, the default)', '1200 would lead'],
    [90, '; half-life 90 days)', '1200 would lead'],
  ])(
    'age that decides with a half-life of %s days is told in text, synthesis and data',
    (days, end, what) => {
      covers('INV-V.150');
      const said = (id: string, value: string, assertion_time: string) => ({
        id,
        actor_id: id,
        subject_id: 's',
        predicate: 'staff',
        value,
        content: id,
        assertion_time,
      });
      const input = {
        research_question: 'How many work there?',
        actors: [
          { id: 'r', name: 'Registry', source_type: 'Regulator' },
          { id: 'd', name: 'Daily', source_type: 'Journalist' },
        ],
        subjects: [{ id: 's', name: 'Firm', subject_type: 'company' }],
        claims: [said('r', '1200', '2025-05-01'), said('d', '900', '2026-11-28')],
        decay_half_life_days: days,
      };
      const result = analyze(input, { now: new Date('2026-11-30T10:00:00Z') }) as InvestigationResult;
      const text = summarizeVerdict(result);
      expect(text).toContain(`; age decides: without it ${what} (`);
      expect(text).toContain(end);
      expect(text).toContain('Most useful next: Look for a second, independent source on whether');
      const data = essentialsOf(result) as { top_findings: object[]; synthesis: string };
      expect(data.top_findings[0]).toMatchObject({ age_decides: { leading_value: '1200' } });
      expect(summarizeResult(result).synthesis).toContain(` Age decides: without it ${what} (`);
      expect(data.synthesis).not.toContain('Age decides');
      expect(data.synthesis).toContain('Or set decay_half_life_days to');
    },
  );

  it('what age decides of several verdicts is told in full once, and in the words of each where they differ', () => {
    covers('INV-T.54');
    const said = (id: string, predicate: string, value: string, assertion_time: string) => ({
      id,
      actor_id: id.slice(0, 1),
      subject_id: 's',
      predicate,
      value,
      content: id,
      assertion_time,
    });
    const input = {
      research_question: 'What is the firm like?',
      actors: ['r', 'd'].map((id) => ({ id, name: id, source_type: 'Regulator' })),
      subjects: [{ id: 's', name: 'Firm', subject_type: 'company' }],
      claims: ['audited', 'insured', 'staff'].flatMap((predicate, index) => [
        said(`r${index}`, predicate, index < 2 ? 'true' : '1200', '2025-01-01'),
        said(`d${index}`, predicate, index < 2 ? 'false' : '900', index < 2 ? '2025-01-01' : '2026-11-28'),
      ]),
    };
    const result = analyze(input, { now: new Date('2026-11-30T10:00:00Z') }) as InvestigationResult;
    const lines = summarizeVerdict(result).split('\n');
    const ages = lines.flatMap((line) => /; (age decides.*)$/.exec(line)?.[1] ?? []).toSorted();
    expect(ages).toEqual([
      expect.stringMatching(/^age decides, as above \(\d\d % of the weight is lost to age\)$/),
      expect.stringMatching(
        /^age decides: without it (1200|no value) .*; half-life 180 days, the default\)$/,
      ),
      expect.stringMatching(/^age decides: without it there .*; half-life 180 days, the default\)$/),
    ]);
    expect(JSON.stringify(essentialsOf(result as never))).not.toContain('Age decides');
  });

  it.each([
    [
      'of two values',
      'Peary',
      'Amundsen',
      /if a sworn log: Peary \(\d+ %\); if witnesses: Amundsen \(\d+ %\)/,
    ],
    [
      'of yes and no',
      'false',
      'true',
      /if a sworn log: false \((?:5|6|7)\d %\); if witnesses: true \((?:5|6|7)\d %\)/,
    ],
  ])(
    'the conditions of a distinction %s stand in digest and explanation, and its tie is undecided',
    (_, first, second, words) => {
      covers('INV-T.46', 'INV-T.47');
      const input = {
        research_question: 'Who was first?',
        actors: ['Times', 'Post'].map((name) => ({ id: name, name, source_type: 'Journalist' })),
        subjects: [{ id: 's', name: 'The pole', subject_type: 'place' }],
        claims: [
          ['c0', 'Times', first],
          ['c1', 'Post', second],
        ].map(([id, actor_id, value]) => ({
          id: id!,
          actor_id: actor_id!,
          subject_id: 's',
          predicate: 'reached first by',
          value: value!,
          content: id!,
        })),
        distinctions: [
          {
            id: 'd',
            argument_a: 'c0',
            argument_b: 'c1',
            feature: 'proof',
            condition_a: 'If a sworn log',
            condition_b: 'witnesses',
          },
        ],
      };
      const now = new Date('2026-11-30T10:00:00Z');
      const result = analyze(input, { now }) as InvestigationResult;
      const digest = essentialsOf(result) as { top_findings: { conditions: string }[] };
      expect(digest.top_findings[0]!.conditions).toMatch(words);
      const text = summarizeVerdict(summarizeResult(result));
      const part = compactPart(resultPart(result, { limit: 1, offset: 0 }) as VerdictPart);
      const explained = {
        explanation: toldExplanation(
          explain(input, { now, subject_id: 's', predicate: 'reached first by' })!,
          input,
          result,
        ),
        judged_at: '2026-11-30',
      };
      // The whole result has a line for each condition, with the claim.
      const [a, b] = words.source
        .replaceAll('if ', '')
        .split('; ')
        .map((side) => new RegExp(side));
      const whole = summarizeVerdict(result);
      expect(whole).toMatch(new RegExp(`^- (?:If )?${a!.source}, claim c0$`, 'm'));
      expect(whole).toMatch(new RegExp(`^- (?:If )?${b!.source}, claim c1$`, 'm'));
      for (const told of [text, summarizeVerdict(part), explanationText(explained as never)]) {
        expect(told).toMatch(words);
        expect(told).toContain('no value leads): undecided, chance');
      }
    },
  );
});

it('a denial of another scope that documents refute is told with the chance of its value', () => {
  covers('INV-T.65', 'INV-V.273');
  const about = { actor_id: 'a', subject_id: 's', predicate: 'culprit', content: 'x' };
  const input = {
    research_question: 'Who?',
    actors: [
      { id: 'a', name: 'Ministry', source_type: 'Institutional' },
      { id: 'b', name: 'Daily', source_type: 'Journalist' },
    ],
    subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
    claims: [
      { ...about, id: 'c0', value: 'Smith', valence: 'Refutes', scope: 'in Europe' },
      { ...about, id: 'c1', actor_id: 'b', value: 'Jones', scope: 'in Asia' },
    ],
    evidence: ['e0', 'e1'].map((id) => ({ id, claim_id: 'c0', content: id, valence: 'Refutes', weight: 2 })),
  };
  const now = new Date('2026-01-01T00:00:00Z');
  const result = analyze(input, { now }) as InvestigationResult;
  const told = /in other scopes or of other times:? Smith \(in Europe(?:\) |: denied, )97 %/i;
  expect(summarizeVerdict(result as never)).toMatch(told);
  const { subject_id, predicate } = result.subject_results[0]!;
  const explanation = toldExplanation(explain(input, { now, subject_id, predicate })!, input, result);
  expect(explanationText({ explanation, judged_at: '' } as never)).toMatch(told);
});
