import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { AUTHZ_SERVICES, requestContext, type GrpcCallError, type CallExtras } from '@platform/authz-client';
import { openTcpProxy, startPostgres, type Postgres, type Severable } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import {
  createTenancy,
  policy,
  rootToken,
  startFleet,
  USER_PASSWORD,
  type Fleet,
  type Tenancy,
} from './service.fixture.ts';

describe('a service whose Postgres becomes unavailable and comes back', () => {
  let postgres: Postgres;
  let way: Severable;
  let fleet: Fleet;
  let tenancy: Tenancy;
  let database: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = new URL(await postgres.createDatabase());
    database = url.pathname.slice(1);
    way = await openTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(way.port);
    fleet = await startFleet('embedded', { env: { DATABASE_URL: url.href, AUTHZ_LOG_LEVEL: 'silent' } });
    tenancy = await createTenancy(fleet.clients);
  });
  afterAll(async () => {
    await fleet?.stop();
    await way?.cut();
    await postgres?.stop();
  });

  const values = () => ({ subject: tenancy.userId, action: 'x', object: `svc://${tenancy.rootDomainId}/x` });
  const check = () =>
    fleet.clients.authorization.checkAuthorization(
      { context: requestContext(values()) },
      { token: tenancy.token },
    );
  const post = async () => {
    const response = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tenancy.token}` },
      body: JSON.stringify({ context: values() }),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  };
  const unavailable = (message: string) => ({
    code: 14,
    reason: 'DEPENDENCY_UNAVAILABLE',
    message,
    fields: [],
    retryAfterSeconds: 1,
  });

  it('authz-grpc without Postgres refuses what it cannot record or read on both wires, and works again once Postgres is back', async () => {
    covers('AUTHZ-U.3', 'AUTHZ-E.2', 'AUTHZ-E.500');
    const { token, tenantId, username } = tenancy;
    expect((await check()).authorized).toBe(true);
    await way.cut();

    // The states are in memory and the decision is made; its row cannot be written.
    const unrecorded = 'the audit log cannot be written, try again';
    expect(await refusalOf(check())).toEqual(unavailable(unrecorded));
    expect(await post()).toEqual({
      status: 503,
      retryAfter: '1',
      body: { error: 'internal_error', message: unrecorded },
    });

    const unreachable = unavailable('the database cannot be reached, try again');
    const { clients } = fleet;
    expect(await refusalOf(clients.domains.listDomains({ tenantId }, { token }))).toEqual(unreachable);
    expect(
      await refusalOf(
        clients.tenants.createTenant({ name: `t-${randomUUID()}`, description: '' }, { token }),
      ),
    ).toEqual(unreachable);
    expect(await refusalOf(clients.sessions.login({ username, password: USER_PASSWORD }))).toEqual(
      unreachable,
    );
    fleet.replicas[0]?.service.deps.decisions.forget();
    expect(await refusalOf(check())).toEqual(unreachable);
    expect(await post()).toEqual({
      status: 503,
      retryAfter: '1',
      body: { error: 'internal_error', message: unreachable.message },
    });

    await way.mend();
    expect((await check()).authorized).toBe(true);
    expect(await post()).toEqual({ status: 200, retryAfter: null, body: { allowed: true } });
    expect((await clients.domains.listDomains({ tenantId }, { token })).domains).toHaveLength(1);
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId, limit: 0, cursor: '', kind: AuditKind.CHECK },
      { token },
    );
    expect(events).toHaveLength(3);
  });

  it('every operation of the proto, and the REST routes of checks, searches and bundles, are unavailable without Postgres or need none', async () => {
    covers('PLAT-W.8');
    const { clients } = fleet;
    const root = await rootToken(clients);
    const { tenantId, rootDomainId: domainId, userId, username, tenantName, token, plainToken } = tenancy;
    const place = { tenantId, domainId };
    const object = `svc://${domainId}/x`;
    const resources = [{ object, attributes: new Map() }];
    await clients.domains.putDomainPolicies(
      { ...place, policies: [policy('all', { subject: userId })] },
      { token },
    );
    await clients.resources.putResources({ ...place, resources }, { token });
    const account = await clients.serviceAccounts.createServiceAccount(
      { tenantId, name: 'kept', description: '' },
      { token },
    );
    const accountId = account.serviceAccountId;
    // Every field that a request may have; each takes those of its own.
    const fields = {
      ...place,
      userId,
      username,
      email: 'lost@example.org',
      password: USER_PASSWORD,
      name: 'lost',
      keyId: randomUUID(),
      token: 'lost',
      tokenType: 1,
      attributeKey: 'k',
      attributeValues: ['v'],
      version: 1n,
      since: new Date(Date.now() - 60_000),
      policies: [policy('lost', { a: 'b' })],
      resources,
      objects: [object],
      context: requestContext(values()),
      checks: [{ context: requestContext(values()) }],
      oauthProvider: 'lost',
      oauthSubject: 'lost',
      state: 'lost',
      redirectUri: 'https://lost.example/',
      nonce: 'lost',
      credential: account.token,
      usernames: [username],
      expiresInMinutes: 5,
      description: 'lost',
      domain: { ...(await clients.domains.getDomain(place, { token })), superiorDomainIds: [] },
      tenant: await clients.tenants.getTenant({ id: tenantId }, { token }),
    };
    const context = (some: Record<string, string>) => ({ context: requestContext(some) });
    const more: Record<string, object> = {
      searchResources: { ...context({ subject: userId, action: 'b' }), prefix: '', resources: [] },
      searchSubjects: context({ action: 'b', object }),
      searchActions: context({ subject: 'a', object }),
      planResources: context({ subject: userId, action: 'b' }),
      getTenantByName: { name: tenantName },
    };
    const tokens: Record<string, string> = {
      verification: root,
      oauth: root,
      publicKeys: root,
      refreshTenants: root,
      listTenants: root,
      listUsers: root,
      refreshLoginWithTenant: plainToken,
    };
    const ids: Record<string, string> = { tenants: tenantId, users: userId, serviceAccounts: accountId };
    expect((await check()).authorized).toBe(true);
    await way.cut();
    const said: Record<string, string> = {};
    for (const [name, service] of Object.entries(AUTHZ_SERVICES)) {
      const methods = clients[name as keyof typeof AUTHZ_SERVICES] as unknown as Record<
        string,
        (request: object, extras: CallExtras) => Promise<unknown>
      >;
      for (const [operation, { requestDeserialize }] of Object.entries(service)) {
        const request = {
          ...requestDeserialize(Buffer.alloc(0)),
          ...fields,
          id: ids[name] ?? randomUUID(),
          ...more[operation],
        };
        said[operation] = await methods[operation]!(request, {
          token: tokens[operation] ?? tokens[name] ?? token,
        }).then(
          () => 'OK',
          (error: GrpcCallError) => `${error.code} ${error.message}`,
        );
      }
    }
    const rest: Record<string, number> = {};
    const [subject, action, resource] = [{ type: 'user', id: userId }, { name: 'x' }, { type: 't', id: 'x' }];
    const json = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    for (const [path, body] of Object.entries({
      '/v1/authz/check': { context: values() },
      '/v1/authz/check:batch': { checks: [{ context: values() }] },
      '/access/v1/evaluation': { subject, action, resource },
      '/access/v1/evaluations': { subject, action, evaluations: [{ resource }] },
      '/access/v1/search/subject': { subject: { type: 'user' }, action, resource },
      '/access/v1/search/resource': { subject, action, resource: { type: 't' } },
      '/access/v1/search/action': { subject, resource },
      '/v1/auth/token': { credential: account.token },
    })) {
      const request = { method: 'POST', headers: json, body: JSON.stringify(body) };
      const response = await fetch(fleet.httpUrl + path, request);
      rest[path] = response.headers.get('retry-after') === '1' ? response.status : 0;
    }
    const bundle = await fetch(`${fleet.httpUrl}/v1/domains/${domainId}/bundle`, { headers: json });
    rest['bundle'] = bundle.status;
    await way.mend();
    const needsNone = ['explainAuthorization', 'testPolicies', 'isLoggedIn', 'getLeaseStates'];
    for (const [operation, outcome] of Object.entries(said)) {
      const expected = needsNone.includes(operation) ? /^OK$/ : /^14 the (database|audit log) cannot be/;
      expect([operation, outcome]).toEqual([operation, expect.stringMatching(expected)]);
    }
    expect(Object.entries(rest).filter(([, status]) => status !== 503)).toEqual([]);
  });

  it('authz-grpc whose database takes no connections responds as without Postgres, until it does', async () => {
    covers('PLAT-W.2');
    const { token, tenantId } = tenancy;
    const list = () => fleet.clients.domains.listDomains({ tenantId }, { token });
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database,
    ]);
    // The first of them meets the connections that were ended, the second asks for one.
    for (let call = 0; call < 2; call++)
      expect(await refusalOf(list())).toEqual(unavailable('the database cannot be reached, try again'));
    expect(await refusalOf(check())).toEqual(unavailable('the audit log cannot be written, try again'));
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    await admin.end();
    expect((await list()).domains).toHaveLength(1);
  });

  it('authz-grpc whose tables another transaction locks refuses as unavailable, until they are free', async () => {
    covers('PLAT-W.7');
    const { token, tenantId, username } = tenancy;
    const login = () => fleet.clients.sessions.login({ username, password: USER_PASSWORD });
    const list = () => fleet.clients.domains.listDomains({ tenantId }, { token });
    const holder = new pg.Client(Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE users, tenants, domains, audit_events IN ACCESS EXCLUSIVE MODE');
    const held = 'another change holds what this request needs, try again later';
    const unrecorded = 'the audit log cannot be written, try again';
    expect(await Promise.all([login(), list(), check()].map(refusalOf))).toEqual(
      [held, held, unrecorded].map(unavailable),
    );
    await holder.end();
    expect((await list()).domains).toHaveLength(1);
    expect((await login()).token).not.toBe('');
    expect((await check()).authorized).toBe(true);
  });
});
