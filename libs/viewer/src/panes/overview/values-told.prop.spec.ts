import { describe, expect, it } from '@jest/globals';
import { textOf } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { cardOf } from '../../card/card.ts';
import { createModel } from '../../model.ts';
import { renderEmbedPage } from '../../page/embed-page.tsx';
import { leadingAnswer } from '../../page/leading-answer.ts';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';
import { statementOf } from './statement-of.ts';

fc.configureGlobal({ seed: SEED });

type Said = readonly [source: string, value: string, more?: Readonly<Record<string, unknown>>];
interface About {
  readonly subject?: string;
  readonly predicate?: string;
  readonly type?: (source: string) => string;
  readonly evidence?: readonly object[];
  readonly order?: (claims: readonly Said[]) => readonly Said[];
  readonly idOf?: (index: number) => string;
  readonly days?: number;
}

/** Claims on one question in the given order; the id of a claim goes by its place there. */
function judged(
  said: readonly Said[],
  { subject = 'final', predicate = 'winner', type = () => 'Journalist', evidence = [], ...more }: About = {},
) {
  const { order = (claims) => claims, idOf = (index) => `c${index}`, days = 73_000 } = more;
  const claims = order(said);
  return snapshotOf({
    research_question: 'What is it?',
    decay_half_life_days: days,
    actors: [...new Set(claims.map(([name]) => name))].map((name) => ({
      id: name,
      name,
      source_type: type(name),
    })),
    subjects: [{ id: 's', name: subject, subject_type: 'x' }],
    claims: claims.map(([source, value, place = {}], index) => ({
      id: idOf(index),
      actor_id: source,
      subject_id: 's',
      predicate,
      value,
      content: `${source}: ${value}`,
      ...place,
    })),
    evidence,
  } as never);
}

const told = (snapshot: ReturnType<typeof snapshotOf>) => {
  const { headline, chance, sources, verdict } = answerOf(createModel(snapshot))!;
  return {
    headline: textOf(headline),
    chance,
    sources: textOf(sources),
    finding: textOf(statementOf(verdict)),
    list: leadingAnswer(snapshot)!.text,
  };
};
const spaced = (text: string) => text.replace(/\s/g, ' ');

describe('equal runners-up', () => {
  const papers = (values: string): readonly Said[] =>
    values.split(' ').map((value, index) => [`P${index + 1}`, value]);

  it.each([
    [
      'Lions Lions Tigers Bears',
      'It is uncertain whether the winner of final was Lions, Bears or Tigers; Lions leads',
      'Two independent sources say Lions; P4 says Bears, and P3 says Tigers.',
    ],
    [
      'Lions Lions Tigers Bears Crows',
      'It is uncertain whether the winner of final was Lions, Bears, Crows or Tigers; Lions leads',
      'Two independent sources say Lions; P4 says Bears, P5 says Crows, and P3 says Tigers.',
    ],
    [
      'Lions Lions Tigers Bears Crows Foxes Hawks',
      'It is uncertain whether the winner of final was Lions, Bears, Crows or Foxes, or one of two more; Lions leads',
      'Two independent sources say Lions; P4 says Bears, P5 says Crows, P6 says Foxes, and two others disagree.',
    ],
  ])(
    'the runners-up of %s are all named, and quoted by the sentence that follows',
    (values, headline, sources) => {
      covers('INV-V.127');
      for (const order of [(all: readonly Said[]) => all, (all: readonly Said[]) => all.toReversed()])
        expect(told(judged(papers(values), { order }))).toMatchObject({ headline, sources });
    },
  );

  it('an exchange of the order and the ids of claims changes no sentence', () => {
    covers('INV-V.128');
    const claim = fc.tuple(
      fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
      fc.constantFrom('Lions', 'Tigers', 'Bears', 'Crows'),
    );
    const claims = fc.uniqueArray(claim, { minLength: 2, maxLength: 9, selector: (one) => one.join() });
    fc.assert(
      fc.property(claims, fc.func(fc.nat()), (said, shuffle) => {
        const order = (all: readonly Said[]) => all.toSorted((a, b) => shuffle(a) - shuffle(b));
        const other = judged(said, { order, idOf: (index) => `x${9 - index}` });
        const [{ list: _, finding: __, ...one }, two] = [told(judged(said)), told(other)];
        // What leads of what is tied goes by ids; the sentences name all of it.
        expect(two).toMatchObject(one);
      }),
      { numRuns: soak(60) },
    );
  });
});

