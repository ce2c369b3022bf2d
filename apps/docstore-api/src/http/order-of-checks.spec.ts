import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { CONTENTS_BYTES_MAX } from '../rules/limits.ts';
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts';
import { clientOf, startTestService, type Client, type TestService } from '../test-service.fixture.ts';

/**
 * What can be wrong with one PUT, in the order of the decisions page ("Order of checks"). Each fault says how
 * to put it into a request and which error it gets; of two faults in one request the one further up must get
 * its error.
 */
interface Request {
  path: string;
  key: string | null;
  headers: Record<string, string>;
  body: string | Buffer;
}
interface Fault {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  apply(request: Request): void;
}

let postgres: Postgres;
let service: TestService;
let client: Client;
let target: { id: string; etag: string };
let keys: Record<'limited' | 'exhausted' | 'limitedExhausted', string>;

beforeAll(async () => {
  postgres = await startPostgres();
  const env = { DOCSTORE_REQUESTS_PER_MINUTE: '100', DOCSTORE_BYTES_MAX: '100' };
  service = await startTestService(await postgres.createDatabase(), env);
  // Time stands still for rates: an allowance that is used up stays so, however long a busy machine takes to
  // ask.
  const still = createLocalRateLimiter(service.deps.rate, () => 0);
  jest.spyOn(service.deps.rateLimiter, 'take').mockImplementation((...asked) => still.take(...asked));
  client = await clientOf(service);
  target = await client.create('target', 'text');
  await client.create('taken', 'text');
  keys = {
    limited: await service.keyFor(client.owner, 'file:read'),
    exhausted: await service.keyFor(client.owner),
    limitedExhausted: await service.keyFor(client.owner, 'file:read'),
  };
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
  await postgres.stop();
});

/** Uses a key's allowance up. */
async function exhaust(key: string): Promise<void> {
  const id = `key_${key.split('_')[2]}`;
  while ((await service.deps.rateLimiter.take(id, 'any')).seconds === 0);
}

const FAULTS: readonly Fault[] = [
  {
    name: 'an unknown URL',
    status: 404,
    code: 'not_found',
    apply: (r) => void (r.path = r.path.replace('/file/', '/nothing/')),
  },
  { name: 'no credential', status: 401, code: 'unauthorized', apply: (r) => void (r.key = null) },
  {
    name: 'a used-up rate',
    status: 429,
    code: 'rate_limited',
    apply: (r) =>
      void (r.key = r.key === keys.limited ? keys.limitedExhausted : r.key === null ? null : keys.exhausted),
  },
  {
    name: 'a missing scope',
    status: 403,
    code: 'forbidden',
    apply: (r) =>
      void (r.key = r.key === keys.exhausted ? keys.limitedExhausted : r.key === null ? null : keys.limited),
  },
  {
    name: 'an unknown query parameter',
    status: 400,
    code: 'bad_request',
    apply: (r) => void (r.path += '?dry_run=true'),
  },
  {
    name: 'a wrong Content-Type',
    status: 415,
    code: 'unsupported_media_type',
    apply: (r) => void (r.headers['Content-Type'] = 'text/html'),
  },
  {
    name: 'a declared length over 8 MiB',
    status: 413,
    code: 'payload_too_large',
    apply: (r) => void (r.headers['Content-Length'] = String(100 * 1024 * 1024)),
  },
  {
    name: 'an absent document',
    status: 404,
    code: 'not_found',
    apply: (r) => void (r.path = r.path.replace(target.id, target.id.slice(0, -4) + '0000')),
  },
  {
    name: 'no If-Match',
    status: 428,
    code: 'precondition_required',
    apply: (r) => void delete r.headers['If-Match'],
  },
  { name: 'no JSON', status: 400, code: 'bad_request', apply: (r) => void (r.body = '{') },
  {
    name: 'a missing field',
    status: 422,
    code: 'validation_failed',
    apply: (r) => edit(r, (json) => delete json['filename']),
  },
  {
    name: 'contents over 4 MiB',
    status: 413,
    code: 'payload_too_large',
    apply: (r) =>
      edit(r, (json) => (json['contents'] = String(json['contents']).padEnd(CONTENTS_BYTES_MAX + 1, 'x'))),
  },
  {
    name: 'a forbidden character',
    status: 415,
    code: 'unsupported_media_type',
    apply: (r) => edit(r, (json) => (json['contents'] = `\u0000${String(json['contents'])}`)),
  },
  {
    name: 'another ETag',
    status: 412,
    code: 'precondition_failed',
    apply: (r) => {
      if ('If-Match' in r.headers) r.headers['If-Match'] = '"stale"';
    },
  },
  {
    name: 'a filename in use',
    status: 409,
    code: 'conflict',
    apply: (r) => edit(r, (json) => 'filename' in json && (json['filename'] = 'taken')),
  },
  {
    name: 'an exceeded quota',
    status: 403,
    code: 'quota_exceeded',
    apply: (r) => edit(r, (json) => (json['contents'] = String(json['contents']).padEnd(200, 'y'))),
  },
];

