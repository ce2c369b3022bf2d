import { describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine, type Policy, type RequestValue } from '@platform/proto/authz/v1/policy';
import { PlannedKind, PlannedOutcome } from '@platform/proto/authz/v1/policy_set';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, type Tenancy } from './service.fixture.ts';

describe.each(['embedded', 'postgres and redis'] as const)('a change of policies on %s', (stores) => {
  const { clients } = useFleet(stores);

  const check = async ({ token }: Tenancy, context: Map<string, RequestValue>) =>
    (await clients.authorization.checkAuthorization({ context }, { token })).authorized;

  /** A tenancy whose readers read docs, in its root domain and in one below it. */
  async function createWorld() {
    const own = await createTenancy(clients);
    const { tenantId, rootDomainId: domainId, token } = own;
    const place = { tenantId, domainId };
    const below = await clients.domains.createDomain(
      { tenantId, name: 'below', superiorDomainIds: [] },
      { token },
    );
    const { policies: starters } = await clients.domains.getDomainPolicies(place, { token });
    const readers = policy('readers', { action: 'read' });
    const secrets = policy(
      'secrets',
      { object: `svc://${domainId}/**/secret-*` },
      { deny: true, engine: EvaluationEngine.GLOB },
    );
    const before = [...starters, readers, secrets];
    await clients.domains.putDomainPolicies({ ...place, policies: before }, { token });
    return { own, place, below: below.id, before, starters, readers, secrets, token };
  }

  const ask = (
    subject: string,
    action: string,
    object: string,
    more: Record<string, string | string[]> = {},
  ) => requestContext({ subject, action, object, ...more });

  it('each witness of a plan is decided by checks as it says, before and after the write', async () => {
    covers('AUTHZ-C.3');
    const { own, place, starters, readers, token } = await createWorld();
    const changed: Policy = policy('writers', { action: 'write', group: 'staff' });
    const policies = [...starters, { ...readers, name: 'renamed' }, changed];
    const plan = await clients.policySets.planPolicyChange({ ...place, policies }, { token });
    expect(plan).toMatchObject({ witnessed: 2, noEffect: 0, notDecided: 0, version: 2n, domains: 2 });
    const told = plan.changes.map(({ kind, policyName, outcome }) => [kind, policyName, outcome]);
    expect(told).toEqual([
      [PlannedKind.REMOVED, 'secrets', PlannedOutcome.WITNESSED],
      [PlannedKind.ADDED, 'writers', PlannedOutcome.WITNESSED],
    ]);
    const witnesses = plan.changes.map(({ witness }) => witness!);
    for (const { context, authorizedBefore } of witnesses)
      expect(await check(own, context)).toBe(authorizedBefore);
    await clients.domains.putDomainPolicies({ ...place, policies }, { token });
    for (const { context, authorizedAfter } of witnesses)
      expect(await check(own, context)).toBe(authorizedAfter);
    const same = await clients.policySets.planPolicyChange({ ...place, policies }, { token });
    expect(same).toMatchObject({ changes: [], version: 3n });
  });

  it('a plan refuses a bad set naming the place, and callers who may not read the policies', async () => {
    covers('AUTHZ-C.4');
    const { place, token } = await createWorld();
    const bad = { ...place, policies: [policy('bad', {})] };
    const refusal = await refusalOf(clients.policySets.planPolicyChange(bad, { token }));
    expect(refusal).toMatchObject({
      code: 3,
      reason: 'INVALID_POLICY',
      fields: ['policies[0].statements[0]'],
    });
    const { plainToken } = await createUserAndLogin(clients);
    const other = clients.policySets.planPolicyChange({ ...place, policies: [] }, { token: plainToken });
    expect(await refusalOf(other)).toMatchObject({ code: 7, reason: 'ACCESS_DENIED' });
  });

  it('a plan of a denial that only a domain below can show finds it there', async () => {
    covers('AUTHZ-C.4');
    const { own, place, below, token } = await createWorld();
    const { tenantId } = place;
    const detached = await clients.domains.createDomain(
      { tenantId, name: 'rules', superiorDomainIds: [], detached: true },
      { token },
    );
    const domain = { id: below, tenantId: '', superiorDomainIds: [], policies: [], version: 0n };
    await clients.domains.updateDomain(
      { tenantId, domain: { ...domain, superiors: { ids: [detached.id] } } },
      { token },
    );
    const policies = [policy('nobody deletes', { action: 'delete' }, { deny: true })];
    const change = { tenantId, domainId: detached.id, policies };
    const { changes, domains, domainsCompared } = await clients.policySets.planPolicyChange(change, {
      token,
    });
    expect([changes.length, domains, domainsCompared]).toEqual([1, 2, 2]);
    const { context, authorizedBefore } = changes[0]!.witness!;
    expect(context.get('object')!.value).toMatchObject({ value: expect.stringContaining(below) });
    expect([authorizedBefore, await check(own, context)]).toEqual([true, true]);
  });

  it('neither a plan nor a replay calls a change without effect where domains below were left out', async () => {
    covers('AUTHZ-C.4', 'AUTHZ-C.5');
    const { place, token } = await createWorld();
    const { tenantId } = place;
    const top = await clients.domains.createDomain(
      { tenantId, name: 'many', superiorDomainIds: [], detached: true },
      { token },
    );
    const domainId = top.id;
    const policies = [policy('nobody reads', { action: 'read' }, { deny: true })];
    await clients.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });
    for (let n = 0; n < 50; n += 1)
      await clients.domains.createDomain(
        { tenantId, name: `below-${n}`, superiorDomainIds: [domainId], detached: true },
        { token },
      );
    const change = { tenantId, domainId, policies: [] };
    const plan = await clients.policySets.planPolicyChange(change, { token });
    expect(plan).toMatchObject({ domains: 51, domainsCompared: 50, noEffect: 0, notDecided: 1 });
    expect(plan.changes[0]!.reason).toBe('domains below are not compared (1): a plan compares 50');
    const since = new Date(Date.now() - 60_000);
    const replay = await clients.policySets.replayPolicies({ ...change, since, until: undefined }, { token });
    expect(replay).toMatchObject({ domains: 51, domainsCompared: 50, complete: false, reached: undefined });
  });

  it('a replay counts who loses and gains what in recorded checks, of domains below as well', async () => {
    covers('AUTHZ-C.5');
    const { own, place, below, starters, before, token } = await createWorld();
    const since = new Date(Date.now() - 60_000);
    const object = (path: string, domainId = place.domainId) => `svc://${domainId}/${path}`;
    for (const subject of ['bob', 'eve'])
      for (const path of ['a', 'b', 'b']) await check(own, ask(subject, 'read', object(path)));
    await check(own, ask('bob', 'read', object('x', below)));
    await check(own, ask('bob', 'read', object('x/secret-y')));
    await check(own, ask('joe', 'write', object('a'), { group: ['staff', 'red'] }));
    await check(own, ask('joe', 'write', object('a'), { group: 'x'.repeat(1_100) }));
    const { tenantId } = place;
    await clients.attributes.setUserAttribute(
      { userId: own.userId, attributeKey: 'team', attributeValues: ['red'] },
      { token },
    );
    await check(own, ask(own.userId, 'read', object('a')));
    // What a search lists is a decision as that of a check is, and a search that lists nothing is none.
    const context = new Map([...ask('bob', '', object('a'))].filter(([key]) => key !== 'action'));
    const search = { context, actions: ['read'], pageSize: 10, pageToken: '' };
    expect((await clients.search.searchActions(search, { token })).actions).toEqual(['read']);
    const nothing = { ...search, actions: ['paint'] };
    expect((await clients.search.searchActions(nothing, { token })).actions).toEqual([]);
    const policies = [...starters, policy('writers', { group: 'staff' })];
    const replay = (more: object = {}) =>
      clients.policySets.replayPolicies({ ...place, policies, since, until: undefined, ...more }, { token });
    const replayed = await replay();
    expect(replayed).toMatchObject({
      checks: 11n,
      notReplayed: 1n,
      complete: true,
      atLeast: false,
      lost: { subjects: 2n, objects: 5n, checks: 8n },
      gained: { subjects: 1n, objects: 1n, checks: 1n },
      domains: 2,
    });
    const [first] = replayed.gained!.first;
    expect([first!.authorizedBefore, first!.authorizedAfter, first!.policyAfter]).toEqual([
      false,
      true,
      'writers',
    ]);
    expect((await replay({ policies: before })).lost).toMatchObject({ checks: 0n });
    const refused = [
      [{ since: undefined }, 'since'],
      [{ since: new Date(Date.now() + 60_000) }, 'since'],
      [{ until: new Date(-1) }, 'until'],
      [{ until: since }, 'until'],
    ] as const;
    for (const [more, field] of refused)
      expect(await refusalOf(replay(more))).toMatchObject({ code: 3, fields: [field] });
    expect(tenantId).toBe(own.tenantId);
  });

  it('a replay counts checks of domains that were deleted or deactivated since, and is not complete', async () => {
    covers('AUTHZ-SH.10');
    const { own, place, below, starters, token } = await createWorld();
    const { tenantId, domainId } = place;
    const since = new Date(Date.now() - 60_000);
    const create = (name: string, more: object) =>
      clients.domains.createDomain({ tenantId, name, superiorDomainIds: [], ...more }, { token });
    const paused = await create('paused', {});
    const apart = await create('apart', { detached: true });
    for (const id of [domainId, below, below, paused.id, apart.id])
      await check(own, ask('bob', 'read', `svc://${id}/a`));
    const replay = () =>
      clients.policySets.replayPolicies({ ...place, policies: starters, since, until: undefined }, { token });
    expect(await replay()).toMatchObject({ checks: 4n, domainNotActive: 0n, complete: true });
    await clients.domains.deleteDomain({ tenantId, domainId: below }, { token });
    await clients.domains.deleteDomain({ tenantId, domainId: apart.id }, { token });
    await clients.domains.updateDomain({ tenantId, domain: { ...paused, active: false } }, { token });
    expect(await replay()).toMatchObject({
      checks: 1n,
      lost: { checks: 1n },
      notReplayed: 0n,
      domainNotActive: 3n,
      complete: false,
    });
  });

  it('a replay is refused to who reads policies and not the audit', async () => {
    covers('AUTHZ-C.5');
    const { own, place, before, token } = await createWorld();
    const { userId, plainToken } = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId: own.tenantId, userId }, { token });
    const object = `svc://${place.domainId}/domains/${place.domainId}/policies`;
    const reader = policy('policy reader', { subject: userId, action: 'read', object });
    const rest = before.filter(({ name }) => name !== 'readers');
    await clients.domains.putDomainPolicies({ ...place, policies: [...rest, reader] }, { token });
    const asReader = { token: plainToken };
    expect(
      (await clients.policySets.planPolicyChange({ ...place, policies: rest }, asReader)).witnessed,
    ).toBe(1);
    const request = { ...place, policies: rest, since: new Date(0), until: undefined };
    expect(await refusalOf(clients.policySets.replayPolicies(request, asReader))).toMatchObject({
      code: 7,
      reason: 'ACCESS_DENIED',
    });
  });
});
