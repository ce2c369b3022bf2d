import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { valenceNamed } from './valence-words.ts';

describe('the words of a cell that says whether a claim denies', () => {
  covers('INV-B.49');
  const DENYING = [
    'x',
    '1',
    'yes',
    'Yes ',
    'TRUE',
    'ja',
    'Sí',
    'oui',
    '✓',
    '✔️',
    'denies',
    'against',
    'refutes',
  ];
  const AFFIRMING = ['no', 'n', 'false', '0', 'nein', 'non', 'for', 'Supports', 'confirmed'];
  const DOUBTFUL = ['maybe', 'not', '-', '✗', '?', 'n/a', 'yes and no', 'tbd', ''];

  it.each(DENYING)('the word %p in “Denies it” denies', (word) => {
    expect(valenceNamed(word, true)).toBe('Refutes');
  });

  it.each(AFFIRMING)('the word %p in “Denies it” does not deny', (word) => {
    expect(valenceNamed(word, true)).toBe('Supports');
  });

  it.each(DOUBTFUL)('the word %p in “Denies it” is not guessed at', (word) => {
    expect(valenceNamed(word, true)).toBeUndefined();
  });

  it('a yes or a no answers nothing where the column does not ask whether the claim denies', () => {
    expect(['yes', 'no', '1', '✓'].map((word) => valenceNamed(word, false))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(['against', 'Neutral'].map((word) => valenceNamed(word, false))).toEqual(['Refutes', 'Neutral']);
  });
});
