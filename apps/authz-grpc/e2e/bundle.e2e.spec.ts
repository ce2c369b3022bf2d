import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { openDecider, verifyBundle, type Bundle, type BundleKey, type Decider } from '@platform/decide';
import { openRegexes } from '@platform/decide/regex';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { objects, policyDomains, searchContexts } from '../src/policy/policies.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  messageOf,
  createTenancy,
  createUserAndLogin,
  policy,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

fc.configureGlobal({ seed: SEED });

const fleet = useFleet('postgres');
let tenancy: Tenancy;
const deciders: Decider[] = [];
beforeAll(async () => {
  tenancy = await createTenancy(fleet.clients);
});
afterEach(async () => {
  for (const decider of deciders.splice(0)) await decider.close();
});

const get = (path: string, headers: Record<string, string> = {}, token = tenancy.token) =>
  fetch(fleet.httpUrl + path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
const bundlePath = (domainId: string, query = '') => `/v1/domains/${domainId}/bundle${query}`;

async function createDomain(superiorDomainIds: string[] = [], detached = true): Promise<string> {
  const { id } = await fleet.clients.domains.createDomain(
    { tenantId: tenancy.tenantId, name: `d-${randomUUID()}`, superiorDomainIds, detached },
    { token: tenancy.token },
  );
  return id;
}

async function put(domainId: string, policies: Policy[]): Promise<void> {
  await fleet.clients.domains.putDomainPolicies(
    { tenantId: tenancy.tenantId, domainId, policies, allowLockout: true },
    { token: tenancy.token },
  );
}

async function open(
  domainId: string,
  more: Partial<Parameters<typeof openDecider>[0]> = {},
): Promise<Decider> {
  const decider = await openDecider({
    url: fleet.httpUrl,
    domainId,
    token: () => tenancy.token,
    regexes: () => Promise.resolve(openRegexes()),
    ...more,
  });
  deciders.push(decider);
  return decider;
}

async function publishedKeys(): Promise<BundleKey[]> {
  const response = await get('/.well-known/jwks.json');
  return ((await response.json()) as { keys: BundleKey[] }).keys;
}

/** The rows of a domain's checks, newest first. */
async function rowsOf(domainId: string) {
  const { events } = await fleet.clients.authorization.listAuditEvents(
    { tenantId: tenancy.tenantId, domainId, limit: 500, cursor: '' },
    { token: tenancy.token },
  );
  return events;
}

/** A new service account that may read the policies of every domain, with its key. */
async function createReader(): Promise<string> {
  const { tenantId, rootDomainId, token } = tenancy;
  const account = await fleet.clients.serviceAccounts.createServiceAccount(
    { tenantId, name: `reader-${randomUUID()}`, description: '' },
    { token },
  );
  const place = { tenantId, domainId: rootDomainId };
  const { policies } = await fleet.clients.domains.getDomainPolicies(place, { token });
  const rules = { subject: account.serviceAccountId, action: 'read' };
  await put(rootDomainId, [...policies, policy(`reader ${account.serviceAccountId}`, rules)]);
  return account.token;
}

describe('a bundle', () => {
  it('a service that exchanges its key as the page on bundles shows opens a decider, and the key alone opens none', async () => {
    covers('AUTHZ-BUNDLE.26');
    const page = readFileSync(new URL('../../../libs/decide/docs/bundles.md', import.meta.url), 'utf8');
    const [shown = ''] = /(?<=```js\n)let session[\s\S]*?(?=```)/.exec(page) ?? [];
    const key = await createReader();
    const token = runInNewContext(`${shown}token`, {
      url: fleet.httpUrl,
      key,
      fetch,
    }) as () => Promise<string>;
    const domainId = await createDomain();
    await put(domainId, [policy('readers', { subject: 'alice', action: 'read' })]);
    const decider = await open(domainId, { token });
    const object = `svc://${domainId}/x`;
    expect(decider.check({ subject: 'alice', action: 'read', object }).allowed).toBe(true);
    expect(await token()).toBe(await token());
    await expect(open(domainId, { token: () => key })).rejects.toThrow(
      'exchange it for a token by POST /v1/auth/token',
    );
  });

  it('a genuine key is told what REST takes in its place, on every route with a credential', async () => {
    covers('AUTHZ-A.25');
    const { apiKey } = await fleet.clients.apiKeys.createApiKey({ userId: tenancy.userId }, tenancy);
    const of = {
      [apiKey]: 'REST takes no API keys: call over gRPC, or send the token of a login',
      [await createReader()]: 'REST takes no API keys: exchange it for a token by POST /v1/auth/token',
      nonsense: 'missing, invalid, expired or revoked token',
    };
    const { rootDomainId: id } = tenancy;
    const routes = [
      ['GET', `/v1/domains/${id}/bundle`],
      ['POST', `/v1/domains/${id}/decisions`],
      ['POST', '/v1/authz/check'],
      ['POST', '/v1/authz/check:batch'],
      ['POST', '/access/v1/evaluation'],
      ['POST', '/access/v1/evaluations'],
      ['POST', '/access/v1/search/subject'],
    ];
    for (const [credential, message] of Object.entries(of))
      for (const [method, path] of routes) {
        const response = await fetch(fleet.httpUrl + path, {
          method: method!,
          headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
          ...(method === 'POST' ? { body: '{}' } : {}),
        });
        expect([path, response.status, await response.json()]).toEqual([
          path,
          401,
          { error: 'unauthorized', message },
        ]);
      }
  });

  it('what is wrong with a request for a bundle or with its decisions is told to a live credential alone', async () => {
    covers('AUTHZ-BUNDLE.1');
    const own = await createTenancy(fleet.clients);
    const asked = async (): Promise<number[]> => {
      const post = (id: string, body: string, type = 'application/json') =>
        fetch(`${fleet.httpUrl}/v1/domains/${id}/decisions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${own.token}`, 'content-type': type },
          body,
        });
      const empty = '{"bundle":{"issued_at":1,"key_id":"k","versions":{}},"decisions":[]}';
      const responses = await Promise.all([
        get(bundlePath('none'), {}, own.token),
        get(bundlePath(own.rootDomainId, '?wait=x'), {}, own.token),
        post('none', empty),
        post(own.rootDomainId, empty),
        post(own.rootDomainId, '{'),
        post(own.rootDomainId, empty, 'text/plain'),
      ]);
      return responses.map(({ status }) => status);
    };
    expect(await asked()).toEqual([400, 400, 400, 400, 400, 415]);
    await fleet.clients.sessions.logout({ userId: own.userId }, { token: own.token });
    expect(await asked()).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('a bundle holds the policies of a domain and its superiors, signed by a published key, for a while', async () => {
    covers('AUTHZ-BUNDLE.1');
    const superior = await createDomain();
    const domainId = await createDomain([superior]);
    await put(superior, [policy('nobody-deletes', { action: 'delete' }, { deny: true })]);
    await put(domainId, [policy('readers', { subject: 'alice', action: 'read' })]);
    const response = await get(bundlePath(domainId));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    const bundle = await verifyBundle(text, { keys: await publishedKeys(), domainId, now: Date.now() });
    expect(bundle).toMatchObject({ format: 1, tenant_id: tenancy.tenantId, domain_id: domainId });
    expect(bundle.expires_at - bundle.issued_at).toBe(300);
    expect(bundle.domains.map(({ id, policies }) => [id, policies.map(({ name }) => name)])).toEqual([
      [domainId, ['readers']],
      [superior, ['nobody-deletes']],
    ]);
    expect(text).toBe(await (await get(bundlePath(domainId))).text());
  });

  it('a bundle is not sent again to who has it, and a waiting request gets the next one', async () => {
    covers('AUTHZ-BUNDLE.2');
    const domainId = await createDomain();
    await put(domainId, [policy('a', { subject: 'alice' })]);
    const first = await get(bundlePath(domainId));
    const etag = first.headers.get('etag') as string;
    const unchanged = await get(bundlePath(domainId), { 'If-None-Match': etag });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    // What a 200 would send, a 304 sends as well (RFC 9110 §15.4.5).
    expect([unchanged.headers.get('etag'), unchanged.headers.get('cache-control')]).toEqual([
      etag,
      first.headers.get('cache-control'),
    ]);
    const waiting = get(bundlePath(domainId, '?wait=30'), { 'If-None-Match': `W/${etag}, "other"` });
    await put(domainId, [policy('b', { subject: 'bob' })]);
    const next = await waiting;
    const { bundle } = (await next.json()) as { bundle: Bundle };
    expect([next.status, bundle.domains[0]?.policies.map(({ name }) => name)]).toEqual([200, ['b']]);
    expect(next.headers.get('etag')).not.toBe(etag);
  });

  it('who waits for a bundle is given none that is written after the end of their token', async () => {
    covers('AUTHZ-BUNDLE.27');
    const domainId = await createDomain();
    await put(domainId, [policy('a', { subject: 'alice' })]);
    const { username, tenantName: tenant } = tenancy;
    const login = { username, password: USER_PASSWORD, tenant, duration: 2 };
    const { token } = await fleet.clients.sessions.login(login);
    const etag = (await get(bundlePath(domainId), {}, token)).headers.get('etag') as string;
    const waiting = get(bundlePath(domainId, '?wait=30'), { 'If-None-Match': etag }, token);
    await eventually(async () => (await get(bundlePath(domainId), {}, token)).status).toBe(401);
    await put(domainId, [policy('b', { subject: 'bob' })]);
    expect((await waiting).status).toBe(304);
  });

  it('a bundle is refused to whom its policies are not readable, and every fetch and refusal is on record', async () => {
    covers('AUTHZ-BUNDLE.3');
    const domainId = await createDomain();
    const stranger = await createTenancy(fleet.clients);
    const member = await createUserAndLogin(fleet.clients);
    await fleet.clients.tenants.createTenantUserAssociation(
      { tenantId: tenancy.tenantId, userId: member.userId },
      { token: tenancy.token },
    );
    const { token } = await fleet.clients.sessions.refreshLoginWithTenant(
      { tenantId: tenancy.tenantId },
      { token: member.plainToken },
    );
    const statuses = [
      (await get(bundlePath(domainId))).status,
      (await get(bundlePath(domainId), {}, token)).status,
      (await get(bundlePath(domainId), {}, stranger.token)).status,
      (await get(bundlePath(domainId), {}, 'nonsense')).status,
      (await get(bundlePath('nonsense'))).status,
      (await get(bundlePath(domainId, '?wait=31'))).status,
    ];
    expect(statuses).toEqual([200, 403, 403, 401, 400, 400]);
    const { events } = await fleet.clients.authorization.listAuditEvents(
      { tenantId: tenancy.tenantId, operation: 'GetDomainBundle', limit: 100, cursor: '' },
      { token: tenancy.token },
    );
    const ours = events.filter(({ object }) => object === `domains/${domainId}/bundle`);
    expect(ours.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      [tenancy.userId, 'INVALID_ARGUMENT'],
      [member.userId, 'ACCESS_DENIED'],
      [tenancy.userId, ''],
    ]);
    expect(JSON.parse(ours[2]?.detail ?? '')).toMatchObject({ after: { versions: { [domainId]: 1 } } });
  });
});

