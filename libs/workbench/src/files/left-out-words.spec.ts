import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { leftOutWords } from './left-out-words.ts';

describe('what a file leaves out, in words', () => {
  it('parts of a file with one reason are one line with their number, the first texts and the first places', () => {
    covers('INV-IMPORT.91');
    const texts = ['barge', 'pub "A"', 'barge', 'shop', 'kiosk'];
    const cells = texts.map((text, index) => ({
      path: `sheet Claims, row ${index + 2}, source_type`,
      reason: `${JSON.stringify(text)} is none of Expert, Troll: the cell was left out`,
    }));
    const other = { path: 'sheet Claims, row 3, date', reason: '"soon" is not a date' };
    const lines = leftOutWords([cells[0]!, other, ...cells.slice(1)]);
    expect(lines.map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
      '5 times: "barge", "pub \\"A\\"", "shop" … is none of Expert, Troll: the cell was left out (sheet Claims, row 2, source_type; sheet Claims, row 3, source_type; sheet Claims, row 4, source_type and 2 more)',
      'sheet Claims, row 3, date: "soon" is not a date',
    ]);
  });

  it('a place that stands twice with one reason, and reasons that differ within, keep their own lines', () => {
    covers('INV-IMPORT.91');
    const one = { path: 'claims[1]', reason: 'has a note that is not read: "a"' };
    const lines = [one, { ...one, reason: 'has a note that is not read: "b"' }];
    expect(leftOutWords(lines)).toEqual(lines.map(({ path, reason }) => `${path}: ${reason}`));
    expect(leftOutWords([one, one]).map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
      '2 times: has a note that is not read: "a" (claims[1])',
    ]);
  });
});
