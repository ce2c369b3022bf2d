import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, type GrpcCallError } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

/** One row of the decisions page's error table each: code, reason and message, as they stand on the wire. */
describe('errors over gRPC', () => {
  const fleet = useFleet('postgres');
  const { clients } = fleet;
  let tenancy: Tenancy;
  let root: string;
  beforeAll(async () => {
    tenancy = await createTenancy(clients);
    root = await rootToken(clients);
  });

  const object = () => `svc://${tenancy.rootDomainId}/x`;
  const check = (values: Record<string, string | string[]>, token: string | null = tenancy.token) =>
    refusalOf(clients.authorization.checkAuthorization({ context: requestContext(values) }, { token }));

  it.each([
    [
      'no subject',
      { subject: undefined },
      'context.subject',
      '`subject` is missing or not one non-empty text',
    ],
    [
      'an empty subject',
      { subject: '' },
      'context.subject',
      '`subject` is missing or not one non-empty text',
    ],
    ['no object', { object: undefined }, 'context.object', '`object` is missing or not one non-empty text'],
    [
      'several actions',
      { action: ['a', 'b'] },
      'context.action',
      '`action` is missing or not one non-empty text',
    ],
    [
      'an empty list',
      { group: [] },
      'context.group',
      '`context.group` is an empty list: give a value or leave the key out',
    ],
    [
      'a stored attribute named',
      { 'user.role': 'admin' },
      'context.user.role',
      "`context.user.role` must have another name: those that start with `user.` are the stored attributes'",
    ],
    [
      'too many keys',
      Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 'v'])),
      'context',
      '`context` has more than 64 keys',
    ],
    [
      'too many values',
      { group: Array.from({ length: 257 }, (_, i) => `v${i}`) },
      'context',
      '`context` has more than 256 values',
    ],
    ['too many bytes', { note: 'x'.repeat(33 * 1024) }, 'context', '`context` is larger than 32768 bytes'],
    ['a NUL', { subject: 'a\0' }, 'context.subject', '`subject` holds a NUL character'],
  ])('INVALID_CONTEXT for %s', async (_name, change, field, message) => {
    covers('AUTHZ-C1.1', 'AUTHZ-D.18', 'AUTHZ-D.15');
    const values = Object.entries({ subject: 'a', action: 'b', object: object(), ...change });
    const given = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    expect(await check(given)).toEqual({
      code: 3,
      reason: 'INVALID_CONTEXT',
      message,
      fields: [field],
      retryAfterSeconds: null,
    });
  });

  it.each(['docs/7', 'svc://x/y', 'SVC://', 'svc://00000000-0000-0000-0000-000000000000'])(
    'INVALID_OBJECT_URI for `%s`',
    async (uri) => {
      covers('AUTHZ-O.1');
      expect(await check({ subject: 'a', action: 'b', object: uri })).toMatchObject({
        code: 3,
        reason: 'INVALID_OBJECT_URI',
        message:
          '`object` must be `svc://<domain uuid>/<path>`: the uuid without a port, and a path with at least one segment that is neither empty nor `.` or `..`',
      });
    },
  );

  it('an object in upper case that differs from a stored one by case alone is refused over gRPC', async () => {
    covers('AUTHZ-O.1');
    expect(
      await check({ subject: 'a', action: 'b', object: `svc://${tenancy.rootDomainId.toUpperCase()}/x` }),
    ).toMatchObject({ reason: 'INVALID_OBJECT_URI' });
  });

  it('TOKEN_INVALID without a token, with a bad or revoked one, and for an inactive user and their key', async () => {
    covers('AUTHZ-E.2');
    const values = { subject: 'a', action: 'b', object: object() };
    const expected = {
      code: 16,
      reason: 'TOKEN_INVALID',
      message: 'missing, invalid, expired or revoked token',
      fields: [],
      retryAfterSeconds: null,
    };
    expect(await check(values, null)).toEqual(expected);
    expect(await check(values, 'nonsense')).toEqual(expected);
    const other = await createTenancy(clients);
    const { apiKey } = await clients.apiKeys.createApiKey({ userId: other.userId }, { token: other.token });
    await clients.users.updateUser({ id: other.userId, active: false }, { token: root });
    expect(await check(values, other.token)).toEqual(expected);
    expect(await check(values, apiKey)).toEqual(expected);
    const gone = await createUserAndLogin(clients);
    await clients.sessions.logout({ userId: gone.userId }, { token: gone.plainToken });
    expect(await check(values, gone.plainToken)).toEqual(expected);
  });

  it('TENANT_REQUIRED for a token without tenant', async () => {
    covers('AUTHZ-E.2');
    const values = { subject: 'a', action: 'b', object: object() };
    expect(await check(values, tenancy.plainToken)).toMatchObject({
      code: 7,
      reason: 'TENANT_REQUIRED',
      message: 'the token carries no tenant',
    });
  });

  it('DOMAIN_NOT_ACCESSIBLE in one sentence for unknown, foreign and inactive domains and tenants', async () => {
    covers('AUTHZ-O.2', 'AUTHZ-E.2');
    const other = await createTenancy(clients);
    const { tenantId, token } = tenancy;
    const made = await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [] },
      { token },
    );
    await clients.domains.updateDomain({ tenantId, domain: { ...made, active: false } }, { token });
    const refused = {
      code: 7,
      reason: 'DOMAIN_NOT_ACCESSIBLE',
      message: 'the domain is not accessible',
      fields: [],
      retryAfterSeconds: null,
    };
    for (const id of [randomUUID(), other.rootDomainId, made.id]) {
      expect(await check({ subject: 'a', action: 'b', object: `svc://${id}/x` })).toEqual(refused);
    }
    const tenant = await clients.tenants.getTenant({ id: other.tenantId }, { token: root });
    await clients.tenants.updateTenant(
      { id: tenant.id, tenant: { ...tenant, active: false } },
      { token: root },
    );
    const inactive = { subject: 'a', action: 'b', object: `svc://${other.rootDomainId}/x` };
    expect(await check(inactive, other.token)).toMatchObject({ reason: 'TOKEN_INVALID' });
    expect(await check(inactive)).toEqual(refused);
  });

  it('ACCESS_DENIED for a management call that no policy permits', async () => {
    covers('AUTHZ-E.2');
    const stranger = await createUserAndLogin(clients);
    const call = clients.domains.listDomains({ tenantId: tenancy.tenantId }, { token: stranger.plainToken });
    expect(await refusalOf(call)).toMatchObject({
      code: 7,
      reason: 'ACCESS_DENIED',
      message: 'not permitted',
    });
    expect(await refusalOf(clients.tenants.refreshTenants({}, { token: tenancy.token }))).toMatchObject({
      code: 7,
      reason: 'ACCESS_DENIED',
      message: 'not permitted',
    });
  });

  it('NOT_FOUND for what is permitted and absent', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token, userId } = tenancy;
    const id = randomUUID();
    expect(await refusalOf(clients.domains.getDomain({ tenantId, domainId: id }, { token }))).toMatchObject({
      code: 5,
      reason: 'DOMAIN_NOT_FOUND',
      message: 'no such domain',
    });
    expect(await refusalOf(clients.apiKeys.getApiKey({ userId, keyId: id }, { token }))).toMatchObject({
      code: 5,
      reason: 'API_KEY_NOT_FOUND',
      message: 'no such API key',
    });
    expect(await refusalOf(clients.tenants.getTenant({ id }, { token: root }))).toMatchObject({
      code: 5,
      reason: 'TENANT_NOT_FOUND',
      message: 'no such tenant',
    });
    expect(await refusalOf(clients.users.getUser({ id }, { token: root }))).toMatchObject({
      code: 5,
      reason: 'USER_NOT_FOUND',
      message: 'no such user',
    });
    expect(await refusalOf(clients.serviceAccounts.getServiceAccount({ id }, { token }))).toMatchObject({
      code: 5,
      reason: 'SERVICE_ACCOUNT_NOT_FOUND',
      message: 'no such service account',
    });
  });

  it('ASSOCIATION_NOT_FOUND for an association that is permitted and absent', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token } = tenancy;
    const call = clients.tenants.deleteTenantUserAssociation({ tenantId, userId: randomUUID() }, { token });
    expect(await refusalOf(call)).toMatchObject({
      code: 5,
      reason: 'ASSOCIATION_NOT_FOUND',
      message: 'the user is not associated with the tenant',
    });
  });

  it('NAME_TAKEN for names and associations that exist', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token, tenantName, username, userId } = tenancy;
    const taken = (message: string) => ({ code: 6, reason: 'NAME_TAKEN', message });
    expect(
      await refusalOf(
        clients.domains.createDomain({ tenantId, name: 'root', superiorDomainIds: [] }, { token }),
      ),
    ).toMatchObject(taken('a domain of this name exists in the tenant'));
    expect(
      await refusalOf(clients.tenants.createTenant({ name: tenantName, description: '' }, { token })),
    ).toMatchObject(taken('a tenant of this name exists'));
    expect(
      await refusalOf(clients.users.createUser({ username, email: 'a@b.example', password: USER_PASSWORD })),
    ).toMatchObject(taken('a user of this name exists'));
    expect(
      await refusalOf(clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token })),
    ).toMatchObject(taken('the user is associated with the tenant already'));
  });

  it('FAILED_PRECONDITION for dependents, the root domain and a second tenant', async () => {
    covers('AUTHZ-D.3', 'AUTHZ-E.2');
    const { tenantId, token, rootDomainId } = tenancy;
    const above = await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [] },
      { token },
    );
    await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [above.id] },
      { token },
    );
    expect(
      await refusalOf(clients.domains.deleteDomain({ tenantId, domainId: above.id }, { token })),
    ).toMatchObject({
      code: 9,
      reason: 'DEPENDENTS_EXIST',
      message: 'other domains name this one as their superior',
    });
    const rootDomain = await clients.domains.getDomain({ tenantId, domainId: rootDomainId }, { token });
    expect(
      await refusalOf(
        clients.domains.updateDomain({ tenantId, domain: { ...rootDomain, name: 'other' } }, { token }),
      ),
    ).toMatchObject({
      code: 9,
      reason: 'ROOT_IMMUTABLE',
      message: 'the root domain can be neither renamed nor deactivated',
    });
    expect(
      await refusalOf(clients.domains.deleteDomain({ tenantId, domainId: rootDomainId }, { token })),
    ).toMatchObject({
      code: 9,
      reason: 'ROOT_IMMUTABLE',
      message: 'the root domain goes with its tenant only',
    });
    expect(await refusalOf(clients.sessions.refreshLoginWithTenant({ tenantId }, { token }))).toMatchObject({
      code: 9,
      reason: 'TENANT_ALREADY_SET',
      message: 'the token carries a tenant already',
    });
  });

  it('ID_MISMATCH when ids of one request differ', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token, rootDomainId } = tenancy;
    const domain = await clients.domains.getDomain({ tenantId, domainId: rootDomainId }, { token });
    const call = clients.domains.updateDomain(
      { tenantId, domain: { ...domain, tenantId: randomUUID() } },
      { token },
    );
    expect(await refusalOf(call)).toMatchObject({
      code: 3,
      reason: 'ID_MISMATCH',
      message: '`domain.tenant_id` and `tenant_id` differ',
      fields: ['domain.tenant_id'],
    });
    const tenant = await clients.tenants.getTenant({ id: tenantId }, { token });
    expect(
      await refusalOf(clients.tenants.updateTenant({ tenant, id: randomUUID() }, { token })),
    ).toMatchObject({ code: 3, reason: 'ID_MISMATCH', message: '`tenant.id` and `id` differ' });
  });

  it('ids that differ in case alone are one id', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token, plainToken, rootDomainId } = tenancy;
    const upper = tenantId.toUpperCase();
    const domain = await clients.domains.getDomain({ tenantId: upper, domainId: rootDomainId }, { token });
    expect(await clients.domains.updateDomain({ tenantId: upper, domain }, { token })).toEqual({});
    const tenant = await clients.tenants.getTenant({ id: upper }, { token });
    expect(await clients.tenants.updateTenant({ tenant, id: upper }, { token })).toEqual({});
    const refreshed = await clients.sessions.refreshLoginWithTenant(
      { tenantId: upper },
      { token: plainToken },
    );
    expect(refreshed.tenantId).toBe(tenantId);
  });

  it('VERSION_CONFLICT for policies that changed meanwhile', async () => {
    covers('AUTHZ-E.2');
    const { tenantId, token } = tenancy;
    const { id: domainId, version } = await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [] },
      { token },
    );
    const put = () =>
      clients.domains.putDomainPolicies(
        { tenantId, domainId, policies: [policy('readers', { action: 'read' })], expectedVersion: version },
        { token },
      );
    expect((await put()).version).toBe(version + 1n);
    expect(await refusalOf(put())).toMatchObject({
      code: 10,
      reason: 'VERSION_CONFLICT',
      message: 'the domain has changed since it was read',
    });
  });

  it('LOGIN_FAILED, the same for every cause', async () => {
    covers('AUTHZ-E.2');
    const { username } = tenancy;
    const responses = await Promise.all(
      [
        { username, password: 'not the password at all' },
        { username: randomUUID(), password: USER_PASSWORD },
        { username, password: USER_PASSWORD, tenant: 'no such tenant' },
        { username: 'a\0', password: '' },
      ].map((input) => refusalOf(clients.sessions.login(input))),
    );
    for (const response of responses) {
      expect(response).toEqual({
        code: 16,
        reason: 'LOGIN_FAILED',
        message: 'login failed',
        fields: [],
        retryAfterSeconds: null,
      });
    }
  });

  it.each([
    ['engine 0', policy('p', { a: 'b' }, { engine: EvaluationEngine.UNSPECIFIED })],
    ['engine 5', policy('p', { a: 'b' }, { engine: EvaluationEngine.FIRST_ORDER_LOGIC })],
    ['an engine nobody knows', policy('p', { a: 'b' }, { engine: 9 as EvaluationEngine })],
    ['no statements', policy('p', {}, { statements: [] })],
    ['no rules', policy('p', {})],
    ['a bad pattern', policy('p', { a: '(' }, { engine: EvaluationEngine.REGEX })],
    ['an unknown macro', policy('p', { a: '$nobody()' })],
  ])('INVALID_POLICY for %s', async (_name, bad) => {
    covers('AUTHZ-D.14');
    const { tenantId, token, rootDomainId: domainId } = tenancy;
    expect(
      await refusalOf(clients.domains.putDomainPolicies({ tenantId, domainId, policies: [bad] }, { token })),
    ).toMatchObject({ code: 3, reason: 'INVALID_POLICY' });
  });

  it('INVALID_POLICY tells all that is wrong with one policy', async () => {
    covers('AUTHZ-D.14');
    const { tenantId, token, rootDomainId: domainId } = tenancy;
    const bad = policy('', { a: 'b' }, { engine: EvaluationEngine.UNSPECIFIED });
    const call = clients.domains.putDomainPolicies({ tenantId, domainId, policies: [bad] }, { token });
    const refused = await call.catch((error: unknown) => error as GrpcCallError);
    expect([...(refused as GrpcCallError).fields]).toEqual([
      ['policies[0]', 'the policy has no name; the engine is not specified'],
    ]);
  });

  it('INVALID_ARGUMENT for superiors that are unknown, foreign, or close a cycle', async () => {
    covers('AUTHZ-D.2');
    const { tenantId, token } = tenancy;
    const other = await createTenancy(clients);
    const make = (superiorDomainIds: string[]) =>
      clients.domains.createDomain({ tenantId, name: randomUUID(), superiorDomainIds }, { token });
    const refused = { code: 3, reason: 'INVALID_ARGUMENT', fields: ['superior_domain_ids'] };
    expect(await refusalOf(make([randomUUID()]))).toMatchObject(refused);
    expect(await refusalOf(make([other.rootDomainId]))).toMatchObject(refused);
    const a = await make([]);
    const b = await make([a.id]);
    const close = { ...a, superiorDomainIds: [b.id] };
    expect(
      await refusalOf(clients.domains.updateDomain({ tenantId, domain: close }, { token })),
    ).toMatchObject({ ...refused, fields: ['domain.superior_domain_ids'] });
    let last = a.id;
    for (let depth = 1; depth <= 10; depth += 1) last = (await make([last])).id;
    expect(await refusalOf(make([last]))).toMatchObject(refused);
  });
});

