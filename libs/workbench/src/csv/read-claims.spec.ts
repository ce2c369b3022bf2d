import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import Papa from 'papaparse';
import { labelOf } from '../edit/kinds.ts';
import { ADVANCED_COLUMNS, COLUMNS } from '../grid/columns.ts';
import { groupWords, placesOf } from './import-outcome.tsx';
import { mendedCells, problemGroups } from './problem-groups.ts';
import { CLAIM_COLUMNS, guessMapping } from './mapping.ts';
import { importClaims, type ImportOptions } from './read-claims.ts';
import { repeatedWords } from './repeated-notice.tsx';
import type { Century } from './read-dates.ts';
import { decodeText } from '../browser/file-text.ts';
import { readSheet } from './sheet.ts';
import { VERBATIM_COLUMNS } from './source-columns.ts';

const OPTIONS: ImportOptions = {
  createMissing: true,
  sourceTypes: {},
  subjectType: 'topic',
  dateOrders: {},
};
const NOTHING = { actors: [], subjects: [], claims: [] };

function imported(csv: string, present: Parameters<typeof importClaims>[2] = NOTHING, options = OPTIONS) {
  const sheet = readSheet(csv);
  return importClaims(sheet, guessMapping(sheet.columns), present, options);
}

describe('a CSV of claims', () => {
  covers('INV-B.5');
  it('a CSV of claims is read with quoted line ends, byte order mark and any usual delimiter; rows know their line', () => {
    const sheet = readSheet('\ufeffid;value\r\n1;"a\nb;c"\r\n\r\n2;d\r\n');
    expect(sheet.columns).toEqual(['id', 'value']);
    expect(sheet.rows).toEqual([
      { line: 2, cells: ['1', 'a\nb;c'] },
      { line: 5, cells: ['2', 'd'] },
    ]);
  });

  it('a CSV of claims says when a quotation never ends', () => {
    expect(readSheet('id,value\n1,"open').problems[0]).toMatch(/row 2: .*quote/i);
  });

  it('a CSV of claims is mapped by headings, each field once, field names before other names', () => {
    expect(
      guessMapping(['Source', 'Actor ID', 'Topic', 'Predicate', 'answer', 'Statement', 'Date', 'x']),
    ).toEqual([null, 'actor_id', 'subject_id', 'predicate', 'value', 'content', 'assertion_time', null]);
  });

  it('a CSV of claims is mapped by each label of the grid, of the forms and of the CSV of a page', () => {
    covers('INV-B.91');
    const labels = [
      ...[...COLUMNS, ...ADVANCED_COLUMNS].map(({ field, title }) => [title, field]),
      ...CLAIM_COLUMNS.map((field) => [labelOf(field), field]),
      ['claim_id', 'id'],
      ['subject_name', 'subject_id'],
      ['actor_name', 'actor_id'],
      ['Description', 'content'],
      ['Claim text', 'content'],
      ['Said', 'content'],
    ];
    expect(labels.map(([label]) => [label, guessMapping([label!])[0]])).toEqual(labels);
    // Together, too: none takes the column of another one.
    const all = [...COLUMNS, ...ADVANCED_COLUMNS];
    expect(guessMapping(all.map(({ title }) => title))).toEqual(all.map(({ field }) => field));
    expect(guessMapping(CLAIM_COLUMNS.map(labelOf))).toEqual(CLAIM_COLUMNS);
  });

  it('a column Type whose words are types of sources holds those, and types of claims otherwise', () => {
    covers('INV-IMPORT.56');
    const heading = ['Source', 'Type', 'Subject', 'Property', 'Value'];
    const typeColumn = (columns: readonly string[], ...types: string[]) =>
      guessMapping(
        columns,
        types.map((type, index) => ({ line: index + 2, cells: ['Ann', type, 'Dam', 'burst', 'yes'] })),
      )[1];
    for (const types of [['journalist'], ['Social media', 'newspaper'], ['', 'EXPERT', 'Troll', 'Causal']])
      expect([types, typeColumn(heading, ...types)]).toEqual([types, 'source_type']);
    for (const types of [['causal'], ['newspaper'], [''], [], ['Factual', 'Expert']])
      expect([types, typeColumn(heading, ...types)]).toEqual([types, 'claim_type']);
    // Headings that say which type is meant are believed.
    expect(typeColumn(['Source', 'Claim type', 'Subject', 'Property', 'Value'], 'journalist')).toBe(
      'claim_type',
    );
    expect(typeColumn([...heading, 'Source type'], 'journalist')).toBe('claim_type');
  });

  it('a CSV of claims finds sources and subjects by id or name, and creates missing ones once', () => {
    const present = {
      actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
      subjects: [{ id: 's1', name: 'Whitehead', subject_type: 'person' }],
      claims: [{ id: 'c-1' }],
    };
    const csv =
      'source,subject,predicate,value\nthe herald,s1,flew,true\nÉcho,Wright,flew,false\nÉcho,Wright,date,1903';
    const { actors, subjects, claims, problems } = imported(csv, present);
    expect(problems).toEqual([]);
    expect(actors).toEqual([{ id: 'echo', name: 'Écho', source_type: '' }]);
    expect(subjects).toEqual([{ id: 'wright', name: 'Wright', subject_type: 'topic' }]);
    expect(claims.map(({ id, actor_id, content }) => [id, actor_id, content])).toEqual([
      ['c-2', 'a1', 'flew: true'],
      ['c-3', 'echo', 'flew: false'],
      ['c-4', 'echo', 'date: 1903'],
    ]);
  });

  it('a CSV of claims carries links, archived copies, quotes and publishers, and makes the words of a claim from its quote', () => {
    covers('INV-F.ClaimInput.url', 'INV-F.ClaimInput.quote');
    const { claims, problems } = imported(
      'Outlet,Topic,Property,Value,Quote,Link,Archive,Published by\n' +
        'Herald,The fire,cause,arson,“Arson!”,https://herald.example/1,https://archive.example/1,Herald Press\n' +
        'Herald,The fire,cause,arson,Again,javascript:alert(1),,\n',
    );
    expect(claims).toEqual([
      expect.objectContaining({
        content: '“Arson!”',
        quote: '“Arson!”',
        url: 'https://herald.example/1',
        archived_url: 'https://archive.example/1',
        published_by: 'Herald Press',
      }),
    ]);
    expect(problems).toEqual([
      expect.objectContaining({
        line: 3,
        field: 'url',
        message: expect.stringContaining('https://example.org/page'),
      }),
    ]);
  });

  it.each(VERBATIM_COLUMNS)('a cell of %s keeps the spaces and line breaks around its words', (column) => {
    covers('INV-IMPORT.34');
    const row: Record<string, string> = {
      source_document: 'file_1',
      source_exact: 'burst',
      [column]: ' a\nb \n',
    };
    const csv = Papa.unparse([{ source: 'Herald', subject: 'Dam', predicate: 'is', value: 'burst', ...row }]);
    const { claims, problems } = imported(csv);
    expect(problems).toEqual([]);
    const selector = (claims[0]!['source'] as { selector: Record<string, string> }).selector;
    expect(selector[column.replace('source_', '')]).toBe(' a\nb \n');
  });

  it('a row with a position and no passage of its own pins its quote with the spaces that the position counts', () => {
    covers('INV-IMPORT.34');
    const { claims, problems } = imported(
      'source,subject,predicate,value,quote,source_document,source_start,source_end\n' +
        'Herald,Dam,is,burst,  burst,file_1,4,11\n',
    );
    expect(problems).toEqual([]);
    expect(claims).toMatchObject([{ quote: 'burst', source: { selector: { exact: '  burst' } } }]);
  });

  it('cells of white space alone pin nothing', () => {
    covers('INV-IMPORT.34');
    const { claims, problems } = imported(
      'source,subject,predicate,value,source_exact,source_prefix\nHerald,Dam,is,burst, ,  \n',
    );
    expect(problems).toEqual([]);
    expect(claims[0]).not.toHaveProperty('source');
  });

  it('a CSV of claims names line and field of what is wrong, and takes nothing from such a row', () => {
    const csv =
      'id,source,subject,predicate,value,date\nx,Herald,Flight,year,1903,yesterday\nx,Herald,Flight,year,1904,\ny,,Flight,year,1905,\nz,Herald,Flight,year,1906,2020-01-01T00:00:00Z';
    const { claims, actors, problems } = imported(csv);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [2, 'assertion_time'],
      [3, 'id'],
      [4, 'actor_id'],
    ]);
    expect(claims.map(({ id }) => id)).toEqual(['z']);
    expect(actors).toHaveLength(1);
  });

  it('a CSV of claims refuses absent names when none are to be created', () => {
    const { problems } = imported('source,subject,predicate,value\nHerald,Flight,year,1903', NOTHING, {
      ...OPTIONS,
      createMissing: false,
    });
    expect(problems.map(({ field }) => field)).toEqual(['actor_id', 'subject_id']);
  });

  it('a CSV of claims is text in UTF-8, or in UTF-16 with its mark, and nothing else', () => {
    const csv = 'id,value\n1,Zürich';
    expect(decodeText(Buffer.from(csv))).toBe(csv);
    expect(decodeText(Buffer.from(`\ufeff${csv}`, 'utf16le'))).toBe(csv);
    expect(decodeText(Buffer.from(csv, 'latin1'))).toBeNull();
    expect(decodeText(Buffer.from('PK\x03\x04\0\0'))).toBeNull();
    expect(decodeText(Buffer.from(''))).toBe('');
  });

  it('a CSV of claims reports a missing column once, not in every row', () => {
    const { claims, problems } = imported('source,colour\nHerald,red\nTimes,blue');
    expect(claims).toEqual([]);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [1, 'subject_id'],
      [1, 'predicate'],
      [1, 'value'],
    ]);
  });

  it('a row of a CSV about an unknown claim, about a subject and a claim, or whose event ends before it starts is named and not taken', () => {
    covers('INV-IMPORT.18');
    const csv = `id,source,subject,target_claim_id,predicate,value,event_start_time,event_end_time
,A,s,,p,1,,
m1,A,,c9,p,1,,
m2,A,,m1,p,1,,
m3,A,,k,p,1,,
m4,A,s,m3,p,1,,
m5,A,s,,p,1,2024-05-02,2024-05-01
m6,A,,c-1,p,1,,`;
    const present = { actors: [], subjects: [], claims: [{ id: 'k' }] };
    const { claims, problems } = imported(csv, present);
    expect(claims.map(({ id }) => id)).toEqual(['c-2', 'm3']);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [3, 'target_claim_id'],
      [4, 'target_claim_id'],
      [6, 'target_claim_id'],
      [7, 'event_start_time'],
      [8, 'target_claim_id'],
    ]);
  });

  it('claims of a CSV without ids that are there already are named with their lines, and no others', () => {
    covers('INV-IMPORT.79');
    const rows = [
      'source,subject,predicate,value,denies,date',
      'Herald,Dam,height,12 m,,2024-05-06',
      'Herald,Dam,height,12 m,denies,2024-05-06',
      'Herald,Dam,height,13 m,,2024-05-06',
      'Herald,Dam,height,12 m,,2024-05-07',
      'Herald,Dam,age,12 m,,2024-05-06',
      'Times,Dam,height,12 m,,2024-05-06',
    ];
    const first = imported(rows.join('\n'));
    expect([first.claims.length, first.repeated.size]).toEqual([6, 0]);
    // Again, with a row of its own and one that the file has twice.
    const again = imported([...rows, 'Times,Dam,age,9,,', 'Times,Dam,age,9,,'].join('\n'), first);
    expect([...again.repeated]).toEqual(again.claims.filter((_, index) => index !== 6));
    const lines = [...again.repeated].map(({ id }) => again.lineOfId.get(id)!);
    expect(repeatedWords(lines.length, placesOf(lines)).replaceAll('\u00a0', ' ')).toBe(
      '7 claims (lines 2, 3, 4, 5, 6 and 2 more) are there already: what the same source says on the same question, with the same value and date,',
    );
    const withIds = first.claims.map(({ id }, index) => `${id},${rows[index + 1]}`);
    expect(imported([`id,${rows[0]}`, ...withIds].join('\n'), first).repeated.size).toBe(0);
  });

  it('a CSV of claims gives claims without an id free ids, in order', () => {
    const rows = 2_000;
    const csv = `source,subject,predicate,value\n${'Herald,Flight,year,1903\n'.repeat(rows)}`;
    const { claims } = imported(csv, { ...NOTHING, claims: [{ id: 'c-1' }, { id: 'c-7' }] });
    expect(new Set(claims.map(({ id }) => id)).size).toBe(rows);
    expect(claims[0]!.id).toBe('c-2');
    expect(claims.at(-1)!.id).toBe(`c-${rows + 2}`);
  });
});