describe('who says what is tied', () => {
  const refuting = { id: 'e', claim_id: 'c0', content: 'A photograph.', valence: 'Refutes' };
  it.each([
    ['Lions Tigers', [], 'P1 says Lions, and P2 says Tigers.'],
    ['Lions Tigers Bears:Anonymous', [], 'P1 says Lions, and P2 says Tigers; P3 says Bears.'],
    [
      'Lions Lions Tigers Tigers Bears',
      [],
      'Two independent sources say Lions, and two independent sources say Tigers; P5 says Bears.',
    ],
    [
      'Lions Tigers',
      [refuting, { ...refuting, id: 'f', claim_id: 'c1' }],
      'P1 says Lions, which one item of evidence refutes, and P2 says Tigers, which one item of evidence refutes.',
    ],
  ])(
    'line one on a tie of %s tells the sources of each value, and then who says what comes next',
    (given, evidence, said) => {
      covers('INV-V.260');
      const list = given.split(' ').map((one) => one.split(':'));
      const type = (source: string) => list[Number(source.slice(1)) - 1]![1] ?? 'Journalist';
      const claims = list.map(([value], index): Said => [`P${index + 1}`, value!]);
      expect(told(judged(claims, { type, evidence })).sources).toBe(said);
    },
  );

  it('copies of what is tied are told as such', () => {
    covers('INV-V.260');
    const { input } = judged([
      ['P1', 'Lions'],
      ['P2', 'Lions'],
      ['P3', 'Tigers'],
    ]);
    const actors = input.actors.map((one) => (one.id === 'P2' ? { ...one, depends_on: ['P1'] } : one));
    expect(told(snapshotOf({ ...input, actors })).sources).toBe(
      'P1 says Lions, and so does one more that is not independent of it, and P3 says Tigers.',
    );
  });

  it('every value that is tied has its source in the sentence, in any scopes', () => {
    covers('INV-V.260');
    const values = fc.uniqueArray(fc.constantFrom('Lions', 'Tigers', 'Bears', 'Crows', 'true', 'false'), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(values, fc.boolean(), (list, isApart) => {
        const claims = list.map((value, index): Said => [
          `P${index}`,
          value,
          isApart ? { scope: `S${index}` } : {},
        ]);
        const snapshot = judged(claims);
        const { sources, verdict } = answerOf(createModel(snapshot))!;
        if (!verdict.result.tied) return;
        expect(textOf(sources)).toMatch(/ says? /);
        if (!isApart && !list.some((value) => value === 'true' || value === 'false'))
          expect(list.filter((value) => textOf(sources).includes(` says ${value}`))).toHaveLength(
            Math.min(3, list.length),
          );
      }),
      { numRuns: soak(80) },
    );
  });
});

