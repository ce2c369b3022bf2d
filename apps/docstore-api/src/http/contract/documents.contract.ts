import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** Creating, reading, replacing, patching and deleting a document. */
export function documentsContract(api: Api): void {
  const { send, create } = api;

  describe('a document', () => {
    it('a document is created with id, ETag and Location, and read back', async () => {
      covers(
        'DOC-D.1',
        'DOC-F.Document.id',
        'DOC-F.Document.etag',
        'DOC-F.Document.size',
        'DOC-F.Document.sha256',
        'DOC-F.Document.version',
        'DOC-F.Document.metadata',
        'DOC-F.Document.created_at',
        'DOC-F.Document.updated_at',
      );
      const json = { filename: 'notes/a b.md', contents: 'héllo\n', metadata: { k: 'v' } };
      const made = await send('POST', '/v1/file', { json });
      expect(made.status).toBe(201);
      expect(made.json).toEqual({
        ...json,
        id: expect.stringMatching(
          /^file_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        etag: made.headers.get('ETag'),
        size: 7,
        sha256: createHash('sha256').update('héllo\n').digest('hex'),
        version: 1,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: made.json.created_at,
      });
      expect(made.json.etag).toMatch(/^"[A-Za-z0-9_-]+"$/);
      expect(made.headers.get('Location')).toBe(`/v1/file/${made.json.id}`);
      const read = await send('GET', made.headers.get('Location')!);
      expect([read.status, read.json]).toEqual([200, made.json]);
      expect(read.headers.get('ETag')).toBe(made.json.etag);
      expect(read.headers.get('Cache-Control')).toBe('private, no-cache, no-transform');
      const digest = createHash('sha256').update(read.text).digest('base64');
      expect(read.headers.get('Repr-Digest')).toBe(`sha-256=:${digest}:`);
    });

    it('a document has HEAD like GET without a body', async () => {
      covers('DOC-D.2');
      const { id, etag } = await create('head');
      const [get, head] = [await send('GET', `/v1/file/${id}`), await send('HEAD', `/v1/file/${id}`)];
      expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
      for (const field of ['Content-Length', 'Content-Type', 'Repr-Digest']) {
        expect(head.headers.get(field)).toBe(get.headers.get(field));
      }
    });

    it('a document has conditional reads', async () => {
      covers('DOC-D.2');
      const { id, etag } = await create('conditional');
      const get = (headers: Record<string, string>) => send('GET', `/v1/file/${id}`, { headers });
      for (const value of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
        const response = await get({ 'If-None-Match': value });
        expect([response.status, response.text, response.headers.get('ETag')]).toEqual([304, '', etag]);
      }
      expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
      expect((await get({ 'If-Match': etag })).status).toBe(200);
      const mismatch = await get({ 'If-Match': '"other"' });
      expectError(mismatch, 412, 'precondition_failed');
      expect(mismatch.headers.get('ETag')).toBe(etag);
    });

    it('a document is replaced under its ETag, and no lost update gets through', async () => {
      covers('DOC-P.1', 'DOC-P.2', 'DOC-P.3', 'DOC-E.precondition_failed', 'DOC-E.precondition_required');
      const { id, etag } = await create('put');
      const json = { filename: 'put', contents: 'two' };
      expectError(await send('PUT', `/v1/file/${id}`, { json }), 428, 'precondition_required');
      const put = await send('PUT', `/v1/file/${id}`, { json, ifMatch: etag });
      expect([put.status, put.json.version, put.json.contents]).toEqual([200, 2, 'two']);
      expect(put.headers.get('ETag')).not.toBe(etag);
      const lost = await send('PUT', `/v1/file/${id}`, { json, ifMatch: etag });
      expectError(lost, 412, 'precondition_failed');
      expect(lost.headers.get('ETag')).toBe(put.json.etag);
    });

    it('a document compares If-Match strongly: lists, *, commas in tags, weak never, malformed 400', async () => {
      covers('DOC-P.4');
      let { id, etag } = await create('if-match');
      const put = (ifMatch: string) =>
        send('PUT', `/v1/file/${id}`, { json: { filename: 'if-match', contents: 'x' }, ifMatch });
      for (const form of [
        (tag: string) => tag,
        (tag: string) => `"a,b" , ,${tag},`,
        () => '*',
        (tag: string) => `W/"x", ${tag}`,
      ]) {
        const response = await put(form(etag));
        expect(response.status).toBe(200);
        etag = response.json.etag;
      }
      for (const value of [`W/${etag}`, '"none"', `"a${etag.slice(1)}`, '""'])
        expectError(await put(value), 412, 'precondition_failed');
      for (const value of [etag.slice(1, -1), `${etag} ${etag}`, '"open', '*, "a"', ',', `w/${etag}`]) {
        expectError(await put(value), 400, 'bad_request');
      }
    });

    it('a document is not changed under an If-None-Match that names its version (RFC 9110 §13.1.2)', async () => {
      const { id, etag } = await create('if-none-match');
      const change = (method: string, path: string, json: unknown, ifNoneMatch: string, ifMatch?: string) =>
        send(method, `/v1/file/${id}${path}`, {
          ...(json === undefined ? {} : { json }),
          ...(ifMatch === undefined ? {} : { ifMatch }),
          headers: { 'If-None-Match': ifNoneMatch },
        });
      const json = { filename: 'if-none-match', contents: '' };
      const merge = { base_etag: etag, contents: '' };
      for (const value of ['*', etag, `W/${etag}`, `"other", ${etag}`]) {
        for (const refused of [
          await change('PUT', '', json, value, '*'),
          await change('PUT', '', json, value, etag),
          await change('PATCH', '', {}, value, '*'),
          await change('POST', '/edit', { append: 'x' }, value, '*'),
          await change('POST', '/merge', merge, value),
          await change('DELETE', '', undefined, value),
        ]) {
          expectError(refused, 412, 'precondition_failed');
          expect(refused.headers.get('ETag')).toBe(etag);
        }
      }
      expectError(await change('PUT', '', json, '*'), 428, 'precondition_required');
      expectError(await change('PUT', '', json, 'x', '*'), 400, 'bad_request');
      expect((await change('PUT', '', json, '"other"', '*')).json.version).toBe(2);
      expect((await change('DELETE', '', undefined, etag)).status).toBe(204);
    });

    it('a document is patched by merge patch under its ETag', async () => {
      covers('DOC-D.3');
      const { id, etag } = await create('patch', 'kept', { a: '1', b: '2' });
      const patch = (json: unknown, ifMatch: string) => send('PATCH', `/v1/file/${id}`, { json, ifMatch });
      expectError(await send('PATCH', `/v1/file/${id}`, { json: {} }), 428, 'precondition_required');
      const one = await patch({ metadata: { a: null, c: '3' } }, etag);
      expect([one.status, one.json.metadata, one.json.filename]).toEqual([200, { b: '2', c: '3' }, 'patch']);
      const two = await patch({ filename: 'patched', metadata: null }, '*');
      expect([two.json.metadata, two.json.filename, two.json.version]).toEqual([{}, 'patched', 3]);
      expectError(await patch({ contents: 'x' }, '*'), 422, 'validation_failed');
      expectError(await patch({ filename: 'x' }, etag), 412, 'precondition_failed');
      expect((await send('GET', `/v1/file/${id}`)).json.contents).toBe('kept');
    });

    it('a document keeps its version under an empty patch, whose precondition still counts', async () => {
      covers('DOC-D.3');
      const { id, etag } = await create('patch-nothing', 'kept', { a: '1' });
      const patch = (ifMatch: string) => send('PATCH', `/v1/file/${id}`, { json: {}, ifMatch });
      for (const ifMatch of [etag, '*']) {
        const same = await patch(ifMatch);
        expect([same.status, same.json.version, same.json.etag, same.headers.get('ETag')]).toEqual([
          200,
          1,
          etag,
          etag,
        ]);
      }
      expectError(await patch('"stale"'), 412, 'precondition_failed');
    });

    it('a document is patched as application/merge-patch+json too, which nothing else is sent as (RFC 7396 §4)', async () => {
      const { id, etag } = await create('merge-patch');
      const sent = {
        body: '{"metadata":{"k":"v"}}',
        ifMatch: etag,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      };
      const patched = await send('PATCH', `/v1/file/${id}`, sent);
      expect([patched.status, patched.json.metadata]).toEqual([200, { k: 'v' }]);
      expectError(await send('PUT', `/v1/file/${id}`, sent), 415, 'unsupported_media_type');
    });

    it('a document is refused with every field that is wrong, and what to give instead', async () => {
      covers('DOC-E.validation_failed');
      const wrong = await send('POST', '/v1/file', { json: { contents: 5, content: 'x' } });
      expectError(wrong, 422, 'validation_failed');
      expect(wrong.json.error).toMatchObject({
        message: '`filename`: is required: give a string',
        details: {
          filename: 'is required: give a string',
          contents: 'must be a string',
          content: 'is not a field here',
        },
      });
      const { id } = await create('etag-words');
      const sent = { json: { filename: 'etag-words', contents: 'x' }, ifMatch: 'bare' };
      expect((await send('PUT', `/v1/file/${id}`, sent)).json.error.message).toBe(
        'If-Match is malformed at character 1: give `*`, or ETags in their double quotes as they were answered',
      );
      const mode = await send('GET', '/v1/file?mode=fuzzy');
      expect(mode.json.error.message).toBe(
        'query parameter `mode`: must be one of list, substring, words, regex, semantic',
      );
    });

    it('a document is patched only by fields that are right, whatever the version', async () => {
      covers('DOC-D.16');
      const { id } = await create('patch-order', '', { old: 'x' });
      for (const json of [
        { filename: '' },
        { metadata: { k: '\ud800' } },
        { metadata: { k: 'x'.repeat(16 * 1024) } },
      ]) {
        const response = await send('PATCH', `/v1/file/${id}`, { json, ifMatch: '"stale"' });
        expectError(response, 422, 'validation_failed');
        expect(Object.keys(response.json.error.details)).toEqual(Object.keys(json));
      }
      const tooMuch = { metadata: { k: 'x'.repeat(16 * 1024 - 10) } };
      expectError(
        await send('PATCH', `/v1/file/${id}`, { json: tooMuch, ifMatch: '"stale"' }),
        412,
        'precondition_failed',
      );
      expectError(
        await send('PATCH', `/v1/file/${id}`, { json: tooMuch, ifMatch: '*' }),
        422,
        'validation_failed',
      );
    });

    it('a document keeps metadata under any key', async () => {
      covers('DOC-F.Document.metadata');
      const metadata = '{"__proto__":"p","constructor":"c","":"e"}';
      const headers = { 'Content-Type': 'application/json' };
      const made = await send('POST', '/v1/file', {
        body: `{"filename":"any-key","contents":"","metadata":${metadata}}`,
        headers,
      });
      const { id } = made.json;
      const patched = await send('PATCH', `/v1/file/${id}`, {
        body: '{"metadata":{"__proto__":"q","constructor":null}}',
        headers,
        ifMatch: '*',
      });
      const read = await send('GET', `/v1/file/${id}`);
      const entries = [made, patched, read].map(({ json }) => Object.entries(json.metadata).sort());
      const changed = [
        ['', 'e'],
        ['__proto__', 'q'],
      ];
      expect(entries).toEqual([Object.entries(JSON.parse(metadata)).sort(), changed, changed]);
      const wrong = await send('POST', '/v1/file', {
        body: '{"filename":"x","contents":"","metadata":{"__proto__":1,"k":[]}}',
        headers,
      });
      expectError(wrong, 422, 'validation_failed');
      expect(Object.keys(wrong.json.error.details).sort()).toEqual(['metadata.__proto__', 'metadata.k']);
    });

    it('a document is deleted under If-Match or without one', async () => {
      covers('DOC-D.4');
      const { id } = await create('delete');
      expectError(await send('DELETE', `/v1/file/${id}`, { ifMatch: '"x"' }), 412, 'precondition_failed');
      expect((await send('DELETE', `/v1/file/${id}`, { ifMatch: '*' })).status).toBe(204);
      expectError(await send('DELETE', `/v1/file/${id}`), 404, 'not_found');
      expectError(await send('GET', `/v1/file/${id}`), 404, 'not_found');
      expect((await send('DELETE', `/v1/file/${(await create('delete')).id}`)).status).toBe(204);
    });

    it('create, PUT and PATCH refuse a filename that is in use', async () => {
      covers('DOC-E.conflict');
      await create('used');
      const { id, etag } = await create('unused');
      const json = { filename: 'used', contents: '' };
      const conflict = await send('POST', '/v1/file', { json });
      expectError(conflict, 409, 'conflict');
      expect(conflict.json.error.message).toContain('PUT');
      expectError(await send('PUT', `/v1/file/${id}`, { json, ifMatch: etag }), 409, 'conflict');
      expectError(
        await send('PATCH', `/v1/file/${id}`, { json: { filename: 'used' }, ifMatch: etag }),
        409,
        'conflict',
      );
    });

    it('a document of another owner is 404, never 403 or 412', async () => {
      covers('DOC-D.20');
      const { id } = await create('mine');
      const stranger = await clientOf(api.service);
      const json = { filename: 'x', contents: 'x' };
      for (const [method, path] of [
        ['GET', ''],
        ['HEAD', ''],
        ['PUT', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/contents'],
        ['POST', '/edit'],
        ['POST', '/merge'],
        ['GET', '/versions'],
        ['GET', '/versions/1'],
      ] as const) {
        const withBody = ['PUT', 'PATCH', 'POST'].includes(method);
        const response = await stranger.send(method, `/v1/file/${id}${path}`, {
          ...(withBody ? { json } : {}),
          ifMatch: '"stale"',
        });
        expect([method, path, response.status]).toEqual([method, path, 404]);
      }
    });
  });
}
