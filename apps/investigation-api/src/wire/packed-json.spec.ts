import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { textOf } from '../model/text-pieces.ts';
import { joinPacked, packJson, unpackJson, unpackJsonSync } from './packed-json.ts';

fc.configureGlobal({ seed: SEED });

const LONG = JSON.stringify({ words: 'the same words again '.repeat(1000), text: '\0 é 🙂 \ud800' });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('packJson', () => {
  it('packJson gives back every JSON text to the byte, on and off the thread', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 3 }), fc.boolean(), async (json, isLong) => {
        const given = isLong ? `{"long":${LONG},"json":${json}}` : json;
        const kept = packJson(given);
        expect(text(unpackJsonSync(kept))).toBe(given);
        expect(textOf(await unpackJson(kept))).toBe(given);
        expect(packJson(new TextEncoder().encode(given))).toBe(kept);
      }),
    );
  });

  it('packJson keeps a short text as it is and a long one in a tenth of its length', () => {
    expect(packJson('{"short":true}')).toBe('{"short":true}');
    expect(packJson(LONG).length).toBeLessThan(LONG.length / 10);
  });
});

describe('joinPacked', () => {
  it('joinPacked joins short, packed and unpacked parts to one text', async () => {
    for (const part of [LONG, '{"short":true}']) {
      const kept = joinPacked(['{"a":', packJson(part), new TextEncoder().encode(',"b":1}')]);
      expect(textOf(await unpackJson(kept))).toBe(`{"a":${part},"b":1}`);
    }
  });
});