describe('what is disputed in another scope or time than that of the answer', () => {
  const span = (from: number, to?: number) => ({
    event_start_time: `${from}-01-01`,
    ...(to && { event_end_time: `${to}-01-01` }),
  });
  const about = { subject: 'the painting', predicate: 'owner', type: () => 'Regulator' };

  it('line one, card and lists begin with the time of the dispute, which is that of both values', () => {
    covers('INV-V.261');
    const snapshot = judged(
      [
        ['Museum', 'Fehr', span(1890, 1938)],
        ['Heirs', 'Fehr', span(1890)],
        ['Museum', 'the Museum', span(1938)],
        ['Commission', 'Fehr', span(1890)],
      ],
      about,
    );
    const { headline, list } = told(snapshot);
    expect(spaced(headline)).toMatch(/^What holds from 1 January 1938 on is disputed\. The owner /);
    expect(list.startsWith(headline)).toBe(true);
    expect(textOf(cardOf(snapshot).answer)).toBe(headline);
    expect(renderEmbedPage(snapshot, { embed: '/embed.css' })).toContain('is disputed. ');
  });

  it('a dispute is told exactly where two values of one scope have a tenth of the chance or more', () => {
    covers('INV-V.261');
    const claim = fc.tuple(
      fc.constantFrom('A', 'B', 'C', 'D'),
      fc.constantFrom('Fehr', 'Moser'),
      fc.constantFrom('EU', 'US', 'Peru'),
    );
    const claims = fc.uniqueArray(claim, { minLength: 1, maxLength: 7, selector: (one) => one.join() });
    fc.assert(
      fc.property(claims, (list) => {
        const snapshot = judged(
          list.map(([source, value, scope]): Said => [source, value, { scope }]),
          about,
        );
        const { headline, verdict } = answerOf(createModel(snapshot))!;
        const apart = verdict.result.rival_values.filter(
          (one) => one.apart && one.calibrated_probability >= 0.1,
        );
        const disputed = ['EU', 'US', 'Peru'].filter(
          (scope) => new Set(apart.filter((one) => one.scope === scope).map(({ value }) => value)).size > 1,
        );
        const [, where = ''] = /^What holds (.*?) is disputed\. /.exec(textOf(headline)) ?? [];
        expect(where.match(/\b(EU|US|Peru)\b/g)?.toSorted() ?? []).toEqual(disputed.toSorted());
      }),
      { numRuns: soak(80) },
    );
  });

  it.each([
    ['Bell', 'Bell (in south)', []],
    ['yes', 'yes (in south)', []],
    ['Bell', 'Bell (in south)', ['Post']],
  ])(
    'evidence against %s of another scope is told beside it, with who denies it: %s %j',
    (value, where, deny) => {
      covers('INV-V.346');
      const here = value === 'Bell' ? 'Ames' : value;
      const { headline, sources } = told(
        judged(
          [
            ['Herald', here, { scope: 'north' }],
            ['Mail', here, { scope: 'north' }],
            ['Gazette', value, { scope: 'south' }],
            ...deny.map((source): Said => [source, value, { scope: 'south', valence: 'Refutes' }]),
          ],
          {
            ...about,
            evidence: [{ id: 'e', claim_id: 'c2', content: 'A record', valence: 'Refutes', weight: 1 }],
          },
        ),
      );
      expect(headline).toContain('What holds in south is disputed.');
      const denied = deny.length > 0 ? ', which Post denies' : '';
      expect(spaced(sources)).toContain(where);
      expect(sources).toContain(`, which one item of evidence refutes${denied}.`);
    },
  );

  it('yes in one scope and no in another are an answer each of one clause', () => {
    covers('INV-V.262');
    const said = told(
      judged(
        [
          ['Ministry', 'true', { scope: 'in Malta' }],
          ['Court', 'no', { scope: 'in Rome' }],
        ],
        { subject: 'Cannabis', predicate: 'is legal', type: () => 'Regulator' },
      ),
    );
    expect(said.headline).toBe(
      'It depends on the scope or time whether Cannabis is legal: yes (in Malta) and no (in Rome)',
    );
    expect(said.finding).toBe('Whether Cannabis is legal: yes (in Malta) and no (in Rome)');
    expect(said.sources).toBe('Ministry says yes (in Malta), and Court says no (in Rome).');
  });
});

describe('evidence against the answer', () => {
  it.each([
    ['1905', '; Post says 1905, and one item of evidence speaks against 1901.'],
    ['1907', '; Post says 1907, and one item of evidence speaks against 1901.'],
  ])(
    'the answer that evidence speaks against is named where another one, %s, is named before',
    (other, end) => {
      covers('INV-V.129');
      const item = { id: 'e', claim_id: 'c0', content: 'No trace', valence: 'Refutes', weight: 1 };
      const said: readonly Said[] = [
        ['Herald', '1901'],
        ['Mail', '1901'],
        ['Post', other],
      ];
      const { sources } = told(judged(said, { subject: 'Tower', predicate: 'built in', evidence: [item] }));
      expect(sources).toMatch(new RegExp(`${end.replaceAll('.', '\\.')}$`));
    },
  );
});

