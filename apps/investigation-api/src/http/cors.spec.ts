import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { TOOLS } from '../mcp/tools.ts';
import { suiteService } from '../suite-service.fixture.ts';
import { buildOpenApi } from './openapi.ts';

const APP = 'https://app.example';
const service = suiteService('scripted', { INVESTIGATION_CORS_ORIGINS: APP });
const closed = suiteService('scripted');

/** The preflight of a browser for a request with a token and a body of JSON. */
const preflight = (url: string, path: string, origin = APP) =>
  fetch(url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
    },
  });

const initialize = (url: string, token: string, origin: string) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      origin,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'app', version: '1' } },
    }),
  });

/** Every header of a kind that the OpenAPI document names. */
function namedHeaders(): { sent: string[]; read: string[] } {
  const operations = Object.values(buildOpenApi(TOOLS).paths ?? {}).flatMap((path) =>
    Object.values(path as Record<string, Described>),
  );
  const sent = operations.flatMap(({ parameters = [] }) =>
    parameters.filter(({ in: at }) => at === 'header'),
  );
  const read = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  return { sent: [...new Set(sent.map(({ name }) => name))], read: [...new Set(read)] };
}
interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Record<string, { readonly headers?: Record<string, unknown> }>;
}

describe('programs in pages', () => {
  it.each(['/api/v1/sessions', '/mcp', '/.well-known/oauth-protected-resource/mcp'])(
    'a page of an allowed origin may call %s, without cookies',
    async (path) => {
      covers('INV-CORS.1');
      const response = await preflight(service.url, path);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(APP);
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  it('a page of an allowed origin may send every header that the OpenAPI document names, and read every one', async () => {
    covers('INV-CORS.1');
    const { headers } = await preflight(service.url, '/api/v1/sessions');
    const listOf = (name: string) => headers.get(name)!.split(', ');
    const { sent, read } = namedHeaders();
    expect(listOf('access-control-allow-headers')).toEqual(expect.arrayContaining(sent));
    expect(listOf('access-control-expose-headers')).toEqual(expect.arrayContaining(read));
  });

  it('a page of an allowed origin speaks MCP, and one of another origin is refused', async () => {
    covers('INV-CORS.1');
    const allowed = await initialize(service.url, service.token, APP);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, APP]);
    expect((await initialize(service.url, service.token, 'https://evil.example')).status).toBe(403);
  });

  it('a page of an allowed origin reads why it was refused', async () => {
    covers('INV-CORS.1');
    const response = await fetch(`${service.url}/api/v1/sessions`, { headers: { origin: APP } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, APP]);
    expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });

  it.each(['https://evil.example', 'null', 'https://app.example.evil.example'])(
    'a page of %s gets no header that lets it read',
    async (origin) => {
      covers('INV-CORS.1');
      const response = await preflight(service.url, '/api/v1/sessions', origin);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('no origin is allowed unless the settings name it, and the session of the desk is for its own pages alone', async () => {
    covers('INV-CORS.1');
    const unset = await preflight(closed.url, '/api/v1/sessions');
    const desk = await preflight(service.url, '/app/session');
    const allowed = [unset, desk].map(({ headers }) => headers.get('access-control-allow-origin'));
    expect(allowed).toEqual([null, null]);
  });
});
