import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

const fleet = useFleet('postgres');
const { clients } = fleet;
let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await createTenancy(clients);
});

/** Names that look like others, by what is odd about them. */
const ODD: readonly [string, string][] = [
  ['that is decomposed', 'e\u0301-name'],
  ['with a zero width space', 'root\u200B'],
  ['that turns text round', '\u202Ebob'],
  ['of a blank letter', 'a\u3164'],
];

describe('names and subjects', () => {
  it.each(ODD)('a name %s is refused to users, tenants and domains', async (_why, name) => {
    covers('AUTHZ-W.6');
    const { tenantId, rootDomainId, token, plainToken, userId } = tenancy;
    const user = { email: 'a@example.org', password: USER_PASSWORD };
    const made = await clients.domains.createDomain(
      { tenantId, name: randomUUID(), superiorDomainIds: [] },
      { token },
    );
    const domain = { id: made.id, tenantId: '', superiorDomainIds: [], policies: [], version: 0n };
    const attempts = [
      clients.users.createUser({ username: name, ...user }),
      clients.users.updateUser({ id: userId, username: name }, { token }),
      clients.tenants.createTenant({ name, description: '' }, { token: plainToken }),
      clients.domains.createDomain({ tenantId, name, superiorDomainIds: [] }, { token }),
      clients.domains.updateDomain({ tenantId, domain: { ...domain, name } }, { token }),
    ];
    for (const attempt of attempts) expect(await refusalOf(attempt)).toMatchObject({ code: 3 });
    // A domain that is sent back as it was read keeps its name, whatever that is.
    const root = { ...domain, id: rootDomainId, name: 'root' };
    expect(await clients.domains.updateDomain({ tenantId, domain: root }, { token })).toEqual({});
    const detached = { ...domain, id: rootDomainId, detached: true };
    const refused = clients.domains.updateDomain({ tenantId, domain: detached }, { token });
    expect(await refusalOf(refused)).toMatchObject({ reason: 'ROOT_IMMUTABLE' });
  });

  it.each(['svc:robot', 'SVC:robot'])(
    'the prefix of service accounts is refused in `%s`',
    async (username) => {
      covers('AUTHZ-W.6');
      const made = clients.users.createUser({ username, email: 'a@example.org', password: USER_PASSWORD });
      expect(await refusalOf(made)).toMatchObject({ code: 3, fields: ['username'] });
    },
  );

  it('joiners of scripts and emoji stay part of names', async () => {
    covers('AUTHZ-W.6');
    const { tenantId, token } = tenancy;
    const name = `\u{1F469}\u200D\u{1F680} \u0645\u06CC\u200C\u062E ${randomUUID()}`;
    const made = await clients.domains.createDomain({ tenantId, name, superiorDomainIds: [] }, { token });
    expect(made.name).toBe(name);
  });

  it('a password that is typed in another form of Unicode is the same password', async () => {
    covers('AUTHZ-W.6');
    const username = `user-${randomUUID()}`;
    const password = 'un me\u0301lange de\u0301compose\u0301 8274';
    await clients.users.createUser({ username, email: 'a@example.org', password });
    for (const typed of [password, password.normalize('NFC')]) {
      expect(await clients.sessions.login({ username, password: typed })).toMatchObject({
        userId: expect.any(String),
      });
    }
    const wrong = clients.sessions.login({ username, password: `${password}x` });
    expect(await refusalOf(wrong)).toMatchObject({ reason: 'LOGIN_FAILED' });
  });

  it('a member in capitals does not pass a deny by attribute, and an id of somebody else is a subject', async () => {
    covers('AUTHZ-W.6');
    const { tenantId, token, userId } = tenancy;
    const value = { userId, attributeKey: 'r', attributeValues: ['x'] };
    await clients.attributes.setUserAttribute(value, { token });
    const { id } = await clients.domains.createDomain(
      { tenantId, name: `d-${randomUUID()}`, superiorDomainIds: [], detached: true },
      { token },
    );
    const engine = EvaluationEngine.PREFIX;
    const policies = [
      policy('all', { action: '' }, { engine }),
      policy('no', { 'user.r': 'x' }, { deny: true }),
    ];
    await clients.domains.putDomainPolicies({ tenantId, domainId: id, policies }, { token });
    const check = (subject: string) =>
      clients.authorization.checkAuthorization(
        { context: requestContext({ subject, action: 'read', object: `svc://${id}/x` }) },
        { token },
      );
    expect(await check(userId)).toEqual({ authorized: false });
    expect(await refusalOf(check(userId.toUpperCase()))).toMatchObject({
      reason: 'INVALID_CONTEXT',
      fields: ['context.subject'],
      message: expect.stringContaining(userId),
    });
    expect(await check(randomUUID().toUpperCase())).toEqual({ authorized: true });
    const stranger = await createUserAndLogin(clients);
    expect(await check(stranger.userId.toUpperCase())).toEqual({ authorized: true });
  });

  it('the system root has no user_plane', async () => {
    covers('AUTHZ-K.10');
    const token = await rootToken(clients);
    const root = await clients.users.getUserByName({ username: 'root' }, { token });
    expect(root.userPlane).toBeUndefined();
  });
});

describe('the ids of refused checks', () => {
  it('a refused check that leaves a row says its id over gRPC, REST and AuthZEN', async () => {
    covers('AUTHZ-U.1');
    const { tenantId, token } = tenancy;
    const object = `svc://${randomUUID()}/x`;
    const context = { subject: 'refused', action: 'read', object };
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const post = (path: string, body: unknown) =>
      fetch(`${fleet.httpUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const evaluation = {
      subject: { type: 'user', id: 'refused' },
      action: { name: 'read' },
      resource: { type: 'x', id: object },
    };
    const told: (string | null)[] = [];
    await clients.authorization
      .checkAuthorization({ context: requestContext(context) }, { token })
      .catch((error: { cause: { metadata: { get(key: string): unknown[] } } }) =>
        told.push(String(error.cause.metadata.get('x-check-id')[0])),
      );
    told.push((await post('/v1/authz/check', { context })).headers.get('x-check-id'));
    told.push((await post('/access/v1/evaluation', evaluation)).headers.get('x-check-id'));
    const batch = (await (await post('/v1/authz/check:batch', { checks: [{ context }] })).json()) as {
      results: { check_id: string }[];
    };
    const many = (await (await post('/access/v1/evaluations', { evaluations: [evaluation] })).json()) as {
      evaluations: { context: { check_id: string } }[];
    };
    told.push(batch.results[0]!.check_id, many.evaluations[0]!.context.check_id);
    const request = { tenantId, subject: 'refused', limit: 10, cursor: '', refused: true };
    const { events } = await clients.authorization.listAuditEvents(request, { token });
    expect(told).toEqual(events.map(({ id }) => id).toReversed());
    const latin = await fetch(`${fleet.httpUrl}/access/v1/evaluation`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json; charset=latin1' },
      body: JSON.stringify(evaluation),
    });
    expect(latin.status).toBe(400);
  });
});
