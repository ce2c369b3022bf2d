import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, analysisOf, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput, InvestigationInput, SubjectResult } from '../contract/types.ts';

function verdict(claims: ClaimInput[], more: Partial<InvestigationInput> = {}): SubjectResult {
  return judge(investigation(claims, more)).subject_results[0]!;
}

describe('rival values', () => {
  it('a value that one source denies and nobody asserts is not likely, whatever is learned of the source', () => {
    covers('RM-11.5');
    for (const sourceType of ['Regulator', 'Journalist', 'Institutional', 'SocialMedia']) {
      const { calibrated_probability: chance } = verdict([claim('c1', 'a', 'red', { valence: 'Refutes' })], {
        actors: [actor('a', { source_type: sourceType })],
        reliability: 'estimated',
      });
      expect(chance).toBeLessThanOrEqual(0.5);
    }
  });

  it('rival values list each value once, the leading one first, with its own sources and chance', () => {
    covers('RM-11.5', 'RM-11.6', 'RM-11.119', 'RM-11.161');
    const {
      rival_values: rivals,
      calibrated_probability: chance,
      tied,
    } = verdict([claim('c1', 'a', 'blue'), claim('c2', 'b', 'red'), claim('c3', 'c', 'Red')]);
    expect(rivals.map(({ value, source_count: count }) => [value, count])).toEqual([
      ['red', 2],
      ['blue', 1],
    ]);
    expect(rivals[0]!.calibrated_probability).toBe(chance);
    const sum = rivals.reduce((total, rival) => total + rival.calibrated_probability, 0);
    expect(sum).toBeLessThan(1);
    expect(tied).toBeUndefined();
  });

  it('true that only a superseded claim says keeps its source where false leads', () => {
    covers('RM-11.5');
    const { rival_values: rivals } = verdict([
      claim('c1', 'a', 'yes'),
      claim('c2', 'b', 'no', { supersedes_claim_id: 'c1' }),
    ]);
    expect(rivals.map(({ value, source_count: count }) => [value, count])).toEqual([
      ['true', 1],
      ['false', 1],
    ]);
  });

  it('rival values report that no value leads where the two best have equal evidence', () => {
    covers('RM-11.6', 'RM-11.120');
    const result = verdict([claim('c1', 'a', 'blue'), claim('c2', 'b', 'red'), claim('c3', 'c', 'green')]);
    expect(result.tied).toBe(true);
    const chances = result.rival_values.map(({ calibrated_probability: chance }) => chance);
    for (const chance of chances) expect(chance).toBeCloseTo(chances[0]!, 12);
  });

  it('the scope and time that a verdict is about do not depend on the ids of claims with equal evidence', () => {
    covers('RM-11.6', 'RM-11.120');
    const places: Partial<ClaimInput>[] = [
      {},
      { scope: 'north' },
      { scope: 'south', event_start_time: '2023', event_end_time: '2024' },
      { scope: 'south', event_start_time: '2024', event_end_time: '2025' },
    ];
    const led = (ids: string, from: number) => {
      const claims = places.slice(from).map((place, i) => claim(ids[i]!, 'abcd'[i]!, 'red', place));
      const { rival_values: rivals } = verdict(claims);
      return [rivals[0]!.scope, rivals[0]!.event_start_time];
    };
    for (const ids of ['klmn', 'nmlk']) {
      expect(led(ids, 0)).toEqual([undefined, undefined]);
      expect(led(ids, 1)).toEqual(['north', undefined]);
      expect(led(ids, 2)).toEqual(['south', '2023']);
    }
  });

  it('rival values of a boolean led by false list true first, with the chance that it is true', () => {
    covers('RM-11.6', 'RM-11.162');
    const result = verdict([claim('c1', 'a', 'no'), claim('c2', 'b', 'no'), claim('c3', 'c', 'yes')]);
    const [first, second] = result.rival_values;
    expect([first!.value, second!.value]).toEqual(['true', 'false']);
    expect(first!.expected_probability).toBe(result.expected_probability);
    expect(first!.calibrated_probability).toBe(result.calibrated_probability);
    expect(first!.calibrated_probability + second!.calibrated_probability).toBeCloseTo(1, 12);
  });

  it('the sources that say true are counted beside a leading false, wherever else more say true', () => {
    covers('RM-11.162', 'RM-11.174');
    const northern = verdict([
      ...['a', 'b', 'c'].map((id) => claim(`n${id}`, id, 'no')),
      claim('y', 'd', 'yes'),
      ...['a', 'b'].map((id) => claim(`north${id}`, id, 'yes', { scope: 'north' })),
    ]);
    expect(northern.rival_values[0]).toMatchObject({ value: 'true', source_count: 1 });
    expect(northern.rival_values[0]!.scope).toBeUndefined();
    expect(northern.calibrated_probability).toBe(northern.rival_values[0]!.calibrated_probability);
    // Eight values with more weight come before the one source that says true.
    const values = ['no', ...'ghijklm'].flatMap((value) => [value, value]);
    const said = [...values, 'no', 'yes'];
    const actors = said.map((_, i) => actor(`a${i}`));
    const crowded = verdict(
      said.map((value, i) => claim(`c${i}`, `a${i}`, value)),
      { actors },
    );
    expect(crowded.rival_values[0]).toMatchObject({ value: 'true', source_count: 1 });
    expect(crowded.calibrated_probability).toBe(crowded.rival_values[0]!.calibrated_probability);
    expect(crowded.rival_values).toHaveLength(8);
    expect(crowded.rival_values[1]!.value).toBe('false');
  });

  it.each([
    [['no', 'abc'], true],
    [['abc', 'yes'], true],
    [['no', 'no', 'abc'], undefined],
    [['yes', 'no', 'abc'], true],
    [['yes', 'yes', 'partly', 'no'], undefined],
    [['Yes.', 'yes', 'no'], true],
  ])('rival values of %j have one posterior, in which no room is given twice', (values, isTied) => {
    covers('RM-11.5', 'RM-11.6', 'RM-11.36', 'RM-11.60');
    for (const reliability of ['declared', 'estimated'] as const) {
      const actors = values.map((_, i) => actor(`a${i}`));
      const claims = values.map((value, i) => claim(`c${i}`, `a${i}`, value));
      const result = judge(investigation(claims, { actors, reliability }));
      const { rival_values: rivals, calibrated_probability: chance, tied } = result.subject_results[0]!;
      const chances = rivals.map(({ calibrated_probability: own }) => own);
      expect(chances[0]).toBe(chance);
      const sum = chances.reduce((total, own) => total + own, 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-9);
      // What the same number of the same sources say is equally likely.
      const named = rivals.filter(({ source_count: count }) => count === 1);
      for (const one of named)
        expect(one.calibrated_probability).toBeCloseTo(named[0]!.calibrated_probability, 9);
      expect(tied).toBe(isTied);
      expect(result.warnings.join()).not.toContain('has the most weight');
    }
  });

  it('a further yes makes yes likelier and everything else less likely, beside any other answers', () => {
    covers('RM-11.5');
    const before = verdict([claim('c1', 'a', 'no'), claim('c2', 'b', 'abc')]);
    const after = verdict([claim('c1', 'a', 'no'), claim('c2', 'b', 'abc'), claim('c3', 'c', 'yes')], {
      actors: [actor('a'), actor('b'), actor('c', { source_type: 'Regulator' })],
    });
    const chanceOf = (result: SubjectResult, value: string) =>
      result.rival_values.find((rival) => rival.value === value)!.calibrated_probability;
    expect(chanceOf(after, 'true')).toBeGreaterThan(chanceOf(before, 'true'));
    for (const other of ['false', 'abc'])
      expect(chanceOf(after, other)).toBeLessThan(chanceOf(before, other));
  });

  it.each([
    ['an item of evidence', [], [{ id: 'e', claim_id: 'c0', content: 'e', valence: 'Refutes' }]],
    ['a meta-claim', [{ target_claim_id: 'c0', subject_id: undefined, valence: 'Refutes' }], []],
    ['a denial', [{ valence: 'Refutes' }], []],
  ] as const)('%s against one of two values of equal evidence breaks the tie', (_, against, evidence) => {
    covers('RM-11.6');
    const claims = [
      claim('c0', 'a', 'red'),
      claim('c1', 'b', 'blue'),
      ...against.map((more) => claim('c2', 'c', 'red', more)),
    ];
    const result = judge(investigation(claims, { evidence: [...evidence] }));
    const [{ tied, leading_value: leading, rival_values: rivals }] = result.subject_results as [
      SubjectResult,
    ];
    expect([tied, leading]).toEqual([undefined, 'blue']);
    expect(rivals[0]!.calibrated_probability).toBeGreaterThan(rivals[1]!.calibrated_probability + 0.2);
    const { synthesis } = judge({
      ...investigation(claims, { evidence: [...evidence] }),
      summary_mode: true,
    }) as unknown as { synthesis: string };
    expect(synthesis).toContain(' is blue');
  });

  it('rival values of other scopes and times carry them, are apart and never said to be likelier', () => {
    covers('RM-11.66');
    const actors = [actor('a', { source_type: 'Regulator' }), actor('b'), actor('c')];
    const result = judge(
      investigation(
        [
          claim('c1', 'a', 'red', { scope: 'city' }),
          claim('c2', 'b', 'blue', { scope: 'metro' }),
          claim('c3', 'c', 'blue', { scope: 'metro' }),
        ],
        { actors },
      ),
    );
    expect(result.subject_results[0]!.rival_values).toMatchObject([
      { value: 'blue', scope: 'metro' },
      { value: 'red', scope: 'city', apart: true },
    ]);
    expect(result.subject_results[0]!.rival_values[0]!.apart).toBeUndefined();
    expect(result.warnings).toEqual([]);
  });

  it('rival values that held one after the other are told with their times, and that both may be right', () => {
    covers('RM-11.66');
    const input = investigation([
      claim('c1', 'a', 'Smith', { event_start_time: '2020', event_end_time: '2022' }),
      claim('c2', 'b', 'Jones', { event_start_time: '2022', event_end_time: '2024' }),
    ]);
    const { synthesis } = judge({ ...input, summary_mode: true }) as unknown as { synthesis: string };
    expect(synthesis).toMatch(
      /no value leads; Smith \(from 2020 to 2022: \d\d %\) and Jones \(from 2022 to 2024: \d\d %\) are said .* both may be right/,
    );
  });

  it('a value that leads in one scope is listed, apart, in each other that it is said in', () => {
    covers('RM-11.240');
    const { rival_values: rivals, tied } = verdict([
      claim('c1', 'a', 'A', { scope: 'children' }),
      claim('c2', 'b', 'B', { scope: 'children' }),
      claim('c3', 'a', 'B', { scope: 'adults' }),
      claim('c4', 'b', 'B', { scope: 'adults' }),
      claim('c5', 'b', 'B', { scope: 'elders' }),
    ]);
    expect(tied).toBeUndefined();
    expect(
      rivals.map(({ value, scope, apart, source_count: count }) => [value, scope, apart, count]),
    ).toEqual([
      ['B', 'adults', undefined, 2],
      ['B', 'elders', true, 1],
      ['A', 'children', true, 1],
      ['B', 'children', true, 1],
    ]);
    expect(rivals[2]!.calibrated_probability).toBe(rivals[3]!.calibrated_probability);
  });

  it('a claim of a later time that agrees with a rival does not take its contradiction off a value', () => {
    covers('RM-11.240');
    const at = (from: string, to?: string) => ({
      event_start_time: from,
      ...(to !== undefined && { event_end_time: to }),
    });
    const { rival_values: rivals } = verdict(
      [
        claim('c1', 'a', 'Ann', at('2010-01-01', '2016-01-01')),
        claim('c2', 'a', 'Bo', at('2016-01-01')),
        claim('c3', 'b', 'Bo', at('2015-01-01')),
      ],
      { actors: [actor('a', { source_type: 'Regulator' }), actor('b', { source_type: 'Expert' })] },
    );
    expect(rivals.map(({ value, event_start_time: from, apart }) => [value, from, apart])).toEqual([
      ['Bo', '2016-01-01', undefined],
      ['Ann', '2010-01-01', true],
      ['Bo', '2015-01-01', true],
    ]);
    const [, ann, bo] = rivals;
    expect(ann!.calibrated_probability + bo!.calibrated_probability).toBeLessThan(1);
  });

  it.each([
    ['Ann', 'Bo', 'Ann'],
    ['2 %', '3 %', '2 %'],
    ['true', 'false', 'true'],
    ['false', 'true', 'false'],
  ])('a value that returns after another one is listed for each of its times: %s, %s, %s', (...values) => {
    covers('RM-11.282');
    const times = [
      ['2000-01-01', '2008-01-01'],
      ['2008-01-01', '2012-01-01'],
      ['2012-01-01', '2024-01-01'],
    ] as const;
    for (const sources of [['a'], ['a', 'b']]) {
      const claims = sources.flatMap((source) =>
        values.map((value, i) =>
          claim(`${source}${i}`, source, value, {
            event_start_time: times[i]![0],
            event_end_time: times[i]![1],
          }),
        ),
      );
      const { rival_values: rivals } = verdict(claims);
      expect(rivals.map(({ value, event_start_time: from }) => `${from} ${value}`)).toEqual(
        expect.arrayContaining(values.map((value, i) => `${times[i]![0]} ${value}`)),
      );
    }
  });

  it('a value of several times with no other one between them is listed once', () => {
    covers('RM-11.282');
    const { rival_values: rivals } = verdict(
      [2000, 2001, 2002, 2003].map((year) =>
        claim(`c${year}`, 'a', '2 %', { event_start_time: `${year}`, event_end_time: `${year + 1}` }),
      ),
    );
    expect(rivals).toHaveLength(1);
  });

  it.each([
    ['red', 'blue'],
    ['no', 'abc'],
    ['no', 'yes'],
  ])('sentences on %s and %s, which are tied, name both and no leader, whatever the ids', (one, other) => {
    covers('RM-11.67');
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const { synthesis } = judge({
        ...investigation([claim('c1', 'a', first), claim('c2', 'b', second)]),
        summary_mode: true,
      }) as unknown as { synthesis: string };
      expect(synthesis).toMatch(/: no value leads; \w+ \(\d\d %\) and \w+ \(\d\d %\) are tied\. Evidence/);
      expect(synthesis).not.toMatch(/unlikely|is `(?:red|blue|abc)`/);
    }
  });

  it('a value gains by every further independent source that agrees', () => {
    covers('RM-11.5');
    const chances = [1, 2, 3, 5, 8].map(
      (count) =>
        verdict(
          Array.from({ length: count }, (_, i) => claim(`c${i}`, `a${i}`, 'red')),
          { actors: Array.from({ length: count }, (_, i) => actor(`a${i}`)) },
        ).calibrated_probability,
    );
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    expect(chances.at(-1)).toBeGreaterThan(0.95);
  });

  it('where reliability is estimated, keep half their chance to the share of the log odds', () => {
    covers('RM-11.5');
    const chanceOf = (count: number, more: ClaimInput[] = []) =>
      verdict([...Array.from({ length: count }, (_, i) => claim(`c${i}`, `a${i}`, 'red')), ...more], {
        actors: Array.from({ length: count + 1 }, (_, i) => actor(`a${i}`)),
        reliability: 'estimated',
        dependence: 'declared',
      }).calibrated_probability;
    const logOdds = Math.log(0.8 / 0.2);
    expect(chanceOf(1)).toBeCloseTo(
      0.5 / (1 + Math.exp(-0.3 * logOdds)) + (0.5 * logOdds) / (logOdds + 0.5),
      9,
    );
    const chances = [1, 2, 3, 5, 8].map((count) => chanceOf(count));
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    for (const count of [1, 2, 3, 5, 8])
      expect(chanceOf(count, [claim('against', `a${count}`, 'blue')])).toBeLessThan(chanceOf(count));
  });

  it('chances of a boolean add up to one, also where reliability is estimated', () => {
    covers('RM-11.6');
    for (const values of [
      ['yes', 'yes', 'no'],
      ['no', 'no', 'yes'],
    ]) {
      const { rival_values: rivals } = verdict(
        values.map((value, i) => claim(`c${i}`, 'abc'[i]!, value)),
        { reliability: 'estimated' },
      );
      const sum = rivals.reduce((total, rival) => total + rival.calibrated_probability, 0);
      expect(rivals).toHaveLength(2);
      expect(sum).toBeCloseTo(1, 12);
    }
  });

  it('rival values are empty where only a superseded claim stands against nothing', () => {
    covers('RM-11.6', 'RM-11.8', 'RM-11.150', 'RM-11.155');
    const result = verdict([
      claim('old', 'a', 'red'),
      claim('new', 'b', 'true', { predicate: 'colour', valence: 'Refutes', supersedes_claim_id: 'old' }),
    ]);
    expect(result.leading_value).not.toBe('red');
  });
});

