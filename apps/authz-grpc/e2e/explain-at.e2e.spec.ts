import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestContext, verifyListedChain } from '@platform/authz-client';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import type { AuditEvent } from '../src/model/audit-event.ts';
import { verifyChain } from '../src/audit/verify-chain.ts';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy, rootToken, type Tenancy } from './service.fixture.ts';

fc.configureGlobal({ seed: SEED });

const fleet = useFleet('postgres');
const { clients } = fleet;

type Context = Record<string, string | string[]>;

async function check(token: string, context: Context): Promise<{ authorized: boolean; checkId: string }> {
  let checkId = '';
  const { authorized } = await clients.authorization.checkAuthorization(
    { context: requestContext(context) },
    { token, onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0])) },
  );
  return { authorized, checkId };
}

const explainAt = (token: string, checkId: string, tenantId?: string) =>
  clients.authorization.explainAuthorization({ context: new Map(), checkId, tenantId }, { token });

const put = ({ tenantId, token }: Tenancy, domainId: string, policies: Policy[]) =>
  clients.domains.putDomainPolicies({ tenantId, domainId, policies }, { token });

const makeDomain = ({ tenantId, token }: Tenancy, name: string, superiorDomainIds: string[] = []) =>
  clients.domains.createDomain({ tenantId, name, superiorDomainIds }, { token });

const setTeam = (userId: string, team: string, { token }: Tenancy) =>
  clients.attributes.setUserAttribute({ userId, attributeKey: 'team', attributeValues: [team] }, { token });

const detailOf = async ({ tenantId, token }: Tenancy, checkId: string) => {
  const request = { tenantId, limit: 1_000, cursor: '', kind: AuditKind.CHECK };
  const { events } = await clients.authorization.listAuditEvents(request, { token });
  return JSON.parse(events.find(({ id }) => id === checkId)!.detail) as {
    context: Context;
    versions: Record<string, number>;
  };
};

const LONG = 'é'.repeat(1_000);

