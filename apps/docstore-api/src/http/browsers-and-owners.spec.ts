import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseOrigins } from '@platform/service-kit';
import { covers } from '@platform/testing/covers';
import { clientOf, startTestService, type TestService } from '../test-service.fixture.ts';
import { buildOpenApi } from './openapi.ts';

/** What an operation of the OpenAPI document says about headers. */
interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Record<string, { readonly headers?: Record<string, unknown> }>;
}

let service: TestService;
/** Four requests a second by a key, and as many by all keys of an owner. */
let quick: TestService;
beforeAll(async () => {
  quick = await startTestService(null, {
    DOCSTORE_REQUESTS_PER_MINUTE: '240',
    DOCSTORE_OWNER_RATE_FACTOR: '1',
  });
  service = await startTestService(null, {
    DOCSTORE_CORS_ORIGINS: 'https://app.example, http://localhost:3000',
    DOCSTORE_REQUESTS_PER_MINUTE: '2',
    DOCSTORE_OWNER_RATE_FACTOR: '2',
  });
});
afterAll(async () => {
  await service.close();
  await quick.close();
});

describe('a browser app', () => {
  const ask = (method: string, origin: string, headers: Record<string, string> = {}) =>
    fetch(`${service.base}/v1/file`, { method, headers: { Origin: origin, ...headers } });

  it('a browser app of an origin on the list may send every request of the contract, and read its headers', async () => {
    covers('DOC-D.36');
    const asked = { 'Access-Control-Request-Method': 'PUT' };
    const preflight = await ask('OPTIONS', 'http://localhost:3000', asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000');
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('If-Match');
    const refused = await ask('GET', 'https://app.example');
    expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([
      401,
      'https://app.example',
    ]);
    expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('ETag');
    expect(refused.headers.get('Vary')).toContain('Origin');
  });

  it('a browser app may send every header that the OpenAPI document names, and read every one', async () => {
    covers('DOC-D.36');
    const preflight = await ask('OPTIONS', 'http://localhost:3000', {
      'Access-Control-Request-Method': 'GET',
    });
    const listOf = (name: string) => preflight.headers.get(name)!.split(', ');
    const operations = Object.values(buildOpenApi().paths ?? {}).flatMap((path) =>
      Object.values(path as Record<string, Described>),
    );
    const sent = operations.flatMap(({ parameters = [] }) =>
      parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    );
    expect(listOf('Access-Control-Allow-Headers')).toEqual(expect.arrayContaining([...new Set(sent)]));
    const read = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    expect(listOf('Access-Control-Expose-Headers')).toEqual(expect.arrayContaining([...new Set(read)]));
  });

  it('a browser app of another origin gets no CORS headers', async () => {
    covers('DOC-D.36');
    for (const origin of ['https://evil.example', 'null', 'https://app.example.evil.example']) {
      const preflight = await ask('OPTIONS', origin, { 'Access-Control-Request-Method': 'GET' });
      expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([404, null]);
    }
  });

  it.each(['*', 'app.example', 'https://app.example/', ''])('an allowed origin cannot be `%s`', (text) => {
    expect(() => parseOrigins(text)).toThrow('must be origins');
  });
});

describe('the keys of an owner', () => {
  it('all keys of an owner share one rate, and other owners have their own', async () => {
    covers('DOC-D.38');
    const owner = randomUUID();
    const keys = await Promise.all([1, 2, 3, 4].map(() => clientOf(service, owner)));
    const responses = [];
    for (const { send } of keys) for (let n = 0; n < 2; n++) responses.push(await send('GET', '/v1/usage'));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    expect(Number(responses.at(-1)!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    const other = await clientOf(service);
    expect((await other.send('GET', '/v1/usage')).status).toBe(200);
  });

  it('a key is listed, rotated and revoked while other keys of its owner and itself use up every rate', async () => {
    covers('DOC-D.67');
    const owner = randomUUID();
    const [leaked, own] = [await clientOf(service, owner), await clientOf(service, owner)];
    const statusOf = async (client: typeof own, method: string, path: string) =>
      (await client.send(method, path)).status;
    for (const client of [leaked, own, leaked, own, leaked, own]) await statusOf(client, 'GET', '/v1/usage');
    // The holder of the leaked key uses up what it has for revocations, which is none of the owner's.
    for (let n = 0; n < 3; n++) await statusOf(leaked, 'DELETE', `/v1/key/unknown-${n}`);
    expect(await statusOf(leaked, 'GET', '/v1/key')).toBe(429);
    expect(await statusOf(own, 'GET', '/v1/usage')).toBe(429);
    const { json } = await own.send('GET', '/v1/key');
    expect(json.keys).toHaveLength(2);
    const { id } = json.keys[1];
    expect(await statusOf(own, 'DELETE', `/v1/key/${id}`)).toBe(204);
    expect(await statusOf(leaked, 'GET', '/v1/key')).toBe(401);
    // The owner's revocations are limited as well.
    expect(await statusOf(own, 'GET', '/v1/key')).toBe(429);
  });

  it('each refused request of a key, or of all keys of an owner, is let through at the time that it was told', async () => {
    covers('DOC-D.54');
    const owner = randomUUID();
    const keys = await Promise.all([1, 2].map(() => clientOf(quick, owner)));
    const told: { seconds: number; again: () => Promise<number> }[] = [];
    // The first key is refused for its own rate, the second for the owner's, which is as high.
    for (const [index, { send }] of keys.entries()) {
      for (let n = 0; told.length < 4 * (index + 1); n++) {
        const path = `/v1/file?updated_after=2026-01-01T00:00:00.${1000 + n}Z`;
        const { status, headers } = await send('GET', path);
        const again = async () => (await send('GET', path)).status;
        if (status === 429) told.push({ seconds: Number(headers.get('Retry-After')), again });
      }
    }
    told.sort((a, b) => a.seconds - b.seconds);
    const start = performance.now();
    const statuses: number[] = [];
    for (const { seconds, again } of told) {
      while (performance.now() < start + seconds * 1000) await new Promise((r) => setTimeout(r, 20));
      // Others of the same owner, who have not been told anything, take no place.
      for (const { send } of keys) await send('GET', `/v1/file?limit=${1 + statuses.length}`);
      statuses.push(await again());
    }
    expect(statuses).toEqual(told.map(() => 200));
  });
});
