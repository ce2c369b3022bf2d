import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { cellText, COLUMNS, completed, typeCells } from './columns.ts';
import { applied } from './edits.ts';
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
  );

describe('cells of the grid', () => {
  it('pasted rows become claims, with the sources and subjects that they name', () => {
    covers('INV-B.30');
    const { items, madeClaims, madeSources, madeSubjects, refused } = typed([
      ['the herald', 'Bridge', 'open', 'false', 'x', '', '1 June 2025', 'https://a.example'],
      ['City Council', 'Tunnel', 'open', 'true', '', 'It is.', '13/06/2025'],
      ['', '', '', ''],
    ]);
    expect(refused).toEqual([]);
    expect([madeClaims, madeSources.map(({ name }) => name), madeSubjects.map(({ id }) => id)]).toEqual([
      ['c2', 'c3'],
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
        id: 'c2',
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
        id: 'c3',
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
    expect(refused).toEqual([expect.stringContaining('day first or month first')]);
    expect(items.at(-1)!.after).not.toHaveProperty('assertion_time');
    expect(typed([['A', 'B', 'p', 'v', '', '', 'soon']]).refused).toEqual([
      expect.stringContaining('is not a date'),
    ]);
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
