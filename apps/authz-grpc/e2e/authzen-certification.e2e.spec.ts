import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

/*
 * The certification scenario of AuthZEN 1.0, each case under the id that it has there. Its fixture is what
 * follows. Source: openid/authzen, certification/authorization-api-1_0-scenario.md.
 */

const PUBLIC_URL = 'https://pdp.example.org';
const alice = { type: 'user', id: 'alice' };
const bob = { type: 'user', id: 'bob' };
const admin = { ...bob, properties: { role: 'admin' } };
const record = { type: 'record', id: 'record-1' };
const active = { ...record, properties: { status: 'active' } };
const archived = { type: 'record', id: 'record-2', properties: { status: 'archived' } };
const [read, write] = [{ name: 'read' }, { name: 'write' }];
const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' };
const aliceReads = { subject: alice, action: read, resource: record };

interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly requestId: string | null;
  readonly body: Record<string, unknown>;
}

let fleet: Fleet;
let tenancy: Tenancy;
beforeAll(async () => {
  fleet = await startFleet('postgres', { env: { AUTHZ_PUBLIC_URL: PUBLIC_URL } });
  tenancy = await createTenancy(fleet.clients);
  const { tenantId, rootDomainId: domainId, token, userId } = tenancy;
  const object = `svc://${domainId}/record/record-1`;
  const statements = (...all: Record<string, string>[]) => ({
    statements: all.map((rules) => ({ rules: new Map(Object.entries(rules)) })),
  });
  await fleet.clients.domains.putDomainPolicies(
    {
      tenantId,
      domainId,
      policies: [
        policy('starter', { subject: userId }),
        policy(
          'alice',
          {},
          statements(
            { subject: 'alice', action: 'read' },
            { subject: 'alice', action: 'write' },
            { subject: 'alice', action: 'delete' },
          ),
        ),
        policy(
          'bob',
          {},
          statements(
            { subject: 'bob', action: 'read', object },
            {
              subject: 'bob',
              action: 'write',
              'resource.status': 'archived',
            },
          ),
        ),
        policy('admins', { 'subject.role': 'admin', action: 'write' }),
        policy(
          'archived',
          { subject: 'alice', action: 'write', 'resource.status': 'archived' },
          { deny: true },
        ),
        policy(
          'no-hard-delete',
          { subject: 'alice', action: 'delete', 'action.soft': 'false' },
          { deny: true },
        ),
      ],
    },
    { token },
  );
  await fleet.clients.resources.putResources(
    {
      tenantId,
      domainId,
      resources: [active, archived].map(({ type, id, properties }) => ({
        object: `svc://${domainId}/${type}/${id}`,
        attributes: requestContext({ 'resource.status': properties.status }),
      })),
    },
    { token },
  );
});
afterAll(() => fleet?.stop());

