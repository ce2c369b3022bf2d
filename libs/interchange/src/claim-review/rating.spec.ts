import { describe, expect, it } from '@jest/globals';
import { saysTheSame } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { readRating, type Rating } from './rating.ts';
import { RATING_TABLE, type Becomes } from './ratings.fixture.ts';

fc.configureGlobal({ seed: SEED });

const NO_NUMBER = { value: null, best: null, worst: null };
const read = (words: string, number: Partial<Rating> = {}) =>
  readRating({ words: [words], ...NO_NUMBER, ...number });
const becomes = (words: string): Becomes => {
  const { value, isPlain } = read(words);
  return value === null ? 'nothing' : isPlain ? (value as Becomes) : 'own';
};

/** Known phrases of both verdicts, in every language. */
const PLAIN = RATING_TABLE.filter((row) => row.becomes === 'true' || row.becomes === 'false');
/** Words that may stand before or after a verdict, and change it; “false claim” says what “false” does. */
const MODIFIERS =
  'but and or in part partly mostly half nearly never hardly if was once why who wing story lie photo headline quote context mais pero mas aber ma maar dar ama tapi ou oder y e teilweise parzialmente deels en partie'.split(
    ' ',
  );
const NEGATIONS =
  'not no never neither nicht kein pas non ne ni nunca não niet geen nu değil tidak bukan'.split(' ');
/** Two phrases may make a known one: `No` and `Es verdad`. */
const folded = (words: string) => words.toLowerCase().replace(/[.!]+$/, '');
const KNOWN = new Set(RATING_TABLE.map(({ words }) => folded(words)));
const isKnown = (words: string) => KNOWN.has(folded(words));
const JOINTS = [' ', ', ', ': ', '/', ' / ', ' - ', '; ', '? ', '. ', ' – ', ' (', '... '];

describe('the words of a rating', () => {
  it.each([...new Set(RATING_TABLE.map(({ by }) => by))])(
    'each rating of %s becomes a verdict, a value of its own or nothing, as it means',
    (name) => {
      covers('INV-IMPORT.21');
      const rows = RATING_TABLE.filter(({ by }) => by === name);
      expect(rows.map(({ words }) => `${words}: ${becomes(words)}`)).toEqual(
        rows.map((row) => `${row.words}: ${row.becomes}`),
      );
    },
  );

  it('a known phrase with any other words before or after it is no plain verdict', () => {
    covers('INV-IMPORT.21');
    const word = fc.oneof(
      fc.constantFrom(...MODIFIERS, ...NEGATIONS),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => /\p{L}/u.test(text)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...PLAIN),
        word,
        fc.constantFrom(...JOINTS),
        fc.boolean(),
        ({ words }, other, joint, isBefore) => {
          const rating = isBefore ? `${other}${joint}${words}` : `${words}${joint}${other}`;
          fc.pre(!isKnown(rating));
          expect([rating, read(rating).isPlain]).toEqual([rating, false]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('a negation never leaves a verdict as it is', () => {
    covers('INV-IMPORT.21');
    const wrong = PLAIN.flatMap(({ words, becomes: verdict }) =>
      NEGATIONS.flatMap((negation) =>
        [' ', ', ', ': ', '-']
          .map((joint) => `${negation}${joint}${words}`)
          .filter((rating) => becomes(rating) === verdict),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('two verdicts never are one', () => {
    covers('INV-IMPORT.21');
    const phrases = [...new Set(PLAIN.map(({ words }) => folded(words)))];
    const wrong = phrases.flatMap((first) =>
      phrases.flatMap((second) =>
        [' ', '/', ': '].map((joint) => `${first}${joint}${second}`).filter((both) => read(both).isPlain),
      ),
    );
    expect(wrong.filter((both) => !isKnown(both))).toEqual([]);
  });

  it('a value of its own is never one that the engine takes as yes or no', () => {
    covers('INV-IMPORT.21');
    for (const { words } of RATING_TABLE) {
      const { value, isPlain } = read(words);
      if (value === null || isPlain) continue;
      expect([value, saysTheSame(value, 'true'), saysTheSame(value, 'false')]).toEqual([value, false, false]);
    }
  });

  it('words in several languages are one verdict where they agree, else a value of their own', () => {
    covers('INV-IMPORT.21');
    expect(readRating({ words: ['False', 'Faux', 'FALSO'], ...NO_NUMBER })).toEqual({
      value: 'false',
      isPlain: true,
    });
    expect(readRating({ words: ['True', 'Misleading'], ...NO_NUMBER })).toEqual({
      value: 'True / Misleading',
      isPlain: false,
    });
  });
});

describe('the number of a rating', () => {
  const SCALE = { best: 5, worst: 1 };

  it('a number without words counts by its own scale, and is a verdict only at the ends', () => {
    covers('INV-IMPORT.21');
    const rated = (value: number, best: number | null, worst: number | null, words: string[] = []) =>
      readRating({ words, value, best, worst }).value;
    expect([
      rated(5, 5, 1),
      rated(1, 5, 1),
      rated(10, 0, 10),
      rated(5, null, null),
      rated(5, 5, 1, ['5/5']),
    ]).toEqual(['true', 'false', 'false', 'true', 'true']);
    expect([rated(3, 5, 1), rated(4, 5, 1), rated(98, 100, 0)]).toEqual([
      'rated 3 on a scale of 1 to 5',
      'rated 4 on a scale of 1 to 5',
      'true',
    ]);
    expect([rated(-1, 5, 1), rated(1, 1, 1)]).toEqual([null, null]);
  });

  it('a number never overrules words, and a verdict that it contradicts is left out by name', () => {
    covers('INV-IMPORT.21');
    expect(read('Half true', { value: 5, ...SCALE })).toEqual({ value: 'Half true', isPlain: false });
    expect(read('Unproven', { value: 1, ...SCALE }).value).toBeNull();
    expect(read('True', { value: 4, ...SCALE }).value).toBe('true');
    expect(read('False', { value: 3, ...SCALE }).value).toBe('false');
    for (const [words, value] of [
      ['True', 1],
      ['True', 2],
      ['Falsch', 5],
    ] as const)
      expect(read(words, { value, ...SCALE })).toEqual({
        value: null,
        isPlain: false,
        reason: `the rating "${words}" is the contrary of its number, ${value} on a scale of 1 to 5: it is not read`,
      });
  });
});