describe('new sources of a CSV', () => {
  covers('INV-B.10');
  const rows =
    'source,kind of source,subject,predicate,value\nThe Daily Herald,,Fire,cause,arson\nMaria,insider,Fire,cause,arson\nMaria,,Fire,start,noon\nBob,,Fire,cause,a spark';

  it('new sources of a CSV have the type that was chosen, else that of their column, else one guessed from their name', () => {
    const types = ({ actors }: ReturnType<typeof imported>) =>
      Object.fromEntries(actors.map((actor) => [actor['name'], actor['source_type']]));
    expect(types(imported(rows))).toEqual({ 'The Daily Herald': 'Journalist', Maria: 'Insider', Bob: '' });
    expect(
      types(imported(rows, NOTHING, { ...OPTIONS, sourceTypes: { Bob: 'Analyst', Maria: 'Expert' } })),
    ).toEqual({ 'The Daily Herald': 'Journalist', Maria: 'Expert', Bob: 'Analyst' });
  });

  it.each([
    ['newspaper', 'Journalist'],
    ['authority', 'Regulator'],
    ['company', 'Institutional'],
  ])('a source of the type %s in a CSV becomes %s, which is told at its row', (word, type) => {
    covers('INV-B.103');
    const { actors, problems, notes } = imported(rows.replace('insider', word));
    expect(problems).toEqual([]);
    expect(actors).toContainEqual(expect.objectContaining({ name: 'Maria', source_type: type }));
    expect(notes).toMatchObject([
      { line: 3, field: 'source_type', message: `"${word}" was read as ${type}` },
    ]);
  });

  it('new sources of a CSV are refused an unknown type, with the known ones', () => {
    const { problems } = imported(rows.replace('insider', 'wizard'));
    expect(problems).toMatchObject([{ line: 3, field: 'source_type' }]);
    expect(problems[0]!.message).toContain('Regulator, Expert');
  });
});

