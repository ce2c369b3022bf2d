import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { startPostgres, type Postgres } from '@platform/testing';
import { migrate, openDatabase } from '@platform/database';
import { fileURLToPath } from 'node:url';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { startTestService, type TestService } from '../test-service.fixture.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
// Every part that a test reads.
interface Json {
  readonly data: { readonly questions: readonly object[] };
}
interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
let received: Message[] = [];
let statuses: number[] = [];
let receiver: Server;
let retryAfter: string | undefined;
let hook: string;
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => {
      received.push({ headers: req.headers, body });
      const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      res.writeHead(statuses.shift() ?? 204, { location: hook, ...wait }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  receiver.close();
  await postgres.stop();
  worker.remove();
});
beforeEach(() => {
  received = [];
  statuses = [];
  retryAfter = undefined;
});

const SETTINGS = { INVESTIGATION_WEBHOOK_HOSTS: '127.0.0.1', INVESTIGATION_WEBHOOK_RETRY_SECONDS: '0,0' };
const claim = (id: string, value: string) => ({
  id,
  actor_id: id,
  subject_id: 's',
  predicate: 'p',
  value,
  content: 'c',
});
const actor = (id: string) => ({ id, name: id, source_type: 'Expert', base_reliability: 0.9 });
const FIRST = {
  research_question: 'q',
  actors: [actor('a')],
  subjects: [{ id: 's', name: 'S', subject_type: 't' }],
  claims: [claim('a', 'one')],
};
const FLIP = {
  actors: [actor('b'), actor('c'), actor('d')],
  claims: [claim('b', 'two'), claim('c', 'two'), claim('d', 'two')],
};

