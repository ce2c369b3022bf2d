import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine, Policy, RequestValue } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, rootToken, type Tenancy } from './service.fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * What the contract says about tenants, domains, policies and checks, operation by operation and field by
 * field.
 */
describe('tenants, domains and checks', () => {
  let now = Date.now();
  const fleet = useFleet('postgres', {
    now: () => new Date(now),
    env: { AUTHZ_QUOTA_CONTROL_PLANE: '1000', AUTHZ_QUOTA_DATA_PLANE: '100' },
  });
  const { clients } = fleet;
  let root: string;
  beforeAll(async () => {
    root = await rootToken(clients);
  });

  const ask = async (tenancy: Tenancy, values: Record<string, string | string[]>) =>
    (
      await clients.authorization.checkAuthorization(
        { context: requestContext(values) },
        { token: tenancy.token },
      )
    ).authorized;
  const makeDomain = ({ tenantId, token }: Tenancy, superiorDomainIds: string[] = []) =>
    clients.domains.createDomain({ tenantId, name: `d-${randomUUID()}`, superiorDomainIds }, { token });
  const put = ({ tenantId, token }: Tenancy, domainId: string, policies: Policy[]) =>
    clients.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });

  it('any authenticated user creates a tenant, and gets it whole', async () => {
    covers(
      'AUTHZ-B.6',
      'AUTHZ-A.5',
      'AUTHZ-P.CreateTenant',
      'AUTHZ-F.Tenant.id',
      'AUTHZ-F.Tenant.name',
      'AUTHZ-F.Tenant.description',
      'AUTHZ-F.Tenant.active',
      'AUTHZ-F.Tenant.control_plane',
      'AUTHZ-F.Tenant.data_plane',
      'AUTHZ-F.Tenant.last_token_reset',
      'AUTHZ-F.Tenant.subscription',
      'AUTHZ-F.Tenant.domains',
      'AUTHZ-F.Tokens.max_tokens',
      'AUTHZ-F.Tokens.max_overage',
    );
    const { plainToken } = await createUserAndLogin(clients);
    const request = { name: `t-${randomUUID()}`, description: 'what it is for' };
    expect(await refusalOf(clients.tenants.createTenant(request))).toMatchObject({ code: 16 });
    const tenant = await clients.tenants.createTenant(request, { token: plainToken });
    expect(tenant).toEqual({
      id: expect.stringMatching(UUID),
      ...request,
      active: true,
      controlPlane: { maxTokens: 1_000n, tokens: 1_000n, maxOverage: 100n, overage: 0n },
      dataPlane: { maxTokens: 100n, tokens: 100n, maxOverage: 10n, overage: 0n },
      lastTokenReset: expect.any(Date),
      subscription: '',
      version: 1n,
      domains: [expect.objectContaining({ name: 'root', tenantId: tenant.id })],
    });
    const again = clients.tenants.createTenant(request, { token: root });
    expect(await refusalOf(again)).toMatchObject({ code: 6, reason: 'NAME_TAKEN' });
  });

  it('the bootstrap associates the creator and grants them and the system root everything', async () => {
    covers('AUTHZ-B.2', 'AUTHZ-B.4', 'AUTHZ-B.5');
    const tenancy = await createTenancy(clients);
    const { tenantId, userId, rootDomainId, token } = tenancy;
    expect(await clients.tenants.getTenantUserAssociation({ tenantId, userId }, { token })).toEqual({
      isAssociated: true,
    });
    const { userId: rootId } = await clients.users
      .getUserByName({ username: 'root' }, { token: root })
      .then(({ id }) => ({ userId: id }));
    const below = await makeDomain(tenancy, [rootDomainId]);
    for (const subject of [userId, rootId]) {
      for (const domainId of [rootDomainId, below.id]) {
        const object = `svc://${domainId}/${randomUUID()}`;
        expect(await ask(tenancy, { subject, action: randomUUID(), object })).toBe(true);
      }
    }
    const stranger = { subject: randomUUID(), action: 'read', object: `svc://${rootDomainId}/x` };
    expect(await ask(tenancy, stranger)).toBe(false);
    // Administrative access: the system root, who is no member, manages the tenant.
    expect((await clients.domains.listDomains({ tenantId }, { token: root })).domains).toHaveLength(2);
  });

  it('tenants are read by id and name, updated under their own id, listed and deleted', async () => {
    covers(
      'AUTHZ-P.GetTenant',
      'AUTHZ-P.GetTenantByName',
      'AUTHZ-P.UpdateTenant',
      'AUTHZ-P.ListTenants',
      'AUTHZ-P.DeleteTenant',
    );
    const { tenantId: id, tenantName: name, token } = await createTenancy(clients);
    const tenant = await clients.tenants.getTenant({ id }, { token });
    expect(tenant).toMatchObject({ id, name });
    expect(await clients.tenants.getTenantByName({ name }, { token })).toMatchObject({ id, name });

    const changed = { ...tenant, name: `renamed-${randomUUID()}`, description: 'other' };
    expect(await clients.tenants.updateTenant({ id, tenant: changed }, { token })).toEqual({});
    expect(await clients.tenants.getTenant({ id }, { token })).toMatchObject({
      name: changed.name,
      description: 'other',
    });
    const mismatched = clients.tenants.updateTenant({ id: randomUUID(), tenant: changed }, { token });
    expect(await refusalOf(mismatched)).toMatchObject({ code: 3, reason: 'ID_MISMATCH' });

    const listed = async () => (await clients.tenants.listTenants({}, { token: root })).tenants;
    expect((await listed()).map((one) => one.id)).toContain(id);
    expect((await clients.tenants.listTenants({}, { token })).tenants.map((one) => one.id)).toEqual([id]);
    expect(await clients.tenants.deleteTenant({ id }, { token })).toEqual({});
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect(await refusalOf(clients.tenants.getTenant({ id }, { token: root }))).toMatchObject({
      reason: 'TENANT_NOT_FOUND',
    });
  });

  it('a tenant goes with all that is its own, domains that name one another included', async () => {
    covers('AUTHZ-S.12');
    const tenancy = await createTenancy(clients);
    const { tenantId, rootDomainId, token, userId } = tenancy;
    const above = await makeDomain(tenancy, [rootDomainId]);
    const below = await makeDomain(tenancy, [above.id, rootDomainId]);
    const attribute = { userId, attributeKey: 'group', attributeValues: ['red'] };
    await clients.attributes.setUserAttribute(attribute, { token });
    const { serviceAccountId } = await clients.serviceAccounts.createServiceAccount(
      { name: 'robot', description: '', tenantId },
      { token },
    );
    expect(await clients.tenants.deleteTenant({ id: tenantId }, { token })).toEqual({});
    for (const domainId of [rootDomainId, above.id, below.id]) {
      const domain = clients.domains.getDomain({ tenantId, domainId }, { token: root });
      expect(await refusalOf(domain)).toMatchObject({ reason: 'DOMAIN_NOT_FOUND' });
    }
    const account = clients.serviceAccounts.getServiceAccount({ id: serviceAccountId }, { token: root });
    expect(await refusalOf(account)).toMatchObject({ reason: 'SERVICE_ACCOUNT_NOT_FOUND' });
  });

  it('users are associated with a tenant and no longer', async () => {
    covers(
      'AUTHZ-S.10',
      'AUTHZ-P.GetTenantAssociations',
      'AUTHZ-P.GetTenantUserAssociation',
      'AUTHZ-P.CreateTenantUserAssociation',
      'AUTHZ-P.DeleteTenantUserAssociation',
    );
    const { tenantId, userId, token } = await createTenancy(clients);
    const member = await createUserAndLogin(clients);
    const pair = { tenantId, userId: member.userId };
    const isAssociated = async () =>
      (await clients.tenants.getTenantUserAssociation(pair, { token })).isAssociated;
    const members = async () =>
      (await clients.tenants.getTenantAssociations({ tenantId }, { token })).users.map(({ id }) => id).sort();
    expect([await isAssociated(), await members()]).toEqual([false, [userId]]);
    expect(await clients.tenants.createTenantUserAssociation(pair, { token })).toEqual({});
    expect([await isAssociated(), await members()]).toEqual([true, [userId, member.userId].sort()]);
    expect(await clients.tenants.deleteTenantUserAssociation(pair, { token })).toEqual({});
    expect([await isAssociated(), await members()]).toEqual([false, [userId]]);
  });

  it('domains are created, read by id and name, updated and deleted', async () => {
    covers(
      'AUTHZ-P.CreateDomain',
      'AUTHZ-P.GetDomain',
      'AUTHZ-P.GetDomainByName',
      'AUTHZ-P.UpdateDomain',
      'AUTHZ-P.DeleteDomain',
      'AUTHZ-F.Domain.id',
      'AUTHZ-F.Domain.name',
      'AUTHZ-F.Domain.tenant_id',
      'AUTHZ-F.Domain.active',
      'AUTHZ-F.Domain.superior_domain_ids',
      'AUTHZ-F.Domain.policies',
    );
    const tenancy = await createTenancy(clients);
    const { tenantId, token, rootDomainId } = tenancy;
    const name = `d-${randomUUID()}`;
    const request = { tenantId, name, superiorDomainIds: [rootDomainId] };
    const domain = await clients.domains.createDomain(request, { token });
    expect(domain).toEqual({
      id: expect.stringMatching(UUID),
      name,
      tenantId,
      active: true,
      superiorDomainIds: [rootDomainId],
      policies: [],
      version: 1n,
      detached: false,
    });
    expect(await refusalOf(clients.domains.createDomain(request, { token }))).toMatchObject({
      code: 6,
      reason: 'NAME_TAKEN',
    });
    const other = await createTenancy(clients);
    const elsewhere = { tenantId: other.tenantId, name, superiorDomainIds: [] };
    expect((await clients.domains.createDomain(elsewhere, { token: other.token })).name).toBe(name);

    const policies = [policy('p', { subject: 'a' })];
    await put(tenancy, domain.id, policies);
    const found = { ...domain, policies, version: 2n };
    expect(await clients.domains.getDomain({ tenantId, domainId: domain.id }, { token })).toEqual(found);
    expect(await clients.domains.getDomainByName({ tenantId, name }, { token })).toEqual(found);

    const changed = { ...found, name: `e-${randomUUID()}`, superiorDomainIds: [], active: false };
    const superiors = { ids: [] };
    expect(
      await clients.domains.updateDomain({ tenantId, domain: { ...changed, superiors } }, { token }),
    ).toEqual({});
    const updated = await clients.domains.getDomain({ tenantId, domainId: domain.id }, { token });
    expect({ ...updated, version: 0n }).toEqual({ ...changed, version: 0n });

    const above = await makeDomain(tenancy);
    const below = await makeDomain(tenancy, [above.id]);
    const remove = (domainId: string) => clients.domains.deleteDomain({ tenantId, domainId }, { token });
    expect(await refusalOf(remove(above.id))).toMatchObject({ code: 9, reason: 'DEPENDENTS_EXIST' });
    expect([await remove(below.id), await remove(above.id)]).toEqual([{}, {}]);
    const gone = clients.domains.getDomain({ tenantId, domainId: above.id }, { token });
    expect(await refusalOf(gone)).toMatchObject({ code: 5, reason: 'DOMAIN_NOT_FOUND' });
  });

  it('policies come back as they were put, whole, invert and deny false unless given', async () => {
    covers(
      'AUTHZ-P.GetDomainPolicies',
      'AUTHZ-F.Policy.description',
      'AUTHZ-F.Policy.invert',
      'AUTHZ-F.Policy.deny',
      'AUTHZ-F.Policy.engine',
      'AUTHZ-F.Policy.statements',
    );
    const tenancy = await createTenancy(clients);
    const { tenantId, token } = tenancy;
    const { id: domainId } = await makeDomain(tenancy);
    const full = policy(
      'full',
      {},
      {
        description: 'why',
        invert: true,
        deny: true,
        engine: EvaluationEngine.GLOB,
        statements: [
          { rules: new Map([['subject', 'a*']]) },
          {
            rules: new Map([
              ['ip_address', '10.0.?.*'],
              ['any other key', '**'],
            ]),
          },
        ],
      },
    );
    const bare = Policy.fromPartial({
      name: 'bare',
      engine: EvaluationEngine.PREFIX,
      statements: [{ rules: new Map([['time', '2026-']]) }],
    });
    await put(tenancy, domainId, [full, bare]);
    expect(await clients.domains.getDomainPolicies({ tenantId, domainId }, { token })).toEqual({
      policies: [full, { ...bare, description: '', invert: false, deny: false }],
      version: 2n,
    });
  });

  it('a policy name stands once in a domain, and again in another', async () => {
    covers('AUTHZ-F.Policy.name');
    const tenancy = await createTenancy(clients);
    const [one, other] = [await makeDomain(tenancy), await makeDomain(tenancy)];
    const same = [policy('p', { subject: 'a' }), policy('p', { subject: 'b' })];
    expect(await refusalOf(put(tenancy, one.id, same))).toMatchObject({
      code: 3,
      reason: 'INVALID_POLICY',
      message: 'policy `p`: another policy is named `p`',
    });
    for (const { id } of [one, other]) {
      expect((await put(tenancy, id, [policy('p', { subject: 'a' })])).version).toBe(2n);
    }
  });

  it('the engines are numbered as the contract says; 0 and 5 are refused', async () => {
    covers('AUTHZ-M.0', 'AUTHZ-M.5');
    expect(EvaluationEngine).toEqual({
      UNSPECIFIED: 0,
      FIXED: 1,
      PREFIX: 2,
      REGEX: 3,
      GLOB: 4,
      FIRST_ORDER_LOGIC: 5,
    });
    const tenancy = await createTenancy(clients);
    const { id } = await makeDomain(tenancy);
    for (const [engine, message] of [
      [0, 'the engine is not specified'],
      [5, 'first order logic is reserved and not implemented'],
    ] as const) {
      expect(await refusalOf(put(tenancy, id, [policy('p', { a: 'b' }, { engine })]))).toMatchObject({
        reason: 'INVALID_POLICY',
        message: `policy \`p\`: ${message}`,
      });
    }
  });

  it('a context takes any attribute, a string or an array of them, in either form of the message', async () => {
    covers('AUTHZ-C1.2', 'AUTHZ-P.CheckAuthorization', 'AUTHZ-F.RequestValue');
    const tenancy = await createTenancy(clients);
    const { id } = await makeDomain(tenancy);
    await put(tenancy, id, [policy('p', { 'an unheard-of key': 'x', subject: 'a' })]);
    const base = { subject: 'a', action: 'b', object: `svc://${id}/x` };
    const responses = await Promise.all(
      ['x', 'y', ['x'], ['y', 'x'], ['y', 'z']].map((value) =>
        ask(tenancy, { ...base, 'an unheard-of key': value, ignored: ['1', '2'] }),
      ),
    );
    expect(responses).toEqual([true, false, true, true, false]);
    const bytes = (value: RequestValue) => Buffer.from(RequestValue.encode(value).finish()).toString('hex');
    expect(bytes({ value: { $case: 'single', value: 'x' } })).toBe('0a0178');
    expect(bytes({ value: { $case: 'multiple', value: { values: ['x', 'y'] } } })).toBe('12060a01780a0179');
  });

  it('$current_user() is the subject of the request, not the caller', async () => {
    covers('AUTHZ-D.4');
    const tenancy = await createTenancy(clients);
    const { id } = await makeDomain(tenancy);
    await put(tenancy, id, [policy('p', { owner: '$current_user()' })]);
    const values = { subject: 'alice', action: 'b', object: `svc://${id}/x` };
    expect(await ask(tenancy, { ...values, owner: 'alice' })).toBe(true);
    expect(await ask(tenancy, { ...values, owner: tenancy.userId })).toBe(false);
    expect(await ask(tenancy, { ...values, owner: '$current_user()' })).toBe(false);
  });

  it('every check leaves one row under the id of its response, whichever way it came', async () => {
    covers('AUTHZ-O.3', 'AUTHZ-U.1');
    const tenancy = await createTenancy(clients);
    const { tenantId, token, rootDomainId } = tenancy;
    const values = { subject: 'a', action: 'b', object: `svc://${rootDomainId}/x` };
    const ids: unknown[] = [];
    await clients.authorization.checkAuthorization(
      { context: requestContext(values) },
      { token, onTrailer: (trailer) => ids.push(...trailer.get('x-check-id')) },
    );
    const batch = await clients.authorization.batchCheckAuthorization(
      { checks: [{ context: requestContext(values) }, { context: requestContext(values) }] },
      { token },
    );
    ids.push(...batch.results.map(({ checkId }) => checkId));
    const post = async (path: string, body: unknown) => {
      const response = await fetch(fleet.httpUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      return {
        id: response.headers.get('x-check-id'),
        body: (await response.json()) as Record<string, unknown>,
      };
    };
    ids.push((await post('/v1/authz/check', { context: values })).id);
    const several = await post('/v1/authz/check:batch', { checks: [{ context: values }] });
    ids.push(...(several.body['results'] as { check_id: string }[]).map(({ check_id }) => check_id));
    const evaluation = {
      subject: { type: 'user', id: 'a' },
      action: { name: 'b' },
      resource: { type: 'doc', id: '1' },
    };
    ids.push((await post('/access/v1/evaluation', evaluation)).id);
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId, limit: 0, cursor: '', kind: AuditKind.CHECK },
      { token },
    );
    expect(events.map(({ id }) => id).toReversed()).toEqual(ids);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    expect(events.at(-1)).toMatchObject({ ...values, tenantId, domainId: rootDomainId, decision: false });
  });

  it('calls take from the plane that is theirs, and from the plane of their user', async () => {
    covers('AUTHZ-G.4', 'AUTHZ-F.Tokens.tokens', 'AUTHZ-F.Tokens.overage', 'AUTHZ-F.User.user_plane');
    const tenancy = await createTenancy(clients);
    const { tenantId, token, userId, rootDomainId } = tenancy;
    const planes = async () => {
      // Read as the system root, whose own calls are not the tenant's.
      const { controlPlane, dataPlane } = await clients.tenants.getTenant({ id: tenantId }, { token: root });
      const { userPlane } = await clients.users.getUser({ id: userId }, { token: root });
      return [controlPlane, dataPlane, userPlane].map((plane) => plane as NonNullable<typeof plane>);
    };
    const left = async () => (await planes()).map(({ tokens }) => Number(tokens));
    const [control, data, user] = (await left()) as [number, number, number];
    const values = { subject: 'a', action: 'b', object: `svc://${rootDomainId}/x` };
    await ask(tenancy, values);
    expect(await left()).toEqual([control, data - 1, user - 1]);
    await clients.authorization.batchCheckAuthorization(
      { checks: [{ context: requestContext(values) }, { context: requestContext(values) }] },
      { token },
    );
    expect(await left()).toEqual([control, data - 3, user - 3]);
    await clients.domains.listDomains({ tenantId }, { token });
    expect(await left()).toEqual([control - 1, data - 3, user - 4]);

    for (let i = 0; i < data - 3 + 2; i += 1) await ask(tenancy, values);
    expect((await planes())[1]).toEqual({ maxTokens: 100n, tokens: 0n, maxOverage: 10n, overage: 2n });
    now += 1_000;
    await clients.tenants.refreshTenants({}, { token: root });
    expect((await planes())[1]).toEqual({ maxTokens: 100n, tokens: 100n, maxOverage: 10n, overage: 0n });
    const { lastTokenReset } = await clients.tenants.getTenant({ id: tenantId }, { token: root });
    expect(lastTokenReset).toEqual(new Date(now));
  });
});
