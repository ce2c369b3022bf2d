import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { requestContext, verifyListedChain, type AuthzClients } from '@platform/authz-client';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { covers } from '@platform/testing/covers';
import { ROOT_PASSWORD } from '@platform/testing';
import { NOBODYS_ID } from '../src/ids.ts';
import { SYSTEM_CHAIN } from '../src/model/audit-event.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  startFleet,
  USER_PASSWORD,
  type Fleet,
  type Tenancy,
} from './service.fixture.ts';
import { openProgram, RESOURCE } from './browser.fixture.ts';
import { refusalOf } from './clients.fixture.ts';

const DESCRIPTORS = new URL('../../../proto/gen/authz.binpb', import.meta.url);

/** Every method of `authz.v1`. */
function methods(): string[] {
  const definitions = loadFileDescriptorSetFromBuffer(readFileSync(DESCRIPTORS));
  return Object.entries(definitions)
    .filter(([name]) => /^authz\.v1\.\w+Service$/.test(name))
    .flatMap(([, service]) => Object.keys(service));
}

/** Methods that leave no row, and why. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'ListAuditEvents',
      'GetDomain',
      'GetDomainByName',
      'ListDomains',
      'ListResources',
      'GetDomainPolicies',
      'ListPolicyVersions',
      'GetShadowPolicies',
      'GetPolicyVersion',
      'GetTenant',
      'GetTenantByName',
      'ListTenants',
      'ListMyTenants',
      'GetTenantAssociations',
      'GetTenantUserAssociation',
      'GetUser',
      'GetUserByName',
      'ListUsers',
      'GetApiKey',
      'ListApiKeys',
      'ListClientGrants',
      'ListServiceAccounts',
      'GetServiceAccount',
      'GetUserAttributes',
      'FindUserByOAuth',
      'GetPublicKey',
    ].map((name) => [name, 'it reads']),
  ),
  ExplainAuthorization: 'it decides nothing',
  PlanPolicyChange: 'it keeps nothing',
  ReplayPolicies: 'it keeps nothing',
  ValidatePolicies: 'it keeps nothing',
  TestPolicies: 'it keeps nothing',
  IsLoggedIn: 'it asks about the caller themselves',
  IntrospectCredential: 'other services ask it for every request of theirs',
  FindColleagues: 'it reads',
  GetLeaseStates: 'other services ask it, without a caller',
};

interface World {
  readonly c: AuthzClients;
  readonly own: Tenancy;
  readonly other: Tenancy;
  readonly root: string;
  readonly httpUrl: string;
}

type Attempt = (world: World) => Promise<unknown>;

/**
 * One good and one refused call of every other method; `null` where a refusal is a 401, which is a metric.
 */
