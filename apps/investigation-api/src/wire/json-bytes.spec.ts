import { constants } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { refuseBeyondText, valueOfResponse } from './json-bytes.ts';

describe('results longer than a text can be', () => {
  it('a result longer than a text can be is refused by name of the field and with the way out', () => {
    // Never written to, so that the memory is only promised.
    const long = new Uint8Array(constants.MAX_STRING_LENGTH + 1);
    expect(() => {
      refuseBeyondText(long);
    }).toThrow(/^claims: the full result takes \d+ MiB, .* send fewer claims, or submit them over REST/);
    expect(() => valueOfResponse(long)).toThrow(expect.objectContaining({ kind: 'payload_too_large' }));
  });

  it('a shorter result is read as its value', () => {
    expect(valueOfResponse(new TextEncoder().encode('{"a":[1]}'))).toEqual({ a: [1] });
  });
});