describe('limits over gRPC', () => {
  const fleet = useFleet('postgres', {
    env: { AUTHZ_QUOTA_DATA_PLANE: '10', AUTHZ_QUOTA_OVERAGE_PERCENT: '20' },
  });
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
  });

  it('QUOTA_EXHAUSTED after tokens and overage, reset by RefreshTenants', async () => {
    covers('AUTHZ-Q.1', 'AUTHZ-P.RefreshTenants', 'AUTHZ-L.2');
    const { clients } = fleet;
    const { token, tenantId } = tenancy;
    const context = requestContext({ subject: 'a', action: 'b', object: `svc://${tenancy.rootDomainId}/x` });
    const check = () => clients.authorization.checkAuthorization({ context }, { token });
    for (let i = 0; i < 12; i += 1) await check();
    expect(await refusalOf(check())).toMatchObject({
      code: 8,
      reason: 'QUOTA_EXHAUSTED',
      message: 'quota `data_plane` and its overage are used up',
      retryAfterSeconds: expect.any(Number),
    });
    const used = await clients.tenants.getTenant({ id: tenantId }, { token });
    expect(used.dataPlane).toEqual({ maxTokens: 10n, tokens: 0n, maxOverage: 2n, overage: 2n });
    await clients.tenants.refreshTenants({}, { token: await rootToken(clients) });
    expect((await check()).authorized).toBe(false);
    const reset = await clients.tenants.getTenant({ id: tenantId }, { token });
    expect(reset.dataPlane).toEqual({ maxTokens: 10n, tokens: 9n, maxOverage: 2n, overage: 0n });
    expect((reset.lastTokenReset as Date) > (used.lastTokenReset as Date)).toBe(true);
  });

  it('a refused call costs nothing, and a batch costs one call for each item', async () => {
    covers('AUTHZ-Q.4');
    const { clients } = fleet;
    const { token, tenantId } = tenancy;
    await clients.tenants.refreshTenants({}, { token: await rootToken(clients) });
    const good = {
      context: requestContext({ subject: 'a', action: 'b', object: `svc://${tenancy.rootDomainId}/x` }),
    };
    const foreign = {
      context: requestContext({ subject: 'a', action: 'b', object: `svc://${randomUUID()}/x` }),
    };
    const bad = { context: requestContext({ subject: 'a', action: 'b', object: 'x' }) };
    const { results } = await clients.authorization.batchCheckAuthorization(
      { checks: [good, foreign, bad, good] },
      { token },
    );
    expect(results.map(({ error }) => error?.reason)).toEqual([
      undefined,
      'DOMAIN_NOT_ACCESSIBLE',
      'INVALID_OBJECT_URI',
      undefined,
    ]);
    await refusalOf(clients.authorization.checkAuthorization(foreign, { token }));
    expect((await clients.tenants.getTenant({ id: tenantId }, { token })).dataPlane?.tokens).toBe(8n);
  });
});

describe('the end of a used-up quota', () => {
  let now = Date.now();
  const fleet = useFleet('postgres', {
    now: () => new Date(now),
    env: { AUTHZ_QUOTA_DATA_PLANE: '1', AUTHZ_QUOTA_OVERAGE_PERCENT: '0' },
  });

  it('a caller who waits as long as RetryInfo of a used-up quota says is let in, and not a second sooner', async () => {
    covers('AUTHZ-K.9');
    const { clients } = fleet;
    const { userId, token, rootDomainId } = await createTenancy(clients);
    // A session ends before the cycle of thirty days does.
    const { apiKey } = await clients.apiKeys.createApiKey({ userId }, { token });
    const context = requestContext({ subject: 'a', action: 'b', object: `svc://${rootDomainId}/x` });
    const check = () => clients.authorization.checkAuthorization({ context }, { token: apiKey });
    await check();
    const { reason, retryAfterSeconds } = await refusalOf(check());
    expect(reason).toBe('QUOTA_EXHAUSTED');
    now += (Math.ceil(retryAfterSeconds!) - 1) * 1_000;
    expect((await refusalOf(check())).reason).toBe('QUOTA_EXHAUSTED');
    now += 1_000;
    expect((await check()).authorized).toBe(false);
  });
});
