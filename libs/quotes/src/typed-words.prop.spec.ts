import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { articleWith, articles, invented } from './edits.fixture.ts';
import { placesAsTyped } from './typed-words.ts';

fc.configureGlobal({ seed: SEED });

/** Signs as typesetting has them, with what a keyboard types for them. */
const SIGNS = [
  ['“', '"'],
  ['”', '"'],
  ['’', "'"],
  ['–', '-'],
  [' — ', ' - '],
  ['…', '...'],
  ['ﬁ', 'fi'],
  ['ﬄ', 'ffl'],
  ['\u00AD', ''],
  ['\u200C', ''],
  ['\u00A0', ' '],
  ['\n', ' '],
  [' ', ' '],
  ['é', 'é'],
  ['e\u0301', 'é'],
  ['𝔞', '𝔞'],
  ['ab', 'ab'],
  ['12', '12'],
  ['ש', 'ש'],
] as const;
const signs = fc.array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 60 });
const asTyped = (of: readonly (readonly [string, string])[]) => of.map(([, typed]) => typed).join('');
const asStored = (of: readonly (readonly [string, string])[]) => of.map(([stored]) => stored).join('');

describe('quotes that were typed', () => {
  it('any stretch of a text is found at its place as a keyboard types it', () => {
    covers('INV-Q.60');
    fc.assert(
      fc.property(signs, fc.nat(), fc.nat(), (all, one, other) => {
        const [from, to] = [one % (all.length + 1), other % (all.length + 1)].toSorted((a, b) => a - b);
        const words = asTyped(all.slice(from, to)).trim();
        fc.pre(words !== '');
        const stored = asStored(all.slice(from, to)).trim();
        const at = asStored(all).indexOf(stored, asStored(all.slice(0, from)).length);
        const places = placesAsTyped(asStored(all), words);
        expect(places.some(([begin, end]) => begin <= at + stored.length && end >= at)).toBe(true);
      }),
      { numRuns: soak(10_000, 1_000) },
    );
  });

  it('what is found has the letters and digits of what was typed, in their order', () => {
    covers('INV-Q.60');
    const letters = (text: string) =>
      text
        .normalize('NFKD')
        .replace(/[^\p{L}\p{Nd}]/gu, '')
        .toLowerCase();
    fc.assert(
      fc.property(signs, signs, (stored, typed) => {
        const text = asStored(stored);
        for (const [from, to] of placesAsTyped(text, asTyped(typed)))
          expect(letters(text.slice(from, to))).toBe(letters(asTyped(typed)));
      }),
      { numRuns: soak(10_000, 1_000) },
    );
  });

  it('quotes that were invented, or differ in a word, a letter or a sign, are not similar to any place', () => {
    covers('INV-Q.7', 'INV-Q.60');
    fc.assert(
      fc.property(
        invented.filter(({ how }) => how !== 'case' && how !== 'space'),
        (given) => {
          const { text, exact } = articleWith(given);
          fc.pre(!text.includes(exact));
          expect(placesAsTyped(text, exact)).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
    fc.assert(
      fc.property(articles, (article) => expect(placesAsTyped(article.join(''), 'tunnel')).toEqual([])),
      {
        numRuns: 100,
      },
    );
  });
});
