import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { z } from 'zod';
import { OBJECTS } from '@platform/opinion-fusion';
import { readInput } from '../wire/read-input.ts';
import { withArgumentHints } from './argument-hints.ts';
import { TOOLS } from './tools.ts';

const SCHEMA = { type: 'object', properties: { session_id: {}, name: {} } } as const;
const refused = new DomainError('unprocessable', 'session_id: is required: give a string');
const hinted = (input: unknown) => withArgumentHints(refused, input, SCHEMA).message;

describe('hints on the arguments of a refused call', () => {
  it('an argument spelled as in another language is named with its own spelling', () => {
    expect(hinted({ sessionId: 's' })).toBe(
      `\`sessionId\` is not an argument of this tool: name it \`session_id\`\n${refused.message}`,
    );
  });

  it.each([
    ['text', { session_id: 's', text: 'Open.' }, 'interpretation'],
    ['subject', { session_id: 's', subject: 'bridge' }, 'subject_id'],
    ['session', { session: 's' }, 'session_id'],
    ['id', { session_id: 's', id: 'c1' }, 'claim_id'],
    ['id', { id: 's' }, 'session_id'],
    ['claim', { session_id: 's', claim: 'c1' }, 'claim_id'],
  ])('the argument `%s` of %j is told to be named `%s`', (name, input, meant) => {
    covers('INV-T.31');
    const properties = { session_id: {}, [meant]: {} };
    const { message } = withArgumentHints(refused, input, {
      type: 'object',
      properties,
      required: Object.keys(properties),
    });
    expect(message.split('\n')[0]).toBe(`\`${name}\` is not an argument of this tool: name it \`${meant}\``);
  });

  it('a value of another type is told with the value that was sent', () => {
    covers('INV-T.31');
    const error = new DomainError(
      'unprocessable',
      'claims: must be an array\nclaims[0].weight: must be a number\nname: is required: give a string',
    );
    const said = (input: object) =>
      withArgumentHints(error, input, { type: 'object', properties: { claims: {}, name: {} } }).message;
    expect(said({ claims: 'c1' })).toContain('claims: must be an array, not "c1"');
    expect(said({ claims: [{ weight: 'heavy' }] })).toContain(
      'claims[0].weight: must be a number, not "heavy"',
    );
    expect(said({ claims: 'x'.repeat(9_999) }).length).toBeLessThan(300);
  });

  it.each([
    [{ claims: { id: 'c1' } }, 'claims: must be an array, not {"id":"c1"}: send a list, [{…}]'],
    [{ claims: [{ weight: '70%' }] }, 'claims[0].weight: must be a number, not "70%": send 0.7'],
    [{ claims: [{ weight: ' 0.5' }] }, 'claims[0].weight: must be a number, not " 0.5": send 0.5'],
  ])(
    'one item in the place of a list, and a number as text, are told with what to send: %j',
    (input, told) => {
      covers('INV-Q.103');
      const error = new DomainError(
        'unprocessable',
        'claims: must be an array\nclaims[0].weight: must be a number',
      );
      const { message } = withArgumentHints(error, input, { type: 'object', properties: { claims: {} } });
      expect(message.split('\n')).toContain(told);
    },
  );

  it('a payload in the place of its fields is told to come without its wrapper', () => {
    const schema = { type: 'object', properties: { session_id: {}, claims: {} } } as const;
    expect(withArgumentHints(refused, { payload: {} }, schema).message).toContain(
      'send the fields of `payload` at the top level',
    );
  });

  it('a field of an investigation in a wrong place of any tool is sent where it is taken, never back', () => {
    covers('INV-T.33');
    const UPDATE = 'update_investigation_session';
    const takes = (tool: string, field: string) =>
      Object.hasOwn(TOOLS.find(({ name }) => name === tool)!.input['properties'] as object, field);
    const wrong = TOOLS.flatMap(({ name: tool, input }) =>
      Object.keys(OBJECTS.InvestigationInput).flatMap((field) =>
        [field, 'payload']
          .filter((sent) => !takes(tool, sent))
          .map((sent) => {
            const value = sent === field ? 1 : { [field]: 1 };
            const said = withArgumentHints(refused, { session_id: 's', [sent]: value }, input).message;
            return [tool, field, sent, said.split('\n')[0]!] as const;
          }),
      ),
    ).filter(([tool, field, , said]) => {
      if (said.includes('inside `payload`')) return !takes(tool, 'payload');
      if (said.includes('at the top level')) return !takes(tool, field);
      if (said.includes(`call ${UPDATE} with `)) return tool === UPDATE || !takes(UPDATE, field);
      const named = /name it `(\w+)`/.exec(said)?.[1];
      return named === undefined ? takes(tool, 'session_id') : !takes(tool, named);
    });
    expect(wrong).toEqual([]);
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
      '`wathever` is not an argument of this tool, which takes session_id, name',
      '`researchQuestion` is not an argument of this tool: call update_investigation_session with `research_question` first, as it belongs to the session',
      'name: is required: give a string',
    ]);
  });

  it('a call whose arguments are all known, and an error of another kind, stay as they are', () => {
    expect(withArgumentHints(refused, { name: 'n' }, SCHEMA)).toBe(refused);
    const missing = new DomainError('not_found', 'no such session');
    expect(withArgumentHints(missing, { sessionId: 's' }, SCHEMA)).toBe(missing);
  });
});
