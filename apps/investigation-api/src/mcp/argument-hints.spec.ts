import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import { withArgumentHints } from './argument-hints.ts';

const SCHEMA = { type: 'object', properties: { session_id: {}, name: {} } } as const;
const refused = new DomainError('unprocessable', 'session_id: is required: give a string');
const hinted = (input: unknown) => withArgumentHints(refused, input, SCHEMA).message;

describe('hints on the arguments of a refused call', () => {
  it('an argument spelled as in another language is named with its own spelling', () => {
    expect(hinted({ sessionId: 's' })).toBe(
      `\`sessionId\` is not an argument of this tool: name it \`session_id\`\n${refused.message}`,
    );
  });

  it('a payload in the place of its fields is told to come without its wrapper', () => {
    expect(hinted({ payload: {} })).toContain('send the fields of `payload` at the top level');
  });

  it('an argument that is not known is told once, never as ignored in a call that was refused', () => {
    covers('INV-T.21');
    const input = { wathever: 1, researchQuestion: '?', session_id: 's' };
    const strict = z.strictObject({ session_id: z.string(), name: z.string() });
    const refusal = () => {
      try {
        readInput(strict, input);
      } catch (error) {
        return withArgumentHints(error as DomainError, input, SCHEMA).message;
      }
      return '';
    };
    expect(refusal().split('\n')).toEqual([
      '`wathever` is not an argument of this tool',
      '`researchQuestion` is not an argument of this tool',
      'name: is required: give a string',
    ]);
  });

  it('a call whose arguments are all known, and an error of another kind, stay as they are', () => {
    expect(withArgumentHints(refused, { name: 'n' }, SCHEMA)).toBe(refused);
    const missing = new DomainError('not_found', 'no such session');
    expect(withArgumentHints(missing, { sessionId: 's' }, SCHEMA)).toBe(missing);
  });
});
