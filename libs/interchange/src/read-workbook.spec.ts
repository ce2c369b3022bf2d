import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { workbook } from '@platform/testing/workbook';
import { guessMapping, importClaims, readSheet } from '@platform/workbench/claims';
import fc from 'fast-check';
import Papa from 'papaparse';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { UnreadableFile } from './imported.ts';
import { readWorkbook } from './read-workbook.ts';

fc.configureGlobal({ seed: SEED });

const ROWS: unknown[][] = [
  ['source', 'subject', 'predicate', 'value', 'statement', 'date', 'mood'],
  [
    'The Herald',
    'Whitehead',
    'first flight',
    1901,
    'The machine flew.',
    new Date(Date.UTC(1901, 7, 18)),
    'x',
  ],
  ['Town archive', 'Whitehead', 'first flight', true, 'Seen.', '', ''],
  ['', '', '', '', '', '', ''],
  ['The Herald', 'Whitehead', '', 5, 'No property.', '', ''],
];

const PIECES: readonly string[] = [
  ['\r\n', '\r', '\n', '\t', ' ', '\u00a0', '\u2028', '\u0001', '\u001f', '\ufffe', '\u0085'],
  ['_x000D_', '_x005F_', '_x000d_\n', '_xD83D_', 'x005F_', '_', '&', '<', '&lt;', '&#13;', ']]>'],
  ['=1', '-5', "'", '"', '""', ',', ';', '|', '\ufeff', 'é', '😀'],
].flat();

/** How a carriage return is stored: Excel writes the first, other programs the second. */
const CR_FORMS = ['_x000D_', '&#13;', '&#xd;', '_x000d_'] as const;

/** How the text of a cell is stored. Source: ECMA-376 Part 1, 18.3.1.4 and 18.18.11. */
const STORED: Readonly<Record<string, (xml: string, index: number) => { cell: string; shared?: string }>> = {
  'shared strings': (xml, index) => ({ cell: ` t="s"><v>${index}</v>`, shared: `<si><t>${xml}</t></si>` }),
  'shared strings with formats': (xml, index) => ({
    cell: ` t="s"><v>${index}</v>`,
    shared: `<si><r><rPr><b/></rPr><t xml:space="preserve">${xml}</t></r><r><t></t></r></si>`,
  }),
  'strings in cells': (xml) => ({ cell: ` t="inlineStr"><is><t xml:space="preserve">${xml}</t></is>` }),
  'results of formulas': (xml) => ({ cell: ` t="str"><f>A1&amp;B1</f><v>${xml}</v>` }),
  'strings without a formula': (xml) => ({ cell: ` s="0" t="str"><v xml:space="preserve">${xml}</v>` }),
};

/** Formats of the button for money in spreadsheets, each with its own text for zero. */
const ACCOUNTING = {
  dollars: '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
  euros: '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-',
  codes: '_ [$CHF] * #,##0.00_ ;_ [$CHF] * (#,##0.00)_ ;_ [$CHF] * "-"??_ ;_ @_ ',
} as const;
/** What a cell with such a format says: what it shows where that is the number, else the number whole. */
function moneyOf(number: number, before: string, behind = ''): string {
  const amount = number === 1234.5 || (number < 0 && behind !== '') ? '1,234.50' : String(Math.abs(number));
  return `${number < 0 ? '-' : ''}${before}${amount}${behind}`;
}

const isNoXml = (c: string) => (c < ' ' && !'\t\n\r'.includes(c)) || c === '\ufffe';
/** A text in XML of spreadsheets: what XML cannot hold, and what looks like it, as `_xHHHH_`. 22.9.2.19. */
const escapedText = (text: string, cr: string) =>
  [...text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')]
    .map((c) => (isNoXml(c) ? `_x${c.charCodeAt(0).toString(16).padStart(4, '0')}_` : c))
    .join('')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r/g, cr)
    .replace('😀', '&#x1F600;');

const QUOTE_HEAD = [
  'source',
  'subject',
  'predicate',
  'value',
  'source_document',
  'source_exact',
  'source_prefix',
];
const QUOTE_ROW = ['Herald', 'Dam', 'burst', 'yes', 'file_1'];

/** A workbook with one claim that pins a quote, whose words are stored in one way. */
function quoteWorkbook(
  { exact, prefix }: { exact: string; prefix: string },
  stored: (typeof STORED)[string],
  cr: string,
): Uint8Array {
  const cells = [exact, prefix].map((text, index) => stored(escapedText(text, cr), index));
  const rows = [QUOTE_HEAD, QUOTE_ROW].map((row) =>
    row.map((text) => ` t="inlineStr"><is><t>${text}</t></is>`),
  );
  rows[1]!.push(...cells.map(({ cell }) => cell));
  const files = unzipSync(workbook({ Claims: ROWS }, { bookSST: true }));
  const xml = (root: string, content: string) =>
    strToU8(
      `<?xml version="1.0" encoding="UTF-8"?>\r\n<${root} xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${content}</${root.split(' ', 1)[0]}>`,
    );
  const column = (index: number) => String.fromCharCode(65 + index);
  return zipSync({
    ...files,
    'xl/worksheets/sheet1.xml': xml(
      'worksheet',
      `<sheetData>${rows.map((row, y) => `<row r="${y + 1}">${row.map((cell, x) => `<c r="${column(x)}${y + 1}"${cell}</c>`).join('')}</row>`).join('')}</sheetData>`,
    ),
    'xl/sharedStrings.xml': xml('sst', cells.map(({ shared }) => shared ?? '').join('')),
  });
}

