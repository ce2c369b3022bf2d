import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DOCSTORE_CODES, docstoreErrorBody, type DocstoreErrorCode } from '@platform/error-contracts';
import { DocstoreClient } from './client.ts';
import { DocstoreError } from './docstore-error.ts';

interface Scripted {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const failure = (
  code: DocstoreErrorCode,
  headers: Record<string, string> = {},
  status: number = DOCSTORE_CODES[code].status,
): Scripted => ({
  status,
  headers,
  body: docstoreErrorBody(code, 'why', 'r-1'),
});

/** A real server that gives these answers one after another, and the client of it. */
async function scripted(answers: Scripted[]) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const waits: number[] = [];
  server = createServer((req, res) => {
    seen.push({ method: req.method!, url: req.url!, headers: req.headers });
    const { status, body, headers = {} } = answers.shift()!;
    req.resume().on('end', () => {
      res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      res.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const client = new DocstoreClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    key: 'dsk_key',
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
  });
  return { client, seen, waits };
}

const file = (version: number) => ({
  id: 'file_1',
  filename: 'a',
  contents: `v${version}`,
  etag: `"e${version}"`,
  version,
});

describe('DocstoreClient', () => {
  it('waits as told on rate_limited and backs off on internal, the Idempotency-Key staying the same', async () => {
    const { client, seen, waits } = await scripted([
      failure('rate_limited', { 'Retry-After': '3' }),
      failure('internal'),
      failure('internal', {}, 503),
      { status: 201, body: file(1) },
    ]);
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect(waits).toEqual([3000, 400, 800]);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it.each(Object.keys(DOCSTORE_CODES) as DocstoreErrorCode[])(
    'throws %s as a typed error, and sends it again only as the table says',
    async (code) => {
      const { client, seen } = await scripted(Array.from({ length: 5 }, () => failure(code)));
      const error = await client.get('file_1').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(DocstoreError);
      expect(error).toMatchObject({
        code,
        status: DOCSTORE_CODES[code].status,
        requestId: 'r-1',
        retryable: DOCSTORE_CODES[code].retryable,
      });
      expect(seen).toHaveLength(DOCSTORE_CODES[code].retryable === 'yes' ? 5 : 1);
    },
  );

  it('update reads again on 412 and sends the ETag it read as If-Match', async () => {
    const { client, seen } = await scripted([
      { status: 200, body: file(1) },
      failure('precondition_failed', { ETag: '"e2"' }),
      { status: 200, body: file(2) },
      { status: 200, body: file(3) },
    ]);
    const given: string[] = [];
    const updated = await client.update('file_1', (current) => {
      given.push(current.contents);
      return { contents: `${current.contents}!` };
    });
    expect(updated).toEqual(file(3));
    expect(given).toEqual(['v1', 'v2']);
    expect(
      seen.map(({ method, headers }) => [method, headers['if-match'], headers['if-none-match']]),
    ).toEqual([
      ['GET', undefined, undefined],
      ['PUT', '"e1"', undefined],
      ['GET', undefined, undefined],
      ['PUT', '"e2"', undefined],
    ]);
  });

  it('lists page after page', async () => {
    const { client, seen } = await scripted([
      { status: 200, body: { files: [file(1)], next_cursor: 'c+/' } },
      { status: 200, body: { files: [file(2)], next_cursor: null } },
    ]);
    const versions: number[] = [];
    for await (const { version } of client.list({ limit: 1, sort: 'size' })) versions.push(version);
    expect(versions).toEqual([1, 2]);
    expect(seen[1]!.url).toBe('/v1/file?limit=1&sort=size&cursor=c%2B%2F');
  });

  it('waits for the request that has its Idempotency-Key to be done, and throws a conflict about the filename', async () => {
    const { client, seen, waits } = await scripted([
      failure('conflict', { 'Retry-After': '2' }),
      { status: 201, body: file(1) },
      failure('conflict'),
    ]);
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect([waits, seen.length]).toEqual([[2000], 2]);
    await expect(client.create({ filename: 'a', contents: 'v1' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('takes a document for removed that is gone after a try whose outcome nobody knows', async () => {
    const { client } = await scripted([
      failure('internal', {}, 503),
      failure('not_found'),
      failure('rate_limited'),
      failure('not_found'),
    ]);
    await client.remove('file_1');
    await expect(client.remove('file_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [404, 'not_found', 1],
    [413, 'payload_too_large', 1],
    [405, 'bad_request', 1],
    [429, 'rate_limited', 5],
    [504, 'internal', 5],
  ])('takes %i without envelope for %s, and sends it %i times', async (status, code, times) => {
    const { client, seen } = await scripted(
      Array.from({ length: 5 }, () => ({ status, body: { error: { code: 'toString' } } })),
    );
    await expect(client.usage()).rejects.toMatchObject({ code, status });
    expect(seen).toHaveLength(times);
  });

  it('takes an answer that is no envelope for an internal error', async () => {
    const { client } = await scripted(Array.from({ length: 5 }, () => ({ status: 502 })));
    await expect(client.usage()).rejects.toMatchObject({ code: 'internal', status: 502, requestId: null });
  });
});
