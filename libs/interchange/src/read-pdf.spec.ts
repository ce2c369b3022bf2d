import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pdfOf, pdfOfObjects } from '@platform/testing/pdf';
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

  it('what was filled into the fields of a form follows the text of its page', async () => {
    covers('INV-Q.50');
    const field = (rest: string) => `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]${rest}>>`;
    const bytes = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R 6 0 R 7 0 R 8 0 R]>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R 5 0 R 6 0 R 7 0 R 8 0 R]>>',
      field('/FT/Tx/T(gifts)/V(Watch worth 12000 euros from Acme)'),
      field('/FT/Tx/T(empty)/V()'),
      field('/FT/Ch/Ff 131072/T(town)/V(BE)/Opt[[(BE)(Bern)][(TH)(Thun)]]'),
      field('/FT/Btn/T(agreed)/V/Yes/AS/Yes/AP<</N<</Yes 9 0 R/Off 9 0 R>>>>'),
      field('/FT/Btn/T(refused)/V/Off/AS/Off/AP<</N<</Yes 9 0 R/Off 9 0 R>>>>'),
      stream('<</Type/XObject/Subtype/Form/BBox[0 0 9 9]', ''),
    ]);
    expect(await readPdf(bytes)).toEqual({
      text: 'gifts: Watch worth 12000 euros from Acme\ntown: Bern\nagreed: Yes',
      pages: 1,
      pagesWithoutText: [],
    });
    const filled = await readPdf(await pdfOf(['Gifts received:'], { fields: { g: 'A watch\nand a boat' } }));
    expect(filled.text).toBe('Gifts received:\ng: A watch\nand a boat');
  });

  const formOf = (...fields: readonly string[]) => {
    const refs = fields.map((_field, at) => `${at + 5} 0 R`).join(' ');
    const shown = stream(
      '<</Type/XObject/Subtype/Form/BBox[0 0 99 9]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>',
      'BT /F 9 Tf (Bern) Tj ET',
    );
    return pdfOfObjects([
      `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${refs}]>>>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Annots[${refs}]>>`,
      shown,
      ...fields.map((field) => `<</Type/Annot/Subtype/Widget/Rect[0 0 99 9]${field}>>`),
    ]);
  };

  it('passwords and defaults that nobody filled in are not stored, values that equal a default are', async () => {
    covers('INV-Q.56');
    const bytes = formOf(
      '/FT/Tx/Ff 8192/T(pin)/V(4711)/AP<</N 4 0 R>>',
      '/FT/Tx/T(canton)/DV(Bern)',
      '/FT/Ch/T(district)/DV(Bern)/Opt[(Bern)(Thun)]',
      '/FT/Tx/T(town)/V(Bern)/DV(Bern)/AP<</N 4 0 R>>',
    );
    expect((await readPdf(bytes)).text).toBe('town: Bern');
  });

  it('a button that is known by its number has its place among the buttons of its name', async () => {
    covers('INV-Q.57');
    const button = (name: string, state: string, checked: string) =>
      `/FT/Btn/Ff 32768/T(${name})/V/${checked}/AS/${state === checked ? state : 'Off'}/AP<</N<</${state} 4 0 R/Off 4 0 R>>>>`;
    const bytes = formOf(
      ...['0', '1'].map((state) => button('gift', state, '1')),
      ...['1', '2', '3'].map((state) => button('grade', state, '2')),
      ...['0', '1'].map((state) => button('other', state, 'None')),
      ...['Yes', 'No'].map((state) => button('agreed', state, 'No')),
    );
    expect((await readPdf(bytes)).text).toBe('gift: 1 (button 2 of 2)\ngrade: 2\nother: None\nagreed: No');
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
    const problem = await problemOf(pdfOfObjects(objects));
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
