import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { argumentReadings } from './argument-attributes.ts';
import { InvalidMessageError, readMessage } from './message.ts';

/** Why the message is refused, and the id of the request as far as it is known. */
function refusal(line: string): { message: string; id: unknown } {
  try {
    readMessage(line);
  } catch (error) {
    if (error instanceof InvalidMessageError) return { message: error.message, id: error.id };
    throw error;
  }
  throw new Error('accepted');
}

describe('a refused message', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","name":"b"}}', 7],
    [' {"jsonrpc":"2.0","method":"ping","method":"ping","id":"q"}', 'q'],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","id":8,"params":{"a":1,"a":2}}', null],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","\\u0069d":7,"params":{"a":1,"a":2}}', null],
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}', null],
    ['[{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}]', null],
  ])('the refusal of %s, where a key stands twice, has the id %p', (line, id) => {
    covers('AUTHZ-MCP.11');
    expect(refusal(line)).toMatchObject({
      id,
      message: expect.stringContaining('stands twice in one object'),
    });
  });

  it('the refusal of a request that is nested too deep has its id', () => {
    covers('AUTHZ-MCP.11');
    const deep = '['.repeat(70) + ']'.repeat(70);
    const line = `{"jsonrpc":"2.0","id":"q","method":"tools/call","params":{"name":"a","arguments":{"a":${deep}}}}`;
    expect(refusal(line)).toEqual({
      id: 'q',
      message: expect.stringContaining('nested deeper than 64 levels'),
    });
  });

  it('an argument with U+0000 is refused in the name of that character, one with half a pair as no Unicode', () => {
    covers('AUTHZ-MCP.11');
    const read = (text: string) => () => argumentReadings({ path: { of: text } }, new Set());
    expect(read('a\0')).toThrow('argument `path` has a text with the character U+0000');
    expect(read('a\ud800')).toThrow('argument `path` has a text that is not valid Unicode');
  });
});
