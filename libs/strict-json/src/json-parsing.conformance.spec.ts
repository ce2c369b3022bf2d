import { describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { InvalidJsonError, parseStrictJson } from './strict-json.ts';

const { cases } = readConformanceSuite<{
  cases: { file: string; kind: string; body_base64: string }[];
}>('json-parsing.json');

describe('the JSON parsing test suite in bytes', () => {
  it('parseStrictJson accepts every valid text of the JSON parsing suite in bytes except duplicate keys, and refuses every invalid one', () => {
    const wrong: string[] = [];
    for (const { file, kind, body_base64 } of cases) {
      let accepted = true;
      try {
        parseStrictJson(Buffer.from(body_base64, 'base64'));
      } catch (error) {
        if (!(error instanceof InvalidJsonError)) throw error;
        accepted = false;
      }
      const expected = ({ y: true, n: false } as Record<string, boolean>)[kind];
      if (expected !== undefined && accepted !== expected) wrong.push(file);
    }
    expect(cases.length).toBeGreaterThan(300);
    expect(wrong).toEqual([
      'test_parsing/y_object_duplicated_key.json',
      'test_parsing/y_object_duplicated_key_and_value.json',
    ]);
  });
});
