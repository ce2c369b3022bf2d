import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import type { ClaimInput } from '../contract/types.ts';

fc.configureGlobal({ seed: SEED });

describe('cautions about updates', () => {
  it('cautions name a repetition of what its source has corrected, unless it says what it replaces', () => {
    covers('RM-11.172');
    const warned = (more: Partial<ClaimInput> = {}, time = '2024-03-01') =>
      judge(
        investigation([
          claim('c1', 'a', '2024', { assertion_time: '2024-01-01' }),
          claim('c2', 'a', '2023', { assertion_time: '2024-02-01', supersedes_claim_id: 'c1' }),
          claim('c3', 'a', '2024', { assertion_time: time, ...more }),
        ]),
      ).warnings.filter((warning) => warning.includes('came back'));
    expect(warned()).toEqual([
      'Claim `c3` repeats `c1`, which `c2` of the same actor supersedes, and so changes nothing; if the actor came back to it, name `c2` in supersedes_claim_id of `c3`.',
    ]);
    expect(warned({}, '2024-01-15')).toEqual([]);
    expect(warned({ supersedes_claim_id: 'c2' })).toEqual([]);
  });

  it('cautions name the claim of another source that a dropped repetition was to supersede', () => {
    covers('RM-2.35');
    const claims = [
      claim('c1', 'a', '2024', { assertion_time: '2024-01-01' }),
      claim('c2', 'b', '2023', { assertion_time: '2024-02-01' }),
      claim('c3', 'a', '2024', { assertion_time: '2024-03-01', supersedes_claim_id: 'c2' }),
    ];
    expect(judge(investigation(claims)).warnings).toContain(
      'Claim `c3` supersedes `c2`, which counts for nothing as `c1` was kept in its place; name `c2` in supersedes_claim_id of `c1`.',
    );
  });

  it('a source that says another number later is named with the field that makes it an update', () => {
    covers('RM-11.68');
    const toll = (more: Partial<ClaimInput> = {}) =>
      judge(
        investigation([
          claim('c1', 'a', '12', { assertion_time: '2024-01-01' }),
          claim('c2', 'a', '15', { assertion_time: '2024-01-02', ...more }),
        ]),
      ).warnings.filter((warning) => warning.includes('contradicts itself'));
    expect(toll()).toEqual([
      'The source `a` contradicts itself on `colour` of `s1` at different times (claims `c1`, `c2`), and each of these claims weighs less; name in supersedes_claim_id which claim replaces which, if it is an update.',
    ]);
    expect(toll({ supersedes_claim_id: 'c1' })).toEqual([]);
    expect(toll({ scope: 'north' })).toEqual([]);
    expect(toll({ value: '12.1' })).toEqual([]);
  });
});

describe('cautions about evidence against corrected claims', () => {
  const lapsed = (...more: readonly ClaimInput[]) =>
    judge({
      ...investigation([claim('old', 'a', 'no'), ...more]),
      evidence: ['e1', 'e2'].map((id) => ({
        id,
        claim_id: 'old',
        content: '',
        valence: 'Refutes',
        weight: 3,
      })),
    }).warnings.filter((warning) => warning.includes('counts for nothing now'));
  const corrected = (value: string, scope?: string) =>
    claim('new', 'a', value, { supersedes_claim_id: 'old', ...(scope && { scope }) });

  it('cautions name the evidence against a claim that its source corrects to what it says nothing about', () => {
    covers('RM-11.413');
    const expected = [
      'The evidence against `old` (`e1`, `e2`) counts for nothing now, because its source has corrected the claim and nothing else that is said agrees with it or is its contrary; state what the evidence shows as a claim of its own, if the question needs it.',
    ];
    expect(lapsed(corrected('no comment'))).toEqual(expected);
    expect(lapsed(corrected('no', 'north'))).toEqual(expected);
  });

  it('no caution is given of evidence against a corrected claim that still counts, or that meets a near answer', () => {
    covers('RM-11.413');
    expect(lapsed()).toEqual([]);
    expect(lapsed(corrected('yes'))).toEqual([]);
    expect(lapsed(corrected('no comment'), claim('c', 'b', 'no'))).toEqual([]);
    expect(lapsed(corrected('no'), claim('c', 'b', 'yes'))).toEqual([]);
  });
});

const warnedOfOneQuestion = (said: readonly (readonly string[])[]) =>
  judge(
    investigation(
      said.map(([predicate, value], index) =>
        claim(`c${index}`, index === 0 ? 'a' : 'b', value!, { predicate: predicate! }),
      ),
    ),
  ).warnings.filter((warning) => warning.includes('one question'));

