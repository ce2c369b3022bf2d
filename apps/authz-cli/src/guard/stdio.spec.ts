import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Guard } from './guard.ts';
import { guardStdio } from './stdio.ts';

const BYTES_MAX = 10_000;
/** Writes what each request tells it to, and on standard output what is written to it besides requests. */
const SERVER = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, error } = JSON.parse(line);
    const said = { jsonrpc: '2.0', method: 'notifications/told', params: { id, error } };
    if (method === undefined) console.log(JSON.stringify(said));
    if (method === 'ping') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    if (params?.says !== undefined) process.stdout.write(params.says.replace('LONG', 'x'.repeat(20_000)));
    if (params?.ends) process.exit(0);
  });
`;
const passing: Guard = {
  admit: () => Promise.resolve({ passed: true, list: null }),
  connect: () => Promise.resolve({ passed: true, list: null }),
  filter: (text) => Promise.resolve(text.includes('secret') ? null : text),
};

type Json = Record<string, unknown>;
const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/** A client before a guard that lets everything through to the server. */
function start() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const command = [process.execPath, '-e', SERVER];
  const code = guardStdio(
    passing,
    { input, output },
    {
      command,
      env: {},
      messageBytesMax: BYTES_MAX,
      caller: { token: 'token', subject: 'caller' },
      correlation: {},
    },
    (note) => notes.push(note),
  );
  ends.push(() => {
    input.end();
    return code;
  });
  const lines = createInterface({ input: output });
  const next = async () => JSON.parse(((await once(lines, 'line')) as [string])[0]) as Json;
  return {
    notes,
    code,
    next,
    write: (text: string) => input.write(`${text}\n`),
    send: (id: string | number, method: string, params: Json = {}) =>
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`),
    /** The messages up to the response to a ping. */
    async untilPing(): Promise<Json[]> {
      const seen: Json[] = [];
      const pong = new Promise<void>((resolve) => {
        lines.on('line', (line: string) => {
          const message = JSON.parse(line) as Json;
          if (message['id'] === 'ping') resolve();
          else seen.push(message);
        });
      });
      this.send('ping', 'ping');
      await pong;
      return seen;
    },
  };
}

const why = (id: string | number, text: unknown) => ({ id, error: { code: -32061, message: text } });
const NOT_PASSED = expect.stringContaining('the response of the MCP server was not passed on: ');

