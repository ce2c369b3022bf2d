import { describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { UpdateTenantRequest } from '@platform/proto/authz/v1/tenant';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, rootToken, type Tenancy } from './service.fixture.ts';

const LOCKOUT = { code: 9, reason: 'LOCKOUT' };

const { clients } = useFleet('postgres');

const put = (
  { tenantId, rootDomainId, token }: Tenancy,
  policies: Policy[],
  more: { allowLockout?: boolean } = {},
) => clients.domains.putDomainPolicies({ tenantId, domainId: rootDomainId, policies, ...more }, { token });
const denyAll = policy('nobody', { subject: '' }, { deny: true, engine: EvaluationEngine.PREFIX });
const starter = ({ userId }: Tenancy) => policy('starter', { subject: userId });

describe('the guard against lock-outs', () => {
  it.each<[string, (tenancy: Tenancy) => Policy[]]>([
    ['nothing', () => []],
    ['no policy for the owner', () => [policy('readers', { action: 'read' })]],
    ['a deny-all beside the starter', (tenancy) => [starter(tenancy), denyAll]],
  ])('a root domain set with %s is refused, and written with allow_lockout', async (_name, policiesOf) => {
    covers('AUTHZ-W.4');
    const tenancy = await createTenancy(clients);
    expect(await refusalOf(put(tenancy, policiesOf(tenancy)))).toMatchObject(LOCKOUT);
    expect(await put(tenancy, policiesOf(tenancy), { allowLockout: true })).toMatchObject({ version: 2n });
    expect(await refusalOf(put(tenancy, [starter(tenancy)]))).toMatchObject({ reason: 'ACCESS_DENIED' });
  });

  it('a root domain set that hands the tenant to another active member is written', async () => {
    covers('AUTHZ-W.4');
    const tenancy = await createTenancy(clients);
    const { userId } = await createUserAndLogin(clients);
    const set = [policy('successor', { subject: userId })];
    expect(await refusalOf(put(tenancy, set))).toMatchObject(LOCKOUT);
    await clients.tenants.createTenantUserAssociation({ tenantId: tenancy.tenantId, userId }, tenancy);
    expect(await put(tenancy, set)).toMatchObject({ version: 2n });
  });

  it('a set of another domain is not asked who can manage the tenant', async () => {
    covers('AUTHZ-W.4');
    const { tenantId, token } = await createTenancy(clients);
    const made = await clients.domains.createDomain(
      { tenantId, name: 'other', superiorDomainIds: [] },
      { token },
    );
    expect(
      await clients.domains.putDomainPolicies(
        { tenantId, domainId: made.id, policies: [denyAll] },
        { token },
      ),
    ).toMatchObject({ version: 2n });
  });

  it('superiors that lock the tenant are refused, and given to the root domain with allow_lockout', async () => {
    covers('AUTHZ-W.4');
    const { tenantId, rootDomainId: id, token } = await createTenancy(clients);
    const made = { tenantId, name: 'superior', superiorDomainIds: [], detached: true };
    const superior = await clients.domains.createDomain(made, { token });
    const update = (
      domain: { id: string; active?: boolean; superiors?: { ids: string[] } },
      allowLockout?: boolean,
    ) =>
      clients.domains.updateDomain(
        {
          tenantId,
          domain: { tenantId: '', superiorDomainIds: [], policies: [], version: 0n, ...domain },
          allowLockout,
        },
        { token },
      );
    const superiors = { id, superiors: { ids: [superior.id] } };
    await clients.domains.putDomainPolicies(
      { tenantId, domainId: superior.id, policies: [denyAll] },
      { token },
    );
    expect(await refusalOf(update(superiors))).toMatchObject(LOCKOUT);
    expect(await update({ id: superior.id, active: false })).toEqual({});
    expect(await refusalOf(update(superiors))).toMatchObject(LOCKOUT);
    expect(await update(superiors, true)).toEqual({});
    expect(await refusalOf(update(superiors))).toMatchObject({ reason: 'ACCESS_DENIED' });
  });

  it('validation of a set for the root domain warns of the lock-out', async () => {
    covers('AUTHZ-W.4');
    const tenancy = await createTenancy(clients);
    const { tenantId, rootDomainId: domainId, token } = tenancy;
    const codes = async (policies: Policy[]) =>
      (
        await clients.authorization.validatePolicies({ policies, tenantId, domainId }, { token })
      ).warnings.map(({ code }) => code);
    expect(await codes([policy('readers', { action: 'read' })])).toEqual(['LOCKOUT']);
    expect(await codes([starter(tenancy)])).toEqual([]);
  });

  it('the last owner of a tenant cannot leave, delete or deactivate themselves unless forced', async () => {
    covers('AUTHZ-W.5');
    const { tenantId, userId, token, plainToken } = await createTenancy(clients);
    const leave = (allowLockout?: boolean) =>
      clients.tenants.deleteTenantUserAssociation({ tenantId, userId, allowLockout }, { token: plainToken });
    expect(await refusalOf(leave())).toMatchObject(LOCKOUT);
    expect(await refusalOf(clients.users.deleteUser({ id: userId }, { token }))).toMatchObject(LOCKOUT);
    const deactivation = clients.users.updateUser({ id: userId, active: false }, { token });
    expect(await refusalOf(deactivation)).toMatchObject(LOCKOUT);
    expect(await leave(true)).toEqual({});
    expect(await clients.users.deleteUser({ id: userId }, { token: plainToken })).toEqual({});
  });

  it.each<[string, (user: { userId: string; allowLockout?: boolean }, token: string) => Promise<unknown>]>([
    [
      'the removal of a value',
      (user, token) =>
        clients.attributes.removeUserAttribute(
          { ...user, attributeKey: 'role', attributeValues: ['admin'] },
          { token },
        ),
    ],
    [
      'the removal of a key',
      (user, token) =>
        clients.attributes.removeUserAttribute(
          { ...user, attributeKey: 'role', attributeValues: [] },
          { token },
        ),
    ],
    ['clearing', (user, token) => clients.attributes.clearUserAttributes(user, { token })],
    [
      'a value that a deny names',
      (user, token) =>
        clients.attributes.setUserAttribute(
          { ...user, attributeKey: 'bad', attributeValues: ['yes'] },
          { token },
        ),
    ],
  ])('%s by which the last manager loses the right is refused unless forced', async (_what, change) => {
    covers('AUTHZ-W.7');
    const tenancy = await createTenancy(clients);
    const { tenantId, userId, token } = tenancy;
    const other = await createUserAndLogin(clients);
    const grant = (id: string) =>
      clients.attributes.setUserAttribute(
        { userId: id, attributeKey: 'role', attributeValues: ['admin', 'staff'] },
        { token },
      );
    await grant(userId);
    await put(tenancy, [
      policy('admins', { 'user.role': 'admin' }),
      policy('bad ones', { 'user.bad': 'yes' }, { deny: true }),
    ]);
    expect(await refusalOf(change({ userId }, token))).toMatchObject(LOCKOUT);
    // With a second manager it is an ordinary change, and so is any change of one who manages nothing.
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: other.userId }, { token });
    await grant(other.userId);
    await change({ userId: other.userId }, token);
    await clients.attributes.setUserAttribute(
      { userId, attributeKey: 'team', attributeValues: ['red'] },
      { token },
    );
    expect(await refusalOf(change({ userId }, token))).toMatchObject(LOCKOUT);
    await change({ userId, allowLockout: true }, token);
    expect(await refusalOf(put(tenancy, [starter(tenancy)]))).toMatchObject({ reason: 'ACCESS_DENIED' });
  });

  it('a tenant is not deactivated by its users, who cannot undo it, unless forced', async () => {
    covers('AUTHZ-W.5');
    const { tenantId, token } = await createTenancy(clients);
    const off = (allowLockout?: boolean) =>
      clients.tenants.updateTenant(
        UpdateTenantRequest.fromPartial({ tenant: { id: tenantId, active: false }, allowLockout }),
        { token },
      );
    expect(await refusalOf(off())).toMatchObject(LOCKOUT);
    expect(await off(true)).toEqual({});
  });

  it('a tenant is deactivated, which ends every credential of it, by the session of a user alone', async () => {
    covers('AUTHZ-K.17');
    const { tenantId, userId, token } = await createTenancy(clients);
    const scopes = { values: ['manage', 'read'] };
    const { apiKey } = await clients.apiKeys.createApiKey({ userId, scopes }, { token });
    const update = (tenant: { active?: boolean; description?: string }) =>
      clients.tenants.updateTenant(
        UpdateTenantRequest.fromPartial({ tenant: { id: tenantId, ...tenant }, allowLockout: true }),
        { token: apiKey },
      );
    expect(await update({ description: 'by a key' })).toEqual({});
    expect(await refusalOf(update({ active: false }))).toMatchObject({ reason: 'SESSION_REQUIRED' });
    expect((await clients.tenants.getTenant({ id: tenantId }, { token })).active).toBe(true);
  });

  it('a set for one manager and the end of their membership at the same time do not both happen', async () => {
    covers('AUTHZ-W.7');
    for (let round = 0; round < 12; round += 1) {
      const tenancy = await createTenancy(clients);
      const { tenantId, userId, token } = tenancy;
      const other = await createUserAndLogin(clients);
      await clients.tenants.createTenantUserAssociation({ tenantId, userId: other.userId }, { token });
      await put(tenancy, [starter(tenancy), policy('other', { subject: other.userId })]);
      const { token: others } = await clients.sessions.refreshLoginWithTenant(
        { tenantId },
        { token: other.plainToken },
      );
      const outcomes = await Promise.allSettled([
        put(tenancy, [starter(tenancy)]),
        clients.tenants.deleteTenantUserAssociation({ tenantId, userId }, { token: others }),
      ]);
      expect(outcomes.map(({ status }) => status)).toContain('rejected');
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
    }
  });

  it('the owner of a tenant and the system root have a deny-all explained', async () => {
    covers('AUTHZ-D.21');
    const { tenantId, token } = await createTenancy(clients);
    const made = await clients.domains.createDomain(
      { tenantId, name: 'locked', superiorDomainIds: [] },
      { token },
    );
    await clients.domains.putDomainPolicies({ tenantId, domainId: made.id, policies: [denyAll] }, { token });
    const context = requestContext({ subject: 'bob', action: 'read', object: `svc://${made.id}/x` });
    const deciding = { authorized: false, decidingPolicy: 'nobody', decidingDomainId: made.id };
    expect(await clients.authorization.explainAuthorization({ context }, { token })).toMatchObject(deciding);
    const root = { token: await rootToken(clients) };
    expect(await clients.authorization.explainAuthorization({ context }, root)).toMatchObject(deciding);
    expect(await clients.authorization.explainAuthorization({ context, tenantId }, root)).toMatchObject(
      deciding,
    );
    const other = await createTenancy(clients);
    expect(
      await refusalOf(clients.authorization.explainAuthorization({ context }, { token: other.token })),
    ).toMatchObject({ code: 7 });
  });

  it('explain and TestPolicies name a macro that denies because it has no value', async () => {
    covers('AUTHZ-D.21');
    const tenancy = await createTenancy(clients);
    const { rootDomainId, token } = tenancy;
    const rules = { action: 'zap', subject: '$current_user()', owner: '$resource_owner()' };
    const policies = [starter(tenancy), policy('no-self', rules, { deny: true })];
    await put(tenancy, policies);
    const context = requestContext({ subject: 'bob', action: 'zap', object: `svc://${rootDomainId}/x` });
    const problem = expect.stringContaining('policy `no-self`: `$resource_owner()` of `owner` has no value');
    const explained = await clients.authorization.explainAuthorization({ context }, { token });
    expect(explained.problems).toEqual([problem]);
    expect(explained.policies.find(({ policyName }) => policyName === 'no-self')).toMatchObject({
      matched: true,
      statements: [{ matched: true, failedRuleKey: '' }],
    });
    const tested = await clients.authorization.testPolicies(
      { policies, cases: [{ context, expected: false }] },
      { token },
    );
    expect(tested.results).toEqual([{ authorized: false, passed: true, problems: [problem] }]);
  });

  it('the system root may delete the last owner of a tenant', async () => {
    covers('AUTHZ-W.5');
    const { userId } = await createTenancy(clients);
    expect(await clients.users.deleteUser({ id: userId }, { token: await rootToken(clients) })).toEqual({});
  });
});
