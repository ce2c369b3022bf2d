import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pdfOf } from '@platform/testing/pdf';
import { UnreadableFile } from './imported.ts';

import { readPdf } from './read-pdf.ts';

const problemOf = (bytes: Uint8Array) =>
  readPdf(bytes).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error;
      return error.message;
    },
  );

const PAGE = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources 4 0 R/Contents 7 0 R>>',
];
const stream = (dictionary: string, content: string) =>
  `${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`;

/** A PDF file of these objects, numbered from 1, of which the first is the catalog. */
function pdfWith(objects: readonly string[]): Uint8Array {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return new TextEncoder().encode(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}

describe('text of a PDF file', () => {
  it('pages are separated by a form feed, and lines stay lines', async () => {
    covers('INV-Q.16');
    const bytes = await pdfOf(['The bridge is closed.\nIt opens in May.', 'Agreed by all.']);
    expect(await readPdf(bytes)).toEqual({
      text: 'The bridge is closed.\nIt opens in May.\fAgreed by all.',
      pages: 2,
      pagesWithoutText: [],
    });
    expect(bytes.length).toBeGreaterThan(0);
  });

  it('pages without text are named by their number', async () => {
    covers('INV-Q.16');
    const { pages, pagesWithoutText, text } = await readPdf(await pdfOf(['', 'Minutes.', '']));
    expect({ pages, pagesWithoutText, text }).toEqual({
      pages: 3,
      pagesWithoutText: [1, 3],
      text: '\fMinutes.\f',
    });
  });

  it.each([
    ['a file that is not a PDF', async () => new TextEncoder().encode('hello'), 'not a PDF file'],
    ['an empty file', async () => new Uint8Array(), 'PDF file'],
    ['an encrypted file', () => pdfOf(['Secret.'], { userPassword: 'x' }), 'password'],
    ['a file of images alone', () => pdfOf(['', '']), 'text recognition'],
  ])('%s is refused with the fix', async (_name, make, words) => {
    covers('INV-Q.17');
    expect(await problemOf(await make())).toContain(words);
  });

  it.each([
    [
      'pages that contain themselves',
      ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>'],
    ],
    [
      'pages that contain each other',
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 9>>',
        '<</Type/Pages/Kids[2 0 R]/Count 9>>',
      ],
    ],
    ['a catalog that is a reference to itself', ['1 0 R']],
    [
      'a count of pages beyond all bounds',
      ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 2147483647>>'],
    ],
    [
      'a form that draws itself',
      [
        ...PAGE,
        '<</Font<</F 6 0 R>>/XObject<</X 5 0 R>>>>',
        stream('<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 4 0 R', '/X Do /X Do'),
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
        stream('<<', '/X Do'),
      ],
    ],
    [
      'a stream whose length is a reference to itself',
      [...PAGE, '<<>>', '5 0 R', '<<>>', '<</Length 7 0 R>>stream\nBT ET\nendstream'],
    ],
    [
      'filters upon filters',
      [...PAGE, '<<>>', '<<>>', '<<>>', stream(`<</Filter[${'/ASCIIHexDecode '.repeat(5_000)}]`, '00>')],
    ],
  ])('a file with %s ends in words', async (_name, objects) => {
    covers('INV-Q.17');
    const before = process.cpuUsage();
    const problem = await problemOf(pdfWith(objects));
    expect(problem).toMatch(/PDF/);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  it('a table of objects that names itself as the one before it ends in words or in the text', async () => {
    covers('INV-Q.17');
    const good = Buffer.from(await pdfOf(['The bridge is closed.'])).toString('latin1');
    const at = /startxref\s+(\d+)/.exec(good)![1]!;
    const loop = Buffer.from(good.replace(/trailer\s*<</, `trailer\n<< /Prev ${at}`), 'latin1');
    expect((await problemOf(loop)) ?? 'PDF').toMatch(/PDF/);
  });
});
