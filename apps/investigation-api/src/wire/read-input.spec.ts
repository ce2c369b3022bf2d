import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { z } from 'zod';
import { FindQuote } from './quote-schema.ts';
import { RecordOutcomeRequest } from './outcome-schema.ts';
import { CreateSubscriptionRequest } from './watch-schema.ts';
import { readInput } from './read-input.ts';

const Shape = z.object({
  rules: z
    .array(z.enum(['a', 'b']))
    .min(1)
    .max(2),
  name: z.string().min(2).max(5),
  inner: z.object({ codes: z.array(z.int()).max(1) }).optional(),
});
const linesOf = (input: unknown) => {
  try {
    readInput(Shape, input);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

describe('refusals of an input', () => {
  it('a request of 200,000 unknown properties compares those alone that it tells with the known names', () => {
    covers('PLAT-S.7');
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    let looks = 0;
    const input = new Proxy(many, {
      getOwnPropertyDescriptor(target, key) {
        looks += String(key).startsWith('k') ? 0 : 1;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    expect(() => readInput(RecordOutcomeRequest, input)).toThrow(/and 199953 more$/);
    expect(looks).toBeLessThan(100 * Object.keys(RecordOutcomeRequest.shape).length);
  });

  it('a value of a wrong type is refused in one line, not measured as if it had the right one', () => {
    expect(linesOf({ rules: 'leading_changed', name: ['a', 'b', 'c', 'd', 'e', 'f'] })).toEqual([
      'rules: must be an array',
      'name: must be a string',
    ]);
    expect(linesOf({ rules: ['a'], name: 'name', inner: { codes: 'long' } })).toEqual([
      'inner.codes: must be an array',
    ]);
    expect(linesOf({ rules: ['c'], name: 'x' })).toEqual([
      'rules[0]: must be one of a, b',
      'name: must have at least 2 characters',
    ]);
  });

  it.each([
    [RecordOutcomeRequest, { subject: 's', predicate: 'p', value: 'yes' }, 'subject', 'subject_id'],
    [RecordOutcomeRequest, { subject_id: 's', predicate: 'p', outcome: 'yes' }, 'outcome', 'value'],
    [CreateSubscriptionRequest, { rules: ['goes_stale'], url: 'https://a.example' }, 'url', 'webhook_url'],
    [CreateSubscriptionRequest, { rules: ['chance_moved'], step: 0.1 }, 'step', 'chance_step'],
    [FindQuote.strict(), { document_id: 'file_1', exact: 'a' }, 'document_id', 'document'],
    [FindQuote.strict(), { document: 'file_1', quote: 'a' }, 'quote', 'exact'],
  ])('a property under another name is told its name, case %#', (schema, input, name, meant) => {
    covers('INV-V.191');
    expect(() => readInput(schema, input)).toThrow(
      `${name}: is not a property known here: name it \`${meant}\``,
    );
  });
});