const CALLS: Readonly<Record<string, { readonly done: Attempt; readonly refused: Attempt | null }>> = {
  CheckAuthorization: {
    done: ({ c, own }) => check(c, own.token, own.rootDomainId),
    refused: ({ c, own, other }) => check(c, own.token, other.rootDomainId),
  },
  BatchCheckAuthorization: {
    done: ({ c, own }) =>
      c.authorization.batchCheckAuthorization(
        { checks: [{ context: contextOf(own.rootDomainId) }] },
        { token: own.token },
      ),
    refused: ({ c, own }) =>
      c.authorization.batchCheckAuthorization({ checks: [] }, { token: own.plainToken }),
  },
  SearchResources: {
    done: ({ c, own }) => searchOf(c, own.token, own.rootDomainId),
    refused: ({ c, own, other }) => searchOf(c, own.token, other.rootDomainId),
  },
  SearchSubjects: {
    done: ({ c, own }) => subjectsOf(c, own.token, own.rootDomainId),
    refused: ({ c, own, other }) => subjectsOf(c, own.token, other.rootDomainId),
  },
  SearchActions: {
    done: ({ c, own }) => actionsOf(c, own.token, own.rootDomainId),
    refused: ({ c, own, other }) => actionsOf(c, own.token, other.rootDomainId),
  },
  PlanResources: {
    done: ({ c, own }) => planOf(c, own.token, own.rootDomainId),
    refused: ({ c, own, other }) => planOf(c, own.token, other.rootDomainId),
  },
  PutResources: {
    done: ({ c, own }) => c.resources.putResources(resourcesOf(own), { token: own.token }),
    refused: ({ c, own, other }) => c.resources.putResources(resourcesOf(own), { token: other.token }),
  },
  DeleteResources: {
    done: ({ c, own }) => c.resources.deleteResources(objectsOf(own), { token: own.token }),
    refused: ({ c, own, other }) => c.resources.deleteResources(objectsOf(own), { token: other.token }),
  },
  CreateDomain: {
    done: ({ c, own }) => domainOf(c, own),
    refused: ({ c, own, other }) =>
      c.domains.createDomain(
        { tenantId: own.tenantId, name: 'x', superiorDomainIds: [] },
        { token: other.token },
      ),
  },
  UpdateDomain: {
    done: ({ c, own }) => c.domains.updateDomain(domainUpdate(own), { token: own.token }),
    refused: ({ c, own, other }) => c.domains.updateDomain(domainUpdate(own), { token: other.token }),
  },
  DeleteDomain: {
    done: async ({ c, own }) => {
      const { id } = await uncounted(() => domainOf(c, own));
      await c.domains.deleteDomain({ tenantId: own.tenantId, domainId: id }, { token: own.token });
    },
    refused: ({ c, own }) =>
      c.domains.deleteDomain({ tenantId: own.tenantId, domainId: own.rootDomainId }, { token: own.token }),
  },
  PutDomainPolicies: {
    done: async ({ c, own }) => {
      const { id } = await uncounted(() => domainOf(c, own));
      const policies = [policy('p', { subject: 'a' })];
      await c.domains.putDomainPolicies(
        { tenantId: own.tenantId, domainId: id, policies },
        { token: own.token },
      );
    },
    refused: ({ c, own }) =>
      c.domains.putDomainPolicies(
        { tenantId: own.tenantId, domainId: own.rootDomainId, policies: [] },
        { token: own.token },
      ),
  },
  RollbackPolicies: {
    done: ({ c, own }) => rollbackOf(c, own, own.token),
    refused: ({ c, own, other }) => rollbackOf(c, own, other.token),
  },
  PutShadowPolicies: {
    done: ({ c, own }) => shadowOf(c, own, own.token),
    refused: ({ c, own, other }) => shadowOf(c, own, other.token),
  },
  DeleteShadowPolicies: {
    done: async ({ c, own }) => {
      await uncounted(() => shadowOf(c, own, own.token));
      await c.policySets.deleteShadowPolicies(placeOf(own), { token: own.token });
    },
    refused: ({ c, own, other }) => c.policySets.deleteShadowPolicies(placeOf(own), { token: other.token }),
  },
  PromoteShadowPolicies: {
    done: async ({ c, own }) => {
      await uncounted(() => shadowOf(c, own, own.token));
      await c.policySets.promoteShadowPolicies({ ...placeOf(own), allowLockout: true }, { token: own.token });
    },
    refused: ({ c, own, other }) => c.policySets.promoteShadowPolicies(placeOf(own), { token: other.token }),
  },
  CreateTenant: {
    done: ({ c, own }) =>
      c.tenants.createTenant({ name: randomUUID().slice(1), description: '' }, { token: own.plainToken }),
    refused: ({ c, own }) =>
      c.tenants.createTenant({ name: own.tenantName, description: '' }, { token: own.plainToken }),
  },
  UpdateTenant: {
    done: ({ c, own }) => c.tenants.updateTenant(tenantUpdate(own), { token: own.token }),
    refused: ({ c, own, other }) => c.tenants.updateTenant(tenantUpdate(own), { token: other.token }),
  },
  DeleteTenant: {
    done: async ({ c }) => {
      const doomed = await uncounted(() => createTenancy(c));
      await c.tenants.deleteTenant({ id: doomed.tenantId }, { token: doomed.token });
    },
    refused: ({ c, own, other }) => c.tenants.deleteTenant({ id: own.tenantId }, { token: other.token }),
  },
  RefreshTenants: {
    done: ({ c, root }) => c.tenants.refreshTenants({ users: false }, { token: root }),
    refused: ({ c, own }) => c.tenants.refreshTenants({ users: false }, { token: own.token }),
  },
  CreateTenantUserAssociation: {
    done: async ({ c, own }) => {
      const { userId } = await uncounted(() => createUserAndLogin(c));
      await c.tenants.createTenantUserAssociation({ tenantId: own.tenantId, userId }, { token: own.token });
    },
    refused: ({ c, own }) =>
      c.tenants.createTenantUserAssociation(
        { tenantId: own.tenantId, userId: own.userId },
        { token: own.token },
      ),
  },
  DeleteTenantUserAssociation: {
    done: async ({ c, own }) => {
      const userId = await uncounted(() => member(c, own));
      await c.tenants.deleteTenantUserAssociation({ tenantId: own.tenantId, userId }, { token: own.token });
    },
    refused: ({ c, own }) =>
      c.tenants.deleteTenantUserAssociation(
        { tenantId: own.tenantId, userId: randomUUID() },
        { token: own.token },
      ),
  },
  CreateUser: {
    done: ({ c }) => c.users.createUser({ username: randomUUID(), email: EMAIL, password: USER_PASSWORD }),
    refused: ({ c, own }) =>
      c.users.createUser({ username: own.username, email: EMAIL, password: USER_PASSWORD }),
  },
  UpdateUser: {
    done: async ({ c }) => {
      const { userId: id, plainToken: token } = await uncounted(() => createUserAndLogin(c));
      const update = { id, email: EMAIL, password: NEW_PASSWORD, currentPassword: USER_PASSWORD };
      await c.users.updateUser(update, { token });
    },
    refused: ({ c, own }) =>
      c.users.updateUser(
        { id: own.userId, password: NEW_PASSWORD, currentPassword: WRONG_PASSWORD },
        { token: own.token },
      ),
  },
  DeleteUser: {
    done: async ({ c }) => {
      const { userId, plainToken } = await uncounted(() => createUserAndLogin(c));
      await c.users.deleteUser({ id: userId }, { token: plainToken });
    },
    refused: ({ c, own, other }) => c.users.deleteUser({ id: own.userId }, { token: other.token }),
  },
  Login: {
    done: ({ c, other }) => c.sessions.login({ username: other.username, password: USER_PASSWORD }),
    refused: ({ c, other }) => c.sessions.login({ username: other.username, password: WRONG_PASSWORD }),
  },
  Logout: {
    done: async ({ c }) => {
      const { userId, plainToken } = await uncounted(() => createUserAndLogin(c));
      await c.sessions.logout({ userId }, { token: plainToken });
    },
    refused: ({ c, own, other }) => c.sessions.logout({ userId: own.userId }, { token: other.token }),
  },
  RefreshLoginWithTenant: {
    done: ({ c, other }) =>
      c.sessions.refreshLoginWithTenant({ tenantId: other.tenantId }, { token: other.plainToken }),
    refused: ({ c, own, other }) =>
      c.sessions.refreshLoginWithTenant({ tenantId: own.tenantId }, { token: other.plainToken }),
  },
  CreateApiKey: {
    done: ({ c, own }) => c.apiKeys.createApiKey({ userId: own.userId }, { token: own.token }),
    refused: ({ c, own, other }) => c.apiKeys.createApiKey({ userId: own.userId }, { token: other.token }),
  },
  DeleteApiKey: {
    done: async ({ c, own }) => {
      const { userId, token } = own;
      const { keyId } = await uncounted(() => c.apiKeys.createApiKey({ userId }, { token }));
      await c.apiKeys.deleteApiKey({ userId, keyId }, { token });
    },
    refused: ({ c, own }) =>
      c.apiKeys.deleteApiKey({ userId: own.userId, keyId: randomUUID() }, { token: own.token }),
  },
  DeleteClientGrant: {
    done: async ({ c, own, httpUrl }) => {
      const { userId, token } = own;
      const { id } = await uncounted(async () => {
        await openProgram(httpUrl).tokens(own);
        return (await c.sessions.listClientGrants({ userId }, { token })).clientGrants[0]!;
      });
      await c.sessions.deleteClientGrant({ userId, id }, { token });
    },
    refused: ({ c, own }) =>
      c.sessions.deleteClientGrant({ userId: own.userId, id: randomUUID() }, { token: own.token }),
  },
  CreateServiceAccount: {
    done: ({ c, own }) => account(c, own),
    refused: ({ c, own, other }) =>
      c.serviceAccounts.createServiceAccount(
        { tenantId: own.tenantId, name: 'a', description: '' },
        { token: other.token },
      ),
  },
  UpdateServiceAccount: {
    done: async ({ c, own, root }) => {
      const { serviceAccountId: id } = await uncounted(() => account(c, own));
      await c.serviceAccounts.updateServiceAccount({ id, active: false }, { token: root });
    },
    refused: ({ c, own }) =>
      c.serviceAccounts.updateServiceAccount({ id: randomUUID() }, { token: own.token }),
  },
  DeleteServiceAccount: {
    done: async ({ c, own, root }) => {
      const { serviceAccountId: id } = await uncounted(() => account(c, own));
      await c.serviceAccounts.deleteServiceAccount({ id }, { token: root });
    },
    refused: ({ c, own }) =>
      c.serviceAccounts.deleteServiceAccount({ id: randomUUID() }, { token: own.token }),
  },
  RotateServiceAccountKey: {
    done: async ({ c, own, root }) => {
      const { serviceAccountId: id } = await uncounted(() => account(c, own));
      await c.serviceAccounts.rotateServiceAccountKey({ id }, { token: root });
    },
    refused: ({ c, own }) =>
      c.serviceAccounts.rotateServiceAccountKey({ id: randomUUID() }, { token: own.token }),
  },
  ExchangeServiceAccountToken: {
    done: async ({ c, own }) => {
      const { token } = await uncounted(() => account(c, own));
      await c.serviceAccounts.exchangeServiceAccountToken({ credential: token });
    },
    refused: null,
  },
  SetUserAttribute: {
    done: ({ c, own }) => c.attributes.setUserAttribute(attribute(own), { token: own.token }),
    refused: ({ c, own, other }) => c.attributes.setUserAttribute(attribute(own), { token: other.token }),
  },
  RemoveUserAttribute: {
    done: ({ c, own }) => c.attributes.removeUserAttribute(attribute(own), { token: own.token }),
    refused: ({ c, own }) => c.attributes.removeUserAttribute(attribute(own), { token: own.plainToken }),
  },
  ClearUserAttributes: {
    done: ({ c, own }) => c.attributes.clearUserAttributes({ userId: own.userId }, { token: own.token }),
    refused: ({ c, own }) =>
      c.attributes.clearUserAttributes({ userId: own.userId }, { token: own.plainToken }),
  },
  CreateEmailVerificationToken: {
    done: ({ c, own, root }) => verification(c, own.userId, root),
    refused: ({ c, own }) => verification(c, own.userId, own.token),
  },
  ValidateEmailVerificationToken: {
    done: async ({ c, own, root }) => {
      const { token } = await uncounted(() => verification(c, own.userId, root));
      await c.verification.validateEmailVerificationToken(
        { token, tokenType: TokenType.EMAIL_VERIFICATION },
        { token: root },
      );
    },
    refused: ({ c, root }) =>
      c.verification.validateEmailVerificationToken(
        { token: 'x', tokenType: TokenType.UNSPECIFIED },
        { token: root },
      ),
  },
  MarkEmailVerified: {
    done: ({ c, own, root }) => c.verification.markEmailVerified({ userId: own.userId }, { token: root }),
    refused: ({ c, own }) => c.verification.markEmailVerified({ userId: own.userId }, { token: own.token }),
  },
  CreateOAuthUser: {
    done: ({ c, root }) => oauthUser(c, root, randomUUID()),
    refused: ({ c, own }) => oauthUser(c, own.token, randomUUID()),
  },
  LoginOAuth: {
    done: async ({ c, root }) => {
      const oauthSubject = randomUUID();
      await uncounted(() => oauthUser(c, root, oauthSubject));
      await c.oauth.loginOAuth({ oauthProvider: 'p', oauthSubject }, { token: root });
    },
    refused: ({ c, root }) =>
      c.oauth.loginOAuth({ oauthProvider: 'p', oauthSubject: SECRET_SUBJECT }, { token: root }),
  },
  StoreOAuthState: {
    done: ({ c, root }) => c.oauth.storeOAuthState(oauthState(), { token: root }),
    refused: ({ c, own }) => c.oauth.storeOAuthState(oauthState(), { token: own.token }),
  },
  ValidateOAuthState: {
    done: ({ c, root }) => c.oauth.validateOAuthState({ state: SECRET_STATE }, { token: root }),
    refused: ({ c, own }) => c.oauth.validateOAuthState({ state: SECRET_STATE }, { token: own.token }),
  },
  // The last one: it ends every session of the suite.
  RetireSigningKey: {
    refused: ({ c, own }) => c.publicKeys.retireSigningKey({ keyId: 'x' }, { token: own.token }),
    done: async ({ c, root }) => {
      const { keyId } = await c.publicKeys.getPublicKey({});
      await c.publicKeys.retireSigningKey({ keyId: keyId! }, { token: root });
    },
  },
};

