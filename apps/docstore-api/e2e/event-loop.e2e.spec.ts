import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLoopWatch, startPostgres, type LoopWatch, type Postgres } from '@platform/testing';
import { outputOf, startReplica, type Replica } from './replica.fixture.ts';

const MiB = 1024 * 1024;
/** Longest that anything may keep the event loop to itself. Milliseconds of the processor. */
const HELD_MAX = 200;

let postgres: Postgres;
let key: string;
let service: Replica;
let watch: LoopWatch;
beforeAll(async () => {
  postgres = await startPostgres();
  watch = createLoopWatch();
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: '',
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
    DOCSTORE_SLOW_REQUEST_MS: '2000',
  };
  await outputOf(['migrate'], env);
  key = await outputOf(['key', '--owner', 'hostile'], env);
  service = await startReplica({ ...env, ...watch.env });
});
afterAll(async () => {
  await service?.kill();
  await watch.close();
  await postgres.stop();
});

async function exchange(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const response = await fetch(service.url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}

const send = async (...request: Parameters<typeof exchange>) => (await exchange(...request)).status;

/** Sends bytes as they are, then nothing more, until the service or `ms` end the connection. */
function leaveHanging(bytes: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('error', () => undefined).resume();
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
const head = (...lines: string[]) =>
  ['POST /v1/file HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n');
const type = 'Content-Type: application/json';
const times = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work));

describe('the event loop, seen from within the service', () => {
  const nested = new Uint8Array(8 * MiB).fill('['.charCodeAt(0));
  let documents = 0;
  const text = (name: string, piece: string, count: number) =>
    JSON.stringify({ filename: `${name}-${(documents += 1)}`, contents: piece.repeat(count) });

  const manyKeys = () => ({
    filename: `keys-${(documents += 1)}`,
    contents: '',
    metadata: Object.fromEntries(Array.from({ length: 1_450 }, (_, n) => [`k${n}`, ''])),
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'heads that never end',
      () => times(100, () => leaveHanging('GET /v1/usage HTTP/1.1\r\nHost: x\r\nX: ', 3_000)),
    ],
    [
      'bodies half sent',
      () => times(100, () => leaveHanging(`${head(type, 'Content-Length: 1000000')}{"a":`, 3_000)),
    ],
    [
      'large bodies announced with Expect and never sent',
      () =>
        times(50, () =>
          leaveHanging(head(type, 'Expect: 100-continue', `Content-Length: ${4 * MiB}`), 3_000),
        ),
    ],
    ['8 MiB of `[`', () => times(8, () => send('POST', '/v1/file', nested))],
    [
      'JSON bodies of 8 MiB in each write that takes one',
      async () => {
        const escaped = `"${String.raw`\u0061`.repeat(1.3 * MiB)}"`;
        await send('POST', '/v1/file', `{"filename":"escaped","contents":${escaped}}`);
        await send('PUT', '/v1/path/escaped', `{"contents":${escaped}}`);
        await send(
          'PATCH',
          '/v1/file/file_00000000-0000-7000-8000-000000000000',
          `{"metadata":{"a":${escaped}}}`,
        );
        await send('POST', '/v1/batch', `{"requests":[{"method":"GET","id":${escaped}}]}`);
      },
    ],
    ['4 MiB of one word', () => times(2, () => send('POST', '/v1/file', text('word', 'a', 4 * MiB)))],
    ['3 MiB of short words', () => times(2, () => send('POST', '/v1/file', text('words', 'ab ', MiB)))],
    [
      'batches that write the most metadata',
      () =>
        times(2, () =>
          send(
            'POST',
            '/v1/batch',
            JSON.stringify({
              items: Array.from({ length: 100 }, () => ({ method: 'create', file: manyKeys() })),
            }),
          ),
        ),
    ],
    [
      'a page of 200 documents with the most metadata',
      async () => {
        const { body } = await exchange('GET', '/v1/file?limit=200&filename=keys-&filename_match=prefix');
        expect((JSON.parse(body) as { files: unknown[] }).files).toHaveLength(200);
      },
    ],
    [
      'a page of 100 versions with the most metadata',
      async () => {
        const made = manyKeys();
        const { body } = await exchange('POST', '/v1/file', JSON.stringify(made));
        const { id } = JSON.parse(body) as { id: string };
        for (let n = 0; n < 100; n++) {
          const next = JSON.stringify({ ...made, contents: `${n}` });
          expect((await exchange('PUT', `/v1/file/${id}`, next, { 'If-Match': '*' })).status).toBe(200);
        }
        expect(await send('GET', `/v1/file/${id}/versions?limit=100`)).toBe(200);
      },
    ],
    [
      'patterns that backtrack elsewhere',
      () =>
        Promise.all(
          ['^(a+)+$', '(a|aa)+$', '(.*a){20}$'].map((pattern) =>
            send('GET', `/v1/file?mode=regex&query=${encodeURIComponent(pattern)}`),
          ),
        ),
    ],
  ])('the event loop keeps running under %s', async (_what, hurt) => {
    // Compilers and caches are no attacker's work.
    expect(await send('GET', '/v1/usage')).toBe(200);
    await watch.longestHeld();
    await hurt();
    expect(await watch.longestHeld()).toBeLessThan(HELD_MAX);
    expect(await send('GET', '/v1/usage')).toBe(200);
  });
});
