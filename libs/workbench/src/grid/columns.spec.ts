import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { ADVANCED_COLUMNS, cellText, COLUMNS, completed, typeCells, withoutHeading } from './columns.ts';
import { itemProblems } from './desk.ts';
import { countedCodes } from '../edit/draft.ts';
import { applied } from '../edit/edits.ts';
import { incompleteWords } from './incomplete.ts';
import { refusalWords, rowsNamed } from './refusals.ts';
import { advanced, at, moved } from './selection.ts';
import { parseTsv, printTsv, spread } from './tsv.ts';

const PAYLOAD = {
  actors: [{ id: 'herald', name: 'The Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'Bridge', subject_type: 'structure' }],
  claims: [
    {
      id: 'c1',
      actor_id: 'herald',
      subject_id: 's1',
      predicate: 'open',
      value: 'true',
      content: 'open: true',
      valence: 'Refutes',
      assertion_time: '2025-05-31T00:00:00Z',
      claim_type: 'Causal',
    },
  ],
};

const FIELDS = COLUMNS.map(({ field }) => field);
/** Texts put into the columns from the first on, row by row, in claims and behind them. */
const typed = (rows: readonly (readonly string[])[], first = PAYLOAD.claims.length) =>
  typeCells(
    PAYLOAD,
    rows.flatMap((cells, row) =>
      cells.map((text, column) => ({
        claim: PAYLOAD.claims[first + row],
        row: first + row,
        field: FIELDS[column]!,
        text,
      })),
    ),
    COLUMNS,
    countedCodes(),
  );

describe('cells of the grid', () => {
  it('a heading of the columns that cells are pasted into is no row, whatever names it gives them', () => {
    covers('INV-B.92');
    const row = ['Herald', 'Bridge', 'open', 'true'];
    const titles = COLUMNS.map(({ title }) => title);
    for (const heading of [titles, titles.slice(0, 4), ['source', 'topic', 'predicate', 'answer']])
      expect(withoutHeading([heading, row], COLUMNS)).toEqual([row]);
    expect(withoutHeading([['Property', 'Value'], row], COLUMNS.slice(2))).toEqual([row]);
    const all = [...COLUMNS, ...ADVANCED_COLUMNS];
    expect(withoutHeading([all.map(({ title }) => title), row], all)).toEqual([row]);
    // Data, alone or under other columns, stay.
    for (const cells of [[titles], [row, row], [['Source'], ['Herald']], [['Property', 'Value'], row], [row]])
      expect(withoutHeading(cells, COLUMNS)).toBe(cells);
  });

  it('a date that could be read either way names both days to write instead', () => {
    covers('INV-B.92');
    const { refused } = typed([['Herald', 'Bridge', 'open', 'true', '', '', '5/6/2026']]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'could be read day first or month first: write it as 2026-06-05 or 2026-05-06',
    ]);
  });

  it('pasted values with decimal commas and with days are taken in one form, and doubtful ones as they stand, which is said', () => {
    covers('INV-B.102');
    const pasted = (...values: string[]) => {
      const { items, refused, note } = typed(values.map((value) => ['Herald', 'Bridge', 'width', value]));
      expect(refused).toEqual([]);
      const claims = items.flatMap(({ kind, after }) => (kind === 'claims' ? (after ?? []) : []));
      return [claims.map(({ value }) => value), note] as const;
    };
    expect(pasted('12,50 m', '1.250 m', '3 m')).toEqual([['12.50 m', '1250 m', '3 m'], '']);
    expect(pasted('12,5 m', '12.5 m')).toEqual([['12.5 m', '12.5 m'], '']);
    expect(pasted('5.6.1994', '15/06/1994', '5. Juni 1994')[0]).toEqual([
      '1994-06-05',
      '1994-06-15',
      '1994-06-05',
    ]);
    expect(pasted('1,250', '1300')).toEqual([
      ['1,250', '1300'],
      '“1,250” was taken with a decimal point: write 1.250 where it has a decimal comma.',
    ]);
    expect(pasted('1,250')).toEqual([['1,250'], '']);
  });

  it('pasted rows become claims, with the sources and subjects that they name', () => {
    covers('INV-B.30');
    const { items, madeClaims, madeSources, madeSubjects, refused } = typed([
      ['the herald', 'Bridge', 'open', 'false', 'x', '', '1 June 2025', 'https://a.example'],
      ['City Council', 'Tunnel', 'open', 'true', '', 'It is.', '13/06/2025'],
      ['', '', '', ''],
    ]);
    expect(refused).toEqual([]);
    expect([madeClaims, madeSources.map(({ name }) => name), madeSubjects.map(({ id }) => id)]).toEqual([
      ['c-1', 'c-2'],
      ['City Council'],
      ['tunnel'],
    ]);
    expect(madeSources[0]).toMatchObject({ source_type: 'Institutional' });
    const { claims } = applied(
      PAYLOAD,
      items.map((item) => ({ ...item, before: null })),
    );
    expect(claims.slice(1)).toEqual([
      {
        id: 'c-1',
        actor_id: 'herald',
        subject_id: 's1',
        predicate: 'open',
        value: 'false',
        valence: 'Refutes',
        content: 'open: false',
        assertion_time: '2025-06-01T00:00:00Z',
        url: 'https://a.example',
      },
      {
        id: 'c-2',
        actor_id: 'city-council',
        subject_id: 'tunnel',
        predicate: 'open',
        value: 'true',
        content: 'It is.',
        assertion_time: '2025-06-13T00:00:00Z',
      },
    ]);
  });

  it('a date that could be read two ways, and a text that is none, are left out and said', () => {
    covers('INV-B.30');
    const { items, refused } = typed([['A', 'B', 'p', 'v', '', '', '03/04/2025']]);
    expect(refused).toMatchObject([{ row: 1, reason: expect.stringContaining('day first or month first') }]);
    expect(items.at(-1)!.after).not.toHaveProperty('assertion_time');
    const reasons = (text: string) =>
      typed([['A', 'B', 'p', 'v', '', '', text]]).refused.map((one) => one.reason);
    expect(reasons('soon')).toEqual([expect.stringContaining('is not a date')]);
    expect(reasons('15-May-25')).toEqual([expect.stringContaining('four digits')]);
  });

  it('a word in “Denies it” that leaves a doubt is an error at its cell, and turns no claim round', () => {
    covers('INV-B.49');
    const denies = (text: string, first?: number) => {
      const { items } = typed([['The Herald', 'Bridge', 'open', 'true', text]], first);
      return items.at(-1)!.after!;
    };
    for (const word of ['ja', '✓', 'yes', 'x']) expect(denies(word)).toMatchObject({ valence: 'Refutes' });
    for (const word of ['maybe', 'not']) {
      for (const first of [undefined, 0]) {
        const claim = denies(word, first);
        expect(claim).toMatchObject({ valence: word });
        expect(itemProblems('claims', claim).map(({ path }) => path)).toEqual(['valence']);
        expect(cellText(PAYLOAD, claim, 'valence')).toBe(word);
      }
    }
    expect(denies('no', 0)).not.toHaveProperty('valence');
    expect(denies('nein')).not.toHaveProperty('valence');
  });

  it('a link without its scheme gets it, and a text that is none stays as it is', () => {
    covers('INV-B.50');
    const link = (text: string) =>
      typed([['A', 'B', 'p', 'v', '', '', '', text]]).items.at(-1)!.after!['url'];
    expect(['www.n.example/8', 'n.example/8', '//n.example/8', 'https://n.example'].map(link)).toEqual([
      'https://www.n.example/8',
      'https://n.example/8',
      'https://n.example/8',
      'https://n.example',
    ]);
    for (const text of ['javascript:alert(1)', 'page 8', 'report.pdf', 'data:text/html,x', 'n.a.'])
      expect(link(text)).toBe(text);
  });

  it('what was not taken is said with its total, its rows, and each reason once', () => {
    covers('INV-B.51');
    const date = (text: string) => ['A', 'B', 'p', 'v', '', '', text];
    const { refused } = typed([...Array.from({ length: 7 }, () => date('yesterday')), date('15-May-25')]);
    expect(refusalWords(refused).replaceAll('\u00a0', ' ')).toBe(
      '8 cells not taken. Rows 2, 3, 4, 5, 6 and 2 more: “yesterday” is not a date: write it as 2025-05-31 or 31 May 2025. ' +
        'Row 9: “15-May-25” could be of 1925 or of 2025, say: write the year with four digits.',
    );
    expect(refusalWords([])).toBe('');
    expect(rowsNamed([2, 2, 4])).toBe('Rows 3 and 5');
  });

  it('a row that is not saved names the cells that are empty or wrong, each reason once', () => {
    covers('INV-B.52');
    const whole = { ...PAYLOAD.claims[0]!, valence: 'maybe' };
    const claims = [
      { ...whole, id: 'c1', url: 'javascript:1' },
      { id: 'c2', actor_id: 'herald', predicate: 'open', content: 'x' },
      { id: 'c3', actor_id: 'herald', predicate: 'open', content: 'x' },
      { ...whole, id: 'c4' },
    ];
    const rows = new Map(claims.slice(0, 3).map(({ id }, row) => [id, row]));
    expect(incompleteWords(claims, rows).split(/(?<=\.) (?=Row|A row)/)).toEqual([
      'Row 1: Denies it “maybe” is neither yes nor no: write “yes” where the source denies it and “no” where not.',
      'Row 1: Link “javascript:1” is not a link: write it as https://example.org/page.',
      'Rows 2 and 3: Subject and Value are empty.',
    ]);
    expect(incompleteWords(claims.slice(3), rows)).toMatch(/^A row that is not shown: Denies it “maybe”/);
  });

  it('a row whose quote is not the passage that its claim pins says so at its quote, in plain words', () => {
    covers('INV-B.64');
    const source = { document: 'd', selector: { exact: 'pinned words' } };
    const claim = { ...PAYLOAD.claims[0]!, quote: 'other words', source } as never;
    const words = incompleteWords([claim], new Map([[PAYLOAD.claims[0]!.id, 0]]));
    expect(words).toBe(
      'Row 1: Verbatim quote “other words” says other words than those that are pinned in the document: unpin these, pin the new words, or take the pinned words back.',
    );
  });

  it('changing a cell keeps the rest of its claim, words that were made up follow, and emptying all deletes it', () => {
    covers('INV-B.30');
    const [change] = typed([['', 'Bridge', 'open', 'maybe']], 0).items.slice(-1);
    expect(change!.after).toMatchObject({ value: 'maybe', content: 'open: maybe', claim_type: 'Causal' });
    expect(change!.after).not.toHaveProperty('actor_id');
    expect(typed([FIELDS.map(() => '')], 0).items).toEqual([{ kind: 'claims', id: 'c1', after: null }]);
  });

  it('a cell shows names, plain dates and a plain yes, and typing it again changes nothing', () => {
    covers('INV-B.30');
    const [claim] = PAYLOAD.claims;
    const texts = FIELDS.map((field) => cellText(PAYLOAD, claim!, field));
    expect(texts).toEqual([
      'The Herald',
      'Bridge',
      'open',
      'true',
      'yes',
      'open: true',
      '2025-05-31',
      '',
      '',
    ]);
    expect(typed([texts], 0).items).toEqual([{ kind: 'claims', id: 'c1', after: claim }]);
  });

  it('what is typed is completed by the first name that begins so', () => {
    expect(completed('the h', ['A', 'The herald'])).toBe('the herald');
    expect([completed('', ['A']), completed('A', ['A']), completed('x', ['A'])]).toEqual([null, null, null]);
  });
});

describe('keys and clipboard of the grid', () => {
  const extent = { rows: 5, columns: 3, page: 2 };
  const key = (name: string, more = {}) => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...more,
  });

  it('keys move the focus as in a spreadsheet, extend ranges with Shift, and stay within', () => {
    covers('INV-B.30');
    const from = at({ row: 2, column: 1 });
    const to = (name: string, more = {}) => moved(from, key(name, more), extent)?.focus;
    expect([to('ArrowUp'), to('ArrowRight'), to('PageDown'), to('Home'), to('x')]).toEqual([
      { row: 1, column: 1 },
      { row: 2, column: 2 },
      { row: 4, column: 1 },
      { row: 2, column: 0 },
      undefined,
    ]);
    expect(to('End', { ctrlKey: true })).toEqual({ row: 4, column: 2 });
    expect(moved(from, key('ArrowDown', { shiftKey: true }), extent)).toEqual({
      anchor: from.focus,
      focus: { row: 3, column: 1 },
    });
    expect(moved(from, key(' ', { shiftKey: true }), extent)).toEqual({
      anchor: { row: 2, column: 0 },
      focus: { row: 2, column: 2 },
    });
    expect(advanced({ row: 1, column: 2 }, key('Tab'), extent)).toEqual({ row: 2, column: 0 });
    expect(advanced({ row: 0, column: 0 }, key('Tab', { shiftKey: true }), extent)).toBeNull();
    expect(advanced({ row: 4, column: 2 }, key('Tab'), extent)).toBeNull();
    expect(advanced({ row: 4, column: 2 }, key('Enter'), extent)).toEqual({ row: 4, column: 2 });
    expect(advanced({ row: 1, column: 2 }, key('Enter'), extent, 0)).toEqual({ row: 2, column: 0 });
  });

  it('ranges go to and from spreadsheets, with tabs, quotes and line breaks in cells', () => {
    covers('INV-B.30');
    const cells = [
      ['a\tb', 'say "x"', 'two\nlines'],
      ['', '=1', 'é'],
    ];
    expect(parseTsv(printTsv(cells))).toEqual(cells);
    expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(spread([['x']], 2, 3)).toEqual([
      ['x', 'x', 'x'],
      ['x', 'x', 'x'],
    ]);
    expect(spread([['a'], ['b']], 4, 1)).toEqual([['a'], ['b'], ['a'], ['b']]);
    expect(spread([['a', 'b']], 1, 1)).toEqual([['a', 'b']]);
  });
});
