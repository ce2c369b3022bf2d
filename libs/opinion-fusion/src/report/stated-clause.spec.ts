import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { clause, opened, statement, textOf, type Proposition } from './statements.ts';

fc.configureGlobal({ seed: SEED });

const IS_TRUE = 'is_true';
const unlikely = (subject: string, value: string | null) =>
  textOf(opened('It is unlikely that ', { subject, predicate: IS_TRUE, value }));

const STATEMENTS = [
  'The bridge is closed.',
  'The bridge is closed',
  '“The bridge is closed.”',
  '"The bridge is closed."',
  'The mayor said: "The bridge is closed."',
  'The bridge is closed. The mayor said so.',
  'Did the mayor close the dam?',
  'The bridge is closed!',
  'Photo of a shark that was altered',
  'Vaccines cause autism.',
  'Die Brücke ist gesperrt.',
  'It rose by 3.5 percent in the U.S.',
  'And so it ends...',
];
/** Short statements without a full stop, whose verb is not known or could be a noun. */
const SHORT = [
  'Vaccines cause autism',
  'Mr. Smith resigned',
  'Ukraine attacked Poland',
  'Israel bombed hospital',
  'Bill Gates arrested',
  'Impfen macht krank',
  'The rumor',
];
const VALUES = ['true', 'false', 'yes', 'Misleading', 'Half true', 'rated 3 on a scale of 1 to 5', null];

describe('the sentence of a statement that is said to be true', () => {
  it.each([
    ['A is so.', 'It is unlikely that A is so'],
    ['A was the cause.', 'It is unlikely that A was the cause'],
    ['A bridge is closed.', 'It is unlikely that a bridge is closed'],
  ])('%s keeps the capital of a name of one letter, and of no article', (subject, words) => {
    covers('INV-V.189');
    expect(unlikely(subject, 'true')).toBe(words);
  });

  it.each([
    ['The bridge is closed.', 'true', 'It is unlikely that the bridge is closed'],
    ['The bridge is closed', 'yes', 'It is unlikely that the bridge is closed'],
    ['"The bridge is closed."', 'true', 'It is unlikely that the bridge is closed'],
    ['The bridge is closed.', null, 'It is unlikely that the bridge is closed'],
    ['The bridge is closed.', 'false', 'It is unlikely that it is not true that the bridge is closed'],
    ['The bridge is closed.', 'Misleading', 'It is unlikely that “The bridge is closed” is rated Misleading'],
    [
      'The bridge is closed.',
      'rated 3 on a scale of 1 to 5',
      'It is unlikely that “The bridge is closed” is rated 3 on a scale of 1 to 5',
    ],
    ['Vaccines cause autism.', 'true', 'It is unlikely that “Vaccines cause autism” is true'],
    ['Die Brücke ist gesperrt.', 'true', 'It is unlikely that “Die Brücke ist gesperrt” is true'],
    ['A photo that was altered.', 'true', 'It is unlikely that “A photo that was altered” is true'],
    [
      'The bridge is closed. The mayor said so.',
      'true',
      'It is unlikely that “The bridge is closed. The mayor said so” is true',
    ],
    [
      'Did the mayor close the dam?',
      'true',
      'It is unlikely that the answer to “Did the mayor close the dam?” is yes',
    ],
    [
      '“We have the lowest crime rate ever.”',
      'true',
      'It is unlikely that “We have the lowest crime rate ever” is true',
    ],
    ['I’m told it is safe.', 'true', 'It is unlikely that “I’m told it is safe” is true'],
  ])('“%s” with the value %s is said without its full stop and its verb once', (subject, value, expected) => {
    covers('INV-V.93');
    expect(unlikely(subject, value)).toBe(expected);
  });

  it.each(SHORT)('“%s” is quoted, however short it is', (subject) => {
    covers('INV-V.95');
    expect([unlikely(subject, 'true'), unlikely(subject, 'Misleading')]).toEqual([
      `It is unlikely that “${subject}” is true`,
      `It is unlikely that “${subject}” is rated Misleading`,
    ]);
    const open = { subject: 'The dam', predicate: 'is_open', value: 'true' };
    expect(textOf(opened('It is unlikely that ', open))).toBe('It is unlikely that the dam is open');
  });

  it('a statement that is rated begins a sentence, denied and probable', () => {
    covers('INV-V.93');
    const said = (value: string, mood = {}) =>
      textOf(statement({ subject: 'The dam is closed.', predicate: IS_TRUE, value }, mood));
    expect([
      said('true'),
      said('true', { isDenied: true }),
      said('true', { adverb: 'probably' }),
      said('Misleading', { isDenied: true }),
      said('Misleading', { adverb: 'probably' }),
    ]).toEqual([
      'The dam is closed',
      'It is not true that the dam is closed',
      'It is probably true that the dam is closed',
      '“The dam is closed” is not rated Misleading',
      '“The dam is closed” is probably rated Misleading',
    ]);
    const either = [{ value: 'Misleading' }, { value: 'true' }];
    expect(
      textOf(
        opened('It is uncertain whether ', {
          subject: 'The dam is closed.',
          predicate: IS_TRUE,
          value: 'Misleading',
          either,
        }),
      ),
    ).toBe('It is uncertain whether “The dam is closed” is rated Misleading or true');
  });

  it('no statement, value and mood leave a full stop or a second verb within a sentence', () => {
    covers('INV-V.93');
    fc.assert(
      fc.property(
        fc.constantFrom(...STATEMENTS, ...SHORT),
        fc.constantFrom(...VALUES),
        fc.boolean(),
        fc.constantFrom(undefined, 'probably'),
        (subject, value, isDenied, adverb) => {
          const said: Proposition = { subject, predicate: IS_TRUE, value };
          const texts = [
            statement(said, { isDenied, adverb }),
            clause(said, { isDenied, adverb }),
            opened('Whether ', said),
          ].map(textOf);
          for (const text of texts) {
            expect(text).not.toMatch(/closed[.?]["”]? is |\?["”]? is (true|not true)/);
            expect(text).not.toMatch(/(closed|autism|resigned|Poland|hospital|arrested|krank) (is|true)/);
            expect(text).not.toMatch(/[^.S]\.["”]*$|\.,/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
