import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

const suite = readConformanceSuite<{
  policies: { name: string; statements: { rules: Record<string, string> }[] }[];
  todo: { id: string; context: Record<string, string | string[]>; expected: boolean }[];
}>('authzen.json');

const fleet = useFleet('postgres');
let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await createTenancy(fleet.clients);
});

describe('the AuthZEN interop scenario', () => {
  it('the AuthZEN interop scenario gets the decisions that its vendors agreed on', async () => {
    covers('AUTHZ-Z.1');
    const { tenantId, rootDomainId, token, userId } = tenancy;
    await fleet.clients.domains.putDomainPolicies(
      {
        tenantId,
        domainId: rootDomainId,
        policies: [
          policy('starter', { subject: userId }),
          ...suite.policies.map(({ name, statements }) =>
            policy(
              name,
              {},
              { statements: statements.map(({ rules }) => ({ rules: new Map(Object.entries(rules)) })) },
            ),
          ),
        ],
      },
      { token },
    );
    const wrong: string[] = [];
    for (const { id, context, expected } of suite.todo) {
      const object = (context['object'] as string).replace(/^svc:\/\/[0-9a-f-]{36}/, `svc://${rootDomainId}`);
      const response = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ context: { ...context, object } }),
      });
      const { allowed } = (await response.json()) as { allowed: boolean };
      if (allowed !== expected) wrong.push(id);
    }
    expect(suite.todo.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});