describe('values of several scopes and times', () => {
  const first = { event_start_time: '2010-01-01T00:00:00Z', event_end_time: '2020-01-01T00:00:00Z' };
  const later = { event_start_time: '2020-01-01T00:00:00Z' };
  const types: Readonly<Record<string, string>> = {
    Ministry: 'Regulator',
    PWC: 'Expert',
    Council: 'Regulator',
  };
  const type = (name: string) => types[name] ?? 'SocialMedia';
  it.each([
    [
      'scopes',
      [
        ['Ministry', '19 %', { scope: 'standard' }],
        ['PWC', '19 %', { scope: 'standard' }],
        ['Ministry', '7 %', { scope: 'food' }],
        ['PWC', '7 %', { scope: 'food' }],
        ['Blog', '7 %', { scope: 'food' }],
      ],
      { subject: 'Germany', predicate: 'VAT', type },
      'The VAT of Germany is very probably 7 % (in food) and 19 % (in standard)',
      /^chance \d+ % and \d+ %$/,
      'Three independent sources say 7 % (in food).',
    ],
    [
      'times',
      [
        ['Gazette', 'Ann Lee', first],
        ['Council', 'Ann Lee', first],
        ['Wiki', 'Ann Lee', first],
        ['Gazette', 'Bo Kay', later],
        ['Council', 'Bo Kay', later],
      ],
      { subject: 'Hulm', predicate: 'mayor', type },
      'The mayor of Hulm is probably Ann Lee (from 1 January 2010 to 1 January 2020), then Bo Kay (from 1 January 2020 on)',
      /^chance \d+ % and \d+ %$/,
      'Three independent sources say Ann Lee (from 1 January 2010 to 1 January 2020).',
    ],
  ] as const)(
    'all likely values of several %s are told in every place',
    (_, said, about, line, chance, who) => {
      covers('INV-V.130');
      for (const order of [(all: readonly Said[]) => all, (all: readonly Said[]) => all.toReversed()]) {
        const snapshot = judged(said, { ...about, order });
        const { headline, chance: chances, sources, list, finding } = told(snapshot);
        expect([headline, sources]).toEqual([line, who]);
        expect(spaced(chances)).toMatch(chance);
        expect(spaced(list)).toBe(`${line} (${spaced(chances)})`);
        expect(finding).toBe(line.replace(/(very )?probably /, ''));
        expect(textOf(cardOf(snapshot).answer)).toBe(line);
        const assets = { styles: '', early: '', main: '', embed: '' };
        const words = (html: string) => spaced(html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' '));
        expect(words(renderEmbedPage(snapshot, assets))).toContain(line);
        expect(words(renderSharePage(snapshot, { assets }))).toContain(line);
      }
    },
  );

  it('a value of another scope is told with its chance where none is likely', () => {
    covers('INV-V.130');
    const { headline, sources } = told(
      judged(
        [
          ['A', '7 %', { scope: 'food' }],
          ['B', '7 %', { scope: 'food' }],
          ['C', '9 %', { scope: 'food' }],
          ['D', '19 %', { scope: 'standard' }],
        ],
        { subject: 'Germany', predicate: 'VAT', type },
      ),
    );
    expect(headline).toContain('7 % or 9 %');
    expect(spaced(sources)).toMatch(
      / In other scopes or of other times: 19 % \(in standard\), chance \d+ %\.$/,
    );
  });
});

