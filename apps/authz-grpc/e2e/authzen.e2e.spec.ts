import { beforeAll, describe, expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, startFleet, type Tenancy } from './service.fixture.ts';

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

/** What every item says about the row that it left. */
const NAMED = { check_id: expect.stringMatching(/^[\da-f-]{36}$/) };

describe('AuthZEN', () => {
  const fleet = useFleet('postgres');
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
  });

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

  it('AuthZEN decides the certification cases over evaluation and evaluations', async () => {
    covers('AUTHZ-Z.2');
    const object = (id: string) => `svc://${tenancy.rootDomainId}/record/${id}`;
    await put([
      keep(),
      policy('alice', { subject: 'alice' }),
      policy('readers', { action: 'read', object: object('record-1') }),
      policy('admins', { 'subject.role': 'admin', action: 'write' }),
      policy('no-hard-delete', { action: 'delete', 'action.soft': 'false' }, { deny: true }),
      policy(
        'archived',
        {},
        {
          deny: true,
          engine: EvaluationEngine.FIXED,
          statements: [
            {
              rules: new Map(
                Object.entries({ subject: 'alice', action: 'write', 'resource.status': 'archived' }),
              ),
            },
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
    expect(body['evaluations']).toEqual(CERTIFICATION.map(([, decision]) => ({ decision, context: NAMED })));
  });

  it('AuthZEN fills in defaults and stops where the semantics say', async () => {
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
    const [yes, no] = [true, false].map((decision) => ({ decision, context: NAMED }));
    expect(await decisions('execute_all')).toEqual([yes, no, yes]);
    expect(await decisions('deny_on_first_deny')).toEqual([yes, no]);
    expect(await decisions('permit_on_first_permit')).toEqual([yes]);
    expect(await post('/access/v1/evaluation', { subject: body.subject })).toEqual({
      status: 400,
      body: { error: 'invalid_request', message: '`action` is required: give an object' },
    });
  });

  it('AuthZEN neither charges nor records evaluations that the semantics leave undecided', async () => {
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

  it('AuthZEN responds to a faulty evaluation with decision false and its reason, and decides the others', async () => {
    covers('AUTHZ-Z.7');
    await put([keep(), policy('readers', { action: 'read' })]);
    const subject = { type: 'user', id: 'bob' };
    const evaluation = { subject, action: { name: 'read' }, resource: { type: 'record', id: '1' } };
    const faulty = [
      { subject },
      { ...evaluation, resource: { type: 'record' } },
      { ...evaluation, resource: { type: 'record', id: 'a//b' } },
      { ...evaluation, context: { 'subject.role': 'admin' } },
      'x',
    ];
    const { status, body } = await post('/access/v1/evaluations', { evaluations: [...faulty, evaluation] });
    const no = (reason: string, error: string) => ({
      decision: false,
      context: { reason, error: expect.stringContaining(error), ...NAMED },
    });
    expect([status, body['evaluations']]).toEqual([
      200,
      [
        no('INVALID_CONTEXT', '`evaluations.0.action` is required: give an object'),
        no('INVALID_CONTEXT', '`evaluations.1.resource.id` is required: give a string'),
        no('INVALID_OBJECT_URI', '`resource` must have'),
        no('INVALID_CONTEXT', '`context.subject.role` must have another name'),
        no('INVALID_CONTEXT', '`evaluations.4` must be an object'),
        { decision: true, context: NAMED },
      ],
    ]);
  });

  it('AuthZEN refuses a body of another content type with 400', async () => {
    covers('AUTHZ-Z.7');
    for (const path of ['/access/v1/evaluation', '/access/v1/evaluations']) {
      const response = await fetch(fleet.httpUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', authorization: `Bearer ${tenancy.token}` },
        body: '{}',
      });
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: 'invalid_request', message: 'the `Content-Type` must be `application/json`' },
      ]);
    }
  });

  it('AuthZEN keeps the properties of one entity from standing for those of another', async () => {
    covers('AUTHZ-Z.6');
    await put([keep(), policy('editors', { action: 'read', 'subject.role': 'editor' })]);
    const decide = async (properties: Record<'subject' | 'action' | 'resource', object>) =>
      (
        await post('/access/v1/evaluation', {
          subject: { type: 'user', id: 'bob', properties: properties.subject },
          action: { name: 'read', properties: properties.action },
          resource: { type: 'record', id: '1', properties: properties.resource },
        })
      ).body;
    const role = { role: 'editor' };
    expect(await decide({ subject: role, action: {}, resource: {} })).toEqual({ decision: true });
    expect(await decide({ subject: {}, action: role, resource: role })).toEqual({ decision: false });
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
      policy('seven', { 'subject.group': '7' }, { deny: true }),
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

  it('AuthZEN metadata name the addresses of AUTHZ_PUBLIC_URL', async () => {
    covers('AUTHZ-Z.7');
    const other = await startFleet('postgres', { env: { AUTHZ_PUBLIC_URL: 'https://authz.example.org/' } });
    try {
      const response = await fetch(`${other.httpUrl}/.well-known/authzen-configuration`);
      expect(await response.json()).toMatchObject({
        policy_decision_point: 'https://authz.example.org',
        access_evaluation_endpoint: 'https://authz.example.org/access/v1/evaluation',
      });
    } finally {
      await other.stop();
    }
  });

  it.each(['bob', 'did:web:ann', 'f:9c51:bob', 'team:x', 'user:bob'])(
    'the user `%s` is by AuthZEN the subject of policies, denials, owners and searches that checks by other ways know',
    async (id) => {
      covers('AUTHZ-C.30');
      covers('AUTHZ-C.31');
      const object = (name: string) => `svc://${tenancy.rootDomainId}/record/${name}`;
      await put([
        keep(),
        policy('named', { subject: id, action: 'read', object: object('named') }),
        policy('all', { action: 'read', object: object('denied') }),
        policy('not them', { subject: id, object: object('denied') }, { deny: true }),
        policy('own', { subject: '$current_user()', owner: '$resource_owner()', object: object('own') }),
      ]);
      const subject = { type: 'user', id };
      const action = { name: 'read' };
      const decisions = { named: true, denied: false, own: true };
      for (const [name, allowed] of Object.entries(decisions)) {
        const properties = { owner: id };
        const resource = { type: 'record', id: name, properties };
        const context = { subject: id, action: 'read', object: object(name), owner: id };
        const { authorized: byGrpc } = await fleet.clients.authorization.checkAuthorization(
          { context: requestContext(context) },
          { token: tenancy.token },
        );
        const byRest = await post('/v1/authz/check', { context });
        const byAuthzen = await post('/access/v1/evaluation', { subject, action, resource });
        expect([byGrpc, byRest.body['allowed'], byAuthzen.body['decision']]).toEqual([
          allowed,
          allowed,
          allowed,
        ]);
      }
      const { events } = await fleet.clients.authorization.listAuditEvents(
        { tenantId: tenancy.tenantId, limit: 9, cursor: '', subject: id },
        { token: tenancy.token },
      );
      expect(events.filter(({ operation }) => operation === '')).toHaveLength(9);
      const resource = { type: 'record', id: 'named' };
      const list = async (searched: string, body: object) =>
        (await post(`/access/v1/search/${searched}`, { resource, ...body })).body['results'];
      expect(await list('action', { subject })).toEqual([action]);
      expect(await list('subject', { action, subject: { type: 'user' } })).toContainEqual(subject);
      const colon = id.indexOf(':');
      const [type, rest] = [id.slice(0, Math.max(0, colon)), id.slice(colon + 1)];
      if (colon < 0 || type === 'user') return;
      expect(await list('subject', { action, subject: { type } })).toEqual([{ type, id: rest }]);
      const asType = { subject: { type, id: rest }, action, resource };
      expect((await post('/access/v1/evaluation', asType)).body['decision']).toBe(true);
    },
  );

  it('AuthZEN searches list what evaluations with the registered attributes allow, no matter who the owner is', async () => {
    covers('AUTHZ-Z.9');
    const { token, tenantId, rootDomainId } = tenancy;
    const registered: readonly Record<string, string | string[]>[] = [
      {},
      { owner: 'bob' },
      { owner: 'eve' },
      { owner: ['bob', 'eve'] },
      { 'resource.owner': 'bob' },
      { 'resource.ownerID': 'bob' },
      { owner: 'bob', 'resource.ownerID': 'eve' },
      { owner: 'eve', 'resource.owner': 'bob' },
      { 'resource.owner': 'eve', 'resource.ownerID': 'bob' },
    ];
    await fleet.clients.resources.putResources(
      {
        tenantId,
        domainId: rootDomainId,
        resources: registered.map((attributes, n) => ({
          object: `svc://${rootDomainId}/owned/${n}`,
          attributes: requestContext(attributes),
        })),
      },
      { token },
    );
    await put([
      keep(),
      policy('own', { subject: '$resource_owner()', action: 'edit' }),
      policy('named', { 'resource.owner': '$current_user()', action: 'read' }),
      policy('by-id', { 'resource.ownerID': 'eve', action: 'share' }),
      // Makes bob a known subject.
      policy('bob', { subject: 'bob', action: 'nothing' }),
      policy('any', { action: 'delete' }),
      policy('not-own', { owner: 'bob', action: 'delete' }, { deny: true }),
      policy('not-named', { 'resource.owner': 'eve', action: 'delete' }, { deny: true }),
    ]);
    const actions = ['edit', 'read', 'share', 'delete'];
    const propertiesOf = ({ owner, ...others }: (typeof registered)[number]) => ({
      ...Object.fromEntries(
        Object.entries(others).map(([key, value]) => [key.slice('resource.'.length), value]),
      ),
      ...(owner === undefined ? {} : { owner }),
    });
    const subject = { type: 'user', id: 'bob' };
    const resources = registered.map((attributes, n) => ({
      type: 'owned',
      id: String(n),
      properties: propertiesOf(attributes),
    }));
    /** The actions on each resource, by evaluations and by each search. */
    const found = resources.map(() => ({
      allowed: [] as string[],
      listed: [] as string[],
      by: [] as string[],
    }));
    const idsOf = async (path: string, body: object) =>
      ((await post(path, body)).body['results'] as { id?: string; name?: string }[]).map(
        ({ id, name }) => id ?? name,
      );
    for (const name of actions) {
      const { body } = await post('/access/v1/evaluations', {
        subject,
        action: { name },
        evaluations: resources.map((resource) => ({ resource })),
      });
      const decisions = body['evaluations'] as { decision: boolean }[];
      const listed = await idsOf('/access/v1/search/resource', {
        subject,
        action: { name },
        resource: { type: 'owned' },
      });
      for (const [n, each] of found.entries()) {
        if (decisions[n]?.decision === true) each.allowed.push(name);
        if (listed.includes(String(n))) each.listed.push(name);
        const subjects = await idsOf('/access/v1/search/subject', {
          subject: { type: 'user' },
          action: { name },
          resource: { type: 'owned', id: String(n) },
        });
        if (subjects.includes('bob')) each.by.push(name);
      }
    }
    expect(found.map(({ listed }) => listed)).toEqual(found.map(({ allowed }) => allowed));
    expect(found.map(({ by }) => by)).toEqual(found.map(({ allowed }) => allowed));
    for (const [n, { allowed }] of found.entries()) {
      const resource = { type: 'owned', id: String(n) };
      const names = await idsOf('/access/v1/search/action', { subject, resource });
      expect([n, actions.filter((name) => names.includes(name))]).toEqual([n, allowed]);
    }
    expect(found.map(({ allowed }) => allowed.length)).toEqual([1, 2, 0, 1, 2, 1, 3, 0, 0]);
  });

  it('AuthZEN publishes its configuration and keys', async () => {
    const get = async (path: string) =>
      (await (await fetch(fleet.httpUrl + path)).json()) as Record<string, unknown>;
    expect(await get('/.well-known/authzen-configuration')).toEqual({
      policy_decision_point: fleet.httpUrl,
      access_evaluation_endpoint: `${fleet.httpUrl}/access/v1/evaluation`,
      access_evaluations_endpoint: `${fleet.httpUrl}/access/v1/evaluations`,
      search_subject_endpoint: `${fleet.httpUrl}/access/v1/search/subject`,
      search_resource_endpoint: `${fleet.httpUrl}/access/v1/search/resource`,
      search_action_endpoint: `${fleet.httpUrl}/access/v1/search/action`,
    });
    const { keys } = await get('/.well-known/jwks.json');
    expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })]);
    expect(keys).not.toEqual([expect.objectContaining({ d: expect.anything() })]);
  });
});
