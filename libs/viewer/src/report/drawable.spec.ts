import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { piecesOf } from './drawable.ts';

const nothing = () => false;

describe('what the fonts of a report draw', () => {
  it.each([
    ['zero-width spaces', '\u200b', 300_000],
    ['letters of Arabic', 'م', 1_000_000],
    ['families', '👨\u200d👩\u200d👧', 100_000],
  ])('a text of very many %s is one piece, with each of them counted', (_, character, count) => {
    covers('INV-EXPORT.11');
    const pieces = piecesOf(character.repeat(count), nothing);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]!.drawn).toContain(`[${count}\u00a0`);
  });

  it.each([
    ['東京', '[2 Chinese characters]'],
    ['東 京, 7', '[2 Chinese characters]'],
    ['東京 🚀', '[3 characters]'],
    ['🚀 🌉', '[2 emoji]'],
    ['متى بني', '[6 Arabic characters]'],
    [' ', '[1 character]'],
  ])('the text %j is named %s, without counting what stands between its words', (text, name) => {
    covers('INV-EXPORT.11');
    expect(piecesOf(text, nothing).map(({ drawn }) => drawn.replaceAll('\u00a0', ' '))).toEqual([name]);
  });

  it('a character that is longer than what is segmented at once is not lost', () => {
    covers('INV-EXPORT.11');
    const text = `a${'\u0301'.repeat(5_000)}b`;
    expect(piecesOf(text, nothing).map(({ named }) => named)).toEqual([text]);
  });
});