describe.each(['Postgres', 'PGlite'] as const)('subscriptions on %s', (kind) => {
  let services: TestService[];
  let token: string;
  let other: string;
  beforeAll(async () => {
    let url = 'pglite:memory://';
    if (kind === 'Postgres') {
      url = await postgres.createDatabase();
      const database = await openDatabase(url, { embeddedFolder: 'unused' });
      await migrate(database, MIGRATIONS);
      await database.close();
    }
    services = [];
    for (let replica = 0; replica < (kind === 'Postgres' ? 2 : 1); replica++)
      services.push(await startTestService(worker.file, { ...SETTINGS, DATABASE_URL: url }));
    token = await services[0]!.sign({ tenant_id: 't', sub: 'owner' }, 'at+jwt');
    other = await services[0]!.sign({ tenant_id: 't', sub: 'other' }, 'at+jwt');
  });
  afterAll(async () => {
    for (const service of services) await service.close();
  });

  async function send(method: string, path: string, body?: object, by = token) {
    const response = await fetch(`${services[0]!.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      link: response.headers.get('link'),
      body: text === '' ? null : (JSON.parse(text) as never as Answer),
    };
  }
  // Every part that a test reads.
  type Answer = Record<string, never> & { id: string; secret: string; error: string } & Events[number][];
  type Events = {
    id: string;
    type: string;
    number: number;
    delivery: string;
    problem: string;
    attempts: number;
  }[];
  let count = 0;
  async function judgedSession() {
    const session = `/sessions/${kind}-${++count}`;
    await send('POST', '/sessions', { session_id: session.slice(10), name: 'n', payload: FIRST });
    await send('POST', `${session}/judge`);
    return session;
  }
  const pass = () => Promise.all(services.map(({ deps }) => deps.watcher.runOnce()));
  async function eventsOf(session: string, id: string): Promise<Events> {
    return (await send('GET', `${session}/subscriptions/${id}/events`)).body as unknown as Events;
  }
  /** Runs the watchers until the events are as expected; the runner's time limit ends what hangs. */
  async function eventually(session: string, id: string, isDone: (events: Events) => boolean) {
    for (;;) {
      await pass();
      const events = await eventsOf(session, id);
      if (isDone(events)) return events;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('a flip reaches the webhook once from two replicas, signed by the secret that was shown once', async () => {
    covers('INV-WATCH.1', 'INV-WATCH.2', 'INV-WATCH.3');
    const session = await judgedSession();
    const made = await send('POST', `${session}/subscriptions`, {
      rules: ['leading_changed', 'chance_moved'],
      webhook_url: hook,
    });
    expect(made.status).toBe(201);
    expect(JSON.stringify((await send('GET', `${session}/subscriptions`)).body)).not.toContain('secret');
    await send('POST', `${session}/judge`);
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    const { id, secret } = made.body!;
    const isDone = (all: Events) => all.length === 2 && all.every(({ delivery }) => delivery === 'delivered');
    const events = await eventually(session, id, isDone);
    expect(events.map(({ type, number }) => [type, number])).toEqual([
      ['leading_changed', 1],
      ['chance_moved', 2],
    ]);
    await pass();
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      events.map((one) => one.id).sort(),
    );
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    for (const { headers, body } of received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const signature = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    }
  });

  it('a question that loses all its claims is told of, and again when it is answered anew', async () => {
    covers('INV-WATCH.29');
    const session = await judgedSession();
    const rules = ['leading_changed', 'chance_moved', 'became_contested', 'goes_stale'];
    const made = await send('POST', `${session}/subscriptions`, { rules, chance_step: 0.01 });
    await pass();
    for (const change of [
      { remove_claim_ids: ['a'] },
      { claims: [claim('b', 'two')], actors: [actor('b')] },
    ]) {
      expect((await send('PATCH', session, change)).status).toBe(200);
      expect((await send('POST', `${session}/judge`)).status).toBe(200);
      await pass();
    }
    const events = await eventsOf(session, made.body!.id);
    const sides = (events as unknown as Json[]).map(({ data }) => data.questions);
    expect(events.map(({ type }) => type)).toEqual([
      'leading_changed',
      'chance_moved',
      'leading_changed',
      'chance_moved',
    ]);
    expect(sides[0]).toMatchObject([{ before: { value: 'one' }, after: { value: null } }]);
    expect(sides[2]).toMatchObject([{ before: { value: null }, after: { value: 'two' } }]);
  });

  it('a receiver that fails gets the event again under its id until it is parked, and once more when replayed', async () => {
    covers('INV-WATCH.3', 'INV-WATCH.4');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    statuses = [500, 302, 503];
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    const [parked] = await eventually(session, id, ([one]) => one?.delivery === 'parked');
    expect(parked).toMatchObject({ attempts: 3, problem: 'the receiver responded 503' });
    expect(received.length).toBe(3);
    const replay = await send('POST', `${session}/subscriptions/${id}/replay`);
    expect(replay).toMatchObject({ status: 200, body: { replayed: 1 } });
    await eventually(session, id, ([one]) => one?.delivery === 'delivered');
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([parked!.id]));
  });

  it('a receiver that is gone pauses its subscription, and the event says so', async () => {
    covers('INV-WATCH.26');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    statuses = [410];
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    const [parked] = await eventually(session, id, ([one]) => one?.delivery === 'parked');
    const problem = 'the receiver responded 410: it wants no more, and the subscription was paused';
    expect(parked).toMatchObject({ attempts: 1, problem });
    const listed = (await send('GET', `${session}/subscriptions`)).body;
    expect(listed).toMatchObject([{ id, paused_at: expect.any(String), problem }]);
    // Resumed and paused by its user, it is not paused for that reason any more; the event is still given up.
    for (const paused of [false, true]) {
      const { body } = await send('PATCH', `${session}/subscriptions/${id}`, { paused });
      const { problem: now } = body as unknown as { problem: string };
      expect(now).toMatch(/^the last delivery was given up: the receiver responded 410/);
    }
  });

  const problemIn = async (session: string) =>
    ((await send('GET', `${session}/subscriptions`)).body as unknown as { problem: string | null }[])[0]!
      .problem;

  it('a subscription to a subject that the session has not says so when it is made and in the list', async () => {
    covers('INV-V.231');
    const session = await judgedSession();
    const made = await send('POST', `${session}/subscriptions`, {
      rules: ['leading_changed'],
      subject_id: 'typo',
    });
    const problem = 'subject_id: the session has no such subject at present';
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ problem })]);
    expect(await problemIn(session)).toBe(problem);
    await send('PUT', `${session}/subjects/typo`, { name: 'Added later', subject_type: 't' });
    expect(await problemIn(session)).toBeNull();
  });

  it('a subscription whose key or user has ended says so in the list', async () => {
    covers('INV-WATCH.30');
    const session = await judgedSession();
    await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'] });
    expect(await problemIn(session)).toBeNull();
    const { deps } = services[0]!;
    const { leases, watch } = deps;
    const listSubscriptions: typeof watch.listSubscriptions = async (...args) =>
      (await watch.listSubscriptions(...args)).map((one) => ({ ...one, servedBy: 'key', wasActive: false }));
    Object.assign(deps, {
      leases: { isActive: async ({ wasActive }: { wasActive: boolean }) => wasActive },
      watch: { ...watch, listSubscriptions },
    });
    const problem = await problemIn(session).finally(() => Object.assign(deps, { leases, watch }));
    expect(problem).toMatch(/^the API key, program or user that it was made by has ended or is suspended/);
  });

  it('a subscription to a host that is not allowed any more says so in the list', async () => {
    covers('INV-WATCH.31');
    const session = await judgedSession();
    await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook });
    const { deps } = services[0]!;
    const { webhooks } = deps;
    Object.assign(deps, { webhooks: { ...webhooks, refusal: () => 'it is not allowed' } });
    const problem = await problemIn(session).finally(() => Object.assign(deps, { webhooks }));
    expect([problem, await problemIn(session)]).toEqual(['webhook_url: it is not allowed', null]);
  });

  it('a subscription whose last delivery was given up says so in the list, until it is delivered', async () => {
    covers('INV-WATCH.32');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    statuses = [500, 500, 503];
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    await eventually(session, id, ([one]) => one?.delivery === 'parked');
    expect(await problemIn(session)).toBe(
      'the last delivery was given up: the receiver responded 503; replay_deliveries sends again what was given up',
    );
    await send('POST', `${session}/subscriptions/${id}/replay`);
    await eventually(session, id, ([one]) => one?.delivery === 'delivered');
    expect(await problemIn(session)).toBeNull();
  });

  it('a delivery waits as long as its receiver asks', async () => {
    covers('INV-WATCH.26');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    [statuses, retryAfter] = [[429], '3600'];
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    await eventually(session, id, ([one]) => one?.problem === 'the receiver responded 429');
    await pass();
    expect(received).toHaveLength(1);
  });

  it('a page of events that is not the last one links to the next, and the last one does not', async () => {
    covers('INV-WATCH.28');
    const session = await judgedSession();
    const rules = ['leading_changed', 'chance_moved'];
    const { id } = (await send('POST', `${session}/subscriptions`, { rules })).body!;
    await send('POST', `${session}/judge`);
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    await eventually(session, id, ({ length }) => length === 2);
    const events = `${session}/subscriptions/${id}/events`;
    const first = await send('GET', `${events}?limit=1`);
    expect([first.body!.map(({ number }) => number), first.link]).toEqual([
      [1],
      `</api/v1${events}?limit=1&after=1>; rel="next"`,
    ]);
    const last = await send('GET', `${events}?limit=1&after=1`);
    expect([last.body!.map(({ number }) => number), last.link]).toEqual([[2], null]);
  });

  it('a webhook goes only where the administrator allowed it, and bad input is named', async () => {
    covers('INV-WATCH.5');
    const session = await judgedSession();
    for (const [body, message] of [
      [
        { rules: ['leading_changed'], webhook_url: 'http://10.0.0.1/' },
        'webhook_url: the administrator has not allowed',
      ],
      [
        { rules: ['leading_changed'], webhook_url: 'https://example.org/' },
        'webhook_url: the administrator has not allowed',
      ],
      [
        { rules: ['leading_changed'], webhook_url: `${hook}\0` },
        'webhook_url: must not contain the character U+0000',
      ],
      [{ rules: [] }, 'rules'],
      [{ rules: ['leading_changed'], chance_step: 0 }, 'chance_step'],
      [{ rules: ['leading_changed'], hook: 'x' }, 'hook'],
    ] as const) {
      const refused = await send('POST', `${session}/subscriptions`, body);
      expect([refused.status, refused.body!.error]).toEqual([422, expect.stringContaining(message)]);
    }
  });

  it('a paused subscription tells nothing, and once it resumes the difference of all judgements meanwhile in one event', async () => {
    covers('INV-WATCH.15');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    const path = `${session}/subscriptions/${id}`;
    await pass();
    const paused = await send('PATCH', path, { paused: true });
    expect(paused).toMatchObject({ status: 200, body: { id, paused_at: expect.any(String) } });
    expect((await send('PATCH', path, { paused: true })).body).toEqual(paused.body);
    for (const value of ['two', 'three', 'four']) {
      await send('PATCH', session, { claims: [claim('a', value)] });
      await send('POST', `${session}/judge`);
    }
    await pass();
    expect([await eventsOf(session, id), received]).toEqual([[], []]);
    expect((await send('PATCH', path, { paused: false })).body).toMatchObject({ paused_at: null });
    await eventually(session, id, ([one]) => one?.delivery === 'delivered');
    const [message] = received.map(({ body }) => JSON.parse(body) as Json);
    expect(message!.data.questions).toMatchObject([{ before: { value: 'one' }, after: { value: 'four' } }]);
    await pass();
    expect(received).toHaveLength(1);
  });

  it('what a subscription fired before it was paused waits, and is delivered when it resumes', async () => {
    covers('INV-WATCH.15');
    const session = await judgedSession();
    const { id } = (
      await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'], webhook_url: hook })
    ).body!;
    statuses = [500, 500, 500, 500];
    await send('PATCH', session, FLIP);
    await send('POST', `${session}/judge`);
    await eventually(session, id, ([one]) => one?.delivery === 'parked');
    await send('PATCH', `${session}/subscriptions/${id}`, { paused: true });
    await send('POST', `${session}/subscriptions/${id}/replay`);
    statuses = [];
    const before = received.length;
    await pass();
    expect(received).toHaveLength(before);
    await send('PATCH', `${session}/subscriptions/${id}`, { paused: false });
    await eventually(session, id, ([one]) => one?.delivery === 'delivered');
  });

  it.each([
    [{}, 422, 'paused'],
    [{ paused: 'yes' }, 422, 'paused'],
    [{ paused: true, rules: ['goes_stale'] }, 422, 'rules'],
  ])('a change of a subscription by %j is refused by name', async (body, status, named) => {
    covers('INV-WATCH.15');
    const session = await judgedSession();
    const { id } = (await send('POST', `${session}/subscriptions`, { rules: ['goes_stale'] })).body!;
    const refused = await send('PATCH', `${session}/subscriptions/${id}`, body);
    expect([refused.status, refused.body!.error]).toEqual([status, expect.stringContaining(named)]);
    const pausing = { paused: true };
    for (const path of [`${session}/subscriptions/${id}x`, `${session}/subscriptions/x`])
      expect((await send('PATCH', path, pausing)).status).toBe(404);
    expect((await send('PATCH', `${session}/subscriptions/${id}`, pausing, other)).status).toBe(404);
  });

  it("a subscription is its own user's, and ends with the session", async () => {
    covers('INV-WATCH.6');
    const session = await judgedSession();
    const { id } = (await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'] })).body!;
    const events = `${session}/subscriptions/${id}/events`;
    expect((await send('GET', events)).status).toBe(200);
    expect((await send('GET', events, undefined, other)).status).toBe(404);
    expect((await send('DELETE', `${session}/subscriptions/${id}`)).status).toBe(204);
    expect((await send('GET', events)).status).toBe(404);
    const again = (await send('POST', `${session}/subscriptions`, { rules: ['leading_changed'] })).body!;
    await send('DELETE', session);
    expect((await send('GET', `${session}/subscriptions/${again.id}/events`)).status).toBe(404);
    await pass();
  });
});
