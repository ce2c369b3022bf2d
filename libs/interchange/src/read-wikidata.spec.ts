import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { claimWords } from './claim-words.ts';
import { ENTITY, snak, time } from './other-tools.fixture.ts';
import { readWikidata } from './read-wikidata.ts';
import { readWikidataTime } from './wikidata-time.ts';
import { jsonBytes } from './judged.fixture.ts';

fc.configureGlobal({ seed: SEED });

const dated = (day: string, precision: number) => snak('P585', time(`${day}T00:00:00Z`, precision), 'time');
const quantity = (amount: string, qualifiers: object) => ({
  mainsnak: snak('P1082', { amount, unit: '1' }, 'quantity'),
  qualifiers,
});

const held = (property: string, item: string, stated?: string) => ({
  mainsnak: snak(property, { id: item }, 'wikibase-item'),
  references:
    stated === undefined ? [] : [{ snaks: { P854: [snak('P854', `https://${stated}.example.org/`)] } }],
});
const heldIn = (property: string, item: string, year: number) => ({
  ...held(property, item),
  qualifiers: { P585: [dated(`+${year}-00-00`, 9)] },
});
const preferred = (item: string) => ({ ...held('P9', item), rank: 'preferred' });
const labeled = (id: string, value: string, claims: object = {}) => ({
  id,
  labels: { en: { value } },
  claims,
});