describe('dates of a CSV', () => {
  covers('INV-B.9');
  const rows = (dates: string[]) =>
    `source,subject,predicate,value,date\n${dates.map((date) => `Herald,Fire,cause,arson,${date}`).join('\n')}`;
  const times = ({ claims }: ReturnType<typeof imported>) => claims.map((claim) => claim['assertion_time']);

  it('dates of a CSV are read in the order that their column shows', () => {
    expect(times(imported(rows(['03/04/2025', '31/05/2025'])))).toEqual([
      '2025-04-03T00:00:00Z',
      '2025-05-31T00:00:00Z',
    ]);
  });

  it('dates whose order could be either ask for it once, and are read by the order chosen', () => {
    const csv = rows(['03/04/2025', '05/06/2025']);
    expect(imported(csv).undecided).toEqual(['assertion_time']);
    const chosen = imported(csv, NOTHING, { ...OPTIONS, dateOrders: { assertion_time: 'month-first' } });
    expect(chosen.undecided).toEqual([]);
    expect(times(chosen)).toEqual(['2025-03-04T00:00:00Z', '2025-05-06T00:00:00Z']);
  });

  it('an event date is the day, month or year that it says, and a column for the end of the event is kept', () => {
    const table = (heading: string, cells: string) =>
      imported(`source,subject,predicate,value,${heading}\nHerald,Fire,cause,arson,${cells}`).claims[0];
    const span = (from: string, to?: string) => ({ event_start_time: from, event_end_time: to });
    expect(table('event date', '2025-05-31')).toMatchObject(span('2025-05-31', '2025-05-31T23:59:59Z'));
    expect(table('Event date', 'February 2024')).toMatchObject(span('2024-02-01', '2024-02-29T23:59:59Z'));
    expect(table('event date', '1903')).toMatchObject(span('1903-01-01', '1903-12-31T23:59:59Z'));
    expect(table('from', '2025-05-31')).not.toHaveProperty('event_end_time');
    expect(table('event date,until', '2025-05-31,2025-06-02')).toMatchObject(
      span('2025-05-31', '2025-06-02'),
    );
  });

  it('malformed dates of a CSV are named with the forms that are read', () => {
    expect(imported(rows(['soon'])).problems).toMatchObject([
      { line: 2, field: 'assertion_time', message: expect.stringContaining('31 May 2025') },
    ]);
  });
});