describe('cautions', () => {
  it.each([
    [
      ['deaths', '12'],
      ['death_toll', '14'],
    ],
    [
      ['deaths', '12'],
      ['number_of_deaths', 'about 14'],
    ],
    [
      ['deaths_total', '12'],
      ['death-count', '14'],
    ],
    [
      ['total_area', '12 km²'],
      ['area', '14 km²'],
    ],
  ])(
    'predicates of numbers that count the same are suggested to be one question, as %j and %j',
    (one, other) => {
      covers('INV-V.105');
      const names = [one[0], other[0]].toSorted();
      expect(warnedOfOneQuestion([one, other])).toEqual([
        `The predicates \`${names[0]}\` and \`${names[1]}\` of \`s1\` may be one question and are judged apart; give their claims one predicate if they are.`,
      ]);
    },
  );

  it.each([
    [
      ['birth_date', '1 May 1900'],
      ['death_date', '2 May 1950'],
    ],
    [
      ['population_2010', '12'],
      ['population_2020', '14'],
    ],
    [
      ['deaths', '12'],
      ['injured', '14'],
    ],
    [
      ['deaths', '12'],
      ['Deaths', '14'],
    ],
    [
      ['deaths', '12'],
      ['death_toll', 'unknown'],
    ],
    [
      ['total', '12'],
      ['number_of', '14'],
    ],
    [
      ['gas', '12 m³'],
      ['ga', '14'],
    ],
    [
      ['glass_total', '12'],
      ['glas', '14'],
    ],
  ])(
    'predicates that ask for different things are not taken for one question, as %j and %j',
    (one, other) => {
      covers('INV-V.105');
      expect(warnedOfOneQuestion([one, other])).toEqual([]);
    },
  );

  it('cautions name two predicates that differ only in case or white space', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([
        claim('c1', 'a', 'red', { predicate: 'p' }),
        claim('c2', 'b', 'red', { predicate: 'P ' }),
      ]),
    );
    expect(warnings).toEqual([expect.stringMatching(/`P ` and `p` differ only in case/)]);
  });

  it('cautions name two scopes that differ only in case', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([claim('c1', 'a', 'red', { scope: 'EU' }), claim('c2', 'b', 'red', { scope: 'eu' })]),
    );
    expect(warnings).toEqual([expect.stringMatching(/scopes `EU` and `eu`/)]);
  });

  it('cautions name a claim that refines itself, and one that supersedes what was asserted later', () => {
    covers('RM-11.39');
    const { warnings } = judge(
      investigation([
        claim('c1', 'a', 'red', { relationships: [{ relationship_type: 'refines', target_claim_id: 'c1' }] }),
        claim('c2', 'b', 'blue', { predicate: 'p', assertion_time: '2025-12-30', supersedes_claim_id: 'c3' }),
        claim('c3', 'c', 'green', { predicate: 'p', assertion_time: '2025-12-31' }),
      ]),
    );
    expect(warnings).toEqual([
      'Claim `c1` refines itself; this has no effect.',
      expect.stringMatching(/^Claim `c2` supersedes `c3`, which was asserted later; /),
    ]);
  });

  it.each([
    ['predicate', 'open', 'op\u200ben'],
    ['scope', undefined, ' '],
  ])('cautions name two forms of a %s that look alike', (field, one, other) => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([claim('c1', 'a', 'red', { [field]: one }), claim('c2', 'b', 'red', { [field]: other })]),
    );
    expect(warnings).toEqual([
      expect.stringMatching(/differ only in .* that look alike, and are kept apart/),
    ]);
  });

  it('cautions name two sources of one name and type that both speak, unless one repeats the other', () => {
    covers('RM-11.180');
    const warned = (
      more: Parameters<typeof actor>[1],
      claims = [claim('c1', 'a', 'red'), claim('c2', 'b', 'red')],
    ) =>
      judge(
        investigation(claims, {
          actors: [actor('a', { name: 'The Daily' }), actor('b', { name: 'the  daily', ...more })],
        }),
      ).warnings.filter((warning) => warning.includes('one name'));
    expect(warned({})).toEqual([
      'The sources `a` and `b` have one name, `The Daily` or `the  daily`, and one type, and count as two independent sources; give their claims one actor_id if they are the same.',
    ]);
    expect(warned({ source_type: 'Journalist' })).toEqual([]);
    expect(warned({ depends_on: ['a'] })).toEqual([]);
    expect(warned({}, [claim('c1', 'a', 'red')])).toEqual([]);
    expect(warned({ name: 'The Daily' })).toEqual([expect.stringContaining('one name, `The Daily`, and')]);
  });

  it.each([
    ['a chain of others', { depends_on: ['c'] }, { depends_on: ['a'] }],
    ['one that both repeat', { depends_on: ['c'] }, {}],
  ])('two sources of one name that %s makes one voice are not warned of', (_, b, c) => {
    covers('RM-11.180');
    const actors = [
      actor('a', { name: 'The Daily', ...('depends_on' in c ? {} : { depends_on: ['c'] }) }),
      actor('b', { name: 'The Daily', ...b }),
      actor('c', { name: 'Wire', ...c }),
    ];
    const { warnings } = judge(investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'red')], { actors }));
    expect(warnings.filter((warning) => warning.includes('one name'))).toEqual([]);
  });

  it('cautions name two sources, and two predicates, that differ as ß and SS do', () => {
    covers('RM-11.180', 'RM-11.10');
    const { warnings } = judge(
      investigation(
        [claim('c1', 'a', 'red', { predicate: 'Straße' }), claim('c2', 'b', 'red', { predicate: 'STRASSE' })],
        { actors: [actor('a', { name: 'Straßenbahn' }), actor('b', { name: 'STRASSENBAHN' })] },
      ),
    );
    expect(warnings).toEqual([
      expect.stringContaining('`STRASSE` and `Straße` differ only in case'),
      expect.stringContaining('`Straßenbahn` or `STRASSENBAHN`'),
    ]);
  });

  it('cautions name two actors whose ids look alike, and not those that differ in case', () => {
    covers('RM-11.10');
    const ids = ['\u00e9', 'e\u0301', 'A-1', 'a1'];
    const actors = ids.map((id) => actor(id));
    const { warnings } = judge(investigation([claim('c1', 'a1', 'red')], { actors }));
    expect(warnings).toEqual([expect.stringMatching(/^The actors `e\u0301` and `\u00e9` differ only/)]);
  });

  it.each([
    ['yes', 'Yes.'],
    ['Paris', '“Paris”'],
    ['e-mail', 'email'],
    ['co-operate', 'co\u2011operate'],
  ])('cautions name the values %j and %j, which contradict each other by punctuation alone', (a, b) => {
    covers('RM-11.46');
    const warningsOf = (...values: string[]) =>
      judge(investigation(values.map((value, i) => claim(`c${i}`, 'abc'[i]!, value)))).warnings;
    expect(warningsOf(a, b)).toEqual([
      expect.stringMatching(/^The values .* differ only in case, white space, punctuation/),
    ]);
    expect(warningsOf(a, 'else')).toEqual([]);
    expect(warningsOf('-5', '5')).toEqual([]);
    const denied = [claim('c1', 'a', 'yes'), claim('c2', 'b', 'yes', { valence: 'Refutes' })];
    expect(judge(investigation(denied)).warnings.join()).not.toContain('differ only');
  });

  it('cautions name a competence that matches no predicate, and the predicate that is nearest', () => {
    covers('RM-11.10', 'RM-11.145');
    const actors = [actor('a', { competence: { Colour: 0.5 } })];
    const { warnings } = judge(investigation([claim('c1', 'a', 'red')], { actors }));
    expect(warnings).toEqual([
      expect.stringMatching(/for `Colour` matches no predicate; `colour` is nearest/),
    ]);
  });

  it('cautions count the competences of one actor that match no predicate where they are many', () => {
    covers('RM-11.10', 'RM-11.145');
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 0.5]));
    const warningsOf = (count: number) => {
      const actors = [actor('a', { competence: { color: 0.5, ...named(count) } })];
      return judge(investigation([claim('c1', 'a', 'red', { predicate: 'color' })], { actors })).warnings;
    };
    expect(warningsOf(50)).toHaveLength(50);
    expect(warningsOf(51)).toEqual([
      'Competence of `a` matches no predicate for 51 of 52 names; it has no effect there.',
    ]);
  });

  it('cautions name a leading value that no accepted claim holds, unless the verdict denies it', () => {
    covers('RM-11.10', 'RM-11.129');
    const { warnings, subject_results } = judge(
      investigation([
        claim('c1', 'a', 'red', { assertion_time: '2026-01-01' }),
        claim('c2', 'b', 'blue', { assertion_time: '2025-12-30' }),
        claim('c3', 'c', 'elsewhere', {
          scope: 'x',
          decay_half_life_days: 1,
          assertion_time: '2025-12-31T00:00:00Z',
        }),
      ]),
    );
    expect(subject_results[0]!.leading_value).toBe('red');
    expect(warnings).toEqual([expect.stringMatching(/`red` .* is held by no accepted claim/)]);
  });

  it('cautions count the claims without a time where the question has dated claims', () => {
    covers('RM-11.16', 'RM-11.133');
    const dated = { assertion_time: '2025-12-31', decay_half_life_days: 100 };
    const { warnings, claim_analyses } = judge(
      investigation([
        claim('c1', 'a', 'red', dated),
        claim('c2', 'b', 'red'),
        claim('c3', 'c', 'red'),
        claim('c4', 'd', 'red', { epistemic_status: 'retracted' }),
        claim('c5', 'd', 'red', { predicate: 'shade' }),
      ]),
    );
    expect(claim_analyses[1]!.temporal_decay_factor).toBe(1);
    expect(warnings).toEqual([expect.stringMatching(/^2 claims have no assertion_time .* same question do/)]);
  });

  it.each([undefined, '2026-01-01T00:00:00Z', '2030'])(
    'cautions name a claim from the future, which counts as made now (as_of %p)',
    (as_of) => {
      covers('RM-11.17', 'RM-11.134');
      const of = (assertion_time: string) =>
        judge(investigation([claim('c1', 'a', 'red', { assertion_time })], { as_of }));
      const future = of('9999-01-01T00:00:00Z');
      expect(future.warnings).toEqual([
        expect.stringMatching(/9999-01-01T00:00:00Z of claim `c1` lies in the future/),
      ]);
      expect(future.claim_analyses[0]!.decay_origin).toBe('2026-01-01T00:00:00.000Z');
      if (as_of !== '2026-01-01T00:00:00Z') expect(of('2026-01-02T00:00:00Z').warnings).toEqual([]);
      expect(of('2026-01-02T00:00:00.001Z').warnings).toHaveLength(1);
    },
  );

  it('cautions state how much of a question age has left, and the remedies', () => {
    covers('RM-11.18', 'RM-11.135');
    const claims = [
      claim('c1', 'a', 'red', { assertion_time: '2020' }),
      claim('c2', 'b', 'red', { assertion_time: '2019-05' }),
      claim('c3', 'c', 'red', { assertion_time: '2025-12-30', predicate: 'shade' }),
    ];
    expect(judge(investigation(claims)).warnings).toEqual([
      expect.stringMatching(
        /^Age has left \d+ % of .* `colour` of `s1`; 2 of them .* as_of .* decay_half_life_days/,
      ),
    ]);
    expect(judge(investigation(claims, { decay_half_life_days: 10_000 })).warnings).toEqual([]);
    expect(judge(investigation(claims, { as_of: '2020-02' })).warnings).toEqual([
      expect.stringContaining('`c3` was asserted after'),
    ]);
  });

  it.each(['2024', '2024-01', '2024-01-01'])(
    'none for the plain date %p, which is its first instant',
    (date) => {
      covers('RM-11.19', 'RM-11.136', 'RM-11.168');
      const of = (time: string) =>
        judge(
          investigation(
            [
              claim('c1', 'a', 'red', {
                assertion_time: time,
                corroboration_events: [{ time, actor_id: 'b' }],
              }),
            ],
            { as_of: time, domain: 'Science' },
          ),
        );
      expect(of(date)).toEqual(of('2024-01-01T00:00:00.000Z'));
      expect(of(date).warnings).toEqual([]);
    },
  );

  it('cautions and the rest of the result are the same for any order of claims with any times', () => {
    covers('RM-9.4', 'RM-11.16', 'RM-11.17', 'RM-11.18');
    const time = fc.constantFrom(undefined, '2019', '2024-05', '2025-12-30', '2026-01-01T12:00:00Z', '9999');
    const given = fc.array(fc.tuple(fc.constantFrom(...'abcde'), time), { minLength: 1, maxLength: 8 });
    const asOf = fc.constantFrom(undefined, '2024', '2025-12-31', '2030');
    fc.assert(
      fc.property(given, asOf, fc.infiniteStream(fc.nat()), (rows, as_of, random) => {
        const claims = rows.map(([by, assertion_time], i) => claim(`c${i}`, by, 'red', { assertion_time }));
        const keys = new Map(claims.map((one) => [one, random.next().value as number]));
        const shuffled = claims.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
        expect(JSON.stringify(judge(investigation(shuffled, { as_of })))).toBe(
          JSON.stringify(judge(investigation(claims, { as_of }))),
        );
      }),
    );
  });

  it('cautions do not mention names that differ in letters', () => {
    covers('RM-11.10');
    const { warnings } = judge(
      investigation([
        claim('c1', 'a', 'red', { predicate: 'p1' }),
        claim('c2', 'b', 'red', { predicate: 'p2' }),
      ]),
    );
    expect(warnings).toEqual([]);
  });
});
