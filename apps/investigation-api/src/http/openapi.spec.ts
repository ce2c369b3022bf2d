import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { INVESTIGATION } from '@platform/error-contracts';
import { OBJECTS } from '@platform/opinion-fusion';
import { Validator } from '@seriousme/openapi-schema-validator';
import { covers } from '@platform/testing/covers';
import { OTHER_GROUP, type UploadLimiter } from '@platform/service-kit';
import { expressRoutes } from '@platform/testing';
import type { HttpDeps } from './http-deps.ts';
import { buildOpenApi } from './openapi.ts';
import { apiRoutes } from './routes.ts';

interface Schema {
  properties: Record<string, { type?: string | string[]; description?: string; enum?: unknown[] }>;
  required?: string[];
}
const document = buildOpenApi();
const schemas = document.components?.schemas as unknown as Record<string, Schema>;
const operation = document.paths?.['/api/v1/investigations/analyze']?.post;

describe('the OpenAPI document', () => {
  it('the OpenAPI document of investigation-api is valid OpenAPI 3.1', async () => {
    covers('INV-P.3');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('every route below /api/v1 is in the OpenAPI document, and every operation of it is served', () => {
    covers('INV-P.3');
    const router = apiRoutes({ config: {} } as HttpDeps, {} as UploadLimiter);
    const documented = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = expressRoutes(router).map((route) => route.replace(' ', ' /api/v1'));
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('the OpenAPI document is of version 0.1.0, all paths under one prefix', () => {
    covers('INV-P.9');
    expect(document.info.version).toBe('0.1.0');
    expect(Object.keys(document.paths ?? {}).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
  });

  it('the OpenAPI document offers either of two security schemes', () => {
    covers('INV-A.1', 'INV-A.2');
    expect(operation?.security).toEqual([{ bearer: [] }, { api_key: [] }]);
    expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(['bearer', 'api_key']);
  });

  it('the OpenAPI document describes every field of the engine, required and nullable as there', () => {
    for (const [name, fields] of Object.entries(OBJECTS)) {
      const schema = schemas[name];
      expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(fields));
      for (const [key, field] of Object.entries(fields)) {
        const published = schema?.properties[key];
        if (field.kind === 'object') {
          const named = JSON.stringify(published);
          expect([key, named.includes(`/${field.of}"`), named.includes('null')]).toEqual([
            key,
            true,
            field.nullable,
          ]);
          continue;
        }
        expect([name, key, published?.description]).toEqual([name, key, field.description]);
        expect([name, key, published?.type?.includes('null') ?? false]).toEqual([name, key, field.nullable]);
        expect([name, key, schema?.required?.includes(key) ?? false]).toEqual([name, key, field.required]);
      }
    }
  });

  it('the OpenAPI document lists no status that the contract lacks, and the README lists the same', () => {
    const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object));
    const listed = [
      ...new Set(
        operations
          .flatMap(({ responses }) => Object.keys((responses ?? {}) as object))
          .filter((code) => code >= '400'),
      ),
    ].sort();
    const contract = new Set(Object.values(INVESTIGATION).map(String));
    expect(listed.filter((status) => !contract.has(status))).toEqual([]);
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('## Errors'), readme.indexOf('## Where things are'));
    const documented = [...section.matchAll(/^\| (\d{3}) /gm)].map(([, status]) => status);
    expect(documented).toEqual(listed);
  });

  it('the OpenAPI document names every schema it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, name] of references) expect(Object.keys(schemas)).toContain(name);
  });

  it('every operation of investigation-api belongs to a group that says what one wants to do', () => {
    covers('PLAT-G.2');
    const { tags } = buildOpenApi() as unknown as { tags: { name: string }[] };
    expect(tags.map(({ name }) => name)).not.toContain(OTHER_GROUP);
    expect(tags.length).toBeGreaterThan(3);
  });

  it('no field in a body of investigation-api has a default, which generated clients would have to send', () => {
    covers('PLAT-G.5');
    const text = JSON.stringify(buildOpenApi(), (key, value: unknown) => (key === 'parameters' ? [] : value));
    expect(text).not.toContain('"default":');
  });

  it('the body that changes a session states no default, because what is left out stays', () => {
    covers('PLAT-G.5');
    expect(JSON.stringify(schemas['UpdateSessionRequest']!.properties['domain'])).not.toContain('default');
    expect(JSON.stringify(schemas['InvestigationInput']!.properties['domain'])).toContain(
      '"x-default":"General"',
    );
  });
});