describe('values of each scope', () => {
  const about = { subject: 'Guideline', predicate: 'first choice', type: () => 'Regulator' };
  const scoped = (...said: readonly (readonly [string, string, string])[]) =>
    said.map(([source, value, scope]): Said => [source, value, { scope }]);

  it('a value that leads in one scope is told as a rival in another where it is disputed', () => {
    covers('INV-V.170', 'INV-V.181');
    const said = scoped(
      ['WHO', 'Drug A', 'children'],
      ['NICE', 'Drug B', 'children'],
      ['WHO', 'Drug B', 'adults'],
      ['NICE', 'Drug B', 'adults'],
    );
    const { headline, sources } = told(judged(said, about));
    expect(headline).toMatch(
      /^What holds in children is disputed\. The first choice of Guideline is (?:very )?probably Drug B \(in adults\)$/,
    );
    expect(spaced(sources)).toMatch(
      /^Two independent sources say so\. In other scopes or of other times: Drug A or Drug B \(in children\), chance \d+ % each\.$/,
    );
  });

  describe('a value that returns', () => {
    const times = [
      { event_start_time: '2000-01-01', event_end_time: '2008-01-01' },
      { event_start_time: '2008-01-01', event_end_time: '2012-01-01' },
      { event_start_time: '2012-01-01' },
    ] as const;
    const lines = (values: readonly string[], more: readonly string[] = []): readonly Said[] => [
      ...['Gazette', 'Council'].flatMap((source) =>
        values.map((value, i): Said => [source, value, times[i]!]),
      ),
      ...more.map((source): Said => [source, values[2]!, times[2]]),
    ];
    const about = { subject: 'Hulm', predicate: 'mayor', type: () => 'Regulator' };
    const [from, next, last] = [
      '(from 1 January 2000 to 1 January 2008)',
      '(from 1 January 2008 to 1 January 2012)',
      '(from 1 January 2012 on)',
    ];

    it('a value that returns is told of each of its times, whether or not its sources are as many', () => {
      covers('INV-V.237');
      const even = told(judged(lines(['Ann', 'Bo', 'Ann']), about));
      expect(spaced(even.headline)).toBe(
        `It depends on the scope or time whether the mayor of Hulm is Ann ${from}, Bo ${next} or Ann ${last}`,
      );
      expect(spaced(even.chance)).toMatch(/^chance \d+ % each$/);
      const led = told(judged(lines(['Ann', 'Bo', 'Ann'], ['Wiki']), about));
      expect(spaced(led.headline)).toBe(
        `The mayor of Hulm is very probably Ann ${from}, then Bo ${next}, then Ann ${last}`,
      );
      expect(spaced(led.chance)).toMatch(/^chance \d+ %, \d+ % and \d+ %$/);
      expect(even.sources + led.sources).not.toContain('other times');
    });

    it('yes that returns after a no is told with the time of each', () => {
      covers('INV-V.237');
      const asked = { ...about, subject: 'The clinic', predicate: 'licensed' };
      const even = told(judged(lines(['true', 'false', 'true']), asked));
      expect(spaced(even.headline)).toMatch(
        /^It depends on the scope or time whether the clinic is licensed: yes .* 2008\), no .* 2012\) and yes .* 2012 on\)$/,
      );
      const led = told(judged(lines(['true', 'false', 'true'], ['Wiki']), asked));
      expect(spaced(led.headline)).toBe(`It is very likely that the clinic is licensed ${last}`);
      expect(spaced(led.sources)).toContain(`yes ${from}, chance`);
      expect(spaced(led.sources)).toContain(`no ${next}, chance`);
    });
  });

  it('who was before a disputed handover is told as likely as without who came next', () => {
    covers('INV-V.220');
    const at = (from: number, to: number) => ({
      event_start_time: `${from}-01-01`,
      event_end_time: `${to}-01-01`,
    });
    const lines = (before: string, next: string): readonly Said[] => [
      ['Register', before, at(1900, 1925)],
      ['Tax roll', before, at(1900, 1925)],
      ['Register', next, at(1925, 1950)],
      ['Tax roll', next, at(1925, 1950)],
      ['Chronicle', next, at(1915, 1950)],
    ];
    const owner = told(
      judged(lines('Huber', 'Moser'), { type: () => 'Regulator', subject: 'the mill', predicate: 'owner' }),
    );
    expect([owner.headline, owner.chance, owner.sources].map(spaced)).toEqual([
      'What holds from 1 January 1915 to 1 January 1925 is disputed. The owner of the mill is probably Huber (from 1 January 1900 to 1 January 1925), then Moser (from 1 January 1925 to 1 January 1950)',
      'chance 65 % and 94 %',
      'Three independent sources say Moser (from 1 January 1925 to 1 January 1950). In other scopes or of other times: Moser (from 1 January 1915 to 1 January 1950), chance 25 %.',
    ]);
    const jail = told(
      judged(lines('true', 'false'), { type: () => 'Regulator', subject: 'Bob', predicate: 'was in jail' }),
    );
    expect(spaced(jail.sources)).toContain(
      'yes (from 1 January 1900 to 1 January 1925), chance 72 %; no (from 1 January 1915 to 1 January 1950), chance 28 %',
    );
  });

  it('every value that a source states in a scope is told for that scope', () => {
    covers('INV-V.170', 'RM-11.240');
    const claim = fc.tuple(
      fc.constantFrom('WHO', 'NICE', 'EMA'),
      fc.constantFrom('Drug A', 'Drug B'),
      fc.constantFrom('children', 'adults'),
    );
    const claims = fc.uniqueArray(claim, {
      minLength: 1,
      maxLength: 6,
      selector: ([source, , scope]) => source + scope,
    });
    fc.assert(
      fc.property(claims, (list) => {
        const snapshot = judged(scoped(...list), about);
        const { headline, sources } = told(snapshot);
        const { rival_values: rivals } = answerOf(createModel(snapshot))!.verdict.result;
        for (const [, value, scope] of list) {
          const own = list.filter((one) => one[1] === value && one[2] === scope);
          const isTold =
            scope === rivals[0]!.scope
              ? `${headline} ${sources}`.includes(value)
              : new RegExp(`${value}(?: or Drug .)? \\(in ${scope}\\)`).test(`${headline} ${sources}`);
          const rival = rivals.find((one) => one.value === value && one.scope === scope);
          expect([list, headline, sources, isTold]).toEqual([list, headline, sources, true]);
          if (rival) expect(rival.source_count).toBe(own.length);
        }
      }),
      { numRuns: soak(100) },
    );
  });
});

