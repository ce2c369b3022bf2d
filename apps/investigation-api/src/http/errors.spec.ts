import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';

/** Every outcome but success, with a worker that fails as it is told: nothing here depends on the engine. */
const worker = bundleWorker(new URL('../engine/scripted-worker.fixture.ts', import.meta.url));
let service: TestService;
beforeAll(async () => {
  service = await startTestService(worker.file, {
    INVESTIGATION_BODY_BYTES_MAX: '2048',
    INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: '4096',
    INVESTIGATION_WORKERS: '1',
    INVESTIGATION_WORKER_MEMORY_MIB: '64',
    INVESTIGATION_QUEUE_MAX: '1',
    INVESTIGATION_ANALYSIS_TIMEOUT_MS: '60000',
  });
});
afterAll(async () => {
  await service.close();
  worker.remove();
});

async function outcome(response: Promise<Response>) {
  const { status, headers, ...rest } = await response.then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as unknown,
  }));
  return { status, headers, body: rest.body as { error: string } };
}

describe('200', () => {
  it.each(['bearer', 'api_key'])('a credential of scheme %s gets 200', async (scheme) => {
    covers('INV-A.1', 'INV-A.2');
    const headers: Record<string, string> =
      scheme === 'bearer'
        ? {}
        : { 'X-API-Key': service.apiKey, authorization: undefined as unknown as string };
    if (scheme === 'api_key') delete headers.authorization;
    const response = await fetch(`${service.url}/api/v1/investigations/analyze`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(scheme === 'bearer' ? { authorization: `bearer ${service.token}` } : headers),
      },
      body: 'hello',
    });
    expect([response.status, await response.json()]).toEqual([200, { echo: 'hello' }]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('401', () => {
  const send = (headers: [string, string][]) =>
    new Promise<{ status: number; challenge: string; body: string }>((resolve, reject) => {
      const req = request(`${service.url}/api/v1/investigations/analyze`, { method: 'POST' });
      for (const name of new Set(headers.map(([key]) => key))) {
        req.setHeader(
          name,
          headers.filter(([key]) => key === name).map(([, value]) => value),
        );
      }
      req.setHeader('content-type', 'application/json');
      req.on('error', reject).on('response', (res) => {
        let body = '';
        res.on('data', (chunk) => (body += String(chunk)));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, challenge: res.headers['www-authenticate'] ?? '', body }),
        );
      });
      req.end('hello');
    });

  const bad: [string, () => [string, string][]][] = [
    ['no credential', () => []],
    ['another scheme', () => [['Authorization', `Basic ${service.token}`]]],
    ['a token of nobody', () => [['Authorization', 'Bearer abc.def.ghi']]],
    ['an API key in the place of a token', () => [['Authorization', `Bearer ${service.apiKey}`]]],
    ['a token in the place of an API key', () => [['X-API-Key', service.token]]],
    [
      'two tokens',
      () => [
        ['Authorization', `Bearer ${service.token}`],
        ['Authorization', `Bearer ${service.token}`],
      ],
    ],
    [
      'two API keys',
      () => [
        ['X-API-Key', service.apiKey],
        ['X-API-Key', service.apiKey],
      ],
    ],
    [
      'a token and an API key',
      () => [
        ['Authorization', `Bearer ${service.token}`],
        ['X-API-Key', service.apiKey],
      ],
    ],
  ];
  it.each(bad)('%s gets 401', async (name, headers) => {
    covers('INV-E.401');
    const { status, challenge, body } = await send(headers());
    expect(status).toBe(401);
    expect(challenge).toBe(
      `Bearer realm="investigation-api"${name === 'no credential' ? '' : ', error="invalid_token"'}`,
    );
    expect(JSON.parse(body)).toEqual({
      error: 'send a valid `Authorization: Bearer <token>` or `X-API-Key: <key>`',
    });
  });

  it('the sender of an expired token learns that it has expired', async () => {
    covers('INV-E.401');
    const token = await service.sign({ exp: 1_000_000_000 }, 'at+jwt');
    const { status, challenge, body } = await send([['authorization', `Bearer ${token}`]]);
    expect(status).toBe(401);
    expect(challenge).toBe(
      'Bearer realm="investigation-api", error="invalid_token", error_description="the token has expired"',
    );
    expect(body).toContain('the token has expired: sign in again');
  });
});

describe('4xx', () => {
  it('404 for unknown URLs and methods', async () => {
    covers('INV-E.404');
    for (const [method, path] of [
      ['GET', '/api/v1/investigations/analyze'],
      ['POST', '/api/v1/nothing'],
    ] as const) {
      const { status, body } = await outcome(fetch(service.url + path, { method }));
      expect([status, body]).toEqual([404, { error: `no \`${method} ${path}\` here` }]);
    }
  });

  it('413 one byte over the limit, 200 at it', async () => {
    covers('INV-E.413');
    expect((await outcome(service.analyze('x'.repeat(2048)))).status).toBe(200);
    const { status, body } = await outcome(service.analyze('x'.repeat(2049)));
    expect([status, body]).toEqual([413, { error: 'the body is larger than 2048 bytes' }]);
  });

  it('413 when the analysis outgrows its memory', async () => {
    covers('INV-E.413');
    expect((await outcome(service.analyze('exhaust memory'))).status).toBe(413);
  });

  it('415 for what is not JSON', async () => {
    covers('INV-E.415', 'INV-P.2');
    expect((await outcome(service.analyze('x', { 'content-type': 'text/plain' }))).status).toBe(415);
  });

  it('422 with what the worker finds wrong', async () => {
    covers('INV-E.422');
    const { status, body } = await outcome(service.analyze('problem'));
    expect([status, body]).toEqual([422, { error: 'claims[0].id: must not be empty' }]);
  });
});

describe('5xx', () => {
  it.each(['throw', 'exit'])('500 when the engine fails: %s, and serves on', async (script) => {
    covers('INV-E.500');
    const { status, headers, body } = await outcome(service.analyze(script));
    expect(status).toBe(500);
    expect(body.error).toBe(`internal error, request id ${headers.get('x-request-id')}`);
    expect((await outcome(service.analyze('next'))).status).toBe(200);
  });

  it('503 with Retry-After when too many wait, and work stops when a client goes', async () => {
    covers('INV-E.503', 'INV-P.5', 'INV-P.6');
    const gone = [new AbortController(), new AbortController()] as const;
    const held = gone.map(({ signal }) => service.analyze('hang', {}, signal).catch(() => 'gone'));
    await waitFor(() => service.deps.analysis.load().waiting === 1);
    const { status, headers, body } = await outcome(service.analyze('one too many'));
    expect([status, body]).toEqual([503, { error: 'too many investigations are waiting, try again later' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    for (const controller of gone) controller.abort();
    expect(await Promise.all(held)).toEqual(['gone', 'gone']);
    // The one worker there is was hanging: only its end lets this through.
    await waitFor(async () => (await service.analyze('free again')).status === 200);
  });

  it('504 when the time is up, and the worker is ended', async () => {
    covers('INV-E.504');
    const slow = await startTestService(
      worker.file,
      { INVESTIGATION_ANALYSIS_TIMEOUT_MS: '1', INVESTIGATION_WORKERS: '1' },
      {
        sessions: service.deps.sessions,
        outcomes: service.deps.outcomes,
        watch: service.deps.watch,
        jobs: service.deps.jobs,
      },
    );
    const { status, body } = await outcome(slow.analyze('hang'));
    expect([status, body]).toEqual([504, { error: 'the investigation took longer than 1 ms' }]);
    await slow.close();
  });
});

/** Asks again until it holds; the test's own time-out is the limit. */
async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