describe('a decider', () => {
  const context = (domainId: string, action = 'read') => ({
    subject: 'alice',
    action,
    object: `svc://${domainId}/a`,
  });

  it('a decider decides what the service decides, for random policies of every kind and superiors', async () => {
    covers('AUTHZ-BUNDLE.4');
    const superior = await createDomain();
    const domainId = await createDomain([superior]);
    const seen = { allowed: 0, denied: 0 };
    await fc.assert(
      fc.asyncProperty(policyDomains, searchContexts, async (domains, contexts) => {
        for (const [index, id] of [domainId, superior].entries()) {
          const policies = (domains[index]?.policies ?? []).filter(({ statements }) =>
            // A `/` at the end of a path names no object, which a write refuses.
            statements.every(({ rules }) => !/^svc:\/\/d\/.*\/$/.test(rules['object'] ?? '')),
          );
          await put(
            id,
            policies.map((each) => messageOf(each, domainId)),
          );
        }
        const decider = await openDecider({
          url: fleet.httpUrl,
          domainId,
          token: () => tenancy.token,
          regexes: () => Promise.resolve(openRegexes()),
          record: false,
        });
        const asked = contexts.flatMap((each) =>
          objects.map((object) => ({
            ...Object.fromEntries([...each].filter(([key]) => !key.startsWith('user.'))),
            ...Object.fromEntries(object),
            object: String(object.get('object')).replace('svc://d/', `svc://${domainId}/`),
          })),
        ) as Record<string, string | string[]>[];
        const { results } = await fleet.clients.authorization.batchCheckAuthorization(
          { checks: asked.map((values) => ({ context: requestContext(values) })) },
          { token: tenancy.token },
        );
        const decided = asked.map((values) => decider.check(values, {}).allowed);
        await decider.close();
        expect(decided).toEqual(results.map(({ authorized }) => authorized));
        seen.allowed += decided.filter(Boolean).length;
        seen.denied += decided.filter((allowed) => !allowed).length;
      }),
      { numRuns: soak(100, 10), endOnFailure: true },
    );
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(500);
  });

  it('a decider follows a change of its policies and of a superior while it is online', async () => {
    covers('AUTHZ-BUNDLE.5');
    const superior = await createDomain();
    const domainId = await createDomain([superior]);
    await put(domainId, [policy('readers', { subject: 'alice' })]);
    const decider = await open(domainId);
    expect(decider.check(context(domainId))).toMatchObject({ allowed: true, matched: { policy: 'readers' } });
    await put(superior, [policy('stop', { subject: 'alice' }, { deny: true })]);
    await eventually(() => decider.check(context(domainId)).allowed).toBe(false);
    expect(decider.check(context(domainId)).matched).toMatchObject({ policy: 'stop', domainId: superior });
    await put(superior, []);
    await eventually(() => decider.check(context(domainId)).allowed).toBe(true);
  });

  it('a decider learns of a denial by the request that waited for it, and asks for nothing in between', async () => {
    covers('AUTHZ-BUNDLE.5');
    const domainId = await createDomain();
    await put(domainId, [policy('readers', { subject: 'alice' })]);
    let asked = 0;
    const decider = await open(domainId, {
      fetch: (url, init) => {
        if (String(url).includes('/bundle?')) asked += 1;
        return fetch(url, init);
      },
    });
    await eventually(() => asked).toBe(2);
    await put(domainId, [policy('stop', { subject: 'alice' }, { deny: true })]);
    // The third request is sent once the response to the second one has come.
    await eventually(() => asked).toBe(3);
    expect(decider.check(context(domainId))).toMatchObject({ allowed: false, matched: { policy: 'stop' } });
  });

  it('a decider whose caller may no longer read the policies refuses every check', async () => {
    covers('AUTHZ-BUNDLE.5');
    const domainId = await createDomain();
    await put(domainId, [policy('readers', { subject: 'alice' })]);
    const holder = await createUserAndLogin(fleet.clients);
    const association = { tenantId: tenancy.tenantId, userId: holder.userId };
    await fleet.clients.tenants.createTenantUserAssociation(association, { token: tenancy.token });
    const { token } = await fleet.clients.sessions.refreshLoginWithTenant(
      { tenantId: tenancy.tenantId },
      { token: holder.plainToken },
    );
    const reader = policy(
      'reader',
      { subject: holder.userId, object: `svc://${tenancy.rootDomainId}/domains/${domainId}/policies` },
      { engine: EvaluationEngine.FIXED },
    );
    const owner = policy('starter', { subject: tenancy.userId });
    await put(tenancy.rootDomainId, [owner, reader]);
    const decider = await open(domainId, { token: () => token, record: false });
    expect(decider.check(context(domainId)).allowed).toBe(true);
    await put(tenancy.rootDomainId, [owner]);
    await eventually(() => decider.check(context(domainId)).refused?.code).toBe('no_bundle');
    expect(decider.status).toMatchObject({ versions: null, error: expect.stringContaining('403') });
  });

  it('a decision of a decider is a row of the tenant chain that says where it was made, and explains itself', async () => {
    covers('AUTHZ-BUNDLE.6');
    const domainId = await createDomain();
    await put(domainId, [policy('readers', { subject: 'alice', 'user.team': 'red' })]);
    const decider = await open(domainId);
    expect(decider.check(context(domainId)).refused?.code).toBe('attributes_missing');
    expect(decider.check(context(domainId), { team: ['blue', 'red'] }).allowed).toBe(true);
    expect(decider.check(context(domainId), {}).allowed).toBe(false);
    await decider.flush();
    const rows = await rowsOf(domainId);
    expect(
      rows.map(({ decision, matchedPolicy, operation }) => [decision, matchedPolicy, operation]),
    ).toEqual([
      [false, '', ''],
      [true, 'readers', ''],
    ]);
    const [, allowed] = rows;
    const detail = JSON.parse(allowed?.detail ?? '') as { elsewhere: object };
    expect(detail).toMatchObject({
      context: { 'user.team': ['blue', 'red'] },
      versions: { [domainId]: 2 },
      elsewhere: { key_id: expect.any(String), issued_at: expect.any(Number) },
    });
    // The service keeps no attributes of alice, so it would deny.
    expect(detail.elsewhere).toHaveProperty('disputed', true);
    const explained = await fleet.clients.authorization.explainAuthorization(
      { context: new Map(), checkId: allowed?.id },
      { token: tenancy.token },
    );
    expect(explained.authorized).toBe(true);
  });

  it('a decision that the service would make otherwise is disputed in its row, and a faulty one refused by index', async () => {
    covers('AUTHZ-BUNDLE.6');
    const domainId = await createDomain();
    const decision = (allowed: boolean, object = `svc://${domainId}/a`) => ({
      id: randomUUID(),
      decided_at: new Date().toISOString(),
      context: { subject: 'alice', action: 'read', object },
      allowed,
    });
    const post = (body: unknown) =>
      fetch(`${fleet.httpUrl}/v1/domains/${domainId}/decisions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenancy.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const bundle = { issued_at: 1, key_id: 'k', versions: { [domainId]: 1 } };
    const decisions = [decision(true), decision(false, `svc://${randomUUID()}/a`), decision(false)];
    const response = await post({ bundle, decisions });
    expect(await response.json()).toEqual({
      recorded: 2,
      refused: [{ index: 1, reason: 'INVALID_CONTEXT', message: '`object` is of another domain' }],
    });
    const details = (await rowsOf(domainId)).map(({ detail }) => JSON.parse(detail) as { elsewhere: object });
    expect(details.map(({ elsewhere }) => 'disputed' in elsewhere)).toEqual([false, true]);
    expect((await post({ bundle: { ...bundle, versions: {} }, decisions: [] })).status).toBe(400);
    expect((await post({ bundle, decisions: Array(1_001).fill(decision(true)) })).status).toBe(400);
  });

  it('a decision is disputed where the service decides otherwise by the attributes that it keeps of the subject', async () => {
    covers('AUTHZ-BUNDLE.6');
    const domainId = await createDomain();
    await put(domainId, [
      policy('readers', { action: 'read' }),
      policy('not-the-red', { 'user.team': 'red' }, { deny: true }),
    ]);
    const { userId } = await createUserAndLogin(fleet.clients);
    const { token, tenantId } = tenancy;
    await fleet.clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
    const attribute = { userId, attributeKey: 'team', attributeValues: ['red'] };
    await fleet.clients.attributes.setUserAttribute(attribute, { token });
    const decider = await open(domainId);
    const asked = { ...context(domainId), subject: userId };
    const checked = () =>
      fleet.clients.authorization.checkAuthorization({ context: requestContext(asked) }, { token });
    expect((await checked()).authorized).toBe(false);
    const claimed: Record<string, string | string[]>[] = [
      {},
      { team: 'red' },
      { team: ['blue'] },
      { team: ['blue', 'red'] },
    ];
    for (const attributes of claimed) decider.check(asked, attributes);
    await decider.flush();
    const rows = (await rowsOf(domainId))
      .filter(({ detail }) => detail.includes('"elsewhere"'))
      .map(({ decision, detail }) => {
        const { elsewhere } = JSON.parse(detail) as { elsewhere: { disputed?: true } };
        return [decision, elsewhere.disputed];
      });
    expect(rows.reverse()).toEqual([
      [true, true],
      [false, undefined],
      [true, true],
      [false, undefined],
    ]);
  });

  it('the row of a decision names the fields that cannot be as they were sent', async () => {
    covers('AUTHZ-BUNDLE.12');
    const domainId = await createDomain();
    const sibling = await createDomain();
    const other = await createTenancy(fleet.clients);
    const base = `${fleet.httpUrl}/v1/domains/${domainId}`;
    const headers = { Authorization: `Bearer ${tenancy.token}`, 'Content-Type': 'application/json' };
    const given = (await (await fetch(`${base}/bundle`, { headers })).json()) as {
      bundle: { issued_at: number; key_id: string };
    };
    const { issued_at, key_id } = given.bundle;
    const HOUR = 3_600;
    const at = (seconds: number) => new Date(seconds * 1000).toISOString();
    const sent = [
      [{}, at(issued_at), undefined],
      [{}, at(issued_at - HOUR), ['decided_at']],
      [{}, '9999-12-31T23:59:59Z', ['decided_at']],
      [{ key_id: 'nobodys' }, at(issued_at), ['key_id']],
      [{ versions: { [domainId]: 2 } }, at(issued_at), ['versions']],
      [{ versions: { [domainId]: 0 } }, at(issued_at), ['versions']],
      [{ versions: { [domainId]: 1, [randomUUID()]: 1 } }, at(issued_at), ['versions']],
      [{ versions: { [domainId]: 1, [other.rootDomainId]: 1 } }, at(issued_at), ['versions']],
      [{ versions: { [domainId]: 1, [sibling]: 1 } }, at(issued_at), undefined],
      [{ issued_at: issued_at + HOUR }, at(issued_at + HOUR), ['issued_at', 'decided_at']],
      [{ issued_at: issued_at - HOUR }, at(issued_at), ['decided_at']],
      [{ issued_at: 0 }, at(issued_at), ['issued_at', 'decided_at']],
      [{ issued_at: 0 }, at(0), ['issued_at']],
    ] as const;
    for (const [wrong, decided_at] of sent) {
      const context = { subject: 'alice', action: 'read', object: `svc://${domainId}/a` };
      const bundle = { issued_at, key_id, versions: { [domainId]: 1 }, ...wrong };
      const decisions = [{ id: randomUUID(), decided_at, context, allowed: false }];
      const body = JSON.stringify({ bundle, decisions });
      const response = await fetch(`${base}/decisions`, { method: 'POST', headers, body });
      expect(await response.json()).toEqual({ recorded: 1, refused: [] });
    }
    const rows = (await rowsOf(domainId)).map(
      ({ detail }) => JSON.parse(detail) as { elsewhere: { implausible?: string[] } },
    );
    expect(rows.map(({ elsewhere }) => elsewhere.implausible).reverse()).toEqual(
      sent.map(([, , implausible]) => implausible),
    );
  });
});
