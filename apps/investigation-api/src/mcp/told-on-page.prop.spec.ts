import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  auditClaims,
  explain,
  explainAll,
  summarizeResult,
  withoutDistinctions,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { answerText } from '@platform/viewer';
import fc from 'fast-check';
import { toldExplanation } from '../engine/told-explanation.ts';
import { essentialsOf } from './compact-response.ts';
import { explanationText } from './explanation-text.ts';
import { summarizeVerdict } from './verdict-summary.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-11-29T10:00:00Z');

interface Said {
  readonly source: string;
  readonly value: string;
  readonly denies?: boolean;
  readonly type?: string;
  readonly place?: object;
}

const investigation = (
  said: readonly Said[],
  more: Partial<InvestigationInput> = {},
): InvestigationInput => ({
  research_question: 'Which firm holds the license?',
  actors: [...new Map(said.map((one) => [one.source, one])).values()].map(
    ({ source, type = 'Journalist' }) => ({
      id: source,
      name: source,
      source_type: type,
    }),
  ),
  subjects: [{ id: 's', name: 'Wind park', subject_type: 'project' }],
  claims: said.map(({ source, value, denies, place }, i) => ({
    id: `c${i}`,
    actor_id: source,
    subject_id: 's',
    predicate: 'license_holder',
    value,
    content: '',
    ...(denies && { valence: 'Refutes' }),
    ...place,
  })),
  ...more,
});

/** What is told of the only question: on the page, and by tools in text and data. */
function toldOf(input: InvestigationInput) {
  const result = analyze(input, { now: NOW }) as InvestigationResult;
  const explanation = explain(input, { now: NOW, subject_id: 's', predicate: 'license_holder' })!;
  const explained = toldExplanation(explanation, input, result) as { unrelated_claim_ids: string[] };
  const judged = {
    input,
    result,
    explanations: explainAll(input, { now: NOW }),
    claim_audits: auditClaims(input, { now: NOW }),
    without_distinctions: withoutDistinctions(input, { now: NOW }),
  };
  const { answer, findings } = answerText(judged as unknown as Parameters<typeof answerText>[0]);
  const essentials = essentialsOf(result);
  return {
    page: [...answer, ...findings].join(' '),
    digests: [result, summarizeResult(result)].map((shown) =>
      summarizeVerdict(shown as Parameters<typeof summarizeVerdict>[0]),
    ),
    explained: explanationText({
      judged_at: NOW.toISOString(),
      explanation: explained,
    } as unknown as Parameters<typeof explanationText>[0]),
    unrelated: explained.unrelated_claim_ids,
    data: JSON.stringify(essentials),
    synthesis: summarizeResult(result).synthesis,
  };
}
const BOTH_SIDES = 'On no question is there evidence both for and against';

describe('denials of other scopes and times in the texts of tools', () => {
  const byScope = [
    { source: 'Gazette', value: 'Norda', place: { scope: 'phase 1' } },
    { source: 'Ministry', value: 'Norda', place: { scope: 'phase 1' } },
    { source: 'Ministry', value: 'Norda', denies: true, place: { scope: 'phase 2' } },
    { source: 'Auditor', value: 'Norda', denies: true, place: { scope: 'phase 2' } },
  ];
  const years = { event_start_time: '2015', event_end_time: '2020' };
  const byTime = [
    { source: 'Club', value: 'Norda', place: years },
    { source: 'Post', value: 'Norda', place: years },
    { source: 'Norda', value: 'Norda', denies: true, place: { event_start_time: '2020' } },
  ];
  it.each([
    [byScope, 'two sources deny Norda (in phase 2)', ['c2', 'c3']],
    [byTime, 'one source denies Norda (from 2020 on)', ['c2']],
  ])('a denial that the page tells is told by judge and explain, case %#', (said, words, claims) => {
    covers('INV-T.60', 'INV-T.61');
    const { page, digests, explained, unrelated, data } = toldOf(investigation(said));
    for (const text of [page, ...digests]) expect(text).toContain(words);
    expect(explained).toContain(`${words} (${claims.join(', ')}).`);
    expect(unrelated).not.toEqual(expect.arrayContaining(claims));
    expect(data).toContain(`"denials":[{"value":"Norda",`);
  });

  it('tools do not say that no evidence is both for and against beside a denial or rivals of another scope', () => {
    covers('INV-T.62');
    const apart = [
      { source: 'A', value: 'Norda', type: 'Regulator' },
      { source: 'B', value: 'Norda', type: 'Regulator' },
      { source: 'C', value: 'Vest', place: { scope: 'phase 2' }, type: 'Expert' },
      { source: 'D', value: 'Sund', place: { scope: 'phase 2' } },
    ];
    for (const said of [byScope, byTime, apart]) {
      const { digests, synthesis } = toldOf(investigation(said));
      for (const text of [...digests, synthesis]) expect(text).not.toContain(BOTH_SIDES);
    }
    expect(toldOf(investigation(apart)).synthesis).toContain(
      'On 1 of 1 questions there is evidence both for and against.',
    );
    expect(toldOf(investigation(apart.slice(0, 3))).synthesis).toContain(BOTH_SIDES);
  });
});

