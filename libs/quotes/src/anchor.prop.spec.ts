import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { anchorQuote } from './anchor.ts';
import { articleWith, articles, editOf, invented, planted } from './edits.fixture.ts';
import { IndexedText } from './indexed-text.ts';
import { occurrencesOf } from './occurrences.ts';
import { selectPassage } from './selector.ts';

fc.configureGlobal({ seed: SEED });

describe('quotes in texts that are edited', () => {
  it('a quote is never anchored at a wrong place, and its unchanged passage is always found', () => {
    covers('INV-Q.6');
    fc.assert(
      fc.property(planted, (given) => {
        const { text, selector, edited, place } = editOf(given);
        expect(anchorQuote(new IndexedText(text), selector)).toMatchObject({
          state: 'verified',
          start: selector.start,
        });
        const found = anchorQuote(new IndexedText(edited), selector);
        if (found.state === 'verified') expect(found.start).toBe(place);
        if (place === null) return;
        const places = found.state === 'verified' ? [found] : found.state === 'moved' ? found.candidates : [];
        expect(places.map(({ start }) => start)).toContain(place);
        // Its context moved along, and its lookalikes have other contexts.
        if (found.state === 'moved') expect(found.candidates[0]!.start).toBe(place);
      }),
      { numRuns: soak(10_000, 1_000) },
    );
  });

  it('quotes that were invented, or differ in a word, a letter or a sign, are all caught', () => {
    covers('INV-Q.7');
    fc.assert(
      fc.property(invented, (given) => {
        const { text, exact } = articleWith(given);
        fc.pre(!text.includes(exact));
        expect(anchorQuote(new IndexedText(text), { exact })).toEqual({ state: 'gone' });
      }),
      { numRuns: 600 },
    );
  });

  it('occurrences are those that a search position by position gives', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '𝔞'), maxLength: 60 });
    fc.assert(
      fc.property(
        words,
        fc.string({ unit: fc.constantFrom('a', 'b', '𝔞'), minLength: 1, maxLength: 12 }),
        (text, words2) => {
          const naive = [...Array(text.length).keys()].filter((at) => text.startsWith(words2, at));
          expect(occurrencesOf(text, words2)).toEqual(naive);
        },
      ),
      { numRuns: soak(2_000, 200) },
    );
  });

  it('positions in code points and in UTF-16 are turned into one another', () => {
    fc.assert(
      fc.property(articles, (article) => {
        const text = article.join('𝔞').repeat(4);
        const indexed = new IndexedText(text);
        const points = [...text];
        expect(indexed.length).toBe(points.length);
        let unit = 0;
        for (const [count, point] of points.entries()) {
          expect([indexed.pointsAt(unit), indexed.unitsAt(count)]).toEqual([count, unit]);
          unit += point.length;
        }
        expect([indexed.unitsAt(points.length), indexed.unitsAt(points.length + 1)]).toEqual([unit, null]);
      }),
      { numRuns: soak(100, 10) },
    );
  });

  it('a selection of any two positions is verified where it was made', () => {
    const text = 'Zwölf 𝔞𝔟 Boxkämpfer 🥊🥊 jagen 𝔵.\r\n'.repeat(3);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (one, other) => {
        const selector = selectPassage(text, Math.min(one, other), Math.max(one, other));
        if (selector === null) return;
        expect(!/\p{Surrogate}/u.test(selector.exact) && [...selector.exact].length).toBe(
          selector.end - selector.start,
        );
        expect(anchorQuote(new IndexedText(text), selector)).toEqual({
          state: 'verified',
          start: selector.start,
          end: selector.end,
        });
      }),
      { numRuns: soak(2_000, 200) },
    );
  });
});
