import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { cardOf } from '../../card/card.ts';
import { renderEmbedPage } from '../../page/embed-page.tsx';
import { createModel } from '../../model.ts';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { withdrawnStatus } from '../../format/words.ts';
import { answerOf } from './answer.ts';
import { sidesOf } from './sides.ts';

fc.configureGlobal({ seed: SEED });

type Said = readonly [source: string, value: string, more?: Readonly<Record<string, unknown>>];

/** Claims on one question, named c0, c1, …; `on` makes one a claim about the claim of that name. */
function judged(
  said: readonly Said[],
  predicate: string,
  evidence: readonly object[] = [],
  actorOf: (name: string) => object = () => ({}),
) {
  const names = [...new Set(said.map(([name]) => name))];
  const input = {
    research_question: 'What happened?',
    actors: names.map((name) => ({ id: name, name, source_type: 'Expert', ...actorOf(name) })),
    subjects: [{ id: 's', name: 'Whitehead', subject_type: 'person' }],
    claims: said.map(([source, value, { on, ...more } = {}], i) => ({
      id: `c${i}`,
      actor_id: source,
      predicate: on ? 'accuracy' : predicate,
      value,
      content: `${source}: ${value}`,
      ...(on ? { target_claim_id: on } : { subject_id: 's' }),
      ...more,
    })),
    evidence,
  };
  return snapshotOf(input as never);
}

const told = (snapshot: ReturnType<typeof snapshotOf>) => {
  const { headline, chance, sources } = answerOf(createModel(snapshot))!;
  return { headline: textOf(headline), chance, sources: textOf(sources) };
};

