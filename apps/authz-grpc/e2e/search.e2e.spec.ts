import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { status } from '@grpc/grpc-js';
import { filterPredicate, readFilter, requestContext } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { objects, policyDomains, searchContexts } from '../src/policy/policies.fixture.ts';
import type { RequestContext } from '../src/policy/types.ts';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  ENGINES,
  messageOf,
  createTenancy,
  createUserAndLogin,
  policy,
  type Tenancy,
} from './service.fixture.ts';

fc.configureGlobal({ seed: SEED });

type Attributes = Readonly<Record<string, string | readonly string[]>>;

const fleet = useFleet('postgres');
let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await createTenancy(fleet.clients);
});

const as = (token: string) => ({ token });
const contextOf = (values: Attributes) => requestContext(values);
const toRecord = (context: RequestContext) => Object.fromEntries(context);

/** Puts policies besides those that keep the tenant's owner in. */
async function putPolicies(policies: Policy[], domainId = tenancy.rootDomainId): Promise<void> {
  const { tenantId, token, userId } = tenancy;
  const owner = policy('starter', { subject: userId });
  await fleet.clients.domains.putDomainPolicies(
    { tenantId, domainId, policies: [owner, ...policies] },
    as(token),
  );
}

async function createDomain(detached = false, superiorDomainIds: string[] = []): Promise<string> {
  const { tenantId, token } = tenancy;
  const { id } = await fleet.clients.domains.createDomain(
    { tenantId, name: `d-${randomUUID()}`, superiorDomainIds, detached },
    as(token),
  );
  return id;
}

async function putResources(domainId: string, resources: Record<string, Attributes>): Promise<void> {
  const { tenantId, token } = tenancy;
  await fleet.clients.resources.putResources(
    {
      tenantId,
      domainId,
      resources: Object.entries(resources).map(([path, attributes]) => ({
        object: `svc://${domainId}/${path}`,
        attributes: contextOf(attributes),
      })),
    },
    as(token),
  );
}

/** All pages of a search for resources, as paths. */
async function listAll(
  domainId: string,
  context: Attributes,
  more: { token?: string; prefix?: string; pageSize?: number; onPage?: () => Promise<void> } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (let pageToken = ''; ;) {
    const page = await fleet.clients.search.searchResources(
      {
        context: contextOf(context),
        domainId,
        prefix: more.prefix ?? '',
        resources: [],
        pageSize: more.pageSize ?? 0,
        pageToken,
      },
      as(more.token ?? tenancy.token),
    );
    found.push(...page.objects.map((object) => object.slice(`svc://${domainId}/`.length)));
    pageToken = page.nextPageToken;
    if (pageToken === '') return found;
    await more.onPage?.();
  }
}

async function check(context: Attributes): Promise<boolean> {
  const { authorized } = await fleet.clients.authorization.checkAuthorization(
    { context: contextOf(context) },
    as(tenancy.token),
  );
  return authorized;
}