describe('workbooks', () => {
  it('the words of a pinned quote and those around it come from a workbook with all their white space', () => {
    covers('INV-IMPORT.34');
    const selector = { start: 8, end: 14, exact: ' burst', prefix: 'The dam ', suffix: '\n' };
    const columns = Object.keys(selector).map((name) => `source_${name}`);
    const { payload, leftOut } = readWorkbook(
      workbook({
        Claims: [
          ['source', 'subject', 'predicate', 'value', 'source_document', ...columns],
          ['Herald', 'Dam', 'burst', true, 'file_1', ...Object.values(selector)],
        ],
      }),
    );
    expect(leftOut.filter(({ path }) => path.includes('row'))).toEqual([]);
    expect(payload.claims).toMatchObject([{ source: { document: 'file_1', selector } }]);
  });

  /** Texts that XML, spreadsheets or CSV write in another way than they are, always with some words. */
  const oddTexts = fc
    .tuple(...[0, 1].map(() => fc.array(fc.constantFrom(...PIECES), { maxLength: 8 })))
    .map(([before, after]) => `${before!.join('')}word${after!.join('')}`);

  it.each(Object.entries(STORED))('a pinned quote of any text comes as it is from %s', (_, stored) => {
    covers('INV-IMPORT.50');
    fc.assert(
      fc.property(oddTexts, oddTexts, fc.constantFrom(...CR_FORMS), (exact, prefix, cr) => {
        const { payload } = readWorkbook(quoteWorkbook({ exact, prefix }, stored, cr));
        expect(payload.claims[0]!.source!.selector).toEqual({ exact, prefix });
      }),
      { numRuns: soak(1000, 200) },
    );
  });

  it('a pinned quote of any text comes as it is from a CSV', () => {
    covers('INV-IMPORT.50');
    fc.assert(
      fc.property(oddTexts, oddTexts, fc.constantFrom('\r\n', '\n'), (exact, prefix, newline) => {
        const csv = Papa.unparse([QUOTE_HEAD, [...QUOTE_ROW, exact, prefix]], { newline });
        const sheet = readSheet(csv);
        const nothing = { actors: [], subjects: [], claims: [] };
        const { claims } = importClaims(sheet, guessMapping(sheet.columns), nothing, {
          createMissing: true,
          sourceTypes: {},
          subjectType: 'topic',
          dateOrders: {},
        });
        expect(claims).toMatchObject([{ source: { selector: { exact, prefix } } }]);
      }),
      { numRuns: soak(1000, 200) },
    );
  });

  it('a row of a workbook whose pinned quote lacks something is left out under its column', () => {
    covers('INV-IMPORT.35');
    const head = ['source', 'subject', 'predicate', 'value', 'source_exact', 'source_start'];
    const { leftOut } = readWorkbook(
      workbook({
        Claims: [head, ['Herald', 'Dam', 'burst', true, 'burst', 'x'], ['Herald', 'Dam', 'burst', true]],
      }),
    );
    expect(leftOut.slice(0, 2)).toEqual([
      { path: 'sheet Claims, row 2, source_exact', reason: expect.stringContaining('source_document') },
      {
        path: 'sheet Claims, row 2, source_start',
        reason: expect.stringMatching(/^"x" must be a whole number/),
      },
    ]);
  });

  it('rows of a sheet become claims with their sources and subjects, and the rest is named', () => {
    covers('INV-IMPORT.3');
    const { payload, leftOut } = readWorkbook(workbook({ Claims: ROWS, Notes: [['remember'], ['milk']] }));
    expect(payload.actors.map(({ name }) => name)).toEqual(['The Herald', 'Town archive']);
    expect(payload.claims.map(({ value, assertion_time }) => [value, assertion_time])).toEqual([
      ['1901', '1901-08-18T00:00:00Z'],
      ['true', undefined],
    ]);
    expect(leftOut.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['sheet Claims, column mood', 'sheet Claims, row 5, predicate', 'sheet Notes']),
    );
  });

  it('a workbook with a column Type for its sources is read, and other words there are left out by name', () => {
    covers('INV-IMPORT.56', 'INV-IMPORT.57');
    const head = ['Source', 'Type', 'Subject', 'Property', 'Value'];
    const typesOf = (...types: string[]) => {
      const rows = types.map((type, index) => [`Source ${index}`, type, 'Dam', 'burst', `v${index}`]);
      const { payload, leftOut } = readWorkbook(workbook({ Claims: [head, ...rows] }));
      return {
        types: payload.actors.map((actor) => actor.source_type),
        claims: payload.claims.map((claim) => claim.claim_type),
        left: leftOut
          .filter(({ path }) => /row \d/.test(path))
          .map(({ path, reason }) => `${path}: ${reason}`),
      };
    };
    expect(typesOf('journalist', 'Social media')).toEqual({
      types: ['Journalist', 'SocialMedia'],
      claims: [undefined, undefined],
      left: [],
    });
    expect(typesOf('expert', 'newspaper')).toEqual({
      types: ['Expert', 'Journalist'],
      claims: [undefined, undefined],
      left: ['sheet Claims, row 3, source_type: "newspaper" was read as Journalist'],
    });
    expect(typesOf('expert', 'barge')).toEqual({
      types: ['Expert', 'Insider'],
      claims: [undefined, undefined],
      left: [
        expect.stringMatching(
          /^sheet Claims, row 3, source_type: "barge" is none of .*: the cell was left out$/,
        ),
      ],
    });
    expect(typesOf('newspaper', 'causal')).toEqual({
      types: ['Insider', 'Insider'],
      claims: [undefined, 'causal'],
      left: [
        expect.stringMatching(
          /^sheet Claims, row 2, claim_type: "newspaper" is none of .*: the cell was left out$/,
        ),
      ],
    });
  });

  it('each type of a source other than the one that stands is named with its row, in and across sheets and the session', () => {
    covers('INV-IMPORT.26');
    const names = ['Ann', 'Bob', 'ANN', 'Own'];
    const types = ['Regulator', 'SocialMedia', 'Expert', ''];
    const rowsOf = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...types)), {
      minLength: 1,
      maxLength: 6,
    });
    const own = { id: 'own', name: 'Own', source_type: 'Expert' };
    fc.assert(
      fc.property(rowsOf, rowsOf, (...drawn) => {
        const sheets = drawn.map((rows) => [
          ['source', 'source_type', 'subject', 'predicate', 'value'],
          ...rows.map(([name, type], index) => [name, type, 'S', 'p', `v${index}`]),
        ]);
        const file = workbook({ One: sheets[0]!, Two: sheets[1]! });
        const { payload, leftOut } = readWorkbook(file, { actors: [own], subjects: [] });
        const kept = new Map(payload.actors.map((actor) => [actor.name.toLowerCase(), actor.source_type]));
        const named = leftOut.map(({ path, reason }) => `${path}: ${reason}`);
        for (const [sheet, rows] of drawn.entries()) {
          const seen = new Set<string>();
          for (const [index, [name, type]] of rows.entries()) {
            const stays = kept.get(name.toLowerCase())!;
            const key = `${name.toLowerCase()} ${type}`;
            if (type === '' || type === stays || seen.has(key)) continue;
            seen.add(key);
            const place = `sheet ${['One', 'Two'][sheet]!}, row ${index + 2}, source_type: ${type} is not taken: the source "`;
            expect(
              named.filter((words) => words.startsWith(place) && words.includes(`stays ${stays}`)),
            ).toHaveLength(1);
          }
        }
        expect(kept.get('own') ?? 'Expert').toBe('Expert');
      }),
      { numRuns: 40 },
    );
  });

  it('claims without ids keep theirs when rows are added before them, and are others in another workbook', () => {
    covers('INV-IMPORT.3');
    const rows = (...values: string[]) => [
      ROWS[0]!,
      ...values.map((value) => ['The Herald', 'S', 'p', value]),
    ];
    const idsOf = (...values: string[]) =>
      readWorkbook(workbook({ Claims: rows(...values) })).payload.claims.map(({ id }) => id);
    const [one, other] = idsOf('1', '2');
    expect(idsOf('3', '1', '2')).toEqual([expect.any(String), one, other]);
    expect(new Set(idsOf('1', '1', '2')).size).toBe(3);
    expect(new Set([...idsOf('1', '2'), ...idsOf('3', '4')]).size).toBe(4);
    const withIds = [
      ['id', ...ROWS[0]!],
      ['c1', 'The Herald', 'S', 'p', '1'],
      ['', 'The Herald', 'S', 'p', '2'],
    ];
    expect(readWorkbook(workbook({ Claims: withIds })).payload.claims.map(({ id }) => id)).toEqual([
      'c1',
      other,
    ]);
  });

  it('sources and subjects that are there are found by name and stay as they are', () => {
    covers('INV-IMPORT.3');
    const herald = { id: 'h', name: 'The Herald', source_type: 'Regulator', base_reliability: 0.9 };
    const whitehead = { id: 'w', name: 'Whitehead', subject_type: 'person' };
    const there = { actors: [herald, { id: 'x', name: 'Unused' }], subjects: [whitehead] };
    const { payload } = readWorkbook(workbook({ Claims: ROWS }), there);
    expect(payload.actors).toEqual([herald, expect.objectContaining({ name: 'Town archive' })]);
    expect(payload.subjects).toEqual([whitehead]);
    expect(payload.claims[0]).toMatchObject({ actor_id: 'h', subject_id: 'w' });
  });

  it('a formula gives its stored value and is not computed', () => {
    covers('INV-IMPORT.3');
    const book = XLSX.read(workbook({ Claims: ROWS.slice(0, 2) }), {
      type: 'array',
      cellDates: true,
      UTC: true,
    });
    book.Sheets['Claims']!['D2'] = { t: 'n', v: 7, f: 'WEBSERVICE("http://localhost")' };
    const bytes = new Uint8Array(
      XLSX.write(book, { type: 'array', bookType: 'xlsx', cellDates: true }) as ArrayBuffer,
    );
    expect(readWorkbook(bytes).payload.claims[0]!.value).toBe('7');
  });

  const HEAD = ['id', 'source', 'subject', 'target_claim_id', 'predicate', 'value'];
  const table = (...rows: unknown[][]) => [HEAD, ...rows];

  it('a cell that cannot be read says that its row was left out, and a source that stands in no other row is named', () => {
    covers('INV-IMPORT.92');
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'date'],
      ['Herald', 'Dam', 'height', '12 m', '2025-06-07'],
      ['Blog', 'Dam', 'height', '13 m', '31/02/2025'],
      ['BLOG', 'Dam', 'age', '', '2025-06-07'],
      ['herald', '', 'age', '9', '2025-06-07'],
      ['Times', 'Dam', 'age', '9', 'soon'],
    ];
    const more = [rows[0]!, ['Times', 'Dam', 'age', '9', '']];
    const { payload, leftOut } = readWorkbook(workbook({ Claims: rows, More: more }));
    expect(payload.actors.map(({ name }) => name)).toEqual(['Herald', 'Times']);
    const lines = leftOut.map(({ path, reason }) => `${path}: ${reason}`);
    expect(lines.filter((line) => !line.includes('source_type'))).toEqual([
      expect.stringMatching(/^sheet Claims, row 3, assertion_time: "31.*: the row was left out$/),
      expect.stringMatching(/^sheet Claims, row 4, value: .*: the row was left out$/),
      expect.stringMatching(/^sheet Claims, row 5, subject_id: .*: the row was left out$/),
      expect.stringMatching(/^sheet Claims, row 6, assertion_time: "soon".*: the row was left out$/),
      'source Blog: stands only in rows that were left out: it was left out, too',
    ]);
  });

  it('a row or an id that stands on two sheets is treated as one that stands twice on one sheet', () => {
    covers('INV-IMPORT.18');
    const [same, one] = [
      ['', 'Herald', 'S', '', 'p', '1'],
      ['c1', 'Herald', 'S', '', 'p', '2'],
    ];
    const { payload, leftOut } = readWorkbook(workbook({ A: table(same, one), B: table(same, one, one) }));
    expect(payload.claims.map(({ id, value }) => [id, value])).toEqual([
      [expect.stringMatching(/^row-/), '1'],
      ['c1', '2'],
      [expect.stringMatching(/^row-/), '1'],
    ]);
    expect(leftOut).toEqual([
      { path: 'sheet B, row 3, id', reason: '"c1" stands already in sheet A, row 3: the row was left out' },
      { path: 'sheet B, row 4, id', reason: '"c1" stands already in sheet A, row 3: the row was left out' },
    ]);
  });

  it('a row about a claim that is nowhere is left out with what is about it, and one about a claim of another sheet or of the session is taken', () => {
    covers('INV-IMPORT.18');
    const bytes = workbook({
      A: table(
        ['m1', 'Herald', '', 'c9', 'is_true', 'false'],
        ['m2', 'Herald', '', 'm1', 'is_true', 'false'],
        ['m3', 'Herald', '', 'c1', 'is_true', 'false'],
        ['m4', 'Herald', '', 'm5', 'is_true', 'false'],
        ['m5', 'Herald', '', 'm4', 'is_true', 'false'],
      ),
      B: table(['c1', 'Herald', 'S', '', 'p', '1'], ['c2', 'Herald', 'S', 'c1', 'p', '1']),
    });
    const alone = readWorkbook(bytes);
    expect(alone.payload.claims.map(({ id }) => id)).toEqual(['m3', 'c1']);
    expect(alone.leftOut.map(({ path }) => path).sort()).toEqual([
      'sheet A, row 2, target_claim_id',
      'sheet A, row 3, target_claim_id',
      'sheet A, row 5, target_claim_id',
      'sheet A, row 6, target_claim_id',
      'sheet B, row 3, target_claim_id',
    ]);
    const merged = readWorkbook(bytes, { actors: [], subjects: [], claims: [{ id: 'c9' }] });
    expect(merged.payload.claims.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'c1']);
    expect(merged.payload.claims[0]).toMatchObject({ target_claim_id: 'c9' });
  });

  it('no id, reference or interval of a row refuses the rows of other sheets', () => {
    covers('INV-IMPORT.18');
    const name = fc.constantFrom('', 'a', 'b', 'c', 'd');
    const day = fc.constantFrom('', '2024-05-01', '2024-05-02', 'May');
    const row = fc.tuple(
      name,
      fc.constantFrom('Herald', 'Echo', ''),
      name,
      name,
      fc.constant('p'),
      name,
      day,
      day,
    );
    const sheets = fc.array(fc.array(row, { maxLength: 6 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(sheets, fc.subarray(['a', 'b']), (lists, ids) => {
        const heading = [...HEAD, 'event_start_time', 'event_end_time'];
        const good = [['', 'Herald', 'S', '', 'p', 'good', '', '']];
        const book = workbook(
          Object.fromEntries([...lists, good].map((rows, at) => [`S${at}`, [heading, ...rows]])),
        );
        const there = { actors: [], subjects: [], claims: ids.map((id) => ({ id })) };
        const { payload, leftOut } = readWorkbook(book, there);
        expect(payload.claims.map(({ value }) => value)).toContain('good');
        const rows = lists.flat().filter((cells) => cells.some((cell) => cell !== ''));
        const named = new Set(leftOut.flatMap(({ path }) => /^sheet S\d+, row \d+/.exec(path) ?? []));
        expect(payload.claims.length + named.size).toBe(rows.length + 1);
      }),
    );
  });

  const dated = (...dates: unknown[]) => [
    ['source', 'subject', 'predicate', 'value', 'date'],
    ...dates.map((date, at) => ['The Herald', 'S', 'p', String(at), date]),
  ];

  const valued = (...values: unknown[]) => [
    ['source', 'subject', 'predicate', 'value'],
    ...values.map((value, at) => [`Paper ${at}`, 'Bridge', 'length', value]),
  ];
  const valuesOf = (bytes: Uint8Array, numbers?: 'comma' | 'point') =>
    readWorkbook(bytes, undefined, { numbers }).payload.claims.map(({ value }) => value);

  it('texts with numbers are read by the decimal mark that their column shows, and cells that are numbers stay', () => {
    covers('INV-B.101');
    const bytes = workbook({ Claims: valued('12,50 m', '€ 1.250,75', 1.125, 1250) });
    expect(valuesOf(bytes)).toEqual(['12.50 m', '€ 1250.75', '1.125', '1250']);
    expect(valuesOf(bytes, 'point')).toEqual(valuesOf(bytes));
    expect(readWorkbook(bytes).leftOut).toContainEqual({
      path: 'sheet Claims, column value',
      reason: 'has decimal commas: "12,50 m" was read as 12.50 m',
    });
    expect(JSON.stringify(readWorkbook(workbook({ Claims: valued(1.125, 12) })).leftOut)).not.toContain(
      'decimal',
    );
  });

  it('a workbook whose texts with numbers could be read either way is refused, naming the column and what to send', () => {
    covers('INV-B.101');
    const bytes = workbook({ Claims: valued('1.250 m', 3.125) });
    expect(() => valuesOf(bytes)).toThrow(
      'numbers: "1.250 m" in column value of sheet Claims could be 1250 m or 1.250 m: send numbers=decimal_comma or numbers=decimal_point',
    );
    expect(valuesOf(bytes, 'comma')).toEqual(['1250 m', '3.125']);
    expect(valuesOf(bytes, 'point')).toEqual(['1.250 m', '3.125']);
  });

  it('a column of dates that contradict each other is refused with one of either order', () => {
    covers('INV-IMPORT.23');
    expect(() => readWorkbook(workbook({ Claims: dated('13/06/2024', '08/13/2024') }))).toThrow(
      /^dates: the day or the month may come first in column date of sheet Claims, where "13\/06\/2024" has the day first and "08\/13\/2024" the month: send/,
    );
  });

  it('a date whose century is open is not named as one that shows an order of day and month', () => {
    covers('INV-IMPORT.23');
    expect(() => readWorkbook(workbook({ Claims: dated('25/05/24', '13/06/2024', '08/13/2024') }))).toThrow(
      'where "13/06/2024" has the day first and "08/13/2024" the month',
    );
  });

  it('texts of a column of dates are read in the order that the column of their sheet shows', () => {
    covers('INV-IMPORT.23');
    const { payload } = readWorkbook(
      workbook({
        'Month first': dated('05/06/2024', '05/17/2024'),
        'Day first': dated('05/06/2024', '17/05/2024', new Date(Date.UTC(2024, 3, 3))),
      }),
    );
    expect(payload.claims.map(({ assertion_time: time }) => time!.slice(0, 10))).toEqual([
      '2024-05-06',
      '2024-05-17',
      '2024-06-05',
      '2024-05-17',
      '2024-04-03',
    ]);
  });

  it('a workbook whose dates could be read either way is refused, naming sheet, column, an example and what to send', () => {
    covers('INV-IMPORT.23');
    const bytes = workbook({
      Claims: dated('2024-01-31', '05/06/2024'),
      Clear: dated('05/06/2024', '17/05/2024'),
    });
    expect(() => readWorkbook(bytes)).toThrow(
      'dates: the day or the month may come first in "05/06/2024" in column date of sheet Claims: send dates=day_first or dates=month_first, or write the dates as 2025-05-31',
    );
    const times = (dates: 'day-first' | 'month-first') =>
      readWorkbook(bytes, undefined, { dates }).payload.claims.map(({ assertion_time: time }) => time);
    const clear = ['2024-06-05T00:00:00Z', '2024-05-17T00:00:00Z'];
    expect(times('month-first')).toEqual(['2024-01-31T00:00:00Z', '2024-05-06T00:00:00Z', ...clear]);
    expect(times('day-first')).toEqual(['2024-01-31T00:00:00Z', '2024-06-05T00:00:00Z', ...clear]);
  });

  it('a table gives the same claims as a CSV and as a workbook, whatever forms its dates have', () => {
    covers('INV-IMPORT.23');
    const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const forms: readonly ((y: number, m: number, d: number) => string)[] = [
      (y, m, d) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`,
      (y, m, d) => `${y}/${m}/${d}`,
      (y, m, d) => `${d}/${m}/${y}`,
      (y, m, d) => `${m}/${d}/${y}`,
      (y, m, d) => `${d}.${m}.${y}`,
      (y, m, d) => `${m}-${d}-${y} 14:30`,
      (y, m, d) => `Mon, ${m}/${d}/${y}`,
      (y, m, d) => long.format(Date.UTC(y, m - 1, d)),
      (y, m) => `${y}-${String(m).padStart(2, '0')}`,
      (y) => `${y}`,
      () => 'soon',
      () => '',
    ];
    const cell = fc
      .tuple(
        fc.integer({ min: 1900, max: 2099 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
      )
      .chain((parts) => fc.constantFrom(...forms).map((form) => form(...parts)));
    const column = fc.oneof(
      fc.array(cell, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...forms.slice(2, 7)).chain((form) =>
        fc.array(
          fc
            .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
            .map(([m, d]) => form(2024, m, d)),
          { minLength: 1, maxLength: 4 },
        ),
      ),
    );
    fc.assert(
      fc.property(
        column,
        column,
        fc.constantFrom('date', 'event date', 'until'),
        fc.constantFrom(undefined, 'day-first' as const, 'month-first' as const),
        (said, happened, heading, dates) => {
          const rows = [
            [
              'source',
              'subject',
              'predicate',
              'value',
              'assertion_time',
              heading === 'date' ? 'from' : heading,
            ],
            ['Herald', 'S', 'p', 'undated', '', ''],
            ...said.map((one, at) => ['Herald', 'S', 'p', String(at), one, happened[at] ?? '']),
          ];
          const sheet = readSheet(
            rows.map((cells) => cells.map((text) => JSON.stringify(text)).join(',')).join('\n'),
          );
          const csv = importClaims(
            sheet,
            guessMapping(sheet.columns),
            { actors: [], subjects: [], claims: [] },
            {
              createMissing: true,
              sourceTypes: {},
              subjectType: 'topic',
              dateOrders:
                dates === undefined
                  ? {}
                  : { assertion_time: dates, event_start_time: dates, event_end_time: dates },
            },
          );
          const read = () => readWorkbook(workbook({ Claims: rows }), undefined, { dates });
          if (csv.undecided.length > 0)
            return expect(read).toThrow(/^dates: the day or the month may come first/);
          const contentOf = (claims: readonly object[]) =>
            claims.map((claim) => ({ ...claim, id: '', actor_id: '', subject_id: '' }));
          expect(contentOf(read().payload.claims)).toEqual(contentOf(csv.claims));
        },
      ),
    );
  });

  it.each<[unknown, string, string]>([
    [0.75, 'h:mm', '18:00'],
    [1.5, '[h]:mm', '36:00'],
    [12, '0 "km"', '12 km'],
    [123, '00000', '00123'],
    [0.125, '0%', '12.5%'],
    [0.305, '0%', '30.5%'],
    [-0.07, '0.0%', '-7%'],
    [30.5, '0.0"%"', '30.5%'],
    [0.1 + 0.2, '0.00', '0.3'],
    [0.1 + 0.2, 'General', '0.3'],
    [1 / 3, '0.00', '0.333333333333333'],
    [45413, 'mmmm yyyy', 'May 2024'],
    [45413, 'mmm-yy', '2024-05'],
    [45413, 'yyyy', '2024'],
    [45413, 'dddd', 'Wednesday'],
    [45413, '[$-409]d mmmm yyyy', '2024-05-01'],
    [45413, 'd-mmm', '2024-05-01'],
    [45413.5, 'm/d/yy', '2024-05-01'],
    [45413.5, 'yyyy-mm-dd hh:mm', '2024-05-01T12:00:00.000Z'],
    [1234.5678, '#,##0.0', '1234.5678'],
    [-12, '#,##0_);(#,##0)', '-12'],
    [0.5, '# ?/?', '0.5'],
    [123456789012, 'General', '123456789012'],
    ...[0, 1234.5, 1234.5678, -1234.5].flatMap((number): [number, string, string][] => [
      [number, ACCOUNTING.dollars, moneyOf(number, '$')],
      [number, ACCOUNTING.euros, moneyOf(number, '', ' €')],
      [number, ACCOUNTING.codes, moneyOf(number, 'CHF ')],
    ]),
    [0, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', '0'],
    [1234567, '$#,##0.0,,"M"', '$1234567'],
    [1234567, '$#,##0,', '$1234567'],
    [0, '0;-0;"none"', 'none'],
    [12.34, '0.0 "KMH"', '12.3 KMH'],
  ])('a cell that holds %s in the format %s says %s', (v, z, text) => {
    covers('INV-IMPORT.19', 'INV-IMPORT.53');
    const book = XLSX.read(workbook({ Claims: [ROWS[0]!, ROWS[2]!] }), { type: 'array' });
    book.Sheets['Claims']!['D2'] = { t: 'n', v, z };
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
    expect(readWorkbook(bytes).payload.claims[0]!.value).toBe(text);
  });

  it('every minute of a day that a cell stores is read as that minute', () => {
    covers('INV-IMPORT.78');
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => minute);
    const row = (minute: number) => ['The Herald', 'Bridge', `p${minute}`, 0, 'Seen.', '', ''];
    const book = XLSX.read(workbook({ Claims: [ROWS[0]!, ...minutes.map(row)] }), { type: 'array' });
    for (const minute of minutes)
      book.Sheets['Claims']![`D${minute + 2}`] = { t: 'n', v: 46_145 + minute / 1440, z: 'yyyy-mm-dd hh:mm' };
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
    const day = Date.UTC(2026, 4, 3);
    expect(readWorkbook(bytes).payload.claims.map(({ value }) => Date.parse(value) - day)).toEqual(
      minutes.map((minute) => minute * 60_000),
    );
  });

  it.each([
    [1_234_567.5, '$0.0,,"M"', '$1234567.5', null],
    [-1_234.5, '0.0,,"M"', '-1234.5', null],
    [1_234_567.5, '0.0,,"Mio" €', '1234567.5 €', null],
    [1_500, '0.0,"k"', '1500', null],
    [12_345, '0.0,"km"', '12.3km', '12.3km in row 2 is 12345 in the workbook'],
    [1_234_567.5, '#,##0" kr"', '1,234,568 kr', '1,234,568 kr in row 2 is 1234567.5 in the workbook'],
    [12, '0" m2"', '12 m2', null],
    [123, '00000', '00123', null],
    [5_551_234_567, '(000) 000-0000', '(555) 123-4567', null],
  ])(
    'the number %p in the format %p is read as %p, and one that is rounded is named',
    (v, z, text, named) => {
      covers('INV-IMPORT.55');
      const book = XLSX.read(workbook({ Claims: [ROWS[0]!, ROWS[2]!] }), { type: 'array' });
      book.Sheets['Claims']!['D2'] = { t: 'n', v, z };
      const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
      const { payload, leftOut } = readWorkbook(bytes);
      expect(payload.claims[0]!.value).toBe(text);
      const reasons = leftOut.flatMap(({ path, reason }) =>
        path === 'sheet Claims, column value' ? [reason.split(':')[0]] : [],
      );
      expect(reasons).toEqual(named === null ? [] : [named]);
    },
  );

  it('a cell whose formula has no stored value is named as such, and taken as empty', () => {
    covers('INV-IMPORT.19');
    const heading = ['source', 'subject', 'predicate', 'value', 'content'];
    const book = XLSX.read(workbook({ Claims: [heading, ['Herald', 'S', 'p', '1', 'x']] }), {
      type: 'array',
    });
    book.Sheets['Claims']!['E2'] = { t: 'n', f: '1+1' };
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
    const { payload, leftOut } = readWorkbook(bytes);
    expect(payload.claims[0]).toMatchObject({ value: '1' });
    expect(leftOut).toContainEqual({
      path: 'sheet Claims, row 2, column E',
      reason:
        'holds a formula without a stored value: it was taken as empty; save the workbook in a program that computes it',
    });
  });

  it('hidden sheets, cells that show errors and columns that no cell can fill are named with what to do', () => {
    covers('INV-IMPORT.19');
    const heading = ['source', 'actor_id', 'subject', 'predicate', 'value', 'relationships', 'mood'];
    const book = XLSX.read(workbook({ Claims: [heading, ['', 'Herald', 'S', 'p', '1', 'x', 'y']] }), {
      type: 'array',
    });
    book.Sheets['Claims']!['G2'] = { t: 'e', v: 0x17, w: '#REF!' };
    book.Workbook = { Sheets: [{ Hidden: 2 }] };
    const { leftOut } = readWorkbook(
      new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer),
    );
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { path: 'sheet Claims', reason: expect.stringMatching('is hidden in the workbook') },
        { path: 'sheet Claims, row 2, column G', reason: 'shows the error #REF!: it was taken as empty' },
        { path: 'sheet Claims, column source', reason: 'another column holds actor_id already' },
        {
          path: 'sheet Claims, column relationships',
          reason: expect.stringMatching(/does not fit .* import JSON/),
        },
        { path: 'sheet Claims, column mood', reason: expect.stringMatching(/: those are id, actor_id/) },
      ]),
    );
  });

  it('hidden rows and notes on cells are named with their sheet, row, cell and first words', () => {
    covers('INV-IMPORT.62');
    const rows = [
      ['source', 'subject', 'predicate', 'value'],
      ...['Ann', 'Bob', 'Cy', 'Di'].map((source) => [source, 'Dam', 'open', 'yes']),
    ];
    const book = XLSX.utils.book_new();
    const [plain, claims] = [XLSX.utils.aoa_to_sheet(rows), XLSX.utils.aoa_to_sheet(rows)];
    claims['!rows'] = [{}, {}, { hidden: true }, {}, { hidden: true }, {}, { hidden: true }];
    const note = (t: string, T = false) => ({ a: 'Eve', t, T });
    claims['D2'].c = [note('disputed, do not use & more')];
    claims['A3'].c = [note('first', true), note('second', true)];
    // On a cell that is empty.
    claims['F9'] = { t: 'z', c: [note('x'.repeat(500))] };
    claims['!ref'] = 'A1:F9';
    XLSX.utils.book_append_sheet(book, plain, 'Plain');
    XLSX.utils.book_append_sheet(book, claims, 'Noted');
    const write = () => new Uint8Array(XLSX.write(book, { type: 'array', cellStyles: true }) as ArrayBuffer);
    const read = readWorkbook(write());
    expect(read.payload.claims).toHaveLength(8);
    expect(read.leftOut.filter(({ reason }) => !reason.includes('source_type'))).toEqual([
      {
        path: 'sheet Noted, row 3',
        reason: 'is hidden in the workbook, the first of 2 such rows: they were read as the others',
      },
      { path: 'sheet Noted, cell D2', reason: 'has a note that is not read: "disputed, do not use & more"' },
      { path: 'sheet Noted, cell A3', reason: 'has a note that is not read: "first / second"' },
      { path: 'sheet Noted, cell F9', reason: `has a note that is not read: "${'x'.repeat(80)}"` },
    ]);
    for (let row = 10; row < 60; row += 1) claims[`F${row}`] = { t: 'z', c: [note(`note ${row}`)] };
    claims['!ref'] = 'A1:F60';
    const notes = readWorkbook(write()).leftOut.filter(({ reason }) => reason.includes('note'));
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toEqual({
      path: 'sheet Noted',
      reason: 'has 33 more notes on cells that are not read',
    });
  });

  const SAID = ['source', 'subject', 'predicate', 'value'];
  const rowOf = (source: string, ...more: string[]) => [source, 'Dam', 'open', 'yes', ...more];

  it('hidden columns are named with the heading of the first and their number', () => {
    covers('INV-IMPORT.48');
    const book = XLSX.utils.book_new();
    for (const [name, hidden] of Object.entries({ None: [], One: [3], Two: [0, 3], Unread: [4] })) {
      const sheet = XLSX.utils.aoa_to_sheet([[...SAID, 'mood'], rowOf('Ann', 'calm')]);
      sheet['!cols'] = Array.from({ length: 9 }, (_, at) => ({ hidden: (hidden as number[]).includes(at) }));
      XLSX.utils.book_append_sheet(book, sheet, name);
    }
    const bytes = XLSX.write(book, { type: 'array', cellStyles: true }) as ArrayBuffer;
    const { payload, leftOut } = readWorkbook(new Uint8Array(bytes));
    expect(payload.claims).toHaveLength(4);
    expect(leftOut.filter(({ reason }) => reason.includes('hidden'))).toEqual([
      { path: 'sheet One, column value', reason: 'is hidden in the workbook: it was read as the others' },
      {
        path: 'sheet Two, column source',
        reason: 'is hidden in the workbook, the first of 2 such columns: they were read as the others',
      },
    ]);
  });

  it('cells that are struck through, in full or in part, are named and read as the others', () => {
    covers('INV-IMPORT.54');
    const files = unzipSync(workbook({ Claims: [SAID, rowOf('Ann'), rowOf('Bob'), rowOf('Cem')] }));
    const change = (name: string, edit: (xml: string) => string) => {
      const changed = edit(strFromU8(files[name]!));
      expect(changed).not.toBe(strFromU8(files[name]!));
      files[name] = strToU8(changed);
    };
    const run = (strike: string, text: string) => `<r><rPr>${strike}</rPr><t>${text}</t></r>`;
    change('xl/styles.xml', (xml) =>
      xml
        .replace('</fonts>', '<font><strike/><b/></font><font><strike val="0"/></font></fonts>')
        .replace('</cellXfs>', '<xf fontId="1"/><xf fontId="2"/></cellXfs>'),
    );
    const formats = strFromU8(files['xl/styles.xml']!)
      .split('<cellXfs')[1]!
      .match(/<xf[\s/>]/g)!.length;
    change('xl/worksheets/sheet1.xml', (xml) =>
      xml
        .replace('<c r="A2"', `<c r="A2" s="${formats - 2}"`)
        .replace('<c r="A3"', `<c r="A3" s="${formats - 1}"`)
        .replace(
          /<c r="D3"[^]*?<\/c>/,
          `<c r="D3" t="inlineStr"><is>${run('<strike/>', 'closed ')}${run('', 'yes')}</is></c>`,
        )
        .replace('</row></sheetData>', `<c r="F4" s="${formats - 2}"/></row></sheetData>`),
    );
    const { payload, leftOut } = readWorkbook(zipSync(files));
    expect(payload.claims).toHaveLength(3);
    expect(leftOut.filter(({ reason }) => reason.includes('struck'))).toEqual([
      {
        path: 'sheet Claims',
        reason:
          'has text that is struck through, in A2, D3: it was read as the rest, so delete what is withdrawn',
      },
    ]);
  });

  it('shared texts of which a part is struck through are named in each cell, twenty of a sheet', () => {
    covers('INV-IMPORT.54');
    const rows = Array.from({ length: 30 }, (_, at) => rowOf(`Ann ${at}`, 'withdrawn'));
    const sheet = XLSX.utils.aoa_to_sheet([[...SAID, 'statement'], ...rows]);
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet, 'Claims');
    const files = unzipSync(
      new Uint8Array(XLSX.write(book, { type: 'array', bookSST: true }) as ArrayBuffer),
    );
    const shared = strFromU8(files['xl/sharedStrings.xml']!);
    const struck = shared.replace(
      /<t[^<>]*>withdrawn<\/t>/,
      '<r><rPr><strike val="1"/></rPr><t>with</t></r><r><t>drawn</t></r>',
    );
    expect(struck).not.toBe(shared);
    files['xl/sharedStrings.xml'] = strToU8(struck);
    const { leftOut } = readWorkbook(zipSync(files));
    expect(leftOut.find(({ reason }) => reason.includes('struck'))?.reason).toMatch(
      /in E2, E3, .*E21 and 10 more:/,
    );
  });

  /** A workbook of one sheet, some of whose cells have links. */
  function linkWorkbook(
    rows: unknown[][],
    links: Readonly<Record<string, string>>,
    change: (xml: string) => string = (xml) => xml,
  ): Uint8Array {
    const sheet = XLSX.utils.aoa_to_sheet(rows);
    for (const [cell, Target] of Object.entries(links)) (sheet[cell] as XLSX.CellObject).l = { Target };
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet, 'Claims');
    const files = unzipSync(new Uint8Array(XLSX.write(book, { type: 'array' }) as ArrayBuffer));
    const name = 'xl/worksheets/sheet1.xml';
    return zipSync({ ...files, [name]: strToU8(change(strFromU8(files[name]!))) });
  }
  const PAGE = 'https://herald.example/a?b=1&c=ö#d';
  const OTHER = 'https://echo.example/2';

  it.each<[string, string[], string[], Readonly<Record<string, string>>, object, string[]]>([
    ['a statement', ['content'], ['It is open.'], { E2: PAGE }, { content: 'It is open.', url: PAGE }, []],
    ['a value', [], [], { D2: PAGE }, { value: 'yes', url: PAGE }, []],
    ['a source', ['content'], ['Open.'], { A2: PAGE }, { url: PAGE }, []],
    ['a statement before a source', ['content'], ['Open.'], { A2: OTHER, E2: PAGE }, { url: PAGE }, ['A2']],
    ['a link', ['link'], ['here'], { E2: PAGE }, { url: PAGE }, ['column link']],
    ['a link cut short', ['link'], ['https://herald…'], { E2: PAGE }, { url: PAGE }, ['column link']],
    [
      'a copy',
      ['link', 'archive'],
      [OTHER, 'here'],
      { F2: PAGE },
      { archived_url: PAGE },
      ['column archive'],
    ],
    ['a link that shows its address', ['link'], [PAGE], { E2: PAGE }, { url: PAGE }, []],
    ['a link that shows its host', ['link'], ['www.a.example/'], { E2: 'http://www.a.example' }, {}, []],
    ['a link that shows another address', ['link'], [OTHER], { E2: PAGE }, { url: OTHER }, ['E2']],
    [
      'a statement next to a link',
      ['content', 'link'],
      ['Open.', OTHER],
      { E2: PAGE },
      { url: OTHER },
      ['E2'],
    ],
    ['a subject', [], [], { B2: PAGE }, {}, ['B2']],
    ['an e-mail address', ['content'], ['ann@a.example'], { E2: 'mailto:ann@a.example' }, {}, []],
    ['a file', ['content'], ['Open.'], { E2: 'file:///C:/notes.docx' }, {}, ['E2']],
  ])('the link on the cell of %s is kept with its text or named', (_, head, cells, links, claim, named) => {
    covers('INV-IMPORT.49');
    const bytes = linkWorkbook([[...SAID, ...head], rowOf('Ann', ...cells)], links);
    const { payload, leftOut } = readWorkbook(bytes);
    expect(payload.claims).toMatchObject([claim]);
    if (!('url' in claim) && !head.includes('link')) expect(payload.claims[0]).not.toHaveProperty('url');
    const places = leftOut.filter(({ reason }) => /link|address/.test(reason)).map(({ path }) => path);
    expect(places).toEqual(named.map((place) => `sheet Claims, ${place.replace(/^(?=[A-E]2)/, 'cell ')}`));
  });

  it('a link over several cells and one of a formula are read, and of many that are not read twenty are named', () => {
    covers('INV-IMPORT.49');
    const rows = [SAID, rowOf('Ann'), rowOf('Bob'), rowOf('Cy'), rowOf('Di')];
    const urls = (bytes: Uint8Array) => readWorkbook(bytes).payload.claims.map(({ url }) => url);
    const wide = (xml: string) => xml.replace(/(<hyperlink [^>]*ref=")D2"/, '$1D2:D4"');
    expect(urls(linkWorkbook(rows, { D2: PAGE }, wide))).toEqual([PAGE, PAGE, PAGE, undefined]);
    const formula = (xml: string) =>
      xml.replace(
        /<c r="D3"[^>]*>.*?<\/c>/,
        `<c r="D3" t="str"><f>HYPERLINK(&quot;${PAGE.replace('&', '&amp;')}&quot;,&quot;yes&quot;)</f><v>yes</v></c>`,
      );
    expect(urls(linkWorkbook(rows, {}, formula))).toEqual([undefined, PAGE, undefined, undefined]);
    const all = Array.from({ length: 30 }, (_, at) => rowOf(`Source ${at}`));
    const links = Object.fromEntries(all.map((_, at) => [`B${at + 2}`, PAGE]));
    const named = readWorkbook(linkWorkbook([SAID, ...all], links)).leftOut.filter(({ reason }) =>
      reason.includes('link'),
    );
    expect(named).toHaveLength(21);
    expect(named[0]).toEqual({
      path: 'sheet Claims, cell B2',
      reason: `has a link that is not read: ${PAGE}`,
    });
    expect(named.at(-1)!.reason).toBe('has 10 more links on cells that are not read');
  });

  it('a link over all cells of a sheet costs no more than those of its rows', () => {
    covers('INV-IMPORT.49');
    const whole = (xml: string) => xml.replace(/(<hyperlink [^>]*ref=")D2"/, '$1A1:XFD1048576"');
    const bytes = linkWorkbook([SAID, rowOf('Ann'), rowOf('Bob')], { D2: PAGE }, whole);
    expect(readWorkbook(bytes).payload.claims.map(({ url }) => url)).toEqual([PAGE, PAGE]);
  });

  it('merged cells hold their value in the first row alone, which is said', () => {
    covers('INV-IMPORT.1', 'INV-IMPORT.3');
    const again = ROWS[1]!.map((value, column) => (column === 1 ? null : value));
    const sheet = XLSX.utils.aoa_to_sheet([ROWS[0]!, ROWS[1]!, again], { cellDates: true, UTC: true });
    sheet['!merges'] = [XLSX.utils.decode_range('B2:B3')];
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet, 'Claims');
    const bytes = XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer;
    const { payload, leftOut } = readWorkbook(new Uint8Array(bytes));
    expect(payload.claims).toHaveLength(1);
    expect(leftOut[0]).toEqual({ path: 'merged cells', reason: expect.stringContaining('unmerge them') });
    expect(leftOut.map(({ path }) => path)).toContain('sheet Claims, row 3, subject_id');
  });

  it('a workbook without a claim is refused with the first column that its sheet lacks', () => {
    covers('INV-IMPORT.5');
    const read = () => readWorkbook(workbook({ Notes: [['remember'], ['milk']] }));
    expect(read).toThrow(UnreadableFile);
    expect(read).toThrow('no column for actor_id');
  });
});