const EMAIL = 'secret.address@example.org';
const WRONG_PASSWORD = 'wrong password of tests 5521';
const NEW_PASSWORD = 'next password of tests 5521';
const SECRET_STATE = 'state-of-tests-5521-abcdefgh';
const SECRET_SUBJECT = 'subject-of-tests-5521';

const contextOf = (domainId: string) =>
  requestContext({ subject: 's', action: 'read', object: `svc://${domainId}/x` });
const check = (c: AuthzClients, token: string, domainId: string) =>
  c.authorization.checkAuthorization({ context: contextOf(domainId) }, { token });
const domainOf = (c: AuthzClients, { tenantId, token }: Tenancy) =>
  c.domains.createDomain({ tenantId, name: randomUUID(), superiorDomainIds: [] }, { token });
const domainUpdate = ({ tenantId, rootDomainId }: Tenancy) => ({
  tenantId,
  domain: {
    id: rootDomainId,
    tenantId,
    name: 'root',
    active: true,
    superiorDomainIds: [],
    policies: [],
    version: 0n,
  },
});
const tenantUpdate = ({ tenantId }: Tenancy) => ({
  id: tenantId,
  tenant: { id: tenantId, description: 'described', domains: [] } as never,
});
const attribute = ({ userId }: Tenancy) => ({ userId, attributeKey: 'team', attributeValues: ['red'] });
const account = (c: AuthzClients, { tenantId, token }: Tenancy) =>
  c.serviceAccounts.createServiceAccount(
    { tenantId, name: `a${randomUUID().slice(0, 8)}`, description: '' },
    { token },
  );
