import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pdfOf } from '@platform/testing/pdf';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { damaged } from './damaged.fixture.ts';
import { UnreadableFile } from './imported.ts';

import { readPdf } from './read-pdf.ts';

fc.configureGlobal({ seed: SEED });

const problemOf = (bytes: Uint8Array) =>
  readPdf(bytes).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error;
      return error.message;
    },
  );

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
    ['a file that is no PDF', async () => new TextEncoder().encode('hello'), 'not a PDF file'],
    ['an empty file', async () => new Uint8Array(), 'PDF file'],
    ['an encrypted file', () => pdfOf(['Secret.'], { userPassword: 'x' }), 'password'],
    ['a file of images alone', () => pdfOf(['', '']), 'text recognition'],
  ])('%s is refused with the fix', async (_name, make, words) => {
    covers('INV-Q.17');
    expect(await problemOf(await make())).toContain(words);
  });

  it('damaged files are read or refused in words', async () => {
    covers('INV-Q.17');
    const good = await pdfOf(['The bridge is closed.', 'Agreed.']);
    await fc.assert(
      fc.asyncProperty(damaged(good), async (bytes) => {
        const problem = await problemOf(bytes);
        if (problem !== null) expect(problem.length).toBeGreaterThan(10);
      }),
      { numRuns: 300 },
    );
  });
});
