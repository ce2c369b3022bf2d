import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, startTestService } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** What an error tells the developer who meets it: which part is wrong, and what to do. */
export function messagesContract(api: Api): void {
  const message = ({ json }: { json: { error: { message: string } } }) => json.error.message;

  describe('messages of errors', () => {
    it('a failed precondition says which of If-Match and If-None-Match was not met', async () => {
      covers('DOC-E.precondition_failed', 'DOC-D.57');
      const { id, etag } = await api.create('messages-412');
      const put = (headers: Record<string, string>, path = `/v1/file/${id}`) =>
        api.send('PUT', path, {
          json: { ...(path.startsWith('/v1/file') ? { filename: 'messages-412' } : {}), contents: 'x' },
          headers,
        });
      expect(message(await put({ 'If-Match': '"stale"' }))).toBe(
        'If-Match does not name the current ETag: read the document again',
      );
      expect(message(await put({ 'If-Match': `W/${etag}` }))).toMatch(/^If-Match holds weak ETags alone/);
      expect(message(await put({ 'If-Match': '*', 'If-None-Match': etag }))).toBe(
        'If-None-Match names the current ETag',
      );
      expect(message(await put({ 'If-None-Match': '*' }, '/v1/path/messages-412'))).toMatch(
        /^`If-None-Match: \*` asks for a document that does not exist/,
      );
    });

    it('a restoration of a deleted document under another If-Match says how it is restored', async () => {
      covers('DOC-D.52', 'DOC-D.57');
      const { id } = await api.create('messages-deleted');
      await api.send('DELETE', `/v1/file/${id}`);
      const refused = await api.send('POST', `/v1/file/${id}/restore`, {
        json: { version: 1 },
        ifMatch: '"stale"',
      });
      expectError(refused, 412, 'precondition_failed');
      expect(message(refused)).toMatch(/deleted.*`If-None-Match: \*`$/);
    });

    it('a restoration of a deleted document that is forgotten says so, to those alone who might have read it', async () => {
      covers('DOC-D.52', 'DOC-D.57');
      const service = await startTestService(null, { DOCSTORE_BYTES_MAX: '100' });
      try {
        const client = await clientOf(service);
        const ids: string[] = [];
        for (const size of [60, 70]) {
          const { id } = await client.create('gone/a', 'x'.repeat(size));
          ids.push(id);
          await client.send('DELETE', `/v1/file/${id}`);
        }
        const restore = (by: typeof client, id: string) =>
          by.send('POST', `/v1/file/${id}/restore`, {
            json: { version: 1 },
            headers: { 'If-None-Match': '*' },
          });
        expect(message(await restore(client, ids[0]!))).toMatch(/was deleted.*no longer kept/);
        const elsewhere = await clientOf(service, client.owner, 'file:read#prefix=b/ file:write#prefix=b/');
        expect(message(await restore(elsewhere, ids[0]!))).toBe('no such document');
        expect((await restore(client, ids[1]!)).status).toBe(200);
        const full = await client.send('POST', '/v1/file', {
          json: { filename: 'b', contents: 'x'.repeat(31) },
        });
        expectError(full, 403, 'quota_exceeded');
        expect(message(full)).toMatch(/^the quota of bytes/);
      } finally {
        await service.close();
      }
    });

    it.each([
      ['file:reed', '`file:reed` is not one of file:read'],
      ['file:read ', 'parted by single spaces'],
      ['file:read#folder=a', 'stands `prefix=`'],
      ['file:read#prefix=a#b', '# itself as %23'],
      ['file:read#prefix=%zz', 'not percent-encoded'],
      ['file:read#prefix=../', 'must not hold a segment'],
      [`file:read#prefix=${'a'.repeat(1024)}`, 'must be at most 1024 bytes'],
    ])('a scope that cannot be read is refused with what is wrong with it: %s', async (scopes, said) => {
      covers('DOC-A.4', 'DOC-D.57');
      const refused = await api.send('POST', '/v1/key', { json: { name: 'k', scopes } });
      expectError(refused, 400, 'bad_request');
      expect(message(refused)).toContain(said);
    });

    it('an item of a batch fails with the words, the fields and the request id of any other error', async () => {
      covers('DOC-D.35', 'DOC-D.57');
      const response = await api.send('POST', '/v1/batch', {
        json: { items: [{ id: 'x' }, { method: 'GET' }, 5] },
      });
      const errors = response.json.results.map(({ error }: { error: object }) => error);
      const error = (field: string, problem: string) => ({
        code: 'validation_failed',
        message: `\`${field}\`: ${problem}`,
        request_id: response.headers.get('X-Request-Id'),
        details: { [field]: problem },
      });
      expect(errors).toEqual([
        error('method', 'is required: give one of get, create, replace, delete'),
        error('method', 'must be one of get, create, replace, delete'),
        error('item', 'must be an object'),
      ]);
    });

    it('a replayed response that made a key says how to get another secret', async () => {
      covers('DOC-D.17', 'DOC-D.57');
      const headers = { 'Idempotency-Key': 'messages-key' };
      const mint = () =>
        api.send('POST', '/v1/key', { json: { name: 'once', scopes: 'file:read' }, headers });
      const { key: _shown, ...made } = (await mint()).json as { id: string; key: string };
      const { note, ...replayed } = (await mint()).json as { note: string };
      expect(replayed).toEqual(made);
      expect(note).toContain(`POST /v1/key/${made.id}/rotate`);
      const spaced = await api.send('POST', '/v1/key', {
        json: { name: 'k', scopes: 'file:read' },
        headers: { 'Idempotency-Key': 'a b' },
      });
      expect(message(spaced)).toMatch(/visible ASCII characters, without spaces$/);
    });

    it('a list of keys says who made each, so that what a leaked key made is found', async () => {
      covers('DOC-D.58');
      const manager = await clientOf(api.service);
      const mint = async (key: string) => {
        const json = { name: 'k', scopes: 'key:manage' };
        return (await manager.send('POST', '/v1/key', { json, key })).json as { id: string; key: string };
      };
      const child = await mint(manager.key);
      const grandchild = await mint(child.key);
      const { keys } = (await manager.send('GET', '/v1/key')).json as {
        keys: { id: string; minted_by: string | null; active: boolean }[];
      };
      const parents = keys.map(({ id, minted_by, active }) => [id, minted_by, active]);
      expect(parents).toContainEqual([grandchild.id, child.id, true]);
      expect(parents).toContainEqual([
        child.id,
        keys.find(({ id }) => manager.key.includes(id.slice(4)))!.id,
        true,
      ]);
    });

    it('a leap second is taken as the last instant of its minute, and no other second 60', async () => {
      covers('DOC-D.31');
      const list = (time: string) => api.send('GET', `/v1/file?updated_after=${encodeURIComponent(time)}`);
      for (const time of ['2016-12-31T23:59:60Z', '2016-12-31t23:59:60.5z', '2017-01-01T05:29:60+05:30'])
        expect((await list(time)).status).toBe(200);
      expectError(await list('2016-12-31T23:58:60Z'), 400, 'bad_request');
    });
  });
}