const verification = (c: AuthzClients, userId: string, token: string) =>
  c.verification.createEmailVerificationToken(
    { userId, email: EMAIL, tokenType: TokenType.EMAIL_VERIFICATION },
    { token },
  );
const oauthUser = (c: AuthzClients, token: string, oauthSubject: string) =>
  c.oauth.createOAuthUser(
    { username: randomUUID(), email: EMAIL, oauthProvider: 'p', oauthSubject, emailVerified: true },
    { token },
  );
const oauthState = () => ({ state: SECRET_STATE, redirectUri: 'https://x.example', nonce: SECRET_STATE });

async function member(c: AuthzClients, { tenantId, token }: Tenancy): Promise<string> {
  const { userId } = await createUserAndLogin(c);
  await c.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
  return userId;
}

const PAGE = { pageSize: 0, pageToken: '' };
const NOBODY = { subject: 'nobody', action: 'read' };

const searchOf = (c: AuthzClients, token: string, domainId: string) =>
  c.search.searchResources(
    { context: requestContext(NOBODY), domainId, prefix: '', resources: [], ...PAGE },
    { token },
  );
const subjectsOf = (c: AuthzClients, token: string, domainId: string) =>
  c.search.searchSubjects(
    {
      context: requestContext({ action: 'read', object: `svc://${domainId}/x` }),
      subjects: ['nobody'],
      ...PAGE,
    },
    { token },
  );
