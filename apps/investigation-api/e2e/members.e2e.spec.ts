import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import type { Postgres } from '@platform/testing';
import { migratedDatabase, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { MemberResponse } from '../src/wire/member-schema.ts';
import { UpdateShareRequest } from '../src/wire/share-schema.ts';
import type { Authz, Member, Tenant } from './authz.fixture.ts';
import { addMember, addPolicies, createTenant, loginAgain, startAuthz } from './authz.fixture.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';
import type { Call } from './client.fixture.ts';
import { client, demoInvestigation, sessionPath } from './client.fixture.ts';
import { connectOverHttp, SMALL } from './mcp-clients.ts';

const { FIXED } = EvaluationEngine;

let postgres: Postgres;
let authz: Authz;
let replicas: readonly BuiltService[];
let tenant: Tenant;
let owner: Call;
beforeAll(async () => {
  postgres = await startPostgres();
  authz = await startAuthz(await postgres.createDatabase());
  const settings = {
    DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
    INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
    INVESTIGATION_JWT_PUBLIC_KEY: '',
    INVESTIGATION_EVENT_HEARTBEAT_MS: '500',
  };
  replicas = [await startBuilt(settings), await startBuilt(settings)];
  tenant = await createTenant(authz);
  owner = client(replicas[0]!.url, tenant.owner.token);
});
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop();
  await authz?.kill();
  await postgres?.stop();
});

/** The second replica as somebody calls it; the owner calls the first. */
const as = ({ token }: Member) => client(replicas[1]!.url, token);

async function createSession(id: string): Promise<string> {
  const made = { name: id, session_id: id, payload: demoInvestigation() };
  expect((await owner('POST', '/api/v1/sessions', made)).status).toBe(201);
  return sessionPath(id);
}
const invite = (session: string, { username }: Pick<Member, 'username'>, role: string) =>
  owner('PUT', `${session}/members/${encodeURIComponent(username)}`, { role });
const remove = (session: string, { username }: Member) =>
  owner('DELETE', `${session}/members/${encodeURIComponent(username)}`);

