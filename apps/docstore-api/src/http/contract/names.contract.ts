import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** Documents by filename, what changed since, versions made current again, and batches. */
export function namesContract(api: Api): void {
  describe('a filename in the path', () => {
    const put = (
      send: Api['send'],
      path: string,
      contents: string,
      headers: Record<string, string> = { 'If-None-Match': '*' },
    ) => send('PUT', `/v1/path/${path}`, { json: { contents }, headers });

    it('PUT by filename creates with If-None-Match, replaces with If-Match, and is refused otherwise', async () => {
      covers('DOC-D.32');
      const { send } = api;
      const created = await put(send, 'by-name/a b%2Fé.txt', 'one');
      expect([created.status, created.json.filename, created.json.version]).toEqual([
        201,
        'by-name/a b/é.txt',
        1,
      ]);
      const url = `/v1/file/${created.json.id}`;
      expect([created.headers.get('Content-Location'), created.headers.get('Location')]).toEqual([url, url]);
      const again = await put(send, 'by-name/a b/é.txt', 'two');
      expectError(again, 412, 'precondition_failed');
      expect(again.headers.get('ETag')).toBe(created.json.etag);
      const replaced = await put(send, 'by-name/a b/é.txt', 'two', { 'If-Match': created.json.etag });
      expect([replaced.status, replaced.json.id, replaced.json.version]).toEqual([200, created.json.id, 2]);
      expect(replaced.headers.get('Location')).toBeNull();
      expectError(
        await put(send, 'by-name/a b/é.txt', 'x', { 'If-Match': created.json.etag }),
        412,
        'precondition_failed',
      );
      expect((await put(send, 'by-name/a b/é.txt', 'three', { 'If-Match': '*' })).json.version).toBe(3);
      expectError(await put(send, 'by-name/absent', 'x', { 'If-Match': '*' }), 404, 'not_found');
      expectError(await put(send, 'by-name/absent', 'x', {}), 428, 'precondition_required');
      expectError(await put(send, 'by-name/a%01b', 'x'), 422, 'validation_failed');
    });

    it('a document is read and deleted by its filename under conditions', async () => {
      covers('DOC-D.32');
      const { send } = api;
      const { json } = await put(send, 'by-name/read', 'text');
      const read = await send('GET', '/v1/path/by-name/read');
      expect([read.status, read.json.contents, read.headers.get('ETag')]).toEqual([200, 'text', json.etag]);
      const same = await send('GET', '/v1/path/by-name/read', { headers: { 'If-None-Match': json.etag } });
      expect(same.status).toBe(304);
      expectError(
        await send('DELETE', '/v1/path/by-name/read', { ifMatch: '"stale"' }),
        412,
        'precondition_failed',
      );
      expect((await send('DELETE', '/v1/path/by-name/read', { ifMatch: json.etag })).status).toBe(204);
      expectError(await send('GET', '/v1/path/by-name/read'), 404, 'not_found');
      expectError(await send('DELETE', '/v1/path/by-name/read'), 404, 'not_found');
      expectError(await send('GET', '/v1/path/'), 404, 'not_found');
    });

    it('a filename outside the scope is refused whether or not there is a document', async () => {
      covers('DOC-D.32');
      await put(api.send, 'private/there', 'x');
      const limited = await clientOf(
        api.service,
        api.client.owner,
        'file:read#prefix=notes/ file:write#prefix=notes/',
      );
      for (const name of ['there', 'absent']) {
        expectError(await limited.send('GET', `/v1/path/private/${name}`), 403, 'forbidden');
        expectError(await put(limited.send, `private/${name}`, 'x'), 403, 'forbidden');
      }
    });

    it('many concurrent writers create a filename once', async () => {
      covers('DOC-D.32');
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) => put(api.send, 'by-name/raced', `${n}`)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([
        201,
        ...Array.from({ length: 7 }, () => 412),
      ]);
    });
  });

  describe('changes', () => {
    it('changes list each document once by its latest change, deletions included, in order', async () => {
      covers('DOC-D.33');
      const owner = await clientOf(api.service);
      const changes = async (query: string) => (await owner.send('GET', `/v1/changes${query}`)).json;
      expect(await changes('')).toEqual({ changes: [], last_sequence: 0 });
      const [a, b, c] = [await owner.create('a'), await owner.create('b'), await owner.create('c')];
      const all = await changes('');
      expect(all.changes.map((each: { type: string; id: string }) => [each.type, each.id])).toEqual([
        ['created', a.id],
        ['created', b.id],
        ['created', c.id],
      ]);
      const put = (id: string, filename: string) =>
        owner.send('PUT', `/v1/file/${id}`, { json: { filename, contents: 'x' }, ifMatch: '*' });
      await put(a.id, 'a');
      await owner.send('DELETE', `/v1/file/${b.id}`);
      await put(c.id, 'moved');
      await put(a.id, 'a');
      const since = await changes(`?since=${all.last_sequence}`);
      const seen = since.changes as { type: string; id: string; filename: string; etag?: string }[];
      expect(seen.map(({ type, id, filename }) => [type, id, filename])).toEqual([
        ['deleted', b.id, 'b'],
        ['renamed', c.id, 'moved'],
        ['written', a.id, 'a'],
      ]);
      expect(seen.map(({ etag }) => etag === undefined)).toEqual([true, false, false]);
      const page = await changes(`?since=${all.last_sequence}&limit=1`);
      expect(page.changes).toEqual(seen.slice(0, 1));
      expect((await changes(`?since=${page.last_sequence}`)).changes).toEqual(seen.slice(1));
      expect(await changes(`?since=${since.last_sequence}`)).toEqual({
        changes: [],
        last_sequence: since.last_sequence,
      });
    });

    it('a request for changes waits for one as long as it asks to', async () => {
      covers('DOC-D.33');
      const owner = await clientOf(api.service);
      const waiting = owner.send('GET', '/v1/changes?wait=30');
      const { id } = await owner.create('awaited');
      const { json } = await waiting;
      expect(json.changes.map((each: { id: string }) => each.id)).toEqual([id]);
      const none = await owner.send('GET', `/v1/changes?wait=1&since=${json.last_sequence}`);
      expect([none.status, none.json.changes]).toEqual([200, []]);
    });

    it('changes show a limited key its filenames alone', async () => {
      covers('DOC-D.33');
      const owner = await clientOf(api.service);
      await owner.create('private/a');
      const { id } = await owner.create('notes/a');
      const limited = await clientOf(api.service, owner.owner, 'file:read#prefix=notes/');
      const { json } = await limited.send('GET', '/v1/changes');
      expect(json.changes.map((each: { id: string }) => each.id)).toEqual([id]);
      expect(json.last_sequence).toBe(2);
    });

    it('changes show a limited key a rename out of its prefix as a deletion under the old name, and no later change', async () => {
      covers('DOC-D.53');
      const owner = await clientOf(api.service);
      const { id } = await owner.create('notes/moving');
      const limited = await clientOf(api.service, owner.owner, 'file:read#prefix=notes/');
      const changes = async (since: number) =>
        (await limited.send('GET', `/v1/changes?since=${since}`)).json.changes;
      const rename = (filename: string) =>
        owner.send('PATCH', `/v1/file/${id}`, { json: { filename }, ifMatch: '*' });
      await rename('secret/moved');
      const left = [
        { sequence: 2, type: 'deleted', id, filename: 'notes/moving', version: 1, at: expect.any(String) },
      ];
      expect(await changes(1)).toEqual(left);
      await rename('secret/again');
      await owner.send('DELETE', `/v1/file/${id}`);
      expect([await changes(1), await changes(2)]).toEqual([left, []]);
      const whole = (await owner.send('GET', '/v1/changes?since=1')).json.changes;
      expect(whole).toEqual([expect.objectContaining({ type: 'deleted', filename: 'secret/again' })]);
    });

    it('a follower that begins now is given the number of the last change and nothing before it', async () => {
      covers('DOC-D.60');
      const owner = await clientOf(api.service);
      expect((await owner.send('GET', '/v1/changes?since=latest')).json).toEqual({
        changes: [],
        last_sequence: 0,
      });
      for (const filename of ['a', 'b']) await owner.create(filename);
      const { changes, last_sequence: last } = (await owner.send('GET', '/v1/changes?since=latest')).json;
      expect(changes).toEqual([]);
      await owner.create('c');
      const after = (await owner.send('GET', `/v1/changes?since=${last}`)).json;
      expect(after.changes).toMatchObject([{ type: 'created', filename: 'c' }]);
      for (const since of ['last', '-1', '1e3', 'latest0'])
        expect((await owner.send('GET', `/v1/changes?since=${since}`)).status).toBe(400);
    });

    it('changes are refused once deletions since the cursor are forgotten', async () => {
      covers('DOC-D.33');
      const owner = await clientOf(api.service);
      const { id } = await owner.create('a');
      await owner.send('DELETE', `/v1/file/${id}`);
      await owner.create('b');
      await api.service.deps.documents.forgetDeleted(new Date(Date.now() + 60_000));
      expectError(await owner.send('GET', '/v1/changes?since=1'), 422, 'unprocessable_entity');
      expect((await owner.send('GET', '/v1/changes?since=2')).json.changes).toHaveLength(1);
      expect((await owner.send('GET', '/v1/changes')).json.changes).toHaveLength(1);
    });
  });

  describe('changes after a backup was restored', () => {
    it('changes since a number beyond the last one are refused, with the number to follow from', async () => {
      covers('DOC-D.33');
      const owner = await clientOf(api.service);
      const refused = await owner.send('GET', '/v1/changes?since=1&wait=30');
      expectError(refused, 422, 'unprocessable_entity');
      await owner.create('a');
      expect((await owner.send('GET', '/v1/changes?since=1')).status).toBe(200);
      const later = await owner.send('GET', '/v1/changes?since=999999999');
      expectError(later, 422, 'unprocessable_entity');
      expect(later.json.error.message).toContain('follow changes from 1');
    });
  });

  describe('restore', () => {
    it('restore makes the contents and metadata of a version current again, under the condition', async () => {
      covers('DOC-D.34');
      const { send } = api;
      const { id, etag } = await api.create('restored', 'one', { k: 'v' });
      const put = await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'restored-2', contents: 'two', metadata: {} },
        ifMatch: etag,
      });
      const restore = (version: number, ifMatch: string) =>
        send('POST', `/v1/file/${id}/restore`, { json: { version }, ifMatch });
      const without = await send('POST', `/v1/file/${id}/restore`, { json: { version: 1 } });
      expectError(without, 428, 'precondition_required');
      expectError(await restore(1, etag), 412, 'precondition_failed');
      const restored = await restore(1, put.json.etag);
      expect([restored.status, restored.json]).toEqual([
        200,
        expect.objectContaining({
          version: 3,
          filename: 'restored-2',
          contents: 'one',
          metadata: { k: 'v' },
        }),
      ]);
      expectError(await restore(9, '*'), 404, 'not_found');
    });
  });

  describe('restore of a deleted document', () => {
    const restoreBy = (send: Api['send'], id: string, headers: Record<string, string>, version = 1) =>
      send('POST', `/v1/file/${id}/restore`, { json: { version }, headers });
    const absent = { 'If-None-Match': '*' };

    it('restore brings a deleted document back with its history, under the ETag of its last version', async () => {
      covers('DOC-D.52');
      const owner = await clientOf(api.service);
      const { id, etag } = await owner.create('back', 'one', { k: 'v' });
      const two = await owner.send('PUT', `/v1/file/${id}`, {
        json: { filename: 'back', contents: 'two' },
        ifMatch: etag,
      });
      const refused = await restoreBy(owner.send, id, absent);
      expectError(refused, 412, 'precondition_failed');
      await owner.send('DELETE', `/v1/file/${id}`);
      expect((await owner.send('GET', '/v1/usage')).json.documents.used).toBe(0);
      expectError(await restoreBy(owner.send, id, {}), 428, 'precondition_required');
      expectError(await restoreBy(owner.send, id, { 'If-Match': etag }), 412, 'precondition_failed');
      expectError(await restoreBy(owner.send, id, absent, 3), 404, 'not_found');
      const restored = await restoreBy(owner.send, id, { 'If-Match': two.json.etag });
      expect([restored.status, restored.json]).toEqual([
        200,
        expect.objectContaining({ id, filename: 'back', contents: 'one', metadata: { k: 'v' }, version: 3 }),
      ]);
      expect(restored.headers.get('ETag')).toBe(restored.json.etag);
      const history = (await owner.send('GET', `/v1/file/${id}/versions`)).json.versions;
      expect(history.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
      const { json } = await owner.send('GET', '/v1/file?mode=words&query=one');
      expect(json.files.map((each: { id: string }) => each.id)).toEqual([id]);
      const usage = (await owner.send('GET', '/v1/usage')).json;
      expect([usage.documents.used, usage.bytes.used]).toEqual([1, 9 + 3 * '"k": "v"'.length]);
      const changes = (await owner.send('GET', '/v1/changes?since=3')).json.changes;
      expect(changes).toEqual([
        expect.objectContaining({ type: 'restored', id, filename: 'back', sequence: 4, version: 3 }),
      ]);
      expect(await api.service.deps.documents.findQuotaDrift()).toEqual([]);
    });

    it('restore of a deleted document is refused when its filename is taken, and to keys without the scope', async () => {
      covers('DOC-D.52');
      const { id } = await api.create('notes/taken');
      await api.send('DELETE', `/v1/file/${id}`);
      const restoreAs = async (scopes: string) =>
        restoreBy((await clientOf(api.service, api.client.owner, scopes)).send, id, absent);
      expectError(await restoreAs('file:read file:write#prefix=other/'), 403, 'forbidden');
      expectError(await restoreAs('file:write'), 403, 'forbidden');
      expectError(await restoreBy((await clientOf(api.service)).send, id, absent), 404, 'not_found');
      const other = await api.create('notes/taken');
      expectError(await restoreBy(api.send, id, absent), 409, 'conflict');
      await api.send('DELETE', `/v1/file/${other.id}`);
      const headers = { ...absent, 'Idempotency-Key': 'restore-once' };
      const first = await restoreBy(api.send, id, headers);
      expect([first.status, first.json.version]).toEqual([200, 2]);
      expect((await restoreBy(api.send, id, headers)).json).toEqual(first.json);
    });

    it('restore of a document whose filename is taken since names the way out, which is another filename', async () => {
      covers('DOC-D.52', 'DOC-D.57');
      const owner = await clientOf(api.service);
      const { id } = await owner.create('notes/mine', 'mine');
      await owner.send('DELETE', `/v1/file/${id}`);
      const other = await owner.create('notes/mine', 'theirs');
      const refused = await restoreBy(owner.send, id, absent);
      expectError(refused, 409, 'conflict');
      expect(refused.json.error.message).toMatch(/send another `filename`/);
      const restoreAs = (send: Api['send'], filename: string) =>
        send('POST', `/v1/file/${id}/restore`, { json: { version: 1, filename }, headers: absent });
      const scopes = 'file:read file:write#prefix=notes/';
      const { send } = await clientOf(api.service, owner.owner, scopes);
      expectError(await restoreAs(send, 'elsewhere'), 403, 'forbidden');
      expectError(await restoreAs(send, ''), 422, 'validation_failed');
      const restored = await restoreAs(send, 'notes/mine 2');
      expect([restored.status, restored.json]).toEqual([
        200,
        expect.objectContaining({ id, filename: 'notes/mine 2', contents: 'mine', version: 2 }),
      ]);
      expect((await owner.send('GET', `/v1/file/${other.id}`)).json.contents).toBe('theirs');
      const { json } = await owner.send('GET', '/v1/changes?since=0');
      expect(json.changes.at(-1)).toMatchObject({ type: 'restored', id, filename: 'notes/mine 2' });
      expect(await api.service.deps.documents.findQuotaDrift()).toEqual([]);
      // The same of a document that is there: version 1 again, under a third name.
      const renamed = await owner.send('POST', `/v1/file/${id}/restore`, {
        json: { version: 1, filename: 'notes/mine 3' },
        ifMatch: restored.json.etag,
      });
      expect(renamed.json).toMatchObject({ filename: 'notes/mine 3', contents: 'mine', version: 3 });
    });

    it('many concurrent clients restore a deleted document once', async () => {
      covers('DOC-D.52');
      const { id } = await api.create('restored-once');
      await api.send('DELETE', `/v1/file/${id}`);
      const responses = await Promise.all(Array.from({ length: 8 }, () => restoreBy(api.send, id, absent)));
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 412),
      ]);
    });

    it('a deleted document cannot be restored once it is forgotten', async () => {
      covers('DOC-D.52');
      const owner = await clientOf(api.service);
      const { id } = await owner.create('forgotten');
      await owner.send('DELETE', `/v1/file/${id}`);
      await api.service.deps.documents.forgetDeleted(new Date(Date.now() + 60_000));
      expectError(await restoreBy(owner.send, id, absent), 404, 'not_found');
      expect(await api.service.deps.documents.findQuotaDrift()).toEqual([]);
    });
  });

  describe('a batch', () => {
    it('a batch reads and writes under a condition for each item, and returns results by index', async () => {
      covers('DOC-D.35');
      const { send } = api;
      const { id, etag } = await api.create('batched', 'text');
      const other = await api.create('batch-deleted');
      const file = (filename: string, contents = 'x') => ({ filename, contents });
      const { status, json } = await send('POST', '/v1/batch', {
        json: {
          items: [
            { method: 'get', id },
            { method: 'create', file: file('batch-new') },
            { method: 'create', file: file('batched') },
            { method: 'replace', id, if_match: etag, file: file('batched', 'new') },
            { method: 'replace', id, if_match: etag, file: file('batched', 'newer') },
            { method: 'delete', id: other.id, if_match: other.etag },
            { method: 'get', id: other.id },
            { method: 'get', id: 'x\u0000' },
          ],
        },
      });
      expect(status).toBe(200);
      expect(
        json.results.map((each: { status: number; error?: { code: string } }) => [
          each.status,
          each.error?.code,
        ]),
      ).toEqual([
        [200, undefined],
        [201, undefined],
        [409, 'conflict'],
        [200, undefined],
        [412, 'precondition_failed'],
        [204, undefined],
        [404, 'not_found'],
        [404, 'not_found'],
      ]);
      expect([json.results[0].file.contents, json.results[3].file.version]).toEqual(['text', 2]);
    });

    it('a batch refuses an ill-formed item by its index and carries out the others', async () => {
      covers('DOC-D.35');
      const { id } = await api.create('batch-ill-formed');
      const file = (filename: string) => ({ filename, contents: 'x' });
      const items = [
        { method: 'create', file: file('') },
        { method: 'create', file: file('../x') },
        { method: 'create', file: { filename: 5, contents: '\ud800' } },
        { method: 'replace', id, file: file('x') },
        { method: 'replace', id, if_match: 'bare', file: file('x') },
        { method: 'create', file: { filename: 'batch-nul', contents: '\u0000' } },
        { method: 'absent' },
        null,
        'get',
        [],
        { method: 'get', id, unknown: 1 },
        { method: 'get', id },
      ];
      const { status, json } = await api.send('POST', '/v1/batch', { json: { items } });
      expect(status).toBe(200);
      const results = json.results as { status: number; error?: { code: string; details?: object } }[];
      expect(
        results.map(({ status, error }) => [status, error?.code, Object.keys(error?.details ?? {})]),
      ).toEqual([
        [422, 'validation_failed', ['file.filename']],
        [422, 'validation_failed', ['file.filename']],
        [422, 'validation_failed', ['file.filename', 'file.contents']],
        [428, 'precondition_required', []],
        [400, 'bad_request', []],
        [415, 'unsupported_media_type', []],
        [422, 'validation_failed', ['method']],
        [422, 'validation_failed', ['item']],
        [422, 'validation_failed', ['item']],
        [422, 'validation_failed', ['item']],
        [422, 'validation_failed', ['unknown']],
        [200, undefined, []],
      ]);
    });

    it('a batch runs once under its Idempotency-Key', async () => {
      covers('DOC-D.35', 'DOC-D.17');
      const { id } = await api.create('batch-deleted-once');
      const items = [
        { method: 'create', file: { filename: 'batch-once', contents: 'x' } },
        { method: 'delete', id },
      ];
      const run = () =>
        api.send('POST', '/v1/batch', { json: { items }, headers: { 'Idempotency-Key': 'b1' } });
      const [first, again] = [await run(), await run()];
      const statuses = first.json.results.map((each: { status: number }) => each.status);
      expect([statuses, again.json]).toEqual([[201, 204], first.json]);
      const marks = [first, again].map(({ headers }) => headers.get('Idempotency-Replayed'));
      expect(marks).toEqual([null, 'true']);
    });

    it.each([
      ['one item more', ['x', 'y'], ['x', 'y', 'z']],
      ['one item less', ['x', 'y'], ['x']],
      ['its items in another order', ['x', 'y'], ['y', 'x']],
      ['another last item', ['x', 'y'], ['x', 'z']],
      ['another item in the place of one that failed', ['x', 'batch-taken'], ['x', 'z']],
    ])(
      'a batch that was sent once writes nothing for the same Idempotency-Key with %s',
      async (what, was, is) => {
        covers('DOC-D.35', 'DOC-D.17');
        await api.send('POST', '/v1/file', { json: { filename: `batch ${what} batch-taken`, contents: '' } });
        const run = (contents: readonly string[]) =>
          api.send('POST', '/v1/batch', {
            json: {
              items: contents.map((text) => ({
                method: 'create',
                file: { filename: `batch ${what} ${text}`, contents: text },
              })),
            },
            headers: { 'Idempotency-Key': what.replaceAll(' ', '-') },
          });
        const first = await run(was);
        expectError(await run(is), 422, 'unprocessable_entity');
        const outcomes = ({ json }: typeof first) =>
          json.results.map(({ status, file }: { status: number; file?: object }) => ({ status, file }));
        expect(outcomes(await run(was))).toEqual(outcomes(first));
      },
    );

    it('a batch checks for each item what the key may do', async () => {
      covers('DOC-D.35');
      const { id } = await api.create('batch-scoped', 'secret');
      const writer = await clientOf(api.service, api.client.owner, 'file:write');
      const { json } = await writer.send('POST', '/v1/batch', {
        json: {
          items: [
            { method: 'get', id },
            { method: 'delete', id },
            { method: 'create', file: { filename: 'batch-written', contents: 'x' } },
          ],
        },
      });
      expect(json.results.map((each: { status: number }) => each.status)).toEqual([403, 403, 201]);
      expect(json.results[2].file).not.toHaveProperty('sha256');
      const missing = await writer.send('POST', '/v1/batch', { json: {} });
      expectError(missing, 422, 'validation_failed');
      const none = await writer.send('POST', '/v1/batch', { json: { items: [] } });
      expectError(none, 422, 'validation_failed');
    });
  });
}
