import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:http2';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { GrpcCallError, type AuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, rootToken, USER_PASSWORD } from './service.fixture.ts';

const fleet = useFleet('postgres', {
  now: () => new Date(Date.now() + aheadMs),
  env: { AUTHZ_AUDIT_QUEUE_ROWS: '100' },
});
const { clients } = fleet;
let aheadMs = 0;

function post(path: string, token: string, body: unknown): Promise<Response> {
  return fetch(fleet.httpUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const single = (value: string) => ({ value: { $case: 'single' as const, value } });
const contextOf = (domainId: string) =>
  new Map([
    ['subject', single('someone')],
    ['action', single('read')],
    ['object', single(`svc://${domainId}/x`)],
  ]);

describe('without a credential', () => {
  const empty = { tenantId: '', domainId: '' };
  it.each<[string, (c: AuthzClients) => Promise<unknown>]>([
    ['GetDomain', (c) => c.domains.getDomain(empty)],
    ['UpdateDomain', (c) => c.domains.updateDomain({ ...empty, domain: undefined })],
    ['PutDomainPolicies', (c) => c.domains.putDomainPolicies({ ...empty, policies: [] })],
    ['UpdateTenant', (c) => c.tenants.updateTenant({ id: '', tenant: undefined })],
    [
      'CreateServiceAccount',
      (c) => c.serviceAccounts.createServiceAccount({ name: '', description: '', tenantId: '' }),
    ],
    ['ListServiceAccounts', (c) => c.serviceAccounts.listServiceAccounts(empty)],
    [
      'ValidateEmailVerificationToken',
      (c) => c.verification.validateEmailVerificationToken({ token: '', tokenType: TokenType.UNSPECIFIED }),
    ],
  ])('%s says so before it looks at the request', async (_name, call) => {
    covers('AUTHZ-E.2');
    expect(await refusalOf(call(clients))).toMatchObject({ code: 16, reason: 'TOKEN_INVALID' });
  });
});

describe('a message that is never sent to its end', () => {
  it.each<[string, string, number]>([
    ['DomainService/PutDomainPolicies', 'UNAUTHENTICATED, before any of it is read', 16],
    ['AuthorizationService/BatchCheckAuthorization', 'UNAUTHENTICATED, before any of it is read', 16],
    ['SessionService/Login', 'INVALID_ARGUMENT, at 2 MiB of it', 3],
    ['TenantService/CreateTenant', 'INVALID_ARGUMENT, at 2 MiB of it', 3],
  ])('a message of %s that is never sent to its end ends with %s', async (method, _answer, code) => {
    covers('AUTHZ-E.2');
    const session = connect(`http://127.0.0.1:${fleet.replicas[0]?.service.grpcPort}`);
    const call = session.request({
      ':method': 'POST',
      ':path': `/authz.v1.${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(50 * 1024 * 1024, 1);
    call.write(Buffer.concat([head, Buffer.alloc(3 * 1024 * 1024)]));
    const response = await new Promise<Record<string, unknown>>((resolve) => call.on('response', resolve));
    expect(response).toMatchObject({
      'grpc-status': String(code),
      'grpc-status-details-bin': expect.any(String),
      'x-request-id': expect.any(String),
    });
    session.destroy();
  });
});

describe('texts', () => {
  it('a password of 128 characters, each of two code units, logs in, and one of 129 is refused', async () => {
    const username = `user-${randomUUID()}`;
    const password = (length: number) =>
      Array.from({ length }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 4000))).join('');
    const create = (text: string) =>
      clients.users.createUser({ username, email: 'a@example.org', password: text });
    expect(await refusalOf(create(password(129)))).toMatchObject({ code: 3, fields: ['password'] });
    const { userId } = await create(password(128));
    expect((await clients.sessions.login({ username, password: password(128) })).userId).toBe(userId);
    expect(await refusalOf(clients.sessions.login({ username, password: password(129) }))).toMatchObject({
      reason: 'LOGIN_FAILED',
    });
  });

  it('a message is read up to 1 MiB, no matter who sent it', async () => {
    covers('AUTHZ-E.2');
    const create = (characters: number) =>
      clients.users.createUser({ username: 'x'.repeat(characters), email: '', password: '' });
    expect(await refusalOf(create(1_000_000))).toMatchObject({ code: 3, fields: ['username'] });
    expect(await refusalOf(create(1_100_000))).toMatchObject({ code: 3, reason: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    'TenantService/CreateTenant',
    'DomainService/PutDomainPolicies',
    'AuthorizationService/CheckAuthorization',
    'AuthorizationService/BatchCheckAuthorization',
  ])('bytes that are not a message of %s are a wrong argument', async (method) => {
    covers('AUTHZ-E.2');
    const { token } = await createTenancy(clients);
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    const asIs = (bytes: Buffer) => bytes;
    const client = new Client(
      `127.0.0.1:${fleet.replicas[0]?.service.grpcPort}`,
      credentials.createInsecure(),
    );
    const call = new Promise((resolve, reject) => {
      const cut = Buffer.from([0x0a, 0x7f]);
      client.makeUnaryRequest(`/authz.v1.${method}`, asIs, asIs, cut, metadata, (error, response) =>
        error === null ? resolve(response) : reject(new GrpcCallError(error)),
      );
    });
    expect(await refusalOf(call)).toMatchObject({
      code: 3,
      reason: 'INVALID_ARGUMENT',
      message: `the message is not one that \`${method.split('/')[1]}\` takes`,
    });
    client.close();
  });

  it('a name with NUL is one that nobody has', async () => {
    const { token, tenantId } = await createTenancy(clients);
    const root = await rootToken(clients);
    const name = 'a\0b';
    for (const [as, call] of [
      [{ token }, 'ACCESS_DENIED'],
      [{ token: root }, 'NOT_FOUND'],
    ] as const) {
      const user = await refusalOf(clients.users.getUserByName({ username: name }, as));
      expect(user.reason).toMatch(call);
      const tenant = await refusalOf(clients.tenants.getTenantByName({ name }, as));
      expect(tenant.reason).toMatch(call);
    }
    const domain = await refusalOf(clients.domains.getDomainByName({ tenantId, name }, { token }));
    expect(domain).toMatchObject({ code: 5, reason: 'DOMAIN_NOT_FOUND' });
    for (const filter of [{ subject: name }, { action: name }]) {
      const listed = await clients.authorization.listAuditEvents(
        { tenantId, limit: 0, cursor: '', ...filter },
        { token },
      );
      expect(listed.events).toEqual([]);
    }
  });

  it('audit events are asked for within the years of a Timestamp', async () => {
    const { token, tenantId } = await createTenancy(clients);
    const list = (range: { after?: Date; before?: Date }) =>
      clients.authorization.listAuditEvents(
        { tenantId, limit: 0, cursor: '', kind: AuditKind.CHECK, ...range },
        { token },
      );
    const first = new Date('0001-01-01T00:00:00Z');
    const last = new Date('9999-12-31T23:59:59.999Z');
    expect((await list({ after: first, before: last })).events).toEqual([]);
    for (const [field, time] of [
      ['after', new Date(first.getTime() - 1)],
      ['before', new Date(last.getTime() + 1)],
      ['after', new Date(-8.64e15)],
    ] as const) {
      expect(await refusalOf(list({ [field]: time }))).toMatchObject({ code: 3, fields: [field] });
    }
  });

  it('an attribute value has 2,048 bytes at most, under the longest key', async () => {
    covers('AUTHZ-P.SetUserAttribute');
    const { token, userId } = await createTenancy(clients);
    const set = (bytes: number) =>
      clients.attributes.setUserAttribute(
        {
          userId,
          attributeKey: Array.from({ length: 128 }, (_, i) => String.fromCodePoint(0x20000 + i * 97)).join(
            '',
          ),
          attributeValues: [randomBytes(bytes).toString('base64').slice(0, bytes)],
        },
        { token },
      );
    await set(2_048);
    expect(await refusalOf(set(2_049))).toMatchObject({ code: 3, fields: ['attribute_values'] });
  });
});

describe('quota', () => {
  it('a member who left takes nothing from the tenant', async () => {
    covers('AUTHZ-Q.4');
    const { token, tenantId } = await createTenancy(clients);
    const root = await rootToken(clients);
    const left = async () =>
      (await clients.tenants.getTenant({ id: tenantId }, { token: root })).controlPlane?.tokens as bigint;
    const member = await createUserAndLogin(clients);
    const pair = { tenantId, userId: member.userId };
    await clients.tenants.createTenantUserAssociation(pair, { token });
    const { token: own } = await clients.sessions.refreshLoginWithTenant(
      { tenantId },
      { token: member.plainToken },
    );
    const before = await left();
    await clients.users.getUser({ id: member.userId }, { token: own });
    expect(await left()).toBe(before - 1n);
    await clients.tenants.deleteTenantUserAssociation(pair, { token });
    const refused = await refusalOf(clients.users.getUser({ id: member.userId }, { token: own }));
    expect(refused.reason).toBe('TOKEN_INVALID');
    expect(await left()).toBe(before - 1n);
  });

  it('exchanging a key is a call as any other', async () => {
    covers('AUTHZ-F.Tokens.tokens');
    const { token, tenantId } = await createTenancy(clients);
    const root = await rootToken(clients);
    const left = async () =>
      (await clients.tenants.getTenant({ id: tenantId }, { token: root })).controlPlane?.tokens as bigint;
    const { token: credential } = await clients.serviceAccounts.createServiceAccount(
      { tenantId, name: `s-${randomUUID()}`, description: '', expirationDays: 1 },
      { token },
    );
    const before = await left();
    await clients.serviceAccounts.exchangeServiceAccountToken({ credential, duration: 60 });
    expect(await left()).toBe(before - 1n);
  });

  it('what is not permitted takes nothing, for whatever reason', async () => {
    covers('AUTHZ-Q.4');
    const { token, tenantId, tenantName, userId, plainToken } = await createTenancy(clients);
    const root = await rootToken(clients);
    const { apiKey } = await clients.apiKeys.createApiKey({ userId }, { token });
    const tenant = await clients.tenants.getTenant({ id: tenantId }, { token: root });
    const planes = async () => {
      const { controlPlane } = await clients.tenants.getTenant({ id: tenantId }, { token: root });
      const { userPlane } = await clients.users.getUser({ id: userId }, { token: root });
      return [controlPlane?.tokens, userPlane?.tokens];
    };
    const before = await planes();
    const more = { maxTokens: 10n ** 9n, tokens: 0n, maxOverage: 0n, overage: 0n };
    for (const call of [
      clients.sessions.logout({ userId: randomUUID() }, { token }),
      clients.sessions.logout({ userId }, { token: apiKey }),
      clients.apiKeys.createApiKey({ userId }, { token: apiKey }),
      clients.sessions.refreshLoginWithTenant({ tenantId: randomUUID() }, { token: plainToken }),
      clients.sessions.refreshLoginWithTenant({ tenantId }, { token: apiKey }),
      clients.tenants.updateTenant(
        { id: tenantId, tenant: { ...tenant, name: tenantName, dataPlane: more } },
        { token },
      ),
    ]) {
      expect(await refusalOf(call)).toMatchObject({
        code: 7,
        reason: expect.stringMatching(/^(ACCESS_DENIED|SESSION_REQUIRED)$/),
      });
    }
    expect(await planes()).toEqual(before);
  });

  it('a batch of one check more than is left takes nothing, and one of what is left takes all', async () => {
    covers('AUTHZ-Q.3');
    const { token, tenantId, userId, rootDomainId } = await createTenancy(clients);
    const root = { token: await rootToken(clients) };
    const limit = async (maxTokens: bigint, maxOverage: bigint) => {
      const tenant = await clients.tenants.getTenant({ id: tenantId }, root);
      const dataPlane = { maxTokens, tokens: 0n, maxOverage, overage: 0n };
      await clients.tenants.updateTenant({ id: tenantId, tenant: { ...tenant, dataPlane } }, root);
    };
    const left = async () => {
      const { dataPlane } = await clients.tenants.getTenant({ id: tenantId }, root);
      const { userPlane } = await clients.users.getUser({ id: userId }, root);
      return [dataPlane?.tokens, dataPlane?.overage, userPlane?.tokens];
    };
    const check = { context: contextOf(rootDomainId) };
    const batch = (size: number) =>
      clients.authorization.batchCheckAuthorization(
        { checks: Array.from({ length: size }, () => check) },
        { token },
      );
    const exhausted = { code: 8, reason: 'QUOTA_EXHAUSTED' };

    await limit(997n, 2n);
    const [, , user] = (await left()) as [bigint, bigint, bigint];
    expect(await refusalOf(batch(1000))).toMatchObject({
      ...exhausted,
      message: 'quota `data_plane` and its overage have not the 1000 calls left that this takes',
    });
    expect(await left()).toEqual([997n, 0n, user]);
    const { results } = await batch(999);
    // Checks that are alike are checks each.
    expect(new Set(results.map(({ checkId }) => checkId)).size).toBe(999);
    expect(await left()).toEqual([0n, 2n, user - 999n]);
    expect(await refusalOf(batch(1))).toMatchObject(exhausted);
    // A limit below what was used lets nothing in, and one above it what it adds.
    await limit(10n, 0n);
    expect(await refusalOf(batch(1))).toMatchObject(exhausted);
    await limit(1000n, 0n);
    expect(await refusalOf(batch(2))).toMatchObject(exhausted);
    expect((await batch(1)).results).toHaveLength(1);
  });

  it('the system root can give a quota back to a tenant that has none', async () => {
    covers('AUTHZ-G.4');
    const { token, tenantId } = await createTenancy(clients);
    const root = { token: await rootToken(clients) };
    const read = () => clients.tenants.getTenant({ id: tenantId }, { token });
    const tenant = await read();
    const controlPlane = { maxTokens: 0n, tokens: 0n, maxOverage: 0n, overage: 0n };
    await clients.tenants.updateTenant({ id: tenantId, tenant: { ...tenant, controlPlane } }, root);
    expect(await refusalOf(read())).toMatchObject({
      code: 8,
      reason: 'QUOTA_EXHAUSTED',
      message: 'quota `control_plane` and its overage are used up',
    });
    await clients.tenants.updateTenant({ id: tenantId, tenant }, root);
    expect((await read()).name).toBe(tenant.name);
  });

  it('overage never shows more than there may be', async () => {
    covers('AUTHZ-F.Tokens.overage');
    const { token, tenantId } = await createTenancy(clients);
    const root = await rootToken(clients);
    for (let i = 0; i < 8; i += 1) await clients.tenants.getTenant({ id: tenantId }, { token });
    const tenant = await clients.tenants.getTenant({ id: tenantId }, { token: root });
    const controlPlane = { maxTokens: 2n, tokens: 0n, maxOverage: 3n, overage: 0n };
    await clients.tenants.updateTenant(
      { id: tenantId, tenant: { ...tenant, controlPlane } },
      { token: root },
    );
    const after = await clients.tenants.getTenant({ id: tenantId }, { token: root });
    expect(after.controlPlane).toMatchObject({ maxTokens: 2n, tokens: 0n, maxOverage: 3n, overage: 3n });
  });
});

describe('a session', () => {
  it('a session lives as long as it was asked for and no second more', async () => {
    covers('AUTHZ-S.1');
    const { username } = await createUserAndLogin(clients);
    const { token } = await clients.sessions.login({ username, password: USER_PASSWORD, duration: 60 });
    expect((await clients.sessions.isLoggedIn({}, { token })).isLoggedIn).toBe(true);
    aheadMs = 60_000;
    try {
      expect((await clients.sessions.isLoggedIn({}, { token })).isLoggedIn).toBe(false);
      expect((await clients.sessions.introspectCredential({ credential: token })).live).toBe(false);
    } finally {
      aheadMs = 0;
    }
  });

  it('a session of a deleted tenant is refused over AuthZEN', async () => {
    covers('AUTHZ-E.2');
    const { token, tenantId, rootDomainId } = await createTenancy(clients);
    await clients.tenants.deleteTenant({ id: tenantId }, { token });
    const evaluation = {
      subject: { type: 'user', id: 'someone' },
      action: { name: 'read' },
      resource: { type: 'doc', id: '1' },
    };
    for (const [path, body] of [
      ['/access/v1/evaluation', evaluation],
      ['/access/v1/evaluations', { evaluations: [evaluation] }],
      [
        '/v1/authz/check',
        { context: { subject: 'someone', action: 'read', object: `svc://${rootDomainId}/x` } },
      ],
    ] as const) {
      const response = await post(path, token, body);
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ error: 'unauthorized' });
    }
  });
});

