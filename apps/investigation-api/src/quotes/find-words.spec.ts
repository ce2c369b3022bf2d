import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { findIn } from './find-words.ts';

fc.configureGlobal({ seed: SEED });

const find = (contents: string, exact: string) =>
  findIn(
    {
      document: 'file_1',
      version: 1,
      sha256: 'a',
      filename: 'f',
      url: null,
      addedAt: null,
      pdfSha256: null,
      contents,
    },
    { exact },
  );

describe('words that are looked for in a document', () => {
  it('words are found across the lines and pages of a document, and the source quotes them as stored', () => {
    covers('INV-Q.18');
    const { state, source } = find('𝔄 The bridge\nis  closed\fall day.', 'bridge is closed all day');
    expect(state).toBe('verified');
    expect(source?.selector).toMatchObject({ start: 6, end: 31, exact: 'bridge\nis  closed\fall day' });
  });

  it('words at several places are listed, and none is chosen', () => {
    covers('INV-Q.18');
    expect(find('closed\nall day, closed  all day', 'closed all day')).toMatchObject({
      state: 'moved',
      occurrences: 2,
      candidates: [
        { start: 0, end: 14 },
        { start: 16, end: 31 },
      ],
    });
  });

  it('other words, and one word cut in two, are not found', () => {
    covers('INV-Q.18');
    expect(find('closed all\nday', 'closed every day').state).toBe('gone');
    expect(find('clo\nsed', 'closed').state).toBe('gone');
  });

  it('what is found are the words that were asked for, whatever the white space', () => {
    covers('INV-Q.18');
    const gap = fc.constantFrom(' ', '\n', '\r\n', '\t ', '\f', '  \n');
    const words = fc.array(fc.constantFrom('a', 'b', '𝔟', 'ab'), { minLength: 2, maxLength: 4 });
    const text = fc.array(fc.tuple(fc.constantFrom('a', 'b', '𝔟', 'ab'), gap), { maxLength: 30 });
    fc.assert(
      fc.property(words, text, (asked, given) => {
        const contents = given.flat().join('');
        const pattern = new RegExp(asked.join('\\s+'), 'g');
        const found = find(contents, asked.join(' '));
        const stand = [...contents.matchAll(pattern)];
        expect(found.state === 'gone').toBe(stand.length === 0);
        if (found.state !== 'verified') return;
        const { start, end, exact } = found.source!.selector as { start: number; end: number; exact: string };
        expect([...contents].slice(start, end).join('')).toBe(exact);
        expect(exact.split(/\s+/)).toEqual(asked);
      }),
    );
  });
});
