import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { KiB, MiB } from '../rules/limits.ts';
import { digestOf, jsonPieces, textPieces, type BodyPieces } from './body-pieces.ts';

fc.configureGlobal({ seed: SEED });

const whole = (pieces: BodyPieces) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
/** Texts that end, and are cut, at every part of a character, and that JSON escapes. */
const texts = fc
  .record({
    before: fc.string({ unit: 'binary', maxLength: 3 }),
    unit: fc.constantFrom(
      'a',
      'é',
      '文',
      '😀',
      '\u2028',
      '"',
      '\\',
      '\n',
      '\u0001',
      '\uD83D',
      '\uDE00',
      '\uD83Da',
    ),
    count: fc.constantFrom(0, 1, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1, 150 * KiB),
    after: fc.string({ unit: 'binary', maxLength: 3 }),
  })
  .map(({ before, unit, count, after }) => before + unit.repeat(count) + after);

describe('a body in pieces', () => {
  it('the pieces of JSON and of text are together what JSON.stringify and the encoder give at once', async () => {
    covers('DOC-D.78');
    await fc.assert(
      fc.asyncProperty(texts, texts, async (first, second) => {
        const value = {
          id: 1,
          contents: first,
          list: [second, null],
          absent: undefined,
          [second.slice(0, 9)]: 'x',
        };
        const [json, text] = [await jsonPieces(value), await textPieces(first)];
        expect(whole(json).equals(Buffer.from(JSON.stringify(value)))).toBe(true);
        expect(whole(text).equals(Buffer.from(first))).toBe(true);
        expect(await digestOf(json)).toBe(hash('sha256', JSON.stringify(value), 'base64'));
      }),
      { numRuns: 30 },
    );
  });

  it('other requests run after each 64 KiB of a text that is made JSON, encoded and hashed', async () => {
    covers('DOC-D.78');
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const contents = '\n'.repeat(4 * MiB);
    setImmediate(count);
    const json = await jsonPieces({ contents });
    const ofJson = turns;
    await digestOf(json);
    const ofDigest = turns - ofJson;
    await textPieces(contents);
    isOver = true;
    const pieces = (4 * MiB) / (64 * KiB);
    expect([ofJson, ofDigest, turns - ofJson - ofDigest].map((each) => each >= pieces - 1)).toEqual([
      true,
      true,
      true,
    ]);
    expect(Math.max(...json.map(({ length }) => length))).toBe(128 * KiB);
  });
});
