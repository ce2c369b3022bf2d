import { describe, expect, it } from '@jest/globals';
import { analyze, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { ENTITY, snak, time } from './other-tools.fixture.ts';
import { readWikidata } from './read-wikidata.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const dated = (day: string, precision: number) => snak('P585', time(`${day}T00:00:00Z`, precision), 'time');
const quantity = (amount: string, qualifiers: object) => ({
  mainsnak: snak('P1082', { amount, unit: '1' }, 'quantity'),
  qualifiers,
});

describe('entities of Wikidata', () => {
  it('statements become claims by their references, with rank, time and scope', () => {
    covers('INV-IMPORT.9');
    const { payload, leftOut } = readWikidata(bytes(ENTITY));
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
      ['Stadtchronik', 'P571', '1731', 'theory', '2001-02-03', undefined],
      ['archive.example.org', 'P571', '1731', 'theory', undefined, 'https://archive.example.org/b'],
      ['Wikidata, without reference', 'P571', '1850', 'retracted', undefined, undefined],
      ['Wikidata, without reference', 'P2043', '120.5 Q11573', undefined, undefined, undefined],
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
      const { payload } = readWikidata(bytes([{ id: 'Q3', claims: { P1082: statements } }]));
      return analyze(payload, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
    };
    const census = population('+1000', '2010', 'census');
    const later = judged(census, population('+1300', '2020', 'office'));
    expect(later.subject_results[0]!.rival_values!.filter(({ apart }) => apart)).toHaveLength(1);
    expect(later.conflict_analysis[0]!.alternative_interpretations).toEqual([
      later.claim_analyses.map(({ claim_id }) => claim_id),
    ]);
    const sameYear = judged(census, population('+1300', '2010', 'office'));
    expect(sameYear.subject_results[0]!.rival_values!.filter(({ apart }) => apart)).toEqual([]);
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
      bytes([{ id: 'Q3', claims: { P1082: [quantity('+1', qualifiers)] } }]),
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
      bytes([
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

  it('a file without entities is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readWikidata(bytes({ entities: {} }))).toThrow('holds no Wikidata entity');
  });
});
