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

  it('words that begin or end within a word or number are similar, and the whole ones are named', () => {
    covers('INV-Q.70');
    for (const [contents, exact, whole] of [
      ['a cost of €1,250,000.', 'cost of €1,250', 'cost of €1,250,000'],
      ['the bridge\nis  safeguarded', 'bridge is safe', 'bridge\nis  safeguarded'],
      ['“We’ll go”, 17 to 2', '7 to 2', '17 to 2'],
    ] as const) {
      const { state, candidates, source } = find(contents, exact);
      expect([state, source]).toEqual(['similar', undefined]);
      expect(candidates).toMatchObject([{ source: { selector: { exact: whole } } }]);
    }
  });

  it('a part that a word holds twice is one place', () => {
    covers('INV-Q.82');
    const places = { occurrences: 2, candidates: [{ start: 4 }, { start: 15 }] };
    expect(find('the banana or  banana', 'ana')).toMatchObject({ state: 'similar', ...places });
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

  it('other words are not found, and one word cut in two is similar at most', () => {
    covers('INV-Q.18');
    expect(find('closed all\nday', 'closed every day').state).toBe('gone');
    expect(find('clo\nsed', 'closed').state).toBe('similar');
  });

  it('words that a keyboard types otherwise are similar, and each candidate pins the words as stored', () => {
    covers('INV-Q.58');
    const found = find('𝔄 “We’ll close\nthe dam – soon.”', `"We'll close the dam - soon."`);
    expect(found).toMatchObject({ state: 'similar', occurrences: 1 });
    expect(found.source).toBeUndefined();
    const [{ start, end, source }] = found.candidates as [NonNullable<typeof found.candidates>[0]];
    expect([start, end]).toEqual([2, 31]);
    expect(source).toMatchObject({
      document: 'file_1',
      version: 1,
      sha256: 'a',
      selector: { start, end, exact: '“We’ll close\nthe dam – soon.”', prefix: '𝔄 ' },
    });
  });

  it('words at several places are listed with the source that pins each', () => {
    covers('INV-Q.59');
    for (const [contents, exact] of [
      ['no, no', 'no'],
      ['a\nb, a  b', 'a b'],
      ['“no”, “no”', '"no"'],
    ] as const) {
      const { candidates, occurrences } = find(contents, exact);
      expect(occurrences).toBe(2);
      for (const { start, end, source } of candidates!)
        expect(source.selector).toMatchObject({ start, end, exact: contents.slice(start, end) });
    }
  });

  it('what is found are the words that were asked for, whatever the white space', () => {
    covers('INV-Q.18');
    const gap = fc.constantFrom(' ', '\n', '\r\n', '\t ', '\f', '  \n');
    const words = fc.array(fc.constantFrom('a', 'b', '𝔟', 'ab'), { minLength: 2, maxLength: 4 });
    const text = fc.array(fc.tuple(fc.constantFrom('a', 'b', '𝔟', 'ab'), gap), { maxLength: 30 });
    fc.assert(
      fc.property(words, text, (asked, given) => {
        const contents = given.flat().join('');
        const pattern = new RegExp(String.raw`(?<!\S)${asked.join('\\s+')}(?!\S)`, 'g');
        const found = find(contents, asked.join(' '));
        const stand = [...contents.matchAll(pattern)];
        expect(['gone', 'similar'].includes(found.state)).toBe(stand.length === 0);
        if (found.state !== 'verified') return;
        const { start, end, exact } = found.source!.selector as { start: number; end: number; exact: string };
        expect([...contents].slice(start, end).join('')).toBe(exact);
        expect(exact.split(/\s+/)).toEqual(asked);
      }),
      // The whole words begin within words that are cut.
      {
        examples: [
          [
            ['ab', 'a'],
            [
              ['ab', ' '],
              ['ab', '\n'],
              ['a', ' '],
            ],
          ],
        ],
      },
    );
  });
});