describe('an answer beside yes and no', () => {
  it.each([
    ['partly', 'others say partly 28 %'],
    ['no comment', 'others say no comment 28 %'],
  ])('%s beside a no is told by tools, and as evidence for something else', (value, words) => {
    covers('INV-Q.112', 'RM-11.421');
    const said = ['false', 'false', value].map((one, i) => ({ source: `S${i}`, value: one }));
    const { page, digests, synthesis } = toldOf(investigation(said));
    expect(page).toContain(`says ${value}`);
    for (const text of digests) expect(text).toContain(words);
    for (const text of [digests[1], synthesis]) expect(text).toContain('On 1 of 1 questions');
  });
});

describe('denials of a value that nobody states', () => {
  const said = [
    { source: 'Linguist', value: 'Ms Gray', denies: true, type: 'Expert' },
    { source: 'Police', value: 'Ms Gray', denies: true, type: 'Regulator' },
    { source: 'Gazette', value: 'Mr Hall' },
  ];
  it('page and tools tell them with how many sources deny it', () => {
    covers('INV-V.247', 'INV-T.60', 'INV-T.61');
    const { page, digests, explained, unrelated, synthesis } = toldOf(investigation(said));
    expect(page).toContain('One source says so. Two sources deny Ms Gray.');
    for (const text of digests) expect(text).toContain('; two sources deny Ms Gray');
    expect(explained).toContain('Denied, and said by nobody: two sources deny Ms Gray (c0, c1).');
    expect(unrelated).toEqual([]);
    expect(synthesis).not.toContain(BOTH_SIDES);
  });

  it('a value that somebody states, however weakly, is a rival and no such denial', () => {
    covers('INV-V.247');
    const { page, explained } = toldOf(
      investigation([...said, { source: 'Tip', value: 'Ms Gray', type: 'Anonymous' }]),
    );
    expect(page).not.toContain('deny Ms Gray');
    expect(explained).toMatch(/Rival values: Ms Gray/);
  });

  it('what refutes such a denial is told behind it, and values beyond three are counted', () => {
    covers('INV-V.248');
    const evidence = [
      { id: 'e', claim_id: 'c0', content: 'A record', valence: 'Refutes' as const, weight: 1 },
    ];
    expect(toldOf(investigation(said, { evidence })).page).toContain(
      'Two sources deny Ms Gray, which one item of evidence refutes.',
    );
    const many = ['Abel', 'Bell', 'Cole', 'Dunn', 'Eads'].map((value) => ({
      source: `no ${value}`,
      value,
      denies: true,
    }));
    const { page, digests } = toldOf(investigation([...many, { source: 'Gazette', value: 'Mr Hall' }]));
    for (const text of [page, ...digests])
      expect(text).toMatch(/one source denies Cole; two more are denied/);
  });
});

describe('estimates of numbers', () => {
  const numbers = (...values: readonly string[]) =>
    investigation(
      values.map((value, i) => ({ source: `Source ${i}`, value })),
      { numeric: 'estimate' },
    );
  it('page and tools tell the value in the middle with its interval', () => {
    covers('INV-V.249', 'INV-T.63');
    const few = 'n the middle: 62,000 (90 % interval 40,000 to 150,000)';
    const { page, digests, explained } = toldOf(numbers('40,000', '55,000', '62,000', '70,000', '150,000'));
    for (const text of [page, ...digests, explained.split('\n')[0]]) expect(text).toContain(few);
    const more = toldOf(
      numbers('9 km', '10 km', '11 km', '12 km', '13 km', '14 km', '15 km', '16 km', '17 km'),
    );
    for (const text of [more.page, ...more.digests])
      expect(text).toMatch(/n the middle, by kilometre: 13 \(90 % interval \d+ to \d+\)/);
    expect(toldOf(numbers('7', '7', '9')).page).toContain('In the middle: 7 (all from 7 to 9).');
    expect(toldOf(numbers('7', '7')).page).toContain('In the middle: 7.');
  });
});

