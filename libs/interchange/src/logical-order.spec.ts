import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pdfOfRuns } from '@platform/testing/pdf';
import { readPdf } from './read-pdf.ts';

/** A line in the order in which it is shown, from the left: its text, and its runs as they are drawn. */
const LINES: readonly (readonly [line: string, shown: readonly string[]])[] = [
  ['ראש העיר אמר', ['רמא', ' ', 'ריעה', ' ', 'שאר']],
  ['הגשר ייסגר ב-15 במאי 2024.', ['.2024 ', 'יאמב', ' 15-', 'ב', ' ', 'רגסיי', ' ', 'רשגה']],
  ['לפי (דוח 12.5%) של Reuters News 2024', ['Reuters News 2024', ' ', 'לש', ' (12.5% ', 'חוד', ') ', 'יפל']],
  [
    'The mayor said שלום לכולם (here) in 2024.',
    ['The mayor said ', 'םלוכל', ' ', 'םולש', ' (here) in 2024.'],
  ],
  ['قال من أول مايو 2024', ['2024 ', 'ﻮ', 'ﻳ', 'ﺎ', 'ﻣ', ' ', 'لوأ', ' ', 'ﻦ', 'ﻣ', ' ', 'لﺎﻗ']],
  ['الاسلام', ['مﻼﺳﻻا']],
  ['ראש העיר אמר 2024', ['2024 רמא ריעה שאר']],
  ['The bridge is closed.', ['The bridge ', 'is closed.']],
];

describe('text from right to left in a PDF file', () => {
  it.each(LINES)('the line %s is stored in the order in which it is read', async (line, shown) => {
    covers('INV-Q.51');
    const page = [shown, ['הריעה תצעומ']];
    const { text } = await readPdf(pdfOfRuns(line.startsWith('The') ? [shown] : page));
    expect(text.split('\n')[0]).toBe(line);
  });

  it('the runs of a line may be drawn in any order, and lines stay lines', async () => {
    covers('INV-Q.51');
    const lines = LINES.slice(0, 5);
    const bytes = pdfOfRuns(
      lines.map(([, shown]) => shown),
      { isBackwards: true },
    );
    expect((await readPdf(bytes)).text.split('\n')).toEqual(lines.map(([line]) => line));
  });
});
