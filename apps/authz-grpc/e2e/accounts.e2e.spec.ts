import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  rootToken,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ALL_SCOPES = ['check', 'explain', 'read', 'manage', 'documents', 'investigations'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_S = 86_400;

/** The part of a token that `index` names, read. */
function tokenPart(token: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] as string, 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

/**
 * What the contract says about users, sessions, keys, accounts, attributes and single-use tokens, by a clock
 * of ours.
 */
describe('accounts', () => {
  let now = Date.now();
  const { clients } = useFleet('postgres', { now: () => new Date(now) });
  let root: string;
  beforeAll(async () => {
    root = await rootToken(clients);
  });

  const nowSeconds = () => Math.floor(now / 1000);
  const isLive = async (token: string) => (await clients.sessions.isLoggedIn({}, { token })).isLoggedIn;
  /** Moves the clock, and gives the root session of then. */
  const wait = async (ms: number) => {
    now += ms;
    root = await rootToken(clients);
  };

  it('a user is created without authentication and read whole', async () => {
    covers(
      'AUTHZ-P.CreateUser',
      'AUTHZ-P.GetUser',
      'AUTHZ-P.GetUserByName',
      'AUTHZ-P.ListUsers',
      'AUTHZ-F.User.id',
      'AUTHZ-F.User.username',
      'AUTHZ-F.User.email',
      'AUTHZ-F.User.active',
      'AUTHZ-F.User.email_verified',
      'AUTHZ-F.User.api_key_ids',
    );
    const username = `u-${randomUUID()}`;
    const request = { username, email: 'a@b.example', password: USER_PASSWORD };
    const { userId } = await clients.users.createUser(request);
    const { token } = await clients.sessions.login({ username, password: USER_PASSWORD });
    const { keyId } = await clients.apiKeys.createApiKey({ userId }, { token });
    const user = await clients.users.getUser({ id: userId }, { token });
    expect(user).toEqual({
      id: expect.stringMatching(UUID),
      username,
      email: 'a@b.example',
      active: true,
      apiKeyIds: [keyId],
      userPlane: expect.objectContaining({ maxTokens: 10_000_000n, maxOverage: 1_000_000n }),
      emailVerified: false,
      version: 1n,
    });
    expect(user.id).toBe(userId);
    const byName = await clients.users.getUserByName({ username }, { token: root });
    expect({ ...byName, userPlane: undefined }).toEqual({ ...user, userPlane: undefined });
    const { users } = await clients.users.listUsers({}, { token: root });
    expect(users.filter(({ id }) => id === userId)).toHaveLength(1);
    expect(await refusalOf(clients.users.createUser(request))).toMatchObject({
      code: 6,
      reason: 'NAME_TAKEN',
      fields: ['username'],
    });
  });

  it('a deleted user has neither tokens nor associations left', async () => {
    covers('AUTHZ-P.DeleteUser', 'AUTHZ-S.13');
    const { tenantId, token } = await createTenancy(clients);
    const member = await createUserAndLogin(clients);
    const pair = { tenantId, userId: member.userId };
    await clients.tenants.createTenantUserAssociation(pair, { token });
    const { apiKey } = await clients.apiKeys.createApiKey(
      { userId: member.userId },
      { token: member.plainToken },
    );
    expect([await isLive(member.plainToken), await isLive(apiKey)]).toEqual([true, true]);
    expect(await clients.users.deleteUser({ id: member.userId }, { token: root })).toEqual({});
    expect([await isLive(member.plainToken), await isLive(apiKey)]).toEqual([false, false]);
    const { users } = await clients.tenants.getTenantAssociations({ tenantId }, { token });
    expect(users.map(({ id }) => id)).not.toContain(member.userId);
    const gone = clients.users.getUser({ id: member.userId }, { token: root });
    expect(await refusalOf(gone)).toMatchObject({ code: 5, reason: 'USER_NOT_FOUND' });
  });

  it('Login gives a token for as long as asked, with a tenant if one is named', async () => {
    covers('AUTHZ-S.1', 'AUTHZ-P.Login', 'AUTHZ-P.IsLoggedIn', 'AUTHZ-A.7');
    const { username, userId, tenantName, tenantId } = await createTenancy(clients);
    const credentials = { username, password: USER_PASSWORD };
    const plain = await clients.sessions.login(credentials);
    expect(plain).toEqual({ token: plain.token, userId, tenantId: undefined });
    expect(tokenPart(plain.token, 0)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(tokenPart(plain.token, 1)).toMatchObject({ sub: userId, exp: nowSeconds() + 3_600 });
    expect(tokenPart(plain.token, 1)).not.toHaveProperty('tenant_id');

    const short = await clients.sessions.login({ ...credentials, tenant: tenantName, duration: 60 });
    expect(short).toEqual({ token: short.token, userId, tenantId });
    expect(tokenPart(short.token, 1)).toMatchObject({ tenant_id: tenantId, exp: nowSeconds() + 60 });
    expect([await isLive(plain.token), await isLive(short.token), await isLive('nonsense')]).toEqual([
      true,
      true,
      false,
    ]);
    await wait(2 * MINUTE_MS);
    expect([await isLive(plain.token), await isLive(short.token)]).toEqual([true, false]);
  });

  it('RefreshLoginWithTenant takes a UUID or a name of a tenant of the user, once', async () => {
    covers('AUTHZ-S.2', 'AUTHZ-P.RefreshLoginWithTenant');
    const { plainToken, userId, tenantId, tenantName } = await createTenancy(clients);
    for (const named of [tenantId, tenantName]) {
      const response = await clients.sessions.refreshLoginWithTenant(
        { tenantId: named },
        { token: plainToken },
      );
      expect(response).toEqual({ token: response.token, userId, tenantId });
      expect(tokenPart(response.token, 1)).toMatchObject({ sub: userId, tenant_id: tenantId });
      expect(
        await refusalOf(clients.sessions.refreshLoginWithTenant({ tenantId }, { token: response.token })),
      ).toMatchObject({ code: 9, reason: 'TENANT_ALREADY_SET' });
    }
    const other = await createTenancy(clients);
    const refused = { code: 7, reason: 'ACCESS_DENIED', message: 'not permitted' };
    for (const named of [other.tenantId, randomUUID()]) {
      const call = clients.sessions.refreshLoginWithTenant({ tenantId: named }, { token: plainToken });
      expect(await refusalOf(call)).toMatchObject(refused);
    }
  });

  it('Logout takes the user of the token and no other', async () => {
    covers('AUTHZ-P.Logout', 'AUTHZ-S.3');
    const { plainToken: token, userId } = await createUserAndLogin(clients);
    const other = clients.sessions.logout({ userId: randomUUID() }, { token });
    expect(await refusalOf(other)).toMatchObject({ code: 7, reason: 'ACCESS_DENIED' });
    expect(await isLive(token)).toBe(true);
    expect(await clients.sessions.logout({ userId }, { token })).toEqual({});
    expect(await isLive(token)).toBe(false);
  });

  it('an API key is a JWT that is shown once, its metadata as often as wanted', async () => {
    covers('AUTHZ-P.CreateApiKey', 'AUTHZ-P.GetApiKey');
    const { userId, tenantId, token } = await createTenancy(clients);
    const { apiKey, keyId } = await clients.apiKeys.createApiKey({ userId }, { token });
    expect(tokenPart(apiKey, 0)).toMatchObject({ alg: 'EdDSA', typ: 'key+jwt' });
    expect(tokenPart(apiKey, 1)).toMatchObject({ sub: userId, jti: keyId, exp: nowSeconds() + 365 * DAY_S });
    expect(await clients.apiKeys.getApiKey({ userId, keyId }, { token })).toEqual({
      keyId,
      userId,
      tenantId,
      active: true,
      createdAt: BigInt(nowSeconds()),
      expiresAt: BigInt(nowSeconds() + 365 * DAY_S),
      scopes: ALL_SCOPES,
    });
  });

  it('service accounts are made, read, changed and deleted by admins alone', async () => {
    covers(
      'AUTHZ-A.6',
      'AUTHZ-P.CreateServiceAccount',
      'AUTHZ-P.ListServiceAccounts',
      'AUTHZ-P.GetServiceAccount',
      'AUTHZ-P.UpdateServiceAccount',
      'AUTHZ-P.DeleteServiceAccount',
      'AUTHZ-F.ServiceAccount.fields',
      'AUTHZ-L.3',
    );
    const { tenantId, token } = await createTenancy(clients);
    const accounts = clients.serviceAccounts;
    const request = { name: 'svc:ci', description: 'builds', tenantId };
    const made = await accounts.createServiceAccount(request, { token });
    expect(made).toEqual({
      serviceAccountId: expect.stringMatching(UUID),
      username: 'svc:ci',
      apiKeyId: expect.stringMatching(UUID),
      email: 'ci@service.internal',
      expiration: BigInt(nowSeconds() + 365 * DAY_S),
      token: made.token,
    });
    const id = made.serviceAccountId;
    expect(tokenPart(made.token, 0)).toMatchObject({ typ: 'svc+jwt' });
    expect(tokenPart(made.token, 1)).toMatchObject({ sub: id, tenant_id: tenantId, jti: made.apiKeyId });
    const short = await accounts.createServiceAccount(
      { ...request, name: 'short', expirationDays: 1 },
      { token },
    );
    expect(short).toMatchObject({ username: 'svc:short', expiration: BigInt(nowSeconds() + DAY_S) });

    const account = {
      id,
      username: 'svc:ci',
      email: 'ci@service.internal',
      tenantId,
      description: 'builds',
      active: true,
      createdAt: BigInt(nowSeconds()),
      apiKeyId: made.apiKeyId,
      apiKeyExpiration: made.expiration,
      apiKeyActive: true,
      scopes: ALL_SCOPES,
      version: 1n,
    };
    expect(await accounts.getServiceAccount({ id }, { token })).toEqual(account);
    const update = { id, description: 'deploys', active: false };
    expect(await accounts.updateServiceAccount(update, { token })).toEqual({});
    const updated = { ...account, description: 'deploys', active: false, apiKeyActive: false, version: 2n };
    expect(await accounts.getServiceAccount({ id }, { token })).toEqual(updated);
    const all = await accounts.listServiceAccounts({ tenantId }, { token });
    expect(all.totalCount).toBe(2);
    expect(all.serviceAccounts).toContainEqual(updated);
    const active = await accounts.listServiceAccounts({ tenantId, activeOnly: true }, { token });
    expect([active.totalCount, active.serviceAccounts.map((one) => one.id)]).toEqual([
      1,
      [short.serviceAccountId],
    ]);

    const member = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: member.userId }, { token });
    const extras = { token: member.plainToken };
    for (const call of [
      accounts.createServiceAccount({ ...request, name: 'mine' }, extras),
      accounts.listServiceAccounts({ tenantId }, extras),
      accounts.getServiceAccount({ id }, extras),
      accounts.updateServiceAccount(update, extras),
      accounts.deleteServiceAccount({ id }, extras),
    ]) {
      expect(await refusalOf(call)).toMatchObject({ code: 7, reason: 'ACCESS_DENIED' });
    }
    expect(await accounts.deleteServiceAccount({ id }, { token })).toEqual({});
    expect((await accounts.listServiceAccounts({ tenantId }, { token })).totalCount).toBe(1);
  });

  it('attributes gain and lose values, by key and all at once', async () => {
    covers(
      'AUTHZ-P.SetUserAttribute',
      'AUTHZ-P.RemoveUserAttribute',
      'AUTHZ-P.GetUserAttributes',
      'AUTHZ-P.ClearUserAttributes',
    );
    const { userId, token } = await createTenancy(clients);
    const { attributes } = clients;
    const set = (attributeKey: string, ...attributeValues: string[]) =>
      attributes.setUserAttribute({ userId, attributeKey, attributeValues }, { token });
    const remove = (attributeKey: string, ...attributeValues: string[]) =>
      attributes.removeUserAttribute({ userId, attributeKey, attributeValues }, { token });
    const values = async () =>
      Object.fromEntries(
        [...(await attributes.getUserAttributes({ userId }, { token })).attributes].map(([key, value]) => [
          key,
          [...value.values].sort(),
        ]),
      );
    expect(await set('team', 'red')).toEqual({});
    await set('team', 'blue', 'green');
    await set('level', '3');
    expect(await values()).toEqual({ team: ['blue', 'green', 'red'], level: ['3'] });
    expect(await remove('team', 'red')).toEqual({});
    expect(await values()).toEqual({ team: ['blue', 'green'], level: ['3'] });
    await remove('team');
    expect(await values()).toEqual({ level: ['3'] });
    await set('team', 'red');
    expect(await attributes.clearUserAttributes({ userId }, { token })).toEqual({});
    expect(await values()).toEqual({});
  });

  it('a verification token is 64 alphanumeric characters, for 24 hours unless told otherwise', async () => {
    covers(
      'AUTHZ-P.CreateEmailVerificationToken',
      'AUTHZ-P.ValidateEmailVerificationToken',
      'AUTHZ-P.MarkEmailVerified',
      'AUTHZ-F.TokenType',
      'AUTHZ-L.4',
    );
    expect(TokenType).toEqual({ UNSPECIFIED: 0, EMAIL_VERIFICATION: 1, PASSWORD_RESET: 2, EMAIL_CHANGE: 3 });
    const { userId } = await createUserAndLogin(clients);
    const { verification } = clients;
    const make = (tokenType: TokenType, expirationHours?: number) =>
      verification.createEmailVerificationToken(
        { userId, email: 'new@b.example', tokenType, expirationHours },
        { token: root },
      );
    const validate = (token: string, tokenType: TokenType) =>
      verification.validateEmailVerificationToken({ token, tokenType }, { token: root });
    const day = await make(TokenType.EMAIL_VERIFICATION);
    expect(day).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      expiresAt: new Date(now + 24 * HOUR_MS),
    });
    const hour = await make(TokenType.PASSWORD_RESET, 1);
    expect(hour.expiresAt).toEqual(new Date(now + HOUR_MS));
    const late = await make(TokenType.EMAIL_CHANGE);
    await wait(HOUR_MS);
    const expired = await validate(hour.token, TokenType.PASSWORD_RESET);
    expect(expired).toEqual({ valid: false, userId: '', email: '', errorMessage: expired.errorMessage });
    expect(expired.errorMessage).not.toBe('');
    await wait(23 * HOUR_MS - 1_000);
    const valid = { valid: true, userId, email: 'new@b.example', errorMessage: '' };
    expect(await validate(day.token, TokenType.EMAIL_VERIFICATION)).toEqual(valid);
    await wait(1_000);
    expect((await validate(late.token, TokenType.EMAIL_CHANGE)).valid).toBe(false);

    const isVerified = async () =>
      (await clients.users.getUser({ id: userId }, { token: root })).emailVerified;
    expect(await isVerified()).toBe(false);
    expect(await verification.markEmailVerified({ userId }, { token: root })).toEqual({});
    expect(await isVerified()).toBe(true);
  });

  it('OAuth users are made and found, a state is kept for 10 minutes unless told otherwise', async () => {
    covers(
      'AUTHZ-P.FindUserByOAuth',
      'AUTHZ-P.CreateOAuthUser',
      'AUTHZ-P.StoreOAuthState',
      'AUTHZ-P.ValidateOAuthState',
      'AUTHZ-S.8',
      'AUTHZ-L.5',
    );
    const { tenantId } = await createTenancy(clients);
    const { oauth } = clients;
    const identity = { oauthProvider: 'example', oauthSubject: randomUUID() };
    const profile = { username: `o-${randomUUID()}`, email: 'o@b.example' };
    const none = { found: false, userId: '', username: '', email: '' };
    expect(await oauth.findUserByOAuth(identity, { token: root })).toEqual(none);
    const { userId } = await oauth.createOAuthUser(
      { ...identity, ...profile, emailVerified: true },
      { token: root },
    );
    expect(await oauth.findUserByOAuth(identity, { token: root })).toEqual({
      found: true,
      userId,
      ...profile,
    });
    expect(await clients.users.getUser({ id: userId }, { token: root })).toMatchObject({
      ...profile,
      emailVerified: true,
    });

    const kept = { tenantId, redirectUri: 'https://a.example/back', nonce: 'n' };
    const [used, late, short] = [randomUUID(), randomUUID(), randomUUID()];
    await oauth.storeOAuthState({ state: used, ...kept }, { token: root });
    await oauth.storeOAuthState({ state: late, ...kept }, { token: root });
    expect(
      await oauth.storeOAuthState({ state: short, expiresInMinutes: 1, ...kept }, { token: root }),
    ).toEqual({});
    const validate = (state: string) => oauth.validateOAuthState({ state }, { token: root });
    await wait(MINUTE_MS);
    const refused = await validate(short);
    expect(refused).toEqual({
      valid: false,
      tenantId: undefined,
      redirectUri: '',
      nonce: '',
      errorMessage: refused.errorMessage,
    });
    expect(refused.errorMessage).not.toBe('');
    await wait(9 * MINUTE_MS - 1_000);
    expect(await validate(used)).toEqual({ valid: true, ...kept, errorMessage: '' });
    await wait(1_000);
    for (const state of [late, used, randomUUID()]) expect((await validate(state)).valid).toBe(false);
  });

  it('a session ends no later than the key it was exchanged for', async () => {
    covers('AUTHZ-A.3');
    const { tenantId, username } = await createTenancy(clients);
    const login = { username, password: USER_PASSWORD, tenant: tenantId.toUpperCase() };
    const { token } = await clients.sessions.login(login);
    const account = await clients.serviceAccounts.createServiceAccount(
      { tenantId, name: `s-${randomUUID()}`, description: '', expirationDays: 1 },
      { token },
    );
    const exchange = () =>
      clients.serviceAccounts.exchangeServiceAccountToken({ credential: account.token, duration: 3_600 });
    expect(Number((await exchange()).expiresAt)).toBe(nowSeconds() + 3_600);
    await wait(DAY_S * 1_000 - MINUTE_MS);
    const { expiresAt, token: last } = await exchange();
    expect(expiresAt).toBe(account.expiration);
    await wait(MINUTE_MS);
    expect(await isLive(last)).toBe(false);
  });

  it('an OAuth state is stored for a tenant that there is', async () => {
    covers('AUTHZ-P.StoreOAuthState');
    const store = {
      state: randomUUID(),
      tenantId: randomUUID(),
      redirectUri: 'https://a.example',
      nonce: 'n',
    };
    expect(await refusalOf(clients.oauth.storeOAuthState(store, { token: root }))).toMatchObject({
      code: 5,
      reason: 'TENANT_NOT_FOUND',
    });
  });

  it('an OAuth state is refused below 16 characters, by name, and taken from there', async () => {
    covers('AUTHZ-P.StoreOAuthState');
    const state = randomUUID().slice(0, 16);
    const store = { redirectUri: 'https://a.example', nonce: 'n' };
    const short = clients.oauth.storeOAuthState({ ...store, state: state.slice(1) }, { token: root });
    expect(await refusalOf(short)).toMatchObject({ code: 3, fields: ['state'] });
    expect(await clients.oauth.storeOAuthState({ ...store, state }, { token: root })).toEqual({});
  });

  it('GetPublicKey gives the Ed25519 key that verifies the tokens it names', async () => {
    covers('AUTHZ-P.GetPublicKey');
    const { plainToken } = await createUserAndLogin(clients);
    const { publicKeyBytes, algorithm, keyId } = await clients.publicKeys.getPublicKey({});
    expect([algorithm, publicKeyBytes.length]).toEqual(['EdDSA', 32]);
    expect(tokenPart(plainToken, 0)['kid']).toBe(keyId);
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', new Uint8Array(publicKeyBytes), 'Ed25519', false, ['verify']);
    const dot = plainToken.lastIndexOf('.');
    const signature = Buffer.from(plainToken.slice(dot + 1), 'base64url');
    const isGenuine = (text: string) => subtle.verify('Ed25519', key, signature, Buffer.from(text));
    expect(await isGenuine(plainToken.slice(0, dot))).toBe(true);
    expect(await isGenuine(`${plainToken.slice(0, dot)}x`)).toBe(false);
  });

  it('a check for a member of the tenant needs neither a session nor a key of that member', async () => {
    covers('AUTHZ-P.CheckAuthorization');
    const { userId, token, rootDomainId }: Tenancy = await createTenancy(clients);
    const context = requestContext({ subject: userId, action: 'x', object: `svc://${rootDomainId}/x` });
    expect(await clients.authorization.checkAuthorization({ context }, { token })).toEqual({
      authorized: true,
    });
  });
});
