import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { freePort, startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { migrateAuthz, ROOT_PASSWORD, startAuthz, type AuthzProcess } from './authz-process.fixture.ts';
import { outputOf, startReplica, type Replica } from './replica.fixture.ts';

const PASSWORD = 'a user password for tests 2846';
/** Calls a user has, and how many more they get before they are refused. */
const USER_CALLS = 60;
const OVERAGE_PERCENT = 10;
/** How soon a caller must know that their credential cannot be checked (platform page, "Who asks whom"). */
const ANSWER_MAX_MS = 2_000;

let postgres: Postgres;
/** Databases of authz-grpc: the one that it has, and one that has not been served from. */
let authzUrl: string;
let otherAuthzUrl: string;
let docstoreUrl: string;
let grpcPort: number;
let authz: AuthzProcess;
let clients: AuthzClients;
let docstore: Replica;
const settings = {
  AUTHZ_QUOTA_USER_PLANE: String(USER_CALLS),
  AUTHZ_QUOTA_OVERAGE_PERCENT: String(OVERAGE_PERCENT),
  AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '10000',
};

beforeAll(async () => {
  postgres = await startPostgres();
  authzUrl = await postgres.createDatabase();
  docstoreUrl = await postgres.createDatabase();
  await Promise.all([migrateAuthz(authzUrl), outputOf(['migrate'], { DATABASE_URL: docstoreUrl })]);
  otherAuthzUrl = await postgres.createDatabase(new URL(authzUrl).pathname.slice(1));
  grpcPort = await freePort();
  authz = await startAuthz(authzUrl, grpcPort, settings);
  // One after the other: who calls before anybody listens is refused for a while.
  docstore = await startDocstore();
  clients = openAuthzClients(`127.0.0.1:${grpcPort}`);
});
afterAll(async () => {
  clients.close();
  await docstore.kill();
  await authz.kill();
  await postgres.stop();
});

const startDocstore = () =>
  startReplica({
    DATABASE_URL: docstoreUrl,
    REDIS_URL: '',
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
    DOCSTORE_AUTHZ_URL: `dns:///127.0.0.1:${grpcPort}`,
  });

interface User {
  readonly id: string;
  readonly token: string;
}

async function createUser(): Promise<User & { username: string }> {
  const username = `user-${randomUUID()}`;
  const { userId } = await clients.users.createUser({
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
  });
  const { token } = await clients.sessions.login({ username, password: PASSWORD });
  return { id: userId, username, token };
}

/** A user with a session in a tenant of their own. */
async function createOwner(): Promise<User & { tenantId: string; rootDomainId: string }> {
  const user = await createUser();
  const tenant = await clients.tenants.createTenant(
    { name: `tenant-${randomUUID()}`, description: '' },
    { token: user.token },
  );
  const { token } = await clients.sessions.refreshLoginWithTenant(
    { tenantId: tenant.id },
    { token: user.token },
  );
  return { id: user.id, token, tenantId: tenant.id, rootDomainId: tenant.domains[0]!.id };
}

/** A user with a session in the tenant of another. */
async function createMember(owner: { token: string; tenantId: string }): Promise<User> {
  const { tenantId } = owner;
  const user = await createUser();
  await clients.tenants.createTenantUserAssociation({ tenantId, userId: user.id }, { token: owner.token });
  const { token } = await clients.sessions.refreshLoginWithTenant({ tenantId }, { token: user.token });
  return { id: user.id, token };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly ms: number;
  readonly body: { key?: string; error?: { code: string } };
}

async function ask(credential: string, method = 'GET', path = '/v1/usage', json?: unknown): Promise<Answer> {
  const start = performance.now();
  const response = await fetch(docstore.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${credential}`,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const body = (await response.json()) as Answer['body'];
  return { status: response.status, headers: response.headers, ms: performance.now() - start, body };
}
const mint = (credential: string, scopes = 'file:read file:write usage:read') =>
  ask(credential, 'POST', '/v1/key', { name: 'minted', scopes });

/** Calls of IntrospectCredential that authz-grpc has answered. */
async function introspections(): Promise<number> {
  const text = await (await fetch(`${authz.probeUrl}/metrics`)).text();
  const lines = text.matchAll(
    /^grpc_request_duration_seconds_count\{.*method="IntrospectCredential".*\} (\d+)$/gm,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Asks until the answer has this status; how long an outage is noticed late is not what is tested. */
async function askUntil(status: number, credential: string): Promise<void> {
  while ((await ask(credential)).status !== status) await sleep(250);
}

/** The quickest of three is in time: what else the machine does can only make one later. */
async function expectUnavailable(asked: () => Promise<Answer>): Promise<void> {
  const answers = [await asked(), await asked(), await asked()];
  for (const { status, headers, body } of answers) {
    expect([status, body.error?.code]).toEqual([503, 'internal']);
    expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
  }
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWER_MAX_MS);
}

describe('platform tokens, judged by authz-grpc', () => {
  it('speak for their tenant, and mint keys only for who may manage them', async () => {
    covers('DOC-D.9');
    const owner = await createOwner();
    const member = await createMember(owner);
    expect((await ask(owner.token)).status).toBe(200);
    expect((await ask(member.token)).status).toBe(200);
    expect([(await mint(owner.token)).status, (await mint(member.token)).status]).toEqual([201, 403]);

    const { tenantId, rootDomainId: domainId, token } = owner;
    const { policies } = await clients.domains.getDomainPolicies({ tenantId, domainId }, { token });
    const rules = { subject: member.id, action: 'manage', object: `svc://${domainId}/docstore/keys` };
    const grant = {
      name: 'key-managers',
      description: '',
      invert: false,
      deny: false,
      engine: EvaluationEngine.FIXED,
      statements: [{ rules: new Map(Object.entries(rules)) }],
    };
    await clients.domains.putDomainPolicies(
      { tenantId, domainId, policies: [...policies, grant] },
      { token },
    );
    const minted = await mint(member.token);
    expect(minted.status).toBe(201);

    const made = await ask(minted.body.key!, 'POST', '/v1/file', { filename: 'shared', contents: 'x' });
    expect(made.status).toBe(201);
    const stranger = await createOwner();
    const path = made.headers.get('Location')!;
    const seen = [owner, member, stranger].map(async (user) => (await ask(user.token, 'GET', path)).status);
    expect(await Promise.all(seen)).toEqual([200, 200, 404]);
  });

  it('without a tenant speak for nobody', async () => {
    expect((await ask((await createUser()).token)).status).toBe(401);
  });

  it('are asked about once per request; forged ones and own keys not at all', async () => {
    const owner = await createOwner();
    const key = (await mint(owner.token)).body.key!;
    const before = await introspections();
    for (let request = 0; request < 5; request++) expect((await ask(owner.token)).status).toBe(200);
    expect(await introspections()).toBe(before + 5);
    const [head, claims] = owner.token.split('.');
    expect((await ask(`${head}.${claims}.${'A'.repeat(86)}`)).status).toBe(401);
    expect((await ask(key)).status).toBe(200);
    expect(await introspections()).toBe(before + 5);
  });

  it('are refused at once when revoked, when their user is inactive, and when that user has left the tenant', async () => {
    const owner = await createOwner();
    const [leaver, idler, stayer] = [
      await createMember(owner),
      await createMember(owner),
      await createMember(owner),
    ];
    for (const { token } of [leaver, idler, stayer]) expect((await ask(token)).status).toBe(200);
    await clients.sessions.logout({ userId: stayer.id }, { token: stayer.token });
    expect((await ask(stayer.token)).status).toBe(401);
    const root = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
    await clients.users.updateUser({ id: idler.id, active: false }, { token: root.token });
    expect((await ask(idler.token)).status).toBe(401);
    const { tenantId, token } = owner;
    await clients.tenants.deleteTenantUserAssociation({ tenantId, userId: leaver.id }, { token });
    const refused = await ask(leaver.token);
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="docstore", error="invalid_token"',
    ]);
    expect((await ask(token)).status).toBe(200);
  });

  it('take their holder’s quota, and with none left get 429 with Retry-After, while own keys go on', async () => {
    const owner = await createOwner();
    const key = (await mint(owner.token)).body.key!;
    let passed = 0;
    let answer = await ask(owner.token);
    for (; answer.status === 200; answer = await ask(owner.token)) passed++;
    expect([answer.status, answer.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    expect(passed).toBeGreaterThan(USER_CALLS / 2);
    expect(passed).toBeLessThanOrEqual(USER_CALLS * (1 + OVERAGE_PERCENT / 100));
    expect((await ask(key)).status).toBe(200);
  });
});