function edit(request: Request, change: (json: Record<string, unknown>) => unknown): void {
  if (request.body === '{') return;
  const json = JSON.parse(String(request.body)) as Record<string, unknown>;
  change(json);
  request.body = JSON.stringify(json);
}

/** Sends a PUT with exactly these headers, a Content-Length that lies included. */
async function put({ path, key, headers, body }: Request): Promise<{ status: number; code: string }> {
  if (key === keys.exhausted || key === keys.limitedExhausted) await exhaust(key);
  return new Promise((resolve, reject) => {
    const sent = request(service.base + path, {
      method: 'PUT',
      headers: {
        'Content-Length': Buffer.byteLength(body),
        ...headers,
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      },
      agent: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        sent.destroy();
        const { error } = JSON.parse(text) as { error?: { code: string } };
        resolve({ status: response.statusCode!, code: error?.code ?? 'none' });
      });
    });
    sent.write(body);
    if (!('Content-Length' in headers)) sent.end();
  });
}

function requestWith(faults: readonly Fault[]): Request {
  const body = JSON.stringify({ filename: 'target', contents: 'text' });
  const headers = { 'Content-Type': 'application/json', 'If-Match': '*' };
  const made: Request = { path: `/v1/file/${target.id}`, key: client.key, headers, body };
  for (const fault of faults) fault.apply(made);
  return made;
}

describe('the order of checks', () => {
  covers('DOC-D.16');
  it('a request without fault passes every check', async () => {
    expect(await put(requestWith([]))).toEqual({ status: 200, code: 'none' });
  });

  it.each(FAULTS)('$name gets $status', async (fault) => {
    covers('DOC-E.quota_exceeded');
    expect(await put(requestWith([fault]))).toEqual({ status: fault.status, code: fault.code });
  });

  it.each(FAULTS.slice(1).map((later, index) => ({ earlier: FAULTS[index]!, later })))(
    '$earlier.name is checked before $later.name',
    async ({ earlier, later }) => {
      // Both orders of putting the faults in, so that it is the service that decides.
      for (const faults of [
        [earlier, later],
        [later, earlier],
      ]) {
        expect(await put(requestWith(faults))).toEqual({ status: earlier.status, code: earlier.code });
      }
    },
  );

  it('501 comes before the credential is checked', async () => {
    const response = await client.send('GET', '/v1/file?mode=semantic', { key: null });
    expect([response.status, response.json.error.code]).toEqual([501, 'not_implemented']);
  });

  it('a body that grows over 8 MiB as it streams is refused at once', async () => {
    const answer = await new Promise<{ status: number; sentBytes: number }>((resolve, reject) => {
      const sent = request(`${service.base}/v1/file`, {
        method: 'POST',
        agent: false,
        headers: {
          Authorization: `Bearer ${client.key}`,
          'Content-Type': 'application/json',
          'Transfer-Encoding': 'chunked',
        },
      });
      let sentBytes = 0;
      let isAnswered = false;
      sent.on('error', (error) => isAnswered || reject(error));
      sent.on('response', (response) => {
        isAnswered = true;
        response.resume();
        resolve({ status: response.statusCode!, sentBytes });
        sent.destroy();
      });
      const chunk = Buffer.alloc(256 * 1024, 0x20);
      const more = () => {
        if (isAnswered || sentBytes > 100 * 1024 * 1024) return;
        sentBytes += chunk.length;
        sent.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(answer.status).toBe(413);
    expect(answer.sentBytes).toBeLessThan(40 * 1024 * 1024);
  });

  it("the response for a missing document equals the response for another owner's", async () => {
    const stranger = await clientOf(service, randomUUID());
    const json = { filename: 'x', contents: 'x' };
    const [foreign, absent] = await Promise.all(
      [target.id, `${target.id.slice(0, -4)}0000`].map((id) =>
        stranger.send('PUT', `/v1/file/${id}`, { json, ifMatch: '"stale"' }),
      ),
    );
    for (const response of [foreign!, absent!]) expect(response.status).toBe(404);
    expect(foreign!.json.error.message).toBe(absent!.json.error.message);
  });
});
