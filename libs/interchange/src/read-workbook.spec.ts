import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { UnreadableFile } from './imported.ts';
import { readWorkbook } from './read-workbook.ts';

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

function workbook(
  sheets: Readonly<Record<string, unknown[][]>>,
  bookType: 'xlsx' | 'xlsb' = 'xlsx',
): Uint8Array {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows, { cellDates: true, UTC: true }), name);
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType, compression: true }) as ArrayBuffer);
}

describe('workbooks', () => {
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

  const good = workbook({ Claims: ROWS.slice(0, 2) });
  const parts = unzipSync(good);
  it.each<[string, Uint8Array, string]>([
    ['is text', strToU8('source,subject'), 'no XLSX workbook'],
    ['is another zip', zipSync({ 'a.txt': strToU8('a') }), 'no [Content_Types].xml'],
    ['is a binary workbook', workbook({ Claims: ROWS.slice(0, 2) }, 'xlsb'), 'save it as .xlsx'],
    ['is cut off', good.subarray(0, good.length / 2), 'damaged'],
    [
      'unpacks beyond the limit',
      zipSync({ ...parts, 'xl/bomb.xml': new Uint8Array(70_000_000) }),
      'unpacks to more',
    ],
    [
      'declares entities',
      zipSync({
        ...parts,
        'xl/workbook.xml': strToU8('<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook>&a;</workbook>'),
      }),
      'declares entities',
    ],
    ['holds no claim', workbook({ Notes: [['remember'], ['milk']] }), 'no column for actor_id'],
    ['is empty', new Uint8Array(0), 'no XLSX workbook'],
  ])('a file that %s is refused by name', (_name, bytes, message) => {
    covers('INV-IMPORT.5');
    expect(() => readWorkbook(bytes)).toThrow(UnreadableFile);
    expect(() => readWorkbook(bytes)).toThrow(message);
  });
});
