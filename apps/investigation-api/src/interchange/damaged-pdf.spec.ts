import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { damaged } from '@platform/testing/damaged';
import { pdfOf } from '@platform/testing/pdf';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createInterchange, type Interchange } from './interchange.ts';

fc.configureGlobal({ seed: SEED });

const worker = bundleWorker(new URL('./interchange-worker.ts', import.meta.url));
let interchange: Interchange;
beforeAll(() => {
  interchange = createInterchange({ memoryMiBMax: 256, file: worker.file });
});
afterAll(async () => {
  await interchange.close();
  worker.remove();
});

/** What a caller hears of these bytes: the text of the file, or the kind and words of the refusal. */
const outcomeOf = (bytes: Uint8Array<ArrayBuffer>) =>
  interchange.readPdf({ bytes }, { owner: 'a', signal: new AbortController().signal }).then(
    ({ text }) => text,
    ({ kind, message }: DomainError) => `${kind}: ${message}`,
  );

describe('damaged PDF files in the thread that reads them', () => {
  it('every damaged file is read or refused in words', async () => {
    covers('INV-Q.17');
    const good = await pdfOf(['The bridge is closed.', 'Agreed.']);
    await fc.assert(
      fc.asyncProperty(damaged(good), async (bytes) => {
        expect(await outcomeOf(Uint8Array.from(bytes))).not.toMatch(
          /^(?!unprocessable)[a-z_]+: |undefined|\[object /,
        );
      }),
      { numRuns: 300 },
    );
  });
});