describe('what the row of a check keeps', () => {
  it('a row keeps the context with the attributes, long values as digests, and all versions', async () => {
    covers('AUTHZ-U.11');
    const tenancy = await createTenancy(clients);
    const { rootDomainId, token, userId } = tenancy;
    const above = await makeDomain(tenancy, 'above');
    const own = await makeDomain(tenancy, 'own', [above.id]);
    await put(tenancy, above.id, [policy('nothing', { subject: 'x' })]);
    await setTeam(userId, 'red', tenancy);
    const object = `svc://${own.id}/x`;
    const extra = {
      ip: '10.0.0.7',
      groups: ['a', 'b', LONG],
      long: LONG,
      short: 'x'.repeat(1024),
      odd: '\0"\\',
    };
    const { checkId } = await check(token, { subject: userId, action: 'read', object, ...extra });
    const digest = { sha256: hash('sha256', LONG), bytes: 2_000 };
    const kept = { ...extra, groups: ['a', 'b', digest], long: digest, 'user.team': ['red'] };
    expect(await detailOf(tenancy, checkId)).toEqual({
      context: kept,
      versions: { [own.id]: 1, [above.id]: 2, [rootDomainId]: 1 },
    });
  });

  it('REST, AuthZEN and batches keep what gRPC keeps, and a refused check its context', async () => {
    covers('AUTHZ-U.11');
    const tenancy = await createTenancy(clients);
    const { rootDomainId, token, tenantId } = tenancy;
    const object = `svc://${rootDomainId}/x`;
    const context = { subject: 'bob', action: 'read', object, ip: '10.0.0.7' };
    const post = (path: string, body: unknown) =>
      fetch(`${fleet.httpUrl}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const evaluation = {
      subject: { type: 'user', id: 'bob' },
      action: { name: 'read' },
      resource: { type: 'x', id: object },
      context: { ip: '10.0.0.7' },
    };
    await check(token, context);
    await post('/v1/authz/check', { context });
    await post('/v1/authz/check:batch', { checks: [{ context }] });
    await post('/access/v1/evaluation', evaluation);
    await post('/access/v1/evaluations', { evaluations: [evaluation] });
    await check(token, { ...context, 'user.team': 'red', ['__proto__']: LONG }).catch(() => null);
    const request = { tenantId, subject: 'bob', limit: 100, cursor: '' };
    const { events } = await clients.authorization.listAuditEvents(request, { token });
    const contexts = events.map(({ detail }) => (JSON.parse(detail) as { context: Context }).context);
    expect(contexts).toHaveLength(6);
    for (const one of contexts) expect(one['ip']).toBe('10.0.0.7');
    expect(contexts[0]).toMatchObject({ 'user.team': 'red' });
    expect(Object.keys(contexts[0]!)).toContain('__proto__');
  });

  it('a page of rows with large contexts stays within what clients take, and has a next page', async () => {
    covers('AUTHZ-U.11');
    const tenancy = await createTenancy(clients);
    const { rootDomainId, token, tenantId } = tenancy;
    const values = Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(1_000, '.'));
    const context = { subject: 'big', action: 'read', object: `svc://${rootDomainId}/x`, values };
    const checks = Array.from({ length: 100 }, () => ({ context: requestContext(context) }));
    await clients.authorization.batchCheckAuthorization({ checks }, { token });
    let [rows, pages, cursor] = [0, 0, ''];
    do {
      const request = { tenantId, subject: 'big', limit: 1_000, cursor };
      const page = await clients.authorization.listAuditEvents(request, { token });
      const bytes = page.events.reduce((sum, { detail }) => sum + detail.length, 0);
      expect(bytes).toBeLessThan(2.1 * 1024 * 1024);
      rows += page.events.length;
      pages += 1;
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect([rows, pages]).toEqual([100, 2]);
    expect(await verifyListedChain(clients, { token }, tenantId)).toMatchObject({ broken: null });
  });
});

describe('the explanation of a check of the past', () => {
  it('a check is explained as it was decided, whatever changed since', async () => {
    covers('AUTHZ-U.12');
    const tenancy = await createTenancy(clients);
    const { tenantId, token, userId } = tenancy;
    const above = await makeDomain(tenancy, 'above');
    const own = await makeDomain(tenancy, 'own', [above.id]);
    await put(tenancy, above.id, [policy('no reds', { 'user.team': 'red', ip: '10.0.0.7' }, { deny: true })]);
    await setTeam(userId, 'red', tenancy);
    const context = { subject: userId, action: 'read', object: `svc://${own.id}/x`, ip: '10.0.0.7' };
    const denied = await check(token, context);
    expect(denied.authorized).toBe(false);
    await clients.attributes.clearUserAttributes({ userId }, { token });
    const domain = { id: own.id, tenantId: '', superiorDomainIds: [], policies: [], version: 0n };
    const update = { tenantId, domain: { ...domain, name: 'renamed', superiors: { ids: [] } } };
    await clients.domains.updateDomain(update, { token });
    await put(tenancy, own.id, [policy('open', { action: 'read' })]);
    await put(tenancy, above.id, []);
    await clients.domains.deleteDomain({ tenantId, domainId: above.id }, { token });
    expect((await check(token, context)).authorized).toBe(true);
    const explained = await explainAt(token, denied.checkId);
    expect(explained).toMatchObject({
      authorized: false,
      decidingPolicy: 'no reds',
      decidingDomainId: above.id,
      problems: [],
      check: { id: denied.checkId, decision: false, matchedPolicy: 'no reds' },
    });
    const [trace] = explained.policies.filter(({ policyName }) => policyName === 'no reds');
    expect(trace).toMatchObject({ domainId: above.id, domainVersion: 2n, matched: true });
    // A domain that is gone is explained to those who manage the tenant.
    await clients.domains.deleteDomain({ tenantId, domainId: own.id }, { token });
    expect(await explainAt(token, denied.checkId)).toMatchObject({ decidingPolicy: 'no reds' });
  });

  it('every check of a history of writes is explained with the decision that it had', async () => {
    covers('AUTHZ-U.12');
    const engine = EvaluationEngine.FIXED;
    const rule = fc.record({
      deny: fc.boolean(),
      invert: fc.boolean(),
      key: fc.constantFrom('action', 'ip', 'user.team'),
      value: fc.constantFrom('a', 'b'),
    });
    const step = fc.oneof(
      fc.record({ what: fc.constant('put' as const), rules: fc.array(rule, { maxLength: 3 }) }),
      fc.record({ what: fc.constant('team' as const), team: fc.constantFrom('a', 'b', null) }),
      fc.record({ what: fc.constant('rename' as const) }),
      fc.record({
        what: fc.constant('check' as const),
        action: fc.constantFrom('a', 'b'),
        ip: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), { nil: undefined }),
      }),
    );
    const tenancy = await createTenancy(clients);
    const { tenantId, token } = tenancy;
    const member = await createUserAndLogin(clients);
    const { userId } = member;
    await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
    const { id: domainId } = await makeDomain(tenancy, 'history');
    let names = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const made: { authorized: boolean; checkId: string }[] = [];
        for (const one of steps) {
          if (one.what === 'put') {
            const policies = one.rules.map(({ key, value, deny, invert }, i) =>
              policy(`p${i}`, { [key]: value }, { deny, invert, engine }),
            );
            await put(tenancy, domainId, policies);
          } else if (one.what === 'team') {
            await clients.attributes.clearUserAttributes({ userId }, { token });
            if (one.team !== null) await setTeam(userId, one.team, tenancy);
          } else if (one.what === 'rename') {
            const domain = { id: domainId, tenantId: '', superiorDomainIds: [], policies: [], version: 0n };
            names += 1;
            await clients.domains.updateDomain(
              { tenantId, domain: { ...domain, name: `h${names}` } },
              { token },
            );
          } else {
            const { action, ip } = one;
            const object = `svc://${domainId}/x`;
            made.push(
              await check(token, { subject: userId, action, object, ...(ip === undefined ? {} : { ip }) }),
            );
          }
        }
        for (const { authorized, checkId } of made) {
          expect(await explainAt(token, checkId)).toMatchObject({ authorized, problems: [] });
        }
      }),
      { numRuns: 6 },
    );
  });

  it('a value that is kept as a digest is named as a doubt', async () => {
    covers('AUTHZ-U.12');
    const tenancy = await createTenancy(clients);
    const { rootDomainId, token } = tenancy;
    const context = { subject: 'bob', action: 'read', object: `svc://${rootDomainId}/x`, note: LONG };
    const domain = await makeDomain(tenancy, 'long');
    await put(tenancy, domain.id, [
      policy('long', { note: LONG.slice(0, 9) }, { engine: EvaluationEngine.PREFIX }),
    ]);
    const { checkId, authorized } = await check(token, { ...context, object: `svc://${domain.id}/x` });
    expect(authorized).toBe(true);
    expect(await explainAt(token, checkId)).toMatchObject({
      authorized: false,
      problems: [expect.stringContaining('digest of what `note`'), expect.stringContaining('was allowed')],
    });
  });

  it('those who may explain such a check now may ask, and nobody else', async () => {
    covers('AUTHZ-U.12');
    const tenancy = await createTenancy(clients);
    const { tenantId, rootDomainId, userId, token } = tenancy;
    const member = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: member.userId }, { token });
    const { token: members } = await clients.sessions.refreshLoginWithTenant(
      { tenantId },
      { token: member.plainToken },
    );
    const { checkId } = await check(token, {
      subject: 'bob',
      action: 'read',
      object: `svc://${rootDomainId}/x`,
    });
    expect(await refusalOf(explainAt(members, checkId))).toMatchObject({ reason: 'ACCESS_DENIED' });
    const rules = { subject: member.userId, action: 'explain', object: `svc://${rootDomainId}/x` };
    await put(tenancy, rootDomainId, [policy('owner', { subject: userId }), policy('explainers', rules)]);
    expect((await explainAt(members, checkId)).check).toMatchObject({ id: checkId });
    const unknown = checkId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await refusalOf(explainAt(members, unknown))).toMatchObject({ reason: 'ACCESS_DENIED' });
    expect(await refusalOf(explainAt(token, unknown))).toMatchObject({ code: 5, reason: 'CHECK_NOT_FOUND' });
    const other = await createTenancy(clients);
    const foreign = { reason: 'CHECK_NOT_FOUND' };
    expect(await refusalOf(explainAt(other.token, checkId))).toMatchObject(foreign);
    expect(await refusalOf(explainAt(other.token, checkId, tenantId))).toMatchObject({ code: 7 });
    const root = await rootToken(clients);
    expect((await explainAt(root, checkId, tenantId)).check).toMatchObject({ id: checkId });
    expect(await refusalOf(explainAt(root, checkId))).toMatchObject({ reason: 'TENANT_REQUIRED' });
    const both = clients.authorization.explainAuthorization(
      { context: requestContext({ subject: 'bob', action: 'read', object: 'x' }), checkId },
      { token },
    );
    expect(await refusalOf(both)).toMatchObject({ code: 3, fields: ['context'] });
    expect(await refusalOf(explainAt(token, 'x'))).toMatchObject({ code: 3, fields: ['check_id'] });
  });

  it('a row without a context is not explained, and keeps its place in a chain with rows that have one', async () => {
    covers('AUTHZ-U.12', 'AUTHZ-U.11');
    const tenancy = await createTenancy(clients);
    const { tenantId, rootDomainId, token } = tenancy;
    const { deps } = fleet.replicas[0]!.service;
    const object = `svc://${rootDomainId}/x`;
    await check(token, { subject: 'bob', action: 'read', object });
    const old: AuditEvent = {
      id: deps.newCheckId(),
      time: Date.now(),
      tenantId,
      domainId: rootDomainId,
      subject: 'bob',
      action: 'read',
      object,
      decision: false,
      matchedPolicy: '',
      callerId: tenancy.userId,
      latencyMicros: 1,
      policyVersion: 1,
      outcome: '',
      operation: '',
      detail: '',
    };
    await deps.audit.record([old]);
    await check(token, { subject: 'bob', action: 'read', object, ip: '10.0.0.7' });
    await check(token, { subject: 'bob', action: 'read', object: 'nowhere' }).catch(() => null);
    expect(await verifyListedChain(clients, { token }, tenantId)).toMatchObject({ broken: null });
    expect(await verifyChain(deps.auditRows, tenantId)).toMatchObject({ broken: null });
    const refusal = { code: 3, reason: 'INVALID_ARGUMENT', fields: ['check_id'] };
    expect(await refusalOf(explainAt(token, old.id))).toMatchObject(refusal);
    const list = async (kind: AuditKind, refused: boolean) => {
      const request = { tenantId, limit: 1, cursor: '', kind, refused };
      return (await clients.authorization.listAuditEvents(request, { token })).events[0]!.id;
    };
    expect(await refusalOf(explainAt(token, await list(AuditKind.CHECK, true)))).toMatchObject(refusal);
    expect(await refusalOf(explainAt(token, await list(AuditKind.CHANGE, false)))).toMatchObject({
      reason: 'CHECK_NOT_FOUND',
    });
  });
});
