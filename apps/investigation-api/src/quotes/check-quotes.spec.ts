import { describe, expect, it } from '@jest/globals';
import { DocstoreError, type DocstoreClient } from '@platform/docstore-client';
import { covers } from '@platform/testing/covers';
import { lookUpQuotes } from './check-quotes.ts';
import { quoteChecksOf } from './quote-checks.ts';

/** A store of one document in its first version. */
const CLIENT = {
  get: () => Promise.resolve({ version: 1, sha256: 'a', filename: 'f', contents: 'one two', metadata: {} }),
  version: () => Promise.reject(new DocstoreError(404, new Headers(), { error: { code: 'not_found' } })),
} as Partial<Record<keyof DocstoreClient, unknown>> as DocstoreClient;

async function warningsOf(exact: string, source: { version?: number; sha256?: string }) {
  const selector = { exact };
  const quotes = [{ kind: 'claims' as const, id: 'c', source: { document: 'd', selector, ...source } }];
  const checks = await lookUpQuotes(CLIENT, quotes, new AbortController().signal, ({ check }) => check);
  return quoteChecksOf(checks, new Date(0)).warnings;
}

describe('quotes pinned to a version that is not kept', () => {
  it('a warning names the version that is not kept and the one that was read instead', async () => {
    covers('INV-Q.22');
    const instead = ' Version 7, to which it is pinned, is not kept; version 1 was read instead.';
    expect(await warningsOf('three', { version: 7 })).toEqual([
      `The quote of claim \`c\` is not in document \`d\`.${instead}`,
    ]);
    expect(await warningsOf('two', { version: 7, sha256: 'b' })).toEqual([
      `The quote of claim \`c\` is not where it was pinned in document \`d\`; its words stand there once.${instead}`,
    ]);
  });

  it('a quote whose version is not there and whose digest is that of another one is verified in that one, with a warning that names both', async () => {
    covers('INV-Q.22');
    expect(await warningsOf('two', { version: 99, sha256: 'a' })).toEqual([
      'The quote of claim `c` is pinned to version 99 of document `d`, which is not kept; version 1 has the digest that it names, and the words stand there.',
    ]);
  });

  it('no other version is named where the one that the quote is pinned to is there', async () => {
    covers('INV-Q.22');
    expect(await warningsOf('two', { version: 1, sha256: 'a' })).toEqual([]);
    expect(await warningsOf('three', { version: 1 })).toEqual([
      'The quote of claim `c` is not in document `d`.',
    ]);
  });
});
