import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createEtag } from '../rules/etag.ts';
import { ANY_VERSION } from '../rules/precondition.ts';
import { clientOf, type Answered } from '../test-service.fixture.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const { service, client } = useTestService({ DOCSTORE_DATABASE_CONNECTIONS: '1' });
afterAll(() => void jest.restoreAllMocks());

/**
 * Has `other` done between the next result of the store's `method` and whatever its caller does with that.
 */
function after(method: 'findHeads' | 'find', other: () => Promise<unknown>): void {
  const real = service.deps.documents[method] as (...args: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(service.deps.documents, method) as unknown as {
    mockImplementationOnce(work: (...args: unknown[]) => Promise<unknown>): void;
  };
  spy.mockImplementationOnce(async (...args) => {
    const found = await real(...args);
    await other();
    return found;
  });
}
/** Not by a request: it would share the look-up that waits for it. */
const write = (id: string, filename?: string) =>
  service.deps.documents.update(
    client.owner,
    {
      id,
      condition: ANY_VERSION,
      newEtag: createEtag(),
      metadata: {},
      now: new Date(),
      ...(filename && { filename }),
    },
    service.deps.quota,
  );

describe('a request between whose looks at a document another writes it', () => {
  it('DELETE with If-Match `*` removes whatever version there is when another client writes between its reads (RFC 9110 §13.1.1)', async () => {
    const { id } = await client.create('deleted');
    after('findHeads', () => write(id));
    expect((await client.send('DELETE', `/v1/file/${id}`, { ifMatch: '*' })).status).toBe(204);
  });

  it.each(['', '/contents'])(
    'a read does not return a version that If-Match does not name when another client writes between its reads: GET %s',
    async (path) => {
      const { id, etag } = await client.create(`read${path}`);
      after('findHeads', () => write(id));
      const response = await client.send('GET', `/v1/file/${id}${path}`, { ifMatch: etag });
      const current = (await client.send('GET', `/v1/file/${id}`)).json as { etag: string };
      expect([response.status, response.headers.get('ETag')]).toEqual([412, current.etag]);
    },
  );
});

describe('a key that reaches a document no more once its request is looked at', () => {
  it.each([
    ['PUT', '', { filename: 'in/other', contents: '' }, '*'],
    ['PUT', '/contents', undefined, '*'],
    ['PATCH', '', { metadata: { k: 'v' } }, '*'],
    ['POST', '/edit', { old_str: 'absent', new_str: '' }, '*'],
    ['POST', '/merge', { contents: 'mine' }, undefined],
    ['DELETE', '', undefined, undefined],
  ])(
    'a key that loses its access to a document during a request changes and learns nothing by %s %s',
    async (method, path, json, ifMatch) => {
      covers('DOC-A.3');
      const scopes = ['read', 'write', 'delete'].map((action) => `file:${action}#prefix=in/`).join(' ');
      const limited = await clientOf(service, client.owner, scopes);
      const moved = `out/${method}${path}`;
      const { id, etag } = await client.create(`in/${method}${path}`, 'secret');
      after('findHeads', () => write(id, moved));
      const response = await limited.send(method, `/v1/file/${id}${path}`, {
        ...(path === '/contents' ? { body: '', headers: { 'Content-Type': 'text/plain' } } : {}),
        ...(json === undefined ? {} : { json: path === '/merge' ? { ...json, base_etag: etag } : json }),
        ...(ifMatch === undefined ? {} : { ifMatch }),
      });
      expect([response.status, response.json.error.code]).toEqual([403, 'forbidden']);
      const kept = await client.send('GET', `/v1/file/${id}`);
      expect(kept.json).toMatchObject({ filename: moved, contents: 'secret', version: 2, metadata: {} });
    },
  );
});

describe('a merge', () => {
  it('a merge with an Idempotency-Key holds no connection while it runs, and is written together with its response', async () => {
    const { id, etag } = await client.create('merged', 'a\n');
    const { compute } = service.deps;
    const merge = compute.merge.bind(compute);
    let usage: Answered | undefined;
    jest.spyOn(compute, 'merge').mockImplementationOnce(async (...texts) => {
      usage = await client.send('GET', '/v1/usage');
      return merge(...texts);
    });
    const send = () =>
      client.send('POST', `/v1/file/${id}/merge`, {
        json: { base_etag: etag, contents: 'b\n' },
        headers: { 'Idempotency-Key': 'merge' },
      });
    const [first, again] = [await send(), await send()];
    expect(usage?.status).toBe(200);
    expect([first.status, first.json.file.version]).toEqual([200, 2]);
    expect([again.status, again.json]).toEqual([200, first.json]);
  });

  it('a merge gets 404, whatever its base, when the document is deleted meanwhile', async () => {
    const { id, etag } = await client.create('going', 'a\n');
    after('findHeads', () =>
      service.deps.documents.remove(
        client.owner,
        { id, condition: ANY_VERSION, now: new Date() },
        service.deps.quota,
      ),
    );
    const json = { base_etag: etag, contents: 'b\n' };
    const response = await client.send('POST', `/v1/file/${id}/merge`, { json });
    expect([response.status, response.json.error.code]).toEqual([404, 'not_found']);
  });

  it('a merge starts again when another writer changes the document', async () => {
    const { id, etag } = await client.create('overtaken', 'a\n');
    after('find', () => write(id));
    const merged = await client.send('POST', `/v1/file/${id}/merge`, {
      json: { base_etag: etag, contents: 'b\n' },
      headers: { 'Idempotency-Key': 'overtaken' },
    });
    expect([merged.status, merged.json.file.version]).toEqual([200, 3]);
  });
});
