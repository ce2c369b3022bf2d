import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OTHER_GROUP } from '@platform/service-kit';
import { buildOpenApi } from './openapi.ts';

describe('the OpenAPI document of authz-grpc', () => {
  it('the OpenAPI document of authz-grpc is valid OpenAPI 3.1', async () => {
    covers('PLAT-G.1');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(buildOpenApi())) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
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