it('the check endpoint takes no notice of a query', async () => {
  covers('AUTHZ-P.1');
  const { token, rootDomainId, userId } = await createTenancy(clients);
  const context = { subject: userId, action: 'read', object: `svc://${rootDomainId}/x` };
  const response = await post('/v1/authz/check?trace=1', token, { context });
  expect([response.status, await response.json()]).toEqual([200, { allowed: true }]);
});

it('a request with two credentials has none', async () => {
  covers('AUTHZ-E.2');
  const { token, rootDomainId, userId } = await createTenancy(clients);
  const context = { subject: userId, action: 'read', object: `svc://${rootDomainId}/x` };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${fleet.httpUrl}/v1/authz/check`, {
      method: 'POST',
      headers: { authorization: [`Bearer ${token}`, 'Bearer another'] as unknown as string },
    });
    sent.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
    sent.end(JSON.stringify({ context }));
  });
  expect(status).toBe(401);
});

it('a member reads their own attributes without a policy that says so', async () => {
  covers('AUTHZ-P.GetUserAttributes');
  const { token, tenantId } = await createTenancy(clients);
  const { userId, plainToken } = await createUserAndLogin(clients);
  await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
  await clients.attributes.setUserAttribute(
    { userId, attributeKey: 'group', attributeValues: ['red'] },
    { token },
  );
  const session = await clients.sessions.refreshLoginWithTenant({ tenantId }, { token: plainToken });
  const { attributes } = await clients.attributes.getUserAttributes({ userId }, { token: session.token });
  expect([...attributes].map(([key, { values }]) => [key, values])).toEqual([['group', ['red']]]);
});

it('a batch gets its response though it has more rows than may wait', async () => {
  const { token, rootDomainId } = await createTenancy(clients);
  const checks = Array.from({ length: 101 }, () => ({ context: contextOf(rootDomainId) }));
  const { results } = await clients.authorization.batchCheckAuthorization({ checks }, { token });
  expect(results.filter(({ checkId }) => checkId !== '')).toHaveLength(101);
});

it('a key ends, for all who look, by the clock that said how long it lives', async () => {
  covers('AUTHZ-L.3');
  const { userId, username, token, tenantId, tenantName } = await createTenancy(clients);
  const { keyId } = await clients.apiKeys.createApiKey({ userId, expirationDays: 1 }, { token });
  const account = await clients.serviceAccounts.createServiceAccount(
    { name: 'mailer', description: '', tenantId, expirationDays: 1 },
    { token },
  );
  const seen = async () => {
    const login = { username, password: USER_PASSWORD, tenant: tenantName };
    const as = { token: (await clients.sessions.login(login)).token };
    const { users } = await clients.tenants.getTenantAssociations({ tenantId }, as);
    return [
      (await clients.apiKeys.listApiKeys({ userId }, as)).apiKeys.map((key) => key.keyId),
      (await clients.users.getUser({ id: userId }, as)).apiKeyIds,
      users.flatMap(({ apiKeyIds }) => apiKeyIds),
      (await clients.serviceAccounts.getServiceAccount({ id: account.serviceAccountId }, as)).apiKeyActive
        ? [keyId]
        : [],
      (await clients.serviceAccounts.listServiceAccounts({ tenantId }, as)).serviceAccounts.some(
        ({ apiKeyActive }) => apiKeyActive,
      )
        ? [keyId]
        : [],
    ];
  };
  expect(await seen()).toEqual(Array.from({ length: 5 }, () => [keyId]));
  // The last test here: limits that saw this clock would count on from it.
  aheadMs = 86_400_000;
  expect(await seen()).toEqual(Array.from({ length: 5 }, () => []));
});
