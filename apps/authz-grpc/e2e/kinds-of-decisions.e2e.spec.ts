import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import type { AuditEvent } from '@platform/proto/authz/v1/authorization';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy } from './service.fixture.ts';

const fleet = useFleet('postgres');
const { clients } = fleet;

/**
 * A tenant in which the readers read `docs/`, which zoe is, with the documents a and b, and a set under which
 * readers lose b.
 */
async function createWorld() {
  const own = await createTenancy(clients);
  const { tenantId, rootDomainId: domainId, token } = own;
  const place = { tenantId, domainId };
  const { userId: zoe } = await createUserAndLogin(clients);
  await clients.tenants.createTenantUserAssociation({ tenantId, userId: zoe }, own);
  await clients.attributes.setUserAttribute(
    { userId: zoe, attributeKey: 'group', attributeValues: ['readers'] },
    own,
  );
  const object = (path: string) => `svc://${domainId}/${path}`;
  const reads = policy('readers read', { 'user.group': 'readers', action: 'read', ip: '10.0.0.7' });
  const { policies: base } = await clients.domains.getDomainPolicies(place, own);
  await clients.domains.putDomainPolicies({ ...place, policies: [...base, reads] }, own);
  const loses = policy('b is closed', { subject: zoe, object: object('docs/b') }, { deny: true });
  const other = [...base, reads, loses];
  await clients.resources.putResources(
    {
      ...place,
      resources: ['docs/a', 'docs/b'].map((path) => ({ object: object(path), attributes: new Map() })),
    },
    own,
  );
  await clients.policySets.putShadowPolicies({ ...place, policies: other }, own);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${fleet.httpUrl}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return response.json();
  };
  return { own, place, zoe, object, other, post, since: new Date(Date.now() - 1) };
}

type World = Awaited<ReturnType<typeof createWorld>>;

const IP = { ip: '10.0.0.7' };
const page = { pageSize: 0, pageToken: '' };
/** The request to read b, without what is searched for. */
const asked = ({ zoe, object }: World, without = '') => {
  const context: Record<string, string> = { subject: zoe, action: 'read', object: object('docs/b'), ...IP };
  return requestContext(Object.fromEntries(Object.entries(context).filter(([key]) => key !== without)));
};
const evaluation = ({ zoe }: World) => ({
  subject: { type: 'user', id: zoe },
  action: { name: 'read' },
  resource: { type: 'docs', id: 'b' },
  context: IP,
});

/** Every kind of decision that leaves a row: each makes exactly one that allows zoe to read b. */
const KINDS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a check over gRPC': (world) =>
    clients.authorization.checkAuthorization({ context: asked(world) }, world.own),
  'a check over REST': (world) => world.post('/v1/authz/check', { context: plain(world) }),
  'a batch over gRPC': (world) =>
    clients.authorization.batchCheckAuthorization({ checks: [{ context: asked(world) }] }, world.own),
  'a batch over REST': (world) =>
    world.post('/v1/authz/check:batch', { checks: [{ context: plain(world) }] }),
  'an evaluation of AuthZEN': (world) => world.post('/access/v1/evaluation', evaluation(world)),
  'evaluations of AuthZEN': (world) =>
    world.post('/access/v1/evaluations', { evaluations: [evaluation(world)] }),
  'a search for registered resources': (world) =>
    clients.search.searchResources(
      { ...world.place, context: asked(world, 'object'), prefix: 'docs/b', resources: [], ...page },
      world.own,
    ),
  'a search for given resources': (world) =>
    clients.search.searchResources(
      {
        ...world.place,
        context: asked(world, 'object'),
        prefix: '',
        resources: [
          { object: world.object('docs/b'), attributes: requestContext({ 'resource.mark': 'red' }) },
        ],
        ...page,
      },
      world.own,
    ),
  'a search for subjects': (world) =>
    clients.search.searchSubjects(
      { context: asked(world, 'subject'), subjects: [world.zoe], ...page },
      world.own,
    ),
  'a search for actions': (world) =>
    clients.search.searchActions({ context: asked(world, 'action'), actions: ['read'], ...page }, world.own),
  'a search of AuthZEN for resources': async (world) => {
    const { subject, action, context } = evaluation(world);
    const body = { subject, action, context, resource: { type: 'docs' } };
    await clients.resources.deleteResources({ ...world.place, objects: [world.object('docs/a')] }, world.own);
    await world.post('/access/v1/search/resource', body);
  },
  'a search of AuthZEN for subjects': (world) =>
    world.post('/access/v1/search/subject', { ...evaluation(world), subject: { type: 'user' } }),
  'a search of AuthZEN for actions': (world) => {
    const { subject, resource, context } = evaluation(world);
    return world.post('/access/v1/search/action', { subject, resource, context });
  },
  'a decision that a decider hands in': (world) => handIn(world),
};