describe('a message of the server that the guard cannot pass on', () => {
  it.each([
    ['of too many bytes, with its id first', '{"jsonrpc":"2.0","id":7,"result":{"text":"LONG"}}'],
    ['of too many bytes, with its id last', '{"result":{"text":"LONG"},"jsonrpc":"2.0","id":7}'],
    ['of too many bytes, with its id before the last key', '{"result":{"a":"LONG"},"id":7,"jsonrpc":"2.0"}'],
    ['of too many bytes, whose id lies between', '{"result":{"a":"LONG"},"id":7,"jsonrpc":"2.0","x":"LONG"}'],
    ['with a key that stands twice', '{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}'],
    ['with two ids', '{"jsonrpc":"2.0","id":7,"id":8,"result":{}}'],
    ['in a list', '[{"jsonrpc":"2.0","id":7,"result":{}}]'],
    ['in a list of too many bytes', '[{"jsonrpc":"2.0","id":7,"result":{"text":"LONG"}}]'],
    ['with a result and an error', '{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}}'],
    ['with neither', '{"jsonrpc":"2.0","id":7}'],
    ['with a result that is not an object', '{"jsonrpc":"2.0","id":7,"result":[]}'],
    ['of another version', '{"jsonrpc":"1.0","id":7,"result":{}}'],
    ['without a version', '{"id":7,"result":{}}'],
    ['with a key of its own', '{"jsonrpc":"2.0","id":7,"result":{},"more":1}'],
    ['with its id as a text', '{"jsonrpc":"2.0","id":"7","result":{}}'],
    ['without an id', '{"jsonrpc":"2.0","result":{}}'],
    ['with a number that JSON does not have', '{"jsonrpc":"2.0","id":7,"result":{"a":NaN}}'],
    ['that breaks off', '{"jsonrpc":"2.0","id":7,"result":{"a":'],
    ['with two lists that differ in case', '{"jsonrpc":"2.0","id":7,"result":{"Tools":[],"tools":[]}}'],
    ['with a list by another spelling', '{"jsonrpc":"2.0","id":7,"result":{"Tools":[]}}'],
    ['too deep', `{"jsonrpc":"2.0","id":7,"result":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`],
  ])('a response %s ends its request with an error, and later requests are answered', async (_, says) => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send(7, 'tools/call', { says: `${says}\n` });
    expect(await client.next()).toEqual({ jsonrpc: '2.0', ...why(7, NOT_PASSED) });
    expect(await client.untilPing()).toEqual([]);
  });

  it.each([
    ['a line of a log', 'Listening on port 1'],
    ['a line of a log that begins like a list', '[info] started'],
    ['a log in JSON', '{"level":"info","id":7,"msg":"started"}'],
    [
      'a notification of too many bytes',
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"LONG"}}',
    ],
    ['a response to another request', '{"jsonrpc":"2.0","id":8,"result":{}}'],
    ['a broken response to another request', '{"jsonrpc":"2.0","id":8,"result":[]}'],
  ])('%s ends no request, and a note says that it was dropped', async (_, says) => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send(7, 'tools/call', { says: `${says}\n` });
    expect(await client.untilPing()).toEqual([]);
    expect(client.notes).toEqual([expect.stringContaining('dropped')]);
  });

  it('a notification that the guard keeps from the client ends no request', async () => {
    covers('AUTHZ-MCP.17');
    const client = start();
    const about = (uri: string) => `{"jsonrpc":"2.0","method":"notifications/x","params":{"uri":"${uri}"}}\n`;
    client.send(7, 'tools/call', { says: about('secret') + about('open') });
    expect(await client.untilPing()).toMatchObject([{ params: { uri: 'open' } }]);
  });

  it('a response without an id that can be read ends none of two requests that wait', async () => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send(7, 'tools/call');
    client.send(8, 'tools/call', { says: '{"jsonrpc":"2.0","result":{"text":"LONG"}}\n' });
    expect(await client.untilPing()).toEqual([]);
    expect(client.notes).toEqual([expect.stringMatching(/^dropped .* longer than 10000 bytes/)]);
  });

  it.each([
    ['with a key that stands twice', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1,"b":2}}'],
    ['of too many bytes', '{"method":"a","params":{"b":"LONG"},"jsonrpc":"2.0","id":1}'],
  ])('a request of the server %s is refused to the server, and ends none of the client', async (_, says) => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send(1, 'tools/call', { says: `${says}\n` });
    expect(await client.next()).toMatchObject({
      method: 'notifications/told',
      params: { id: 1, error: { code: -32600 } },
    });
    expect(await client.untilPing()).toEqual([]);
  });

  it.each(['{"jsonrpc":"2.0","id":1,', 'ping', '\u00e4', '{"a":NaN}'])(
    'a message of the client that is not JSON, %j, is answered with a parse error without an id',
    async (text) => {
      covers('AUTHZ-MCP.15');
      const client = start();
      client.write(text);
      expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
      client.write('{"jsonrpc":"2.0","id":1,"method":"x","method":"y"}');
      expect(await client.next()).toMatchObject({ error: { code: -32600 } });
      expect(await client.untilPing()).toEqual([]);
    },
  );

  it('a request of too many bytes is refused under its id, and later requests are answered', async () => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send('long', 'tools/call', { text: 'x'.repeat(BYTES_MAX) });
    expect(await client.next()).toMatchObject({ id: 'long', error: { code: -32600 } });
    expect(await client.untilPing()).toEqual([]);
  });

  it('a last response of too many bytes that no line feed ends has an error before the guard ends', async () => {
    covers('AUTHZ-MCP.13');
    const client = start();
    client.send(7, 'tools/call', { says: '{"jsonrpc":"2.0","id":7,"result":{"text":"LONG"}}', ends: true });
    expect(await client.next()).toEqual({ jsonrpc: '2.0', ...why(7, NOT_PASSED) });
    expect(await client.code).toBe(0);
  });
});