describe('without authz-grpc', () => {
  let owner: User;
  let key: string;
  const revive = async () => {
    authz = await startAuthz(authzUrl, grpcPort, settings);
  };
  beforeAll(async () => {
    owner = await createOwner();
    key = (await mint(owner.token)).body.key!;
  });
  /** Nobody whose credential cannot be checked is let in; own keys need nobody's word. */
  async function expectOutage(): Promise<void> {
    await expectUnavailable(() => ask(owner.token));
    await expectUnavailable(() => mint(owner.token));
    expect((await ask(key)).status).toBe(200);
  }

  // Whatever a test did to authz-grpc, the service that was never restarted finds it again.
  afterEach(() => askUntil(200, owner.token));

  it('that hangs, tokens get 503 in time and work again once it goes on', async () => {
    authz.signal('SIGSTOP');
    try {
      await expectOutage();
    } finally {
      authz.signal('SIGCONT');
    }
  });

  it('that is down, tokens get 503 in time and work again once it is back', async () => {
    await authz.kill();
    await expectOutage();
    await revive();
  });

  it('that comes back with other keys, old tokens are refused and new ones taken, without a restart', async () => {
    const old = owner;
    await authz.kill();
    authz = await startAuthz(otherAuthzUrl, grpcPort, settings);
    await askUntil(401, old.token);
    clients.close();
    clients = openAuthzClients(`127.0.0.1:${grpcPort}`);
    owner = await createOwner();
    await askUntil(200, owner.token);
    expect((await ask(old.token)).status).toBe(401);
    expect((await ask(key)).status).toBe(200);
  });

  it('is started without it too, and finds it when it comes', async () => {
    await authz.kill();
    const late = await startDocstore();
    try {
      const usage = async () =>
        (await fetch(`${late.url}/v1/usage`, { headers: { Authorization: `Bearer ${owner.token}` } })).status;
      expect(await usage()).toBe(503);
      authz = await startAuthz(otherAuthzUrl, grpcPort, settings);
      while ((await usage()) !== 200) await sleep(250);
    } finally {
      await late.kill();
    }
  });
});