async function handIn(world: World, times = 1): Promise<void> {
  const url = `${fleet.httpUrl}/v1/domains/${world.place.domainId}`;
  const headers = { Authorization: `Bearer ${world.own.token}` };
  const { bundle } = (await (await fetch(`${url}/bundle`, { headers })).json()) as {
    bundle: { issued_at: number; key_id: string };
  };
  const { issued_at, key_id } = bundle;
  const decided = {
    id: randomUUID(),
    decided_at: new Date(issued_at * 1000).toISOString(),
    context: plain(world),
    attributes: { group: ['readers'] },
    allowed: true,
    policy: 'readers read',
  };
  const body = {
    bundle: { issued_at, key_id, versions: { [world.place.domainId]: 2 } },
    decisions: [decided],
  };
  const path = `/v1/domains/${world.place.domainId}/decisions`;
  for (let sent = 0; sent < times; sent += 1)
    expect(await world.post(path, body)).toEqual({ recorded: 1, refused: [] });
}

function plain({ zoe, object }: World): Record<string, string> {
  return { subject: zoe, action: 'read', object: object('docs/b'), ...IP };
}

/** Rows that are about no single request: a plan, and a search that listed nothing. */
const NO_REQUEST: Readonly<Record<string, readonly [(world: World) => Promise<unknown>, string]>> = {
  'a plan': [
    (world) =>
      clients.search.planResources(
        { context: asked(world, 'object'), domainId: world.place.domainId, namesOnly: false, prefix: '' },
        world.own,
      ),
    'is of a plan',
  ],
  'a search that listed nothing': [
    (world) =>
      clients.search.searchActions(
        { context: asked(world, 'action'), actions: ['paint'], ...page },
        world.own,
      ),
    'is of a search that listed nothing',
  ],
};

async function rowsOf({ own, place, zoe }: World): Promise<AuditEvent[]> {
  const { events } = await clients.authorization.listAuditEvents(
    { tenantId: place.tenantId, limit: 100, cursor: '', subject: zoe },
    own,
  );
  return events.filter(({ operation }) => operation === '');
}

const replayOf = ({ own, place, other, since }: World) =>
  clients.policySets.replayPolicies({ ...place, policies: other, since, until: undefined }, own);

const explain = ({ own }: World, checkId: string) =>
  clients.authorization.explainAuthorization({ context: new Map(), checkId, tenantId: undefined }, own);

describe('rows of decisions', () => {
  it.each(Object.keys(KINDS))(
    'the row of %s keeps what decided, is explained and replayed, and counts for a shadow set',
    async (kind) => {
      covers('AUTHZ-A.19', 'AUTHZ-SH.8');
      const world = await createWorld();
      await KINDS[kind]!(world);
      const rows = await rowsOf(world);
      expect(rows).toHaveLength(1);
      const { id, object, detail } = rows[0]!;
      expect(object).toBe(world.object('docs/b'));
      expect(JSON.parse(detail)).toMatchObject({
        context: { ...IP, 'user.group': ['readers'] },
        versions: { [world.place.domainId]: 2 },
      });
      expect(await explain(world, id)).toMatchObject({
        authorized: true,
        decidingPolicy: 'readers read',
        problems: [],
        check: { id, decision: true, matchedPolicy: 'readers read' },
      });
      const lost = { subjects: 1n, objects: 1n, checks: 1n };
      expect(await replayOf(world)).toMatchObject({ lost, notReplayed: 0n, complete: true });
      const shadowed = await clients.policySets.getShadowPolicies(world.place, world.own);
      expect(shadowed).toMatchObject({ wouldLose: 1n, wouldGain: 0n, notDecided: 0n });
      expect(shadowed.lost[0]).toMatchObject({ checkId: id, policyShadow: 'b is closed' });
    },
  );

  it('a decision that is handed in again, with a new row, counts once for shadow sets and replays', async () => {
    covers('AUTHZ-SH.13');
    const world = await createWorld();
    await handIn(world, 3);
    expect(await rowsOf(world)).toHaveLength(3);
    const lost = { subjects: 1n, objects: 1n, checks: 1n };
    expect(await replayOf(world)).toMatchObject({ lost, notReplayed: 0n, complete: true });
    const shadowed = await clients.policySets.getShadowPolicies(world.place, world.own);
    expect(shadowed).toMatchObject({ wouldLose: 1n, wouldGain: 0n, notDecided: 0n });
  });

  it.each(Object.keys(NO_REQUEST))(
    'the row of %s keeps context and versions, and says that it decided no single request',
    async (kind) => {
      covers('AUTHZ-A.20');
      const world = await createWorld();
      const [make, why] = NO_REQUEST[kind]!;
      await make(world);
      const rows = (await rowsOf(world)).filter(({ detail }) => detail.includes('"search"'));
      expect(rows).toHaveLength(1);
      const { id, detail } = rows[0]!;
      expect(JSON.parse(detail)).toMatchObject({
        context: { ...IP, 'user.group': ['readers'] },
        versions: { [world.place.domainId]: 2 },
      });
      expect(await refusalOf(explain(world, id))).toMatchObject({
        fields: ['check_id'],
        message: expect.stringContaining(why),
      });
      expect(await replayOf(world)).toMatchObject({ checks: 0n, notReplayed: 0n, complete: true });
      const { agree, notDecided } = await clients.policySets.getShadowPolicies(world.place, world.own);
      expect([agree, notDecided]).toEqual([0n, 0n]);
    },
  );
});
