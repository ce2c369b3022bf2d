import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MethodDefinition } from '@grpc/grpc-js';
import { AUTHZ_SERVICES, requestContext, type AuthzClients } from '@platform/authz-client';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { Domain } from '@platform/proto/authz/v1/domain';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  rootToken,
  USER_PASSWORD,
  type Replica,
} from './service.fixture.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a method of any service
type AnyMethod = MethodDefinition<any, any>;
type AnyCall = (request: unknown, extras: { token: string }) => Promise<unknown>;

interface Operation {
  readonly name: string;
  readonly service: keyof typeof AUTHZ_SERVICES;
  readonly method: string;
  readonly definition: AnyMethod;
}

/** Every operation of the proto. */
const OPERATIONS: readonly Operation[] = Object.entries(AUTHZ_SERVICES).flatMap(([service, methods]) =>
  Object.entries(methods as Record<string, AnyMethod>).map(([method, definition]) => ({
    name: definition.path.split('/').at(-1) as string,
    service: service as keyof typeof AUTHZ_SERVICES,
    method,
    definition,
  })),
);

/** Operations that take no credential, or report one that is not live without refusing the call. */
const OPEN: ReadonlySet<string> = new Set([
  'CreateUser',
  'Login',
  'IsLoggedIn',
  'IntrospectCredential',
  'GetLeaseStates',
  'ExchangeServiceAccountToken',
  'GetPublicKey',
]);

/** What makes, changes or ends a credential or an account, and so needs a session of a user. */
const SESSION_ONLY: readonly string[] = [
  'UpdateUser',
  'DeleteUser',
  'CreateApiKey',
  'DeleteApiKey',
  'DeleteClientGrant',
  'CreateServiceAccount',
  'UpdateServiceAccount',
  'RotateServiceAccountKey',
  'DeleteServiceAccount',
  'CreateTenantUserAssociation',
  'DeleteTenantUserAssociation',
  'DeleteTenant',
  'Logout',
  'RefreshLoginWithTenant',
  'RetireSigningKey',
];

const KINDS = ['session', 'tenantSession', 'apiKey', 'accountKey', 'accountSession'] as const;
type Kind = (typeof KINDS)[number];

const PASSWORD_2 = 'another password for tests 5520';
const EXPIRED_MS = 366 * 86_400_000;

/** One user with a tenant, one service account, and a credential of every kind. */
interface World {
  readonly userId: string;
  readonly username: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly rootDomainId: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Session of another user who may do everything in the tenant. */
  readonly adminToken: string;
  readonly tokens: Readonly<Record<Kind, string>>;
}