async function send(path: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(fleet.httpUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tenancy.token}`, ...headers },
    body,
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    requestId: response.headers.get('x-request-id'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

const EVALUATION = '/access/v1/evaluation';
const EVALUATIONS = '/access/v1/evaluations';
const evaluate = (body: unknown) => send(EVALUATION, JSON.stringify(body));
const evaluateAll = (body: unknown) => send(EVALUATIONS, JSON.stringify(body));
const find = (searched: 'subject' | 'resource' | 'action', body: unknown) =>
  send(`/access/v1/search/${searched}`, JSON.stringify(body));

describe('the AuthZEN certification scenario, evaluation', () => {
  it.each<[id: string, body: unknown, decision: boolean]>([
    ['c-2-2-1', aliceReads, true],
    ['c-2-2-2', { subject: bob, action: write, resource: record }, false],
    ['c-2-2-3', { ...aliceReads, context }, true],
    ['c-2-2-4', { subject: alice, action: write, resource: archived }, false],
    ['c-2-2-5', { subject: admin, action: write, resource: archived }, true],
    [
      'c-2-2-6',
      { subject: alice, action: { name: 'delete', properties: { soft: true } }, resource: record },
      true,
    ],
    [
      'c-2-2-7',
      { subject: alice, action: { name: 'delete', properties: { soft: false } }, resource: record },
      false,
    ],
    [
      'c-2-2-8',
      {
        subject: { ...alice, properties: { department: 'Sales', role: 'manager' } },
        action: { ...read, properties: { method: 'GET' } },
        resource: { ...record, properties: { status: 'active', owner: 'bob' } },
      },
      true,
    ],
    ['c-2-2-9', { ...aliceReads, foo: 'bar', futureField: { nested: true } }, true],
    ['c-1-4, rule 2', { subject: alice, action: write, resource: record }, true],
    ['c-1-4, rule 3', { subject: bob, action: read, resource: record }, true],
    ['c-2-3', aliceReads, true],
  ])('%s: the evaluation is decided as the scenario says', async (_id, body, decision) => {
    covers('AUTHZ-Z.8');
    const reply = await evaluate(body);
    expect([reply.status, reply.body]).toEqual([200, { decision }]);
    expect(reply.type).toMatch(/^application\/json/);
  });

  it.each<[id: string, body: unknown]>([
    ['c-2-4-1, no subject', { action: read, resource: record }],
    ['c-2-4-1, no action', { subject: alice, resource: record }],
    ['c-2-4-1, no resource', { subject: alice, action: read }],
    ['c-2-4-2, subject without type', { ...aliceReads, subject: { id: 'alice' } }],
    ['c-2-4-2, subject without id', { ...aliceReads, subject: { type: 'user' } }],
    ['c-2-4-2, action without name', { ...aliceReads, action: {} }],
    ['c-2-4-2, resource without type', { ...aliceReads, resource: { id: 'record-1' } }],
    ['c-2-4-2, resource without id', { ...aliceReads, resource: { type: 'record' } }],
    ['c-2-4-6, subject is a text', { ...aliceReads, subject: 'alice' }],
    ['c-2-4-6, name is a number', { ...aliceReads, action: { name: 123 } }],
  ])('%s: the evaluation is refused with 400', async (_id, body) => {
    covers('AUTHZ-Z.8');
    expect((await evaluate(body)).status).toBe(400);
  });

  it.each<[id: string, body: string, headers: Record<string, string>]>([
    ['c-2-4-3', JSON.stringify(aliceReads), { 'content-type': 'text/plain' }],
    ['c-2-4-4', '{"subject": ', {}],
    ['c-2-4-5', '', {}],
  ])('%s: a body that is not JSON is refused with 400 by every endpoint', async (_id, body, headers) => {
    covers('AUTHZ-Z.8');
    for (const path of [
      EVALUATION,
      EVALUATIONS,
      ...['subject', 'resource', 'action'].map((of) => `/access/v1/search/${of}`),
    ])
      expect([path, (await send(path, body, headers)).status]).toEqual([path, 400]);
  });

  it('c-2-5 and c-5: a request id is echoed by every endpoint, and none is needed', async () => {
    covers('AUTHZ-Z.8');
    for (const [path, body] of [
      [EVALUATION, aliceReads],
      [EVALUATIONS, { ...aliceReads, evaluations: [{}] }],
      ['/access/v1/search/resource', { ...aliceReads, resource: { type: 'record' } }],
    ] as const) {
      const reply = await send(path, JSON.stringify(body), {
        'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716',
      });
      expect([reply.status, reply.requestId]).toEqual([200, 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716']);
      expect((await send(path, JSON.stringify(body))).status).toBe(200);
    }
  });

  it('c-2-6: the same request is decided in the same way again and again', async () => {
    covers('AUTHZ-Z.8');
    for (let n = 0; n < 5; n += 1) expect((await evaluate(aliceReads)).body).toEqual({ decision: true });
  });
});

describe('the AuthZEN certification scenario, evaluations', () => {
  const [yes, no] = [{ decision: true }, { decision: false }];
  const any = { decision: expect.any(Boolean) };
  it.each<[id: string, body: unknown, evaluations: unknown[]]>([
    [
      'c-3-2-1',
      {
        subject: alice,
        action: read,
        evaluations: [{ resource: record }, { resource: { type: 'record', id: 'record-2' } }],
      },
      [any, any],
    ],
    [
      'c-3-2-2',
      { subject: bob, resource: record, evaluations: [{ action: read }, { action: write }] },
      [yes, no],
    ],
    [
      'c-3-2-3',
      { subject: alice, action: write, evaluations: [{ resource: active }, { resource: archived }] },
      [yes, no],
    ],
    [
      'c-3-2-4',
      { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
      [no, yes],
    ],
    ['c-3-2-5', { evaluations: [aliceReads, { subject: bob, action: write, resource: record }] }, [yes, no]],
    [
      'c-3-2-6',
      {
        subject: alice,
        action: read,
        context: { time: context.time },
        evaluations: [
          { resource: record },
          {
            resource: { type: 'record', id: 'record-2' },
            context: { time: context.time, source: 'batch-override' },
          },
        ],
      },
      [any, any],
    ],
    [
      'c-3-2-7',
      { subject: alice, action: write, resource: active, evaluations: [{}, { resource: archived }] },
      [yes, no],
    ],
    [
      'c-3-4-1',
      {
        subject: alice,
        action: read,
        options: { evaluations_semantic: 'execute_all' },
        evaluations: [{ resource: record }, {}],
      },
      [yes, { ...no, context: expect.any(Object) }],
    ],
  ])('%s: the evaluations are decided in their order', async (_id, body, evaluations) => {
    covers('AUTHZ-Z.8');
    const reply = await evaluateAll(body);
    // Each item also names its row in the audit, for which the scenario leaves room in `context`.
    const named = evaluations.map((item) => ({ ...(item as object), context: expect.any(Object) }));
    expect([reply.status, reply.body]).toEqual([200, { evaluations: named }]);
  });

  it.each([
    ['c-3-4-2', aliceReads],
    ['c-3-4-3', { ...aliceReads, evaluations: [] }],
  ])('%s: a body without evaluations is one evaluation', async (_id, body) => {
    covers('AUTHZ-Z.8');
    const reply = await evaluateAll(body);
    expect([reply.status, reply.body]).toEqual([200, { decision: true }]);
  });
});

describe('the AuthZEN certification scenario, search', () => {
  const users = { subject: { type: 'user' }, action: read, resource: record };
  const records = { subject: alice, action: read, resource: { type: 'record' } };
  const actions = { subject: alice, resource: record };
  const found = [alice, bob];

  it.each<[id: string, searched: 'subject' | 'resource' | 'action', body: object, atLeast: object[]]>([
    ['c-4-2-1', 'subject', users, found],
    ['c-4-2-2', 'subject', { ...users, context }, found],
    ['c-4-2-3', 'subject', { ...users, subject: alice }, found],
    ['c-4-2-4', 'subject', { subject: { type: 'user' }, action: write, resource: archived }, [bob]],
    ['c-4-3-1', 'resource', records, [record]],
    ['c-4-3-2', 'resource', { ...records, context }, [record]],
    ['c-4-3-3', 'resource', { ...records, resource: record }, [record]],
    [
      'c-4-3-4',
      'resource',
      { subject: admin, action: write, resource: { type: 'record' } },
      [{ type: 'record', id: 'record-2' }],
    ],
    ['c-4-4-1', 'action', actions, [read, write]],
    ['c-4-4-2', 'action', { ...actions, context }, [read, write]],
    ['c-4-4-3', 'action', { subject: admin, resource: archived }, [write]],
  ])('%s: the search lists at least what the scenario asks', async (_id, searched, body, atLeast) => {
    covers('AUTHZ-Z.8');
    const { status, type, body: reply } = await find(searched, body);
    expect([status, type]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(reply['results']).toEqual(expect.arrayContaining(atLeast));
    const kinds = (reply['results'] as { type?: string }[]).map((one) => one.type);
    expect(new Set(kinds)).toEqual(
      new Set([{ subject: 'user', resource: 'record', action: undefined }[searched]]),
    );
    const { context: _context, ...without } = body as { context?: unknown };
    expect((await find(searched, without)).body['results']).toEqual(reply['results']);
  });

  it('c-4-2-3 and c-4-3-3: an id of what is searched for changes nothing', async () => {
    covers('AUTHZ-Z.8');
    expect((await find('subject', { ...users, subject: alice })).body).toEqual(
      (await find('subject', users)).body,
    );
    expect((await find('resource', { ...records, resource: record })).body).toEqual(
      (await find('resource', records)).body,
    );
  });

  it('c-4-5: pages have a limit and a token, and all of them together are the whole list', async () => {
    covers('AUTHZ-Z.8');
    const whole = (await find('subject', users)).body['results'] as unknown[];
    const paged: unknown[] = [];
    let page: Record<string, unknown> = { limit: 1 };
    for (;;) {
      const { status, body } = await find('subject', { ...users, page });
      const next = (body['page'] as { next_token: string }).next_token;
      paged.push(...(body['results'] as unknown[]));
      expect([status, typeof next, (body['results'] as unknown[]).length <= 1]).toEqual([
        200,
        'string',
        true,
      ]);
      if (next === '') break;
      page = { token: next, limit: 1 };
    }
    expect(whole.length).toBeGreaterThan(1);
    expect(paged).toEqual(whole);
    const { body } = await find('subject', { ...users, page: { limit: 0 } });
    expect([body['results'], (body['page'] as { next_token: string }).next_token]).toEqual([
      [],
      expect.stringMatching(/./),
    ]);
    const wrong = await find('subject', { ...users, page: { token: 'x' } });
    expect([wrong.status, wrong.body['message']]).toEqual([400, expect.stringContaining('`page.token`')]);
  });

  it.each<[id: string, searched: 'subject' | 'resource' | 'action', body: object]>([
    ['c-4-6-1, action', 'action', { ...actions, subject: { type: 'user', id: 'nonexistent-user' } }],
    ['c-4-6-1, resource', 'resource', { ...records, subject: { type: 'user', id: 'nonexistent-user' } }],
    ['c-4-6-1, subject', 'subject', { ...users, action: { name: 'paint' }, subject: { type: 'robot' } }],
    ['c-4-6-2, subject', 'subject', { ...users, subject: { type: 'spaceship' } }],
    ['c-4-6-2, resource', 'resource', { ...records, resource: { type: 'spaceship' } }],
    ['c-4-6-2, action', 'action', { ...actions, subject: { type: 'spaceship', id: '1' } }],
  ])('%s: a search for what is unknown lists nothing', async (_id, searched, body) => {
    covers('AUTHZ-Z.8');
    const reply = await find(searched, body);
    expect([reply.status, reply.body['results']]).toEqual([200, []]);
  });

  it.each<[id: string, searched: 'subject' | 'resource' | 'action', body: object]>([
    ['c-4-7-1, subject', 'subject', { subject: { type: 'user' }, resource: record }],
    ['c-4-7-1, resource', 'resource', { action: read, resource: { type: 'record' } }],
    ['c-4-7-1, action', 'action', { subject: alice }],
    ['c-4-7-2, subject', 'subject', { ...users, resource: { type: 'record' } }],
    ['c-4-7-2, resource', 'resource', { ...records, subject: { type: 'user' } }],
    ['c-4-7-2, action', 'action', { ...actions, subject: { type: 'user' } }],
  ])('%s: a search without an input is refused with 400', async (_id, searched, body) => {
    covers('AUTHZ-Z.8');
    expect((await find(searched, body)).status).toBe(400);
  });

  it.each(['..', '.', 'a/b', 'a%2Fb', ''])(
    'a search for resources of the type %j is refused with 400',
    async (type) => {
      covers('AUTHZ-Z.8');
      const { status, body } = await find('resource', { ...records, resource: { type } });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('resource.type')]);
    },
  );
});

describe('the AuthZEN certification scenario, discovery', () => {
  it('c-6: the metadata name https URLs of every endpoint', async () => {
    covers('AUTHZ-Z.8');
    const response = await fetch(`${fleet.httpUrl}/.well-known/authzen-configuration`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(await response.json()).toEqual({
      policy_decision_point: PUBLIC_URL,
      access_evaluation_endpoint: PUBLIC_URL + EVALUATION,
      access_evaluations_endpoint: PUBLIC_URL + EVALUATIONS,
      search_subject_endpoint: `${PUBLIC_URL}/access/v1/search/subject`,
      search_resource_endpoint: `${PUBLIC_URL}/access/v1/search/resource`,
      search_action_endpoint: `${PUBLIC_URL}/access/v1/search/action`,
    });
  });
});