const placeOf = ({ tenantId, rootDomainId: domainId }: Tenancy) => ({ tenantId, domainId });
const shadowOf = async (c: AuthzClients, own: Tenancy, token: string) => {
  const { policies } = await uncounted(() => c.domains.getDomainPolicies(placeOf(own), { token: own.token }));
  return c.policySets.putShadowPolicies({ ...placeOf(own), policies }, { token });
};
const rollbackOf = (c: AuthzClients, { tenantId, rootDomainId: domainId }: Tenancy, token: string) =>
  c.policySets.rollbackPolicies({ tenantId, domainId, version: 1n }, { token });
const actionsOf = (c: AuthzClients, token: string, domainId: string) =>
  c.search.searchActions(
    {
      context: requestContext({ subject: 'nobody', object: `svc://${domainId}/x` }),
      actions: ['read'],
      ...PAGE,
    },
    { token },
  );
const planOf = (c: AuthzClients, token: string, domainId: string) =>
  c.search.planResources({ context: requestContext(NOBODY), domainId }, { token });
const objectsOf = ({ tenantId, rootDomainId: domainId }: Tenancy) => ({
  tenantId,
  domainId,
  objects: [`svc://${domainId}/x`],
});
const resourcesOf = ({ tenantId, rootDomainId: domainId }: Tenancy) => ({
  tenantId,
  domainId,
  resources: [{ object: `svc://${domainId}/x`, attributes: new Map() }],
});

