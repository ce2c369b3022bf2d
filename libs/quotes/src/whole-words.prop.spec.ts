import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { anchorQuote } from './anchor.ts';
import { IndexedText } from './indexed-text.ts';
import { selectPassage } from './selector.ts';

fc.configureGlobal({ seed: SEED });

const SIGNS = [
  'a',
  'é',
  'e\u0301',
  'ß',
  '𝔞',
  'я',
  'א',
  'م',
  '한',
  'क',
  'ि',
  '1',
  '٣',
  '他',
  'か',
  'ท',
  'ี',
  '๑',
];
const BETWEEN = [' ', '\n', ',', '.', '-', '’', '\u00A0', '\u00AD', '\u200C', '“', '€', '½', '²', '₂', '🥊'];
const texts = fc
  .array(fc.constantFrom(...SIGNS, ...BETWEEN), { minLength: 1, maxLength: 40 })
  .map((signs) => signs.join(''));

/** Whether letters or digits of one word are on both sides, as Unicode divides words (UAX 29). */
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
const SPACELESS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Thai}]/u;
const isInside = (text: string, at: number) =>
  [...WORDS.segment(text)].some(
    ({ index, segment }) =>
      index < at &&
      at < index + segment.length &&
      !SPACELESS.test(segment) &&
      /[\p{L}\p{Nd}]\p{M}*$/u.test(text.slice(index, at)) &&
      /^[\p{L}\p{Nd}]/u.test(text.slice(at)),
  );

/** All decimal digits of Unicode. */
const DIGITS = Array.from({ length: 0x11_0000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((sign) => /\p{Nd}/u.test(sign));

describe('quotes of numbers', () => {
  it('no quote that ends between two digits, or before a raised or lowered one, is verified or moved', () => {
    covers('INV-Q.76', 'INV-Q.77');
    for (const digit of DIGITS)
      for (const next of [digit, '1', '²', '₂', '⁻²'])
        for (const before of ['', ' ', 'ก', '他'])
          for (const exact of [`${before}${digit}`, `${next.at(-1)!} x`]) {
            const text = `a${before}${digit}${next} x`;
            expect([text, exact, anchorQuote(new IndexedText(text), { exact }).state]).toEqual([
              text,
              exact,
              'gone',
            ]);
          }
  });
});

describe('quotes of stretches of texts', () => {
  it('no quote that is found begins or ends between letters or digits of one word of Unicode', () => {
    covers('INV-Q.68');
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, one, other) => {
        const [from, to] = [one % text.length, other % (text.length + 1)].toSorted((a, b) => a - b);
        const exact = text.slice(from, to);
        fc.pre(exact !== '' && !/\p{Surrogate}/u.test(exact));
        const found = anchorQuote(new IndexedText(text), { exact });
        const indexed = new IndexedText(text);
        const places = found.state === 'verified' ? [found] : found.state === 'moved' ? found.candidates : [];
        for (const { start, end } of places)
          for (const at of [start, end]) expect(isInside(text, indexed.unitsAt(at)!)).toBe(false);
      }),
      { numRuns: soak(20_000, 2_000) },
    );
  });

  it('the selection of any stretch holds it, begins and ends at whole words and numbers, and is verified', () => {
    covers('INV-Q.69');
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, one, other) => {
        const ends = [one % text.length, other % (text.length + 1)];
        const [from, to] = [Math.min(...ends), Math.max(...ends)];
        fc.pre(from < to);
        const passage = selectPassage(text, from, to)!;
        expect(passage.exact).toContain(text.slice(from, to));
        expect(anchorQuote(new IndexedText(text), passage)).toEqual({
          state: 'verified',
          start: passage.start,
          end: passage.end,
        });
      }),
      { numRuns: soak(20_000, 2_000) },
    );
  });
});
