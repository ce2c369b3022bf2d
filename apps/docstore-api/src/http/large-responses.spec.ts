import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { CONTENTS_BYTES_MAX, MiB, RESPONSE_BYTES_MAX } from '../rules/limits.ts';
import {
  clientOf,
  startTestService,
  type Answered,
  type Client,
  type TestService,
} from '../test-service.fixture.ts';
import { API } from './api.ts';

/** A byte of contents is at most two of JSON; names and metadata of a page of 200 come on top. */
const BYTES_MAX = 2 * RESPONSE_BYTES_MAX + 4 * MiB;
const DOCUMENTS = 5;

let service: TestService;
let client: Client;
const documents: { id: string; etag: string }[] = [];
beforeAll(async () => {
  service = await startTestService(null);
  client = await clientOf(service);
  for (let n = 0; n < DOCUMENTS; n++) {
    const { id } = await client.create(`large-${n}`, '', { text: '\n'.repeat(8_000) });
    const contents = (n === 0 ? 'a' : '\n').repeat(CONTENTS_BYTES_MAX);
    const { headers } = await client.send('PUT', `/v1/file/${id}/contents`, {
      body: contents,
      headers: { 'Content-Type': 'text/plain' },
      ifMatch: '*',
    });
    documents.push({ id, etag: headers.get('ETag')! });
  }
});
afterAll(() => service.close());

const file = (contents: string) => ({ filename: `made-${randomBytes(8).toString('hex')}`, contents });
const path = (n: number) => `/v1/file/${documents[n]!.id}`;

/** For each operation the request that makes its response as long as a client can. */
const GREEDIEST: Record<string, () => Promise<Answered>> = {
  createFile: () => client.send('POST', '/v1/file', { json: file('\n'.repeat(4_000_000)) }),
  listFiles: () => client.send('GET', '/v1/file?fields=contents&limit=200'),
  getFile: () => client.send('GET', path(1)),
  replaceFile: () => client.send('PUT', path(1), { json: file('\n'.repeat(4_000_000)), ifMatch: '*' }),
  patchFile: () => client.send('PATCH', path(1), { json: { metadata: { k: 'v' } }, ifMatch: '*' }),
  deleteFile: () => client.send('DELETE', path(4)),
  getContents: () => client.send('GET', `${path(1)}/contents`),
  replaceContents: () =>
    client.send('PUT', `${path(1)}/contents`, {
      body: '\n',
      headers: { 'Content-Type': 'text/plain' },
      ifMatch: '*',
    }),
  editFile: () =>
    client.send('POST', `${path(2)}/edit`, {
      json: { old_str: '\n'.repeat(CONTENTS_BYTES_MAX), new_str: '' },
      ifMatch: '*',
    }),
  async mergeFile() {
    await client.send('PUT', `${path(0)}/contents`, {
      body: 'b'.repeat(CONTENTS_BYTES_MAX),
      headers: { 'Content-Type': 'text/plain' },
      ifMatch: '*',
    });
    const json = {
      base_etag: documents[0]!.etag,
      contents: 'c'.repeat(CONTENTS_BYTES_MAX),
      markers: true,
    };
    return client.send('POST', `${path(0)}/merge`, { json });
  },
  listVersions: () => client.send('GET', `${path(1)}/versions?limit=200`),
  getVersion: () => client.send('GET', `${path(1)}/versions/2`),
  restoreVersion: () => client.send('POST', `${path(1)}/restore`, { json: { version: 2 }, ifMatch: '*' }),
  getPath: () => client.send('GET', '/v1/path/large-3'),
  putPath: () =>
    client.send('PUT', '/v1/path/by-path', {
      json: { contents: '\n'.repeat(4_000_000) },
      headers: { 'If-None-Match': '*' },
    }),
  deletePath: () => client.send('DELETE', '/v1/path/by-path'),
  listChanges: () => client.send('GET', '/v1/changes?limit=200'),
  runBatch: () => client.send('POST', '/v1/batch', { json: { items: reads(100) } }),
  mintKey: () => client.send('POST', '/v1/key', { json: { name: 'n'.repeat(200), scopes: longScopes() } }),
  async listKeys() {
    await service.deps.database.query(
      `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at)
       SELECT 'key' || n, $1, repeat('n', 200), $2, 'x', now() FROM generate_series(1, 990) n`,
      [client.owner, longScopes()],
    );
    return client.send('GET', '/v1/key');
  },
  getKey: () => client.send('GET', '/v1/key/absent'),
  revokeKey: () => client.send('DELETE', '/v1/key/absent'),
  rotateKey: () => client.send('POST', '/v1/key/absent/rotate'),
  getUsage: () => client.send('GET', '/v1/usage'),
};

const reads = (count: number) =>
  Array.from({ length: count }, () => ({ method: 'get', id: documents[3]!.id }));
const longScopes = () => `file:read#prefix=${'x'.repeat(1_000)} `.repeat(8).trim();

describe('the longest responses', () => {
  it('every operation of the API table bounds its response, whatever the client sends', async () => {
    covers('DOC-D.51');
    const tooLong: [string, number][] = [];
    for (const { id } of API) {
      const { text } = await GREEDIEST[id]!();
      if (Buffer.byteLength(text) > BYTES_MAX) tooLong.push([id, Buffer.byteLength(text)]);
    }
    expect([tooLong, Object.keys(GREEDIEST).sort()]).toEqual([[], API.map(({ id }) => id).sort()]);
  });

  it('a batch responds with up to 8 MiB of documents, and asks to read the others again', async () => {
    covers('DOC-D.51');
    const small = await client.create('small', 'x');
    const items = [...reads(3), { method: 'get', id: small.id }, { method: 'delete', id: small.id }];
    const { json, text } = await client.send('POST', '/v1/batch', { json: { items } });
    const results = json.results as { status: number; error?: { code: string; message: string } }[];
    // One document of 4 MiB of line feeds is 8 MiB of JSON.
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      [200, undefined],
      [413, 'payload_too_large'],
      [413, 'payload_too_large'],
      [413, 'payload_too_large'],
      [204, undefined],
    ]);
    expect(results[1]!.error!.message).toContain('in another batch');
    expect(Buffer.byteLength(text)).toBeLessThan(RESPONSE_BYTES_MAX + 64 * 1024);
  });

  it('a batch reads as many small documents as it has items', async () => {
    const { id } = await client.create('tiny', 'x'.repeat(50_000));
    const items = Array.from({ length: 100 }, () => ({ method: 'get', id }));
    const { json } = await client.send('POST', '/v1/batch', { json: { items } });
    expect(new Set(json.results.map((each: { status: number }) => each.status))).toEqual(new Set([200]));
  });
});
