import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { parseValue } from '../model/value.ts';

fc.configureGlobal({ seed: SEED });

const warningsOf = (...values: string[]) =>
  judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value)))).warnings;
const areToldAsText = (value: string, ...others: string[]) =>
  warningsOf(value, ...others).some(
    (text) => text.includes('of claim `c0`') && text.includes('was read as text'),
  );

describe('cautions about numbers among words', () => {
  it('every text that holds a number and words is warned of beside another value with a number', () => {
    covers('RM-11.185');
    const word = fc.oneof(
      fc.constantFrom(
        ...'civilians killed dead angry men Downing Street of the prices oil about were at'.split(' '),
      ),
      fc.string({ unit: fc.constantFrom(...'abcdefghilmnoprstuv'), minLength: 2, maxLength: 9 }),
    );
    const number = fc.oneof(
      fc.integer({ min: 1, max: 99_999 }).map(String),
      fc.constantFrom(
        '1,500',
        '$5m',
        '5.5',
        '€300',
        '12%',
        '5 million',
        '1.5bn',
        '$ 20',
        '2019',
        '~300',
        '(2024)',
      ),
    );
    const words = (minLength: number) =>
      fc.array(word, { minLength, maxLength: 4 }).map((all) => all.join(' '));
    const phrase = fc.oneof(
      fc.tuple(number, words(1)).map((parts) => parts.join(' ')),
      fc.tuple(words(2), number).map((parts) => parts.join(' ')),
      fc.tuple(words(1), number, words(1)).map((parts) => parts.join(' ')),
      fc.tuple(number, words(1)).map(([count, rest]) => `${count} (${rest})`),
      fc.tuple(number, words(1)).map(([count, rest]) => `${count}, ${rest}`),
    );
    fc.assert(
      fc.property(phrase, fc.oneof(phrase, number), (one, other) => {
        fc.pre(parseValue(one).key !== parseValue(other).key);
        expect(parseValue(one).kind !== 'text' || areToldAsText(one, other)).toBe(true);
      }),
    );
  });

  it.each([
    ['200 civilians killed in the raid', '210 civilians killed in the raid'],
    ['$5m (2019 prices)', '$5m'],
    ['killed 200', '210'],
    ['62-year-old man', '64'],
    ['17 May 2024, evening', '2024-05-17'],
    ['2-1 win', '3-1 win'],
    ['R5', '5 rand'],
    ['five dead', 'six dead'],
    ['five dead', '6 people killed there'],
  ])('%p beside %p is text, and a caution says so', (one, other) => {
    covers('RM-11.185');
    expect(areToldAsText(one, other)).toBe(true);
  });

  it.each([
    ['12 angry men', 'Zagreb'],
    ['12 angry men', '12 angry men'],
    ['max 737', 'max 747'],
    ['id-4711', 'id-4712'],
    ['Apollo 11', 'Apollo 12'],
    ['21-cv-1234', '21-cv-1235'],
    ['gate A12', 'gate B3'],
    ['7:10 in the evening', '7:20 in the evening'],
    ['24th Street', '25th Street'],
    ['Seven Samurai', 'Twelve Monkeys'],
    ['H1N1 flu', 'H5N1 flu'],
    ['R5', 'R6'],
  ])('%p beside %p holds no number that needs a caution', (one, other) => {
    covers('RM-11.185');
    expect(warningsOf(one, other).join()).not.toContain('was read as text');
  });
});
