import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { CredentialType } from '@platform/proto/authz/v1/session';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { service as healthService } from 'grpc-health-check';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  type Stores,
  type Tenancy,
} from './service.fixture.ts';

describe.each<Stores>(['embedded', 'postgres and redis'])('identity on %s', (stores) => {
  const fleet = useFleet(stores);
  const { clients } = fleet;
  let tenancy: Tenancy;
  let root: string;
  beforeAll(async () => {
    tenancy = await createTenancy(clients);
    root = await rootToken(clients);
  });

  const check = (domainId: string, values: Record<string, string | string[]>) =>
    clients.authorization.checkAuthorization(
      { context: requestContext({ subject: 'a', action: 'read', object: `svc://${domainId}/x`, ...values }) },
      { token: tenancy.token },
    );

  it('exactly one of 20 concurrent validations uses a verification token', async () => {
    covers('AUTHZ-S.4', 'AUTHZ-S.5', 'AUTHZ-S.6', 'AUTHZ-S.9');
    const make = () =>
      clients.verification.createEmailVerificationToken(
        { userId: tenancy.userId, email: 'a@b.example', tokenType: TokenType.EMAIL_VERIFICATION },
        { token: root },
      );
    const validate = (token: string, tokenType: TokenType = TokenType.EMAIL_VERIFICATION) =>
      clients.verification.validateEmailVerificationToken({ token, tokenType }, { token: tenancy.token });
    const outdated = await make();
    const { token, expiresAt } = await make();
    expect(token).toMatch(/^[A-Za-z0-9]{64}$/);
    expect((expiresAt as Date).getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(await validate(outdated.token)).toMatchObject({ valid: false });
    expect(await validate(token, TokenType.PASSWORD_RESET)).toMatchObject({ valid: false });
    const responses = await Promise.all(Array.from({ length: 20 }, () => validate(token)));
    expect(responses.filter(({ valid }) => valid)).toEqual([
      { valid: true, userId: tenancy.userId, email: 'a@b.example', errorMessage: '' },
    ]);
    await clients.verification.markEmailVerified({ userId: tenancy.userId }, { token: root });
    const user = await clients.users.getUser({ id: tenancy.userId }, { token: tenancy.token });
    expect(user.emailVerified).toBe(true);
  });

  it('OAuth users are found again, and a state is used once', async () => {
    covers('AUTHZ-S.7');
    const identity = { oauthProvider: 'example', oauthSubject: randomUUID() };
    const extras = { token: root };
    expect(await clients.oauth.findUserByOAuth(identity, extras)).toMatchObject({ found: false });
    const made = await clients.oauth.createOAuthUser(
      {
        ...identity,
        username: `o-${randomUUID()}`,
        email: 'o@b.example',
        emailVerified: true,
        tenantId: tenancy.tenantId,
      },
      extras,
    );
    expect(await clients.oauth.findUserByOAuth(identity, extras)).toMatchObject({
      found: true,
      userId: made.userId,
    });
    expect(
      await clients.tenants.getTenantUserAssociation(
        { tenantId: tenancy.tenantId, userId: made.userId },
        { token: tenancy.token },
      ),
    ).toEqual({ isAssociated: true });
    const state = randomUUID();
    await clients.oauth.storeOAuthState({ state, redirectUri: 'https://a.example', nonce: 'n' }, extras);
    const validate = () => clients.oauth.validateOAuthState({ state }, extras);
    const responses = await Promise.all(Array.from({ length: 10 }, validate));
    expect(responses.filter(({ valid }) => valid)).toEqual([
      { valid: true, tenantId: undefined, redirectUri: 'https://a.example', nonce: 'n', errorMessage: '' },
    ]);
  });

  it('attributes of a member join the context, and end with the association', async () => {
    covers('AUTHZ-D.11');
    const { tenantId, token, userId, rootDomainId } = tenancy;
    const extras = { token };
    const member = await createUserAndLogin(clients);
    const attribute = { userId: member.userId, attributeKey: 'team', attributeValues: ['red'] };
    expect(await refusalOf(clients.attributes.setUserAttribute(attribute, extras))).toMatchObject({
      reason: 'USER_NOT_FOUND',
    });
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: member.userId }, extras);
    await clients.domains.putDomainPolicies(
      {
        tenantId,
        domainId: rootDomainId,
        policies: [policy('starter', { subject: userId }), policy('reds', { 'user.team': 'red' })],
      },
      extras,
    );
    const ask = async () => (await check(rootDomainId, { subject: member.userId })).authorized;
    expect(await ask()).toBe(false);
    await clients.attributes.setUserAttribute(attribute, extras);
    await clients.attributes.setUserAttribute({ ...attribute, attributeValues: ['blue'] }, extras);
    expect(
      (await clients.attributes.getUserAttributes({ userId: member.userId }, extras)).attributes,
    ).toEqual(new Map([['team', { values: ['blue', 'red'] }]]));
    expect(await ask()).toBe(true);
    await clients.attributes.removeUserAttribute(attribute, extras);
    expect(await ask()).toBe(false);
    await clients.attributes.setUserAttribute(attribute, extras);
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId: member.userId }, extras);
    expect(await ask()).toBe(false);
    expect(
      (await clients.attributes.getUserAttributes({ userId: member.userId }, extras)).attributes.size,
    ).toBe(0);
  });

  it('superior domains take part in the decision, any deny wins', async () => {
    covers('AUTHZ-D.1');
    const { tenantId, token } = tenancy;
    const extras = { token };
    const make = (superiorDomainIds: string[]) =>
      clients.domains.createDomain({ tenantId, name: randomUUID(), superiorDomainIds }, extras);
    const put = (domainId: string, ...policies: ReturnType<typeof policy>[]) =>
      clients.domains.putDomainPolicies({ tenantId, domainId, policies }, extras);
    const top = await make([]);
    const [left, right] = [await make([top.id]), await make([top.id])];
    const bottom = await make([left.id, right.id]);
    expect((await check(bottom.id, {})).authorized).toBe(false);
    await put(top.id, policy('readers', { action: 're' }, { engine: EvaluationEngine.PREFIX }));
    expect((await check(bottom.id, {})).authorized).toBe(true);
    await put(right.id, policy('not-mallory', { subject: 'mallory' }, { deny: true }));
    expect((await check(bottom.id, { subject: 'mallory' })).authorized).toBe(false);
    expect((await check(left.id, { subject: 'mallory' })).authorized).toBe(true);
  });

  it('a batch over 150 cold domains, one with 60 superiors, is decided at once', async () => {
    const { tenantId, token } = tenancy;
    const make = (superiorDomainIds: string[]) =>
      clients.domains.createDomain({ tenantId, name: randomUUID(), superiorDomainIds }, { token });
    const ids: string[] = [];
    for (let i = 0; i < 149; i += 1) ids.push((await make([])).id);
    ids.push((await make(ids.slice(0, 60))).id);
    (fleet.replicas[0] as (typeof fleet.replicas)[number]).service.deps.decisions.forget();
    const checks = ids.map((id) => ({
      context: requestContext({ subject: 'a', action: 'b', object: `svc://${id}/x` }),
    }));
    const { results } = await clients.authorization.batchCheckAuthorization({ checks }, { token });
    expect(results.map(({ authorized, error }) => [authorized, error])).toEqual(
      ids.map(() => [false, undefined]),
    );
  });

  it('macros compare the subject with the owner', async () => {
    covers('AUTHZ-C6.1');
    const { tenantId, token } = tenancy;
    const domain = await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [] },
      { token },
    );
    const own = policy('own', { subject: '$current_user()', owner: '$resource_owner()' });
    await clients.domains.putDomainPolicies({ tenantId, domainId: domain.id, policies: [own] }, { token });
    expect((await check(domain.id, { owner: 'a' })).authorized).toBe(true);
    expect((await check(domain.id, { owner: 'b' })).authorized).toBe(false);
    expect((await check(domain.id, { owner: ['a', 'b'] })).authorized).toBe(false);
    expect((await check(domain.id, {})).authorized).toBe(false);
  });

  it('introspection tells other services whose a credential is, and nothing about a revoked one', async () => {
    covers('AUTHZ-I.2');
    const introspect = (credential: string) => clients.sessions.introspectCredential({ credential });
    const live = await introspect(tenancy.token);
    expect(live).toMatchObject({
      live: true,
      subjectId: tenancy.userId,
      tenantId: tenancy.tenantId,
      rootDomainId: tenancy.rootDomainId,
      type: CredentialType.SESSION,
      username: tenancy.username,
    });
    const { apiKey, keyId } = await clients.apiKeys.createApiKey(
      { userId: tenancy.userId },
      { token: tenancy.token },
    );
    expect(await introspect(apiKey)).toMatchObject({ live: true, type: CredentialType.API_KEY });
    await clients.apiKeys.deleteApiKey({ userId: tenancy.userId, keyId }, { token: tenancy.token });
    const dead = await introspect(apiKey);
    expect(dead).toEqual(await introspect('nonsense'));
    expect(dead.live).toBe(false);
    expect(dead.subjectId).toBe('');
  });

  it('services find the active colleagues of a credential by name and id, and nobody else', async () => {
    covers('AUTHZ-I.4');
    const { tenantId, token } = tenancy;
    const colleague = await createUserAndLogin(clients);
    const leaver = await createUserAndLogin(clients);
    const stranger = await createUserAndLogin(clients);
    for (const { userId } of [colleague, leaver])
      await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
    const account = await clients.serviceAccounts.createServiceAccount(
      { name: `svc:finder-${randomUUID().slice(0, 8)}`, description: '', tenantId },
      { token },
    );
    const asker = await clients.sessions.refreshLoginWithTenant(
      { tenantId },
      { token: colleague.plainToken },
    );
    const sought = {
      usernames: [tenancy.username, stranger.username, 'nobody at all', leaver.username],
      ids: [colleague.userId, stranger.userId, leaver.userId, account.serviceAccountId, 'no id'],
    };
    const found = async (as: string) => {
      const { colleagues } = await clients.sessions.findColleagues(sought, { token: as });
      return colleagues.map(({ username, isServiceAccount }) => [username, isServiceAccount]).sort();
    };
    const present = [
      [tenancy.username, false],
      [colleague.username, false],
      [account.username, true],
    ];
    expect(await found(asker.token)).toEqual([...present, [leaver.username, false]].sort());
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId: leaver.userId }, { token });
    expect(await found(asker.token)).toEqual(present.toSorted());

    const { leases } = await clients.sessions.introspectCredential({ credential: asker.token });
    const { colleagues } = await clients.sessions.findColleagues(
      { usernames: [colleague.username], ids: [colleague.userId] },
      { token },
    );
    expect(colleagues.map(({ lease }) => lease)).toEqual([leases!.subject]);

    const refused = (request: object, as: string) =>
      refusalOf(clients.sessions.findColleagues({ usernames: [], ids: [], ...request }, { token: as }));
    expect((await refused({}, stranger.plainToken)).reason).toBe('TENANT_REQUIRED');
    const tooMany = { usernames: Array<string>(101).fill('x') };
    expect((await refused(tooMany, token)).reason).toBe('INVALID_ARGUMENT');
  });

  it('a batch says for each check that is not authorized whether a policy denies it or none allows it', async () => {
    covers('AUTHZ-I.5');
    const { tenantId, token } = tenancy;
    const domain = await clients.domains.createDomain(
      { tenantId, name: `d-${randomUUID()}`, superiorDomainIds: [], detached: true },
      { token },
    );
    const policies = [
      policy('allow', { action: 'read' }),
      policy('deny', { action: 'update' }, { deny: true }),
    ];
    await clients.domains.putDomainPolicies({ tenantId, domainId: domain.id, policies }, { token });
    const asked = ['read', 'update', 'judge'].map((action) => ({
      context: requestContext({ subject: 'a', action, object: `svc://${domain.id}/x` }),
    }));
    const { results } = await clients.authorization.batchCheckAuthorization({ checks: asked }, { token });
    expect(results.map(({ authorized, denied }) => [authorized, denied])).toEqual([
      [true, undefined],
      [false, true],
      [false, false],
    ]);
  });

  it('service accounts: created, listed, deactivated, deleted with their keys', async () => {
    covers('AUTHZ-F.ServiceAccount.username', 'AUTHZ-F.ServiceAccount.email', 'AUTHZ-S.11');
    const { tenantId, token } = tenancy;
    const extras = { token };
    const name = `robot-${randomUUID().slice(0, 8)}`;
    const made = await clients.serviceAccounts.createServiceAccount(
      { name: `svc:${name}`, description: 'd', tenantId },
      extras,
    );
    expect(made).toMatchObject({ username: `svc:${name}`, email: `${name}@service.internal` });
    expect(Number(made.expiration)).toBeGreaterThan(Date.now() / 1000 + 364 * 86_400);
    const get = () => clients.serviceAccounts.getServiceAccount({ id: made.serviceAccountId }, extras);
    expect(await get()).toMatchObject({
      active: true,
      apiKeyId: made.apiKeyId,
      apiKeyActive: true,
      tenantId,
    });
    const live = async () => (await clients.sessions.introspectCredential({ credential: made.token })).live;
    expect(await live()).toBe(true);
    await clients.serviceAccounts.updateServiceAccount({ id: made.serviceAccountId, active: false }, extras);
    expect([await live(), (await get()).apiKeyActive]).toEqual([false, false]);
    const list = (activeOnly: boolean) =>
      clients.serviceAccounts.listServiceAccounts({ tenantId, activeOnly }, extras);
    expect((await list(false)).serviceAccounts.map(({ id }) => id)).toContain(made.serviceAccountId);
    expect((await list(true)).serviceAccounts.map(({ id }) => id)).not.toContain(made.serviceAccountId);
    await clients.serviceAccounts.deleteServiceAccount({ id: made.serviceAccountId }, extras);
    expect(await refusalOf(get())).toMatchObject({ reason: 'SERVICE_ACCOUNT_NOT_FOUND' });
  });

  it('a deleted tenant takes its domains and tokens with it, its audit stays', async () => {
    covers('AUTHZ-S.12');
    const doomed = await createTenancy(clients);
    const object = `svc://${doomed.rootDomainId}/x`;
    const ask = () =>
      clients.authorization.checkAuthorization(
        { context: requestContext({ subject: 'a', action: 'b', object }) },
        { token: doomed.token },
      );
    await ask();
    await clients.tenants.deleteTenant({ id: doomed.tenantId }, { token: doomed.token });
    expect(await refusalOf(ask())).toMatchObject({ reason: 'TOKEN_INVALID' });
    expect((await clients.sessions.isLoggedIn({}, { token: doomed.plainToken })).isLoggedIn).toBe(true);
    const { rows } = await (fleet.replicas[0] as (typeof fleet.replicas)[number]).service.deps.database.query(
      'SELECT 1 FROM audit_events WHERE tenant_id = $1 AND operation IS NULL',
      [doomed.tenantId],
    );
    expect(rows).toHaveLength(1);
  });

  it('passwords that are short, long or common are refused', async () => {
    covers('AUTHZ-A.9');
    for (const password of ['short', 'x'.repeat(129), 'passwordpassword', 'qwertyuiop123']) {
      const call = clients.users.createUser({ username: randomUUID(), email: 'a@b.example', password });
      expect(await refusalOf(call)).toMatchObject({ code: 3, fields: ['password'] });
    }
  });

  it('authz-grpc publishes the signing key, the next one before it signs', async () => {
    covers('AUTHZ-A.8');
    const { signingKeys } = (fleet.replicas[0] as (typeof fleet.replicas)[number]).service.deps;
    const before = await clients.publicKeys.getPublicKey({});
    expect([before.algorithm, before.publicKeyBytes.length]).toEqual(['EdDSA', 32]);
    const kid = await signingKeys.rotate();
    const after = await clients.publicKeys.getPublicKey({});
    expect(after.keyId).toBe(before.keyId);
    expect(after.keys.map(({ keyId }) => keyId)).toEqual([before.keyId, kid]);
    expect((await check(tenancy.rootDomainId, {})).authorized).toBe(false);
  });

  it('health Check, health Watch and reflection respond', async () => {
    covers('AUTHZ-P.HealthCheck', 'AUTHZ-P.HealthWatch', 'AUTHZ-F.ServingStatus');
    const port = (fleet.replicas[0] as (typeof fleet.replicas)[number]).service.grpcPort;
    const Health = makeClientConstructor(healthService, 'Health');
    const health = new Health(`127.0.0.1:${port}`, credentials.createInsecure()) as unknown as Client & {
      check(
        request: object,
        callback: (error: { code: number } | null, response?: { status: string }) => void,
      ): void;
      watch(request: object): NodeJS.ReadableStream & { cancel(): void };
    };
    const status = (service: string) =>
      new Promise((resolve) =>
        health.check({ service }, (error, response) => resolve(error?.code ?? response?.status)),
      );
    expect(await status('')).toBe('SERVING');
    expect(await status('authz.v1.AuthorizationService')).toBe('SERVING');
    expect(await status('authz.v1.NoService')).toBe(5);
    const watch = health.watch({ service: 'authz.v1.NoService' });
    watch.on('error', () => undefined);
    const first = await new Promise((resolve) => watch.once('data', resolve));
    expect(first).toMatchObject({ status: 'SERVICE_UNKNOWN' });
    watch.cancel();
    health.close();
    const proto = fileURLToPath(
      new URL('../../proto/health/v1/health.proto', import.meta.resolve('grpc-health-check')),
    );
    const { type } = loadSync(proto)['grpc.health.v1.HealthCheckResponse'] as MessageTypeDefinition<
      object,
      object
    >;
    const { enumType } = type as { enumType: { value: { name: string; number: number }[] }[] };
    expect(enumType[0]?.value.map(({ name, number }) => [name, number])).toEqual([
      ['UNKNOWN', 0],
      ['SERVING', 1],
      ['NOT_SERVING', 2],
      ['SERVICE_UNKNOWN', 3],
    ]);

    // ServerReflectionRequest { list_services: "" } is field 7, empty.
    const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const identity = (bytes: Buffer) => bytes;
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const stream = raw.makeBidiStreamRequest(path, identity, identity);
    const listed = new Promise<Buffer>((resolve) => stream.once('data', resolve));
    stream.write(Buffer.from([0x3a, 0x00]));
    const services = (await listed).toString('latin1');
    expect(services).toContain('authz.v1.AuthorizationService');
    expect(services).toContain('grpc.health.v1.Health');
    // file_containing_symbol is field 4; what comes back describes the messages of health.
    const described = new Promise<Buffer>((resolve) => stream.once('data', resolve));
    const symbol = Buffer.from('grpc.health.v1.Health');
    stream.write(Buffer.concat([Buffer.from([0x22, symbol.length]), symbol]));
    expect((await described).toString('latin1')).toContain('HealthCheckResponse');
    stream.end();
    raw.close();
  });
});