describe('supersession in the verdict', () => {
  it('a correction outweighs what its own source said before', () => {
    covers('RM-11.8', 'RM-11.126');
    const alone = verdict([claim('new', 'a', 'new')]);
    const corrected = verdict([
      claim('old', 'a', 'old'),
      claim('new', 'a', 'new', { supersedes_claim_id: 'old' }),
    ]);
    expect(corrected).toEqual(alone);
  });

  it('superseded claims do not win over their successor, directly or through others', () => {
    covers('RM-11.8', 'RM-11.127', 'RM-11.154');
    const result = verdict([
      claim('v1', 'a', 'old'),
      claim('v1b', 'b', 'old'),
      claim('v2', 'c', 'newer', { supersedes_claim_id: 'v1' }),
      claim('v3', 'd', 'new', {
        supersedes_claim_id: 'v2',
        relationships: [{ relationship_type: 'supersedes', target_claim_id: 'v1b' }],
      }),
    ]);
    expect(result.leading_value).toBe('new');
    expect(result.rival_values.map(({ value }) => value)).toEqual(['new']);
  });

  it('copies of a superseded claim weigh like it, with a warning', () => {
    covers('RM-11.8', 'RM-11.128');
    const result = judge(
      investigation(
        [
          claim('old', 'a', 'old'),
          claim('copy', 'b', 'old'),
          claim('new', 'a', 'new', { supersedes_claim_id: 'old' }),
        ],
        { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
      ),
    );
    expect(result.subject_results[0]).toMatchObject({ leading_value: 'new' });
    expect(result.subject_results[0]!.confidence.opposition).toBe(0);
    expect(result.warnings).toContainEqual(expect.stringContaining('`copy` repeats `old`'));
  });

  it.each([
    ['before', '2024-01-01', '2024-02-01', false],
    ['at the time of', '2024-02-01', '2024-02-01', true],
    ['after', '2024-03-01', '2024-02-01', true],
    ['without a time beside', undefined, '2024-02-01', true],
  ])(
    'a claim said %s a retracted one that its source depends on falls with it only as a repetition',
    (_, copied, original, falls) => {
      covers('RM-11.128', 'RM-11.157');
      const result = judge(
        investigation(
          [
            claim('old', 'a', 'old', { assertion_time: original, epistemic_status: 'retracted' }),
            claim('copy', 'b', 'old', { assertion_time: copied }),
          ],
          { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
        ),
      );
      expect(result.subject_results[0]!.confidence.support > 0).toBe(!falls);
      expect(result.warnings.some((text) => text.includes('`copy` repeats `old`'))).toBe(falls);
    },
  );

  it('a claim is no copy of what it superseded, even once it is superseded itself', () => {
    covers('RM-11.8', 'RM-11.157');
    const result = judge(
      investigation(
        [
          claim('v1', 'a', 'old'),
          claim('v2', 'b', 'old', { supersedes_claim_id: 'v1' }),
          claim('v3', 'a', 'new', { supersedes_claim_id: 'v2' }),
        ],
        { actors: [actor('a'), actor('b', { depends_on: ['a'] })] },
      ),
    );
    const supportOf = (id: string) => analysisOf(result, id).support;
    expect(supportOf('v1')).toBe(0);
    expect(supportOf('v2')).toBeGreaterThan(0);
    expect(result.warnings.filter((warning) => warning.includes('is weighed like it'))).toEqual([]);
  });
});

describe('contested verdicts', () => {
  it('a verdict is Both where two weak sources flatly contradict each other, with a dispute level of 1', () => {
    covers('RM-11.7', 'RM-11.124');
    const weak = [actor('a', { base_reliability: 0.3 }), actor('b', { base_reliability: 0.3 })];
    const result = judge(
      investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue')], { actors: weak }),
    );
    expect(result.subject_results[0]!.truth_status).toBe('Both');
    expect(result.conflict_analysis[0]!.dispute_level).toBe(1);
  });
});
