import { describe, expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { ROOT_PASSWORD } from '@platform/testing';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, type Tenancy } from './service.fixture.ts';

const { clients } = useFleet('postgres');

/** What allows the second manager of the tenant. */
const ALLOW = 'second manager';

async function addUser({ tenantId, token }: Tenancy) {
  const user = await createUserAndLogin(clients);
  await clients.tenants.createTenantUserAssociation({ tenantId, userId: user.userId }, { token });
  return user;
}

async function addAccount({ tenantId, token }: Tenancy, scopes: string[] = []) {
  const request = {
    name: 'robot',
    description: '',
    tenantId,
    ...(scopes.length === 0 ? {} : { scopes: { values: scopes } }),
  };
  const { serviceAccountId } = await clients.serviceAccounts.createServiceAccount(request, { token });
  return serviceAccountId;
}

/** Those who could manage the tenant next to its owner, and whether they really can. */
const MANAGERS: Record<
  string,
  { counts: boolean; add(tenancy: Tenancy): Promise<Record<string, string>[]> }
> = {
  'nobody else': { counts: false, add: async () => [{ subject: 'nobody' }] },
  'a member': { counts: true, add: async (tenancy) => [{ subject: (await addUser(tenancy)).userId }] },
  'a member with an attribute': {
    counts: true,
    async add(tenancy) {
      const { userId } = await addUser(tenancy);
      const value = { userId, attributeKey: 'team', attributeValues: ['admins'] };
      await clients.attributes.setUserAttribute(value, { token: tenancy.token });
      return [{ 'user.team': 'admins' }];
    },
  },
  'a member with exactly the two permissions': {
    counts: true,
    async add(tenancy) {
      const { userId: subject } = await addUser(tenancy);
      const { rootDomainId: root } = tenancy;
      return [
        { subject, action: 'manage', object: `svc://${root}/tenant` },
        { subject, action: 'update', object: `svc://${root}/domains/${root}/policies` },
      ];
    },
  },
  'a member who may only `manage`': {
    counts: false,
    add: async (tenancy) => [{ subject: (await addUser(tenancy)).userId, action: 'manage' }],
  },
  'a member who may only `update`': {
    counts: false,
    add: async (tenancy) => [{ subject: (await addUser(tenancy)).userId, action: 'update' }],
  },
  'an inactive member': {
    counts: false,
    async add(tenancy) {
      const { userId, plainToken } = await addUser(tenancy);
      await clients.users.updateUser({ id: userId, active: false }, { token: plainToken });
      return [{ subject: userId }];
    },
  },
  'a user who is no member': {
    counts: false,
    add: async () => [{ subject: (await createUserAndLogin(clients)).userId }],
  },
  'a service account': { counts: false, add: async (tenancy) => [{ subject: await addAccount(tenancy) }] },
  'a service account that may only check': {
    counts: false,
    add: async (tenancy) => [{ subject: await addAccount(tenancy, ['check']) }],
  },
};

type Forced = { allowLockout?: boolean };

const secondManager = (rules: Record<string, string>[]) =>
  policy(ALLOW, {}, { statements: rules.map((rule) => ({ rules: new Map(Object.entries(rule)) })) });

/** By what an owner stops managing the tenant. */
const WRITES: Record<
  string,
  (tenancy: Tenancy, rules: Record<string, string>[], more: Forced) => Promise<unknown>
> = {
  'a set of policies': ({ tenantId, rootDomainId: domainId, token }, rules, more) =>
    clients.domains.putDomainPolicies(
      { tenantId, domainId, policies: [secondManager(rules)], ...more },
      { token },
    ),
  'a superior that denies': async ({ tenantId, rootDomainId, token }, _rules, more) => {
    const { domains } = clients;
    const place = { tenantId };
    const name = 'above';
    const found = await domains.getDomainByName({ ...place, name }, { token }).catch(() => null);
    const above =
      found ??
      (await domains.createDomain({ ...place, name, superiorDomainIds: [], detached: true }, { token }));
    if (found === null) {
      const policies = [policy('no owners', { 'user.role': 'owner' }, { deny: true })];
      await domains.putDomainPolicies({ ...place, domainId: above.id, policies }, { token });
    }
    const domain = { id: rootDomainId, tenantId: '', superiorDomainIds: [], policies: [], version: 0n };
    return domains.updateDomain(
      { tenantId, domain: { ...domain, superiors: { ids: [above.id] } }, ...more },
      { token },
    );
  },
  leaving: ({ tenantId, userId, plainToken }, _rules, more) =>
    clients.tenants.deleteTenantUserAssociation({ tenantId, userId, ...more }, { token: plainToken }),
  deactivation: ({ userId, plainToken }, _rules, more) =>
    clients.users.updateUser({ id: userId, active: false, ...more }, { token: plainToken }),
  deletion: ({ userId, plainToken }, _rules, more) =>
    clients.users.deleteUser({ id: userId, ...more }, { token: plainToken }),
  'the removal of a value': ({ userId, token }, _rules, more) =>
    clients.attributes.removeUserAttribute(
      { userId, attributeKey: 'role', attributeValues: ['owner'], ...more },
      { token },
    ),
  'clearing attributes': ({ userId, token }, _rules, more) =>
    clients.attributes.clearUserAttributes({ userId, ...more }, { token }),
  'a value that is denied': ({ userId, token }, _rules, more) =>
    clients.attributes.setUserAttribute(
      { userId, attributeKey: 'bad', attributeValues: ['yes'], ...more },
      { token },
    ),
};

