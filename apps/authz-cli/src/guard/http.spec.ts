import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
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

/** Calls through a guard before a server whose response never ends; `connect` is asked about the caller. */
async function call(method: 'GET' | 'POST', connect: () => Admission): Promise<Response> {
  const upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
  });
  const guard: Guard = {
    admit: () => Promise.resolve(PASSED),
    connect: () => Promise.resolve(connect()),
    filter: (text) => Promise.resolve(text),
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
      messageBytesMax: 1_000_000,
      hosts,
      recheckMs: RECHECK_MS,
    },
    () => undefined,
  );
  const port = await listening(server);
  hosts.add(`127.0.0.1:${port}`);
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method,
    headers: {
      authorization: 'Bearer token',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    ...(method === 'POST' && { body: JSON.stringify(CALL) }),
  });
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
