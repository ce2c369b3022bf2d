import { describe, expect, it } from '@jest/globals';
import { DOCSTORE_CODES } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { clientOf } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** Usage, and what the service returns without looking at a document. */
export function serviceContract(api: Api): void {
  const { send } = api;

  describe('usage and quotas', () => {
    it('usage returns what is used and the limits', async () => {
      covers('DOC-D.10');
      const fresh = await clientOf(api.service);
      await fresh.create('a', '12345');
      const { json } = await fresh.send('GET', '/v1/usage');
      expect(json).toEqual({
        documents: { used: 1, limit: api.service.deps.quota.documentsMax },
        bytes: { used: 5, limit: api.service.deps.quota.bytesMax },
        requests_per_minute: 1_000_000,
      });
    });
  });

  describe('the rest', () => {
    it('the 15 codes, the OpenAPI document and the page are served without a key', async () => {
      covers('DOC-D.11');
      const { json } = await send('GET', '/v1/errors', { key: null });
      expect(json.errors).toEqual(Object.entries(DOCSTORE_CODES).map(([code, rest]) => ({ code, ...rest })));
      expect((await send('GET', '/v1/openapi.json', { key: null })).json.openapi).toBe('3.1.0');
      const page = await send('GET', '/docs/', { key: null });
      expect(page.status).toBe(200);
      expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
      expect(page.text).not.toMatch(/(src|href)="https?:/);
    });

    it('unknown URLs and methods get 404 or Allow, and the envelope', async () => {
      covers('DOC-E.not_found', 'DOC-P.6');
      for (const [method, path] of [
        ['POST', '/'],
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
      for (const path of ['/v1/usage', '/v1/errors', '/v1/openapi.json'])
        expect((await send('OPTIONS', path)).headers.get('Allow')).toBe('GET, HEAD');
    });

    it('no cache may reuse a response without revalidation, errors included', async () => {
      for (const path of ['/v1/file', '/v1/errors', '/v1/nope', '/v1/file?mode=semantic', '/v1/file?limit=0'])
        expect((await send('GET', path)).headers.get('Cache-Control')).toBe(
          'private, no-cache, no-transform',
        );
    });

    it('every URL refuses a query parameter that it does not know', async () => {
      covers('DOC-E.bad_request');
      const { id, etag } = await api.create('unknown parameter');
      const { json: key } = await send('POST', '/v1/key', { json: { name: 'x', scopes: 'file:read' } });
      const document = { json: { filename: 'unknown parameter', contents: '' }, ifMatch: etag };
      const text = { body: 'x', headers: { 'Content-Type': 'text/plain', 'If-Match': etag } };
      for (const [method, path, options] of [
        ['GET', '/v1/file'],
        ['POST', '/v1/file', { json: { filename: 'never made', contents: '' } }],
        ['GET', `/v1/file/${id}`],
        ['HEAD', `/v1/file/${id}`],
        ['PUT', `/v1/file/${id}`, document],
        ['PATCH', `/v1/file/${id}`, { json: {}, ifMatch: etag }],
        ['GET', `/v1/file/${id}/contents`],
        ['PUT', `/v1/file/${id}/contents`, text],
        ['POST', `/v1/file/${id}/edit`, { json: { append: 'x' }, ifMatch: etag }],
        ['POST', `/v1/file/${id}/merge`, { json: { base_etag: etag, contents: '' } }],
        ['GET', `/v1/file/${id}/versions`],
        ['GET', `/v1/file/${id}/versions/1`],
        ['DELETE', `/v1/file/${id}`],
        ['GET', '/v1/key'],
        ['POST', '/v1/key', { json: { name: 'x', scopes: 'file:read' } }],
        ['GET', `/v1/key/${key.id}`],
        ['POST', `/v1/key/${key.id}/rotate`],
        ['DELETE', `/v1/key/${key.id}`],
        ['GET', '/v1/usage'],
        ['GET', '/v1/errors'],
        ['GET', '/v1/openapi.json'],
      ] as const) {
        const response = await send(method, `${path}?dry_run=true`, options);
        expect([method, path, response.status]).toEqual([method, path, 400]);
        if (method === 'HEAD') continue;
        expectError(response, 400, 'bad_request');
        expect(response.json.error.message).toBe('query parameter `dry_run`: is not known');
      }
      expect((await send('GET', `/v1/file/${id}?`)).json.etag).toBe(etag);
      expect((await send('GET', `/v1/key/${key.id}`)).status).toBe(200);
    });

    it('a validation error says for each field what to send instead', async () => {
      covers('DOC-E.bad_request', 'DOC-E.validation_failed');
      const { id, etag } = await api.create('words of problems');
      const said = async (path: string) => {
        const response = await send('GET', path);
        expectError(response, 400, 'bad_request');
        return response.json.error.message as string;
      };
      expect(await said('/v1/file?updated_after=2026-01-31')).toContain(
        '`updated_after`: must be a date and time',
      );
      expect(await said('/v1/file?filename=%FF')).toBe(
        'query parameter `filename` is not UTF-8, percent-encoded',
      );
      expect(await said(`/v1/file/${id}/versions?before=x`)).toBe(
        'query parameter `before`: must be a whole number',
      );
      expect(await said(`/v1/file/${id}/versions?limit=x`)).toBe(
        'query parameter `limit`: must be a whole number',
      );
      expect((await send('GET', '/v1/file?filename=%EF%BF%BD')).status).toBe(200);
      const patched = await send('PATCH', `/v1/file/${id}`, { json: { metadata: { a: 5 } }, ifMatch: etag });
      expect(patched.json.error.details).toEqual({ 'metadata.a': 'must be a string' });
      const minted = await send('POST', '/v1/key', {
        json: { name: 'x', scopes: 'file:read', expires_in_days: 0 },
      });
      expect(minted.json.error.details).toEqual({ expires_in_days: 'must be more than 0' });
      const excluded = await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'words of problems', contents: '' },
        ifMatch: etag,
        headers: { 'If-None-Match': '*' },
      });
      expectError(excluded, 412, 'precondition_failed');
      expect(excluded.json.error.message).toContain('If-None-Match');
    });

    it('one request id stands in envelope, header and log', async () => {
      covers('DOC-F.Error.request_id', 'DOC-F.Error.code', 'DOC-F.Error.message');
      const sent = 'trace-me-123';
      const response = await send('GET', '/v1/nope', { headers: { 'X-Request-Id': sent } });
      expect([response.headers.get('X-Request-Id'), response.json.error.request_id]).toEqual([sent, sent]);
      const line = api.service.log.find((entry) => entry['request_id'] === sent);
      expect(line).toMatchObject({
        request: { method: 'GET', path: '/v1/nope' },
        response: { status: 404 },
      });
      expect(JSON.stringify(api.service.log)).not.toContain(api.client.key);
    });
  });
}