/** A tenant that its owner manages by an attribute, and the second manager by the rules that are returned. */
async function prepare(name: string) {
  const tenancy = await createTenancy(clients);
  const { tenantId, rootDomainId: domainId, userId, token } = tenancy;
  const role = { userId, attributeKey: 'role', attributeValues: ['owner'] };
  await clients.attributes.setUserAttribute(role, { token });
  const rules = await MANAGERS[name]!.add(tenancy);
  const policies = [
    policy('owner', { 'user.role': 'owner' }),
    policy('bad', { 'user.bad': 'yes' }, { deny: true }),
    secondManager(rules),
  ];
  await clients.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });
  return { tenancy, rules };
}

const CASES = Object.keys(MANAGERS).flatMap((manager) =>
  Object.keys(WRITES).map((write): [string, string] => [manager, write]),
);

describe('who counts as a manager of a tenant', () => {
  it.each(CASES)(
    'beside %s, %s by the owner is written or refused as the contract says',
    async (manager, write) => {
      covers('AUTHZ-W.10');
      const { tenancy, rules } = await prepare(manager);
      const attempt = (more: Forced = {}) => WRITES[write]!(tenancy, rules, more);
      if (write === 'a set of policies') {
        const { tenantId, rootDomainId: domainId, token } = tenancy;
        const asked = { policies: [secondManager(rules)], tenantId, domainId };
        const { warnings } = await clients.authorization.validatePolicies(asked, { token });
        const codes = warnings.map(({ code }) => code).filter((code) => code === 'LOCKOUT');
        expect(codes).toEqual(MANAGERS[manager]!.counts ? [] : ['LOCKOUT']);
      }
      if (MANAGERS[manager]!.counts) return void (await attempt());
      expect(await refusalOf(attempt())).toMatchObject({ code: 9, reason: 'LOCKOUT' });
      await attempt({ allowLockout: true });
    },
  );

  it('a deny of `manage` for everyone is a lock-out, and one of all but `manage`, too', async () => {
    covers('AUTHZ-W.4', 'AUTHZ-W.10');
    const { tenantId, rootDomainId: domainId, userId, token } = await createTenancy(clients);
    const put = (...policies: Parameters<typeof policy>[]) =>
      clients.domains.putDomainPolicies(
        { tenantId, domainId, policies: policies.map((args) => policy(...args)) },
        { token },
      );
    const owner: Parameters<typeof policy> = ['owner', { subject: userId }];
    const noManage = put(owner, ['no manage', { action: 'manage' }, { deny: true }]);
    expect(await refusalOf(noManage)).toMatchObject({ reason: 'LOCKOUT' });
    const onlyManage = put(['owner', { subject: userId, action: 'manage' }]);
    expect(await refusalOf(onlyManage)).toMatchObject({
      reason: 'LOCKOUT',
      message: expect.stringContaining('`manage` it and `update` its policies'),
    });
    await put(owner, [
      'no reading',
      { action: 'read', object: 'x' },
      { deny: true, engine: EvaluationEngine.GLOB },
    ]);
  });

  it.each<[string, string[], boolean]>([
    ['with all scopes', [], true],
    ['without the scope `manage`', ['check', 'read'], false],
  ])(
    'a service account %s that alone is allowed to manage its tenant ends only when forced if it could',
    async (_name, scopes, isGuarded) => {
      covers('AUTHZ-W.5', 'AUTHZ-W.10');
      const tenancy = await createTenancy(clients);
      const { tenantId, rootDomainId: domainId, userId, token } = tenancy;
      const id = await addAccount(tenancy, scopes);
      const policies = [
        policy('robot', { subject: id }),
        policy('owner', { subject: userId, action: 'manage' }),
      ];
      await clients.domains.putDomainPolicies(
        { tenantId, domainId, policies, allowLockout: true },
        { token },
      );
      const accounts = clients.serviceAccounts;
      if (isGuarded) {
        const locked = { reason: 'LOCKOUT' };
        expect(await refusalOf(accounts.deleteServiceAccount({ id }, { token }))).toMatchObject(locked);
        const off = accounts.updateServiceAccount({ id, active: false }, { token });
        expect(await refusalOf(off)).toMatchObject(locked);
      }
      const allowLockout = isGuarded;
      await accounts.updateServiceAccount({ id, active: false, allowLockout }, { token });
      expect(await accounts.deleteServiceAccount({ id }, { token })).toEqual({});
    },
  );

  it('the system root brings a user back to a tenant that only a service account manages', async () => {
    covers('AUTHZ-W.10');
    const tenancy = await createTenancy(clients);
    const { tenantId, rootDomainId: domainId, userId, token, plainToken } = tenancy;
    const request = { name: 'robot', description: '', tenantId };
    const robot = await clients.serviceAccounts.createServiceAccount(request, { token });
    const policies = [policy('robot', { subject: robot.serviceAccountId })];
    await clients.domains.putDomainPolicies({ tenantId, domainId, policies, allowLockout: true }, { token });
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId }, { token: plainToken });
    const root = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
    await clients.tenants.createTenantUserAssociation({ tenantId, userId }, root);
    // The account names the user who is a member again; without it the system root would.
    await clients.domains.putDomainPolicies(
      { tenantId, domainId, policies: [...policies, policy('owner', { subject: userId })] },
      { token: robot.token },
    );
    const back = await clients.sessions.refreshLoginWithTenant({ tenantId }, { token: plainToken });
    expect(await clients.tenants.getTenant({ id: tenantId }, back)).toMatchObject({ id: tenantId });
  });
});