const HERALD: Said = ['Herald', 'true'];
const REFUTES = { on: 'c0', valence: 'Refutes' };
const SUPPORTS = { on: 'c0', valence: 'Supports' };
const ITEM = { id: 'e', claim_id: 'c0', content: 'No trace', valence: 'Refutes', weight: 1 };
const assets = { styles: '', early: '', main: '', embed: '' };
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('who speaks for and against a verdict', () => {
  it.each([
    [
      'a refutation',
      [HERALD, ['Historian', 'false', REFUTES]],
      'One source says so; Historian disputes it.',
      '1 for',
      '1 against',
    ],
    [
      'two refutations',
      [HERALD, ['Historian', 'false', REFUTES], ['Curator', 'false', REFUTES]],
      'Historian and one other dispute it; Herald says it is.',
      '1 for',
      '2 against',
    ],
    [
      'a support',
      [HERALD, ['Historian', 'true', SUPPORTS]],
      'One source says so, and Historian supports it.',
      '2 for',
      '0 against',
    ],
  ] as const)(
    '%s of a claim is counted with its source in line one and on the card',
    (_, said, line, ours, theirs) => {
      covers('INV-V.97', 'INV-V.98');
      const snapshot = judged(said, 'flew');
      expect(told(snapshot).sources.replace('Curator and one other', 'Historian and one other')).toBe(line);
      const page = wordsOf(renderSharePage(snapshot, { assets }));
      const embed = wordsOf(renderEmbedPage(snapshot, assets));
      for (const text of [page, embed])
        expect([text.includes(ours), text.includes(theirs)]).toEqual([true, true]);
      expect(page).not.toMatch(/single source[^s]* disputed/);
      expect(page.includes('Evidence: weak. 0 against single source')).toBe(false);
    },
  );

  const CRASH: readonly Said[] = [
    ['Herald', 'true'],
    ['Times', 'true'],
    ['Historian', 'false'],
  ];
  it.each([
    [
      'a dispute of what is said against it',
      [...CRASH, ['Curator', 'false', { on: 'c2', valence: 'Refutes' }]],
      'Two independent sources say so; Historian says it is not so; Curator disputes what Historian says.',
      ['2 for', '1 against, disputed by 1'],
      [2, 1],
    ],
    [
      'a support of what is said against it',
      [...CRASH, ['Curator', 'true', { on: 'c2', valence: 'Supports' }]],
      'Two independent sources say so; Historian says it is not so; Curator supports what Historian says.',
      ['2 for', '2 against'],
      [2, 2],
    ],
    [
      'a dispute of a claim about a claim',
      [
        HERALD,
        ['Times', 'true'],
        ['Historian', 'false', REFUTES],
        ['Curator', 'no', { on: 'c2', valence: 'Refutes' }],
      ],
      'Two independent sources say so; Historian disputes it; Curator disputes what Historian says.',
      ['2 for', '1 against, disputed by 1'],
      [2, 1],
    ],
  ] as const)('%s is counted and told with who disputes whom', (_, said, line, badges, counts) => {
    covers('INV-V.110', 'RM-11.193');
    const snapshot = judged(said, 'flew');
    expect(told(snapshot).sources).toBe(line);
    const { supporting_source_count: ours, opposing_source_count: theirs } = (
      snapshot.result as InvestigationResult
    ).subject_results[0]!;
    expect([ours, theirs]).toEqual(counts);
    for (const html of [renderSharePage(snapshot, { assets }), renderEmbedPage(snapshot, assets)])
      for (const badge of badges) expect(wordsOf(html)).toContain(badge);
  });

  it('a no that is tied with another answer than yes is open, as its headline says', () => {
    covers('INV-V.225');
    for (const other of ['partly', 'no comment']) {
      const snapshot = judged(
        [
          ['Herald', 'no'],
          ['Times', other],
        ],
        'guilty',
      );
      expect(told(snapshot).headline).toContain('undecided');
      const page = wordsOf(renderSharePage(snapshot, { assets }));
      expect(page).toContain('Open. No answer leads. Tied answers: no (42 %)');
      expect(page).not.toContain('False. Opposed');
    }
    // A no that leads another answer is a no.
    const led = judged(
      [
        ['Herald', 'no'],
        ['Curator', 'no'],
        ['Times', 'partly'],
      ],
      'guilty',
    );
    expect(wordsOf(renderSharePage(led, { assets }))).toContain('False. Opposed');
  });

  it('evidence that refutes a claim is told as evidence, and is no source', () => {
    covers('INV-V.99');
    const snapshot = judged([HERALD], 'flew', [ITEM]);
    expect(told(snapshot).sources).toBe(
      'No source says that it is not so, but one item of evidence speaks against it; Herald says it is.',
    );
    expect(wordsOf(renderSharePage(snapshot, { assets }))).toContain('0 against, but 1 item of evidence');
  });

  it('the numbers of sources of both sides are those of the reasons and of the result', () => {
    covers('INV-V.97', 'RM-11.191');
    const says = fc.record({
      who: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      value: fc.constantFrom('true', 'false'),
      on: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      valence: fc.constantFrom('Supports', 'Refutes'),
    });
    fc.assert(
      fc.property(fc.array(says, { minLength: 1, maxLength: 9 }), fc.boolean(), (list, hasItem) => {
        const direct = list.filter(({ on }) => on === undefined);
        const said = [
          HERALD,
          ...list.map(({ who, value, on, valence }): Said => [
            who,
            value,
            on === undefined ? {} : { on: `c${on % (direct.length + 1)}`, valence },
          ]),
        ];
        const ordered = [
          ...said.filter(([, , more]) => !more?.['on']),
          ...said.filter(([, , more]) => more?.['on']),
        ];
        const snapshot = judged(ordered, 'flew', hasItem ? [ITEM] : []);
        const model = createModel(snapshot);
        const verdict = answerOf(model)!.verdict;
        const sides = sidesOf(verdict)!;
        const { supporting_source_count: forIt, opposing_source_count: againstIt } = (
          snapshot.result as InvestigationResult
        ).subject_results[0]!;
        expect([
          sides.for.independent + sides.for.copies,
          sides.against.independent + sides.against.copies,
        ]).toEqual([forIt, againstIt]);
        const line = told(snapshot).sources;
        // Where both sides have a source, the line names both.
        if (forIt > 0 && againstIt > 0) expect(line).toMatch(/;|, though |disputes? it|supports? it/);
        if (againstIt + forIt > 1)
          expect(wordsOf(renderSharePage(snapshot, { assets }))).not.toMatch(
            /for Evidence: \w+\. \d against[^.]{0,30} single source/,
          );
      }),
      { numRuns: soak(60) },
    );
  });
});

