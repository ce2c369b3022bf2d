import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OTHER_GROUP } from '@platform/service-kit';
import { buildOpenApi } from './openapi.ts';

describe('the OpenAPI document', () => {
  it('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(buildOpenApi())) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('the OpenAPI document names every URL of the contract with its methods', () => {
    const paths = (buildOpenApi() as unknown as { paths: Record<string, object> }).paths;
    const methods = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => /^(get|head|put|post|patch|delete)$/.test(name))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(methods).toEqual(
      expect.arrayContaining([
        'POST /v1/file',
        'GET /v1/file',
        'GET /v1/file/{id}',
        'PUT /v1/file/{id}',
        'PATCH /v1/file/{id}',
        'DELETE /v1/file/{id}',
        'GET /v1/file/{id}/contents',
        'PUT /v1/file/{id}/contents',
        'POST /v1/file/{id}/edit',
        'GET /v1/file/{id}/versions',
        'POST /v1/file/{id}/merge',
        'POST /v1/key',
        'GET /v1/key',
        'GET /v1/key/{id}',
        'DELETE /v1/key/{id}',
        'POST /v1/key/{id}/rotate',
        'GET /v1/usage',
      ]),
    );
  });

  it('the OpenAPI document lists HEAD besides every GET, without bodies, and the errors that any request may meet', () => {
    interface Told {
      readonly security?: unknown;
      readonly responses: Record<string, { readonly content?: unknown }>;
    }
    const { paths } = buildOpenApi() as unknown as { paths: Record<string, Record<string, Told>> };
    for (const [path, item] of Object.entries(paths)) {
      expect([path, 'head' in item]).toEqual([path, 'get' in item]);
      if (item['head'] !== undefined) {
        const { head, get } = item as { head: Told; get: Told };
        // Range has no meaning for HEAD (RFC 9110 §14.2).
        const statuses = Object.keys(get.responses).filter((status) => status !== '206');
        expect(Object.keys(head.responses)).toEqual(statuses);
        expect(Object.values(head.responses).filter(({ content }) => content !== undefined)).toEqual([]);
      }
      for (const { security, responses } of Object.values(item)) {
        const withCredential = security === undefined ? [] : ['401', '403', '429', '503'];
        expect(Object.keys(responses)).toEqual(
          expect.arrayContaining(['400', '408', '431', '500', '501', ...withCredential]),
        );
      }
    }
  });

  interface Told {
    readonly parameters?: { name: string; in: string; schema: { type: string; default?: unknown } }[];
    readonly requestBody?: { content: Record<string, unknown> };
    readonly responses: Record<string, { headers?: Record<string, unknown> }>;
  }
  const pathsTold = () =>
    (buildOpenApi() as unknown as { paths: Record<string, Record<string, Told>> }).paths;

  it.each([
    ['/v1/file', 'post', 201, ['Location', 'Idempotency-Replayed', 'ETag']],
    ['/v1/key', 'post', 201, ['Location', 'Idempotency-Replayed']],
    ['/v1/file/{id}', 'get', 304, ['ETag']],
    ['/v1/file/{id}', 'put', 412, ['ETag']],
    ['/v1/file/{id}', 'put', 200, ['ETag', 'Idempotency-Replayed']],
    ['/v1/file/{id}/contents', 'put', 204, ['ETag', 'Idempotency-Replayed']],
    ['/v1/file/{id}/merge', 'post', 200, ['ETag', 'Idempotency-Replayed']],
    ['/v1/file/{id}', 'get', 200, ['ETag', 'Repr-Digest']],
    ['/v1/file', 'get', 200, []],
    ['/v1/usage', 'get', 503, ['Retry-After']],
    ['/v1/file/{id}', 'delete', 204, []],
    ['/v1/file', 'get', 429, ['Retry-After']],
    ['/v1/file', 'get', 401, ['WWW-Authenticate']],
  ])('the OpenAPI document lists the headers of %s, %s, %d', (path, method, status, headers) => {
    expect(Object.keys(pathsTold()[path]![method]!.responses[status]!.headers ?? {})).toEqual(headers);
  });

  it('the OpenAPI document names both types of a patch, and gives no parameter a default of another type', () => {
    const paths = pathsTold();
    expect(Object.keys(paths['/v1/file/{id}']!['patch']!.requestBody!.content)).toEqual([
      'application/json',
      'application/merge-patch+json',
    ]);
    const numbers = Object.values(paths).flatMap((item) =>
      (item['get']?.parameters ?? []).filter(({ name }) => /^(limit|before|min_size|max_size)$/.test(name)),
    );
    expect(numbers.map(({ schema }) => schema.type)).toEqual(numbers.map(() => 'integer'));
    expect(numbers).toHaveLength(6);
  });

  it('every operation of docstore-api belongs to a group that says what one wants to do', () => {
    covers('PLAT-G.2');
    const { tags } = buildOpenApi() as unknown as { tags: { name: string }[] };
    expect(tags.map(({ name }) => name)).not.toContain(OTHER_GROUP);
    expect(tags.length).toBeGreaterThan(3);
  });

  it('no field in a body of docstore-api has a default, which generated clients would have to send', () => {
    covers('PLAT-G.5');
    const text = JSON.stringify(buildOpenApi(), (key, value: unknown) => (key === 'parameters' ? [] : value));
    expect(text).not.toContain('"default":');
  });
});
