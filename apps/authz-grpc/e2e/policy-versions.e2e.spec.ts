import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, type AuthzClients } from '@platform/authz-client';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { covers } from '@platform/testing/covers';
import { ROOT_PASSWORD } from '@platform/testing';
import { refusalOf } from './clients.fixture.ts';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

const START = new Date('2026-05-01T10:00:00.000Z').getTime();

describe('versions of a set of policies', () => {
  let now = START;
  let fleet: Fleet;
  let clients: AuthzClients;
  beforeAll(async () => {
    fleet = await startFleet('postgres', { now: () => new Date(now) });
    clients = fleet.clients;
  });
  afterAll(() => fleet?.stop());

  const placeOf = ({ tenantId, rootDomainId: domainId }: Tenancy) => ({ tenantId, domainId });

  /** A tenancy whose root domain got a policy that lets bob read, and then one that denies bob. */
  async function createHistory() {
    const own = await createTenancy(clients);
    const place = placeOf(own);
    const { policies: first } = await clients.domains.getDomainPolicies(place, own);
    const second = [...first, policy('bob reads', { subject: 'bob', action: 'read' })];
    const third = [...second, policy('not bob', { subject: 'bob' }, { deny: true })];
    now += 1_000;
    await clients.domains.putDomainPolicies({ ...place, policies: second, message: 'let bob in' }, own);
    now += 1_000;
    await clients.domains.putDomainPolicies({ ...place, policies: third }, own);
    const bobReads = async () => {
      const object = `svc://${place.domainId}/x`;
      const context = requestContext({ subject: 'bob', action: 'read', object });
      return (await clients.authorization.checkAuthorization({ context }, own)).authorized;
    };
    return { own, place, first, second, third, bobReads };
  }

  it('each write makes a version with author, time, message and the digest of its audit row', async () => {
    covers('AUTHZ-C.1');
    const { own, place } = await createHistory();
    const { versions } = await clients.policySets.listPolicyVersions(place, own);
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId: own.tenantId, operation: 'PutDomainPolicies', limit: 0, cursor: '' },
      own,
    );
    const details = events.map(
      ({ detail }) => JSON.parse(detail) as Record<'before' | 'after', { digest: string }>,
    );
    expect(versions).toEqual([
      {
        version: 3n,
        authorId: own.userId,
        writtenAt: new Date(now),
        message: '',
        digest: details[0]!.after.digest,
        policyCount: 4,
        endedAt: undefined,
      },
      {
        version: 2n,
        authorId: own.userId,
        writtenAt: new Date(now - 1_000),
        message: 'let bob in',
        digest: details[0]!.before.digest,
        policyCount: 3,
        endedAt: new Date(now),
      },
      expect.objectContaining({
        version: 1n,
        authorId: own.userId,
        digest: details[1]!.before.digest,
        policyCount: 2,
      }),
    ]);
  });

  it('the set of any version is read, also of one that a change of the name made', async () => {
    covers('AUTHZ-C.1');
    const { own, place, first, second } = await createHistory();
    const { tenantId, token } = own;
    const at = async (version: bigint, of = place) =>
      clients.policySets.getPolicyVersion({ ...of, version }, own);
    expect((await at(1n)).policies).toEqual(first);
    expect((await at(2n)).policies).toEqual(second);
    const made = await clients.domains.createDomain(
      { tenantId, name: 'renamed', superiorDomainIds: [] },
      { token },
    );
    const other = { tenantId, domainId: made.id };
    await clients.domains.putDomainPolicies({ ...other, policies: second }, { token });
    const domain = {
      id: made.id,
      name: 'new name',
      tenantId: '',
      superiorDomainIds: [],
      policies: [],
      version: 0n,
    };
    await clients.domains.updateDomain({ tenantId, domain }, { token });
    const found = await at(3n, other);
    expect([found.version?.version, found.policies]).toEqual([2n, second]);
    for (const version of [4n, 99n]) {
      expect(await refusalOf(at(version, other))).toMatchObject({
        code: 5,
        reason: 'POLICY_VERSION_NOT_FOUND',
      });
    }
    for (const version of [0n, -1n, 2n ** 62n]) {
      expect(await refusalOf(at(version))).toMatchObject({ code: 3, fields: ['version'] });
    }
  });

  it('a rollback decides at once, is a new version, and leaves a row of its own', async () => {
    covers('AUTHZ-C.2');
    const { own, place, second, bobReads } = await createHistory();
    expect(await bobReads()).toBe(false);
    const rollback = (version: bigint, more: object = {}) =>
      clients.policySets.rollbackPolicies({ ...place, version, ...more }, own);
    expect((await rollback(2n, { expectedVersion: 3n })).version).toBe(4n);
    expect(await bobReads()).toBe(true);
    const { versions } = await clients.policySets.listPolicyVersions({ ...place, pageSize: 1 }, own);
    expect(versions[0]).toMatchObject({
      version: 4n,
      message: 'rollback to version 2',
      authorId: own.userId,
    });
    expect((await clients.domains.getDomainPolicies(place, own)).policies).toEqual(second);
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId: own.tenantId, kind: AuditKind.CHANGE, operation: 'RollbackPolicies', limit: 0, cursor: '' },
      own,
    );
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]!.detail)).toMatchObject({
      values: { version: 2, expected_version: 3 },
      before: { version: 3, policies: 4 },
      after: { version: 4, policies: 3, digest: versions[0]!.digest },
    });
    expect(await refusalOf(rollback(1n, { expectedVersion: 3n }))).toMatchObject({
      code: 10,
      reason: 'VERSION_CONFLICT',
    });
    expect(await refusalOf(rollback(9n))).toMatchObject({ code: 5, reason: 'POLICY_VERSION_NOT_FOUND' });
    expect(await refusalOf(rollback(1n, { message: 'x'.repeat(4_097) }))).toMatchObject({
      code: 3,
      fields: ['message'],
    });
    expect(await bobReads()).toBe(true);
  });

  it('a set that is equal to the present one makes no version, however it is written', async () => {
    covers('AUTHZ-C.8');
    const { own, place, second, third } = await createHistory();
    const put = (policies: typeof third, more: object = {}) =>
      clients.domains.putDomainPolicies({ ...place, policies, message: 'again', ...more }, own);
    const listed = () => clients.policySets.listPolicyVersions(place, own);
    const before = await listed();
    now += 1_000;
    expect((await put(third)).version).toBe(3n);
    expect((await put(third, { expectedVersion: 3n })).version).toBe(3n);
    const rollback = { ...place, version: 3n };
    expect((await clients.policySets.rollbackPolicies(rollback, own)).version).toBe(3n);
    await clients.policySets.putShadowPolicies({ ...place, policies: third }, own);
    expect((await clients.policySets.promoteShadowPolicies(place, own)).version).toBe(3n);
    expect(await refusalOf(clients.policySets.getShadowPolicies(place, own))).toMatchObject({ code: 5 });
    expect(await listed()).toEqual(before);
    expect(await refusalOf(put(third, { expectedVersion: 2n }))).toMatchObject({ code: 10 });
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId: own.tenantId, operation: 'PutDomainPolicies', limit: 2, cursor: '' },
      own,
    );
    const detail = JSON.parse(events[1]!.detail) as Record<'before' | 'after', object>;
    expect(detail.after).toEqual(detail.before);
    expect((await put(third.toReversed())).version).toBe(4n);
    expect((await put(second)).version).toBe(5n);
  });

  it('a rollback to a set that locks the tenant is refused unless it says so', async () => {
    covers('AUTHZ-C.2');
    const { own, place, first } = await createHistory();
    await clients.domains.putDomainPolicies({ ...place, policies: [], allowLockout: true }, own);
    const { token } = await clients.sessions.login({
      username: 'root',
      password: ROOT_PASSWORD,
    });
    await clients.domains.putDomainPolicies({ ...place, policies: first }, { token });
    const back = { ...place, version: 4n };
    expect(await refusalOf(clients.policySets.rollbackPolicies(back, own))).toMatchObject({
      code: 9,
      reason: 'LOCKOUT',
    });
    const forced = await clients.policySets.rollbackPolicies({ ...back, allowLockout: true }, own);
    expect(forced.version).toBe(6n);
  });

  it('versions are read and written by those alone who may read and update the policies', async () => {
    covers('AUTHZ-C.2');
    const { place } = await createHistory();
    const other = await createTenancy(clients);
    const denied = { code: 7, reason: 'ACCESS_DENIED' };
    const { policySets } = clients;
    expect(await refusalOf(policySets.listPolicyVersions(place, other))).toMatchObject(denied);
    expect(await refusalOf(policySets.getPolicyVersion({ ...place, version: 1n }, other))).toMatchObject(
      denied,
    );
    expect(await refusalOf(policySets.rollbackPolicies({ ...place, version: 1n }, other))).toMatchObject(
      denied,
    );
    expect(await refusalOf(policySets.listPolicyVersions(place))).toMatchObject({ code: 16 });
  });
});

