import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import { DocstoreClient, type ChangePage } from '@platform/docstore-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { ROOT_PASSWORD, freePort, startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { CONFIG } from '../src/config.ts';
import { createDeps } from '../src/deps.ts';
import { migrateAuthz, startAuthz, type AuthzProcess } from './authz-process.fixture.ts';
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
  readonly body: { key?: string; error?: { code: string; message: string } };
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

/** Calls of IntrospectCredential that authz-grpc has responded to. */
async function introspections(): Promise<number> {
  const text = await (await fetch(`${authz.probeUrl}/metrics`)).text();
  const lines = text.matchAll(
    /^grpc_request_duration_seconds_count\{.*method="IntrospectCredential".*\} (\d+)$/gm,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Asks until the response has this status; how long an outage is noticed late is not what is tested. */
async function askUntil(status: number, credential: string): Promise<void> {
  while ((await ask(credential)).status !== status) await sleep(250);
}

/** Every response says so, and one is in time: what else the machine does can only make one later. */
async function expectUnavailable(asked: () => Promise<Answer>): Promise<void> {
  const timeOfRefusal = async () => {
    const { status, headers, body, ms } = await asked();
    expect([status, body.error?.code]).toEqual([503, 'internal']);
    expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    return ms;
  };
  for (let n = 0; n < 2; n += 1) await timeOfRefusal();
  await eventually(timeOfRefusal).toBeLessThan(ANSWER_MAX_MS);
}

describe('platform tokens, judged by authz-grpc', () => {
  it('platform tokens speak for their tenant, and make keys only for users who may manage them', async () => {
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
    // The member may manage keys, and no policy lets them read documents.
    expect(await Promise.all(seen)).toEqual([200, 404, 404]);
  });

  it('a member whom no policy lets manage keys is told action and object of the missing policy', async () => {
    covers('DOC-D.44');
    const owner = await createOwner();
    const member = await createMember(owner);
    const { status, body } = await mint(member.token);
    expect([status, body.error?.message]).toEqual([
      403,
      `no policy allows \`manage\` on \`svc://${owner.rootDomainId}/docstore/keys\``,
    ]);
  });

  it('a live platform token without a tenant is told to log in with one, and one that has ended is refused', async () => {
    covers('DOC-D.44');
    const { id: userId, token } = await createUser();
    const refused = await ask(token);
    expect([refused.status, refused.body.error?.message]).toEqual([
      403,
      'the token names no tenant: log in with one',
    ]);
    await clients.sessions.logout({ userId }, { token });
    expect((await ask(token)).status).toBe(401);
  });

  it('platform tokens are introspected once per request; forged ones and own keys never are', async () => {
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

  it('platform tokens are refused at once when revoked, when their user is inactive, and when that user has left the tenant', async () => {
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

  it("platform tokens consume their holder's quota and get 429 with Retry-After without any, while own keys keep working", async () => {
    const owner = await createOwner();
    const key = (await mint(owner.token)).body.key!;
    let passed = 0;
    let response = await ask(owner.token);
    for (; response.status === 200; response = await ask(owner.token)) passed++;
    expect([response.status, response.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    expect(passed).toBeGreaterThan(USER_CALLS / 2);
    expect(passed).toBeLessThanOrEqual(USER_CALLS * (1 + OVERAGE_PERCENT / 100));
    expect((await ask(key)).status).toBe(200);
  });
});

describe('documents under policies', () => {
  /** Lets the member do the actions on every object that begins with `documents/<path>`. */
  async function allow(
    owner: Awaited<ReturnType<typeof createOwner>>,
    member: User,
    actions: string[],
    path: string,
  ) {
    const { tenantId, rootDomainId: domainId, token } = owner;
    const { policies } = await clients.domains.getDomainPolicies({ tenantId, domainId }, { token });
    const policy = {
      name: `allow-${randomUUID()}`,
      description: '',
      invert: false,
      deny: false,
      engine: EvaluationEngine.PREFIX,
      statements: actions.map((action) => ({
        rules: new Map([
          ['subject', member.id],
          ['action', action],
          ['object', `svc://${domainId}/documents/${path}`],
        ]),
      })),
    };
    await clients.domains.putDomainPolicies(
      { tenantId, domainId, policies: [...policies, policy] },
      { token },
    );
  }
  const bodyOf = async <T>(credential: string, path: string) =>
    (await (
      await fetch(docstore.url + path, { headers: { Authorization: `Bearer ${credential}` } })
    ).json()) as T;
  let owner: Awaited<ReturnType<typeof createOwner>>;
  let key: string;
  const create = async (filename: string) => {
    const made = await ask(key, 'POST', '/v1/file', { filename, contents: `text of ${filename}` });
    expect(made.status).toBe(201);
    return made.headers.get('Location')!;
  };
  beforeEach(async () => {
    owner = await createOwner();
    key = (await mint(owner.token)).body.key!;
  });

  it('a member without a policy finds, changes and deletes no document of a colleague, by no route', async () => {
    covers('DOC-D.42');
    const path = await create('notes/day.md');
    const { token } = await createMember(owner);
    const { etag } = await bodyOf<{ etag: string }>(key, path);
    const send = async (method: string, route: string, json?: unknown) => {
      const response = await fetch(docstore.url + route, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'If-Match': etag,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const file = { filename: 'notes/day.md', contents: 'mine' };
    const routes: [string, string, unknown?][] = [
      ['GET', path],
      ['PUT', path, file],
      ['PATCH', path, { metadata: { a: 'b' } }],
      ['DELETE', path],
      ['GET', `${path}/contents`],
      ['POST', `${path}/edit`, { append: 'x' }],
      ['POST', `${path}/merge`, { base_etag: etag, contents: 'x' }],
      ['GET', `${path}/versions`],
      ['GET', `${path}/versions/1`],
      ['POST', `${path}/restore`, { version: 1 }],
      ['GET', '/v1/path/notes/day.md'],
      ['DELETE', '/v1/path/notes/day.md'],
    ];
    const unknown = `/v1/file/file_${randomUUID()}`;
    const absent = JSON.parse((await send('GET', unknown)).text) as { error: { message: string } };
    for (const [method, route, json] of routes) {
      const { status, text } = await send(method, route, json);
      expect([method, route, status]).toEqual([method, route, 404]);
      expect((JSON.parse(text) as typeof absent).error.message).toBe(absent.error.message);
    }
    expect((await send('PUT', '/v1/path/notes/day.md', { contents: 'x' })).status).toBe(403);
    expect((await send('POST', '/v1/file', { ...file, filename: 'mine' })).status).toBe(403);
    expect((await bodyOf<{ files: unknown[] }>(token, '/v1/file')).files).toEqual([]);
    expect(await bodyOf(token, '/v1/changes')).toEqual({ changes: [], last_sequence: 0 });
    const id = path.slice('/v1/file/'.length);
    const items = [
      { method: 'get', id },
      { method: 'replace', id, if_match: '*', file },
      { method: 'delete', id },
    ];
    const batch = JSON.parse((await send('POST', '/v1/batch', { items })).text) as {
      results: { status: number }[];
    };
    expect(batch.results.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await bodyOf<{ contents: string }>(key, path)).contents).toBe('text of notes/day.md');
  });

  it('a follower by policies hears of a rename out of its reach as a deletion, while it waits and later', async () => {
    covers('DOC-D.61', 'DOC-D.62');
    const path = await create('notes/day.md');
    const member = await createMember(owner);
    await allow(owner, member, ['read'], 'notes/');
    const clientOf = (credential: string) => new DocstoreClient({ baseUrl: docstore.url, key: credential });
    const pages = clientOf(member.token).follow();
    const first = (await pages.next()).value as ChangePage;
    expect(first.changes).toMatchObject([{ type: 'created', filename: 'notes/day.md' }]);
    const waiting = pages.next();
    await clientOf(key).patch(path.slice('/v1/file/'.length), { filename: 'secret/day.md' }, '*');
    const left = { changes: [{ type: 'deleted', filename: 'notes/day.md' }], last_sequence: 2 };
    const heard = (await waiting).value as ChangePage;
    expect(heard).toMatchObject(left);
    expect(JSON.stringify(heard)).not.toContain('secret');
    expect(await bodyOf(member.token, '/v1/changes')).toMatchObject(left);
    await pages.return(undefined);
  });

  it('a member does with a document what its policies allow, and is told 403 for the rest of what they may read', async () => {
    covers('DOC-D.42');
    const [path, outside] = [await create('notes/day.md'), await create('secret/day.md')];
    const member = await createMember(owner);
    await allow(owner, member, ['read'], 'notes/');
    expect((await ask(member.token, 'GET', path)).status).toBe(200);
    const remove = async (from: string) =>
      (
        await fetch(docstore.url + from, {
          method: 'DELETE',
          headers: { Authorization: `Bearer ${member.token}` },
        })
      ).status;
    expect([await remove(path), await remove(outside)]).toEqual([403, 404]);
    await allow(owner, member, ['write', 'delete'], 'notes/');
    const make = (filename: string) => ask(member.token, 'POST', '/v1/file', { filename, contents: 'x' });
    expect([(await make('notes/mine')).status, (await make('secret/mine')).status]).toEqual([201, 403]);
    expect([await remove(path), await remove(outside)]).toEqual([204, 404]);
  });

  it('a member whom a policy denies to read a document writes it, and does not read it by renaming it', async () => {
    covers('DOC-D.68', 'DOC-D.69');
    const made = await ask(key, 'POST', '/v1/file', {
      filename: 'secret/plan.md',
      contents: 'hidden text',
      metadata: { note: 'hidden note' },
    });
    const path = made.headers.get('Location')!;
    const member = await createMember(owner);
    await allow(owner, member, ['write'], '');
    await allow(owner, member, ['read'], 'mine/');
    const patch = async (json: unknown) => {
      const response = await fetch(docstore.url + path, {
        method: 'PATCH',
        headers: {
          Authorization: `Bearer ${member.token}`,
          'Content-Type': 'application/json',
          'If-Match': '*',
        },
        body: JSON.stringify(json),
      });
      return { status: response.status, text: await response.text() };
    };
    expect((await patch({ filename: 'mine/plan.md' })).status).toBe(404);
    expect((await ask(member.token, 'GET', path)).status).toBe(404);
    const written = await patch({ metadata: { mine: 'x' } });
    expect([written.status, JSON.parse(written.text)]).toEqual([
      200,
      expect.objectContaining({ metadata: { mine: 'x' } }),
    ]);
    await allow(owner, member, ['read'], 'secret/');
    expect((await patch({ filename: 'mine/plan.md' })).status).toBe(200);
  });

  it('a filename that no policy can name is refused with the reason, also to the owner', async () => {
    covers('DOC-D.42', 'DOC-D.57');
    for (const filename of ['100%', 'a//b', '/a', 'a/', 'cafe\u0301']) {
      const { status, body } = await ask(owner.token, 'POST', '/v1/file', { filename, contents: 'x' });
      expect([filename, status, body.error?.message]).toEqual([
        filename,
        403,
        expect.stringMatching(/^policies cannot name this filename: /),
      ]);
    }
  });
});

describe('erasure', () => {
  it('erasure removes the documents and keys of a deleted tenant once the retention is over, and of no other', async () => {
    covers('DOC-D.41');
    const [gone, other] = [await createOwner(), await createOwner()];
    for (const { token } of [gone, other]) {
      const { key } = (await mint(token)).body;
      expect((await ask(key!, 'POST', '/v1/file', { filename: 'a', contents: 'x' })).status).toBe(201);
    }
    await clients.tenants.deleteTenant({ id: gone.tenantId }, { token: gone.token });
    const DAY_MS = 24 * 3_600_000;
    let now = new Date(Date.now() + 29 * DAY_MS);
    const config = await CONFIG.load({
      DATABASE_URL: docstoreUrl,
      DOCSTORE_AUTHZ_URL: `dns:///127.0.0.1:${grpcPort}`,
      DOCSTORE_LOG_LEVEL: 'error',
    });
    const deps = await createDeps(config, { now: () => now });
    try {
      const documents = async () =>
        Promise.all(
          [gone, other].map(async ({ tenantId }) => (await deps.documents.usage(tenantId)).documents),
        );
      expect([await deps.eraseDeleted(), await documents()]).toEqual([[], [1, 1]]);
      now = new Date(Date.now() + 31 * DAY_MS);
      expect([await deps.eraseDeleted(), await documents()]).toEqual([[gone.tenantId], [0, 1]]);
      expect(await deps.keys.list(gone.tenantId, new Date(), 10)).toEqual([]);
      expect(await deps.eraseDeleted()).toEqual([]);
    } finally {
      await deps.close();
    }
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

  it('tokens get 503 in time while authz-grpc hangs, and work again afterwards', async () => {
    authz.signal('SIGSTOP');
    try {
      await expectOutage();
    } finally {
      authz.signal('SIGCONT');
    }
  });

  it('tokens get 503 in time while authz-grpc is down, and work again afterwards', async () => {
    await authz.kill();
    await expectOutage();
    await revive();
  });

  it('old tokens are refused and new ones accepted without a restart when authz-grpc comes back with other keys', async () => {
    const old = owner;
    await authz.kill();
    authz = await startAuthz(otherAuthzUrl, grpcPort, settings);
    await askUntil(401, old.token);
    clients.close();
    clients = openAuthzClients(`127.0.0.1:${grpcPort}`);
    owner = await createOwner();
    await askUntil(200, owner.token);
    expect((await ask(old.token)).status).toBe(401);
    // Its owner does not exist there.
    await askUntil(401, key);
  });

  it('docstore-api starts without authz-grpc, and finds it once it starts', async () => {
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
