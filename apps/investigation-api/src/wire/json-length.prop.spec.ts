import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { jsonLength } from './json-length.ts';

fc.configureGlobal({ seed: SEED });

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
/** Characters that JSON escapes, those next to them, and halves of pairs. */
const text = fc.string({ unit: fc.constantFrom(...'a"\\\b\t\n\u0000\u001f \u007f\u0080é€\ud800\udfff😀') });
const leaf = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}));
const object = fc.dictionary(text, value, { maxKeys: 5 });

describe('jsonLength', () => {
  it('jsonLength gives the bytes that JSON.stringify writes', () => {
    covers('INV-T.24');
    fc.assert(fc.property(object, (data) => expect(jsonLength(data, Infinity)).toBe(bytesOf(data))));
  });

  it('jsonLength is within a bound where the JSON is, and above it where the JSON is', () => {
    covers('INV-T.24');
    fc.assert(
      fc.property(object, fc.integer({ min: -3, max: 3 }), (data, shift) => {
        const bytes = bytesOf(data);
        const max = bytes + shift;
        const length = jsonLength(data, max);
        expect(length <= max).toBe(bytes <= max);
        if (bytes <= max) expect(length).toBe(bytes);
      }),
    );
  });
});