describe('colleagues', () => {
  it('the owner of a session invites colleagues by name, gives other roles and takes invitations back', async () => {
    covers('INV-MEMBER.1', 'INV-MEMBER.4');
    const [ana, bo] = [await addMember(authz, tenant), await addMember(authz, tenant)];
    const session = await createSession('by name');
    expect((await as(ana)('GET', session)).status).toBe(404);
    const invited = await invite(session, ana, 'read');
    expect(MemberResponse.parse(invited.json)).toEqual({
      user_id: ana.userId,
      username: ana.username,
      role: 'read',
      invited_at: expect.any(String),
    });
    expect((await as(ana)('GET', session)).status).toBe(200);
    await invite(session, bo, 'publish');
    await invite(session, ana, 'edit');
    const rolesOf = async () =>
      ((await owner('GET', `${session}/members`)).json as { username: string; role: string }[]).map(
        ({ username, role }) => [username, role],
      );
    expect(await rolesOf()).toEqual([
      [ana.username, 'edit'],
      [bo.username, 'publish'],
    ]);
    expect((await remove(session, ana)).status).toBe(204);
    expect((await as(ana)('GET', session)).status).toBe(404);
    expect((await remove(session, ana)).status).toBe(404);
    expect((await as(bo)('DELETE', `${session}/members/${bo.username}`)).status).toBe(204);
    expect((await as(bo)('GET', session)).status).toBe(404);
    expect(await rolesOf()).toEqual([]);
  });

  it('a change of a share leaves it with who published it, unless it takes a snapshot or shows what was hidden', async () => {
    covers('INV-S.61');
    const ana = await addMember(authz, tenant);
    const toolsOf = ({ token }: Member) =>
      connectOverHttp(replicas[1]!, { era: { pin: '2026-07-28' }, path: '/mcp?toolsets=all', token });
    const tools = new Map([
      [ana, await toolsOf(ana)],
      [tenant.owner, await toolsOf(tenant.owner)],
    ]);
    const CHANGES: readonly Partial<typeof UpdateShareRequest._output>[] = [
      {},
      { public: true },
      { slug: 'other' },
      { preferred_pane: 'mesh' },
      { answer_finding: null },
      { patterns: null },
      { byline: 'By us' },
      { publisher: 'We' },
      { contact: 'us@example.org' },
      { snapshot: false },
      { show_changes: false },
    ];
    expect(new Set(CHANGES.flatMap((change) => Object.keys(change)))).toEqual(
      new Set(Object.keys(UpdateShareRequest.shape)),
    );
    const rest = async (member: Member, session: string, change: object) =>
      expect((await as(member)('PATCH', `${sessionPath(session)}/share`, change)).status).toBe(200);
    const mcp = async (member: Member, session: string, change: object) => {
      const name = 'update_investigation_session_share';
      const call = { name, arguments: { session_id: session, ...change } };
      expect((await tools.get(member)!.callTool(call)).isError).not.toBe(true);
    };
    /** The page of a share that one published and the other changed. */
    const published = async (id: string, by: Member, change: (session: string) => Promise<void>) => {
      const made = { name: id, session_id: id, payload: SMALL };
      expect((await owner('POST', '/api/v1/sessions', made)).status).toBe(201);
      await owner('POST', `${sessionPath(id)}/judge`, {});
      await invite(sessionPath(id), ana, 'publish');
      const put = await as(by)('PUT', `${sessionPath(id)}/share`, { public: true });
      await change(id);
      return `/share/${put.json.share_uuid}`;
    };
    const stay: string[] = [];
    const end: string[] = [];
    for (const [way, patch] of Object.entries({ rest, mcp })) {
      const named = (name: string) => `publisher ${way} ${name}`;
      for (const change of CHANGES) {
        const name = JSON.stringify(change);
        stay.push(await published(named(name), tenant.owner, (id) => patch(ana, id, change)));
        end.push(await published(named(`of ana ${name}`), ana, (id) => patch(tenant.owner, id, change)));
      }
      const again = async (member: Member, id: string) => {
        await patch(member, id, { public: false });
        await patch(member, id, { public: true });
      };
      const fresh = { snapshot: true };
      stay.push(await published(named('owner'), ana, (id) => patch(tenant.owner, id, fresh)));
      stay.push(await published(named('owner again'), ana, (id) => again(tenant.owner, id)));
      end.push(await published(named('ana'), tenant.owner, (id) => patch(ana, id, fresh)));
      end.push(await published(named('ana again'), tenant.owner, (id) => again(ana, id)));
    }
    await authz.clients.tenants.deleteTenantUserAssociation(
      { tenantId: tenant.id, userId: ana.userId },
      { token: tenant.owner.token },
    );
    const statusesOf = async (paths: readonly string[]) => {
      const reader = client(replicas[0]!.url, null);
      return new Set(await Promise.all(paths.map(async (path) => (await reader('GET', `${path}/x`)).status)));
    };
    await eventually(() => statusesOf(end)).toEqual(new Set([404]));
    // To its right address: the share is there.
    expect(await statusesOf(stay)).toEqual(new Set([301]));
  });

  it("the README's lines on colleagues work as they stand", async () => {
    covers('INV-MEMBER.1');
    const { username } = await addMember(authz, tenant);
    await createSession('bridge');
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const lines = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].find(([, body]) =>
      body!.includes('/members'),
    )!;
    const script = lines[1]!.replace('http://127.0.0.1:8080', replicas[0]!.url);
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], {
      env: { PATH: process.env.PATH, TOKEN: tenant.owner.token, COLLEAGUE: username },
    });
    const responses = stdout.split('\n').filter(Boolean);
    const member = expect.objectContaining({ username, role: 'edit' });
    expect(responses.map((line) => JSON.parse(line) as unknown)).toEqual([member, [member]]);
    expect((await owner('GET', `${sessionPath('bridge')}/members`)).json).toEqual([]);
  });

  it('a name that no active user of the tenant has is refused alike, wherever the user is', async () => {
    covers('INV-MEMBER.7');
    const stranger = (await createTenant(authz)).owner;
    const former = await addMember(authz, tenant);
    await authz.clients.tenants.deleteTenantUserAssociation(
      { tenantId: tenant.id, userId: former.userId },
      { token: tenant.owner.token },
    );
    const session = await createSession('unknown names');
    for (const { username } of [stranger, former, { username: 'nobody' }, { username: 'a\0b' }]) {
      const { status, json } = await invite(session, { username }, 'read');
      expect([status, json.error]).toEqual([
        422,
        `username: no active user of your organization is called ${JSON.stringify(username)}; check the spelling, or have an administrator add them; service accounts cannot be invited, policies let them in`,
      ]);
    }
    const own = await invite(session, tenant.owner, 'read');
    expect([own.status, own.json.error]).toEqual([422, expect.stringContaining('username: is your own')]);
    for (const body of [{}, { role: 'owner' }, { role: 'read', more: 1 }])
      expect((await owner('PUT', `${session}/members/x`, body)).status).toBe(422);
  });

  it('removing a member or an item called `..`, which clients shorten to the session, does not delete the session', async () => {
    covers('INV-MEMBER.10');
    const session = await createSession('dots');
    for (const collection of ['members', 'actors', 'claims'])
      expect((await owner('DELETE', `${session}/${collection}/..`)).status).toBe(404);
    expect((await owner('PATCH', `${session}/`, { name: 'x' })).status).toBe(404);
    expect((await owner('GET', session)).json.name).toBe('dots');
  });

  it('a deny of a policy wins over an invitation, in requests and in lists, and the audit names the role', async () => {
    covers('INV-MEMBER.3');
    const ana = await addMember(authz, tenant);
    const [session, other] = [await createSession('denied'), await createSession('open')];
    for (const one of [session, other]) await invite(one, ana, 'publish');
    await owner('POST', `${session}/judge`);
    const object = `svc://${tenant.rootDomainId}/investigations/denied`;
    const deny = (action: string) =>
      addPolicies(authz, tenant, [
        { engine: FIXED, deny: true, rules: { subject: ana.userId, action, object } },
      ]);
    const statuses = async () => [
      (await as(ana)('GET', session)).status,
      (await as(ana)('PATCH', session, { name: 'x' })).status,
      (await as(ana)('PUT', `${session}/share`, { public: true })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await deny('share');
    await deny('update');
    expect(await statuses()).toEqual([200, 404, 404]);
    await deny('read');
    expect(await statuses()).toEqual([404, 404, 404]);
    expect((await as(ana)('DELETE', session)).status).toBe(404);
    const listed = (await as(ana)('GET', '/api/v1/sessions')).json as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(['open']);
    await eventually(async () => {
      const { events } = await authz.clients.authorization.listAuditEvents(
        { tenantId: tenant.id, subject: ana.userId, action: 'read', limit: 100, cursor: '' },
        { token: tenant.owner.token },
      );
      return events.some(({ detail, object: of }) => of === object && detail.includes('publish'));
    }).toBe(true);
  });

  it('a member whom a policy keeps from reading a session ends what they watch there and leaves, and then is as unknown there as anybody', async () => {
    covers('INV-A.10', 'INV-A.11');
    const ana = await addMember(authz, tenant);
    const session = await createSession('left unread');
    await invite(session, ana, 'read');
    const object = `svc://${tenant.rootDomainId}/investigations/left%20unread`;
    const rules = { subject: ana.userId, action: 'read', object };
    const made = await as(ana)('POST', `${session}/subscriptions`, { rules: ['goes_stale'] });
    const subscription = `${session}/subscriptions/${(made.json as { id: string }).id}`;
    const leave = () => as(ana)('DELETE', `${session}/members/${ana.username}`);
    await addPolicies(authz, tenant, [{ engine: FIXED, deny: true, rules }]);
    expect((await as(ana)('GET', session)).status).toBe(404);
    const end = () => as(ana)('DELETE', subscription);
    expect([(await end()).status, (await end()).text]).toEqual([204, '{"error":"no such session"}']);
    expect((await leave()).status).toBe(204);
    const again = await leave();
    expect([again.status, again.text]).toEqual([404, '{"error":"no such session"}']);
    expect((await owner('GET', `${session}/members`)).json).toEqual([]);
  });

  it('an invitation ends with the membership of the tenant, and a new membership does not bring it back', async () => {
    covers('INV-MEMBER.4');
    const ana = await addMember(authz, tenant);
    const session = await createSession('left');
    await invite(session, ana, 'edit');
    expect((await as(ana)('GET', session)).status).toBe(200);
    const membership = { tenantId: tenant.id, userId: ana.userId };
    const extras = { token: tenant.owner.token };
    await authz.clients.tenants.deleteTenantUserAssociation(membership, extras);
    await eventually(async () => (await as(ana)('GET', session)).status, { limitMs: 5_000 }).toBe(401);
    expect((await owner('GET', `${session}/members`)).json).toEqual([]);
    await authz.clients.tenants.createTenantUserAssociation(membership, extras);
    const back = await loginAgain(authz, tenant, ana);
    expect((await as(back)('GET', session)).status).toBe(404);
    expect((await as(back)('GET', '/api/v1/sessions')).json).toEqual([]);
    await invite(session, back, 'read');
    expect((await as(back)('GET', session)).status).toBe(200);
  });

  it("a colleague's subscriptions end with the invitation, and another invitation does not bring them back", async () => {
    covers('INV-MEMBER.4');
    const [ana, bo] = [await addMember(authz, tenant), await addMember(authz, tenant)];
    const session = await createSession('subscribed');
    const subscriptions = `${session}/subscriptions`;
    for (const one of [ana, bo]) {
      await invite(session, one, 'read');
      expect((await as(one)('POST', subscriptions, { rules: ['leading_changed'] })).status).toBe(201);
    }
    await remove(session, ana);
    await invite(session, ana, 'read');
    expect((await as(ana)('GET', subscriptions)).json).toEqual([]);
    expect((await as(bo)('GET', subscriptions)).json).toHaveLength(1);
  });

  it('an open stream of a colleague ends once the invitation is taken back', async () => {
    covers('INV-MEMBER.4');
    const ana = await addMember(authz, tenant);
    const session = await createSession('streamed');
    await invite(session, ana, 'read');
    const headers = { authorization: `Bearer ${ana.token}` };
    const stream = await fetch(`${replicas[1]!.url}${session}/events`, { headers });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await remove(session, ana);
    expect(await ended).toContain('retry:');
    expect((await fetch(`${replicas[1]!.url}${session}/events`, { headers })).status).toBe(404);
  });

  it('lists name the owner and the role of each session, and pages are full over REST and MCP', async () => {
    covers('INV-MEMBER.6', 'INV-MEMBER.8');
    const world = await createTenant(authz);
    const ana = await addMember(authz, world);
    const [of, other] = [client(replicas[0]!.url, world.owner.token), as(ana)];
    const invitedTo = ['r 1', 'r 40', 'r 65', 'r 69'];
    for (let n = 0; n < 70; n++)
      await of('POST', '/api/v1/sessions', { name: `n ${n}`, session_id: `r ${n}` });
    await other('POST', '/api/v1/sessions', { name: 'own', session_id: 'own' });
    for (const id of invitedTo)
      await of('PUT', `${sessionPath(id)}/members/${ana.username}`, { role: 'edit' });
    interface Row {
      id: string;
      owner_name: string;
      role: string;
    }
    const pages: Row[][] = [];
    for (let next: string | undefined = '/api/v1/sessions?sort=created_at&limit=3'; next !== undefined;) {
      const page = await other('GET', next);
      pages.push(page.json as Row[]);
      next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map((page) => page.length)).toEqual([3, 2]);
    expect(pages.flat().map(({ id, owner_name, role }) => [id, owner_name, role])).toEqual([
      ['own', ana.username, 'owner'],
      ...invitedTo.toReversed().map((id) => [id, world.owner.username, 'edit']),
    ]);
    const one = (await other('GET', sessionPath('r 1'))).json as Row;
    expect([one.owner_name, one.role]).toEqual([world.owner.username, 'edit']);
    expect((await other('GET', '/api/v1/sessions?mine=true')).json).toHaveLength(1);

    const callTool = async ({ token }: Member, name: string, args: object) => {
      const response = await fetch(`${replicas[0]!.url}/mcp?toolsets=all`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      });
      return (await response.text()).replaceAll('\\"', '"');
    };
    expect(await callTool(ana, 'list_investigation_sessions', { name_filter: 'n 40' })).toContain(
      `of ${world.owner.username}, you may edit`,
    );
    const { username } = ana;
    const invited = await callTool(world.owner, 'invite_to_session', {
      session_id: 'r 2',
      username,
      role: 'read',
    });
    expect(invited).toContain(`${username}: read`);
    expect((await other('GET', sessionPath('r 2'))).status).toBe(200);
    expect(await callTool(world.owner, 'invite_to_session', { session_id: 'r 2' })).toContain(username);
    const removal = { session_id: 'r 2', username, role: 'none' };
    expect(await callTool(world.owner, 'invite_to_session', removal)).not.toContain(`${username}: `);
    expect((await other('GET', sessionPath('r 2'))).status).toBe(404);
    expect(await callTool(world.owner, 'invite_to_session', { session_id: 'r 2', role: 'read' })).toContain(
      'username: say whom the role is for',
    );
  });
});
