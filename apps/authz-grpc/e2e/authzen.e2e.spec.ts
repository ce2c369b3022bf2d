import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

interface AuthzenRequest {
  subject: { type: string; id: string; properties?: Record<string, unknown> };
  action: { name: string; properties?: Record<string, unknown> };
  resource: { type: string; id: string; properties?: Record<string, unknown> };
}
/** The decisions of the AuthZEN 1.0 certification scenario for a policy decision point. */
const CERTIFICATION: readonly [AuthzenRequest, boolean][] = [
  [evaluation({ id: 'alice' }, { name: 'read' }, { id: 'record-1' }), true],
  [evaluation({ id: 'alice' }, { name: 'write' }, { id: 'record-1' }), true],
  [evaluation({ id: 'bob' }, { name: 'read' }, { id: 'record-1' }), true],
  [evaluation({ id: 'bob' }, { name: 'write' }, { id: 'record-1' }), false],
  [evaluation({ id: 'alice' }, { name: 'write' }, { id: 'record-2', status: 'archived' }), false],
  [evaluation({ id: 'bob', role: 'admin' }, { name: 'write' }, { id: 'record-2', status: 'archived' }), true],
  [evaluation({ id: 'alice' }, { name: 'delete', soft: true }, { id: 'record-1' }), true],
  [evaluation({ id: 'alice' }, { name: 'delete', soft: false }, { id: 'record-1' }), false],
];

/** A request for one evaluation; what a part has besides its identity becomes its properties. */
function evaluation(
  { id: subject, ...subjectProperties }: { id: string; role?: string },
  { name, ...actionProperties }: { name: string; soft?: boolean },
  { id: resource, ...resourceProperties }: { id: string; status?: string },
): AuthzenRequest {
  return {
    subject: { type: 'user', id: subject, properties: subjectProperties },
    action: { name, properties: actionProperties },
    resource: { type: 'record', id: resource, properties: resourceProperties },
  };
}

