import { once } from 'node:events';
import { createServer, request as send, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createBoundIds } from './bound-ids.ts';
import type { Admission, Guard } from './guard.ts';
import { createGuardServer } from './http.ts';

const RECHECK_MS = 20;
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tail', arguments: {} } };
const PASSED: Admission = { passed: true, list: null };
const refused = (isCredential: boolean): Admission => ({
  passed: false,
  refusal: { code: 'refused', text: 'not allowed' },
  response: null,
  isCredential,
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const BYTES_MAX = 10_000;

/** The port of a guard before a server that responds so; `connect` is asked about the caller. */
async function guardBefore(
  respond: RequestListener,
  connect: () => Admission = () => PASSED,
  note: (line: string) => void = () => undefined,
): Promise<number> {
  const upstream = createServer((request, response) => {
    request.resume();
    respond(request, response);
  });
  const guard: Guard = {
    admit: () => Promise.resolve(PASSED),
    connect: () => Promise.resolve(connect()),
    filter: (text) => Promise.resolve(text.includes('secret') ? null : text),
  };
  const hosts = new Set<string>();
  const server = createGuardServer(
    guard,
    (token) => Promise.resolve({ token, subject: 'caller' }),
    createBoundIds(Buffer.alloc(32)),
    {
      upstream: new URL(`http://127.0.0.1:${await listening(upstream)}/mcp`),
      upstreamToken: null,
      passesCredential: false,
      messageBytesMax: BYTES_MAX,
      hosts,
      recheckMs: RECHECK_MS,
    },
    note,
  );
  const port = await listening(server);
  hosts.add(`127.0.0.1:${port}`);
  return port;
}

const HEADERS = {
  authorization: 'Bearer token',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

function ask(port: number, method: 'GET' | 'POST'): Promise<Response> {
  const body = method === 'POST' ? { body: JSON.stringify(CALL) } : {};
  return fetch(`http://127.0.0.1:${port}/mcp`, { method, headers: HEADERS, redirect: 'manual', ...body });
}

/** Calls through a guard before a server whose response never ends. */
async function call(method: 'GET' | 'POST', connect: () => Admission): Promise<Response> {
  const port = await guardBefore((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
  }, connect);
  return ask(port, method);
}

describe('a response of the server that stays open', () => {
  it.each(['GET', 'POST'] as const)('the response to a %s ends with the credential', async (method) => {
    covers('AUTHZ-MCP.9');
    let asked = 0;
    const isLive = () => method === 'GET' && asked++ === 0;
    const response = await call(method, () => (isLive() ? PASSED : refused(true)));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toMatchObject({ name: 'TypeError' });
  });

  it('the response to a call stays open for a caller who may not connect, since the call was allowed', async () => {
    covers('AUTHZ-MCP.9');
    let asked = 0;
    const fourTimes = new Promise<void>((resolve) => {
      void call('POST', () => {
        if (++asked === 4) resolve();
        return refused(false);
      });
    });
    await fourTimes;
    expect(asked).toBe(4);
  });
});

const LONG = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(2 * BYTES_MAX)}"}}`;
const TWICE = '{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}';

describe('a response of the server that the guard over HTTP cannot pass on', () => {
  it.each([
    ['of too many bytes', 502, 200, 'application/json', LONG, 'longer than 10000 bytes'],
    ['with a key that stands twice', 502, 200, 'application/json', TWICE, 'stands twice'],
    [
      'to another request',
      502,
      200,
      'application/json',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
      'another request',
    ],
    ['of another type', 502, 200, 'text/html', '<p>', 'text/html'],
    ['that redirects', 502, 302, 'text/html', '<p>', 'responded with 302'],
    ['that wants a credential', 502, 401, 'text/html', '<p>', 'responded with 401'],
    ['that failed, with a page', 500, 500, 'text/html', '<p>', 'responded with 500'],
    ['that failed, with nothing', 503, 503, 'text/plain', '', 'responded with 503'],
  ])(
    'a response %s is an error under the id, with its reason, and a note',
    async (_, status, sent, type, body, why) => {
      covers('AUTHZ-MCP.13', 'AUTHZ-MCP.14');
      const notes: string[] = [];
      const port = await guardBefore(
        (__, response) => response.writeHead(sent, { 'content-type': type }).end(body),
        undefined,
        (line) => notes.push(line),
      );
      const response = await ask(port, 'POST');
      expect([response.status, await response.json()]).toEqual([
        status,
        { jsonrpc: '2.0', id: 1, error: { code: -32061, message: expect.stringContaining(why) } },
      ]);
      expect(notes).toEqual([expect.stringContaining(why)]);
    },
  );

  it('a response that breaks off, and a server that is not there, are told apart', async () => {
    covers('AUTHZ-MCP.14');
    const broken = await guardBefore((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 });
      response.write('{', () => response.destroy());
    });
    const absent = await guardBefore((_, response) => response.destroy());
    const said = await Promise.all(
      [broken, absent].map(async (port) => {
        const response = await ask(port, 'POST');
        return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
      }),
    );
    expect(said).toEqual([
      [502, expect.stringContaining('it broke off')],
      [502, 'the MCP server cannot be reached'],
    ]);
  });

  it.each([
    ['of too many bytes', LONG],
    ['with a key that stands twice', TWICE],
  ])('an event %s becomes an error under the id of the request, and the stream ends', async (_, data) => {
    covers('AUTHZ-MCP.13');
    const port = await guardBefore((__, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`: open\n\ndata: ${data}\n\n`);
    });
    const [opening, event = ''] = (await (await ask(port, 'POST')).text()).split('\n\n');
    expect(opening).toBe(': open');
    expect(JSON.parse(event.replace(/^data: /, ''))).toMatchObject({ id: 1, error: { code: -32061 } });
  });

  it('a notification that the guard keeps from the client is no event of the stream', async () => {
    covers('AUTHZ-MCP.17');
    const about = (uri: string) => `{"jsonrpc":"2.0","method":"notifications/x","params":{"uri":"${uri}"}}`;
    const port = await guardBefore((_, response) => {
      const events = ['secret', 'open'].map((uri) => `data: ${about(uri)}\n\n`).join('');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
    });
    expect(await (await ask(port, 'GET')).text()).toBe(`data: ${about('open')}\n\n`);
  });

  it('a request with two Host headers is refused', async () => {
    covers('AUTHZ-MCP.14');
    const port = await guardBefore((_, response) => response.end());
    const sent = send({ port, path: '/mcp', method: 'POST', headers: HEADERS });
    sent.setHeader('host', [`127.0.0.1:${port}`, 'other.example']);
    sent.end(JSON.stringify(CALL));
    const [{ statusCode }] = (await once(sent, 'response')) as [{ statusCode: number }];
    expect(statusCode).toBe(400);
  });
});
