import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AuthzClients } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { AUTHZ_SETTINGS, freePort, startPostgres, migratedDatabase, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import pg from 'pg';
import {
  createTenant,
  openAuthzClients,
  startService,
  type ServiceProcess,
  type Tenant,
} from './platform/index.ts';
import { type Json, send } from './platform-suite.fixture.ts';

const PASSWORD = 'a user password for tests 2846';
const EDITS = 12;
/** The receiver leaves these messages unanswered, and their sender is killed meanwhile. */
const KILLED_AT = [2, 5];

let postgres: Postgres;
let authz: ServiceProcess;
let docstore: ServiceProcess;
let investigation: ServiceProcess;
let clients: AuthzClients;
let tenant: Tenant;
let stranger: Tenant;
let receiver: Server;
let database: pg.Pool;
let start: () => Promise<void>;
let running: Promise<void> = Promise.resolve();

/** What the receiver has, as it would keep it: by the id of the message. */
const received = new Map<string, Json>();
/** Messages of each subscription, those that came again among them. */
const messages = new Map<string, number>();
/** Called with the number of a message of a subscription before its response; true = it gets none. */
let onMessage: (subscriptionId: string, count: number) => boolean = () => false;

beforeAll(async () => {
  postgres = await startPostgres();
  receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => {
      const message = JSON.parse(body);
      const { subscription_id: id } = message.data;
      received.set(String(req.headers['webhook-id']), message);
      messages.set(id, (messages.get(id) ?? 0) + 1);
      if (!onMessage(id, messages.get(id)!)) res.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  authz = await startService('authz-grpc', {
    DATABASE_URL: await migratedDatabase(postgres, 'authz-grpc'),
    ...AUTHZ_SETTINGS,
  });
  docstore = await startService('docstore-api', {
    DATABASE_URL: await migratedDatabase(postgres, 'docstore-api'),
    DOCSTORE_AUTHZ_URL: authz.grpcAddress,
    DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
  });
  clients = openAuthzClients(authz.grpcAddress);
  [tenant, stranger] = [await createTenant(clients), await createTenant(clients)];
  const account = await clients.serviceAccounts.createServiceAccount(
    {
      name: 'watcher',
      description: '',
      tenantId: tenant.id,
      scopes: { values: ['documents', 'read', 'check'] },
    },
    { token: tenant.token },
  );
  for (const path of ['documents/', 'domains/'])
    await allow(account.serviceAccountId, 'read', path, EvaluationEngine.PREFIX);
  const databaseUrl = await migratedDatabase(postgres, 'investigation-api');
  database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const settings = {
    DATABASE_URL: databaseUrl,
    INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
    INVESTIGATION_DOCSTORE_URL: docstore.url,
    INVESTIGATION_WATCH_KEYS: account.token,
    INVESTIGATION_WEBHOOK_HOSTS: '127.0.0.1',
    INVESTIGATION_WEBHOOK_RETRY_SECONDS: Array(60).fill('1').join(','),
    INVESTIGATION_PORT: String(await freePort()),
  };
  start = async () => {
    investigation = await startService('investigation-api', settings);
  };
  await start();
});
afterEach(() => {
  onMessage = () => false;
});
afterAll(async () => {
  clients?.close();
  await Promise.all([investigation, docstore, authz].map((service) => service?.kill()));
  receiver?.closeAllConnections();
  receiver?.close();
  await database?.end();
  await postgres?.stop();
});

/** Asks until a response comes, over every restart and while another service takes too long to respond. */
async function api(
  method: string,
  path: string,
  body?: unknown,
  token = tenant.token,
): ReturnType<typeof send> {
  for (;;) {
    await running;
    const during = running;
    try {
      const response = await send(investigation.url, token, method, `/api/v1${path}`, body);
      if (response.status !== 503) return response;
    } catch (error) {
      if (during === running) throw error;
    }
  }
}
const idOf = (path: string) => path.split('/').at(-1)!;
const receivedBy = (path: string) =>
  [...received.values()].filter(({ data }) => data.subscription_id === idOf(path));
/** Whether nothing that was followed is still to be told. */
const isTold = async () => {
  const { rows } = await database.query('SELECT FROM watch_outbox WHERE changes IS NOT NULL');
  return rows.length === 0;
};
const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

/** Replaces the policies of the root domain; returns the version of the domain after it. */
async function policies(change: (policies: Json[]) => Json[], message?: string): Promise<number> {
  const domain = { tenantId: tenant.id, domainId: tenant.rootDomainId };
  const extras = { token: tenant.token };
  const { policies: kept } = await clients.domains.getDomainPolicies(domain, extras);
  const { version } = await clients.domains.putDomainPolicies(
    { ...domain, policies: change(kept), message },
    extras,
  );
  return Number(version);
}
let sets = 0;
/** Writes the same policies with another description: an equal set would be no new version. */
const rewritten = (message?: string) =>
  policies(([first, ...more]) => [{ ...first, description: `set ${++sets}` }, ...more], message);
const policyOf = (
  subject: string,
  action: string,
  path: string,
  engine: EvaluationEngine,
  deny: boolean,
) => ({
  name: `p-${randomUUID()}`,
  description: '',
  invert: false,
  deny,
  engine,
  statements: [
    { rules: new Map(Object.entries({ subject, action, object: `svc://${tenant.rootDomainId}/${path}` })) },
  ],
});
const allow = (
  subject: string,
  action: string,
  path: string,
  engine: EvaluationEngine = EvaluationEngine.FIXED,
) => policies((kept) => [...kept, policyOf(subject, action, path, engine, false)]);
const deny = (subject: string, path: string) =>
  policies((kept) => [...kept, policyOf(subject, 'read', path, EvaluationEngine.FIXED, true)]);
const removeDenials = () => policies((kept) => kept.filter((policy) => !policy.deny));

async function member(): Promise<{ userId: string; token: string }> {
  const username = `user-${randomUUID()}`;
  const email = `${username}@example.org`;
  const { userId } = await clients.users.createUser({ username, email, password: PASSWORD });
  await clients.tenants.createTenantUserAssociation({ tenantId: tenant.id, userId }, { token: tenant.token });
  const { name } = await clients.tenants.getTenant({ id: tenant.id }, { token: tenant.token });
  const { token } = await clients.sessions.login({ username, password: PASSWORD, tenant: name });
  return { userId, token };
}

/** A judged session with a claim that quotes a stored document, and that document. */
async function quotedSession(token = tenant.token) {
  const added = await api(
    'POST',
    '/documents',
    { filename: `minutes/${randomUUID()}`, contents: 'The bridge is open.' },
    token,
  );
  const { document, filename } = added.json;
  return { session: await judgedSession(document, token), document, filename };
}
async function judgedSession(document: string, token = tenant.token): Promise<string> {
  const created = await api(
    'POST',
    '/sessions',
    {
      name: 'n',
      payload: {
        research_question: 'Is the bridge open?',
        actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
        subjects: [{ id: 's', name: 'S', subject_type: 't' }],
        claims: [
          {
            id: 'c',
            actor_id: 'a',
            subject_id: 's',
            predicate: 'p',
            value: 'true',
            content: 'c',
            source: { document, selector: { exact: 'bridge' } },
          },
        ],
      },
    },
    token,
  );
  const session = `/sessions/${created.json.session_id}`;
  expect((await api('POST', `${session}/judge`, {}, token)).status).toBe(200);
  return session;
}
/** A subscription of the owner of the tenant on another session that quotes the document. */
const quoting = async (document: string) => subscribed(await judgedSession(document));
async function subscribed(session: string, more: object = {}, token = tenant.token): Promise<string> {
  const body = { rules: ['document_changed'], ...more };
  const made = await api('POST', `${session}/subscriptions`, body, token);
  expect([made.status, made.json]).toMatchObject([201, {}]);
  return `${session}/subscriptions/${made.json.id}`;
}
/** Asks docstore-api until it responds; a 503 for lack of time to check a credential has changed nothing. */
async function documents(...request: Parameters<typeof send> extends [string, ...infer Rest] ? Rest : never) {
  for (;;) {
    const response = await send(docstore.url, ...request);
    if (response.status !== 503) return response;
  }
}
async function write(document: string, contents: string): Promise<number> {
  const path = `/v1/file/${document}`;
  const { json } = await documents(tenant.token, 'GET', path);
  const body = { filename: json.filename, contents, metadata: json.metadata };
  const written = await documents(tenant.token, 'PUT', path, body, { 'If-Match': json.etag });
  expect(written.status).toBe(200);
  return written.json.version;
}
async function eventsOf(path: string, token = tenant.token): Promise<Json[]> {
  const listed = await api('GET', `${path}/events?limit=200`, undefined, token);
  expect(listed).toMatchObject({ status: 200, json: expect.any(Array) });
  return listed.json;
}
const toldOf = async (path: string, token = tenant.token) =>
  (await eventsOf(path, token)).flatMap(({ data }) =>
    data.documents.map(({ document, version }: Json) => [document, version]),
  );

const isDelivered = async (path: string) =>
  (await eventsOf(path)).every(({ delivery }) => delivery === 'delivered');
/** Kills the service while it sends certain messages of a subscription; gives how often it did. */
function killedWhileSending(path: string): () => number {
  let kills = 0;
  onMessage = (subscriptionId, count) => {
    if (subscriptionId !== idOf(path) || !KILLED_AT.includes(count)) return false;
    kills += 1;
    running = investigation.kill().then(start);
    return true;
  };
  return () => kills;
}

describe('the documents under the quotes of a watched session', () => {
  it('an edit is told by webhook, list and the name of the document, to a reader with the right alone', async () => {
    covers('INV-WATCH.16', 'INV-WATCH.17');
    const { session, document, filename } = await quotedSession();
    const colleague = await member();
    await allow(colleague.userId, 'read', `investigations/${session.split('/')[2]}`);
    const [own, blind] = [
      await subscribed(session, { webhook_url: hook() }),
      await subscribed(session, {}, colleague.token),
    ];
    const version = await write(document, 'The bridge is closed.');
    await eventually(async () => (await eventsOf(own)).map(({ delivery }) => delivery)).toEqual([
      'delivered',
    ]);
    const [event] = await eventsOf(own);
    expect(event).toMatchObject({ type: 'document_changed', number: 1 });
    expect(event.data.documents).toEqual([
      { document, filename, type: 'written', version, at: expect.any(String) },
    ]);
    const { type, number, timestamp, data } = event;
    expect(receivedBy(own)).toEqual([{ type, number, timestamp, data }]);
    await write(document, 'The bridge is gone.');
    await eventually(() => toldOf(own)).toHaveLength(2);
    await eventually(isTold).toBe(true);
    expect(await eventsOf(blind, colleague.token)).toEqual([]);
    const [listed] = (await api('GET', `${session}/subscriptions`, undefined, colleague.token)).json;
    expect(listed.last_number).toBe(0);
  });

  it('a document that may not be read any more is told no more, and what was told about it is not shown', async () => {
    covers('INV-WATCH.17');
    const author = await member();
    await allow(author.userId, 'read', 'documents/minutes/', EvaluationEngine.PREFIX);
    await allow(author.userId, 'write', 'documents/minutes/', EvaluationEngine.PREFIX);
    const { session, document, filename } = await quotedSession(author.token);
    const path = await subscribed(session, { webhook_url: hook() }, author.token);
    const watching = await quoting(document);
    const one = await write(document, 'one');
    await eventually(async () => (await toldOf(watching)).at(-1)).toEqual([document, one]);
    await eventually(() => toldOf(path, author.token)).toHaveLength(1);
    await eventually(async () => (await eventsOf(path, author.token))[0].delivery).toBe('delivered');
    await deny(author.userId, `documents/${filename}`);
    const [hidden] = await eventsOf(path, author.token);
    expect(JSON.stringify(hidden)).not.toContain(document);
    const two = await write(document, 'two');
    // The owner of the tenant, who may read it, is told in the same moment as the author is not.
    await eventually(async () => (await toldOf(watching)).at(-1)).toEqual([document, two]);
    await eventually(isTold).toBe(true);
    const replay = await api('POST', `${path}/replay`, { event_id: hidden.id }, author.token);
    expect(replay.json).toEqual({ replayed: 1 });
    await eventually(async () => (await eventsOf(path, author.token))[0]).toMatchObject({
      delivery: 'parked',
      problem: 'the subscriber may not read what changed any more',
    });
    expect(messages.get(idOf(path))).toBe(1);
    await removeDenials();
    await write(document, 'three');
    await eventually(() => toldOf(path, author.token)).toEqual([
      [document, 2],
      [document, 4],
    ]);
  });

  it('each edit is told exactly once, however often the service is killed while it follows and delivers', async () => {
    covers('INV-WATCH.16', 'INV-WATCH.8');
    const { session, document } = await quotedSession();
    const path = await subscribed(session, { webhook_url: hook() });
    const kills = killedWhileSending(path);
    const versions: number[] = [];
    for (let edit = 0; edit < EDITS; edit++) {
      versions.push(await write(document, `edit ${edit}`));
      // Some edits share a page of changes, and are told by the last of them.
      if (edit % 2 === 1)
        await eventually(async () => (await toldOf(path)).at(-1)).toEqual([document, versions.at(-1)]);
    }
    await eventually(() => isDelivered(path)).toBe(true);
    expect(kills()).toBe(KILLED_AT.length);
    const told = (await toldOf(path)).map(([, version]) => version);
    expect(new Set(told).size).toBe(told.length);
    expect(told).toEqual(expect.arrayContaining(versions.filter((_, edit) => edit % 2 === 1)));
    const got = receivedBy(path).map(({ data }) => data.documents[0].version);
    expect(got.toSorted((a, b) => a - b)).toEqual(told);
  });

  it('what changes while a subscription is paused is told once when it resumes, each document by its last change', async () => {
    covers('INV-WATCH.15', 'INV-WATCH.16');
    const { session, document } = await quotedSession();
    const [path, other] = [await subscribed(session), await subscribed(session)];
    // While changes of the tenant are read late, a new subscription may hear of the making of the document.
    const toldLast = async (each: string) => (await toldOf(each)).at(-1);
    const one = await write(document, 'one');
    // Each subscription follows by itself, and tells edits that it meets together as one.
    for (const each of [path, other]) await eventually(() => toldLast(each)).toEqual([document, one]);
    const toldBefore = await toldOf(path);
    await api('PATCH', path, { paused: true });
    const two = await write(document, 'two');
    await eventually(() => toldLast(other)).toEqual([document, two]);
    const three = await write(document, 'three');
    await eventually(() => toldLast(other)).toEqual([document, three]);
    expect(await toldOf(path)).toEqual(toldBefore);
    await api('PATCH', path, { paused: false });
    await eventually(() => toldOf(path)).toEqual([...toldBefore, [document, three]]);
  });

  it('the rule is refused by the name of the setting to a tenant without a key, and without the scope', async () => {
    covers('INV-WATCH.18');
    const created = await api('POST', '/sessions', { name: 'n' }, stranger.token);
    const path = `/sessions/${created.json.session_id}/subscriptions`;
    const refused = await api('POST', path, { rules: ['document_changed'] }, stranger.token);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      expect.stringContaining('INVESTIGATION_WATCH_KEYS holds no key of it'),
    ]);
    const account = await clients.serviceAccounts.createServiceAccount(
      { name: 'analyst', description: '', tenantId: tenant.id, scopes: { values: ['investigations'] } },
      { token: tenant.token },
    );
    const own = await api('POST', '/sessions', { name: 'n' }, account.token);
    const unscoped = await api(
      'POST',
      `/sessions/${own.json.session_id}/subscriptions`,
      { rules: ['document_changed'] },
      account.token,
    );
    expect([unscoped.status, unscoped.json.error]).toEqual([
      403,
      expect.stringContaining('scope `documents`'),
    ]);
  });
});

