import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { killOnExit } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { EXIT } from '../src/exit-codes.ts';
import { PASSWORD, PLATFORM, policy, startAuthority, type Authority, type Json } from './guard.fixture.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { a: 'b' } } };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const SECRET = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_all' } };
const TOOLS = { tools: [{ name: 'echo', inputSchema: { maximum: 12 } }, { name: 'delete_all' }] };

describe('the guard over HTTP', () => {
  let authority: Authority;
  let upstream: Server;
  let guard: ChildProcess;
  let port: number;
  let other: { id: string; token: string };
  let stranger: { id: string; token: string };
  /** What reached the server, and what it responds. */
  const seen: { method: string; headers: Json; body: string; url: string }[] = [];
  let respond: (body: string) => { status?: number; type?: string; body: string; headers?: Json };

  beforeAll(async () => {
    authority = await startAuthority();
    const { agent, domainId } = authority;
    other = await authority.newUser('other');
    stranger = await authority.newFounder('stranger');
    const object = (path: string) => `svc://${domainId}/mcp/${path}`;
    await authority.put(
      [agent, other].flatMap(({ id: subject }) => [
        policy(`connects ${subject}`, 'FIXED', { subject, action: 'connect', object: object('files') }),
        policy(`echoes ${subject}`, 'FIXED', { subject, action: 'call', object: object('files/tools/echo') }),
      ]),
    );
    upstream = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        seen.push({ method: req.method!, headers: req.headers, body, url: req.url! });
        const { status = 200, type = 'application/json', body: out, headers } = respond(body);
        res.writeHead(status, { 'content-type': type, ...headers }).end(out);
      });
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp?fixed=1`;
    const args = [
      'mcp-guard',
      '--name',
      'files',
      '--domain',
      domainId,
      '--url',
      url,
      '--listen',
      '127.0.0.1:0',
    ];
    guard = spawn(process.execPath, [PLATFORM, ...args, '--message-bytes', '65536'], {
      env: {
        PATH: process.env['PATH'],
        PLATFORM_ADDRESS: authority.address,
        MCP_GUARD_UPSTREAM_TOKEN: 'of-the-guard',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    killOnExit(guard);
    const [said] = (await once(guard.stdout!, 'data')) as [Buffer];
    port = Number(/:(\d+)\/mcp/.exec(said.toString())?.[1]);
  });
  afterAll(async () => {
    guard?.kill();
    upstream?.close();
    await authority?.stop();
  });
  beforeEach(() => {
    seen.length = 0;
    respond = () => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }) });
  });

  function ask(
    body: unknown,
    headers: Record<string, string | string[]> = {},
    options: { method?: string; path?: string; token?: string | null } = {},
  ): Promise<Answer> {
    const { method = 'POST', path = '/mcp', token = authority.agent.token } = options;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      if (token !== null) sent.setHeader('authorization', `Bearer ${token}`);
      if (body !== null) sent.setHeader('content-type', 'application/json');
      for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
      const isReady = typeof body === 'string' || body instanceof Uint8Array;
      sent.end(body === null ? undefined : isReady ? body : JSON.stringify(body));
    });
  }
  const UTF8 = 'application/json; charset=utf-8';
  const utf16 = (message: unknown) => Buffer.from(`\uFEFF${JSON.stringify(message)}`, 'utf16le');
  const bearer = () => `Bearer ${authority.agent.token}`;

  it('a guard without a credential of its own says that only a domain by name needs one', async () => {
    covers('AUTHZ-MCP.10');
    const args = ['mcp-guard', '--domain', 'by-name', '--url', 'http://127.0.0.1:1/mcp'];
    const env = { PATH: process.env['PATH'], PLATFORM_ADDRESS: authority.address };
    const refused = spawn(process.execPath, [PLATFORM, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    killOnExit(refused);
    let said = '';
    refused.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(refused, 'close')) as [number];
    expect([code, said]).toEqual([EXIT.unauthenticated, expect.stringContaining('name it by its id')]);
  });

  it('a permitted call reaches the server byte by byte, with the credential of the guard alone', async () => {
    covers('AUTHZ-MCP.1', 'AUTHZ-MCP.5');
    const text = JSON.stringify(CALL, null, 2);
    expect((await ask(text, { cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' })).status).toBe(200);
    expect([seen[0]?.body, seen[0]?.url]).toEqual([text, '/mcp?fixed=1']);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer of-the-guard' });
    expect([seen[0]?.headers['cookie'], seen[0]?.headers['x-forwarded-for']]).toEqual([undefined, undefined]);
    expect(JSON.stringify(seen)).not.toContain(authority.agent.token);
  });

  it('a key without the scope of checks, and a session without a tenant, are refused for that', async () => {
    covers('AUTHZ-MCP.18');
    const { clients, agent } = authority;
    const { apiKey } = await clients.apiKeys.createApiKey(
      { userId: agent.id, scopes: { values: ['read'] } },
      { token: agent.token },
    );
    const { body } = await ask(CALL, {}, { token: apiKey });
    expect(JSON.parse(body)).toMatchObject({
      result: { isError: true, content: [{ text: 'not permitted: the credential lacks the scope `check`' }] },
    });
    const { token } = await clients.sessions.login({ username: 'agent', password: PASSWORD });
    const answer = await ask(CALL, {}, { token });
    expect([answer.status, answer.body]).toEqual([401, expect.stringContaining('has no tenant')]);
    expect(seen).toEqual([]);
  });

  it.each<[string, () => Promise<Answer>, number]>([
    ['a request without a credential', () => ask(CALL, {}, { token: null }), 401],
    ['a credential that is none', () => ask(CALL, {}, { token: 'x.y.z' }), 401],
    ['a call that is not permitted', () => ask(SECRET), 200],
    ['a member of another tenant', () => ask(CALL, {}, { token: stranger.token }), 200],
    [
      'a stream for a member of another tenant',
      () => ask(null, {}, { method: 'GET', token: stranger.token }),
      403,
    ],
    ['a page whose name leads here', () => ask(CALL, { host: 'evil.example' }), 403],
    ['a page of another origin', () => ask(CALL, { origin: 'http://evil.example' }), 403],
    ['another path', () => ask(CALL, {}, { path: '/admin' }), 404],
    ['a query', () => ask(CALL, {}, { path: '/mcp?toolsets=all' }), 404],
    ['another method', () => ask(CALL, {}, { method: 'PUT' }), 405],
    ['a body that is not JSON', () => ask(CALL, { 'content-type': 'text/plain' }), 415],
    ['a body in UTF-16', () => ask(utf16(CALL), { 'content-type': 'application/json' }), 400],
    [
      'a body that claims UTF-16',
      () => ask(CALL, { 'content-type': 'application/json; charset=utf-16' }),
      415,
    ],
    ['a body that claims two charsets', () => ask(CALL, { 'content-type': `${UTF8}; charset=utf-16` }), 415],
    ['a body of two types', () => ask(CALL, { 'content-type': [UTF8, 'text/plain'] }), 400],
    ['two credentials', () => ask(CALL, { authorization: [bearer(), 'Bearer x'] }, { token: null }), 400],
    ['one credential twice', () => ask(CALL, { authorization: [bearer(), bearer()] }, { token: null }), 400],
    ['two sessions', () => ask(CALL, { 'mcp-session-id': ['a', 'b'] }), 400],
    ['a compressed body', () => ask(CALL, { 'content-encoding': 'gzip' }), 415],
    ['a body above the bound', () => ask({ ...CALL, params: { name: 'echo', x: 'x'.repeat(70_000) } }), 413],
    ['a list of messages', () => ask([CALL]), 400],
    ['a header with another method', () => ask(CALL, { 'mcp-method': 'ping' }), 400],
    ['a header with another name', () => ask(CALL, { 'mcp-name': 'delete_all' }), 400],
    ['a header with another argument', () => ask(CALL, { 'mcp-param-a': 'c' }), 400],
    ['a session that nobody gave out', () => ask(CALL, { 'mcp-session-id': 'guessed' }), 404],
    ['an event that nobody gave out', () => ask(null, { 'last-event-id': '1' }, { method: 'GET' }), 400],
    ['a call without an id', () => ask({ ...SECRET, id: undefined }), 403],
  ])('%s does not reach the server, and the response says why', async (_, send, status) => {
    covers('AUTHZ-MCP.3', 'AUTHZ-MCP.5');
    const answer = await send();
    expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(/"(?:message|text)":"\S/)]);
    expect(seen).toEqual([]);
  });

  it('a refusal of a charset or of two credentials says what to send', async () => {
    covers('AUTHZ-MCP.3');
    const charset = await ask(CALL, { 'content-type': 'application/json; charset=utf-16' });
    expect(charset.body).toContain('`Content-Type` must be application/json in UTF-8');
    const twice = await ask(CALL, { authorization: [bearer(), 'Bearer x'] }, { token: null });
    expect(twice.body).toContain('the header authorization may stand once');
    expect((await ask(CALL, { 'content-type': UTF8 })).status).toBe(200);
  });

  it('headers that say what the message says reach the server', async () => {
    covers('AUTHZ-MCP.1');
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'echo', 'mcp-param-a': '=?base64?Yg==?=' };
    expect((await ask(CALL, headers)).status).toBe(200);
    expect(seen[0]?.headers).toMatchObject(headers);
  });

  it('lists are filtered in JSON, in streams, and in streams that are taken up again', async () => {
    covers('AUTHZ-MCP.2', 'AUTHZ-MCP.4');
    const listed = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...TOOLS, cacheScope: 'public' } });
    const kept = listed.replace(',{"name":"delete_all"}', '').replace('"public"', '"private"');
    respond = () => ({ body: listed });
    expect((await ask(LIST)).body).toBe(kept);
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}';
    respond = () => ({
      type: 'text/event-stream',
      body: `: hello\n\nid: e1\ndata:\n\ndata: ${progress}\n\nid: e2\ndata: ${listed}\n\ndata: {"jsonrpc":"2.0","id":9,"result":{"tools":[]}}\n\ndata: no message\n\n`,
    });
    const { body } = await ask(LIST);
    expect(body.replaceAll(/id: (e\d)\..{43}/g, 'id: $1')).toBe(
      `: hello\n\nid: e1\ndata: \n\ndata: ${progress}\n\nid: e2\ndata: ${kept}\n\n`,
    );
    const lastEvent = /id: (e1\..*)/.exec(body)?.[1] as string;
    const resumed = await ask(null, { 'last-event-id': lastEvent }, { method: 'GET' });
    expect([resumed.body.includes('delete_all'), resumed.body.includes('echo')]).toEqual([false, true]);
    expect(seen.at(-1)?.headers['last-event-id']).toBe('e1');
    const stolen = { method: 'GET', token: other.token };
    expect((await ask(null, { 'last-event-id': lastEvent }, stolen)).status).toBe(400);
  });

  it('a session is good for the caller who began it alone', async () => {
    covers('AUTHZ-MCP.5');
    respond = () => ({
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }),
      headers: { 'mcp-session-id': 's-1' },
    });
    const { headers } = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    expect((await ask(CALL, session)).status).toBe(200);
    expect(seen.at(-1)?.headers['mcp-session-id']).toBe('s-1');
    expect((await ask(CALL, session, { token: other.token })).status).toBe(404);
    expect((await ask(null, session, { method: 'DELETE', token: other.token })).status).toBe(404);
    expect((await ask(null, session, { method: 'DELETE' })).status).toBe(200);
  });

  it.each([
    ['a refusal of the guard itself', { status: 401, body: '{}' }, 502],
    ['a redirection', { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/' } }, 502],
    ['another response', { body: '{"jsonrpc":"2.0","id":2,"result":{}}' }, 502],
    ['a list with a key twice', { body: '{"jsonrpc":"2.0","id":1,"result":{"tools":[],"tools":[]}}' }, 502],
    ['a page', { type: 'text/html', body: '<p>secret' }, 502],
  ])('%s of the server is not passed on', async (_, response, status) => {
    covers('AUTHZ-MCP.3');
    respond = () => response;
    const answer = await ask(LIST);
    expect([answer.status, answer.body.includes('secret')]).toEqual([status, false]);
  });

  it('a credential that ended is refused at its next call', async () => {
    covers('AUTHZ-MCP.5');
    const short = await authority.newUser('short');
    await authority.clients.sessions.logout({ userId: short.id }, { token: short.token });
    expect((await ask(CALL, {}, { token: short.token })).status).toBe(401);
    await authority.clients.sessions.logout({ userId: other.id }, { token: other.token });
    expect((await ask(CALL, {}, { token: other.token })).status).toBe(401);
  });
});
