import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  requestContext,
  type AuthzClients,
  type CallExtras,
  type GrpcCallError,
} from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

interface Ids {
  readonly tenantId: string;
  readonly domainId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly tenantName: string;
  readonly username: string;
}

const PAGE = { pageSize: 0, pageToken: '' };

/** Every operation that takes an id or a name, asked by an outsider. */
const OPERATIONS: Record<string, (clients: AuthzClients, ids: Ids, extras: CallExtras) => Promise<unknown>> =
  {
    CheckAuthorization: (c, { domainId }, x) =>
      c.authorization.checkAuthorization(
        { context: requestContext({ subject: 'a', action: 'b', object: `svc://${domainId}/x` }) },
        x,
      ),
    ExplainAuthorization: (c, { domainId }, x) =>
      c.authorization.explainAuthorization(
        { context: requestContext({ subject: 'a', action: 'b', object: `svc://${domainId}/x` }) },
        x,
      ),
    SearchResources: (c, { domainId }, x) =>
      c.search.searchResources(
        {
          context: requestContext({ subject: 'a', action: 'b' }),
          domainId,
          prefix: '',
          resources: [],
          ...PAGE,
        },
        x,
      ),
    SearchSubjects: (c, { domainId }, x) =>
      c.search.searchSubjects(
        { context: requestContext({ action: 'b', object: `svc://${domainId}/x` }), subjects: [], ...PAGE },
        x,
      ),
    SearchActions: (c, { domainId }, x) =>
      c.search.searchActions(
        { context: requestContext({ subject: 'a', object: `svc://${domainId}/x` }), actions: [], ...PAGE },
        x,
      ),
    PlanResources: (c, { domainId }, x) =>
      c.search.planResources({ context: requestContext({ subject: 'a', action: 'b' }), domainId }, x),
    PutResources: (c, { tenantId, domainId }, x) =>
      c.resources.putResources(
        { tenantId, domainId, resources: [{ object: `svc://${domainId}/x`, attributes: new Map() }] },
        x,
      ),
    DeleteResources: (c, { tenantId, domainId }, x) =>
      c.resources.deleteResources({ tenantId, domainId, objects: [`svc://${domainId}/x`] }, x),
    ListResources: (c, { tenantId, domainId }, x) =>
      c.resources.listResources({ tenantId, domainId, prefix: '', ...PAGE }, x),
    ListAuditEvents: (c, { tenantId }, x) =>
      c.authorization.listAuditEvents({ tenantId, limit: 0, cursor: '' }, x),
    CreateDomain: (c, { tenantId }, x) =>
      c.domains.createDomain({ tenantId, name: 'mine', superiorDomainIds: [] }, x),
    GetDomain: (c, { tenantId, domainId }, x) => c.domains.getDomain({ tenantId, domainId }, x),
    GetDomainByName: (c, { tenantId }, x) => c.domains.getDomainByName({ tenantId, name: 'root' }, x),
    UpdateDomain: (c, { tenantId, domainId }, x) =>
      c.domains.updateDomain(
        {
          tenantId,
          domain: {
            id: domainId,
            tenantId,
            name: 'n',
            active: true,
            superiorDomainIds: [],
            policies: [],
            version: 1n,
          },
        },
        x,
      ),
    DeleteDomain: (c, { tenantId, domainId }, x) => c.domains.deleteDomain({ tenantId, domainId }, x),
    ListDomains: (c, { tenantId }, x) => c.domains.listDomains({ tenantId }, x),
    GetDomainPolicies: (c, { tenantId, domainId }, x) =>
      c.domains.getDomainPolicies({ tenantId, domainId }, x),
    PutDomainPolicies: (c, { tenantId, domainId }, x) =>
      c.domains.putDomainPolicies({ tenantId, domainId, policies: [policy('p', { a: 'b' })] }, x),
    ListPolicyVersions: (c, { tenantId, domainId }, x) =>
      c.policySets.listPolicyVersions({ tenantId, domainId }, x),
    GetPolicyVersion: (c, { tenantId, domainId }, x) =>
      c.policySets.getPolicyVersion({ tenantId, domainId, version: 1n }, x),
    PlanPolicyChange: (c, { tenantId, domainId }, x) =>
      c.policySets.planPolicyChange({ tenantId, domainId, policies: [policy('p', { a: 'b' })] }, x),
    ReplayPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.replayPolicies(
        { tenantId, domainId, policies: [policy('p', { a: 'b' })], since: new Date(0), until: undefined },
        x,
      ),
    RollbackPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.rollbackPolicies({ tenantId, domainId, version: 1n }, x),
    PutShadowPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.putShadowPolicies({ tenantId, domainId, policies: [policy('p', { a: 'b' })] }, x),
    GetShadowPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.getShadowPolicies({ tenantId, domainId }, x),
    DeleteShadowPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.deleteShadowPolicies({ tenantId, domainId }, x),
    PromoteShadowPolicies: (c, { tenantId, domainId }, x) =>
      c.policySets.promoteShadowPolicies({ tenantId, domainId }, x),
    GetTenant: (c, { tenantId }, x) => c.tenants.getTenant({ id: tenantId }, x),
    GetTenantByName: (c, { tenantName }, x) => c.tenants.getTenantByName({ name: tenantName }, x),
    UpdateTenant: (c, { tenantId }, x) =>
      c.tenants.updateTenant(
        {
          id: '',
          tenant: {
            id: tenantId,
            name: 'n',
            description: '',
            active: false,
            subscription: '',
            controlPlane: undefined,
            dataPlane: undefined,
            lastTokenReset: undefined,
            domains: [],
          },
        },
        x,
      ),
    DeleteTenant: (c, { tenantId }, x) => c.tenants.deleteTenant({ id: tenantId }, x),
    GetTenantAssociations: (c, { tenantId }, x) => c.tenants.getTenantAssociations({ tenantId }, x),
    GetTenantUserAssociation: (c, { tenantId, userId }, x) =>
      c.tenants.getTenantUserAssociation({ tenantId, userId }, x),
    CreateTenantUserAssociation: (c, { tenantId, userId }, x) =>
      c.tenants.createTenantUserAssociation({ tenantId, userId }, x),
    DeleteTenantUserAssociation: (c, { tenantId, userId }, x) =>
      c.tenants.deleteTenantUserAssociation({ tenantId, userId }, x),
    GetUser: (c, { userId }, x) => c.users.getUser({ id: userId }, x),
    GetUserByName: (c, { username }, x) => c.users.getUserByName({ username }, x),
    UpdateUser: (c, { userId }, x) => c.users.updateUser({ id: userId, active: false }, x),
    DeleteUser: (c, { userId }, x) => c.users.deleteUser({ id: userId }, x),
    Logout: (c, { userId }, x) => c.sessions.logout({ userId }, x),
    CreateApiKey: (c, { userId }, x) => c.apiKeys.createApiKey({ userId }, x),
    GetApiKey: (c, { userId, keyId }, x) => c.apiKeys.getApiKey({ userId, keyId }, x),
    DeleteApiKey: (c, { userId, keyId }, x) => c.apiKeys.deleteApiKey({ userId, keyId }, x),
    ListApiKeys: (c, { userId }, x) => c.apiKeys.listApiKeys({ userId }, x),
    ListClientGrants: (c, { userId }, x) => c.sessions.listClientGrants({ userId }, x),
    DeleteClientGrant: (c, { userId, keyId }, x) => c.sessions.deleteClientGrant({ userId, id: keyId }, x),
    CreateServiceAccount: (c, { tenantId }, x) =>
      c.serviceAccounts.createServiceAccount({ tenantId, name: 'mine', description: '' }, x),
    ListServiceAccounts: (c, { tenantId }, x) => c.serviceAccounts.listServiceAccounts({ tenantId }, x),
    GetServiceAccount: (c, { accountId }, x) => c.serviceAccounts.getServiceAccount({ id: accountId }, x),
    UpdateServiceAccount: (c, { accountId }, x) =>
      c.serviceAccounts.updateServiceAccount({ id: accountId, active: false }, x),
    DeleteServiceAccount: (c, { accountId }, x) =>
      c.serviceAccounts.deleteServiceAccount({ id: accountId }, x),
    SetUserAttribute: (c, { userId }, x) =>
      c.attributes.setUserAttribute({ userId, attributeKey: 'k', attributeValues: ['v'] }, x),
    RemoveUserAttribute: (c, { userId }, x) =>
      c.attributes.removeUserAttribute({ userId, attributeKey: 'k', attributeValues: [] }, x),
    GetUserAttributes: (c, { userId }, x) => c.attributes.getUserAttributes({ userId }, x),
    ClearUserAttributes: (c, { userId }, x) => c.attributes.clearUserAttributes({ userId }, x),
    CreateEmailVerificationToken: (c, { userId }, x) =>
      c.verification.createEmailVerificationToken({ userId, email: 'a@b.example', tokenType: 1 }, x),
    MarkEmailVerified: (c, { userId }, x) => c.verification.markEmailVerified({ userId }, x),
  };