describe('age', () => {
  const at = (year: string) => ({ assertion_time: `${year}-01-05T00:00:00Z` });
  const about = { subject: 'Firm', predicate: 'staff', type: (name: string) => name };
  const said = (first: string): readonly Said[] => [
    ['Regulator', '1200', at(first)],
    ['Journalist', '900', at('2026')],
  ];

  it('a value that weighs less than another for its age alone is told with its year', () => {
    covers('INV-V.133');
    const { sources } = told(judged(said('2024'), { ...about, days: 180 }));
    expect(spaced(sources)).toMatch(
      / Age decides: without it 1200, said in 2024, would lead \(\d+ % of the weight is lost to age; half-life 180 days\)\.$/,
    );
    for (const other of [judged(said('2024'), about), judged(said('2026'), { ...about, days: 180 })])
      expect(told(other).sources).not.toContain('age');
  });

  it('a recent source is most useful where age has taken most of the weight of all that is said', () => {
    covers('INV-V.134');
    const next = (days: number, years: readonly string[]) => {
      const claims = years.map((year, index): Said => [`P${index}`, '1200', at(year)]);
      return textOf(
        answerOf(createModel(judged(claims, { subject: 'Firm', predicate: 'staff', days })))!.next,
      );
    };
    expect(next(180, ['2015', '2015'])).toBe(
      'All that is said is of 2015. Most useful next: a recent source.',
    );
    expect(next(180, ['2012', '2015'])).toContain('is of 2012 to 2015.');
    expect(next(180, ['2015', '2026'])).not.toContain('recent');
    expect(next(73_000, ['2015', '2015'])).not.toContain('recent');
  });

  it('line one tells once that age has taken the weight, behind who says so or with what helps most', () => {
    covers('INV-V.263');
    const years = fc.array(fc.constantFrom('2012', '2015', '2018', '2026'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(years, fc.constantFrom('Journalist', 'SocialMedia'), (list, kind) => {
        const claims = list.map((year, index): Said => [`P${index}`, '1200', at(year)]);
        const snapshot = judged(claims, { subject: 'Firm', predicate: 'staff', type: () => kind, days: 180 });
        const { sources, next } = answerOf(createModel(snapshot))!;
        expect(textOf([...sources, ' ', ...next]).match(/\bage\b/gi)?.length ?? 0).toBeLessThan(3);
        if (textOf(sources).includes('Age decides')) expect(textOf(next)).not.toMatch(/\bage\b/);
      }),
      { numRuns: soak(60) },
    );
  });

  it.each([
    [undefined, 'a recent source'],
    ['2024-12-31T00:00:00Z', 'a source of shortly before 31 December 2024'],
  ])('the source that helps most as of %s is one that would count', (as_of, wanted) => {
    covers('INV-V.264');
    const old = judged([['P1', '1200', at('2015')]], { subject: 'Firm', predicate: 'staff', days: 180 });
    const snapshot = snapshotOf({ ...old.input, ...(as_of && { as_of }) });
    expect(textOf(answerOf(createModel(snapshot))!.next)).toContain(`Most useful next: ${wanted}.`);
  });

  it('papers a day apart are not told that age decides, whatever they disagree on', () => {
    covers('RM-11.226');
    const on = (day: number) => ({ assertion_time: `2026-03-${day}T00:00:00Z` });
    for (const [one, other] of [
      ['Tigers', 'Lions'],
      ['true', 'false'],
    ]) {
      const papers: readonly Said[] = [
        ['Mail', one!, on(11)],
        ['Post', other!, on(12)],
      ];
      const { sources, next } = answerOf(
        createModel(judged(papers, { subject: 'final', predicate: 'winner', days: 180 })),
      )!;
      expect(textOf([...sources, ...next])).not.toMatch(/age|recent/i);
    }
  });

  it('what age decides is told exactly where the engine says so', () => {
    covers('INV-V.150', 'RM-11.220');
    const claim = fc.tuple(
      fc.constantFrom('Regulator', 'Journalist', 'Expert', 'SocialMedia', 'Institutional'),
      fc.constantFrom('1200', '900', '700'),
      fc.constantFrom('2023', '2024', '2025', '2026').map(at),
    );
    const claims = fc.uniqueArray(claim, { minLength: 2, maxLength: 6, selector: ([source]) => source });
    fc.assert(
      fc.property(claims, (list) => {
        const aged = answerOf(createModel(judged(list, { ...about, days: 180 })))!;
        const { age_decides: age } = aged.verdict.result;
        expect(textOf(aged.sources).includes('Age decides: ')).toBe(age !== undefined);
        // Posts on social media lose half of their weight twice as fast: one of January is old in March.
        const isRecent = list.some(
          ([source, , { assertion_time }]) => source !== 'SocialMedia' && assertion_time.startsWith('2026'),
        );
        if (!age || isRecent) expect(textOf(aged.next)).not.toContain('recent');
        else expect(textOf(aged.next)).toContain('Most useful next: a recent source.');
        if (!age || age.tied) return;
        const { verdict } = answerOf(createModel(judged(list, { ...about, days: 1e15 })))!;
        expect(verdict.result).toMatchObject({
          leading_value: age.leading_value,
          truth_status: age.truth_status,
        });
      }),
      { numRuns: soak(100) },
    );
  });
});

describe('other answers than yes where no leads', () => {
  const about = { subject: 'Mr Kay', predicate: 'guilty' };
  it.each(['no comment', 'partly', 'with restrictions', 'morally responsible'])(
    '%s is told as such, and never as a yes',
    (value) => {
      covers('INV-V.195');
      const type = (name: string) => (name === 'Court' ? 'Regulator' : 'Journalist');
      const said: readonly Said[] = [
        ['Court', 'no'],
        ['Daily', value],
      ];
      const { sources } = told(judged(said, { ...about, type }));
      expect(sources).toBe(`One source says it is not so; Daily says ${value}.`);
    },
  );

  it('sources are said to say yes, and to say no, only where one does', () => {
    covers('INV-V.195');
    const claim = fc.tuple(
      fc.constantFrom('Expert', 'Journalist', 'Regulator', 'Insider', 'Anonymous'),
      fc.constantFrom('yes', 'no', 'no', 'partly', 'no comment'),
    );
    const claims = fc.uniqueArray(claim, { minLength: 1, maxLength: 5, selector: ([source]) => source });
    fc.assert(
      fc.property(claims, (list) => {
        const { headline, sources } = told(judged(list, { ...about, type: (name) => name }));
        const count = (value: string) => list.filter((one) => one[1] === value).length;
        const numbers = { No: 0, One: 1, Two: 2, Three: 3, Four: 4, Five: 5 } as Record<string, number>;
        const [, number, what] =
          /^(\w+) (?:independent )?sources? says? (so|it is not so)\b/.exec(sources) ?? [];
        const isSaid = what === undefined || numbers[number!]! <= count(what === 'so' ? 'yes' : 'no');
        const isYesSaid = !/says? it is(?! not)/.test(sources) || count('yes') > 0;
        // Of a question that another answer leads, “so” is that answer.
        if (!/Mr Kay (is|was) guilty/.test(headline)) return;
        expect([list, headline, sources, isSaid, isYesSaid]).toEqual([list, headline, sources, true, true]);
      }),
      { numRuns: soak(200) },
    );
  });
});

describe('denials of another scope or time', () => {
  it('a value that is denied in a scope where no source says it is told as denied there', () => {
    covers('INV-V.196');
    const claim = fc.tuple(
      fc.constantFrom('FDA', 'EMA', 'WHO', 'NICE'),
      fc.constantFrom('Drug A', 'Drug B'),
      fc.constantFrom('adults', 'children', 'teens'),
      fc.boolean(),
    );
    const claims = fc.uniqueArray(claim, {
      minLength: 2,
      maxLength: 6,
      selector: ([source, , scope]) => source + scope,
    });
    fc.assert(
      fc.property(claims, (list) => {
        const said = list.map(([source, value, scope, denies]): Said => [
          source,
          value,
          { scope, ...(denies && { valence: 'Refutes' }) },
        ]);
        const snapshot = judged(said, {
          subject: 'Guideline',
          predicate: 'first choice',
          type: () => 'Regulator',
        });
        const { sources } = told(snapshot);
        const { rival_values: rivals, denials = [] } = answerOf(createModel(snapshot))!.verdict.result;
        // Of more than three the others are counted.
        if (rivals.every(({ denied }) => denied) || denials.length > 3) return;
        const own = new Set(rivals.filter(({ apart }) => !apart).map(({ scope }) => scope));
        for (const [, value, scope] of list) {
          const at = list.filter((one) => one[1] === value && one[2] === scope);
          if (own.has(scope) || at.some((one) => !one[3])) continue;
          const verb =
            at.length === 1
              ? 'one source denies'
              : `${['two', 'three', 'four'][at.length - 2]!} sources deny`;
          expect(sources).toContain(`${verb} ${value} (in ${scope})`);
        }
      }),
      { numRuns: soak(100) },
    );
  });
});

describe('documents that refute a denial', () => {
  it('documents are told, and what they make very likely is never called too little evidence', () => {
    covers('INV-V.193', 'INV-V.197');
    const types = ['Institutional', 'Insider', 'Anonymous', 'Journalist', 'SocialMedia'] as const;
    const cases = fc.record({
      denier: fc.constantFrom(...types),
      teller: fc.constantFrom(...types),
      weights: fc.array(fc.constantFrom(1, 3, 10), { minLength: 1, maxLength: 3 }),
      isYesNo: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ denier, teller, weights, isYesNo }) => {
        const evidence = weights.map((weight, index) => ({
          id: `e${index}`,
          claim_id: 'c0',
          content: `Log ${index}`,
          valence: 'Refutes',
          weight,
        }));
        const said: readonly Said[] = isYesNo
          ? [
              ['Ministry', 'no'],
              ['Tip', 'yes'],
            ]
          : [
              ['Ministry', 'Smith', { valence: 'Refutes' }],
              ['Tip', 'Smith'],
            ];
        const type = (name: string) => (name === 'Ministry' ? denier : teller);
        const { headline, chance, sources } = told(
          judged(said, { subject: 'The leak', predicate: 'source', type, evidence }),
        );
        if (headline.includes('not enough evidence')) expect(parseFloat(chance.slice(7))).toBeLessThan(81);
        const verb =
          weights.length === 1 ? 'item of evidence (refutes|speaks)' : 'items of evidence (refute|speak)';
        expect(sources).toMatch(
          new RegExp(`${['one', 'two', 'three'][weights.length - 1]!} ${verb} `.replace(/ $/, ''), 'i'),
        );
      }),
      { numRuns: soak(100) },
    );
  });
});
