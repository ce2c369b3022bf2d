import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { workbook } from '@platform/testing/workbook';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { LeftOutList, UnreadableFile } from './imported.ts';
import { unpackWorkbook } from './unpack-workbook.ts';

const ROWS = [
  ['source', 'subject', 'predicate', 'value'],
  ['The Herald', 'Whitehead', 'first flight', 1901],
];

describe('unpacking of workbooks', () => {
  const good = workbook({ Claims: ROWS });
  const parts = unzipSync(good);
  it.each<[string, Uint8Array, string]>([
    ['is text', strToU8('source,subject'), 'no XLSX workbook'],
    ['is another zip', zipSync({ 'a.txt': strToU8('a') }), 'no [Content_Types].xml'],
    ['is a binary workbook', workbook({ Claims: ROWS }, { bookType: 'xlsb' }), 'save it as .xlsx'],
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
    ['is empty', new Uint8Array(0), 'no XLSX workbook'],
  ])('a file that %s is refused by name', (_name, bytes, message) => {
    covers('INV-IMPORT.5');
    expect(() => unpackWorkbook(bytes, new LeftOutList())).toThrow(UnreadableFile);
    expect(() => unpackWorkbook(bytes, new LeftOutList())).toThrow(message);
  });
});
