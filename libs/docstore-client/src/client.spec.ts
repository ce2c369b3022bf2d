import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { DOCSTORE_CODES, docstoreErrorBody, type DocstoreErrorCode } from '@platform/error-contracts';
import { DocstoreClient, type ClientOptions } from './client.ts';
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

/**
 * A real server that gives these responses one after another, and a client of it. `null` cuts the connection.
 */
async function scripted(answers: (Scripted | null)[], options: Partial<ClientOptions> = {}) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const waits: number[] = [];
  server = createServer((req, res) => {
    seen.push({ method: req.method!, url: req.url!, headers: req.headers });
    const next = answers.shift()!;
    if (next === null) return void req.socket.destroy();
    const { status, body, headers = {} } = next;
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
    ...options,
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
  it('DocstoreClient waits as told on rate_limited and backs off on internal, with one Idempotency-Key', async () => {
    const { client, seen, waits } = await scripted([
      failure('rate_limited', { 'Retry-After': '3' }),
      failure('internal'),
      failure('internal', {}, 503),
      { status: 201, body: file(1) },
    ]);
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect(waits).toEqual([3300, 200, 400]);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('DocstoreClient throws rate_limited at once when the store names a wait longer than the longest', async () => {
    const { client, seen, waits } = await scripted([failure('rate_limited', { 'Retry-After': '2592000' })]);
    await expect(client.usage()).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 2_592_000,
    });
    expect([seen.length, waits]).toEqual([1, []]);
  });

  it.each(Object.keys(DOCSTORE_CODES) as DocstoreErrorCode[])(
    'DocstoreClient throws %s as a typed error, and sends it again only as the table says',
    async (code) => {
      const { client, seen } = await scripted(
        Array.from({ length: 5 }, () => failure(code)),
        {
          rateWaitMaxMs: 4500,
        },
      );
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

  it('DocstoreClient lists page after page', async () => {
    const { client, seen } = await scripted([
      { status: 200, body: { files: [file(1)], next_cursor: 'c+/' } },
      { status: 200, body: { files: [file(2)], next_cursor: null } },
    ]);
    const versions: number[] = [];
    for await (const { version } of client.list({ limit: 1, sort: 'size' })) versions.push(version);
    expect(versions).toEqual([1, 2]);
    expect(seen[1]!.url).toBe('/v1/file?limit=1&sort=size&cursor=c%2B%2F');
  });

  it('DocstoreClient waits for the request that uses its Idempotency-Key, and throws a conflict about the filename', async () => {
    const { client, seen, waits } = await scripted([
      failure('conflict', { 'Retry-After': '2' }),
      { status: 201, body: file(1) },
      failure('conflict'),
    ]);
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect([waits, seen.length]).toEqual([[2200], 2]);
    await expect(client.create({ filename: 'a', contents: 'v1' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('DocstoreClient waits a minute for a request that died with its replica, however few tries it may make', async () => {
    const waiting = (seconds: number) => failure('conflict', { 'Retry-After': String(seconds) });
    const { client, waits } = await scripted(
      [null, waiting(1), waiting(4), waiting(15), waiting(40), { status: 201, body: file(1) }],
      { attemptsMax: 2 },
    );
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect(waits).toEqual([200, 1100, 4400, 16_500, 44_000]);
    const hopeless = await scripted(Array.from({ length: 3 }, () => waiting(60)));
    await expect(hopeless.client.create({ filename: 'a', contents: 'v1' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(hopeless.waits).toEqual([66_000, 66_000]);
  });

  it('DocstoreClient treats a document as removed that is absent after a try with an unknown outcome', async () => {
    const { client } = await scripted([
      failure('internal', {}, 503),
      failure('not_found'),
      null,
      failure('not_found'),
      failure('rate_limited'),
      failure('not_found'),
    ]);
    await client.remove('file_1');
    await client.remove('file_1');
    await expect(client.remove('file_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [404, 'not_found', 1],
    [413, 'payload_too_large', 1],
    [405, 'bad_request', 1],
    [429, 'rate_limited', 5],
    [504, 'internal', 5],
  ])(
    'DocstoreClient reads %i without an envelope as %s, and sends it %i times',
    async (status, code, times) => {
      const { client, seen } = await scripted(
        Array.from({ length: 5 }, () => ({ status, body: { error: { code: 'toString' } } })),
        { rateWaitMaxMs: 4500 },
      );
      await expect(client.usage()).rejects.toMatchObject({ code, status });
      expect(seen).toHaveLength(times);
    },
  );

  it('DocstoreClient reads a response without an envelope as an internal error', async () => {
    const { client } = await scripted(Array.from({ length: 5 }, () => ({ status: 502 })));
    await expect(client.usage()).rejects.toMatchObject({ code: 'internal', status: 502, requestId: null });
  });

  it('DocstoreClient sends a request again when the network lost it, under the same Idempotency-Key', async () => {
    const { client, seen, waits } = await scripted([null, null, { status: 201, body: file(1) }]);
    expect(await client.create({ filename: 'a', contents: 'v1' })).toEqual(file(1));
    expect(waits).toEqual([200, 400]);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('DocstoreClient throws a DocstoreError with what the network said when it keeps failing', async () => {
    const { client, seen } = await scripted([null, null, null, null, null]);
    const error: unknown = await client.usage().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DocstoreError);
    expect(error).toMatchObject({
      code: 'internal',
      status: 0,
      retryable: 'yes',
      cause: { message: 'fetch failed' },
    });
    expect((error as Error).message).toMatch(/^the store does not respond: fetch failed: ./);
    expect(seen).toHaveLength(5);
  });

  it('DocstoreClient ends a call with the reason of its signal, before and during a wait', async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const { client, seen } = await scripted([failure('internal')], {
      sleep: async (_ms, signal) => {
        controller.abort(reason);
        signal!.throwIfAborted();
      },
    });
    const { signal } = controller;
    await expect(client.usage({ signal })).rejects.toBe(reason);
    await expect(client.usage({ signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('DocstoreClient treats a try that takes too long as lost', async () => {
    const hanging: ClientOptions['fetch'] = (_url, init) =>
      new Promise((_resolve, reject) =>
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
      );
    const { client, waits } = await scripted([], { fetch: hanging, timeoutMs: 1, attemptsMax: 3 });
    await expect(client.usage()).rejects.toMatchObject({
      name: 'DocstoreError',
      cause: { name: 'TimeoutError' },
    });
    expect(waits).toEqual([200, 400]);
  });

  it('DocstoreClient sends a whole burst beyond the rate, retrying refused requests one at a time', async () => {
    let allowance = 3;
    let inFlight = 0;
    let waitingAtOnce = 0;
    const limited: ClientOptions['fetch'] = async () => {
      await new Promise(setImmediate);
      if (allowance-- > 0) return Response.json({});
      return Response.json(docstoreErrorBody('rate_limited', 'why', null), {
        status: 429,
        headers: { 'Retry-After': '1' },
      });
    };
    const { client } = await scripted([], {
      fetch: limited,
      sleep: async () => {
        waitingAtOnce = Math.max(waitingAtOnce, ++inFlight);
        await new Promise(setImmediate);
        allowance = 1;
        inFlight--;
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => client.usage()));
    expect(waitingAtOnce).toBe(1);
  });

  it('DocstoreClient loses no update however many writers there are', async () => {
    let version = 0;
    const oneWinner: ClientOptions['fetch'] = async (_url, init) => {
      await new Promise(setImmediate);
      if (init!.method === 'GET') return Response.json(file(version));
      const headers = new Headers(init!.headers);
      if (headers.get('If-Match') !== `"e${version}"`)
        return Response.json(docstoreErrorBody('precondition_failed', 'why', null), { status: 412 });
      version++;
      return Response.json(file(version));
    };
    const { client } = await scripted([], { fetch: oneWinner, sleep: async () => undefined });
    await Promise.all(
      Array.from({ length: 20 }, () => client.update('file_1', ({ contents }) => ({ contents }))),
    );
    expect(version).toBe(20);
  });

  it('DocstoreClient follows changes from page to page, and passes over those that bring nothing', async () => {
    const change = { sequence: 2, type: 'created', id: 'file_1', filename: 'a', version: 1, at: 't' };
    const { client, seen } = await scripted([
      { status: 200, body: { changes: [change], last_sequence: 2 } },
      { status: 200, body: { changes: [], last_sequence: 2 } },
      null,
      { status: 200, body: { changes: [], last_sequence: 5 } },
      failure('unprocessable_entity'),
    ]);
    const positions: number[] = [];
    const follow = async () => {
      for await (const { last_sequence } of client.follow(1)) positions.push(last_sequence);
    };
    await expect(follow()).rejects.toMatchObject({ code: 'unprocessable_entity' });
    expect(positions).toEqual([2, 5]);
    expect(seen.map(({ url }) => url)).toEqual(
      [1, 2, 2, 2, 5].map((since) => `/v1/changes?since=${since}&wait=30`),
    );
  });

  it('DocstoreClient follows over a restart of the store, for about half a minute at most', async () => {
    const { client, waits } = await scripted(
      [...Array.from({ length: 11 }, () => null), { status: 200, body: { changes: [], last_sequence: 5 } }],
      { random: () => 0.5 },
    );
    for await (const { last_sequence } of client.follow(1)) {
      expect(last_sequence).toBe(5);
      break;
    }
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(31_300);
    const gone = await scripted(
      Array.from({ length: 2 }, () => null),
      { followAttemptsMax: 2 },
    );
    await expect(gone.client.follow(1).next()).rejects.toMatchObject({ status: 0 });
    await expect(client.follow(1, { signal: AbortSignal.abort() }).next()).rejects.toThrow();
  });

  it('DocstoreClient sends a batch again under its Idempotency-Key while an item says when to', async () => {
    const later = (retry_after_seconds?: number) => ({
      status: 409,
      error: { code: 'conflict', message: 'why', request_id: 'r', retry_after_seconds },
    });
    const results = (...second: object[]) => ({
      status: 200,
      body: { results: [{ status: 201 }, ...second] },
    });
    const { client, seen, waits } = await scripted([
      results(later(2), later(1)),
      results({ status: 200 }, later()),
    ]);
    const done = await client.batch([]);
    expect(done.map(({ status }) => status)).toEqual([201, 200, 409]);
    expect(waits).toEqual([2200]);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(seen).toHaveLength(2);
  });

  it('DocstoreClient gives the results of a batch whose items are to wait for longer than 90 seconds', async () => {
    const error = { code: 'quota_exceeded', message: 'why', request_id: 'r', retry_after_seconds: 600 };
    const { client, waits } = await scripted([{ status: 200, body: { results: [{ status: 429, error }] } }]);
    expect((await client.batch([])).map(({ status }) => status)).toEqual([429]);
    expect(waits).toEqual([]);
  });

  it('DocstoreClient rotates a new key whose text was in a response that was lost', async () => {
    const key = { id: 'key_1', name: 'n', scopes: 's', created_at: 'c', expires_at: null };
    const { client, seen } = await scripted([
      null,
      { status: 201, body: key, headers: { 'Idempotency-Replayed': 'true' } },
      { status: 200, body: { ...key, key: 'dsk_text' } },
    ]);
    expect(await client.mintKey({ name: 'n', scopes: 's' })).toEqual({ ...key, key: 'dsk_text' });
    expect(seen.map(({ url }) => url)).toEqual(['/v1/key', '/v1/key', '/v1/key/key_1/rotate']);
  });
});

describe('names that would lead to another URL', () => {
  type Call = (client: DocstoreClient, text: string) => Promise<unknown>;
  const CALLS: Record<string, Call> = {
    get: (client, text) => client.get(text),
    getIfChanged: (client, text) => client.getIfChanged(text, 'e'),
    head: (client, text) => client.head(text),
    replace: (client, text) => client.replace(text, { filename: 'a', contents: '' }, 'e'),
    patch: (client, text) => client.patch(text, {}, 'e'),
    edit: (client, text) => client.edit(text, { old_str: 'a', new_str: 'b' }, 'e'),
    getContents: (client, text) => client.getContents(text),
    replaceContents: (client, text) => client.replaceContents(text, '', 'e'),
    update: (client, text) => client.update(text, () => null),
    remove: (client, text) => client.remove(text),
    merge: (client, text) => client.merge(text, 'e', ''),
    versions: (client, text) => client.versions(text).next(),
    version: (client, text) => client.version(text, 1),
    restore: (client, text) => client.restore(text, 1, 'e'),
    undelete: (client, text) => client.undelete(text, 1),
    getPath: (client, text) => client.getPath(text),
    putPath: (client, text) => client.putPath(text, { contents: '' }, null),
    removePath: (client, text) => client.removePath(text),
    getKey: (client, text) => client.getKey(text),
    rotateKey: (client, text) => client.rotateKey(text),
    revokeKey: (client, text) => client.revokeKey(text),
  };

  it('every method of the client that takes a name or an id is listed here', () => {
    const nameless = [
      'constructor',
      'create',
      'changes',
      'follow',
      'batch',
      'list',
      'mintKey',
      'keys',
      'usage',
    ];
    const methods = Object.getOwnPropertyNames(DocstoreClient.prototype).filter(
      (name) => !nameless.includes(name),
    );
    expect(Object.keys(CALLS).sort()).toEqual(methods.sort());
  });

  it.each(Object.entries(CALLS))(
    '%s sends nothing for a segment that leads elsewhere',
    async (name, call) => {
      covers('DOC-D.64');
      const { client, seen } = await scripted([]);
      const texts = name.endsWith('Path') ? ['k/../x', 'k/./x', '../usage', '..', 'k/..'] : ['..', '.'];
      for (const text of texts) {
        const error = await call(client, text).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(DocstoreError);
        expect(error).toMatchObject({ code: 'validation_failed', status: 0 });
      }
      expect(seen).toEqual([]);
    },
  );
});
