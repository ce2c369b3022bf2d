import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { CONTENTS_BYTES_MAX, MiB } from '../../rules/limits.ts';
import { expectError, type Api } from './api.ts';

/** Contents as they are, and what contents, filenames and metadata may be. */
export function contentsContract(api: Api): void {
  const { send, create } = api;

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

    it('round-trips every Unicode character to the byte', async () => {
      covers('DOC-D.5');
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
        const response = await fetch(`${api.service.base}/v1/file/${id}/contents`, {
          headers: { Authorization: `Bearer ${api.client.key}` },
        });
        expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes)).toBe(0);
        const digest = createHash('sha256').update(bytes).digest('base64');
        expect(response.headers.get('Repr-Digest')).toBe(`sha-256=:${digest}:`);
        expect(response.headers.get('ETag')).toBe(put.headers.get('ETag'));
        expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
        expect(response.headers.get('Content-Disposition')).toBe("attachment; filename*=UTF-8''unicode");
      }
    });

    it('raw contents follow the ETag rules and require text/plain', async () => {
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
      expectError(
        await put({ 'Content-Type': 'text/plain; charset=latin1', 'If-Match': etag }),
        415,
        'unsupported_media_type',
      );
      const notModified = await send('GET', `/v1/file/${id}/contents`, {
        headers: { 'If-None-Match': etag },
      });
      expect(notModified.status).toBe(304);
    });

    it('raw contents accept any parameter of the media type besides another charset (RFC 9110 §8.3.1)', async () => {
      const { id } = await create('parameters');
      for (const parameters of [
        '; charset="UTF-8"; format=flowed',
        ';format=flowed',
        ' ; Charset=utf-8',
        ';',
      ]) {
        const headers = { 'Content-Type': `Text/Plain${parameters}` };
        const put = await send('PUT', `/v1/file/${id}/contents`, { body: 'x', ifMatch: '*', headers });
        expect([parameters, put.status]).toEqual([parameters, 204]);
      }
    });

    it('raw contents accept exactly 4 MiB, newlines included, and refuse one byte more', async () => {
      covers('DOC-L.2');
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

    it('contents accept TAB, LF, CR, FF and NEL, and get 415 for every other control character', async () => {
      covers('DOC-D.15', 'DOC-E.unsupported_media_type');
      for (let code = 0; code < 0xa0; code++) {
        if (code >= 0x20 && code < 0x7f) continue;
        const allowed = [9, 10, 12, 13, 0x85].includes(code);
        const response = await post({
          filename: `control-${code}`,
          contents: `a${String.fromCharCode(code)}b`,
        });
        if (allowed) expect([code, response.status]).toEqual([code, 201]);
        else expectError(response, 415, 'unsupported_media_type');
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
      ['metadata that are not strings', { filename: 'a', contents: '', metadata: { a: 1 } }, 'metadata.a'],
      [
        'metadata over 16 KiB',
        { filename: 'a', contents: '', metadata: { a: 'x'.repeat(16 * 1024) } },
        'metadata',
      ],
      ['an unknown field', { filename: 'a', contents: '', content: '' }, 'content'],
    ])('a text that is %s gets 422 naming the field', async (_what, json, field) => {
      covers('DOC-F.Document.filename', 'DOC-E.validation_failed');
      const response = await post(json);
      expectError(response, 422, 'validation_failed');
      expect(Object.keys(response.json.error.details)).toEqual([field]);
    });

    it('half a surrogate pair gets 422', async () => {
      const body = '{"filename":"a","contents":"x\\ud800"}';
      const headers = { 'Content-Type': 'application/json' };
      expectError(await send('POST', '/v1/file', { body, headers }), 422, 'validation_failed');
      expectError(
        await send('POST', '/v1/file', { body: body.replace('"a"', '"\\udfff"'), headers }),
        422,
        'validation_failed',
      );
    });

    it('filenames accept 1,024 bytes, with slashes, spaces and any script', async () => {
      for (const filename of ['é'.repeat(512), 'a/b/c', '...', ' ', '日本/語.txt', '__proto__']) {
        expect((await post({ filename, contents: '' })).status).toBe(201);
      }
    });

    it('__proto__ is an ordinary name', async () => {
      const body = '{"filename":"proto","contents":"","metadata":{"__proto__":"x"}}';
      const response = await send('POST', '/v1/file', {
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([201, 422]).toContain(response.status);
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
    it('a JSON body may have exactly 8 MiB and not one byte more', async () => {
      covers('DOC-L.1');
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

    it('contents may have exactly 4 MiB counted in UTF-8 bytes', async () => {
      covers('DOC-L.2', 'DOC-E.payload_too_large');
      const contents = 'é'.repeat(CONTENTS_BYTES_MAX / 2);
      const made = await send('POST', '/v1/file', { json: { filename: 'four', contents } });
      expect([made.status, made.json.size]).toEqual([201, CONTENTS_BYTES_MAX]);
      expectError(
        await send('POST', '/v1/file', { json: { filename: 'more', contents: `${contents}x` } }),
        413,
        'payload_too_large',
      );
    });

    it('contents are read in byte ranges, and whole for a range that is malformed', async () => {
      covers('DOC-D.37');
      const { id, etag } = await create('ranged', 'é123456789');
      const read = (headers: Record<string, string>) => send('GET', `/v1/file/${id}/contents`, { headers });
      for (const [range, text, of] of [
        ['bytes=2-4', '123', 'bytes 2-4/11'],
        ['bytes=8-', '789', 'bytes 8-10/11'],
        ['bytes=-2', '89', 'bytes 9-10/11'],
        ['bytes=9-99', '89', 'bytes 9-10/11'],
      ] as const) {
        const part = await read({ Range: range });
        expect([part.status, part.text, part.headers.get('Content-Range')]).toEqual([206, text, of]);
      }
      expect((await read({ Range: 'bytes=0-1', 'If-Range': etag })).text).toBe('é');
      for (const headers of [
        { Range: 'bytes=0-1', 'If-Range': '"other"' },
        { Range: 'bytes=4-2' },
        { Range: 'bytes=0-1,3-4' },
        { Range: 'lines=1-2' },
      ] as Record<string, string>[]) {
        const whole = await read(headers);
        expect([whole.status, whole.text]).toEqual([200, 'é123456789']);
      }
    });

    it('contents are refused in a range that has none of their bytes, with their length (RFC 9110 §15.5.17)', async () => {
      covers('DOC-D.37');
      const { id, etag } = await create('ranged-past', '0123456789');
      const read = (path: string, headers: Record<string, string>) =>
        send('GET', `/v1/file/${path}/contents`, { headers });
      for (const range of [
        'bytes=20-',
        'bytes=99999999999999999999-',
        'BYTES=10-',
        'bytes=10-',
        'bytes=10-12',
        'bytes=-0',
      ]) {
        const refused = await read(id, { Range: range });
        expectError(refused, 416, 'bad_request');
        expect(refused.headers.get('Content-Range')).toBe('bytes */10');
        const matching = await read(id, { Range: range, 'If-Range': etag });
        expect(matching.status).toBe(416);
        const other = await read(id, { Range: range, 'If-Range': '"other"' });
        expect([other.status, other.text]).toEqual([200, '0123456789']);
      }
      const empty = await create('ranged-empty', '');
      expect((await read(empty.id, { Range: 'bytes=0-' })).headers.get('Content-Range')).toBe('bytes */0');
      expect((await read(empty.id, { Range: 'bytes=-5' })).status).toBe(200);
    });
  });
}
