import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, rootToken, type Tenancy } from './service.fixture.ts';

const fleet = useFleet('postgres and redis');
const { clients } = fleet;

let tenancy: Tenancy;
let root: { readonly token: string };
let own: { readonly token: string };
let place: { readonly tenantId: string; readonly domainId: string };
let bundle: { readonly issued_at: number; readonly key_id: string; readonly versions: object };

const policies = () => [
  policy('starter', { subject: tenancy.userId }),
  policy('readers', { subject: 'bob', action: 'read' }),
  policy('writers', { subject: 'bob', action: 'write' }),
  policy('others', { subject: 'carol', action: 'read' }),
];
const object = (id: string) => `svc://${tenancy.rootDomainId}/record/${id}`;
const check = (id = '1') => requestContext({ subject: 'bob', action: 'read', object: object(id) });
const page = { pageSize: 0, pageToken: '' };

beforeAll(async () => {
  tenancy = await createTenancy(clients);
  [root, own] = [{ token: await rootToken(clients) }, { token: tenancy.token }];
  place = { tenantId: tenancy.tenantId, domainId: tenancy.rootDomainId };
  await clients.domains.putDomainPolicies({ ...place, policies: policies() }, own);
  const resources = Array.from({ length: 3 }, (_, n) => ({
    object: object(String(n)),
    attributes: requestContext({}),
  }));
  await clients.resources.putResources({ ...place, resources }, own);
  await clients.policySets.putShadowPolicies({ ...place, policies: policies() }, own);
  const { bundle: given } = (await (await send(`/v1/domains/${place.domainId}/bundle`)).json()) as {
    bundle: { issued_at: number; key_id: string; domains: { id: string; version: number }[] };
  };
  const versions = Object.fromEntries(given.domains.map(({ id, version }) => [id, version]));
  bundle = { issued_at: given.issued_at, key_id: given.key_id, versions };
});

