import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCSTORE_CODES } from '@platform/error-contracts';
import { CONTENTS_BYTES_MAX, MiB } from '../domain/sizes.ts';
import { clientOf, type Answered, type Client, type TestService } from '../test-service.fixture.ts';

/** Checks the envelope of an error, and that its request id is the header's. */
export function expectError(answer: Answered, status: number, code: keyof typeof DOCSTORE_CODES): void {
  expect([answer.status, answer.json?.error?.code, answer.text]).toEqual([status, code, answer.text]);
  expect(answer.json.error).toMatchObject({
    message: expect.any(String),
    request_id: answer.headers.get('X-Request-Id'),
  });
  expect('details' in answer.json.error).toBe(code === 'validation_failed');
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  for (const name of answer.headers.keys()) expect(name).not.toMatch(/^x-ratelimit/);
}

/** What every deployment answers, whatever database it stands on. */
export function httpContract(name: string, open: () => Promise<TestService>): void {
  describe(`document store over HTTP on ${name}`, () => {
    let service: TestService;
    let client: Client;
    beforeAll(async () => {
      service = await open();
      client = await clientOf(service);
    });
    afterAll(() => service.close());
    const send: Client['send'] = (...args) => client.send(...args);
    const create: Client['create'] = (...args) => client.create(...args);

    describe('a document', () => {
      it('is created with id, ETag and Location, and read back (DOC-D.1, DOC-F.Document.id, DOC-F.Document.etag, DOC-F.Document.size, DOC-F.Document.sha256, DOC-F.Document.version, DOC-F.Document.metadata, DOC-F.Document.created_at, DOC-F.Document.updated_at)', async () => {
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

      it('has HEAD like GET without a body (DOC-D.2)', async () => {
        const { id, etag } = await create('head');
        const [get, head] = [await send('GET', `/v1/file/${id}`), await send('HEAD', `/v1/file/${id}`)];
        expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
        for (const field of ['Content-Length', 'Content-Type', 'Repr-Digest']) {
          expect(head.headers.get(field)).toBe(get.headers.get(field));
        }
      });

      it('answers conditional reads (DOC-D.2)', async () => {
        const { id, etag } = await create('conditional');
        const get = (headers: Record<string, string>) => send('GET', `/v1/file/${id}`, { headers });
        for (const value of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
          const answer = await get({ 'If-None-Match': value });
          expect([answer.status, answer.text, answer.headers.get('ETag')]).toEqual([304, '', etag]);
        }
        expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
        expect((await get({ 'If-Match': etag })).status).toBe(200);
        const mismatch = await get({ 'If-Match': '"other"' });
        expectError(mismatch, 412, 'precondition_failed');
        expect(mismatch.headers.get('ETag')).toBe(etag);
      });

      it('is replaced under its ETag, and no lost update gets through (DOC-P.1, DOC-P.2, DOC-P.3, DOC-E.precondition_failed, DOC-E.precondition_required)', async () => {
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

      it('compares If-Match strongly: lists, *, commas in tags, weak never, malformed 400 (DOC-P.4)', async () => {
        let { id, etag } = await create('if-match');
        const put = (ifMatch: string) =>
          send('PUT', `/v1/file/${id}`, { json: { filename: 'if-match', contents: 'x' }, ifMatch });
        for (const form of [
          (tag: string) => tag,
          (tag: string) => `"a,b" , ,${tag},`,
          () => '*',
          (tag: string) => `W/"x", ${tag}`,
        ]) {
          const answer = await put(form(etag));
          expect(answer.status).toBe(200);
          etag = answer.json.etag;
        }
        for (const value of [`W/${etag}`, '"none"', `"a${etag.slice(1)}`, '""'])
          expectError(await put(value), 412, 'precondition_failed');
        for (const value of [etag.slice(1, -1), `${etag} ${etag}`, '"open', '*, "a"', ',', `w/${etag}`]) {
          expectError(await put(value), 400, 'bad_request');
        }
      });

      it('is patched by merge patch under its ETag (DOC-D.3)', async () => {
        const { id, etag } = await create('patch', 'kept', { a: '1', b: '2' });
        const patch = (json: unknown, ifMatch: string) => send('PATCH', `/v1/file/${id}`, { json, ifMatch });
        expectError(await send('PATCH', `/v1/file/${id}`, { json: {} }), 428, 'precondition_required');
        const one = await patch({ metadata: { a: null, c: '3' } }, etag);
        expect([one.status, one.json.metadata, one.json.filename]).toEqual([
          200,
          { b: '2', c: '3' },
          'patch',
        ]);
        const two = await patch({ filename: 'patched', metadata: null }, '*');
        expect([two.json.metadata, two.json.filename, two.json.version]).toEqual([{}, 'patched', 3]);
        expectError(await patch({ contents: 'x' }, '*'), 422, 'validation_failed');
        expectError(await patch({ filename: 'x' }, etag), 412, 'precondition_failed');
        expect((await send('GET', `/v1/file/${id}`)).json.contents).toBe('kept');
      });

      it('is deleted, with If-Match honoured and not required (DOC-D.4)', async () => {
        const { id } = await create('delete');
        expectError(await send('DELETE', `/v1/file/${id}`, { ifMatch: '"x"' }), 412, 'precondition_failed');
        expect((await send('DELETE', `/v1/file/${id}`, { ifMatch: '*' })).status).toBe(204);
        expectError(await send('DELETE', `/v1/file/${id}`), 404, 'not_found');
        expectError(await send('GET', `/v1/file/${id}`), 404, 'not_found');
        expect((await send('DELETE', `/v1/file/${(await create('delete')).id}`)).status).toBe(204);
      });

      it('is refused for a filename in use, on create, PUT and PATCH (DOC-E.conflict)', async () => {
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

      it('is another owner’s 404, never 403 or 412 (DOC-D.20)', async () => {
        const { id } = await create('mine');
        const stranger = await clientOf(service);
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
          const answer = await stranger.send(method, `/v1/file/${id}${path}`, {
            ...(withBody ? { json } : {}),
            ifMatch: '"stale"',
          });
          expect([method, path, answer.status]).toEqual([method, path, 404]);
        }
      });
    });

    describe('raw contents', () => {
      const allUnicode = () => {
        const parts: string[] = [];
        for (let code = 0; code <= 0x10ffff; code++) {
          if (code >= 0xd800 && code <= 0xdfff) continue;
          const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
          if (isControl && ![9, 10, 12, 13, 0x85].includes(code)) continue;
          parts.push(String.fromCodePoint(code));
        }
        return parts.join('');
      };

      it('round-trips every Unicode character to the byte (DOC-D.5)', async () => {
        const { id } = await create('unicode');
        const text = allUnicode();
        const halves = [text.slice(0, 600_000), text.slice(600_000)];
        for (const half of halves.map((part) => part.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, ''))) {
          const bytes = Buffer.from(half);
          const put = await send('PUT', `/v1/file/${id}/contents`, {
            body: bytes,
            ifMatch: '*',
            headers: { 'Content-Type': 'text/plain; charset=utf-8' },
          });
          expect([put.status, put.text]).toEqual([204, '']);
          const response = await fetch(`${service.base}/v1/file/${id}/contents`, {
            headers: { Authorization: `Bearer ${client.key}` },
          });
          expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes)).toBe(0);
          const digest = createHash('sha256').update(bytes).digest('base64');
          expect(response.headers.get('Repr-Digest')).toBe(`sha-256=:${digest}:`);
          expect(response.headers.get('ETag')).toBe(put.headers.get('ETag'));
          expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
          expect(response.headers.get('Content-Disposition')).toBe("attachment; filename*=UTF-8''unicode");
        }
      });

      it('follows the ETag rules and wants text/plain', async () => {
        const { id, etag } = await create('raw');
        const put = (headers: Record<string, string>, body: string | Buffer<ArrayBuffer> = 'x') =>
          send('PUT', `/v1/file/${id}/contents`, { body, headers });
        const type = { 'Content-Type': 'text/plain' };
        expectError(await put(type), 428, 'precondition_required');
        expectError(await put({ ...type, 'If-Match': '"x"' }), 412, 'precondition_failed');
        expectError(
          await put({ 'Content-Type': 'application/json', 'If-Match': etag }),
          415,
          'unsupported_media_type',
        );
        expectError(await put({ ...type, 'If-Match': etag }, Buffer.from([0xc3, 0x28])), 400, 'bad_request');
        expectError(await put({ ...type, 'If-Match': etag }, '\uFEFFx'), 400, 'bad_request');
        const notModified = await send('GET', `/v1/file/${id}/contents`, {
          headers: { 'If-None-Match': etag },
        });
        expect(notModified.status).toBe(304);
      });

      it('takes exactly 4 MiB, newlines too, and refuses one byte more (DOC-L.2)', async () => {
        const { id } = await create('large');
        const put = (size: number) =>
          send('PUT', `/v1/file/${id}/contents`, {
            body: Buffer.alloc(size, '\n'),
            ifMatch: '*',
            headers: { 'Content-Type': 'text/plain' },
          });
        expect((await put(CONTENTS_BYTES_MAX)).status).toBe(204);
        expectError(await put(CONTENTS_BYTES_MAX + 1), 413, 'payload_too_large');
        expect((await send('GET', `/v1/file/${id}/contents`)).text).toHaveLength(CONTENTS_BYTES_MAX);
      });
    });

    describe('what contents, filenames and metadata may be', () => {
      const post = (json: Record<string, unknown>) => send('POST', '/v1/file', { json });

      it('takes TAB, LF, CR, FF and NEL, and answers 415 for every other control character (DOC-D.15, DOC-E.unsupported_media_type)', async () => {
        for (let code = 0; code < 0xa0; code++) {
          if (code >= 0x20 && code < 0x7f) continue;
          const allowed = [9, 10, 12, 13, 0x85].includes(code);
          const answer = await post({
            filename: `control-${code}`,
            contents: `a${String.fromCharCode(code)}b`,
          });
          if (allowed) expect([code, answer.status]).toEqual([code, 201]);
          else expectError(answer, 415, 'unsupported_media_type');
        }
      });

      it.each([
        ['an empty filename', { filename: '', contents: '' }, 'filename'],
        ['a control character', { filename: 'a\u0001', contents: '' }, 'filename'],
        ['a newline', { filename: 'a\n', contents: '' }, 'filename'],
        ['a segment ..', { filename: 'a/../b', contents: '' }, 'filename'],
        ['a segment .', { filename: './b', contents: '' }, 'filename'],
        ['1,025 bytes', { filename: 'é'.repeat(512) + 'x', contents: '' }, 'filename'],
        ['no filename', { contents: '' }, 'filename'],
        ['a number for contents', { filename: 'a', contents: 1 }, 'contents'],
        ['metadata that are no strings', { filename: 'a', contents: '', metadata: { a: 1 } }, 'metadata.a'],
        [
          'metadata over 16 KiB',
          { filename: 'a', contents: '', metadata: { a: 'x'.repeat(16 * 1024) } },
          'metadata',
        ],
        ['an unknown field', { filename: 'a', contents: '', content: '' }, 'content'],
      ])(
        'answers 422 naming the field for %s (DOC-F.Document.filename, DOC-E.validation_failed)',
        async (_what, json, field) => {
          const answer = await post(json);
          expectError(answer, 422, 'validation_failed');
          expect(Object.keys(answer.json.error.details)).toEqual([field]);
        },
      );

      it('answers 422 for half a surrogate pair', async () => {
        const body = '{"filename":"a","contents":"x\\ud800"}';
        const headers = { 'Content-Type': 'application/json' };
        expectError(await send('POST', '/v1/file', { body, headers }), 422, 'validation_failed');
        expectError(
          await send('POST', '/v1/file', { body: body.replace('"a"', '"\\udfff"'), headers }),
          422,
          'validation_failed',
        );
      });

      it('takes filenames of 1,024 bytes, with slashes, spaces and any script', async () => {
        for (const filename of ['é'.repeat(512), 'a/b/c', '...', ' ', '日本/語.txt', '__proto__']) {
          expect((await post({ filename, contents: '' })).status).toBe(201);
        }
      });

      it('treats __proto__ as the name it is', async () => {
        const body = '{"filename":"proto","contents":"","metadata":{"__proto__":"x"}}';
        const answer = await send('POST', '/v1/file', {
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expect([201, 422]).toContain(answer.status);
        expect(({} as Record<string, unknown>)['x']).toBeUndefined();
        expectError(
          await send('POST', '/v1/file', {
            body: '{"__proto__":{"filename":"a"},"contents":""}',
            headers: { 'Content-Type': 'application/json' },
          }),
          422,
          'validation_failed',
        );
      });
    });

    describe('sizes', () => {
      it('takes a JSON body of exactly 8 MiB and refuses one byte more (DOC-L.1)', async () => {
        const frame = JSON.stringify({ filename: 'eight', contents: '' });
        const pad = (total: number) => `${frame.slice(0, -1)}${' '.repeat(total - frame.length)}}`;
        const headers = { 'Content-Type': 'application/json' };
        expect((await send('POST', '/v1/file', { body: pad(8 * MiB), headers })).status).toBe(201);
        expectError(
          await send('POST', '/v1/file', { body: pad(8 * MiB + 1), headers }),
          413,
          'payload_too_large',
        );
      });

      it('counts contents in UTF-8 bytes: exactly 4 MiB are taken (DOC-L.2, DOC-E.payload_too_large)', async () => {
        const contents = 'é'.repeat(CONTENTS_BYTES_MAX / 2);
        const made = await send('POST', '/v1/file', { json: { filename: 'four', contents } });
        expect([made.status, made.json.size]).toEqual([201, CONTENTS_BYTES_MAX]);
        expectError(
          await send('POST', '/v1/file', { json: { filename: 'more', contents: `${contents}x` } }),
          413,
          'payload_too_large',
        );
      });
    });

    describe('edit', () => {
      it('replaces, inserts and appends under the ETag (DOC-D.6, DOC-E.unprocessable_entity)', async () => {
        let { id, etag } = await create('edit', 'one\ntwo\ntwo\n');
        const edit = async (json: unknown) => {
          const answer = await send('POST', `/v1/file/${id}/edit`, { json, ifMatch: etag });
          if (answer.status === 200) etag = answer.json.etag;
          return answer;
        };
        expectError(
          await send('POST', `/v1/file/${id}/edit`, { json: { append: 'x' } }),
          428,
          'precondition_required',
        );
        expect((await edit({ old_str: 'one', new_str: '$&1' })).json.contents).toBe('$&1\ntwo\ntwo\n');
        expectError(await edit({ old_str: 'two', new_str: 'x' }), 422, 'unprocessable_entity');
        expectError(await edit({ old_str: 'absent', new_str: 'x' }), 422, 'unprocessable_entity');
        expect((await edit({ insert_line: 1, insert_text: 'new' })).json.contents).toBe(
          '$&1\nnew\ntwo\ntwo\n',
        );
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

      it('loses no edit when many append to any version', async () => {
        const { id } = await create('appended', '');
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            send('POST', `/v1/file/${id}/edit`, { json: { append: `${n}\n` }, ifMatch: '*' }),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
        const lines = (await send('GET', `/v1/file/${id}`)).json.contents.trim().split('\n');
        expect(lines.sort()).toEqual(['0', '1', '2', '3', '4', '5']);
      });
    });

    describe('history and merge', () => {
      it('lists versions newest first and reads each (DOC-D.7)', async () => {
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

      it('merges what does not touch, and reports what does without writing (DOC-D.8)', async () => {
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
          { merged: false, conflicts: [{ base: 'a', mine: 'X', current: 'A', base_line: 1 }] },
        ]);
        expect((await send('GET', `/v1/file/${id}`)).json.version).toBe(3);
        expectError(await merge('x', '"unknown"'), 422, 'unprocessable_entity');
        expectError(await merge('x', 'W/"weak"'), 422, 'validation_failed');
      });

      it('gives up on texts that take too long to merge, and answers meanwhile', async () => {
        const { id, etag } = await create('hard', '\n'.repeat(200_000));
        await send('POST', `/v1/file/${id}/edit`, { json: { append: '\n'.repeat(1000) }, ifMatch: etag });
        const merging = send('POST', `/v1/file/${id}/merge`, {
          json: { base_etag: etag, contents: '\n'.repeat(199_000) },
        });
        expect((await send('GET', '/v1/usage')).status).toBe(200);
        const answer = await merging;
        expect([200, 422]).toContain(answer.status);
      });
    });

    describe('keys', () => {
      it('are made with a subset of scopes, shown once, listed, read, rotated and revoked at once (DOC-D.9, DOC-D.19)', async () => {
        const made = await send('POST', '/v1/key', {
          json: { name: 'n', scopes: 'key:manage file:read#prefix=notes/', expires_in_days: 1 },
        });
        expect(made.status).toBe(201);
        const { key, ...rest } = made.json;
        expect(key).toMatch(/^dsk_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
        expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(24 * 3600 * 1000);
        expect((await send('GET', `/v1/key/${rest.id}`)).json).toEqual(rest);
        const listed = await send('GET', '/v1/key');
        expect(listed.json.keys).toContainEqual(rest);
        expect(listed.text).not.toContain(key.split('_')[3]);

        expectError(
          await send('POST', '/v1/key', { key, json: { name: 'x', scopes: 'file:read' } }),
          403,
          'forbidden',
        );
        expectError(
          await send('POST', '/v1/key', {
            key,
            json: { name: 'x', scopes: 'file:read#prefix=notes/', expires_in_days: 2 },
          }),
          403,
          'forbidden',
        );
        const child = await send('POST', '/v1/key', {
          key,
          json: { name: 'x', scopes: 'file:read#prefix=notes/deep/' },
        });
        expect([child.status, child.json.expires_at]).toEqual([201, rest.expires_at]);
        expectError(
          await send('POST', `/v1/key/${listed.json.keys.at(-1).id}/rotate`, { key }),
          403,
          'forbidden',
        );

        const rotated = await send('POST', `/v1/key/${rest.id}/rotate`);
        expect([rotated.status, rotated.json.id]).toEqual([200, rest.id]);
        expectError(await send('GET', '/v1/key', { key }), 401, 'unauthorized');
        expect((await send('GET', '/v1/key', { key: rotated.json.key })).status).toBe(200);
        expect((await send('DELETE', `/v1/key/${rest.id}`)).status).toBe(204);
        expectError(await send('GET', '/v1/key', { key: rotated.json.key }), 401, 'unauthorized');
        expectError(await send('DELETE', `/v1/key/${rest.id}`), 404, 'not_found');
        expectError(await send('GET', `/v1/key/${rest.id}`), 404, 'not_found');
      });

      it('store no secret', async () => {
        const { rows } = await service.deps.database.query('SELECT * FROM api_keys');
        const secret = client.key.split('_')[3]!;
        expect(JSON.stringify(rows)).not.toContain(secret);
        expect(
          Buffer.compare((rows[0] as { secret_hash: Uint8Array }).secret_hash, Buffer.from(secret)),
        ).not.toBe(0);
      });

      it.each([
        '',
        'file:reed',
        'file:read  file:write',
        'file:read#',
        'file:read#prefix=',
        'file:read#prefix=a#b',
        'file:read#prefix=%zz',
        'FILE:READ',
      ])('answers 400 for the scopes `%s` (DOC-A.4)', async (scopes) => {
        expectError(await send('POST', '/v1/key', { json: { name: 'n', scopes } }), 400, 'bad_request');
      });

      it('reach only filenames with their prefix (DOC-A.3, DOC-E.forbidden)', async () => {
        const inside = await create('limited/a', 'needle');
        const outside = await create('elsewhere/a', 'needle');
        const scopes = 'file:read#prefix=limited/ file:write#prefix=limited/ file:delete#prefix=limited/';
        const limited = await clientOf(service, client.owner, scopes);
        expect((await limited.send('GET', `/v1/file/${inside.id}`)).status).toBe(200);
        expectError(await limited.send('GET', `/v1/file/${outside.id}`), 403, 'forbidden');
        expectError(await limited.send('DELETE', `/v1/file/${outside.id}`), 403, 'forbidden');
        const json = { filename: 'elsewhere/b', contents: '' };
        expectError(await limited.send('POST', '/v1/file', { json }), 403, 'forbidden');
        expectError(
          await limited.send('PUT', `/v1/file/${inside.id}`, { json, ifMatch: '*' }),
          403,
          'forbidden',
        );
        expectError(
          await limited.send('PATCH', `/v1/file/${inside.id}`, { json: { filename: 'x' }, ifMatch: '*' }),
          403,
          'forbidden',
        );
        expectError(await limited.send('GET', '/v1/usage'), 403, 'forbidden');
        const found = await limited.send('GET', '/v1/file?mode=substring&query=needle');
        expect(found.json.files.map(({ id }: { id: string }) => id)).toEqual([inside.id]);
      });

      it('of every bad sort get the same 401 with a challenge (DOC-A.1, DOC-A.2, DOC-E.unauthorized)', async () => {
        const expired = await service.keyFor(client.owner, 'file:read', 1e-7);
        await new Promise((resolve) => setTimeout(resolve, 30));
        const last = client.key.at(-1) === 'a' ? 'b' : 'a';
        const bad = [
          expired,
          client.key.slice(0, -1) + last,
          client.key.replace('live', 'test'),
          'dsk_x',
          'eyJ.e30.x',
          client.key.replace(/_.{32}_/, `_${'0'.repeat(32)}_`),
        ];
        const messages = new Set<string>();
        for (const key of bad) {
          const answer = await send('GET', '/v1/file', { key });
          expectError(answer, 401, 'unauthorized');
          expect(answer.headers.get('WWW-Authenticate')).toBe(
            'Bearer realm="docstore", error="invalid_token"',
          );
          messages.add(answer.json.error.message);
        }
        expect(messages.size).toBe(1);
        const none = await send('GET', '/v1/file', { key: null });
        expectError(none, 401, 'unauthorized');
        expect(none.headers.get('WWW-Authenticate')).toBe('Bearer realm="docstore"');
        expectError(
          await send('GET', '/v1/file', { key: null, headers: { Authorization: `Basic ${client.key}` } }),
          401,
          'unauthorized',
        );
      });
    });

    describe('Idempotency-Key', () => {
      const keyed = (key: string) => ({ 'Idempotency-Key': key });

      it('replays the answer, refuses another payload (DOC-D.17)', async () => {
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
        expectError(
          await send('POST', '/v1/file', { json, headers: keyed('has space') }),
          400,
          'bad_request',
        );
      });

      it('keeps nothing of a failure, so the request may be sent again', async () => {
        const { id } = await create('in the way');
        const json = { filename: 'in the way', contents: 'x' };
        expectError(await send('POST', '/v1/file', { json, headers: keyed('k3') }), 409, 'conflict');
        await send('DELETE', `/v1/file/${id}`);
        expect((await send('POST', '/v1/file', { json, headers: keyed('k3') })).status).toBe(201);
      });

      it('lets one of many at once through; the others are told to wait or given its answer', async () => {
        const json = { filename: 'simultaneous', contents: 'x' };
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => send('POST', '/v1/file', { json, headers: keyed('k4') })),
        );
        const made = answers.filter(({ status }) => status === 201);
        expect(made.length).toBeGreaterThanOrEqual(1);
        expect(new Set(made.map((answer) => answer.json.id)).size).toBe(1);
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          expectError(answer, 409, 'conflict');
          expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
        }
      });
    });

    describe('lists', () => {
      let lister: Client;
      beforeAll(async () => {
        lister = await clientOf(service);
        for (let n = 0; n < 7; n++)
          await lister.create(`dir/f${n}.txt`, `word${n} common ${'x'.repeat(n)} Ünïcode`, { n: String(n) });
        await lister.create('100%_a\\b', 'percent 100%_x');
      });
      const list = (query: string) => lister.send('GET', `/v1/file${query}`);
      const names = async (query: string) =>
        ((await list(query)).json.files as { filename: string }[]).map(({ filename }) => filename).sort();

      it('page by cursor, each document once, without contents unless asked (DOC-F.Document.contents)', async () => {
        for (const sort of ['filename', '-filename', 'size', '-size', 'updated_at', '-updated_at']) {
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const page: Answered = await list(
              `?limit=3&sort=${sort}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
            );
            expect(page.status).toBe(200);
            seen.push(...page.json.files.map(({ filename }: { filename: string }) => filename));
            cursor = page.json.next_cursor;
          } while (cursor !== null);
          expect(new Set(seen).size).toBe(8);
          expect(seen).toHaveLength(8);
          if (sort === 'filename') expect(seen).toEqual([...seen].sort());
        }
        const plain = await list('');
        expect(plain.json.files.every((file: object) => !('contents' in file))).toBe(true);
        expect((await list('?fields=contents')).json.files.every((file: object) => 'contents' in file)).toBe(
          true,
        );
      });

      it('find by filename: exact, prefix, suffix, substring and glob, LIKE’s characters being themselves (DOC-D.13)', async () => {
        expect(await names('?filename=dir/f1.txt')).toEqual(['dir/f1.txt']);
        expect(await names('?filename=DIR/F1.TXT&case=insensitive')).toEqual(['dir/f1.txt']);
        expect(await names('?filename=dir/&filename_match=prefix')).toHaveLength(7);
        expect(await names('?filename=3.txt&filename_match=suffix')).toEqual(['dir/f3.txt']);
        expect(await names('?filename=f3&filename_match=substring')).toEqual(['dir/f3.txt']);
        expect(await names('?filename=dir/f[12].*&filename_match=glob')).toEqual([
          'dir/f1.txt',
          'dir/f2.txt',
        ]);
        expect(await names('?filename=*.txt&filename_match=glob')).toEqual([]);
        expect(await names('?filename=**.txt&filename_match=glob')).toHaveLength(7);
        for (const match of ['substring', 'prefix'])
          expect(await names(`?filename=100%25_&filename_match=${match}`)).toEqual(['100%_a\\b']);
        expect(await names('?filename=%25&filename_match=prefix')).toEqual([]);
        expect(await names(`?filename=${encodeURIComponent('a\\b')}&filename_match=suffix`)).toEqual([
          '100%_a\\b',
        ]);
      });

      it('search contents by substring, words and regular expression (DOC-D.12)', async () => {
        expect(await names('?mode=substring&query=word3')).toEqual(['dir/f3.txt']);
        expect(await names('?mode=substring&query=WORD3')).toEqual([]);
        expect(await names('?mode=substring&query=WORD3&case=insensitive')).toEqual(['dir/f3.txt']);
        expect(await names('?mode=substring&query=%C3%9CN%C3%8F&case=insensitive')).toHaveLength(7);
        expect(await names('?mode=substring&query=100%25_')).toEqual(['100%_a\\b']);
        expect(await names('?mode=words&query=common+WORD5')).toEqual(['dir/f5.txt']);
        expect(await names('?mode=words&query=comm')).toEqual([]);
        expect(await names(`?mode=regex&query=${encodeURIComponent('word[24] common')}`)).toEqual([
          'dir/f2.txt',
          'dir/f4.txt',
        ]);
        expect(await names(`?mode=regex&query=${encodeURIComponent('^WORD6\\b')}&case=insensitive`)).toEqual([
          'dir/f6.txt',
        ]);
        expect(await names('?min_size=28&max_size=28')).toHaveLength(1);
      });

      it('answer 400 for what they do not know, 501 for semantic (DOC-E.bad_request, DOC-E.not_implemented)', async () => {
        for (const query of [
          'mode=fuzzy',
          'mode=substring',
          'mode=words&query=%20!',
          'query=x',
          'filename=x&filename_match=regex',
          'case=maybe',
          'limit=0',
          'limit=201',
          'limit=1.5',
          'limit=1&limit=2',
          'sort=name',
          'cursor=x.y',
          'updated_after=yesterday',
          'min_size=-1',
          'fields=all',
          'unknown=1',
          'mode=regex&query=(',
          'mode=regex&query=(a%7B1000%7D)%7B1000%7D',
          'mode=substring&query=%00',
          `mode=substring&query=${'x'.repeat(1025)}`,
        ]) {
          const answer = await list(`?${query}`);
          expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'bad_request']);
        }
        expectError(await list('?mode=semantic&query=x'), 501, 'not_implemented');
      });

      it('bind a cursor to its query and its owner', async () => {
        const { next_cursor } = (await list('?limit=1')).json;
        const cursor = encodeURIComponent(next_cursor);
        expectError(await list(`?limit=1&sort=size&cursor=${cursor}`), 400, 'bad_request');
        expectError(await send('GET', `/v1/file?limit=1&cursor=${cursor}`), 400, 'bad_request');
        expect((await list(`?limit=2&cursor=${cursor}`)).status).toBe(200);
      });
    });

    describe('usage and quotas', () => {
      it('tells what is used and the limits (DOC-D.10)', async () => {
        const fresh = await clientOf(service);
        await fresh.create('a', '12345');
        const { json } = await fresh.send('GET', '/v1/usage');
        expect(json).toEqual({
          documents: { used: 1, limit: service.deps.quota.documentsMax },
          bytes: { used: 5, limit: service.deps.quota.bytesMax },
          requests_per_minute: 1_000_000,
        });
      });
    });

    describe('the rest', () => {
      it('serves the 15 codes, the OpenAPI document and a page, without a key (DOC-D.11)', async () => {
        const { json } = await send('GET', '/v1/errors', { key: null });
        expect(json.errors).toEqual(
          Object.entries(DOCSTORE_CODES).map(([code, rest]) => ({ code, ...rest })),
        );
        expect((await send('GET', '/v1/openapi.json', { key: null })).json.openapi).toBe('3.1.0');
        const page = await send('GET', '/docs/', { key: null });
        expect(page.status).toBe(200);
        expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
        expect(page.text).not.toMatch(/https?:\/\//);
      });

      it('answers unknown URLs and methods with 404, Allow and the envelope (DOC-E.not_found, DOC-P.6)', async () => {
        for (const [method, path] of [
          ['GET', '/'],
          ['GET', '/v2/file'],
          ['GET', '/file'],
          ['GET', '/v1/file/'],
          ['GET', '/V1/file'],
          ['POST', '/v1/nope'],
          ['GET', '/v1/file/%E0%A4%A'],
          ['GET', '/v1/file/x'],
        ] as const) {
          expectError(await send(method, path), 404, 'not_found');
        }
        const method = await send('DELETE', '/v1/file');
        expectError(method, 404, 'not_found');
        expect(method.headers.get('Allow')).toBe('POST, GET, HEAD');
        expect((await send('OPTIONS', '/v1/usage')).headers.get('Allow')).toBe('GET, HEAD');
      });

      it('puts one request id into envelope, header and log (DOC-F.Error.request_id, DOC-F.Error.code, DOC-F.Error.message)', async () => {
        const sent = 'trace-me-123';
        const answer = await send('GET', '/v1/nope', { headers: { 'X-Request-Id': sent } });
        expect([answer.headers.get('X-Request-Id'), answer.json.error.request_id]).toEqual([sent, sent]);
        const line = service.log.find((entry) => entry['request_id'] === sent);
        expect(line).toMatchObject({
          request: { method: 'GET', path: '/v1/nope' },
          response: { status: 404 },
        });
        expect(JSON.stringify(service.log)).not.toContain(client.key);
      });
    });
  });
}
