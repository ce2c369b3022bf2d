import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createUploadLimiter, OTHER_GROUP } from '@platform/service-kit';
import { expressRoutes } from '@platform/testing';
import { CONFIG } from '../config.ts';
import { createAccess } from './access.ts';
import { CHECK_PATHS } from './check.ts';
import { buildOpenApi } from './openapi.ts';
import { createRoutes } from './routes.ts';

describe('the OpenAPI document of authz-grpc', () => {
  it('the OpenAPI document of authz-grpc is valid OpenAPI 3.1', async () => {
    covers('PLAT-G.1');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(buildOpenApi())) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('every route of authz-grpc is in its OpenAPI document, but the documentation and what OAuth describes itself', async () => {
    covers('PLAT-G.1');
    const deps = {
      config: await CONFIG.load({ AUTHZ_OAUTH_RESOURCES: 'https://investigations.example/mcp' }),
      logger: { child: () => undefined },
      tracing: {},
      metrics: { middleware: () => undefined, countRefusals: () => undefined },
      readiness: { onChange: () => undefined },
    } as unknown as Parameters<typeof createRoutes>[0];
    const uploads = createUploadLimiter({ roomBytes: 1, bodyBytesMax: 1 });
    const app = createRoutes(deps, createAccess(deps.config), uploads);
    const documented = Object.entries(buildOpenApi().paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const pages = ['GET /', 'GET /openapi.json'];
    const served = [...CHECK_PATHS.map((path) => `POST ${path}`), ...expressRoutes(app.router)];
    expect(documented.toSorted()).toEqual(served.filter((route) => !pages.includes(route)).toSorted());
  });

  it('every operation of authz-grpc belongs to a group that says what one wants to do', () => {
    covers('PLAT-G.2');
    const { tags } = buildOpenApi() as unknown as { tags: { name: string }[] };
    expect(tags.map(({ name }) => name)).not.toContain(OTHER_GROUP);
    expect(tags.length).toBeGreaterThan(3);
  });

  it('bodies of AuthZEN are described with the fields that are read', () => {
    const text = JSON.stringify(buildOpenApi().paths['/access/v1/evaluation']);
    expect(text).toContain('"properties":{"type":"object"');
  });

  it('no field in a body of authz-grpc has a default, which generated clients would have to send', () => {
    covers('PLAT-G.5');
    const text = JSON.stringify(buildOpenApi(), (key, value: unknown) => (key === 'parameters' ? [] : value));
    expect(text).not.toContain('"default":');
  });
});