describe('credentials', () => {
  let now = Date.now();
  const fleet = useFleet('postgres and redis', { replicas: 2, now: () => new Date(now) });
  const { clients } = fleet;
  let root: string;
  beforeAll(async () => {
    root = await rootToken(clients);
  });

  async function createWorld(): Promise<World> {
    const { userId, username, tenantId, tenantName, rootDomainId, plainToken, token } =
      await createTenancy(clients);
    const { apiKey, keyId } = await clients.apiKeys.createApiKey({ userId }, { token });
    const account = await clients.serviceAccounts.createServiceAccount(
      { name: `ci-${randomUUID()}`, description: '', tenantId },
      { token },
    );
    const exchanged = await clients.serviceAccounts.exchangeServiceAccountToken({
      credential: account.token,
    });
    return {
      userId,
      username,
      tenantId,
      tenantName,
      rootDomainId,
      keyId,
      accountId: account.serviceAccountId,
      adminToken: root,
      tokens: {
        session: plainToken,
        tenantSession: token,
        apiKey,
        accountKey: account.token,
        accountSession: exchanged.token,
      },
    };
  }

  /** The operation with ids of the world where it takes ids, so that the credential decides. */
  function call(operation: Operation, world: World, token: string, on: AuthzClients = clients) {
    const request = operation.definition.requestDeserialize(Buffer.alloc(0)) as Record<string, unknown>;
    const ids: Record<string, string> = {
      userId: world.userId,
      tenantId: world.tenantId,
      domainId: world.rootDomainId,
      keyId: world.keyId,
      name: `name-${randomUUID()}`,
      id:
        operation.service === 'users'
          ? world.userId
          : operation.service === 'tenants'
            ? world.tenantId
            : world.accountId,
    };
    for (const [field, id] of Object.entries(ids)) if (field in request) request[field] = id;
    if (operation.name === 'UpdateTenant') request['tenant'] = tenantOf(world);
    if (operation.name === 'UpdateDomain') request['domain'] = domainOf(world);
    if ('tokenType' in request) request['tokenType'] = TokenType.PASSWORD_RESET;
    if (operation.name.endsWith('Authorization') && 'context' in request)
      request['context'] = contextOf(world);
    if (operation.service === 'search') {
      request['context'] = contextOf(world);
      const searched = { SearchSubjects: 'subject', SearchActions: 'action' }[operation.name] ?? 'object';
      (request['context'] as Map<string, unknown>).delete(searched);
    }
    return (on[operation.service] as unknown as Record<string, AnyCall>)[operation.method]?.(request, {
      token,
    });
  }

  const tenantOf = ({ tenantId, tenantName }: World) => ({
    id: tenantId,
    name: tenantName,
    description: '',
    active: true,
    controlPlane: undefined,
    dataPlane: undefined,
    lastTokenReset: undefined,
    subscription: '',
    domains: [],
  });
  const domainOf = ({ rootDomainId, tenantId }: World) => ({
    id: rootDomainId,
    name: 'root',
    tenantId,
    active: true,
    superiorDomainIds: [],
    policies: [],
    version: 1n,
  });
  const contextOf = ({ rootDomainId, userId }: World) =>
    requestContext({ subject: userId, action: 'read', object: `svc://${rootDomainId}/x` });

  const isLive = async (on: AuthzClients, token: string) => {
    const { isLoggedIn } = await on.sessions.isLoggedIn({}, { token });
    const { live } = await on.sessions.introspectCredential({ credential: token });
    expect(live).toBe(isLoggedIn);
    return isLoggedIn;
  };
  /** Kinds whose credential is live on this replica. */
  async function liveKinds({ tokens }: World, { clients: on }: Replica): Promise<Kind[]> {
    const live: Kind[] = [];
    for (const kind of KINDS) if (await isLive(on, tokens[kind])) live.push(kind);
    return live;
  }

  it('a rule on credentials covers every operation of the proto', () => {
    const folder = new URL('../../../proto/authz/v1/', import.meta.url);
    const declared = readdirSync(folder).flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^\s*rpc (\w+)/gm)].map(([, name]) => name!),
    );
    expect(OPERATIONS.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
    const names = new Set(declared);
    expect([...OPEN, ...SESSION_ONLY].filter((name) => !names.has(name))).toEqual([]);
  });

  it('operations on credentials are refused to every credential except a session of a user', async () => {
    covers('AUTHZ-K.1');
    const world = await createWorld();
    const refused: [string, string, string][] = [];
    const expected: [string, string, string][] = [];
    for (const operation of OPERATIONS.filter(({ name }) => SESSION_ONLY.includes(name))) {
      for (const kind of ['apiKey', 'accountKey', 'accountSession'] as const) {
        const { reason } = await refusalOf(call(operation, world, world.tokens[kind]) as Promise<unknown>);
        refused.push([operation.name, kind, reason]);
        expected.push([operation.name, kind, 'SESSION_REQUIRED']);
      }
    }
    expect(refused).toEqual(expected);
    expect(await liveKinds(world, fleet.replicas[0] as Replica)).toEqual(KINDS);
  });

  it('every operation is refused to a key without its scope', async () => {
    covers('AUTHZ-K.2');
    const world = await createWorld();
    const { apiKey } = await clients.apiKeys.createApiKey(
      { userId: world.userId, scopes: { values: ['documents'] } },
      { token: world.tokens.tenantSession },
    );
    const reasons = new Map<string, string>();
    for (const operation of OPERATIONS.filter(({ name }) => !OPEN.has(name))) {
      reasons.set(
        operation.name,
        (await refusalOf(call(operation, world, apiKey) as Promise<unknown>)).reason,
      );
    }
    const others = [...reasons].filter(
      ([name, reason]) => reason !== (SESSION_ONLY.includes(name) ? 'SESSION_REQUIRED' : 'ACCESS_DENIED'),
    );
    expect(others).toEqual([]);
    const { scopes } = await clients.sessions.introspectCredential({ credential: apiKey });
    expect(scopes).toEqual(['documents']);
  });

  /** Every way in which credentials end: what it ends, how, and what must not bring them back. */
  const ENDS: readonly {
    readonly way: string;
    readonly ends: readonly Kind[];
    end(world: World): Promise<unknown>;
    revive?(world: World): Promise<unknown>;
  }[] = [
    {
      way: 'logout of the first session',
      ends: ['session', 'tenantSession'],
      end: ({ userId, tokens }) => clients.sessions.logout({ userId }, { token: tokens.session }),
    },
    {
      way: 'logout of a derived session',
      ends: ['tenantSession'],
      end: ({ userId, tokens }) => clients.sessions.logout({ userId }, { token: tokens.tenantSession }),
    },
    {
      way: 'deletion of the key',
      ends: ['apiKey'],
      end: ({ userId, keyId, tokens }) =>
        clients.apiKeys.deleteApiKey({ userId, keyId }, { token: tokens.session }),
    },
    {
      way: 'a new password',
      ends: ['tenantSession', 'apiKey'],
      end: ({ userId, tokens }) =>
        clients.users.updateUser(
          { id: userId, password: PASSWORD_2, currentPassword: USER_PASSWORD },
          { token: tokens.session },
        ),
    },
    {
      way: 'a new password that leaves the keys',
      ends: ['tenantSession'],
      end: ({ userId, tokens }) =>
        clients.users.updateUser(
          { id: userId, password: PASSWORD_2, currentPassword: USER_PASSWORD, revokeApiKeys: false },
          { token: tokens.session },
        ),
    },
    {
      way: 'a password reset',
      ends: ['session', 'tenantSession', 'apiKey'],
      end: async ({ userId }) => {
        const request = { userId, email: 'a@example.org', tokenType: TokenType.PASSWORD_RESET };
        const { token } = await clients.verification.createEmailVerificationToken(request, { token: root });
        const update = { id: userId, password: PASSWORD_2, resetToken: token };
        return clients.users.updateUser(update, { token: root });
      },
    },
    {
      way: 'deactivation of the user',
      ends: ['session', 'tenantSession', 'apiKey'],
      end: ({ userId }) => clients.users.updateUser({ id: userId, active: false }, { token: root }),
      revive: ({ userId }) => clients.users.updateUser({ id: userId, active: true }, { token: root }),
    },
    {
      way: 'deletion of the user',
      ends: ['session', 'tenantSession', 'apiKey'],
      end: ({ userId, tokens }) =>
        clients.users.deleteUser({ id: userId, allowLockout: true }, { token: tokens.session }),
    },
    {
      way: 'removal from the tenant',
      ends: ['tenantSession', 'apiKey'],
      end: ({ userId, tenantId, adminToken }) =>
        clients.tenants.deleteTenantUserAssociation({ tenantId, userId }, { token: adminToken }),
      revive: ({ userId, tenantId, adminToken }) =>
        clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token: adminToken }),
    },
    {
      way: 'leaving the tenant',
      ends: ['tenantSession', 'apiKey'],
      end: ({ userId, tenantId, tokens }) =>
        clients.tenants.deleteTenantUserAssociation(
          { tenantId, userId, allowLockout: true },
          { token: tokens.session },
        ),
      revive: ({ userId, tenantId }) =>
        clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token: root }),
    },
    {
      way: 'deactivation of the tenant',
      ends: ['tenantSession', 'apiKey', 'accountKey', 'accountSession'],
      end: (world) =>
        clients.tenants.updateTenant(
          { id: world.tenantId, tenant: { ...tenantOf(world), active: false } },
          { token: root },
        ),
      revive: (world) =>
        clients.tenants.updateTenant({ id: world.tenantId, tenant: tenantOf(world) }, { token: root }),
    },
    {
      way: 'deletion of the tenant',
      ends: ['tenantSession', 'apiKey', 'accountKey', 'accountSession'],
      end: ({ tenantId, tokens }) =>
        clients.tenants.deleteTenant({ id: tenantId }, { token: tokens.tenantSession }),
    },
    {
      way: 'deactivation of the service account',
      ends: ['accountKey', 'accountSession'],
      end: ({ accountId, tokens }) =>
        clients.serviceAccounts.updateServiceAccount(
          { id: accountId, active: false },
          { token: tokens.tenantSession },
        ),
      revive: ({ accountId, tokens }) =>
        clients.serviceAccounts.updateServiceAccount(
          { id: accountId, active: true },
          { token: tokens.tenantSession },
        ),
    },
    {
      way: 'deletion of the service account',
      ends: ['accountKey', 'accountSession'],
      end: ({ accountId, tokens }) =>
        clients.serviceAccounts.deleteServiceAccount({ id: accountId }, { token: tokens.tenantSession }),
    },
    {
      way: "rotation of the service account's key",
      ends: ['accountKey', 'accountSession'],
      end: ({ accountId, tokens }) =>
        clients.serviceAccounts.rotateServiceAccountKey({ id: accountId }, { token: tokens.tenantSession }),
    },
  ];

  it.each(ENDS)('$way ends the credentials it must on every replica and for good', async (row) => {
    covers('AUTHZ-K.3');
    const world = await createWorld();
    const [one, two] = fleet.replicas as [Replica, Replica];
    expect(await liveKinds(world, two)).toEqual(KINDS);
    await row.end(world);
    const left = KINDS.filter((kind) => !row.ends.includes(kind));
    expect([await liveKinds(world, two), await liveKinds(world, one)]).toEqual([left, left]);
    for (const kind of row.ends) {
      for (const operation of OPERATIONS.filter(({ name }) => !OPEN.has(name))) {
        const refused = await refusalOf(
          call(operation, world, world.tokens[kind], two.clients) as Promise<unknown>,
        );
        expect([kind, operation.name, refused.reason]).toEqual([kind, operation.name, 'TOKEN_INVALID']);
      }
    }
    await row.revive?.(world);
    expect(await liveKinds(world, two)).toEqual(left);
  });

  it('a login front end may do what identities need and nothing else', async () => {
    covers('AUTHZ-K.4');
    const account = await clients.serviceAccounts.createServiceAccount(
      { name: `login-${randomUUID()}`, description: '', tenantId: '', scopes: { values: ['identity'] } },
      { token: root },
    );
    const token = account.token;
    const provider = { oauthProvider: 'p', oauthSubject: randomUUID() };
    const { userId } = await clients.oauth.createOAuthUser(
      { ...provider, username: `o-${randomUUID()}`, email: 'o@example.org', emailVerified: true },
      { token },
    );
    const session = await clients.oauth.loginOAuth(provider, { token });
    expect(await isLive(clients, session.token)).toBe(true);
    const request = { userId, email: 'o@example.org', tokenType: TokenType.PASSWORD_RESET };
    const reset = await clients.verification.createEmailVerificationToken(request, { token });
    const update = { id: userId, password: PASSWORD_2, resetToken: reset.token };
    await clients.users.updateUser(update, { token });
    expect(await isLive(clients, session.token)).toBe(false);
    expect((await refusalOf(clients.users.updateUser(update, { token }))).fields).toEqual(['reset_token']);

    const world = await createWorld();
    const allowed = new Set([
      'CreateEmailVerificationToken',
      'ValidateEmailVerificationToken',
      'MarkEmailVerified',
      'FindUserByOAuth',
      'CreateOAuthUser',
      'LoginOAuth',
      'StoreOAuthState',
      'ValidateOAuthState',
    ]);
    for (const operation of OPERATIONS.filter(({ name }) => !OPEN.has(name) && !allowed.has(name))) {
      const { reason } = await refusalOf(call(operation, world, token) as Promise<unknown>);
      expect([operation.name, reason]).toEqual([
        operation.name,
        expect.stringMatching(/^(ACCESS_DENIED|SESSION_REQUIRED|TENANT_REQUIRED)$/),
      ]);
    }
  });

  it('a login front end gets no token for the system root or for a foreign address', async () => {
    covers('AUTHZ-K.14');
    const account = await clients.serviceAccounts.createServiceAccount(
      { name: `login-${randomUUID()}`, description: '', tenantId: '', scopes: { values: ['identity'] } },
      { token: root },
    );
    const { token } = account;
    const tokenFor = (userId: string, email: string, tokenType: TokenType) =>
      clients.verification.createEmailVerificationToken({ userId, email, tokenType }, { token });
    const { id: rootId } = await clients.users.getUserByName({ username: 'root' }, { token: root });
    const { userId } = await createUserAndLogin(clients);
    const user = await clients.users.getUser({ id: userId }, { token: root });
    for (const type of [TokenType.PASSWORD_RESET, TokenType.EMAIL_VERIFICATION]) {
      const refused = await refusalOf(tokenFor(userId, 'other@example.org', type));
      expect([refused.reason, refused.fields]).toEqual(['INVALID_ARGUMENT', ['email']]);
      expect((await tokenFor(userId, user.email, type)).token).not.toBe('');
      expect((await refusalOf(tokenFor(rootId, 'x@example.org', type))).reason).toBe('ACCESS_DENIED');
    }
    const proof = await clients.verification.createEmailVerificationToken(
      { userId: rootId, email: 'x@example.org', tokenType: TokenType.PASSWORD_RESET },
      { token: root },
    );
    const takeover = { id: rootId, password: PASSWORD_2, resetToken: proof.token };
    expect((await refusalOf(clients.users.updateUser(takeover, { token }))).reason).toBe('ACCESS_DENIED');
  });

  it('a new password needs the current one or a reset token', async () => {
    covers('AUTHZ-K.5');
    const { userId, plainToken } = await createUserAndLogin(clients);
    const change = (more: Record<string, string>) =>
      clients.users.updateUser({ id: userId, password: PASSWORD_2, ...more }, { token: plainToken });
    expect((await refusalOf(change({}))).fields).toEqual(['current_password']);
    expect((await refusalOf(change({ currentPassword: 'not the password 12' }))).fields).toEqual([
      'current_password',
    ]);
    expect((await refusalOf(change({ resetToken: 'x' }))).fields).toEqual(['reset_token']);
    expect(await isLive(clients, plainToken)).toBe(true);
  });

  const TYPES = [TokenType.EMAIL_VERIFICATION, TokenType.PASSWORD_RESET, TokenType.EMAIL_CHANGE] as const;
  type Ending = (id: string, token: string) => Promise<unknown>;
  it.each<readonly [string, Ending]>([
    ['a deactivation', (id) => clients.users.updateUser({ id, active: false }, { token: root })],
    ['a deactivation by the user', (id, token) => clients.users.updateUser({ id, active: false }, { token })],
    ['a deletion', (id, token) => clients.users.deleteUser({ id }, { token })],
    [
      'a new password',
      (id, token) =>
        clients.users.updateUser({ id, password: PASSWORD_2, currentPassword: USER_PASSWORD }, { token }),
    ],
    ['a new address', (id, token) => clients.users.updateUser({ id, email: 'new@example.org' }, { token })],
  ])('%s voids every one-time token of the user for good', async (_way, end) => {
    covers('AUTHZ-K.26', 'AUTHZ-K.3');
    const { verification } = clients;
    const { userId, plainToken } = await createUserAndLogin(clients);
    const tokenFor = (tokenType: TokenType) =>
      verification.createEmailVerificationToken(
        { userId, email: 'a@example.org', tokenType },
        { token: root },
      );
    const made = await Promise.all(TYPES.map(tokenFor));
    const validity = () =>
      Promise.all(
        made.map(async ({ token }, index) => {
          const request = { token, tokenType: TYPES[index]! };
          return (await verification.validateEmailVerificationToken(request, { token: root })).valid;
        }),
      );
    await end(userId, plainToken);
    const resetToken = made[TYPES.indexOf(TokenType.PASSWORD_RESET)]!.token;
    const reset = clients.users.updateUser({ id: userId, password: PASSWORD_2, resetToken }, { token: root });
    await expect(reset).rejects.toThrow();
    // Nobody is left to activate after a deletion.
    await clients.users.updateUser({ id: userId, active: true }, { token: root }).catch(() => undefined);
    expect(await validity()).toEqual(TYPES.map(() => false));
  });

  it('one of two changes of one password at once is made, and its password is the one that holds', async () => {
    covers('AUTHZ-K.27');
    const { userId } = await createUserAndLogin(clients);
    const { username } = await clients.users.getUser({ id: userId }, { token: root });
    const logins = await Promise.all(
      [1, 2].map(() => clients.sessions.login({ username, password: USER_PASSWORD })),
    );
    const changed = await Promise.allSettled(
      logins.map(({ token }, index) =>
        clients.users.updateUser(
          { id: userId, currentPassword: USER_PASSWORD, password: `${PASSWORD_2}-${index}` },
          { token },
        ),
      ),
    );
    expect(changed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const made = changed.findIndex(({ status }) => status === 'fulfilled');
    const login = await clients.sessions.login({ username, password: `${PASSWORD_2}-${made}` });
    expect(login.userId).toBe(userId);
  });

  it('no one-time token is made or taken for a user who is inactive', async () => {
    covers('AUTHZ-K.26');
    const { userId } = await createUserAndLogin(clients);
    const { username } = await clients.users.getUser({ id: userId }, { token: root });
    const set = (more: object) => clients.users.updateUser({ id: userId, ...more }, { token: root });
    const tokenFor = (tokenType: TokenType) =>
      clients.verification.createEmailVerificationToken(
        { userId, email: 'a@example.org', tokenType },
        { token: root },
      );
    const { token: resetToken } = await tokenFor(TokenType.PASSWORD_RESET);
    await set({ active: false });
    for (const type of TYPES) {
      const refused = await refusalOf(tokenFor(type));
      expect([refused.reason, refused.fields]).toEqual(['INVALID_ARGUMENT', ['user_id']]);
    }
    for (const more of [{}, { active: true }]) {
      const refused = await refusalOf(set({ password: PASSWORD_2, resetToken, ...more }));
      expect([refused.reason, refused.fields]).toEqual(['INVALID_ARGUMENT', ['reset_token']]);
    }
    await set({ active: true });
    expect((await clients.sessions.login({ username, password: USER_PASSWORD })).userId).toBe(userId);
    expect((await tokenFor(TokenType.PASSWORD_RESET)).token).not.toBe('');
  });

  it('a changed address voids the tokens for the old one', async () => {
    covers('AUTHZ-K.6');
    const { userId, plainToken } = await createUserAndLogin(clients);
    const request = { userId, email: 'old@example.org', tokenType: TokenType.EMAIL_VERIFICATION };
    const { token } = await clients.verification.createEmailVerificationToken(request, { token: root });
    await clients.users.updateUser({ id: userId, email: 'new@example.org' }, { token: plainToken });
    const validated = await clients.verification.validateEmailVerificationToken(
      { token, tokenType: TokenType.EMAIL_VERIFICATION },
      { token: root },
    );
    expect(validated.valid).toBe(false);
    const mark = clients.verification.markEmailVerified(
      { userId, email: 'old@example.org' },
      { token: root },
    );
    expect((await refusalOf(mark)).fields).toEqual(['email']);
  });

  it("an administrator sees of members their name and activity, and a member's own data is theirs", async () => {
    covers('AUTHZ-K.7');
    const { tenantId, tokens } = await createWorld();
    const member = await createUserAndLogin(clients);
    await clients.apiKeys.createApiKey({ userId: member.userId }, { token: member.plainToken });
    const extras = { token: tokens.tenantSession };
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: member.userId }, extras);
    const hidden = {
      id: member.userId,
      username: member.username,
      email: '',
      active: true,
      apiKeyIds: [],
      userPlane: undefined,
      emailVerified: false,
      version: 0n,
    };
    expect(await clients.users.getUser({ id: member.userId }, extras)).toEqual(hidden);
    expect((await clients.users.listUsers({}, extras)).users).toContainEqual(hidden);
    expect((await clients.tenants.getTenantAssociations({ tenantId }, extras)).users).toContainEqual(hidden);
    const own = await clients.users.getUser({ id: member.userId }, { token: member.plainToken });
    expect([own.email, own.apiKeyIds.length]).toEqual([`${member.username}@example.org`, 1]);
    const mine = async () =>
      (await clients.tenants.listMyTenants({}, { token: member.plainToken })).tenants.map(({ id }) => id);
    expect(await mine()).toEqual([tenantId]);
    await clients.tenants.deleteTenantUserAssociation(
      { tenantId, userId: member.userId },
      { token: member.plainToken },
    );
    expect(await mine()).toEqual([]);
  });

  it('a retired signing key ends every token it signed, on every replica at once', async () => {
    covers('AUTHZ-K.8', 'AUTHZ-K.21');
    const world = await createWorld();
    const [one, two] = fleet.replicas as [Replica, Replica];
    expect(await liveKinds(world, two)).toEqual(KINDS);
    const { keyId } = await clients.publicKeys.getPublicKey({});
    await clients.publicKeys.retireSigningKey({ keyId: keyId as string }, { token: root });
    expect([await liveKinds(world, one), await liveKinds(world, two)]).toEqual([[], []]);
    const { keys } = await clients.publicKeys.getPublicKey({});
    expect(keys.map((key) => key.keyId)).not.toContain(keyId);
    const published = await two.clients.publicKeys.getPublicKey({});
    expect(published.keys).toEqual(keys);
    root = await rootToken(clients);
    expect(await isLive(two.clients, root)).toBe(true);
    const unknown = clients.publicKeys.retireSigningKey({ keyId: 'unknown' }, { token: root });
    expect((await refusalOf(unknown)).reason).toBe('SIGNING_KEY_NOT_FOUND');
  });

  it('a key that a session asks for while a new password ends it does not outlive it', async () => {
    covers('AUTHZ-K.3', 'AUTHZ-K.5');
    const { clients } = fleet;
    for (let round = 0; round < 5; round += 1) {
      const { userId, username, plainToken: thief } = await createUserAndLogin(clients);
      const { token } = await clients.sessions.login({ username, password: USER_PASSWORD });
      const change = clients.users.updateUser(
        { id: userId, password: `a new passphrase ${round}`, currentPassword: USER_PASSWORD },
        { token },
      );
      const keys: string[] = [];
      let isChanged = false;
      const changed = change.finally(() => (isChanged = true));
      const ask = async () => {
        while (!isChanged) {
          const made = await clients.apiKeys.createApiKey({ userId }, { token: thief }).catch(() => null);
          if (made === null) return;
          keys.push(made.apiKey);
        }
      };
      await Promise.all([changed, ask(), ask()]);
      for (const credential of keys)
        expect((await clients.sessions.introspectCredential({ credential })).live).toBe(false);
    }
  });

  it('every credential ends at its expiry', async () => {
    covers('AUTHZ-K.3');
    const world = await createWorld();
    now += EXPIRED_MS;
    expect(await liveKinds(world, fleet.replicas[1] as Replica)).toEqual([]);
  });
});

