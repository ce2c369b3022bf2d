import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { covers } from '@platform/testing/covers';
import { readWorkbook } from './read-workbook.ts';

const SHEET = 'xl/worksheets/sheet1.xml';

/** The bytes of a workbook with the cell that stands in row 2 of the column of dates as XML. */
function withCell(bytes: Uint8Array, xml: string): Uint8Array {
  const files = unzipSync(bytes);
  const sheet = strFromU8(files[SHEET]!).replace(/<c r="E2"[^>]*>.*?<\/c>/, `<c r="E2"${xml}</c>`);
  return zipSync({ ...files, [SHEET]: strToU8(sheet) });
}

/** What becomes of a cell in the column of dates. */
function datedBy(cell: unknown, { date1904 = false, xml = '' } = {}) {
  const book = XLSX.utils.book_new();
  const rows = [
    ['source', 'subject', 'predicate', 'value', 'date'],
    ['Herald', 'Dam', 'burst', 45458, cell],
    ['Herald', 'Dam', 'height', '12 m', ''],
  ];
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Claims');
  if (date1904) book.Workbook = { ...book.Workbook, WBProps: { date1904 } };
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
  const { payload, leftOut } = readWorkbook(xml === '' ? bytes : withCell(bytes, xml));
  return {
    claims: payload.claims.map(({ value, assertion_time: time }) => [value, time]),
    notes: leftOut.flatMap(({ path, reason }) =>
      /^sheet Claims, (row 2|column date)/.test(path) ? [reason] : [],
    ),
  };
}

describe('numbers in columns of dates', () => {
  it.each([
    [45458, false, '2024-06-15'],
    [45458.75, false, '2024-06-15T18:00:00Z'],
    [43996, true, '2024-06-15'],
    [20000, false, '1954-10-03'],
    [80000, false, '2119-01-11'],
  ])(
    'the number %p, counted from 1904: %p, is read as the day %s that a spreadsheet means, and named',
    (...args) => {
      covers('INV-IMPORT.40');
      const [number, date1904, day] = args;
      expect(datedBy(number, { date1904 })).toEqual({
        claims: [
          ['45458', day.includes('T') ? day : `${day}T00:00:00Z`],
          ['12 m', undefined],
        ],
        notes: [
          `${number} in row 2 has no date format and was read as ${day}, the day that spreadsheets mean by it: format the column as a date`,
        ],
      });
    },
  );

  it.each([19999, 80001, 123456, '45458'])(
    'the number or text %p is no date, and the reason says how to mend it',
    (cell) => {
      covers('INV-IMPORT.40');
      const { claims, notes } = datedBy(cell);
      expect(claims).toEqual([['12 m', undefined]]);
      expect(notes).toEqual([expect.stringMatching(/is not a date: .* format the column as a date/)]);
    },
  );

  it.each([
    ['2024-05-03', '2024-05-03T00:00:00Z'],
    ['2024-05-03T23:30:00', '2024-05-03T23:30:00.000Z'],
    ['2024-05-03T23:30:00.000Z', '2024-05-03T23:30:00.000Z'],
  ])('the date cell %s without a format is read as it says, and not named', (text, time) => {
    covers('INV-IMPORT.106');
    const { claims, notes } = datedBy(1, { xml: ` t="d"><v>${text}</v>` });
    expect([claims[0], notes]).toEqual([['45458', time], []]);
  });

  it.each([
    [2024, '2024-01-01'],
    [20240615, '2024-06-15'],
  ])('the number %p is the date that its digits say, and not named', (cell, day) => {
    covers('INV-IMPORT.40');
    expect(datedBy(cell)).toEqual({
      claims: [
        ['45458', `${day}T00:00:00Z`],
        ['12 m', undefined],
      ],
      notes: [],
    });
  });
});