const POLICIES = { rules: ['policies_changed'] };
async function ownSession(token = tenant.token): Promise<string> {
  return `/sessions/${(await api('POST', '/sessions', { name: 'n' }, token)).json.session_id}`;
}
const setsOf = async (path: string, token = tenant.token): Promise<number[]> =>
  (await eventsOf(path, token)).flatMap(({ data }) => data.policy_sets.map(({ version }: Json) => version));

describe('the policies of a watched domain', () => {
  it('a new set of policies is told by webhook and list, with who wrote it and why', async () => {
    covers('INV-WATCH.19');
    const path = await subscribed(await ownSession(), { ...POLICIES, webhook_url: hook() });
    const version = await rewritten('auditors may read');
    await eventually(async () => (await eventsOf(path)).map(({ delivery }) => delivery)).toEqual([
      'delivered',
    ]);
    const [event] = await eventsOf(path);
    expect(event).toMatchObject({ type: 'policies_changed', number: 1 });
    expect(event.data).toMatchObject({ judgement_id: null, policy_set_count: 1 });
    expect(event.data.policy_sets).toEqual([
      {
        domain_id: tenant.rootDomainId,
        version,
        author_id: tenant.userId,
        message: 'auditors may read',
        digest: expect.stringMatching(/^sha256:/),
        at: expect.any(String),
      },
    ]);
    const { type, number, timestamp, data } = event;
    expect(receivedBy(path)).toEqual([{ type, number, timestamp, data }]);
  });

  it('a subscriber hears of the domain that they named, and of no other one', async () => {
    covers('INV-WATCH.19');
    const extras = { token: tenant.token };
    const domain = await clients.domains.createDomain(
      { tenantId: tenant.id, name: 'archive', superiorDomainIds: [] },
      extras,
    );
    const session = await ownSession();
    const [named, root] = [
      await subscribed(session, { ...POLICIES, domain_id: domain.id }),
      await subscribed(session, POLICIES),
    ];
    const place = { tenantId: tenant.id, domainId: domain.id };
    const added = policyOf('nobody', 'read', 'x', EvaluationEngine.FIXED, false);
    const { version } = await clients.domains.putDomainPolicies({ ...place, policies: [added] }, extras);
    const ofRoot = await rewritten();
    await eventually(() => setsOf(named)).toEqual([Number(version)]);
    await eventually(() => setsOf(root)).toEqual([ofRoot]);
    await eventually(isTold).toBe(true);
    expect(await setsOf(named)).toEqual([Number(version)]);
  });

  it('who may not read the policies any more is told no more, and what was told about them is not shown', async () => {
    covers('INV-WATCH.20');
    const auditor = await member();
    await allow(auditor.userId, 'read', `domains/${tenant.rootDomainId}/policies`);
    const path = await subscribed(
      await ownSession(auditor.token),
      { ...POLICIES, webhook_url: hook() },
      auditor.token,
    );
    const watching = await subscribed(await ownSession(), POLICIES);
    const before = await rewritten();
    await eventually(() => setsOf(path, auditor.token)).toEqual([before]);
    await eventually(async () => (await eventsOf(path, auditor.token))[0].delivery).toBe('delivered');
    await deny(auditor.userId, `domains/${tenant.rootDomainId}/policies`);
    const [hidden] = await eventsOf(path, auditor.token);
    expect(hidden.data).toMatchObject({ policy_sets: [], policy_set_count: 0 });
    await eventually(() => setsOf(watching)).toHaveLength(2);
    await eventually(isTold).toBe(true);
    await api('POST', `${path}/replay`, { event_id: hidden.id }, auditor.token);
    await eventually(async () => (await eventsOf(path, auditor.token))[0]).toMatchObject({
      delivery: 'parked',
      problem: 'the subscriber may not read what changed any more',
    });
    expect(messages.get(idOf(path))).toBe(1);
    const after = await removeDenials();
    await eventually(() => setsOf(path, auditor.token)).toEqual([before, after]);
  });

  it('each set is told exactly once, however often the service is killed while it follows and delivers', async () => {
    covers('INV-WATCH.19', 'INV-WATCH.8');
    const path = await subscribed(await ownSession(), { ...POLICIES, webhook_url: hook() });
    const kills = killedWhileSending(path);
    const versions: number[] = [];
    for (let write = 0; write < EDITS * 4; write++) {
      versions.push(await rewritten());
      // The first ones are more than one look reads; then there is an event for each two.
      if (write >= EDITS * 3 && write % 2 === 1)
        await eventually(async () => (await setsOf(path)).at(-1)).toBe(versions.at(-1));
    }
    await eventually(() => isDelivered(path)).toBe(true);
    expect(kills()).toBe(KILLED_AT.length);
    expect(await setsOf(path)).toEqual(versions);
    const got = receivedBy(path).flatMap(({ data }) => data.policy_sets.map(({ version }: Json) => version));
    expect(got.toSorted((a, b) => a - b)).toEqual(versions);
  });

  it('the rule is refused without a key, without the right, for another tenant and without what it needs', async () => {
    covers('INV-WATCH.21');
    const refusalOf = async (token: string, body: object): Promise<[number, string]> => {
      const path = `${await ownSession(token)}/subscriptions`;
      const { status, json } = await api('POST', path, body, token);
      return [status, json.error];
    };
    const blind = await member();
    expect(await refusalOf(stranger.token, POLICIES)).toEqual([
      409,
      expect.stringContaining('INVESTIGATION_WATCH_KEYS holds no key of it with the scope `read`'),
    ]);
    expect(await refusalOf(blind.token, POLICIES)).toEqual([
      403,
      expect.stringContaining('policies_changed'),
    ]);
    expect(await refusalOf(tenant.token, { ...POLICIES, domain_id: stranger.rootDomainId })).toEqual([
      422,
      expect.stringContaining('domain_id: your tenant has no such domain'),
    ]);
    expect(await refusalOf(tenant.token, { ...POLICIES, domain_id: 'root' })).toEqual([
      422,
      expect.stringContaining('domain_id'),
    ]);
    expect(await refusalOf(tenant.token, { rules: ['goes_stale'], domain_id: tenant.rootDomainId })).toEqual([
      422,
      expect.stringContaining('domain_id: is for the rule policies_changed'),
    ]);
  });

  it('an assistant subscribes to policies by MCP, and pauses and resumes the subscription', async () => {
    covers('INV-WATCH.19', 'INV-WATCH.15');
    const session = await ownSession();
    const client = new Client({ name: 'e2e', version: '1' });
    const headers = { authorization: `Bearer ${tenant.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${investigation.url}/mcp?toolsets=watch`), {
        requestInit: { headers },
      }),
    );
    const call = async (name: string, more: object): Promise<Json> => {
      const args = { session_id: session.split('/').at(-1)!, ...more };
      const result = await client.callTool({ name, arguments: args });
      expect([result.isError ?? false, result.content]).toEqual([false, expect.anything()]);
      return result.structuredContent;
    };
    const { id, domain_id } = await call('create_subscription', POLICIES);
    expect(domain_id).toBe(tenant.rootDomainId);
    const path = `${session}/subscriptions/${id}`;
    await call('update_subscription', { subscription_id: id, paused: true });
    const watching = await subscribed(session, POLICIES);
    const versions = [await rewritten(), await rewritten()];
    await eventually(() => setsOf(watching)).toEqual(versions);
    expect(await setsOf(path)).toEqual([]);
    await call('update_subscription', { subscription_id: id, paused: false });
    await eventually(() => setsOf(path)).toEqual(versions);
    const { events } = await call('list_subscription_events', { subscription_id: id });
    expect(events).toEqual([expect.objectContaining({ type: 'policies_changed', number: 1 })]);
    await client.close();
  });

  it('the commands of the README subscribe to documents and policies, with a token in TOKEN', async () => {
    covers('INV-WATCH.19');
    await api('POST', '/sessions', { session_id: 'bridge', name: 'n' });
    const readme = readFileSync(new URL('../investigation-api/README.md', import.meta.url), 'utf8');
    const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body!);
    const subscribes = blocks.find((body) => body.includes('policies_changed'))!;
    const [token, , send] = blocks.find((body) => body.includes('\nsend()'))!.split('\n');
    const script = [token, `API=${investigation.url}/api/v1`, send, subscribes].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], {
      env: { PATH: process.env.PATH, TOKEN: tenant.token },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      session_id: 'bridge',
      rules: ['document_changed', 'policies_changed'],
      domain_id: tenant.rootDomainId,
    });
  });
});