describe('a tie', () => {
  const TEAMS = ['Wolves', 'Tigers', 'Lions', 'Bears', 'Foxes', 'Crows', 'Hawks', 'Owls', 'Rams'];
  const final = (values: readonly string[]) =>
    judged(
      values.map((value, i): Said => [`Paper ${i + 1}`, value]),
      'winner',
    );

  it.each([
    [2, 'Tigers or Wolves'],
    [3, 'Lions, Tigers or Wolves'],
    [4, 'Bears, Lions or Tigers, or one more'],
    [5, 'Bears, Foxes or Lions, or one of two more'],
    [6, 'Bears, Crows or Foxes, or one of three more'],
    [9, 'Bears, Crows or Foxes, or another'],
  ])(
    'a tie of %d values names up to three in every place, whatever the order of the claims',
    (count, named) => {
      covers('INV-V.100', 'RM-11.192');
      const values = TEAMS.slice(0, count);
      for (const list of [values, values.toReversed()]) {
        const snapshot = final(list);
        const { headline, chance } = told(snapshot);
        if (count < 9) expect(headline).toBe(`It is undecided whether the winner of Whitehead was ${named}`);
        else
          expect(headline).toMatch(
            /^It is undecided whether the winner of Whitehead was \w+, \w+ or \w+, or one of six more$/,
          );
        expect(chance).toMatch(/^chance \d+\s% each$/);
        const { subject_results } = snapshot.result as InvestigationResult;
        expect(subject_results[0]!.rival_values.map(({ tied }) => tied)).toEqual(
          Array.from({ length: Math.min(count, 8) }, () => true),
        );
        expect(textOf(cardOf(snapshot).answer)).toBe(headline);
        const page = wordsOf(renderSharePage(snapshot, { assets }));
        expect(page).toContain('Tied answers: ');
        expect(page).not.toContain('Other answers: ');
      }
    },
  );
});

describe('an answer that is neither yes nor no', () => {
  it.each(['no comment', 'partly', 'undecided'])(
    '“%s” is told as another answer beside a no that leads, and counts on neither side',
    (value) => {
      covers('INV-V.210', 'INV-V.211');
      const snapshot = judged(
        [
          ['Court', 'no'],
          ['Lab', 'no'],
          ['Daily', value],
        ],
        'flew',
      );
      expect(told(snapshot).sources).toBe(`Two independent sources say it is not so; Daily says ${value}.`);
      const page = wordsOf(renderSharePage(snapshot, { assets }));
      const embed = wordsOf(renderEmbedPage(snapshot, assets));
      for (const text of [page, embed]) expect(text).toMatch(/ 0 for .{1,40} 2 against, 1 other answer /);
      expect(page).toContain('For: nothing. Against: a weight of 1.70');
      expect(page).toContain('Other answers: on neither side 0.00');
      expect(page).toContain('support 0.00 opposition 0.46');
      expect(page).toContain('neither yes nor no');
    },
  );

  it('what is said about such an answer is on neither side, and told with whose answer it is', () => {
    covers('INV-V.210', 'INV-V.211');
    const about = (valence: string) => ({ on: 'c2', valence });
    const snapshot = judged(
      [
        ['Court', 'no'],
        ['Lab', 'no'],
        ['Daily', 'partly'],
        ['Curator', 'true', about('Refutes')],
        ['Times', 'true', about('Supports')],
      ],
      'flew',
    );
    expect(told(snapshot).sources).toBe(
      'Two independent sources say it is not so; Daily says partly; Times supports what Daily says; Curator disputes what Daily says.',
    );
    expect(wordsOf(renderEmbedPage(snapshot, assets))).toMatch(/ 0 for .{1,40} 2 against, 1 other answer /);
  });

  it('it is said against a yes that leads', () => {
    covers('INV-V.210');
    const snapshot = judged([HERALD, ['Times', 'yes'], ['Daily', 'partly']], 'flew');
    expect(told(snapshot).sources).toBe('Two independent sources say so; Daily says partly.');
    expect(wordsOf(renderEmbedPage(snapshot, assets))).toMatch(/ 2 for .{1,40} 1 against /);
  });
});

