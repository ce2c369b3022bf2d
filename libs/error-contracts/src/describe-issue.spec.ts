import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';

const say = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues.map(({ message }) => message);

const EITHER = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a') }),
  z.strictObject({ kind: z.literal('b') }),
]);

describe('what is wrong with a field', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is required: give a string'],
    [z.string(), 5, 'must be a string'],
    [z.strictObject({}), [], 'must be an object'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be a boolean'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [EITHER, { kind: 'c' }, 'must be one of a, b'],
    [EITHER, {}, 'is required: give one of a, b'],
    [EITHER, 5, 'must be an object'],
    [z.number().max(3), 4, 'must be at most 3'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number().lt(3), 3, 'must be less than 3'],
    [z.string().min(1), '', 'must have at least 1 character'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    [z.string().min(2), 'a', 'must have at least 2 characters'],
    [z.array(z.string()).min(2), [], 'must have at least 2 items'],
    [z.string('is the name'), 5, 'is the name'],
  ])('a problem of a field says what to send instead: %#', (schema, value, said) => {
    expect(say(schema, value)).toEqual([said]);
  });
});
