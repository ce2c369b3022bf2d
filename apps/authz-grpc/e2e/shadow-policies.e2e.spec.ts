import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, type AuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

describe('shadow policies', () => {
  let fleet: Fleet;
  let clients: AuthzClients;
  beforeAll(async () => {
    fleet = await startFleet('postgres');
    clients = fleet.clients;
  });
  afterAll(() => fleet?.stop());

  const placeOf = ({ tenantId, rootDomainId: domainId }: Tenancy) => ({ tenantId, domainId });

  /** A tenancy that lets bob read, with a shadow set that lets carol read instead. */
  async function createShadow() {
    const own = await createTenancy(clients);
    const place = placeOf(own);
    const { policies: base } = await clients.domains.getDomainPolicies(place, own);
    const real = [...base, policy('bob reads', { subject: 'bob', action: 'read' })];
    const other = [...base, policy('carol reads', { subject: 'carol', action: 'read' })];
    await clients.domains.putDomainPolicies({ ...place, policies: real }, own);
    const check = (subject: string) =>
      clients.authorization.checkAuthorization(
        { context: requestContext({ subject, action: 'read', object: `svc://${place.domainId}/x` }) },
        own,
      );
    const put = (more: object = {}) =>
      clients.policySets.putShadowPolicies({ ...place, policies: other, message: 'carol', ...more }, own);
    const show = () => clients.policySets.getShadowPolicies(place, own);
    return { own, place, base, real, other, check, put, show };
  }

  it('every check after a put is decided by both sets, and its response and its record are as before', async () => {
    covers('AUTHZ-SH.2', 'AUTHZ-SH.3');
    const { own, place, other, check, put, show } = await createShadow();
    expect((await put()).version).toBe(1n);
    const decided = [];
    for (const subject of ['bob', 'carol', 'dave']) decided.push((await check(subject)).authorized);
    const batch = ['bob', 'carol'].map((subject) => ({
      context: requestContext({ subject, action: 'read', object: `svc://${place.domainId}/y` }),
    }));
    const { results } = await clients.authorization.batchCheckAuthorization({ checks: batch }, own);
    expect([...decided, ...results.map(({ authorized }) => authorized)]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    const found = await show();
    expect(found).toMatchObject({
      shadow: { version: 1n, authorId: own.userId, message: 'carol', policyCount: other.length },
      policies: other,
      agree: 1n,
      wouldGain: 2n,
      wouldLose: 2n,
      notDecided: 0n,
      comparedVersion: 2n,
      version: 2n,
    });
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId: own.tenantId, subject: 'carol', limit: 0, cursor: '' },
      own,
    );
    expect(events).toHaveLength(2);
    const [first] = found.gained;
    expect(first).toMatchObject({
      subject: 'carol',
      action: 'read',
      policyReal: undefined,
      policyShadow: 'carol reads',
    });
    expect(events.map(({ id }) => id)).toContain(first?.checkId);
    expect(found.lost[0]).toMatchObject({ subject: 'bob', policyReal: 'bob reads' });
  });

  it('a shadow set decides what bundles decided once that is handed in, but nothing disputed or of another version', async () => {
    covers('AUTHZ-SH.7');
    const { own, place, put, show } = await createShadow();
    await put();
    const url = `${fleet.httpUrl}/v1/domains/${place.domainId}`;
    const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
    const given = (await (await fetch(`${url}/bundle`, { headers })).json()) as {
      bundle: { issued_at: number; key_id: string };
    };
    const { issued_at, key_id } = given.bundle;
    const handIn = async (version: number, ...made: [subject: string, allowed: boolean][]) => {
      const decisions = made.map(([subject, allowed]) => ({
        id: randomUUID(),
        decided_at: new Date(issued_at * 1000).toISOString(),
        context: { subject, action: 'read', object: `svc://${place.domainId}/x` },
        allowed,
      }));
      const body = JSON.stringify({
        bundle: { issued_at, key_id, versions: { [place.domainId]: version } },
        decisions,
      });
      const response = await fetch(`${url}/decisions`, { method: 'POST', headers, body });
      expect(await response.json()).toEqual({ recorded: made.length, refused: [] });
    };
    await handIn(2, ['bob', true], ['carol', false], ['dave', false], ['erin', true]);
    await handIn(1, ['bob', true]);
    const counts = { agree: 1n, wouldGain: 1n, wouldLose: 1n, notDecided: 0n };
    expect(await show()).toMatchObject(counts);
    covers('AUTHZ-SH.11');
    const since = new Date(issued_at * 1000 - 60_000);
    const replayed = await clients.policySets.replayPolicies(
      { ...place, policies: [], since, until: undefined },
      own,
    );
    // Erin was decided as the service does not; bob was decided twice, once by another version.
    expect(replayed).toMatchObject({
      checks: 4n,
      notReplayed: 1n,
      lost: { subjects: 1n, objects: 1n, checks: 2n },
    });
  });

  it('each item of a batch is a check in the counts of a shadow set and of a replay, subjects and objects once', async () => {
    covers('AUTHZ-SH.11');
    const { own, place, put, show } = await createShadow();
    await put();
    const context = requestContext({ subject: 'bob', action: 'read', object: `svc://${place.domainId}/x` });
    const since = new Date(Date.now() - 60_000);
    await clients.authorization.batchCheckAuthorization({ checks: [{ context }, { context }] }, own);
    expect(await show()).toMatchObject({ wouldLose: 2n });
    const replayed = await clients.policySets.replayPolicies(
      { ...place, policies: [], since, until: undefined },
      own,
    );
    expect(replayed).toMatchObject({ checks: 2n, lost: { subjects: 1n, objects: 1n, checks: 2n } });
  });

  it('a shadow set of a superior decides the checks of the domains below it', async () => {
    covers('AUTHZ-SH.2');
    const { own, put, show } = await createShadow();
    const { id } = await clients.domains.createDomain(
      { tenantId: own.tenantId, name: 'below', superiorDomainIds: [] },
      own,
    );
    await put();
    const context = requestContext({ subject: 'carol', action: 'read', object: `svc://${id}/x` });
    expect((await clients.authorization.checkAuthorization({ context }, own)).authorized).toBe(false);
    expect(await show()).toMatchObject({ wouldGain: 1n, agree: 0n });
  });

  it('a new shadow set, and a new version of the real one, begin the counts anew', async () => {
    covers('AUTHZ-SH.3');
    const { own, place, base, check, put, show } = await createShadow();
    await put();
    await check('carol');
    expect((await show()).wouldGain).toBe(1n);
    await put({ expectedVersion: 1n });
    expect(await show()).toMatchObject({ wouldGain: 0n, comparedVersion: undefined, gained: [] });
    await check('carol');
    await clients.domains.putDomainPolicies({ ...place, policies: base }, own);
    await check('dave');
    expect(await show()).toMatchObject({ agree: 1n, wouldGain: 0n, comparedVersion: 3n });
    expect(await refusalOf(put({ expectedVersion: 1n }))).toMatchObject({
      code: 10,
      reason: 'VERSION_CONFLICT',
    });
  });

  it('promoting makes the shadow set the real one at once and ends it', async () => {
    covers('AUTHZ-SH.4');
    const { own, place, other, check, put, show } = await createShadow();
    await put();
    const promote = (more: object = {}) =>
      clients.policySets.promoteShadowPolicies({ ...place, ...more }, own);
    for (const stale of [{ expectedVersion: 1n }, { expectedShadowVersion: 2n }])
      expect(await refusalOf(promote(stale))).toMatchObject({ code: 10, reason: 'VERSION_CONFLICT' });
    expect((await check('carol')).authorized).toBe(false);
    expect((await promote({ expectedVersion: 2n, expectedShadowVersion: 1n })).version).toBe(3n);
    expect((await check('carol')).authorized).toBe(true);
    expect((await clients.domains.getDomainPolicies(place, own)).policies).toEqual(other);
    const { versions } = await clients.policySets.listPolicyVersions({ ...place, pageSize: 1 }, own);
    expect(versions[0]).toMatchObject({ version: 3n, message: 'carol', authorId: own.userId });
    const absent = { code: 5, reason: 'SHADOW_POLICIES_NOT_FOUND' };
    expect(await refusalOf(show())).toMatchObject(absent);
    expect(await refusalOf(promote())).toMatchObject(absent);
  });

  it('a shadow set is replaced, promoted and ended at the version that the caller expects, and at no other', async () => {
    covers('AUTHZ-SH.6');
    const { own, place, put, show } = await createShadow();
    const conflict = { code: 10, reason: 'VERSION_CONFLICT' };
    expect(await refusalOf(put({ expectedVersion: 1n }))).toMatchObject(conflict);
    expect((await put({ expectedVersion: 0n })).version).toBe(1n);
    for (const expectedVersion of [0n, 2n, -1n, 2n ** 62n])
      expect(await refusalOf(put({ expectedVersion }))).toMatchObject(conflict);
    expect((await put({ expectedVersion: 1n })).version).toBe(2n);
    expect((await put()).version).toBe(3n);
    expect(await refusalOf(put({ expectedVersion: 1n }))).toMatchObject(conflict);
    const promote = (more: object = {}) =>
      clients.policySets.promoteShadowPolicies({ ...place, ...more }, own);
    for (const expectedShadowVersion of [0n, 2n, 4n, -1n])
      expect(await refusalOf(promote({ expectedShadowVersion }))).toMatchObject(conflict);
    const end = (more: object = {}) => clients.policySets.deleteShadowPolicies({ ...place, ...more }, own);
    for (const expectedVersion of [0n, 2n, 4n, -1n])
      expect(await refusalOf(end({ expectedVersion }))).toMatchObject(conflict);
    expect((await show()).shadow?.version).toBe(3n);
    await end({ expectedVersion: 3n });
    const absent = { code: 5, reason: 'SHADOW_POLICIES_NOT_FOUND' };
    expect(await refusalOf(end({ expectedVersion: 3n }))).toMatchObject(absent);
    // The numbers of sets that ended do not come back, so a set is never taken for one that was read before.
    expect(await refusalOf(put({ expectedVersion: 3n }))).toMatchObject(conflict);
    expect((await put({ expectedVersion: 0n })).version).toBe(4n);
    expect(await refusalOf(promote({ expectedShadowVersion: 3n }))).toMatchObject(conflict);
    expect((await promote({ expectedShadowVersion: 4n })).version).toBe(3n);
    expect((await put({ expectedVersion: 0n })).version).toBe(5n);
  });

  it('a shadow set is written by one of two writers who expect the same version', async () => {
    covers('AUTHZ-SH.6');
    const { own, place, real, put, show } = await createShadow();
    const promote = () =>
      clients.policySets.promoteShadowPolicies({ ...place, expectedShadowVersion: 3n }, own);
    const outcomes = async (...calls: Promise<unknown>[]) =>
      (await Promise.allSettled(calls)).map(({ status }) => status).sort();
    const one = ['fulfilled', 'rejected'];
    expect(await outcomes(put({ expectedVersion: 0n }), put({ expectedVersion: 0n }))).toEqual(one);
    expect(await outcomes(put({ expectedVersion: 1n }), put({ expectedVersion: 1n }))).toEqual(one);
    expect((await show()).shadow?.version).toBe(2n);
    await put();
    expect(await outcomes(promote(), promote())).toEqual(one);
    const { version } = await clients.domains.getDomainPolicies(place, own);
    expect(version).toBe(3n);
    await put({ policies: real });
    const raced = clients.policySets.promoteShadowPolicies({ ...place, expectedShadowVersion: 4n }, own);
    const [promoted, replaced] = await Promise.allSettled([raced, put({ expectedVersion: 4n })]);
    expect([promoted.status, replaced.status].sort()).toEqual(one);
    const after = await clients.domains.getDomainPolicies(place, own);
    expect(after.version).toBe(promoted.status === 'fulfilled' ? 4n : 3n);
  });

  it('a shadow set that replaces the one that is being ended is never ended in its place', async () => {
    covers('AUTHZ-SH.6');
    const { own, place, put, show } = await createShadow();
    const { version } = await put();
    const [ended, replaced] = await Promise.allSettled([
      clients.policySets.deleteShadowPolicies({ ...place, expectedVersion: version }, own),
      put(),
    ]);
    expect(replaced.status).toBe('fulfilled');
    expect((await show()).shadow?.version).toBe(2n);
    if (ended.status === 'rejected')
      expect(await refusalOf(Promise.reject(ended.reason as Error))).toMatchObject({ code: 10 });
  });

  it('promoting a set that locks the tenant is refused unless it says so', async () => {
    covers('AUTHZ-SH.4');
    const { own, place, put, show } = await createShadow();
    await put({ policies: [policy('only bob', { subject: 'bob' })] });
    const promote = (more: object = {}) =>
      clients.policySets.promoteShadowPolicies({ ...place, ...more }, own);
    expect(await refusalOf(promote())).toMatchObject({ code: 9, reason: 'LOCKOUT' });
    expect((await show()).shadow?.version).toBe(1n);
    expect((await promote({ allowLockout: true })).version).toBe(3n);
  });

  it('a shadow set is validated, ended once, and leaves decisions alone when it is gone', async () => {
    covers('AUTHZ-SH.1');
    const { own, place, check, put, show } = await createShadow();
    expect(await refusalOf(put({ policies: [policy('x', {})] }))).toMatchObject({
      code: 3,
      reason: 'INVALID_POLICY',
    });
    expect(await refusalOf(put({ message: 'x'.repeat(4_097) }))).toMatchObject({
      code: 3,
      fields: ['message'],
    });
    await put();
    await clients.policySets.deleteShadowPolicies(place, own);
    expect((await check('bob')).authorized).toBe(true);
    const absent = { code: 5, reason: 'SHADOW_POLICIES_NOT_FOUND' };
    expect(await refusalOf(show())).toMatchObject(absent);
    expect(await refusalOf(clients.policySets.deleteShadowPolicies(place, own))).toMatchObject(absent);
  });

  it('shadow sets are for those alone who may read and update the policies', async () => {
    covers('AUTHZ-SH.1');
    const { place, base, put } = await createShadow();
    await put();
    const other = await createTenancy(clients);
    const denied = { code: 7, reason: 'ACCESS_DENIED' };
    const { policySets } = clients;
    const all = [
      () => policySets.putShadowPolicies({ ...place, policies: base }, other),
      () => policySets.getShadowPolicies(place, other),
      () => policySets.deleteShadowPolicies(place, other),
      () => policySets.promoteShadowPolicies(place, other),
    ];
    for (const call of all) expect(await refusalOf(call())).toMatchObject(denied);
    expect(await refusalOf(policySets.getShadowPolicies(place))).toMatchObject({ code: 16 });
  });
});