describe('past sets of policies that make room', () => {
  let fleet: Fleet;
  let clients: AuthzClients;
  beforeAll(async () => {
    fleet = await startFleet('postgres', { env: { AUTHZ_POLICY_HISTORY_MIB: '1' } });
    clients = fleet.clients;
  });
  afterAll(() => fleet?.stop());

  it('the oldest past sets make room for a write, and a check that one of them decided is not explained by another', async () => {
    covers('AUTHZ-C.6');
    const own = await createTenancy(clients);
    const place = { tenantId: own.tenantId, domainId: own.rootDomainId };
    const { policies } = await clients.domains.getDomainPolicies(place, own);
    const bob = requestContext({ subject: 'bob', action: 'read', object: `svc://${place.domainId}/x` });
    await clients.authorization.checkAuthorization({ context: bob }, own);
    const ofKind = { tenantId: own.tenantId, kind: AuditKind.CHECK, limit: 1, cursor: '' };
    const { events } = await clients.authorization.listAuditEvents(ofKind, own);
    // A set counts as 64 KiB at least: sixteen of the past have room.
    for (let version = 2; version <= 19; version += 1) {
      const different = policies.map((one) => ({ ...one, description: `of version ${version}` }));
      await clients.domains.putDomainPolicies({ ...place, policies: different }, own);
    }
    const { versions } = await clients.policySets.listPolicyVersions(place, own);
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 17 }, (_, index) => BigInt(19 - index)),
    );
    expect(
      await refusalOf(clients.policySets.getPolicyVersion({ ...place, version: 2n }, own)),
    ).toMatchObject({
      reason: 'POLICY_VERSION_NOT_FOUND',
    });
    const explained = clients.authorization.explainAuthorization(
      { context: new Map(), checkId: events[0]!.id },
      own,
    );
    expect(await refusalOf(explained)).toMatchObject({
      message: expect.stringMatching(/policies of domain \S+ that are gone/),
    });
  });
});
