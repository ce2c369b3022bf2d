import { describe, expect, it } from '@jest/globals';
import { DocstoreError, type DocstoreClient } from '@platform/docstore-client';
import { covers } from '@platform/testing/covers';
import type { ClaimInput } from '@platform/opinion-fusion';
import { pinnedQuotesOf } from '../model/pinned-quote.ts';
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
  const checks = await lookUpQuotes(CLIENT, quotes, new AbortController().signal, ({ check }) => check!);
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

  it('a quote that is pinned to a digest alone is not looked for in other bytes', async () => {
    covers('INV-Q.65');
    expect(await warningsOf('two', { sha256: 'a' })).toEqual([]);
    for (const exact of ['two', 'three'])
      expect(await warningsOf(exact, { sha256: 'b' })).toEqual([
        expect.stringContaining('does not have the digest that is named'),
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

describe('quotes of a judgement whose time is up', () => {
  it('the quotes that were not looked for by then are not checked', async () => {
    covers('INV-Q.78');
    const stop = new AbortController();
    const quotes = Array.from({ length: 50 }, (_, index) => ({
      kind: 'claims' as const,
      id: `c${index}`,
      source: { document: 'd', selector: { exact: `three ${index}` } },
    }));
    const checks = await lookUpQuotes(CLIENT, quotes, stop.signal, ({ check }) => {
      setImmediate(() => stop.abort());
      return check!;
    });
    expect(checks[0]).toMatchObject({ state: 'gone' });
    expect(checks.at(-1)).toMatchObject({ state: 'not_checked', reason: 'unavailable' });
  });
});

describe('quotes in other signs than those of their document', () => {
  const contents = '😀 They said: “It’s well\u2011known – a \uFB01nal offer”. It\u2019s not.';
  const client = {
    ...CLIENT,
    get: () => Promise.resolve({ version: 1, sha256: 'a', filename: 'f', contents, metadata: {} }),
  } as unknown as DocstoreClient;
  const checkOf = async (exact: string, of: object = {}) => {
    const quotes = [
      { kind: 'claims' as const, id: 'c', source: { document: 'd', selector: { exact }, ...of } },
    ];
    const { signal } = new AbortController();
    const [check] = await lookUpQuotes(client, quotes, signal, (looked) => looked.check!);
    return check!;
  };

  it.each([
    ["It's well-known - a final offer", 'It’s well‑known – a ﬁnal offer'],
    ['"it\'s WELL-KNOWN', '“It’s well‑known'],
  ])('%s is gone, and the place of the same words is named', async (exact, stored) => {
    covers('INV-Q.67');
    const check = await checkOf(exact);
    expect(check).toMatchObject({ state: 'gone', similar: [{ agreement: 0 }] });
    const { start, end } = check.similar![0]!;
    expect([...contents].slice(start, end).join('')).toBe(stored);
    expect(quoteChecksOf([check], new Date(0)).warnings).toEqual([
      `The quote of claim \`c\` is not in document \`d\`; the same words in other signs are, at ${start} to ${end}: read them, and pin those that are meant.`,
    ]);
  });

  it('a quote that ends within a word is gone, and its warning and check name the whole one', async () => {
    covers('INV-Q.70');
    const check = await checkOf('They sa');
    expect(check).toMatchObject({ state: 'gone', cut: true, similar: [{ start: 2, end: 11, agreement: 0 }] });
    expect(quoteChecksOf([check], new Date(0)).warnings).toEqual([
      'The quote of claim `c` begins or ends within a word or number of document `d`; the whole words are at 2 to 11: read them, and pin those that are meant.',
    ]);
  });

  it('a part that a word holds twice names that word once', async () => {
    covers('INV-Q.82');
    expect((await checkOf('f')).similar).toHaveLength(1);
  });

  it('nothing similar is named of words that stand there, that are other words, or in other bytes than are pinned', async () => {
    covers('INV-Q.67');
    for (const [exact, of] of [
      ['They said', {}],
      ["It's unknown", {}],
      ["It's well-known", { sha256: 'b' }],
    ] as const)
      expect(await checkOf(exact, of)).not.toHaveProperty('similar');
  });
});

describe('sources that name a digest of a whole document', () => {
  /** A store of one document that was edited once. */
  const edited = {
    get: () => Promise.resolve({ version: 2, sha256: 'b', filename: 'f', contents: 'two', metadata: {} }),
    version: (_: string, version: number) =>
      version === 1
        ? Promise.resolve({ version: 1, sha256: 'a', filename: 'f', contents: 'one', metadata: {} })
        : CLIENT.version('d', version),
  } as Partial<Record<keyof DocstoreClient, unknown>> as DocstoreClient;

  async function checkOf(source: { version?: number; sha256?: string }) {
    const claims = [{ id: 'c', source: { document: 'd', ...source } }] as unknown as ClaimInput[];
    const { signal } = new AbortController();
    const [check] = await lookUpQuotes(edited, pinnedQuotesOf({ claims }), signal, (looked) => looked.check);
    return check == null ? [] : [check, ...quoteChecksOf([check], new Date(0)).warnings];
  }
  const base = { kind: 'claims', id: 'c', document: 'd', whole_document: true };

  it.each([
    ['the current version', { sha256: 'b' }, { state: 'verified', version: 2, sha256: 'b' }],
    [
      'an earlier version that is named',
      { version: 1, sha256: 'a' },
      { state: 'verified', version: 1, sha256: 'a', current: { version: 2, state: 'gone' } },
    ],
  ])('a document with the digest of %s is verified without a warning', async (_, source, check) => {
    covers('INV-Q.24');
    expect(await checkOf(source)).toEqual([{ ...base, ...check }]);
  });

  const MISMATCH =
    'the version that is named, or the current one where none is, does not have the digest that is named';
  it.each([
    ['the current version has another digest', { sha256: 'a' }, 'digest_mismatch', MISMATCH],
    ['the version has another digest', { version: 1, sha256: 'b' }, 'digest_mismatch', MISMATCH],
    [
      'the version is not kept',
      { version: 7, sha256: 'a' },
      'no_access',
      'the document, or the version, does not exist, or you or the one who judged may not read it; with the right to read it, judge again',
    ],
  ])('a document is not checked, with the reason, where %s', async (_, source, reason, words) => {
    covers('INV-Q.24', 'INV-Q.10');
    expect(await checkOf(source)).toEqual([
      { ...base, state: 'not_checked', reason },
      `Document \`d\`, which the source of claim \`c\` names, was not checked: ${words}.`,
    ]);
  });

  it('a document whose digest another version has is verified in that one, with a warning that names both', async () => {
    covers('INV-Q.24');
    expect(await checkOf({ version: 7, sha256: 'b' })).toEqual([
      { ...base, state: 'verified', version: 2, sha256: 'b', missing_version: 7 },
      'The source of claim `c` names version 7 of document `d`, which is not kept; version 2 has the digest that it names.',
    ]);
  });

  it.each([[{}], [{ version: 1 }]])(
    'nothing is said about a document that is there and of which neither digest nor passage is named',
    async (source) => {
      covers('INV-Q.25');
      expect(await checkOf(source)).toEqual([]);
    },
  );

  it('a document that is not there is named, although neither digest nor passage of it is', async () => {
    covers('INV-Q.25');
    expect(await checkOf({ version: 7 })).toEqual([
      { ...base, state: 'not_checked', reason: 'no_access' },
      'Document `d`, which the source of claim `c` names, was not checked: the document, or the version, does not exist, or you or the one who judged may not read it; with the right to read it, judge again.',
    ]);
  });
});
