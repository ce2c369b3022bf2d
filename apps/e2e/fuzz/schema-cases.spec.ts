import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { casesOf, sampleOf, type CaseOptions, type JsonSchema } from './schema-cases.ts';

const DEFINITIONS: Record<string, JsonSchema> = {
  '#/$defs/item': {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 8 },
      weight: { type: 'number', minimum: 0, maximum: 1 },
      parts: { type: 'array', items: { $ref: '#/$defs/item' } },
    },
  },
};
const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name', 'items'],
  properties: {
    name: { type: 'string', maxLength: 5 },
    note: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    kind: { enum: ['one', 'other'] },
    items: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/item' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
  additionalProperties: false,
};
const options: CaseOptions = {
  definitions: (ref) => DEFINITIONS[ref]!,
  bytes: 1_000,
  known: () => undefined,
};
const validate = new Ajv2020({ strict: false }).compile({
  ...SCHEMA,
  $defs: { item: DEFINITIONS['#/$defs/item'] },
});

describe('the cases of a schema', () => {
  const cases = [...casesOf(SCHEMA, options)];

  it('the cases of a schema that are allowed are valid, and those beyond a limit are not', () => {
    expect(validate(sampleOf(SCHEMA, options))).toBe(true);
    for (const one of cases.filter(({ isAllowed }) => isAllowed))
      expect([one.field, one.what, validate(one.make())]).toEqual([one.field, one.what, true]);
    const beyond = cases.filter(({ what }) => /too many|above|below|none of the list/.test(what));
    expect(beyond.map(({ field }) => field).sort()).toEqual(
      ['items', 'items[].id', 'items[].weight', 'items[].weight', 'kind', 'name'].sort(),
    );
    for (const one of beyond)
      expect([one.field, one.what, validate(one.make())]).toEqual([one.field, one.what, false]);
  });

  it('the cases of a schema reach every field, and enter a type that holds itself once', () => {
    const fields = [...new Set(cases.map(({ field }) => field))];
    expect(fields.slice(0, 3)).toEqual(['', 'name', 'note']);
    expect(fields).toContain('items[].parts');
    expect(fields).toContain('labels.*');
    expect(fields.filter((field) => field.startsWith('items[].parts[].'))).toEqual([]);
  });
});