describe('what is superseded', () => {
  const by = (source: string, value: string, type: string, of: readonly number[]) => ({
    source,
    value,
    type,
    place: {
      relationships: of.map((i) => ({ relationship_type: 'supersedes', target_claim_id: `c${i}` })),
    },
  });
  const paper = (source: string, value: string) => ({ source, value });
  it.each([
    [
      [paper('Log', '14'), by('Admiral', '19', 'Regulator', [0])],
      'what Log said is superseded',
      '1 source for, 0',
    ],
    [
      [paper('Daily', 'arson'), paper('Post', 'arson'), by('Inquiry', 'wiring', 'Regulator', [0, 1])],
      'what Daily and one other said is superseded',
      '1 source for, 0',
    ],
    [
      [paper('A', '31'), paper('B', '31'), paper('C', '31'), by('Coroner', '27', 'Regulator', [0, 1, 2])],
      'what A and two others said is superseded',
      '1 source for, 0',
    ],
    [
      [paper('A', 'true'), paper('B', 'true'), by('Coroner', 'false', 'Regulator', [0, 1])],
      'what A and one other said is superseded',
      '0 sources for, 1',
    ],
  ])('tools tell it as the page does, and not as evidence against, case %#', (said, words, sides) => {
    covers('INV-T.70');
    const { page, digests, data, synthesis } = toldOf(investigation(said));
    for (const text of [page, ...digests, synthesis]) expect(text).toContain(words);
    for (const text of digests) expect(text).toContain(`${sides} against`);
    for (const text of [...digests, synthesis, data]) {
      expect(text).not.toMatch(/On \d+ of \d+ questions|on both sides/);
      expect(text).not.toContain('more speaks against it');
    }
    expect(data).toContain('"superseded":{');
  });

  it('beside other evidence against, both are told', () => {
    covers('INV-T.70');
    const { page, digests, synthesis } = toldOf(
      investigation([paper('Log', '14'), by('Admiral', '19', 'Regulator', [0]), paper('Port', '23')]),
    );
    for (const text of [page, ...digests]) expect(text).toContain('what Log said is superseded');
    for (const text of digests) expect(text).toContain('1 source for, 1 against');
    expect(synthesis).toContain('On 1 of 1 questions there is evidence both for and against.');
  });

  const tvAndCopies = (copies: readonly string[], ...rest: readonly ReturnType<typeof by>[]) => ({
    ...investigation([paper('TV One', '14'), ...copies.map((name) => paper(name, '14')), ...rest]),
    actors: [
      { id: 'TV One', name: 'TV One', source_type: 'Journalist' },
      ...copies.map((name) => ({ id: name, name, source_type: 'Journalist', depends_on: ['TV One'] })),
      ...rest.map(({ source, type }) => ({ id: source, name: source, source_type: type })),
    ],
  });
  it.each([[['Post']], [['Mail', 'Post']], [['Mail', 'Post', 'Radio']]])(
    'copies of a superseded claim are superseded with it, %j',
    (copies) => {
      covers('INV-T.74');
      const { page, digests, synthesis, data } = toldOf(
        tvAndCopies(copies, by('Coroner', '29', 'Regulator', [0])),
      );
      const words = ['one other', 'two others', 'three others'][copies.length - 1]!;
      for (const text of [page, ...digests, synthesis])
        expect(text).toContain(`what TV One and ${words} said is superseded`);
      for (const text of digests) expect(text).toContain('1 source for, 0 against');
      for (const text of [digests[1], synthesis]) expect(text).toContain(BOTH_SIDES);
      expect(data).toContain('"is_all":true');
    },
  );

  it.each([
    ['29', { denies: true }, '0 sources for, 1 against'],
    ['29', {}, '1 source for, 0 against'],
  ])('superseding by %s %j is told', (value, how, sides) => {
    covers('INV-T.74');
    const { page, digests, synthesis } = toldOf(
      investigation([paper('Log', '29'), { ...by('Coroner', value, 'Regulator', [0]), ...how }]),
    );
    for (const text of [page, ...digests, synthesis]) expect(text).toContain('what Log said is superseded');
    for (const text of digests) expect(text).toContain(sides);
    for (const text of [digests[1], synthesis]) expect(text).toContain(BOTH_SIDES);
  });

  it('page, tools and data tell the same sources as superseded', () => {
    covers('INV-T.70', 'INV-T.74');
    const claimOf = (...values: readonly string[]) =>
      fc.record({
        source: fc.constantFrom('Gazette', 'Post', 'Ministry', 'Auditor', 'Tip', 'Club'),
        value: fc.constantFrom(...values),
        denies: fc.constantFrom(false, false, false, true),
        type: fc.constantFrom('Journalist', 'Regulator', 'Anonymous'),
        of: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
      });
    const listOf = (...values: readonly string[]) =>
      fc.array(claimOf(...values), { minLength: 2, maxLength: 7 });
    const lists = fc.oneof(
      listOf('Norda', 'Vest', 'Sund'),
      listOf('true', 'false'),
      listOf('true', 'false', 'partly'),
    );
    let seen = 0;
    fc.assert(
      fc.property(lists, fc.boolean(), (list, isCopying) => {
        const said = list.map(({ of, denies, ...one }, i) => ({
          ...by(
            one.source,
            one.value,
            one.type,
            of.filter((other) => other < i),
          ),
          denies,
        }));
        const input = investigation(said);
        const actors = input.actors.map((actor) =>
          isCopying && actor.id === 'Post' && input.actors.some(({ id }) => id === 'Gazette')
            ? { ...actor, depends_on: ['Gazette'] }
            : actor,
        );
        const { page, digests, synthesis, data } = toldOf({ ...input, actors });
        const words = (text: string) => /what [^;]*? said is superseded/.exec(text)?.[0];
        const told = words(page);
        if (told) seen += 1;
        expect([said, digests.map(words), words(synthesis)]).toEqual([said, [told, told], told]);
        expect(data.includes('"superseded":{')).toBe(told !== undefined);
      }),
      { numRuns: soak(300) },
    );
    expect(seen).toBeGreaterThan(0);
  });
});

