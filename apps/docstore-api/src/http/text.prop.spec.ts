import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { startPostgres, type Postgres } from '@platform/testing';
import { SEED } from '@platform/testing/seed';
import { clientOf, startTestService, type TestService } from '../test-service.fixture.ts';

fc.configureGlobal({ seed: SEED });

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** Characters that decoders, databases, JSON or collations have a habit of changing, and any other. */
const strange = fc.constantFrom('\uFEFF', '\uFFFE', '\uFFFD', '\u2028', '\u200D', '%', '_', '\\', '"', "'");
const character = (forbidden: RegExp) =>
  fc
    .oneof({ arbitrary: strange, weight: 2 }, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
    .filter((text) => !forbidden.test(text));
const text = (forbidden: RegExp, minLength: number, maxLength: number) =>
  fc
    .tuple(
      fc.constantFrom('', '\uFEFF', '\uFEFF\uFEFF'),
      fc.array(character(forbidden), { minLength, maxLength }),
    )
    .map(([start, rest]) => start + rest.join(''));

// oxlint-disable-next-line no-control-regex
const contents = text(/[\x00-\x08\x0B\x0E-\x1F\x7F-\x84\x86-\x9F]/, 0, 20);
const filename = text(/\p{Cc}|\./u, 1, 20);
const metadata = fc.dictionary(text(/\0/, 0, 5), text(/\0/, 0, 10), { maxKeys: 3 });
const document = fc.record({ filename, contents, metadata });
const documents = fc.uniqueArray(document, {
  minLength: 8,
  maxLength: 8,
  selector: (each) => each.filename,
});

const SORTS = ['filename', '-filename', 'size', '-size', 'updated_at', '-updated_at'];

describe.each([
  ['Postgres', async () => startTestService(await postgres.createDatabase())],
  ['PGlite', () => startTestService('pglite:memory://')],
] as const)('text on %s', (_name, open) => {
  let service: TestService;
  beforeAll(async () => {
    service = await open();
  });
  afterAll(() => service.close());

  it('text comes back as it was sent from every read, edit and listing order', async () => {
    covers('DOC-D.22');
    await fc.assert(
      fc.asyncProperty(documents, async (sent) => {
        const { send, key } = await clientOf(service);
        const byId = new Map<string, (typeof sent)[number]>();
        for (const json of sent) {
          const created = await send('POST', '/v1/file', { json });
          expect([created.status, created.json]).toEqual([201, expect.objectContaining(json)]);
          byId.set(created.json.id, json);
        }
        for (const [id, json] of byId) {
          const read = await send('GET', `/v1/file/${id}`);
          expect(read.json).toMatchObject(json);
          expect(read.json.size).toBe(Buffer.byteLength(json.contents));
          expect((await send('GET', `/v1/file/${id}/versions/1`)).json).toMatchObject(json);
          const raw = await fetch(`${service.base}/v1/file/${id}/contents`, {
            headers: { Authorization: `Bearer ${key}` },
          });
          expect(Buffer.from(await raw.arrayBuffer()).toString()).toBe(json.contents);
        }
        for (const sort of SORTS) {
          const seen: string[] = [];
          for (let cursor: string | null = ''; cursor !== null && seen.length <= sent.length;) {
            const path = `/v1/file?sort=${sort}&limit=1&fields=contents${cursor && `&cursor=${cursor}`}`;
            const page = await send('GET', path);
            for (const { id, ...file } of page.json.files) {
              expect(file).toMatchObject(byId.get(id)!);
              seen.push(id);
            }
            cursor = page.json.next_cursor;
          }
          expect(seen.sort()).toEqual([...byId.keys()].sort());
        }
        for (const [id, json] of byId) {
          const edited = await send('POST', `/v1/file/${id}/edit`, { json: { append: 'é' }, ifMatch: '*' });
          expect([edited.status, edited.json.contents]).toEqual([200, `${json.contents}é`]);
          const exact = `/v1/file?filename=${encodeURIComponent(json.filename)}`;
          expect((await send('GET', exact)).json.files.map((file: { id: string }) => file.id)).toEqual([id]);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('the name of a key comes back as it was sent', async () => {
    covers('DOC-D.22');
    const { send } = await clientOf(service);
    await fc.assert(
      fc.asyncProperty(text(/\0/, 1, 20), async (name) => {
        const minted = await send('POST', '/v1/key', { json: { name, scopes: 'file:read' } });
        expect([minted.status, minted.json.name]).toEqual([201, name]);
        expect((await send('GET', `/v1/key/${minted.json.id}`)).json.name).toBe(name);
      }),
      { numRuns: 10 },
    );
  });
});