describe('AuthZEN', () => {
  let fleet: Fleet;
  let tenancy: Tenancy;
  beforeAll(async () => {
    fleet = await startFleet('embedded');
    tenancy = await createTenancy(fleet.clients);
  });
  afterAll(() => fleet?.stop());

  const post = async (path: string, body: unknown) => {
    const answer = await fetch(fleet.httpUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tenancy.token}` },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const put = (policies: Parameters<typeof fleet.clients.domains.putDomainPolicies>[0]['policies']) =>
    fleet.clients.domains.putDomainPolicies(
      { tenantId: tenancy.tenantId, domainId: tenancy.rootDomainId, policies },
      { token: tenancy.token },
    );
  const keep = () => policy('starter', { subject: tenancy.userId });

  it('decides the certification cases over evaluation and evaluations', async () => {
    covers('AUTHZ-Z.2');
    const object = (id: string) => `svc://${tenancy.rootDomainId}/record/${id}`;
    await put([
      keep(),
      policy('alice', { subject: 'alice' }),
      policy('readers', { action: 'read', object: object('record-1') }),
      policy('admins', { role: 'admin', action: 'write' }),
      policy('no-hard-delete', { action: 'delete', soft: 'false' }, { deny: true }),
      policy(
        'archived',
        {},
        {
          deny: true,
          engine: EvaluationEngine.FIXED,
          statements: [
            { rules: new Map(Object.entries({ subject: 'alice', action: 'write', status: 'archived' })) },
          ],
        },
      ),
    ]);
    for (const [request, expected] of CERTIFICATION) {
      expect(await post('/access/v1/evaluation', request)).toEqual({
        status: 200,
        body: { decision: expected },
      });
    }
    const { body } = await post('/access/v1/evaluations', {
      evaluations: CERTIFICATION.map(([request]) => request),
    });
    expect(body['evaluations']).toEqual(CERTIFICATION.map(([, decision]) => ({ decision })));
  });

  it('fills in defaults and stops where the semantics say', async () => {
    covers('AUTHZ-Z.3');
    const body = {
      subject: { type: 'user', id: 'bob' },
      resource: { type: 'record', id: 'record-1' },
      evaluations: [
        { action: { name: 'read' } },
        { action: { name: 'write' } },
        { action: { name: 'read' } },
      ],
    };
    const decisions = async (evaluations_semantic: string) =>
      (await post('/access/v1/evaluations', { ...body, options: { evaluations_semantic } })).body[
        'evaluations'
      ];
    const [yes, no] = [{ decision: true }, { decision: false }];
    expect(await decisions('execute_all')).toEqual([yes, no, yes]);
    expect(await decisions('deny_on_first_deny')).toEqual([yes, no]);
    expect(await decisions('permit_on_first_permit')).toEqual([yes]);
    expect(await post('/access/v1/evaluation', { subject: body.subject })).toEqual({
      status: 400,
      body: { error: 'invalid_request', message: '`action` is required: give an object' },
    });
  });

  it('neither charges nor records what the semantics leave undecided', async () => {
    covers('AUTHZ-Z.5');
    await put([keep(), policy('readers', { action: 'read' })]);
    const { clients } = fleet;
    const state = async () => {
      const { dataPlane } = await clients.tenants.getTenant(
        { id: tenancy.tenantId },
        { token: tenancy.token },
      );
      const { events } = await clients.authorization.listAuditEvents(
        { tenantId: tenancy.tenantId, limit: 100, cursor: '', subject: 'carol' },
        { token: tenancy.token },
      );
      return { left: Number(dataPlane?.tokens), rows: events.length };
    };
    const before = await state();
    const evaluations = ['read', 'write', 'read', 'write'].map((name) => ({ action: { name } }));
    const answer = (evaluations_semantic: string) =>
      post('/access/v1/evaluations', {
        subject: { type: 'user', id: 'carol' },
        resource: { type: 'record', id: 'record-1' },
        evaluations,
        options: { evaluations_semantic },
      });
    await answer('deny_on_first_deny');
    expect(await state()).toEqual({ left: before.left - 2, rows: 2 });
    await answer('permit_on_first_permit');
    expect(await state()).toEqual({ left: before.left - 3, rows: 3 });
    await answer('execute_all');
    expect(await state()).toEqual({ left: before.left - 7, rows: 7 });
  });

  it('says which of the evaluations is not complete', async () => {
    covers('AUTHZ-Z.3');
    const subject = { type: 'user', id: 'bob' };
    const evaluation = { subject, action: { name: 'read' }, resource: { type: 'record', id: '1' } };
    expect(await post('/access/v1/evaluations', { evaluations: [evaluation, { subject }] })).toEqual({
      status: 400,
      body: { error: 'invalid_request', message: '`evaluations[1]` lacks its subject, action or resource' },
    });
  });

  it.each<[string, unknown]>([
    ['a text', '7'],
    ['a number', 7],
    ['a list of texts', ['8', '7']],
    ['a list of numbers', [8, 7]],
    ['a list of several kinds', ['8', 7, null, { a: 1 }]],
  ])('a deny sees a property that is %s', async (_name, group) => {
    covers('AUTHZ-Z.1');
    await put([
      keep(),
      policy('readers', { action: 'read' }),
      policy('seven', { group: '7' }, { deny: true }),
    ]);
    const decide = async (properties: Record<string, unknown>) =>
      (
        await post('/access/v1/evaluation', {
          subject: { type: 'user', id: 'bob', properties },
          action: { name: 'read' },
          resource: { type: 'record', id: '1' },
        })
      ).body;
    expect(await decide({ group })).toEqual({ decision: false });
    for (const other of [8, [8], [], [null]])
      expect(await decide({ group: other })).toEqual({ decision: true });
  });

  it('publishes its configuration and keys', async () => {
    const get = async (path: string) =>
      (await (await fetch(fleet.httpUrl + path)).json()) as Record<string, unknown>;
    expect(await get('/.well-known/authzen-configuration')).toEqual({
      policy_decision_point: fleet.httpUrl,
      access_evaluation_endpoint: `${fleet.httpUrl}/access/v1/evaluation`,
      access_evaluations_endpoint: `${fleet.httpUrl}/access/v1/evaluations`,
    });
    const { keys } = await get('/.well-known/jwks.json');
    expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })]);
    expect(keys).not.toEqual([expect.objectContaining({ d: expect.anything() })]);
  });
});