describe('sources that are not independent of one another', () => {
  /** `Court and one other say partly, and so does one more that …`: how many say what. */
  const TOLD =
    /(?:(\w+) (?:independent )?sources? says?|(\w+)(?: and (\w+) others?)? says?|(\w+) more that .{1,20}? independent of \w+ says?) (so|it is not so|it is|[\w ]+?)(?=[,;.])(?:, and (?:so do(?:es)? )?(\w+) more that [^,;.]{1,24} independent of \w+(?=[,;.]))?/g;
  const NUMBERS = 'no one two three four five six'.split(' ');
  const numberOf = (word: string | undefined) =>
    word === undefined ? 0 : NUMBERS.indexOf(word.toLowerCase());

  /** How many sources line one tells for each answer. */
  function countsOf(line: string, leading: string) {
    const counts: Record<string, number> = {};
    for (const [, sources, name, others, copies, words, more] of line.matchAll(TOLD)) {
      const value = { so: leading, 'it is not so': 'no', 'it is': 'yes' }[words!] ?? words!;
      const told = sources ?? copies;
      const own = told === undefined ? 1 + numberOf(others) : numberOf(told);
      if (name !== 'that') counts[value] = (counts[value] ?? 0) + own + numberOf(more);
    }
    return counts;
  }

  it('no source is told to say what it does not say, or what is superseded', () => {
    covers('INV-V.270', 'INV-V.272');
    const source = fc.record({
      value: fc.nat({ max: 3 }),
      type: fc.constantFrom('Expert', 'Regulator', 'Journalist', 'Institutional'),
      of: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
      replaces: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
    });
    const values = fc.constantFrom(['yes', 'no', 'partly', 'no comment'], ['Smith', 'Jones', 'Brown', 'no']);
    fc.assert(
      fc.property(fc.array(source, { minLength: 2, maxLength: 6 }), values, (list, pool) => {
        const actors = new Map(
          list.map(({ type, of }, i) => [
            'ABCDEF'[i]!,
            { source_type: type, ...(of !== undefined && of < i && { depends_on: ['ABCDEF'[of]!] }) },
          ]),
        );
        const isOfNames = pool[0] === 'Smith';
        const said = list.map(({ value, replaces }, i): Said => [
          'ABCDEF'[i]!,
          isOfNames && pool[value] === 'no' ? 'Smith' : pool[value]!,
          {
            ...(isOfNames && pool[value] === 'no' && { valence: 'Refutes' }),
            ...(replaces !== undefined &&
              replaces < i && {
                relationships: [{ relationship_type: 'supersedes', target_claim_id: `c${replaces}` }],
              }),
          },
        ]);
        const snapshot = judged(said, 'guilty', [], (name) => actors.get(name)!);
        const { leading_value: leading } = (snapshot.result as InvestigationResult).subject_results[0]!;
        const { headline, sources } = told(snapshot);
        const { claimById } = createModel(snapshot);
        const isReplaced = (index: number) => withdrawnStatus(claimById.get(`c${index}`)!) === 'superseded';
        const counts = countsOf(sources, leading === 'true' ? 'yes' : leading!);
        const most = Object.entries(counts).map(([value, count]): [string, number] => [
          value,
          Math.min(count, list.filter((one, i) => pool[one.value] === value && !isReplaced(i)).length),
        ]);
        expect([headline, sources, Object.fromEntries(most)]).toEqual([headline, sources, counts]);
      }),
      {
        numRuns: soak(300),
        // A no that another source's no supersedes, besides a tie.
        examples: [
          [
            [
              { value: 0, type: 'Expert', of: undefined, replaces: undefined },
              { value: 1, type: 'Expert', of: undefined, replaces: undefined },
              { value: 2, type: 'Expert', of: undefined, replaces: undefined },
              { value: 1, type: 'Institutional', of: undefined, replaces: 1 },
            ],
            ['yes', 'no', 'partly', 'no comment'],
          ],
        ],
      },
    );
  });

  it('where yes leads another answer with less than half, who gives each answer is told, yes first', () => {
    covers('INV-V.271');
    const source = fc.record({
      value: fc.constantFrom('yes', 'yes', 'no', 'partly', 'no comment'),
      type: fc.constantFrom('Expert', 'Regulator', 'Journalist', 'Institutional', 'Insider'),
    });
    let seen = 0;
    fc.assert(
      fc.property(fc.array(source, { minLength: 2, maxLength: 6 }), (list) => {
        const said = list.map(({ value }, i): Said => ['ABCDEF'[i]!, value]);
        const snapshot = judged(said, 'guilty', [], (name) => ({
          source_type: list['ABCDEF'.indexOf(name)]!.type,
        }));
        const { verdict } = answerOf(createModel(snapshot))!;
        const { leading_value: leading, tied, calibrated_probability: chance } = verdict.result;
        const id = verdict.explanation!.leading_claim_id;
        const isYes = leading === 'true' && said[Number(id!.slice(1))]![1] === 'yes';
        const isOther = list.some(({ value }) => value !== 'yes' && value !== 'no');
        if (!isYes || !isOther || tied || chance >= 0.5) return;
        const { headline, sources } = told(snapshot);
        const counts: Record<string, number> = {};
        for (const { value } of list) counts[value] = (counts[value] ?? 0) + 1;
        expect([headline, sources, countsOf(sources, 'yes')]).toEqual([headline, sources, counts]);
        expect(sources).toMatch(/^\w+ (?:independent )?sources? says? yes;/);
        seen += 1;
      }),
      { numRuns: soak(1000) },
    );
    expect(seen).toBeGreaterThan(0);
  });
});