describe('a cell of a CSV that is not understood', () => {
  const HEAD = 'source,subject,predicate,value';
  const TEXT = 'zzz ?!';
  /** Columns whose every text is taken as it is. */
  const FREE = ['id', 'scope', 'content', 'quote', 'published_by'];
  const OPTIONAL = CLAIM_COLUMNS.filter(
    (field) => !['actor_id', 'subject_id', 'predicate', 'value', 'target_claim_id'].includes(field),
  );
  const csvWith = (field: string, cell = TEXT) =>
    `${HEAD},${field}\nHerald,Fire,cause,arson,"${cell}"\nHerald,Fire,cause,a cable,`;

  it.each(OPTIONAL.filter((field) => !FREE.includes(field)))(
    'a text that is not understood in the optional column %p keeps no row out once it is mended, and nothing changes unsaid',
    (field) => {
      covers('INV-B.54', 'INV-B.49');
      const wrong = imported(csvWith(field));
      const groups = problemGroups(wrong.problems);
      // A claim that is replaced need not be there: its id alone is stated.
      if (field === 'supersedes_claim_id') return expect(groups).toEqual([]);
      expect(groups).toHaveLength(1);
      expect(groups[0]).toMatchObject({ field, problems: [{ line: 2, cell: TEXT }] });
      expect(groups[0]!.mayEmpty || groups[0]!.isStance).toBe(true);
      expect(wrong.claims.map(({ value }) => value)).toEqual(['a cable']);
      const text = groups[0]!.isStance ? 'Refutes' : '';
      const mended = imported(csvWith(field), NOTHING, { ...OPTIONS, mended: mendedCells(groups[0]!, text) });
      expect(mended.problems).toEqual([]);
      const empty = imported(csvWith(field, '')).claims;
      expect(mended.claims).toEqual(
        groups[0]!.isStance ? [{ ...empty[0], valence: 'Refutes' }, empty[1]] : empty,
      );
    },
  );

  it.each([
    ['source_exact', 'The dam', 'source_exact', /to no document: give its id in source_document/],
    ['source_document,source_start', 'file_1,4', 'source_start', /without source_end: give both, or neither/],
    ['source_document,source_end', 'file_1,4', 'source_end', /without source_start/],
    ['source_document,source_prefix', 'file_1,The', 'source_document', /no words: give .* in source_exact/],
  ])(
    'a row with %s alone names a column and what to add, and asks for nothing that other rows do without',
    (columns, cells, field, words) => {
      covers('INV-IMPORT.35');
      const { problems } = imported(`${HEAD},${columns}\nHerald,Fire,cause,arson,${cells}`);
      const found = problems.filter((one) => one.field === field);
      expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
      for (const { field: named, message } of problems)
        expect(`${named}: ${message}`).not.toMatch(/every claim|selector|source\./);
    },
  );

  it('cells with the same thing wrong are one group, in plain words', () => {
    covers('INV-B.53');
    const rows = Array.from(
      { length: 140 },
      (_, row) => `Herald,Fire,cause,arson,${row % 2 ? 'soon' : 'later'}`,
    );
    const { problems } = imported(`${HEAD},date\n${rows.join('\n')}\nHerald,Fire,cause,,2025\n`);
    expect(problemGroups(problems).map(groupWords)).toEqual([
      'Said at: “later”, “soon” is not a date: write it as 2025-05-31 or 31 May 2025 (lines 2, 3, 4, 5, 6 and 135 more).',
      'Value: is empty: every claim needs it (line 142).',
    ]);
  });

  it('a column “Denied?” says whether claims deny, and a yes in another one is asked about', () => {
    covers('INV-B.49');
    const table = (heading: string, ...cells: string[]) =>
      imported(`${HEAD},${heading}\n${cells.map((cell) => `Herald,Fire,cause,arson,${cell}`).join('\n')}`);
    expect(guessMapping(['Denied?', 'Stance'])).toEqual(['valence', null]);
    for (const heading of ['Denied?', 'Denies it', 'denies'])
      expect(table(heading, 'ja', 'no', '').claims.map(({ valence }) => valence ?? 'none')).toEqual([
        'Refutes',
        'Supports',
        'none',
      ]);
    const stance = table('For or against', 'yes', 'for', 'against', 'YES');
    expect(stance.claims.map(({ valence }) => valence)).toEqual(['Supports', 'Refutes']);
    expect(problemGroups(stance.problems)).toMatchObject([
      { field: 'valence', isStance: true, problems: [{ line: 2 }, { line: 5 }] },
    ]);
    expect(stance.problems[0]!.message).toMatch(/^"yes" does not say .* write “for” or “against”/);
  });

  it('links without a scheme get one, which is noted', () => {
    covers('INV-B.50');
    const { claims, notes, problems } = imported(`${HEAD},link\nHerald,Fire,cause,arson,www.n.example/8`);
    expect(problems).toEqual([]);
    expect(claims).toMatchObject([{ url: 'https://www.n.example/8' }]);
    expect(notes).toMatchObject([{ line: 2, field: 'url', cell: 'www.n.example/8' }]);
  });

  it('a year of two digits waits for its century, and is read by the one chosen', () => {
    covers('INV-B.55');
    const csv = `${HEAD},date\nHerald,Fire,cause,arson,15-May-25\nHerald,Fire,cause,arson,20250514`;
    const read = (centuries: Record<string, Century>) => imported(csv, NOTHING, { ...OPTIONS, centuries });
    expect(read({}).shortYears).toEqual({ assertion_time: '15-May-25' });
    const times = (centuries: Record<string, Century>) =>
      read(centuries).claims.map((claim) => String(claim['assertion_time']).slice(0, 10));
    expect(times({ assertion_time: 2000 })).toEqual(['2025-05-15', '2025-05-14']);
    expect(times({ assertion_time: 1900 })).toEqual(['1925-05-15', '2025-05-14']);
    expect(imported(csv).problems[0]!.message).toMatch(/write the year with four digits$/);
    const either = imported(`${HEAD},date\nHerald,Fire,cause,arson,03/04/25`, NOTHING, {
      ...OPTIONS,
      centuries: {},
    });
    expect(either.undecided).toEqual(['assertion_time']);
  });
});
