import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, startTestService, type Client, type TestService } from '../test-service.fixture.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

let service: TestService;
let client: Client;
let document: { id: string; etag: string };
beforeAll(async () => {
  service = await startTestService(null);
  client = await clientOf(service);
  document = await client.create('target');
});
afterAll(() => service.close());

/** Every URL that takes a JSON body. */
const targets = () =>
  [
    ['POST', '/v1/file'],
    ['PUT', `/v1/file/${document.id}`],
    ['PATCH', `/v1/file/${document.id}`],
    ['POST', `/v1/file/${document.id}/edit`],
    ['POST', `/v1/file/${document.id}/merge`],
    ['POST', '/v1/key'],
  ] as const;

const keys = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;

const HOSTILE: readonly [name: string, body: () => string][] = [
  ['8 MiB of unknown keys', () => keys(600_000, '1')],
  ['8 MiB of metadata', () => `{"metadata":${keys(500_000, '1')}}`],
  ['65 unknown keys beside the largest metadata', () => keys(2_900, '1')],
  ['1,000 unknown keys', () => keys(1_000, '1')],
  ['1,000 numbers for metadata', () => `{"metadata":${keys(1_000, '5')}}`],
  ['an unknown key of 7 MiB', () => `{"${'k'.repeat(7 * MiB)}":1}`],
  [
    '100 unknown keys of 60 KiB',
    () => `{${Array.from({ length: 100 }, (_, n) => `"${n}${'k'.repeat(60 * KiB)}":1`).join(',')}}`,
  ],
  ['a list of 4 million items', () => `[${'1,'.repeat(4 * MiB - 2)}1]`],
  ['a filename of 7 MiB', () => JSON.stringify({ filename: 'f'.repeat(7 * MiB), contents: '' })],
  ['a scope of 7 MiB', () => JSON.stringify({ name: 'n', scopes: 's'.repeat(7 * MiB) })],
];

describe('an error response', () => {
  it.each(HOSTILE)(
    'an error response stays below 64 KiB and names at most 50 fields for %s',
    async (_name, body) => {
      covers('DOC-D.24');
      const text = body();
      for (const [method, path] of targets()) {
        const response = await client.send(method, path, {
          body: text,
          ifMatch: '*',
          headers: { 'Content-Type': 'application/json' },
        });
        expect([method, path, response.status]).toEqual([method, path, expect.any(Number)]);
        expect([400, 413, 422]).toContain(response.status);
        expect(Buffer.byteLength(response.text)).toBeLessThanOrEqual(64 * KiB);
        const details = (response.json.error.details ?? {}) as object;
        expect(Object.keys(details).filter((field) => field !== '...').length).toBeLessThanOrEqual(50);
      }
    },
  );

  it('an error response lists failing fields of every kind at once', async () => {
    covers('DOC-D.24');
    const details = async (json: unknown) =>
      (await client.send('POST', '/v1/file', { json })).json.error.details as Record<string, string>;
    expect(Object.keys(await details({ filename: '', contents: 8 }))).toEqual(['filename', 'contents']);
    expect(Object.keys(await details({ filename: '', contents: 'a\ud800' }))).toEqual([
      'filename',
      'contents',
    ]);
    expect(
      Object.keys(
        await details({ filename: 'a/../b', contents: 'a\ud800', metadata: { a: 5, b: 'x\0' }, other: 1 }),
      ).sort(),
    ).toEqual(['contents', 'filename', 'metadata', 'metadata.a', 'other']);
    const many = await details(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n])));
    expect(many['...']).toBe('12 more fields are not right');
    expect(Object.keys(many)).toHaveLength(51);
  });

  it('an error response refuses keys without reading the rest', async () => {
    covers('DOC-D.24');
    const body = keys(100_000, '1');
    const headers = { 'Content-Type': 'application/json' };
    const response = await client.send('POST', '/v1/file', { body, headers });
    expect([response.status, response.json.error.message]).toEqual([
      400,
      'more than 2800 keys or items in one value',
    ]);
  });
});

describe('a batch', () => {
  it.each([
    ['unknown keys of its own', () => keys(5_000, '1')],
    ['an item of unknown keys', () => `{"items":[${keys(5_000, '1')}]}`],
    ['metadata of 5,000 keys', () => `{"items":[{"file":{"metadata":${keys(5_000, '"1"')}}}]}`],
  ])('a batch with %s is refused before it leaves the thread that parses it', async (_name, body) => {
    covers('DOC-D.24');
    const response = await client.send('POST', '/v1/batch', {
      body: body(),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(400);
    expect(response.text).toContain('keys or items in one value');
  });
});
