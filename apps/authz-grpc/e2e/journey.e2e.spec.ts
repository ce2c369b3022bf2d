import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Stores, type Tenancy } from './service.fixture.ts';

describe.each<Stores>(['embedded', 'postgres and redis'])('the first hour of a tenant on %s', (stores) => {
  const fleet = useFleet(stores);
  const { clients } = fleet;
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(clients);
  });

  const check = (values: Record<string, string | string[]>, token = tenancy.token) =>
    clients.authorization.checkAuthorization({ context: requestContext(values) }, { token });

  it('a new tenant has its root domain and two policies', async () => {
    covers('AUTHZ-B.3');
    const root = await clients.domains.getDomainByName(
      { tenantId: tenancy.tenantId, name: 'root' },
      { token: tenancy.token },
    );
    expect(root.policies.map(({ name }) => name)).toEqual(['starter', 'root-access']);
    expect(root.policies[0]?.statements[0]?.rules).toEqual(new Map([['subject', tenancy.userId]]));
    const { users } = await clients.tenants.getTenantAssociations(
      { tenantId: tenancy.tenantId },
      { token: tenancy.token },
    );
    expect(users.map(({ id }) => id)).toEqual([tenancy.userId]);
  });

  it('a new tenant is allowed by policy, denied by policy and by default, and finds every decision recorded', async () => {
    covers('AUTHZ-C5.1');
    const { tenantId, token } = tenancy;
    const domain = await clients.domains.createDomain(
      { tenantId, name: 'docs', superiorDomainIds: [] },
      { token },
    );
    const policies = [
      policy(
        'readers',
        { action: 'read', object: `svc://${domain.id}/public/` },
        { engine: EvaluationEngine.PREFIX },
      ),
      policy('no-secrets', { object: `svc://${domain.id}/public/secret` }, { deny: true }),
    ];
    await clients.domains.putDomainPolicies({ tenantId, domainId: domain.id, policies }, { token });
    const ask = (path: string) =>
      check({ subject: 'alice', action: 'read', object: `svc://${domain.id}/${path}` });
    let checkId: unknown;
    const { authorized } = await clients.authorization.checkAuthorization(
      {
        context: requestContext({ subject: 'alice', action: 'read', object: `svc://${domain.id}/public/a` }),
      },
      { token, onTrailer: (trailer) => ([checkId] = trailer.get('x-check-id')) },
    );
    expect(authorized).toBe(true);
    expect((await ask('public/secret')).authorized).toBe(false);
    expect((await ask('private')).authorized).toBe(false);
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId, limit: 10, cursor: '', kind: AuditKind.CHECK },
      { token },
    );
    expect(events.map(({ decision, matchedPolicy }) => [decision, matchedPolicy])).toEqual([
      [false, ''],
      [false, 'no-secrets'],
      [true, 'readers'],
    ]);
    expect(checkId).toBe(events[2]?.id);

    const explained = await clients.authorization.explainAuthorization(
      {
        context: requestContext({
          subject: 'alice',
          action: 'read',
          object: `svc://${tenancy.rootDomainId}/x`,
        }),
      },
      { token },
    );
    expect(explained.authorized).toBe(false);
    expect(explained.policies.map(({ policyName, matched }) => [policyName, matched])).toEqual([
      ['starter', false],
      ['root-access', false],
    ]);
  });

  it('a deleted API key is refused from the next call on', async () => {
    covers('AUTHZ-P.DeleteApiKey');
    const { apiKey, keyId } = await clients.apiKeys.createApiKey(
      { userId: tenancy.userId },
      { token: tenancy.token },
    );
    const values = { subject: tenancy.userId, action: 'x', object: `svc://${tenancy.rootDomainId}/x` };
    expect((await check(values, apiKey)).authorized).toBe(true);
    await clients.apiKeys.deleteApiKey({ userId: tenancy.userId, keyId }, { token: tenancy.token });
    expect(await refusalOf(check(values, apiKey))).toMatchObject({ code: 16, reason: 'TOKEN_INVALID' });
  });

  it('REST checks return the same decision as gRPC checks', async () => {
    covers('AUTHZ-P.1');
    const post = (body: unknown, token: string | null = tenancy.token) =>
      fetch(`${fleet.httpUrl}/v1/authz/check`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    const values = { subject: tenancy.userId, action: 'x', object: `svc://${tenancy.rootDomainId}/x` };
    const response = await post({ context: values });
    expect([response.status, await response.json()]).toEqual([200, { allowed: true }]);
    expect(response.headers.get('x-check-id')).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await post({ context: values }, null);
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: 'unauthorized', message: 'missing, invalid, expired or revoked token' },
    ]);
    const plain = await post({ context: values }, tenancy.plainToken);
    expect([plain.status, ((await plain.json()) as { error: string }).error]).toEqual([403, 'forbidden']);
    const bad = await post({ context: { ...values, subject: 7 } });
    expect([bad.status, ((await bad.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });
});