/** RefreshLoginWithTenant needs a session without tenant, so it is asked with one. */
const WITHOUT_TENANT: typeof OPERATIONS = {
  RefreshLoginWithTenant: (c, { tenantId }, x) => c.sessions.refreshLoginWithTenant({ tenantId }, x),
  'RefreshLoginWithTenant by name': (c, { tenantName }, x) =>
    c.sessions.refreshLoginWithTenant({ tenantId: tenantName }, x),
};

/** What is done to the account of a user, and what to a user as a member of a tenant. */
const OF_ACCOUNT = [
  'UpdateUser',
  'DeleteUser',
  'Logout',
  'CreateApiKey',
  'GetApiKey',
  'DeleteApiKey',
  'ListApiKeys',
  'ListClientGrants',
  'DeleteClientGrant',
  'CreateEmailVerificationToken',
  'MarkEmailVerified',
] as const;
const OF_MEMBER = [
  'GetUser',
  'GetTenantUserAssociation',
  'DeleteTenantUserAssociation',
  'SetUserAttribute',
  'RemoveUserAttribute',
  'GetUserAttributes',
  'ClearUserAttributes',
] as const;

describe("a foreign tenant's ids get the responses of unknown ones, byte for byte", () => {
  let fleet: Fleet;
  let outsider: Tenancy;
  let foreign: Ids;
  const unknown: Ids = {
    tenantId: randomUUID(),
    domainId: randomUUID(),
    userId: randomUUID(),
    keyId: randomUUID(),
    accountId: randomUUID(),
    tenantName: randomUUID(),
    username: randomUUID(),
  };
  beforeAll(async () => {
    fleet = await startFleet('postgres');
    const { clients } = fleet;
    outsider = await createTenancy(clients);
    const owner = await createTenancy(clients);
    const extras = { token: owner.token };
    const { keyId } = await clients.apiKeys.createApiKey({ userId: owner.userId }, extras);
    const account = await clients.serviceAccounts.createServiceAccount(
      { tenantId: owner.tenantId, name: 'theirs', description: '' },
      extras,
    );
    foreign = {
      tenantId: owner.tenantId,
      domainId: owner.rootDomainId,
      userId: owner.userId,
      keyId,
      accountId: account.serviceAccountId,
      tenantName: owner.tenantName,
      username: owner.username,
    };
  });
  afterAll(() => fleet?.stop());

  /** Everything that travels back: status, text, and the metadata with the details' bytes. */
  async function answer(operation: (typeof OPERATIONS)[string], ids: Ids, token: string): Promise<unknown> {
    const extras = { token, metadata: { 'x-request-id': 'the-same' } };
    try {
      return { answered: await operation(fleet.clients, ids, extras) };
    } catch (error) {
      const { code, message, cause } = error as GrpcCallError;
      const metadata = (cause as { metadata: { getMap(): Record<string, unknown> } }).metadata.getMap();
      delete metadata['date'];
      // Every refused check has a row of its own.
      delete metadata['x-check-id'];
      return { code, message, metadata: JSON.stringify(metadata) };
    }
  }

  it.each(Object.entries(OPERATIONS))(
    '%s responds about a foreign thing as about one that is not there',
    async (_name, operation) => {
      covers('AUTHZ-X.1');
      const theirs = await answer(operation, foreign, outsider.token);
      expect(theirs).toEqual(await answer(operation, unknown, outsider.token));
    },
  );

  it.each(Object.entries(WITHOUT_TENANT))(
    '%s refuses a caller without a tenant whatever is there',
    async (_name, operation) => {
      covers('AUTHZ-X.1');
      const theirs = await answer(operation, foreign, outsider.plainToken);
      expect(theirs).toEqual(await answer(operation, unknown, outsider.plainToken));
      expect(theirs).toMatchObject({ code: 7, message: 'not permitted' });
    },
  );

  it('mixes of own tenant and foreign parts get the same responses, too', async () => {
    covers('AUTHZ-X.2');
    const own = (ids: Ids): Ids => ({ ...ids, tenantId: outsider.tenantId });
    for (const name of [
      'GetDomain',
      'UpdateDomain',
      'DeleteDomain',
      'GetDomainPolicies',
      'PutDomainPolicies',
      'ListPolicyVersions',
      'GetPolicyVersion',
      'RollbackPolicies',
      'PlanPolicyChange',
      'ReplayPolicies',
      'PutShadowPolicies',
      'GetShadowPolicies',
      'DeleteShadowPolicies',
      'PromoteShadowPolicies',
      'PutResources',
      'DeleteResources',
      'ListResources',
    ] as const) {
      const operation = OPERATIONS[name] as (typeof OPERATIONS)[string];
      const theirs = await answer(operation, own(foreign), outsider.token);
      expect(theirs).toEqual(await answer(operation, own(unknown), outsider.token));
      expect(theirs).toMatchObject({ code: 5 });
    }
  });

  it('a founder who associates a user without asking them may do nothing to their account', async () => {
    covers('AUTHZ-K.16');
    const { clients } = fleet;
    const extras = { token: outsider.token };
    const { tenantId } = outsider;
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: foreign.userId }, extras);
    for (const name of OF_ACCOUNT) {
      const refused = await answer(
        OPERATIONS[name] as (typeof OPERATIONS)[string],
        { ...foreign, tenantId },
        outsider.token,
      );
      expect([name, refused]).toEqual([name, expect.objectContaining({ code: 7 })]);
    }
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId: foreign.userId }, extras);
  });

  it('a founder learns whether a user id exists from an association alone', async () => {
    covers('AUTHZ-K.16');
    const own = (ids: Ids): Ids => ({ ...ids, tenantId: outsider.tenantId });
    for (const name of [...OF_ACCOUNT, ...OF_MEMBER]) {
      const operation = OPERATIONS[name] as (typeof OPERATIONS)[string];
      const theirs = { ...own(unknown), userId: foreign.userId };
      expect([name, await answer(operation, theirs, outsider.token)]).toEqual([
        name,
        await answer(operation, own(unknown), outsider.token),
      ]);
    }
    const associate = OPERATIONS['CreateTenantUserAssociation'] as (typeof OPERATIONS)[string];
    expect(await answer(associate, own(unknown), outsider.token)).toMatchObject({ code: 5 });
    expect(await answer(associate, own(foreign), outsider.token)).toEqual({ answered: {} });
  });
});