describe('entities of Wikidata', () => {
  it('statements become claims by their references, with rank, time and scope', () => {
    covers('INV-IMPORT.9', 'INV-IMPORT.58');
    const { payload, leftOut } = readWikidata(jsonBytes(ENTITY));
    const actors = new Map(payload.actors.map(({ id, name }) => [id, name]));
    expect(
      payload.claims.map(({ actor_id, predicate, value, epistemic_status, assertion_time, url }) => [
        actors.get(actor_id),
        predicate,
        value,
        epistemic_status,
        assertion_time,
        url,
      ]),
    ).toEqual([
      ['Stadtchronik', 'property P571', '1731', 'theory', '2001-02-03', undefined],
      ['archive.example.org', 'property P571', '1731', 'theory', undefined, 'https://archive.example.org/b'],
      ['Wikidata, without reference', 'property P571', '1850', 'retracted', undefined, undefined],
      ['Wikidata, without reference', 'property P2043', '120.5 Q11573', undefined, undefined, undefined],
    ]);
    expect(payload.claims[3]).toMatchObject({ event_start_time: '1900-05', scope: 'P518: main span' });
    expect(payload.claims[3]).not.toHaveProperty('event_end_time');
    expect(leftOut).toEqual([
      { path: 'Q1.claims.P571[2]', reason: 'has no known value' },
      { path: 'Q1.claims.P214[0]', reason: 'is an identifier in another catalog' },
    ]);
  });

  it('populations of different years in a file of Wikidata do not contradict each other once judged', () => {
    covers('INV-IMPORT.14');
    const population = (amount: string, year: string, stated: string) => ({
      ...quantity(amount, { P585: [dated(`+${year}-00-00`, 9)] }),
      references: [{ snaks: { P854: [snak('P854', `https://${stated}.example.org/`)] } }],
    });
    const judged = (...statements: object[]) => {
      const { payload } = readWikidata(jsonBytes([{ id: 'Q3', claims: { P1082: statements } }]));
      return analyze(payload, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
    };
    const census = population('+1000', '2010', 'census');
    const later = judged(census, population('+1300', '2020', 'office'));
    expect(later.subject_results[0]!.rival_values.filter(({ apart }) => apart)).toHaveLength(1);
    expect(later.conflict_analysis[0]!.alternative_interpretations).toEqual([
      later.claim_analyses.map(({ claim_id }) => claim_id),
    ]);
    const sameYear = judged(census, population('+1300', '2010', 'office'));
    expect(sameYear.subject_results[0]!.rival_values.filter(({ apart }) => apart)).toEqual([]);
    expect(sameYear.conflict_analysis[0]!.alternative_interpretations).toHaveLength(2);
  });

  it.each([
    ['a year', 'P585 +2010-00-00 9', ['2010', '2011']],
    ['a month', 'P585 +2010-12-00 10', ['2010-12', '2011-01']],
    ['a day', 'P585 +2012-02-29 11', ['2012-02-29', '2012-03-01']],
    ['a decade', 'P585 +1987-00-00 8', ['1980', '1990']],
    ['a century', 'P585 +1900-00-00 7', ['1801', '1901']],
    ['a millennium', 'P585 +2000-00-00 6', ['1001', '2001']],
    ['a start alone', 'P580 +2010-00-00 9', ['2010']],
    ['an end alone', 'P582 +2010-05-00 10', [undefined, '2010-05']],
    ['a term', 'P580 +2010-00-00 9; P582 +2015-00-00 9', ['2010', '2015']],
    ['a term in one year', 'P580 +2015-03-01 11; P582 +2015-00-00 9', ['2015-03-01', '2016']],
    ['an end before its start', 'P580 +2015-00-00 9; P582 +2010-00-00 9', ['2015', undefined, 'P582: 2010']],
    [
      'two points',
      'P585 +2010-00-00 9; P585 +2011-00-00 9',
      [undefined, undefined, 'P585: 2010; P585: 2011'],
    ],
    ['a day before our era', 'P585 -0044-03-15 11', [undefined, undefined, 'P585: 15 March 44 BC']],
    ['a day that does not exist', 'P585 +1900-02-29 11', [undefined, undefined, 'P585: 1900-02-29']],
  ])('a statement of Wikidata with %s keeps it, as event time or in the scope', (_, times, expected) => {
    covers('INV-IMPORT.14');
    const read = times.split('; ').map((time) => time.split(' ') as [string, string, string]);
    const qualifiers = Object.fromEntries(
      read.map(([of]) => [
        of,
        read.filter(([id]) => id === of).map(([, day, exact]) => dated(day, Number(exact))),
      ]),
    );
    const { payload, leftOut } = readWikidata(
      jsonBytes([{ id: 'Q3', claims: { P1082: [quantity('+1', qualifiers)] } }]),
    );
    const [from, to, scope] = expected;
    const { event_start_time, event_end_time, scope: said } = payload.claims[0]!;
    expect([event_start_time, event_end_time, said]).toEqual([from, to, scope]);
    expect(leftOut).toEqual([]);
  });

  it('dates of Wikidata before our era and coarser than years are values, and what is coarser still is named', () => {
    covers('INV-IMPORT.14');
    const dates = [
      ['-0044-03-15', 11],
      ['-0044-03-00', 10],
      ['-0753-00-00', 9],
      ['-0500-00-00', 7],
      ['-0040-00-00', 8],
      ['+1850-00-00', 7],
      ['+1980-00-00', 8],
      ['+2000-00-00', 6],
      ['-4540000000-00-00', 0],
    ] as const;
    const { payload, leftOut } = readWikidata(
      jsonBytes([
        {
          id: 'Q3',
          claims: {
            P571: dates.map(([day, precision]) => ({ mainsnak: dated(day, precision) })),
          },
        },
      ]),
    );
    expect(payload.claims.map(({ value }) => value)).toEqual([
      '15 March 44 BC',
      'March 44 BC',
      '753 BC',
      '5th century BC',
      '40s BC',
      '19th century',
      '1980s',
      '2nd millennium',
    ]);
    expect(leftOut).toEqual([
      { path: 'Q3.claims.P571[8]', reason: expect.stringContaining('less exact than a millennium') },
    ]);
  });

  it('items that one property holds at once are each a statement of its own, with its rank', () => {
    covers('INV-IMPORT.74');
    const { payload, leftOut } = readWikidata(
      jsonBytes([
        labeled('Q42', 'Douglas Adams', {
          P106: [held('P106', 'Q1'), held('P106', 'Q2'), { ...held('P106', 'Q3'), rank: 'deprecated' }],
          P69: [held('P69', 'Q4'), held('P69', 'Q5')],
          P800: [held('P800', 'Q6'), held('P800', 'Q1')],
        }),
        ...Object.entries({
          P106: 'occupation',
          P69: 'educated at',
          P800: 'notable work',
          Q6: 'Who?',
          Q1: 'writer',
          Q2: 'screenwriter',
        }).map(([id, label]) => labeled(id, label)),
        ...['Q3', 'Q4', 'Q5'].map((id) => labeled(id, `the ${id}`)),
      ]),
    );
    const subjects = new Map(payload.subjects.map((one) => [one.id, one]));
    expect(payload.claims.map((claim) => [claimWords(claim, subjects), claim.epistemic_status])).toEqual([
      ['The occupation of Douglas Adams is writer', undefined],
      ['The occupation of Douglas Adams is screenwriter', undefined],
      ['The occupation of Douglas Adams is the Q3', 'retracted'],
      ['Douglas Adams was educated at the Q4', undefined],
      ['Douglas Adams was educated at the Q5', undefined],
      ['“The notable work of Douglas Adams is “Who?”” is true', undefined],
      ['The notable work of Douglas Adams is writer', undefined],
    ]);
    expect(leftOut).toEqual([
      { path: 'Q42.claims.P106', reason: expect.stringMatching(/^holds several values at once.*2 more/) },
    ]);
  });

  it.each([
    ['two dates', [dated('+1731-00-00', 9), dated('+1732-00-00', 9)].map((mainsnak) => ({ mainsnak })), []],
    ['two quantities', [quantity('+1', {}), quantity('+2', {})], []],
    [
      'a preferred item and a deprecated one',
      [preferred('Q1'), { ...held('P9', 'Q2'), rank: 'deprecated' }],
      [],
    ],
    [
      'a preferred item and another that a constraint makes rivals',
      [preferred('Q1'), held('P9', 'Q2')],
      [labeled('P9', 'born in', { P2302: [held('P2302', 'Q52060874')] })],
    ],
    ['items at different times', [2010, 2020].map((year) => heldIn('P9', `Q${year}`, year)), []],
    ['statements of one item', [held('P9', 'Q1', 'a'), held('P9', 'Q1', 'b')], []],
    [
      'two items that a constraint makes rivals',
      [held('P9', 'Q1'), held('P9', 'Q2')],
      [labeled('P9', 'born in', { P2302: [held('P2302', 'Q19474404')] })],
    ],
  ])('%s stay values of their property', (_, statements, more) => {
    covers('INV-IMPORT.74');
    const { payload } = readWikidata(jsonBytes([{ id: 'Q3', claims: { P9: statements } }, ...more]));
    const values = payload.claims.filter(({ predicate }) => ['property P9', 'born in'].includes(predicate));
    expect(values).toHaveLength(2);
  });

  it.each([
    ['one preferred item and two others', [preferred('Q1'), held('P9', 'Q2'), held('P9', 'Q3')]],
    ['two preferred items and another', [preferred('Q1'), preferred('Q2'), held('P9', 'Q3')]],
    ['a preferred item of no time and one of a time', [preferred('Q1'), heldIn('P9', 'Q2', 2010)]],
  ])('the statements of %s are each true or not, and a rank is the weight of its own', (_, statements) => {
    covers('INV-IMPORT.81');
    const read = (list: readonly object[]) => readWikidata(jsonBytes([{ id: 'Q9', claims: { P9: list } }]));
    const { payload, leftOut } = read(statements);
    const isMarked = (one: object) => 'rank' in one && one.rank === 'preferred';
    expect(payload.claims.map(({ value }) => value)).toEqual(statements.map(() => 'true'));
    expect(payload.claims.map(({ epistemic_status: status }) => status)).toEqual(
      statements.map((one) => (isMarked(one) ? 'theory' : undefined)),
    );
    expect(leftOut).toEqual([
      { path: 'Q9.claims.P9', reason: expect.stringMatching(/^holds several values at once/) },
    ]);
    const unmarked = read(statements.map((one) => ({ ...one, rank: 'normal' }))).payload;
    const questions = ({ claims }: typeof payload) => claims.map((one) => [one.subject_id, one.predicate]);
    expect(questions(payload)).toEqual(questions(unmarked));
  });

  it('no number of items that sources give one property contradict each other', () => {
    covers('INV-IMPORT.74');
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 2, maxLength: 6 });
    const ranks = fc.array(fc.constantFrom('preferred', 'normal'), { minLength: 6, maxLength: 6 });
    const sources = fc.array(fc.constantFrom('a', 'b'), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(ids, sources, ranks, (items, by, rankOf) => {
        const statements = items.map((item, index) => ({
          ...held('P9', `Q${item}`, by[index]),
          rank: rankOf[index],
        }));
        const { payload } = readWikidata(jsonBytes([{ id: 'Q1000', claims: { P9: statements } }]));
        const judged = analyze(payload, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
        expect(judged.subject_results.map(({ truth_status: status }) => status)).not.toContain('Both');
      }),
      { numRuns: 50 },
    );
  });

  it('a statement that there is no value is left out as one that says so', () => {
    covers('INV-IMPORT.77');
    const none = { mainsnak: { snaktype: 'novalue', property: 'P40' } };
    const { leftOut } = readWikidata(
      jsonBytes([{ id: 'Q3', claims: { P40: [none], P9: [held('P9', 'Q1')] } }]),
    );
    expect(leftOut).toEqual([
      { path: 'Q3.claims.P40[0]', reason: expect.stringMatching(/^says that there is none/) },
    ]);
  });

  it('days of the Julian calendar become days of the Gregorian one, so that two names of one day agree once judged', () => {
    covers('INV-IMPORT.38');
    const born = (day: string, calendar: 'Q1985727' | 'Q1985786', stated: string) => ({
      mainsnak: snak('P569', time(`${day}T00:00:00Z`, 11, calendar), 'time'),
      references: [{ snaks: { P854: [snak('P854', `https://${stated}.example.org/`)] } }],
    });
    const { payload, leftOut } = readWikidata(
      jsonBytes([
        {
          id: 'Q23',
          claims: { P569: [born('+1732-02-22', 'Q1985727', 'a'), born('+1732-02-11', 'Q1985786', 'b')] },
        },
      ]),
    );
    expect(payload.claims.map(({ value }) => value)).toEqual(['1732-02-22', '1732-02-22']);
    expect(leftOut).toEqual([]);
    const judged = analyze(payload, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
    expect(judged.conflict_analysis.map(({ dispute_level }) => dispute_level)).toEqual([0]);
  });

  it('a Julian date without a day and a calendar that is none of both are named where they stand', () => {
    covers('INV-IMPORT.38');
    const date = (calendarmodel: string, precision: number) => ({
      mainsnak: snak('P571', { time: '+1731-05-03T00:00:00Z', precision, calendarmodel }, 'time'),
    });
    const julian = 'https://www.wikidata.org/entity/Q1985786';
    const { payload, leftOut } = readWikidata(
      jsonBytes([{ id: 'Q3', claims: { P571: [date(julian, 9), date(julian, 10), date('Q12138', 11)] } }]),
    );
    expect(payload.claims.map(({ value }) => value)).toEqual(['1731', '1731-05', '1731-05-03']);
    const at = (index: number) => `Q3.claims.P571[${index}].mainsnak.datavalue.value.calendarmodel`;
    expect(leftOut).toEqual([
      { path: at(0), reason: expect.stringMatching(/^is the Julian calendar.*, here and in 1 more/) },
      { path: at(2), reason: expect.stringMatching(/^is neither the Gregorian nor the Julian calendar/) },
    ]);
  });

  it('every day of the Julian calendar has the number of the Gregorian day that it becomes', () => {
    covers('INV-IMPORT.38');
    const MS_A_DAY = 86_400_000;
    fc.assert(
      fc.property(
        fc.integer({ min: -4000, max: 9000 }).filter((year) => year !== 0),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        (year, month, day) => {
          const two = (part: number) => String(part).padStart(2, '0');
          const written = `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}T00:00:00Z`;
          const { text } = readWikidataTime(written, 11, 'Q1985786')!;
          // The Julian day number (Meeus, Astronomical Algorithms, chapter 7).
          const shift = Math.floor((14 - month) / 12);
          const years = (year < 0 ? year + 1 : year) + 4800 - shift;
          const number =
            day +
            Math.floor((153 * (month + 12 * shift - 3) + 2) / 5) +
            365 * years +
            Math.floor(years / 4) -
            32_083;
          const [, dayBefore, name, yearBefore] = /^(\d+) (\w+) (\d+) BC$/.exec(text) ?? [];
          const date = new Date(0);
          if (name === undefined) {
            const [y, m, d] = text.split('-').map(Number);
            date.setUTCFullYear(y!, m! - 1, d);
          } else
            date.setUTCFullYear(
              1 - Number(yearBefore),
              new Date(`1 ${name} 2000 UTC`).getUTCMonth(),
              Number(dayBefore),
            );
          expect(date.getTime() / MS_A_DAY + 2_440_588).toBe(number);
        },
      ),
    );
  });

  it('a file without entities is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readWikidata(jsonBytes({ entities: {} }))).toThrow('holds no Wikidata entity');
  });
});