it('tools tell every value and denial of any scope that the page tells, or count it', () => {
  covers('INV-T.64');
  const said = fc.record({
    source: fc.constantFrom('Gazette', 'Post', 'Ministry', 'Auditor', 'Tip', 'Club'),
    value: fc.constantFrom('Norda', 'Vest', 'Sund', 'Ostra'),
    denies: fc.boolean(),
    place: fc.constantFrom<object>(
      {},
      {},
      { scope: 'phase 1' },
      { scope: 'phase 2' },
      { event_start_time: '2015', event_end_time: '2020' },
      { event_start_time: '2020' },
    ),
  });
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 9 }), (list) => {
      const { page, digests, explained, unrelated } = toldOf(investigation(list));
      const told = [...page.matchAll(/(?:Norda|Vest|Sund|Ostra)(?: \((?:in|from|until|on) [^)]*\))?/g)].map(
        ([one]) => one,
      );
      const denials = [...page.matchAll(/\w+ sources? den(?:y|ies) \w+(?: \([^)]*\))?/gi)].map(
        ([one]) => one,
      );
      for (const text of [...digests, explained]) {
        const isCounted = /and \d+ more|more are denied/.test(text);
        for (const value of new Set(told))
          expect([list, page, text, value, isCounted || saysIt(text, value)]).toEqual([
            list,
            page,
            text,
            value,
            true,
          ]);
        for (const denial of denials)
          expect([list, page, text, denial, isCounted || deniesIt(text, denial)]).toEqual([
            list,
            page,
            text,
            denial,
            true,
          ]);
      }
      expect(
        unrelated.filter((id) => list[Number(id.slice(1))]!.denies && explained.includes(`(${id}`)),
      ).toEqual([]);
    }),
    { numRuns: soak(300) },
  );
});

/** `Norda (in phase 2)` may be `Norda (only denied) (in phase 2)` or `Norda (in phase 2: 41 %)`. */
const saysIt = (text: string, value: string) =>
  text.replaceAll(/ \((?:only )?denied\)/g, '').includes(value.replace(/\)$/, ''));
/** Who denies is told, or the value with its chance as denied. */
const deniesIt = (text: string, denial: string) =>
  text.toLowerCase().includes(denial.toLowerCase()) ||
  (/denied/.test(text) && saysIt(text, denial.replace(/^.* den(?:y|ies) /i, '')));