describe('searches', () => {
  it('a search lists what checks allow, and nothing else, for random policies of every kind and superiors', async () => {
    covers('AUTHZ-V.1');
    const superior = await createDomain(true);
    const domainId = await createDomain(true, [superior]);
    const resources = new Map(
      objects.map((each, index): [string, Attributes] => {
        const { object, ...attributes } = toRecord(each) as { object: string } & Attributes;
        return [`${object.slice('svc://d/'.length)}/${index}`, attributes];
      }),
    );
    await putResources(domainId, Object.fromEntries(resources));
    const seen = { allowed: 0, denied: 0 };
    await fc.assert(
      fc.asyncProperty(policyDomains, searchContexts, async (domains, [context]) => {
        for (const [index, id] of [domainId, superior].entries()) {
          const policies = (domains[index]?.policies ?? [])
            .filter(({ statements }) =>
              // A `/` at the end of a path names no object, which a write refuses.
              statements.every(({ rules }) => !/^svc:\/\/d\/.*\/$/.test(rules['object'] ?? '')),
            )
            .map((each) => messageOf({ ...each, name: `p${index}-${each.name}` }, domainId));
          await fleet.clients.domains.putDomainPolicies(
            { tenantId: tenancy.tenantId, domainId: id, policies, allowLockout: true },
            as(tenancy.token),
          );
        }
        const { object: _, ...asked } = toRecord(context as RequestContext) as {
          object: string;
        } & Attributes;
        const base = Object.fromEntries(Object.entries(asked).filter(([key]) => !key.startsWith('user.')));
        const paths = [...resources];
        const { results } = await fleet.clients.authorization.batchCheckAuthorization(
          {
            checks: paths.map(([path, attributes]) => ({
              context: contextOf({ ...base, ...attributes, object: `svc://${domainId}/${path}` }),
            })),
          },
          as(tenancy.token),
        );
        const allowed = paths.filter((_path, index) => results[index]?.authorized).map(([path]) => path);
        const listed = await listAll(domainId, base, { pageSize: 7 });
        expect(listed).toEqual(allowed.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
        seen.allowed += allowed.length;
        seen.denied += paths.length - allowed.length;
      }),
      { numRuns: soak(120, 12), endOnFailure: true },
    );
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(0);
  });

  it('a search of subjects lists whom checks allow, and nobody else, whichever way policies spell the ids', async () => {
    covers('AUTHZ-V.21');
    const { clients } = fleet;
    const { tenantId, token, userId } = tenancy;
    const domainId = await createDomain(true);
    const service = await clients.serviceAccounts.createServiceAccount(
      { tenantId, name: `s-${randomUUID()}`, description: '' },
      as(token),
    );
    const { userId: stranger } = await createUserAndLogin(clients);
    const ids = [userId, service.serviceAccountId, stranger, randomUUID()];
    const spellings = (id: string) => [id, id.toUpperCase(), id.replace(/[a-f]/, (hex) => hex.toUpperCase())];
    const names = ['bob', ...ids.flatMap(spellings)];
    const object = `svc://${domainId}/x`;
    const page = { pageSize: 5 };
    const list = async (subjects: string[]) => {
      const found: string[] = [];
      for (let pageToken = ''; ;) {
        const context = contextOf({ action: 'fly', object });
        const part = await clients.search.searchSubjects(
          { context, subjects, ...page, pageToken },
          as(token),
        );
        found.push(...part.subjects);
        pageToken = part.nextPageToken;
        if (pageToken === '') return found.toSorted();
      }
    };
    const named = fc.record({ allow: fc.subarray(names), deny: fc.subarray(names) });
    const engines = fc
      .constantFrom('fixed', 'glob', 'regex')
      .map((engine) => [engine, ENGINES[engine]] as const);
    await fc.assert(
      fc.asyncProperty(named, engines, async ({ allow, deny }, [kind, engine]) => {
        const policies = [
          ...allow.map((name) => [name, false] as const),
          ...deny.map((name) => [name, true] as const),
        ].map(([name, isDeny], index) =>
          policy(
            `p${index}`,
            { subject: kind === 'regex' ? `^${name}$` : name, action: kind === 'regex' ? '^fly$' : 'fly' },
            { engine, deny: isDeny },
          ),
        );
        await clients.domains.putDomainPolicies(
          { tenantId, domainId, policies, allowLockout: true },
          as(token),
        );
        const checks = names.map((subject) => ({ context: contextOf({ subject, action: 'fly', object }) }));
        const { results } = await clients.authorization.batchCheckAuthorization({ checks }, as(token));
        const allowed = names.filter((_, index) => results[index]?.authorized).toSorted();
        if (kind !== 'regex') expect(await list([])).toEqual(allowed);
        const decided = names.filter((_, index) => results[index]?.error === undefined);
        expect(await list(decided)).toEqual(allowed);
        const refused = names.filter((name) => !decided.includes(name));
        for (const name of refused)
          expect(await refusalOf(list(['bob', name]))).toMatchObject({
            reason: 'INVALID_ARGUMENT',
            fields: ['subjects[1]'],
            message: expect.stringContaining(name.toLowerCase()),
          });
        expect(refused).toHaveLength(4);
      }),
      { numRuns: soak(60, 8), endOnFailure: true },
    );
  });

  it('no page of a search misses or doubles what stays while policies and resources are written', async () => {
    covers('AUTHZ-V.2');
    const domainId = await createDomain();
    const stays = Array.from({ length: 60 }, (_, n) => `docs/${String(n).padStart(3, '0')}`);
    await putResources(domainId, Object.fromEntries(stays.map((path) => [path, {}])));
    const readers = (extra: string) => [
      policy(
        'docs',
        { subject: 'bob', object: `svc://${domainId}/docs/` },
        { engine: EvaluationEngine.PREFIX },
      ),
      policy('extra', { subject: 'bob', object: `svc://${domainId}/${extra}` }),
    ];
    await putPolicies(readers('x'), domainId);
    let writes = 0;
    const listed = await listAll(
      domainId,
      { subject: 'bob', action: 'read' },
      {
        pageSize: 7,
        async onPage() {
          writes += 1;
          await putPolicies(readers(`y${writes}`), domainId);
          await putResources(domainId, { [`docs/0${writes}x`]: {}, [`a${writes}`]: {} });
        },
      },
    );
    expect(writes).toBeGreaterThan(7);
    expect(new Set(listed).size).toBe(listed.length);
    expect(stays.filter((path) => !listed.includes(path))).toEqual([]);
  });

  it('subjects list what they may see themselves, and what others may see only with the right to read it', async () => {
    covers('AUTHZ-V.3');
    const { clients } = fleet;
    const { tenantId, token, rootDomainId } = tenancy;
    const user = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: user.userId }, as(token));
    const { token: own } = await clients.sessions.refreshLoginWithTenant({ tenantId }, as(user.plainToken));
    const domainId = await createDomain();
    await putResources(domainId, { 'a/1': {}, 'b/1': {}, 'c/1': { owner: user.userId } });
    await putPolicies(
      [
        policy('a', { subject: user.userId, object: `svc://${domainId}/a/1` }),
        policy('admins', { 'subject.role': 'admin' }),
        policy('owners', { subject: '$current_user()', owner: '$resource_owner()' }),
      ],
      domainId,
    );
    const mine = { subject: user.userId, action: 'read' };
    expect(await listAll(domainId, mine, { token: own })).toEqual(['a/1', 'c/1']);
    const refused = { code: status.PERMISSION_DENIED, reason: 'ACCESS_DENIED' };
    for (const context of [
      { ...mine, 'subject.role': 'admin' },
      { ...mine, owner: user.userId },
      { subject: tenancy.userId, action: 'read' },
    ]) {
      expect(await refusalOf(listAll(domainId, context, { token: own }))).toMatchObject(refused);
    }
    const page = { pageSize: 0, pageToken: '' };
    const object = `svc://${domainId}/b/1`;
    const subjects = { context: contextOf({ action: 'read', object }), subjects: [], ...page };
    expect(await refusalOf(clients.search.searchSubjects(subjects, as(own)))).toMatchObject(refused);
    const actions = { context: contextOf({ subject: tenancy.userId, object }), actions: [], ...page };
    expect(await refusalOf(clients.search.searchActions(actions, as(own)))).toMatchObject(refused);
    expect(
      await refusalOf(clients.resources.listResources({ tenantId, domainId, prefix: '', ...page }, as(own))),
    ).toMatchObject(refused);
    // With the right to read the resources, also with attributes that the caller says.
    await putPolicies([
      policy('auditor', {
        subject: user.userId,
        action: 'read',
        object: `svc://${rootDomainId}/domains/${domainId}/resources`,
      }),
    ]);
    expect(await listAll(domainId, { ...mine, 'subject.role': 'admin' }, { token: own })).toEqual([
      'a/1',
      'b/1',
      'c/1',
    ]);
    // What callers bring along they could check one by one.
    const given = await clients.search.searchResources(
      {
        context: contextOf({ subject: tenancy.userId, action: 'read' }),
        domainId,
        prefix: '',
        resources: [{ object: `svc://${domainId}/z`, attributes: new Map() }],
        ...page,
      },
      as(own),
    );
    expect(given.objects).toEqual([`svc://${domainId}/z`]);
    await putPolicies([]);
  });

  it('searches of subjects and actions list what checks allow among members, names of policies and what is given', async () => {
    covers('AUTHZ-V.1');
    const { clients } = fleet;
    const { tenantId, token, userId } = tenancy;
    const [active, inactive] = [await createUserAndLogin(clients), await createUserAndLogin(clients)];
    for (const user of [active, inactive]) {
      await clients.tenants.createTenantUserAssociation({ tenantId, userId: user.userId }, as(token));
      await clients.attributes.setUserAttribute(
        { userId: user.userId, attributeKey: 'team', attributeValues: ['red'] },
        as(token),
      );
    }
    await clients.users.updateUser({ id: inactive.userId, active: false }, as(inactive.plainToken));
    const domainId = await createDomain(true);
    const object = `svc://${domainId}/plan`;
    await putPolicies(
      [
        policy('bob', { subject: 'bob', action: 'read' }),
        policy('carol', { subject: 'carol', action: 'write' }),
        policy('red', { 'user.team': 'red', action: 'read', 'resource.status': 'open' }),
        policy('no', { subject: 'bob', action: 'erase' }, { deny: true }),
      ],
      domainId,
    );
    await putResources(domainId, { plan: { 'resource.status': 'open' } });
    const subjects = async (action: string, given: string[] = []) => {
      const found: string[] = [];
      for (let pageToken = ''; ;) {
        const page = await clients.search.searchSubjects(
          { context: contextOf({ action, object }), subjects: given, pageSize: 1, pageToken },
          as(token),
        );
        found.push(...page.subjects);
        pageToken = page.nextPageToken;
        if (pageToken === '') return found;
      }
    };
    expect(await subjects('read')).toEqual(['bob', ...[userId, active.userId].sort()]);
    expect(await subjects('write')).toEqual(['carol', userId]);
    expect(await subjects('read', ['dan', 'bob', active.userId])).toEqual([active.userId, 'bob'].sort());
    for (const subject of await subjects('read'))
      expect(await check({ subject, action: 'read', object, 'resource.status': 'open' })).toBe(true);
    const actions = async (subject: string, given: string[] = []) =>
      (
        await clients.search.searchActions(
          { context: contextOf({ subject, object }), actions: given, pageSize: 0, pageToken: '' },
          as(token),
        )
      ).actions;
    expect(await actions('bob')).toEqual(['read']);
    expect(await actions(active.userId)).toEqual(['read']);
    expect(await actions(userId)).toEqual(['erase', 'read', 'write']);
    expect(await actions(userId, ['paint'])).toEqual(['paint']);
    expect(await actions('nobody')).toEqual([]);
    // The text of a prefix is allowed by it.
    const byPrefix = policy('dora', { subject: 'dora', action: 'read' }, { engine: EvaluationEngine.PREFIX });
    await putPolicies([byPrefix], domainId);
    expect(await actions('dora')).toEqual(['read']);
    expect(await actions('dora', ['read:all'])).toEqual(['read:all']);
    expect(await subjects('read')).toEqual(['dora', userId]);
  });

  it('a search of subjects or actions for others needs the scope of an explanation, over gRPC and AuthZEN', async () => {
    covers('AUTHZ-K.2');
    const { clients } = fleet;
    const { userId, token, rootDomainId } = tenancy;
    const keyOf = async (...values: string[]) =>
      (await clients.apiKeys.createApiKey({ userId, scopes: { values } }, as(token))).apiKey;
    const object = `svc://${rootDomainId}/record/1`;
    const page = { pageSize: 0, pageToken: '' };
    const subjects = (key: string, given: string[] = []) =>
      clients.search.searchSubjects(
        { ...page, context: contextOf({ action: 'read', object }), subjects: given },
        as(key),
      );
    const actions = (key: string, subject: string, given: string[] = []) =>
      clients.search.searchActions(
        { ...page, context: contextOf({ subject, object }), actions: given },
        as(key),
      );
    const post = async (key: string, searched: string, body: object) => {
      const response = await fetch(`${fleet.httpUrl}/access/v1/search/${searched}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [response.status, ((await response.json()) as { message?: string }).message];
    };
    const [resource, action] = [{ type: 'record', id: '1' }, { name: 'read' }];
    const { token: credential } = await clients.serviceAccounts.createServiceAccount(
      {
        tenantId: tenancy.tenantId,
        name: `s-${randomUUID()}`,
        description: '',
        scopes: { values: ['check'] },
      },
      as(token),
    );
    const ofAccount = (await clients.serviceAccounts.exchangeServiceAccountToken({ credential })).token;
    const message = 'not permitted: the credential lacks the scope `explain`';

    const check = await keyOf('check');
    expect(await refusalOf(subjects(check))).toMatchObject({ code: 7, message });
    expect(await refusalOf(actions(check, 'bob'))).toMatchObject({ code: 7, message });
    expect(await post(ofAccount, 'subject', { subject: { type: 'user' }, action, resource })).toEqual([
      403,
      message,
    ]);
    expect(await post(ofAccount, 'action', { subject: { type: 'user', id: 'bob' }, resource })).toEqual([
      403,
      message,
    ]);
    // What callers bring along, and what they may do themselves, they could check.
    expect((await subjects(check, [userId])).subjects).toEqual([userId]);
    expect((await actions(check, 'bob', ['read'])).actions).toEqual([]);
    await actions(check, userId);

    const both = await keyOf('check', 'explain');
    expect((await subjects(both)).subjects).toContain(userId);
    expect((await actions(both, 'bob')).actions).toEqual([]);
    const explain = await keyOf('explain');
    expect((await refusalOf(subjects(explain))).message).toContain('lacks the scope `check`');
  });

  it('each item that a search lists takes a call and leaves a row, and an empty search leaves one', async () => {
    covers('AUTHZ-V.4');
    const { clients } = fleet;
    const own = await createTenancy(clients);
    const { tenantId, token, rootDomainId, userId } = own;
    await clients.resources.putResources(
      {
        tenantId,
        domainId: rootDomainId,
        resources: ['a', 'b', 'c'].map((path) => ({
          object: `svc://${rootDomainId}/${path}`,
          attributes: new Map(),
        })),
      },
      as(token),
    );
    const state = async () => {
      const { dataPlane } = await clients.tenants.getTenant({ id: tenantId }, as(token));
      const { events } = await clients.authorization.listAuditEvents(
        { tenantId, limit: 100, cursor: '', action: 'paint' },
        as(token),
      );
      return { left: Number(dataPlane?.tokens), rows: events };
    };
    const before = await state();
    const search = (subject: string) =>
      clients.search.searchResources(
        {
          context: contextOf({ subject, action: 'paint' }),
          domainId: rootDomainId,
          prefix: '',
          resources: [],
          pageSize: 0,
          pageToken: '',
        },
        as(token),
      );
    expect((await search(userId)).objects).toHaveLength(3);
    const after = await state();
    expect(before.left - after.left).toBe(3);
    const kept = `{"versions":{"${rootDomainId}":1},"search":"resources"}`;
    expect(after.rows.map(({ object, decision, detail }) => [object, decision, detail]).reverse()).toEqual(
      ['a', 'b', 'c'].map((path) => [`svc://${rootDomainId}/${path}`, true, kept]),
    );
    expect((await search('nobody')).objects).toEqual([]);
    const last = await state();
    expect(after.left - last.left).toBe(1);
    expect(last.rows[0]).toMatchObject({
      subject: 'nobody',
      object: `svc://${rootDomainId}/`,
      decision: false,
    });
  });

  it('a page of a search with a large context ends where its rows are full, and the next one continues', async () => {
    covers('AUTHZ-A.21');
    const own = await createTenancy(fleet.clients);
    const names = Array.from({ length: 1_000 }, (_, i) => `r${String(i).padStart(4, '0')}`);
    const resources = names.map((name) => ({
      object: `svc://${own.rootDomainId}/${name}`,
      attributes: new Map(),
    }));
    const listed: string[] = [];
    const sizes: number[] = [];
    const values = Array.from({ length: 10 }, (_, i) => `${i}`.padEnd(1_000, '.'));
    for (let pageToken = ''; ;) {
      const page = await fleet.clients.search.searchResources(
        {
          context: contextOf({ subject: own.userId, action: 'read', values }),
          domainId: own.rootDomainId,
          prefix: '',
          resources,
          pageSize: 1_000,
          pageToken,
        },
        as(own.token),
      );
      listed.push(...page.objects);
      sizes.push(page.objects.length);
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(listed).toEqual(resources.map(({ object }) => object));
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size * 10_000).toBeLessThan(4.2 * 1024 * 1024);
  });

  it('a search of an inactive, unknown or foreign domain is refused as a check is', async () => {
    covers('AUTHZ-V.3');
    const { tenantId, token } = tenancy;
    const domainId = await createDomain();
    await putResources(domainId, { a: {} });
    const domain = await fleet.clients.domains.getDomain({ tenantId, domainId }, as(token));
    await fleet.clients.domains.updateDomain(
      { tenantId, domain: { ...domain, policies: [], active: false } },
      as(token),
    );
    const foreign = (await createTenancy(fleet.clients)).rootDomainId;
    for (const id of [domainId, foreign, randomUUID()]) {
      expect(await refusalOf(listAll(id, { subject: 'bob', action: 'read' }))).toMatchObject({
        code: status.PERMISSION_DENIED,
        reason: 'DOMAIN_NOT_ACCESSIBLE',
      });
    }
  });

  it('bad input of a search and of resources names its field', async () => {
    covers('AUTHZ-V.5');
    const { clients } = fleet;
    const { tenantId, token, rootDomainId: domainId } = tenancy;
    const searching = (more: object) => ({
      context: contextOf({ subject: 'bob', action: 'read' }),
      domainId,
      prefix: '',
      resources: [],
      pageSize: 0,
      pageToken: '',
      ...more,
    });
    const resource = (path: string, attributes: Attributes = {}) => ({
      object: `svc://${domainId}/${path}`,
      attributes: contextOf(attributes),
    });
    const fieldOf = async (call: Promise<unknown>) => (await refusalOf(call)).fields;
    const cases: [object, string][] = [
      [{ domainId: 'x' }, 'domain_id'],
      [{ context: contextOf({ subject: 'bob' }) }, 'context.action'],
      [{ context: contextOf({ subject: 'bob', action: 'read', object: 'x' }) }, 'context.object'],
      [{ context: contextOf({ subject: 'bob', action: 'read', 'user.a': 'x' }) }, 'context.user.a'],
      [{ prefix: '\0' }, 'prefix'],
      [{ prefix: 'docs/a[b]' }, 'prefix'],
      [{ prefix: 'docs/a%4' }, 'prefix'],
      [{ pageSize: 1_001 }, 'page_size'],
      [{ pageToken: 'x' }, 'page_token'],
      [{ resources: [resource('a//b')] }, 'resources[0].object'],
      [{ resources: [resource('a'), resource('a')] }, 'resources[1].object'],
      [{ resources: [resource('a', { color: 'red' })] }, 'resources[0].attributes'],
      [{ resources: [resource('a', { owner: '\0' })] }, 'resources[0].attributes.owner'],
    ];
    for (const [more, field] of cases)
      expect(await fieldOf(clients.search.searchResources(searching(more), as(token)))).toEqual([field]);
    const told = async (call: Promise<unknown>) => (await refusalOf(call)).message;
    for (const prefix of ['a\0', 'docs/a%4']) {
      const plan = {
        context: contextOf({ subject: 'bob', action: 'read' }),
        domainId,
        prefix,
        namesOnly: true,
      };
      expect(await fieldOf(clients.search.planResources(plan, as(token)))).toEqual(['prefix']);
    }
    for (const [prefix, remedy] of [
      ['\0', 'without NUL'],
      ['docs/a[b]', 'write `docs/a%5Bb%5D`'],
      ['/docs/', 'write `docs/`'],
      ['docs/../', 'segments are not empty, `.` or `..`'],
      ['docs/100%/', 'it holds a `%` that does not begin an escape'],
    ])
      expect(await told(clients.search.searchResources(searching({ prefix }), as(token)))).toContain(remedy);
    for (const prefix of ['docs/a%5', 'do', 'docs/', ''])
      expect(await clients.search.searchResources(searching({ prefix }), as(token))).toBeTruthy();
    for (const [path, problem] of [
      ['docs/a[b]', `must be spelled \`svc://${domainId}/docs/a%5Bb%5D\``],
      [
        'docs/100%',
        'holds a `%` that does not begin an escape such as `%20`, and no object can hold the character `%`',
      ],
    ] as const) {
      const odd = { tenantId, domainId, resources: [resource(path)] };
      expect(await told(clients.resources.putResources(odd, as(token)))).toBe(
        `\`resources[0].object\` ${problem}`,
      );
    }
    const long = resource('x'.repeat(1_025));
    const put = (resources: ReturnType<typeof resource>[]) =>
      clients.resources.putResources({ tenantId, domainId, resources }, as(token));
    expect(await fieldOf(put([long]))).toEqual(['resources[0].object']);
    expect(await fieldOf(put(Array.from({ length: 1_001 }, (_, n) => resource(`n${n}`))))).toEqual([
      'resources',
    ]);
    expect(
      await fieldOf(
        clients.resources.deleteResources({ tenantId, domainId, objects: ['svc://x'] }, as(token)),
      ),
    ).toEqual(['objects[0]']);
    const asked = { actions: ['read', ''], pageSize: 0, pageToken: '' };
    const about = contextOf({ subject: 'bob', object: `svc://${domainId}/a` });
    expect(await fieldOf(clients.search.searchActions({ context: about, ...asked }, as(token)))).toEqual([
      'actions[1]',
    ]);
    // A token is good for the search that gave it out.
    await put([resource('t/1'), resource('t/2')]);
    const mine = {
      context: contextOf({ subject: tenancy.userId, action: 'read' }),
      prefix: 't/',
      pageSize: 1,
    };
    const { nextPageToken } = await clients.search.searchResources(searching(mine), as(token));
    expect(nextPageToken).not.toBe('');
    expect(
      await fieldOf(
        clients.search.searchResources(
          searching({ ...mine, prefix: '', pageToken: nextPageToken }),
          as(token),
        ),
      ),
    ).toEqual(['page_token']);
  });

  it('resources are registered, replaced, listed in pages and forgotten, and keep their domain from being deleted', async () => {
    covers('AUTHZ-V.6');
    const { resources, domains } = fleet.clients;
    const { tenantId, token } = tenancy;
    const domainId = await createDomain();
    await putResources(domainId, { b: {}, a: { owner: 'alice' }, 'c/1': {} });
    await putResources(domainId, { a: { owner: 'bob', 'resource.tags': ['x', 'y'] } });
    const list = (pageToken: string, prefix = '') =>
      resources.listResources({ tenantId, domainId, prefix, pageSize: 2, pageToken }, as(token));
    const first = await list('');
    expect(first.resources).toEqual([
      {
        object: `svc://${domainId}/a`,
        attributes: contextOf({ owner: 'bob', 'resource.tags': ['x', 'y'] }),
      },
      { object: `svc://${domainId}/b`, attributes: new Map() },
    ]);
    const second = await list(first.nextPageToken);
    expect([second.resources.map(({ object }) => object), second.nextPageToken]).toEqual([
      [`svc://${domainId}/c/1`],
      '',
    ]);
    expect((await list('', 'c/')).resources).toHaveLength(1);
    expect(await refusalOf(domains.deleteDomain({ tenantId, domainId }, as(token)))).toMatchObject({
      reason: 'DEPENDENTS_EXIST',
    });
    const objects = ['a', 'b', 'c/1', 'x'].map((path) => `svc://${domainId}/${path}`);
    expect(await resources.deleteResources({ tenantId, domainId, objects }, as(token))).toEqual({
      deleted: 3,
    });
    await domains.deleteDomain({ tenantId, domainId }, as(token));
    expect(await refusalOf(list(''))).toMatchObject({ reason: 'DOMAIN_NOT_FOUND' });
  });

  it('a plan holds for the objects that checks allow, for callers who may read the policies alone', async () => {
    covers('AUTHZ-V.7');
    const { clients } = fleet;
    const { tenantId, token, rootDomainId } = tenancy;
    const user = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: user.userId }, as(token));
    const { token: own } = await clients.sessions.refreshLoginWithTenant({ tenantId }, as(user.plainToken));
    const domainId = await createDomain(true);
    const start = `svc://${domainId}/`;
    await putPolicies(
      [
        policy('docs', { subject: 'bob', object: `${start}docs/` }, { engine: EvaluationEngine.PREFIX }),
        policy(
          'secret',
          { object: `${start}docs/*/secret-[ab]` },
          { engine: EvaluationEngine.GLOB, deny: true },
        ),
        policy('own', { subject: '$current_user()', owner: '$resource_owner()' }),
        policy('home', { object: `${start}home/$resource_owner()/*` }, { engine: EvaluationEngine.GLOB }),
        policy('closed', { action: 'write', 'resource.status': 'closed' }, { deny: true }),
      ],
      domainId,
    );
    const rows = ['docs/a', 'docs/a/secret-a', 'docs/a/secret-c', 'x', 'home/bob/x', 'home/ann/x'].flatMap(
      (path): Attributes[] => [
        { object: start + path },
        { object: start + path, owner: 'bob' },
        { object: start + path, owner: 'ann', 'resource.status': 'closed' },
      ],
    );
    const seen = new Set<boolean>();
    for (const action of ['read', 'write']) {
      const context = { subject: 'bob', action };
      const { filter } = await clients.search.planResources(
        { context: contextOf(context), domainId },
        as(token),
      );
      const { results } = await clients.authorization.batchCheckAuthorization(
        { checks: rows.map((row) => ({ context: contextOf({ ...context, ...row }) })) },
        as(token),
      );
      const allowed = results.map(({ authorized }) => authorized);
      expect(rows.map(filterPredicate(readFilter(filter)))).toEqual(allowed);
      for (const each of allowed) seen.add(each);
    }
    expect(seen.size).toBe(2);
    const mine = { context: contextOf({ subject: user.userId, action: 'read' }), domainId };
    expect(await refusalOf(clients.search.planResources(mine, as(own)))).toMatchObject({
      reason: 'ACCESS_DENIED',
    });
    await putPolicies([
      policy('reader', {
        subject: user.userId,
        action: 'read',
        object: `svc://${rootDomainId}/domains/${domainId}/policies`,
      }),
    ]);
    await clients.search.planResources(mine, as(own));
    await putPolicies([]);
    const unsaid = { ...mine, prefix: 'docs/' };
    expect(await refusalOf(clients.search.planResources(unsaid, as(token)))).toMatchObject({
      reason: 'INVALID_ARGUMENT',
      fields: ['prefix'],
    });
    const claimed = { context: contextOf({ subject: 'bob', action: 'read', owner: 'bob' }), domainId };
    expect(await refusalOf(clients.search.planResources(claimed, as(token)))).toMatchObject({
      reason: 'INVALID_CONTEXT',
      fields: ['context.owner'],
    });
  });

  it('subjects get the names of what allows them, without what is denied, by a key that is good for them', async () => {
    covers('AUTHZ-V.10');
    const { clients } = fleet;
    const { tenantId, token, rootDomainId } = tenancy;
    const user = await createUserAndLogin(clients);
    const place = { tenantId, userId: user.userId };
    await clients.tenants.createTenantUserAssociation(place, as(token));
    const { token: own } = await clients.sessions.refreshLoginWithTenant({ tenantId }, as(user.plainToken));
    const start = `svc://${rootDomainId}/documents/`;
    const PREFIX = { engine: EvaluationEngine.PREFIX };
    const subject = user.userId;
    await putPolicies([
      policy('desk', { subject, action: 'read', object: `${start}desk/` }, PREFIX),
      policy('plan', { subject, action: 'read', object: `${start}plan` }),
      policy('glob', { subject, object: `${start}teams/*/open` }, { engine: EvaluationEngine.GLOB }),
      policy('elsewhere', { subject, object: `svc://${rootDomainId}/investigations/` }, PREFIX),
      policy('withdrawn', { subject, object: `${start}withdrawn` }),
      policy('no', { object: `${start}withdrawn` }, { deny: true }),
      policy('inner', { object: `${start}desk/secret/` }, { ...PREFIX, deny: true }),
      policy('others', { subject: 'ann', object: `${start}of-ann` }),
    ]);
    const ask = (context: Attributes, by: string, prefix = 'documents/', action = 'read') =>
      clients.search.planResources(
        {
          context: contextOf({ subject, action, ...context }),
          domainId: rootDomainId,
          namesOnly: true,
          prefix,
        },
        as(by),
      );
    const match = (test: 'equals' | 'starts_with', path: string) => ({
      kind: 'match',
      test,
      key: 'object',
      parts: [start + path],
    });
    const { filter } = await ask({}, own);
    expect(readFilter(filter)).toEqual({
      kind: 'any',
      of: [match('starts_with', 'desk/'), match('equals', 'plan'), match('starts_with', 'teams/')],
    });
    expect(readFilter((await ask({}, own, 'documents/none/')).filter)).toEqual({
      kind: 'constant',
      value: false,
    });

    // What is not about the caller alone needs the right to read the policies.
    for (const claimed of [{ subject: 'ann' }, { 'resource.x': 'y' }, { group: 'admins' }] as Attributes[])
      expect((await refusalOf(ask(claimed, own))).reason).toMatch(/^(?:ACCESS_DENIED|INVALID_CONTEXT)$/);
    expect(readFilter((await ask({ subject: 'ann' }, token)).filter)).toEqual(match('equals', 'of-ann'));

    const keyOf = async (scope: string) =>
      (await clients.apiKeys.createApiKey({ userId: subject, scopes: { values: [scope] } }, as(own))).apiKey;
    const documents = await keyOf('documents');
    expect(readFilter((await ask({}, documents)).filter)).toEqual(readFilter(filter));
    for (const prefix of ['', 'investigations/', 'documents', 'documents-of-others/'])
      expect(await refusalOf(ask({}, documents, prefix))).toMatchObject({ reason: 'ACCESS_DENIED' });
    await putPolicies([]);
  });
});