describe('revocation under a used-up quota', () => {
  const fleet = useFleet('postgres', {
    env: {
      AUTHZ_QUOTA_CONTROL_PLANE: '10',
      AUTHZ_QUOTA_USER_PLANE: '15',
      AUTHZ_QUOTA_OVERAGE_PERCENT: '0',
      AUTHZ_QUOTA_CYCLE_DAYS: '7',
    },
  });

  it('keys, accounts, memberships and sessions can be ended while the quota is used up, and nobody who guesses ids can prevent that', async () => {
    covers('AUTHZ-K.9');
    const { clients } = fleet;
    const { userId, tenantId, token } = await createTenancy(clients);
    const { keyId, apiKey } = await clients.apiKeys.createApiKey({ userId }, { token });
    const { serviceAccountId } = await clients.serviceAccounts.createServiceAccount(
      { name: 'ci', description: '', tenantId },
      { token },
    );
    const domain = await clients.domains.createDomain(
      { tenantId, name: 'closing', superiorDomainIds: [] },
      { token },
    );
    const burn = () => clients.tenants.getTenant({ id: tenantId }, { token: apiKey });
    let refused = await refusalOf(burn()).catch(() => null);
    while (refused === null) refused = await refusalOf(burn()).catch(() => null);
    expect(refused.reason).toBe('QUOTA_EXHAUSTED');
    // Seven days less what the test has taken.
    expect(refused.retryAfterSeconds).toBeGreaterThan(6 * 86_400);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(7 * 86_400);
    expect((await clients.sessions.isLoggedIn({}, { token })).isLoggedIn).toBe(true);
    const closed = Domain.fromPartial({ id: domain.id, active: false });
    await clients.domains.updateDomain({ tenantId, domain: closed }, { token });
    await clients.serviceAccounts.updateServiceAccount({ id: serviceAccountId, active: false }, { token });
    await clients.serviceAccounts.deleteServiceAccount({ id: serviceAccountId }, { token });
    await clients.apiKeys.deleteApiKey({ userId, keyId }, { token });
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId, allowLockout: true }, { token });
    const again = await clients.sessions.login({
      username: (await clients.users.getUser({ id: userId }, { token: await rootToken(clients) })).username,
      password: USER_PASSWORD,
    });
    await clients.sessions.logout({ userId }, { token: again.token });
  });

  it('a new password is set while the quota is used up, and other changes of the user are not', async () => {
    covers('AUTHZ-K.25');
    const { clients } = fleet;
    const { userId: id, tenantId, token } = await createTenancy(clients);
    const { apiKey } = await clients.apiKeys.createApiKey({ userId: id }, { token });
    const burn = () => clients.tenants.getTenant({ id: tenantId }, { token: apiKey });
    while ((await refusalOf(burn()).catch(() => null)) === null);
    const password = `new ${USER_PASSWORD}`;
    const change = { id, password, currentPassword: USER_PASSWORD };
    const more = { ...change, email: 'other@example.org' };
    expect(await refusalOf(clients.users.updateUser(more, { token }))).toMatchObject({
      reason: 'QUOTA_EXHAUSTED',
    });
    await clients.users.updateUser(change, { token });
    expect((await refusalOf(burn())).reason).toBe('TOKEN_INVALID');
  });

  it('the system root works while its quota is used up, and resets the planes of users', async () => {
    covers('AUTHZ-K.10');
    const { clients } = fleet;
    const root = await rootToken(clients);
    for (let i = 0; i < 20; i += 1) await clients.tenants.listTenants({}, { token: root });
    const { userId, plainToken } = await createUserAndLogin(clients);
    const read = () => clients.users.getUser({ id: userId }, { token: plainToken });
    for (let i = 0; i < 15; i += 1) await read();
    expect((await refusalOf(read())).reason).toBe('QUOTA_EXHAUSTED');
    await clients.tenants.refreshTenants({}, { token: root });
    expect((await refusalOf(read())).reason).toBe('QUOTA_EXHAUSTED');
    await clients.tenants.refreshTenants({ users: true }, { token: root });
    expect((await read()).id).toBe(userId);
  });
});
