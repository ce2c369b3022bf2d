import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECURITY_HEADERS } from '@platform/service-kit';
import { createOwner, startPlatform, stopServices, type Platform } from './platform.fixture.ts';

let platform: Platform;
let token: string;
beforeAll(async () => {
  platform = await startPlatform();
  ({ token } = await createOwner(platform.authz, 'a user password for tests 2846'));
});
afterAll(stopServices);

type Base = 'authzUrl' | 'docstoreUrl' | 'investigationUrl';
const BASES: readonly Base[] = ['authzUrl', 'docstoreUrl', 'investigationUrl'];
/** Pages have a policy of their own, which lets them load their styles; all else is the same. */
const POLICY = 'Content-Security-Policy';

/** The response to what a client writes, as it stands on the wire. */
function raw(base: Base, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(Number(new URL(platform[base]).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('close', () => resolve(response)).on('error', reject);
  });
}

function expectHeaders(headers: Headers, { page = false } = {}): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (page && name === POLICY) expect(headers.get(name)).toContain("default-src 'none'");
    else expect([name, headers.get(name)]).toEqual([name, value]);
  }
  expect(headers.get('x-powered-by')).toBeNull();
}

describe('security headers stand on', () => {
  it.each<[number, Base, string, string, string | null]>([
    [404, 'authzUrl', 'GET', '/nowhere', null],
    [404, 'docstoreUrl', 'GET', '/nowhere', null],
    [404, 'investigationUrl', 'GET', '/nowhere', null],
    [404, 'investigationUrl', 'GET', '/share/00000000-0000-4000-8000-000000000000/x', null],
    [404, 'authzUrl', 'GET', '/%ff', null],
    [401, 'docstoreUrl', 'GET', '/v1/usage', null],
    [401, 'investigationUrl', 'GET', '/api/v1/sessions', null],
    [401, 'authzUrl', 'POST', '/v1/authz/check', '{"context":{}}'],
    [400, 'authzUrl', 'POST', '/v1/authz/check', 'no JSON'],
    [413, 'authzUrl', 'POST', '/v1/authz/check', 'x'.repeat(70_000)],
    [200, 'authzUrl', 'GET', '/.well-known/jwks.json', null],
    [200, 'docstoreUrl', 'GET', '/v1/errors', null],
    [200, 'investigationUrl', 'GET', '/openapi.json', null],
  ])('%i of %s %s %s', async (status, base, method, path, body) => {
    const headers: Record<string, string> =
      status === 401 || body === null ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(platform[base] + path, { method, body, headers });
    expect(response.status).toBe(status);
    expectHeaders(response.headers);
  });

  it.each(BASES)('the documentation page of %s', async (base) => {
    const response = await fetch(`${platform[base]}/docs`);
    expect(response.status).toBe(200);
    expectHeaders(response.headers, { page: true });
  });

  it.each(BASES)('what the HTTP parser of %s refuses', async (base) => {
    for (const [text, status] of [
      ['HELLO\r\n\r\n', '400 Bad Request'],
      [
        `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
        '431 Request Header Fields Too Large',
      ],
    ] as const) {
      const response = await raw(base, text);
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        expect(response).toContain(`\r\n${name}: ${value}\r\n`);
    }
  });
});

describe('errors of ours', () => {
  it('503 carries them too: authz-grpc is gone', async () => {
    await platform.services['authz-grpc'].stop();
    for (const url of [`${platform.docstoreUrl}/v1/usage`, `${platform.investigationUrl}/api/v1/sessions`]) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      expect(response.status).toBe(503);
      expectHeaders(response.headers);
    }
  });
});