const send = (path: string, body?: object) =>
  fetch(fleet.httpUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${tenancy.token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Rejects with what a response says that is none of success. */
async function rest(path: string, body?: object): Promise<void> {
  const response = await send(path, body);
  if (response.ok) return;
  const { message } = (await response.json()) as { message: string };
  throw new Error(`${response.status}: ${message}`);
}

const bob = { subject: { type: 'user', id: 'bob' } };
const read = { action: { name: 'read' } };
const record = (id?: string) => ({ resource: { type: 'record', ...(id === undefined ? {} : { id }) } });
const evaluations = (evaluations_semantic: string) => () =>
  rest('/access/v1/evaluations', {
    ...bob,
    ...record('1'),
    evaluations: ['read', 'write', 'read'].map((name) => ({ action: { name } })),
    options: { evaluations_semantic },
  });

type Plane = 'data_plane' | 'control_plane';

/** Operations with the calls that each takes; of those that take several, one for each item. */
const OPERATIONS: readonly (readonly [string, Plane, number, () => Promise<unknown>])[] = [
  [
    'CheckAuthorization',
    'data_plane',
    1,
    () => clients.authorization.checkAuthorization({ context: check() }, own),
  ],
  [
    'BatchCheckAuthorization',
    'data_plane',
    3,
    () =>
      clients.authorization.batchCheckAuthorization(
        { checks: ['1', '2', '3'].map((id) => ({ context: check(id) })) },
        own,
      ),
  ],
  [
    'SearchResources',
    'data_plane',
    3,
    () =>
      clients.search.searchResources(
        {
          ...page,
          context: requestContext({ subject: 'bob', action: 'read' }),
          domainId: place.domainId,
          prefix: '',
          resources: [],
        },
        own,
      ),
  ],
  [
    'SearchResources that finds nothing',
    'data_plane',
    1,
    () =>
      clients.search.searchResources(
        {
          ...page,
          context: requestContext({ subject: 'nobody', action: 'read' }),
          domainId: place.domainId,
          prefix: '',
          resources: [],
        },
        own,
      ),
  ],
  [
    'SearchSubjects',
    'data_plane',
    3,
    () =>
      clients.search.searchSubjects(
        { ...page, context: requestContext({ action: 'read', object: object('1') }), subjects: [] },
        own,
      ),
  ],
  [
    'SearchActions',
    'data_plane',
    2,
    () =>
      clients.search.searchActions(
        { ...page, context: requestContext({ subject: 'bob', object: object('1') }), actions: [] },
        own,
      ),
  ],
  [
    'PlanResources',
    'data_plane',
    1,
    () =>
      clients.search.planResources(
        { context: requestContext({ subject: 'bob', action: 'read' }), domainId: place.domainId },
        own,
      ),
  ],
  [
    'PlanResources of names',
    'data_plane',
    1,
    () =>
      clients.search.planResources(
        {
          context: requestContext({ subject: 'bob', action: 'read' }),
          domainId: place.domainId,
          namesOnly: true,
        },
        own,
      ),
  ],
  [
    'POST check',
    'data_plane',
    1,
    () => rest('/v1/authz/check', { context: { subject: 'bob', action: 'read', object: object('1') } }),
  ],
  [
    'POST check:batch',
    'data_plane',
    2,
    () =>
      rest('/v1/authz/check:batch', {
        checks: ['1', '2'].map((id) => ({ context: { subject: 'bob', action: 'read', object: object(id) } })),
      }),
  ],
  [
    'POST evaluation',
    'data_plane',
    1,
    () => rest('/access/v1/evaluation', { ...bob, ...read, ...record('1') }),
  ],
  ['POST evaluations', 'data_plane', 3, evaluations('execute_all')],
  ['POST evaluations to the first denial', 'data_plane', 3, evaluations('deny_on_first_deny')],
  ['POST evaluations to the first permission', 'data_plane', 1, evaluations('permit_on_first_permit')],
  [
    'POST search/resource',
    'data_plane',
    3,
    () => rest('/access/v1/search/resource', { ...bob, ...read, ...record() }),
  ],
  [
    'POST search/subject',
    'data_plane',
    3,
    () => rest('/access/v1/search/subject', { subject: { type: 'user' }, ...read, ...record('1') }),
  ],
  ['POST search/action', 'data_plane', 2, () => rest('/access/v1/search/action', { ...bob, ...record('1') })],
  ['GET bundle', 'data_plane', 1, () => rest(`/v1/domains/${place.domainId}/bundle`)],
  [
    'POST decisions',
    'data_plane',
    2,
    () =>
      rest(`/v1/domains/${place.domainId}/decisions`, {
        bundle,
        decisions: ['1', '2'].map((id) => ({
          id: randomUUID(),
          decided_at: new Date().toISOString(),
          context: { subject: 'bob', action: 'read', object: object(id) },
          attributes: {},
          allowed: true,
          policy: 'readers',
        })),
      }),
  ],
  [
    'ExplainAuthorization',
    'control_plane',
    1,
    () => clients.authorization.explainAuthorization({ context: check() }, own),
  ],
  [
    'ValidatePolicies',
    'control_plane',
    1,
    () => clients.authorization.validatePolicies({ ...place, policies: policies() }, own),
  ],
  [
    'TestPolicies',
    'control_plane',
    1,
    () =>
      clients.authorization.testPolicies(
        { policies: policies(), cases: ['1', '2'].map((id) => ({ context: check(id), expected: true })) },
        own,
      ),
  ],
  [
    'PlanPolicyChange',
    'control_plane',
    1,
    () => clients.policySets.planPolicyChange({ ...place, policies: policies() }, own),
  ],
  [
    'ReplayPolicies',
    'control_plane',
    1,
    () =>
      clients.policySets.replayPolicies(
        { ...place, policies: policies(), since: new Date(0), until: undefined },
        own,
      ),
  ],
  ['GetShadowPolicies', 'control_plane', 1, () => clients.policySets.getShadowPolicies(place, own)],
  ['ListPolicyVersions', 'control_plane', 1, () => clients.policySets.listPolicyVersions(place, own)],
  [
    'PutDomainPolicies',
    'control_plane',
    1,
    () => clients.domains.putDomainPolicies({ ...place, policies: policies() }, own),
  ],
  [
    'RollbackPolicies',
    'control_plane',
    1,
    () => clients.policySets.rollbackPolicies({ ...place, version: 2n }, own),
  ],
  ['ListResources', 'control_plane', 1, () => clients.resources.listResources({ ...place, prefix: '' }, own)],
];

/** Enough for every test. */
const PLENTY = 1_000_000n;

const limit = async (plane: Plane, maxTokens: bigint) => {
  const tenant = await clients.tenants.getTenant({ id: tenancy.tenantId }, root);
  const tokens = { maxTokens, tokens: 0n, maxOverage: 0n, overage: 0n };
  const changed = plane === 'data_plane' ? { dataPlane: tokens } : { controlPlane: tokens };
  await clients.tenants.updateTenant({ id: tenancy.tenantId, tenant: { ...tenant, ...changed } }, root);
};

/** What is left of each plane. */
async function left(): Promise<Record<Plane | 'user_plane', bigint>> {
  const tenant = await clients.tenants.getTenant({ id: tenancy.tenantId }, root);
  const { userPlane } = await clients.users.getUser({ id: tenancy.userId }, root);
  return {
    data_plane: tenant.dataPlane!.tokens,
    control_plane: tenant.controlPlane!.tokens,
    user_plane: userPlane!.tokens,
  };
}

describe('calls of a quota', () => {
  it.each(OPERATIONS)(
    '%s takes its calls of the %s when it succeeds, and none of any plane when one of them is not left',
    async (_name, plane, calls, operation) => {
      covers('AUTHZ-Q.4');
      await limit(plane, PLENTY);
      const before = await left();
      await operation();
      const after = await left();
      const taken = BigInt(calls);
      const expected = { ...before, user_plane: before.user_plane - taken };
      expect(after).toEqual({ ...expected, [plane]: before[plane] - taken });

      await limit(plane, PLENTY - after[plane] + taken - 1n);
      const short = await left();
      expect(short[plane]).toBe(taken - 1n);
      const problem = calls === 1 ? 'are used up' : `have not the ${calls} calls left that this takes`;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await expect(operation()).rejects.toThrow(`quota \`${plane}\` and its overage ${problem}`);
        expect(await left()).toEqual(short);
      }
    },
  );

  it('a search is refused as any call where nothing is left, and takes the last calls whole', async () => {
    covers('AUTHZ-Q.4');
    const [, , calls, search] = OPERATIONS.find(([name]) => name === 'SearchResources')!;
    await limit('data_plane', PLENTY);
    await limit('data_plane', PLENTY - (await left()).data_plane + BigInt(calls));
    await search();
    expect((await left()).data_plane).toBe(0n);
    await expect(search()).rejects.toThrow('quota `data_plane` and its overage are used up');
    await limit('data_plane', PLENTY);
  });

  it('who may read policies and not the audit takes nothing by asking for what shows checks', async () => {
    covers('AUTHZ-Q.4');
    await limit('control_plane', PLENTY);
    const reader = await createUserAndLogin(clients);
    const { tenantId, domainId } = place;
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: reader.userId }, own);
    const path = `svc://${domainId}/domains/${domainId}/policies`;
    const mayRead = policy('reader', { subject: reader.userId, action: 'read', object: path });
    await clients.domains.putDomainPolicies({ ...place, policies: [...policies(), mayRead] }, own);
    const { token } = await clients.sessions.refreshLoginWithTenant(
      { tenantId },
      { token: reader.plainToken },
    );
    await clients.domains.getDomainPolicies(place, { token });
    const before = await left();
    for (const refused of [
      clients.policySets.getShadowPolicies(place, { token }),
      clients.policySets.replayPolicies(
        { ...place, policies: policies(), since: new Date(0), until: undefined },
        { token },
      ),
    ])
      expect((await refusalOf(refused)).reason).toBe('ACCESS_DENIED');
    expect(await left()).toEqual(before);
  });
});