let fleet: Fleet;
let world: World;
/** Rows that the preparation of a call left. */
let uncountedRows = 0;

async function uncounted<T>(prepare: () => Promise<T>): Promise<T> {
  const before = (await rows()).length;
  const made = await prepare();
  uncountedRows += (await rows()).length - before;
  return made;
}

interface Row {
  readonly operation: string | null;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly tenant_id: string;
  readonly caller_id: string;
  readonly object: string;
  readonly subject: string;
}

/** All rows of all chains, oldest first. */
async function rows(): Promise<Row[]> {
  const [replica] = fleet.replicas;
  const found = await replica!.service.deps.database.query<Row>(
    'SELECT operation, outcome, detail, tenant_id, caller_id, object, subject FROM audit_events ORDER BY id',
  );
  return found.rows;
}

/** The rows that the work leaves, without those of its preparation. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  uncountedRows = 0;
  const before = (await rows()).length;
  await work();
  return (await rows()).slice(before + uncountedRows);
}

beforeAll(async () => {
  fleet = await startFleet('postgres', { env: { AUTHZ_OAUTH_RESOURCES: RESOURCE } });
  const { clients: c, httpUrl } = fleet;
  const [own, other] = [await createTenancy(c), await createTenancy(c)];
  world = { c, own, other, root: await rootToken(c), httpUrl };
});
afterAll(() => fleet?.stop());

describe('the audit rows of the methods of the contract', () => {
  it('every method is one that leaves a row or has a reason to leave none', () => {
    covers('AUTHZ-U.7');
    expect([...Object.keys(CALLS), ...Object.keys(WITHOUT_ROW)].sort()).toEqual(methods().sort());
  });

  it.each(Object.entries(CALLS))(
    '%s leaves one row when it is done and one when it is refused',
    async (name, calls) => {
      covers('AUTHZ-U.6', 'AUTHZ-U.7');
      const isCheck = /CheckAuthorization$|^Search|^Plan/.test(name);
      const { refused } = calls;
      if (refused !== null) {
        let reason = '';
        const left = await rowsOf(async () => ({ reason } = await refusalOf(refused(world))));
        expect(left.map((row) => [row.operation, row.outcome])).toEqual([[isCheck ? null : name, reason]]);
      }
      const left = await rowsOf(() => calls.done(world));
      expect(left.map((row) => [row.operation, row.outcome])).toEqual([[isCheck ? null : name, null]]);
    },
  );

  it('every row of a change or login that was done names the user or service account it is of', async () => {
    covers('AUTHZ-U.7');
    const done = (await rows()).filter(({ operation, outcome }) => operation !== null && outcome === null);
    expect(done.filter(({ subject }) => subject === '')).toEqual([]);
    const login = done.filter(({ operation }) => operation === 'Login' || operation === 'LoginOAuth');
    expect(login.filter(({ object, subject }) => object !== `users/${subject}`)).toEqual([]);
    const exchange = done.filter(({ operation }) => operation === 'ExchangeServiceAccountToken');
    expect(exchange.map(({ object }) => object)).toEqual(
      exchange.map(({ subject }) => `service-accounts/${subject}`),
    );
  });

  it('no row holds a password, an address of e-mail, a token or a state', async () => {
    covers('AUTHZ-U.7');
    const text = JSON.stringify(await rows());
    const { own, other, root } = world;
    const tokens = [own.token, own.plainToken, other.token, root];
    const secrets = [
      ROOT_PASSWORD,
      USER_PASSWORD,
      WRONG_PASSWORD,
      NEW_PASSWORD,
      EMAIL,
      SECRET_STATE,
      SECRET_SUBJECT,
    ];
    for (const secret of [...secrets, ...tokens]) expect(text).not.toContain(secret);
    expect(text).toContain('current_password');
  });
});

describe('what an audit row says', () => {
  let own: Tenancy;
  let root: string;
  beforeAll(async () => {
    own = await createTenancy(fleet.clients);
    root = await rootToken(fleet.clients);
  });
  const list = (filter: { kind?: AuditKind; operation?: string; refused?: boolean }, system = false) =>
    fleet.clients.authorization.listAuditEvents(
      { tenantId: system ? '' : own.tenantId, limit: 0, cursor: '', ...filter },
      { token: system ? root : own.token },
    );

  it('a change says who did it from where, which fields, and the versions before and after', async () => {
    covers('AUTHZ-U.7', 'AUTHZ-U.8');
    const { tenantId, token, rootDomainId } = own;
    const { policies, version } = await fleet.clients.domains.getDomainPolicies(
      { tenantId, domainId: rootDomainId },
      { token },
    );
    await fleet.clients.domains.putDomainPolicies(
      { tenantId, domainId: rootDomainId, policies: [...policies, policy('more', { subject: 'a' })] },
      { token },
    );
    const { events } = await list({ kind: AuditKind.CHANGE, operation: 'PutDomainPolicies' });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      tenantId,
      callerId: own.userId,
      subject: own.userId,
      action: 'PutDomainPolicies',
      object: `domains/${rootDomainId}/policies`,
      decision: true,
      outcome: '',
    });
    expect(JSON.parse(events[0]!.detail)).toMatchObject({
      address: '127.0.0.1',
      fields: ['tenant_id', 'domain_id', 'policies'],
      before: { version: Number(version), policies: policies.length },
      after: { version: Number(version) + 1, policies: policies.length + 1 },
    });
  });

  it('a set of policies replaced by another of its size leaves a row that tells the two apart', async () => {
    covers('AUTHZ-U.10');
    const { tenantId, token } = own;
    const { id: domainId } = await domainOf(fleet.clients, own);
    const put = (name: string) =>
      fleet.clients.domains.putDomainPolicies(
        { tenantId, domainId, policies: [policy(name, { subject: 'a', action: 'read' })] },
        { token },
      );
    for (const name of ['one', 'two', 'one']) await put(name);
    await fleet.clients.domains.deleteDomain({ tenantId, domainId }, { token });
    const { events } = await list({ kind: AuditKind.CHANGE });
    const [deleted, again, two, one] = events.map(
      ({ detail }) => JSON.parse(detail) as Record<'before' | 'after', { digest: string }>,
    );
    expect(one!.after.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(two!.before).toEqual(one!.after);
    expect(two!.after.digest).not.toBe(one!.after.digest);
    expect(again!.after.digest).toBe(one!.after.digest);
    expect(deleted!.before.digest).toBe(one!.after.digest);
  });

  it('a raised quota is in the chain of its tenant with the limits before and after', async () => {
    covers('AUTHZ-U.7');
    const tenant = {
      id: own.tenantId,
      domains: [],
      dataPlane: { maxTokens: 7n, tokens: 0n, overage: 0n },
    } as never;
    await fleet.clients.tenants.updateTenant({ id: own.tenantId, tenant }, { token: root });
    const { events } = await list({ operation: 'UpdateTenant' });
    const { before, after } = JSON.parse(events[0]!.detail) as Record<string, { data_plane: object }>;
    expect(before!.data_plane).toMatchObject({ max_tokens: 10_000_000 });
    expect(after!.data_plane).toMatchObject({ max_tokens: 7 });
  });

  it('a failed login is in the chain of the system, names the user it was for, and not what was typed', async () => {
    covers('AUTHZ-U.7', 'AUTHZ-U.8');
    const login = (username: string) =>
      refusalOf(fleet.clients.sessions.login({ username, password: WRONG_PASSWORD }));
    await login(own.username);
    await login(NEW_PASSWORD);
    const { events } = await list({ kind: AuditKind.LOGIN, refused: true }, true);
    const shown = events
      .slice(0, 2)
      .map(({ object, subject, outcome, callerId }) => [object, subject, outcome, callerId]);
    expect(shown).toEqual([
      ['users', '', 'LOGIN_FAILED', NOBODYS_ID],
      [`users/${own.userId}`, own.userId, 'LOGIN_FAILED', NOBODYS_ID],
    ]);
    expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain(NEW_PASSWORD);
  });

  it('a refused check on a foreign domain is in the chain of the caller, with the object that was asked about', async () => {
    covers('AUTHZ-U.6');
    await refusalOf(check(fleet.clients, own.token, world.other.rootDomainId));
    const { events } = await list({ kind: AuditKind.CHECK, refused: true });
    expect(events[0]).toMatchObject({
      outcome: 'DOMAIN_NOT_ACCESSIBLE',
      callerId: own.userId,
      domainId: world.other.rootDomainId,
      object: `svc://${world.other.rootDomainId}/x`,
      decision: false,
    });
  });

  it('refused checks leave a row over REST, AuthZEN and in a batch as over gRPC', async () => {
    covers('AUTHZ-U.6');
    const post = (path: string, body: string, type = 'application/json') =>
      fetch(fleet.httpUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${own.token}`, 'content-type': type },
        body,
      });
    const foreign = { subject: 's', action: 'read', object: `svc://${randomUUID()}/x` };
    const bad: [string, string, string?][] = [
      ['/v1/authz/check', JSON.stringify({ context: foreign })],
      ['/v1/authz/check', JSON.stringify({ context: { subject: 1 } })],
      ['/v1/authz/check', '{'],
      ['/v1/authz/check:batch', JSON.stringify({ checks: 1 })],
      ['/v1/authz/check:batch', JSON.stringify({ checks: [{ context: foreign }] })],
      ['/access/v1/evaluation', '{}'],
      ['/access/v1/evaluation', '{}', 'text/plain'],
      ['/access/v1/evaluations', '[]'],
    ];
    for (const [path, body, type] of bad) {
      const left = await rowsOf(() => post(path, body, type));
      expect([path, body, left.length, left[0]?.outcome === null]).toEqual([path, body, 1, false]);
    }
    const withKey = await rowsOf(() =>
      fetch(`${fleet.httpUrl}/v1/authz/check`, { method: 'POST', headers: { authorization: 'Bearer x' } }),
    );
    expect(withKey).toEqual([]);
  });

  it('a malformed check by an ended session is refused as such and leaves no row', async () => {
    covers('AUTHZ-U.6');
    const { userId, plainToken } = await createUserAndLogin(fleet.clients);
    await fleet.clients.sessions.logout({ userId }, { token: plainToken });
    const left = await rowsOf(async () => {
      const call = fleet.clients.authorization.checkAuthorization(
        { context: new Map() },
        { token: plainToken },
      );
      expect(await refusalOf(call)).toMatchObject({ code: 16, reason: 'TOKEN_INVALID' });
    });
    expect(left).toEqual([]);
  });

  it('a used-up quota leaves no row', async () => {
    covers('AUTHZ-U.6');
    const poor = await createTenancy(fleet.clients);
    const tenant = {
      id: poor.tenantId,
      domains: [],
      dataPlane: { maxTokens: 0n, maxOverage: 0n, tokens: 0n, overage: 0n },
    } as never;
    await fleet.clients.tenants.updateTenant({ id: poor.tenantId, tenant }, { token: root });
    const left = await rowsOf(async () => {
      expect(await refusalOf(check(fleet.clients, poor.token, poor.rootDomainId))).toMatchObject({ code: 8 });
    });
    expect(left).toEqual([]);
  });

  it('the chains of tenants and of the system hold over rows of all kinds', async () => {
    covers('AUTHZ-U.5', 'AUTHZ-U.8');
    const report = await verifyListedChain(fleet.clients, { token: own.token }, own.tenantId);
    expect(report.broken).toBeNull();
    expect(report.rows).toBeGreaterThan(5);
    expect((await verifyListedChain(fleet.clients, { token: root }, '')).broken).toBeNull();
  });

  it('the rows of no tenant are refused to all but the system root', async () => {
    covers('AUTHZ-U.8');
    for (const tenantId of ['', SYSTEM_CHAIN]) {
      const call = fleet.clients.authorization.listAuditEvents(
        { tenantId, limit: 0, cursor: '' },
        { token: own.token },
      );
      expect(await refusalOf(call)).toMatchObject({ reason: 'ACCESS_DENIED' });
    }
  });
});
