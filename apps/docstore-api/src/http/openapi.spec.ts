import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from './openapi.ts';

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(buildOpenApi())) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('names every URL of the decisions page with its methods', () => {
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
});
