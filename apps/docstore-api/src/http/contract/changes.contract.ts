import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { expectError, type Api } from './api.ts';

/** Edits, history, merges, and requests that are sent again. */
export function changesContract(api: Api): void {
  const { send, create } = api;

  describe('edit', () => {
    it('an edit replaces, inserts and appends under the ETag', async () => {
      covers('DOC-D.6', 'DOC-E.unprocessable_entity');
      let { id, etag } = await create('edit', 'one\ntwo\ntwo\n');
      const edit = async (json: unknown) => {
        const response = await send('POST', `/v1/file/${id}/edit`, { json, ifMatch: etag });
        if (response.status === 200) etag = response.json.etag;
        return response;
      };
      expectError(
        await send('POST', `/v1/file/${id}/edit`, { json: { append: 'x' } }),
        428,
        'precondition_required',
      );
      expect((await edit({ old_str: 'one', new_str: '$&1' })).json.contents).toBe('$&1\ntwo\ntwo\n');
      expectError(await edit({ old_str: 'two', new_str: 'x' }), 422, 'unprocessable_entity');
      expectError(await edit({ old_str: 'absent', new_str: 'x' }), 422, 'unprocessable_entity');
      expect((await edit({ insert_line: 1, insert_text: 'new' })).json.contents).toBe('$&1\nnew\ntwo\ntwo\n');
      expect((await edit({ insert_line: 0, insert_text: 'top\n' })).json.contents).toBe(
        'top\n$&1\nnew\ntwo\ntwo\n',
      );
      expectError(await edit({ insert_line: 6, insert_text: 'x' }), 422, 'unprocessable_entity');
      expect((await edit({ append: 'end' })).json.contents).toBe('top\n$&1\nnew\ntwo\ntwo\nend');
      expect((await edit({ insert_line: 6, insert_text: 'last' })).json.contents).toBe(
        'top\n$&1\nnew\ntwo\ntwo\nend\nlast',
      );
      expectError(await edit({ append: 'x', old_str: 'y' }), 422, 'validation_failed');
      expectError(await edit({ append: '\u0000' }), 415, 'unsupported_media_type');
    });

    it('an edit is validated before the version is compared, and splits no character', async () => {
      covers('DOC-D.16');
      const { id } = await create('edit-order', 'a😀');
      const edit = (json: unknown, ifMatch = '"stale"') =>
        send('POST', `/v1/file/${id}/edit`, { json, ifMatch });
      for (const json of [
        { append: '\u0000' },
        { old_str: 'a', new_str: '\u0000' },
        { insert_line: 0, insert_text: '\u0000' },
      ])
        expectError(await edit(json), 415, 'unsupported_media_type');
      expectError(await edit({ append: 'x'.repeat(4 * 1024 * 1024 + 1) }), 413, 'payload_too_large');
      for (const [field, json] of [
        ['append', { append: '\ud83d' }],
        ['old_str', { old_str: '\ude00', new_str: '\ude01' }],
        ['new_str', { old_str: 'a', new_str: '\ud83d' }],
        ['insert_text', { insert_line: 0, insert_text: '\ude01' }],
      ] as const) {
        for (const ifMatch of ['"stale"', '*']) {
          const response = await edit(json, ifMatch);
          expectError(response, 422, 'validation_failed');
          expect(Object.keys(response.json.error.details)).toContain(field);
        }
      }
      expect((await send('GET', `/v1/file/${id}`)).json.contents).toBe('a😀');
    });

    it('an edit of one form is told which of its fields is wrong, and one of several forms which forms there are', async () => {
      covers('DOC-D.24');
      const { id } = await create('edit-fields', 'a');
      const details = async (json: unknown) =>
        (await send('POST', `/v1/file/${id}/edit`, { json, ifMatch: '*' })).json.error.details;
      expect(await details({ append: 5 })).toEqual({ append: 'must be a string' });
      expect(await details({ old_str: 'a' })).toEqual({ new_str: 'is required: give a string' });
      expect(Object.keys(await details({ insert_line: 1.5, insert_text: 'q' }))).toEqual(['insert_line']);
      expect(Object.keys(await details({ insert_line: '1' }))).toEqual(['insert_line', 'insert_text']);
      for (const json of [{}, 5]) expect(Object.keys(await details(json))).toEqual(['body']);
    });

    it('no change is refused or lost when many clients edit or replace any version at once', async () => {
      covers('DOC-D.63');
      // More than the rounds after which a change that loses each of them gives up.
      const clients = Array.from({ length: 30 }, (_, n) => n);
      const { id } = await create('appended', '');
      const responses = await Promise.all(
        clients.map((n) => send('POST', `/v1/file/${id}/edit`, { json: { append: `${n}\n` }, ifMatch: '*' })),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      const lines = (await send('GET', `/v1/file/${id}`)).json.contents.trim().split('\n');
      expect(new Set(lines)).toEqual(new Set(clients.map(String)));
      const byName = await Promise.all(
        clients.map((n) => send('PUT', '/v1/path/appended', { json: { contents: `${n}` }, ifMatch: '*' })),
      );
      expect(new Set(byName.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });

  describe('history and merge', () => {
    it('history lists versions newest first and reads each', async () => {
      covers('DOC-D.7');
      const { id, etag } = await create('history', 'v1');
      await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'history-2', contents: 'v2' },
        ifMatch: etag,
      });
      const { json } = await send('GET', `/v1/file/${id}/versions`);
      expect(json.versions.map((version: { version: number }) => version.version)).toEqual([2, 1]);
      expect(json.versions[0].contents).toBeUndefined();
      const page = await send('GET', `/v1/file/${id}/versions?limit=1`);
      expect(page.json.next_before).toBe(2);
      expect((await send('GET', `/v1/file/${id}/versions?limit=1&before=2`)).json.versions[0].version).toBe(
        1,
      );
      const one = await send('GET', `/v1/file/${id}/versions/1`);
      expect(one.json).toMatchObject({ contents: 'v1', filename: 'history', etag });
      for (const n of ['3', '0', 'x', '1.0', '99999999999'])
        expectError(await send('GET', `/v1/file/${id}/versions/${n}`), 404, 'not_found');
    });

    it('a version has conditional reads', async () => {
      covers('DOC-D.2');
      const { id, etag } = await create('conditional-version', 'one');
      const path = `/v1/file/${id}/versions/1`;
      const read = (headers: Record<string, string>) => send('GET', path, { headers });
      const same = await read({ 'If-None-Match': etag });
      expect([same.status, same.headers.get('ETag'), same.text]).toEqual([304, etag, '']);
      expect((await read({ 'If-None-Match': '"other"' })).status).toBe(200);
      expect((await read({ 'If-Match': etag, 'If-None-Match': '"other"' })).status).toBe(200);
      expectError(await read({ 'If-Match': '"other"' }), 412, 'precondition_failed');
      expectError(await read({ 'If-None-Match': 'bare' }), 400, 'bad_request');
    });

    it('merge combines changes that do not touch, and reports those that do without writing', async () => {
      covers('DOC-D.8');
      const { id, etag } = await create('merge', 'a\nb\nc\nd\ne\n');
      const merge = (contents: string, base_etag = etag) =>
        send('POST', `/v1/file/${id}/merge`, { json: { base_etag, contents } });
      await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'merge', contents: 'A\nb\nc\nd\ne\n' },
        ifMatch: etag,
      });
      const clean = await merge('a\nb\nc\nd\nE\n');
      expect([clean.status, clean.json.merged, clean.json.file.contents, clean.json.file.version]).toEqual([
        200,
        true,
        'A\nb\nc\nd\nE\n',
        3,
      ]);
      expect(clean.headers.get('ETag')).toBe(clean.json.file.etag);
      const conflicting = await merge('X\nb\nc\nd\ne\n');
      expect([conflicting.status, conflicting.json]).toEqual([
        200,
        {
          merged: false,
          conflicts: [{ base: 'a', mine: 'X', current: 'A', base_line: 1 }],
          etag: clean.json.file.etag,
        },
      ]);
      expect(conflicting.headers.get('ETag')).toBe(clean.json.file.etag);
      const marked = await send('POST', `/v1/file/${id}/merge`, {
        json: { base_etag: etag, contents: 'X\nb\nc\nd\ne\n', markers: true },
      });
      expect(marked.json.marked).toBe('<<<<<<< mine\nX\n=======\nA\n>>>>>>> current\nb\nc\nd\nE\n');
      expect((await send('GET', `/v1/file/${id}`)).json.version).toBe(3);
      expectError(await merge('x', '"unknown"'), 422, 'unprocessable_entity');
      for (const base of ['W/"weak"', 'unquoted', '', '*', '"a", "b"', '"open']) {
        const refused = await merge('\u0000', base);
        expectError(refused, 422, 'validation_failed');
        expect(Object.keys(refused.json.error.details)).toEqual(['base_etag']);
      }
    });

    it('merge combines 60,000 lines of which both sides appended to some', async () => {
      covers('DOC-D.23');
      const lines = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => `${from + index}\n`).join('');
      const base = lines(1, 60_001);
      const { id, etag } = await create('numbers', base);
      const merge = (contents: string) =>
        send('POST', `/v1/file/${id}/merge`, { json: { base_etag: etag, contents } });
      const forward = await merge(`${base}60001\n`);
      expect([forward.status, forward.json.merged, forward.json.file?.size]).toEqual([
        200,
        true,
        base.length + 6,
      ]);
      const both = await merge(`0\n${base}`);
      expect([both.status, both.json.merged, both.json.file?.size]).toEqual([200, true, base.length + 8]);
      const unchanged = await merge(base);
      expect([unchanged.json.merged, unchanged.json.file?.size]).toEqual([true, base.length + 8]);
    });

    it('merge refuses texts that take too long, and the service keeps responding meanwhile', async () => {
      const { id, etag } = await create('hard', '\n'.repeat(200_000));
      await send('POST', `/v1/file/${id}/edit`, { json: { append: '\n'.repeat(1000) }, ifMatch: etag });
      const merging = send('POST', `/v1/file/${id}/merge`, {
        json: { base_etag: etag, contents: '\n'.repeat(199_000) },
      });
      expect((await send('GET', '/v1/usage')).status).toBe(200);
      const response = await merging;
      expect([200, 422]).toContain(response.status);
    });
  });

  describe('Idempotency-Key', () => {
    const keyed = (key: string) => ({ 'Idempotency-Key': key });

    it('an Idempotency-Key replays the response and refuses another payload', async () => {
      covers('DOC-D.17');
      const json = { filename: 'once', contents: 'x' };
      const first = await send('POST', '/v1/file', { json, headers: keyed('k1') });
      const again = await send('POST', '/v1/file', { json, headers: keyed('k1') });
      expect([again.status, again.json, again.headers.get('ETag'), again.headers.get('Location')]).toEqual([
        201,
        first.json,
        first.headers.get('ETag'),
        first.headers.get('Location'),
      ]);
      expectError(
        await send('POST', '/v1/file', { json: { ...json, contents: 'y' }, headers: keyed('k1') }),
        422,
        'unprocessable_entity',
      );
      const put = () =>
        send('PUT', `/v1/file/${first.json.id}`, { json, ifMatch: first.json.etag, headers: keyed('k2') });
      const [one, two] = [await put(), await put()];
      expect([one.status, two.status, two.json]).toEqual([200, 200, one.json]);
      expectError(await send('POST', '/v1/file', { json, headers: keyed('has space') }), 400, 'bad_request');
    });

    it('an Idempotency-Key marks a replay, and takes JSON with other white space for the same request', async () => {
      covers('DOC-D.17');
      const body = { filename: 'spaced', contents: 'x' };
      const create = (text: string) =>
        send('POST', '/v1/file', {
          body: text,
          headers: { 'Content-Type': 'application/json', ...keyed('k-spaced') },
        });
      const first = await create(JSON.stringify(body));
      expect([first.status, first.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
      const again = await create(JSON.stringify(body, null, 2));
      expect([again.status, again.json, again.headers.get('Idempotency-Replayed')]).toEqual([
        201,
        first.json,
        'true',
      ]);
    });

    it('an Idempotency-Key makes one key however often the request is sent, and stores no secret text of it', async () => {
      covers('DOC-D.17', 'DOC-D.19');
      const mint = () =>
        send('POST', '/v1/key', { json: { name: 'once', scopes: 'file:read' }, headers: keyed('k-mint') });
      const [first, again] = [await mint(), await mint()];
      const { key, ...rest } = first.json;
      const { note, ...kept } = again.json;
      expect([first.status, again.status, kept, note]).toEqual([201, 201, rest, expect.any(String)]);
      const { rows } = await api.service.deps.database.query('SELECT body FROM idempotent_answers');
      expect(JSON.stringify(rows)).not.toContain(key.split('_')[3]);
      const rotate = () => send('POST', `/v1/key/${rest.id}/rotate`, { headers: keyed('k-rotate') });
      const [rotated, replayed] = [await rotate(), await rotate()];
      const { key: shown, ...withoutText } = rotated.json;
      expect([rotated.status, replayed.status, replayed.json]).toEqual([200, 200, { ...withoutText, note }]);
      expect((await send('GET', '/v1/file', { key: shown })).status).toBe(200);
    });

    it('an Idempotency-Key is refused for the same payload under another precondition', async () => {
      covers('DOC-D.17');
      const { id, etag } = await create('conditions');
      const put = (headers: Record<string, string>) =>
        send('PUT', `/v1/file/${id}`, {
          json: { filename: 'conditions', contents: 'y' },
          headers: { ...keyed('k7'), ...headers },
        });
      const sent = { 'If-Match': etag, 'If-None-Match': '"other"' };
      const first = await put(sent);
      expect(first.status).toBe(200);
      expect((await put(sent)).json).toEqual(first.json);
      const others: Record<string, string>[] = [
        { 'If-Match': etag },
        { 'If-Match': etag, 'If-None-Match': '"another"' },
        { 'If-Match': '*', 'If-None-Match': '"other"' },
      ];
      for (const headers of others) expectError(await put(headers), 422, 'unprocessable_entity');
    });

    it('an Idempotency-Key replays the response of a change to a document that was deleted since', async () => {
      const { id, etag } = await create('gone since');
      const json = { filename: 'gone since', contents: 'y' };
      const put = (body: unknown, key = 'k5') =>
        send('PUT', `/v1/file/${id}`, { json: body, ifMatch: etag, headers: keyed(key) });
      const first = await put(json);
      expect(first.status).toBe(200);
      await send('DELETE', `/v1/file/${id}`);
      const again = await put(json);
      expect([again.status, again.json, again.headers.get('ETag')]).toEqual([
        200,
        first.json,
        first.json.etag,
      ]);
      expectError(await put({ ...json, contents: 'z' }), 422, 'unprocessable_entity');
      for (const body of [json, {}]) expectError(await put(body, 'k6'), 404, 'not_found');
    });

    it('an Idempotency-Key keeps the part of a large response that a replay cannot find elsewhere', async () => {
      const contents = '\n'.repeat(200_000);
      const { service, client } = api;
      const kept = async (key: string) => {
        const { rows } = await service.deps.database.query<{ length: number }>(
          'SELECT length(body) AS length FROM idempotent_answers WHERE owner = $1 AND key LIKE $2',
          [client.owner, `% ${key}`],
        );
        return rows[0]!.length;
      };
      const createOnce = () =>
        send('POST', '/v1/file', {
          json: { filename: 'large-answer', contents, metadata: { contents: 'c' } },
          headers: keyed('large-create'),
        });
      const created = await createOnce();
      const path = `/v1/file/${created.json.id}`;
      const editOnce = () =>
        send('POST', `${path}/edit`, {
          json: { append: 'x' },
          ifMatch: created.json.etag,
          headers: keyed('large-edit'),
        });
      const edited = await editOnce();
      expect([created.status, edited.status]).toEqual([201, 200]);
      expect(await kept('large-create')).toBeLessThan(1000);
      expect(await kept('large-edit')).toBeLessThan(1000);
      await send('PUT', `${path}/contents`, {
        body: 'other',
        ifMatch: '*',
        headers: { 'Content-Type': 'text/plain' },
      });
      expect((await createOnce()).text).toBe(created.text);
      expect((await editOnce()).text).toBe(edited.text);
      expect((await send('DELETE', path)).status).toBe(204);
      expect((await createOnce()).text).toBe(created.text);
      const { contents: _gone, ...rest } = edited.json;
      const replayed = await editOnce();
      expect([replayed.status, replayed.json]).toEqual([200, rest]);
    });

    it('an Idempotency-Key keeps no large response of a request that wrote nothing', async () => {
      const contents = 'a\n'.repeat(100_000);
      const { id, etag } = await create('large-conflict', 'base\n');
      await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'large-conflict', contents },
        ifMatch: etag,
      });
      const merge = () =>
        send('POST', `/v1/file/${id}/merge`, {
          json: { base_etag: etag, contents: 'mine\n' },
          headers: keyed('large-conflict'),
        });
      const first = await merge();
      expect([first.status, first.json.merged]).toEqual([200, false]);
      const { rows } = await api.service.deps.database.query(
        'SELECT 1 FROM idempotent_answers WHERE owner = $1 AND key LIKE $2',
        [api.client.owner, '% large-conflict'],
      );
      expect(rows).toEqual([]);
      expect((await merge()).text).toBe(first.text);
    });

    it('a request whose Idempotency-Key is in use gets a delay from the time the first has taken so far', async () => {
      const { idempotency } = api.service.deps;
      const now = api.service.deps.now().getTime();
      const ask = (at: number) =>
        idempotency.reserve(api.client.owner, 'waits', new Uint8Array(32), new Date(at));
      expect(await ask(now)).toMatchObject({ kind: 'reserved' });
      const waits: unknown[] = [];
      for (const age of [-5, 0, 3, 20, 50, 60]) waits.push(await ask(now + age * 1000));
      expect(waits).toEqual(
        [1, 1, 9, 40, 10, 1].map((retryAfterSeconds) => ({ kind: 'in_flight', retryAfterSeconds })),
      );
    });

    it('an Idempotency-Key keeps nothing of a failure, so the request may be sent again', async () => {
      const { id } = await create('in the way');
      const json = { filename: 'in the way', contents: 'x' };
      expectError(await send('POST', '/v1/file', { json, headers: keyed('k3') }), 409, 'conflict');
      await send('DELETE', `/v1/file/${id}`);
      expect((await send('POST', '/v1/file', { json, headers: keyed('k3') })).status).toBe(201);
    });

    it('an Idempotency-Key lets one of many concurrent requests through; the others get a delay or its response', async () => {
      const json = { filename: 'simultaneous', contents: 'x' };
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => send('POST', '/v1/file', { json, headers: keyed('k4') })),
      );
      const made = responses.filter(({ status }) => status === 201);
      expect(made.length).toBeGreaterThanOrEqual(1);
      expect(new Set(made.map((response) => response.json.id)).size).toBe(1);
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expectError(response, 409, 'conflict');
        expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      }
    });
  });
}
