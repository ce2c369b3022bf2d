import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
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

  it('a call whose arguments are all known, and an error of another kind, stay as they are', () => {
    expect(withArgumentHints(refused, { name: 'n' }, SCHEMA)).toBe(refused);
    const missing = new DomainError('not_found', 'no such session');
    expect(withArgumentHints(missing, { sessionId: 's' }, SCHEMA)).toBe(missing);
  });
});
