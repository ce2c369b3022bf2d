import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import type { SequencedEvent, WatchStore } from '../store/watch-store.ts';
import { startTestService, type TestService } from '../test-service.fixture.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const STREAMS_MAX = 2;
const QUICK_HEARTBEAT_MS = 250;
const DAY_MS = 24 * 3_600_000;

let postgres: Postgres;
/** Three replicas of one database; the last one has a quick heartbeat. */
let services: TestService[];
let token: string;
/** How far the clock of the services is ahead. Milliseconds. */
let ahead = 0;
beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const database = await openDatabase(url, { embeddedFolder: 'unused' });
  await migrate(database, MIGRATIONS);
  await database.close();
  const settings = { DATABASE_URL: url, INVESTIGATION_EVENT_STREAMS_MAX: String(STREAMS_MAX) };
  const now = () => new Date(Date.now() + ahead);
  services = [
    await startTestService(worker.file, settings, { now }),
    await startTestService(worker.file, settings, { now }),
    await startTestService(
      worker.file,
      { ...settings, INVESTIGATION_EVENT_HEARTBEAT_MS: String(QUICK_HEARTBEAT_MS) },
      { now },
    ),
  ];
  token = await tokenOf(services[0]!, 'owner');
});
afterAll(async () => {
  for (const service of services) await service.close();
  await postgres.stop();
  worker.remove();
});

// Each replica has a key of its own, and tokens outlive the clock's jump unless they are to end.
const tokenOf = (service: TestService, sub: string, lifeSeconds = 365 * 86_400) =>
  service.sign({ tenant_id: 't', sub, exp: Math.floor(Date.now() / 1000) + lifeSeconds }, 'at+jwt');

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${services[0]!.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response;
}
const claims = (value: string) => ({
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value, content: 'c' }],
});
async function watchedSession(id: string): Promise<string> {
  const payload = {
    research_question: 'q',
    actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
    subjects: [{ id: 's', name: 'S', subject_type: 't' }],
    ...claims('0'),
  };
  const session = `/sessions/${id}`;
  await send('POST', '/sessions', { session_id: id, name: id, payload });
  await send('POST', `${session}/judge`);
  for (const rules of [['leading_changed'], ['leading_changed', 'became_contested']])
    await send('POST', `${session}/subscriptions`, { rules });
  return session;
}
/** Fires one event of each of the two subscriptions. */
async function flip(session: string, value: string): Promise<void> {
  await send('PATCH', session, claims(value));
  await send('POST', `${session}/judge`);
}

const ask = async (path: string, headers: Record<string, string> = {}, replica = 1, by?: string) => {
  const service = services[replica]!;
  const bearer = by ?? (await tokenOf(service, 'owner'));
  return fetch(`${service.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  });
};

/** The blocks of a stream as they come: `id`, `event`, `data`; a comment has none. */
async function* blocksOf(response: Response): AsyncGenerator<Record<string, string>> {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let rest = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks)
      yield Object.fromEntries(
        block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line)?.slice(1) ?? ['', '']),
      );
  }
}
/** The next blocks of a stream that are events. */
async function take(blocks: AsyncGenerator<Record<string, string>>, count: number) {
  const events: Record<string, string>[] = [];
  while (events.length < count) {
    const { value, done } = await blocks.next();
    if (done) throw new Error('the stream has ended');
    if (value['data'] !== undefined) events.push(value);
  }
  return events;
}

describe('the stream of the events of a session', () => {
  it('a receiver that comes back with its last id has every event once and in order, at whichever replica', async () => {
    covers('INV-WATCH.10');
    const session = await watchedSession('resumed');
    const blocks = blocksOf(await ask(`${session}/events`));
    const first = (await blocks.next()).value as Record<string, string>;
    expect(first).toMatchObject({ retry: '2000', id: '0' });
    await flip(session, '1');
    const [one] = await take(blocks, 1);
    // It leaves in the middle of a page, and more happens while it is not there.
    await blocks.return(undefined);
    for (const value of ['2', '3']) await flip(session, value);
    const again = blocksOf(await ask(`${session}/events`, { 'last-event-id': one!['id']! }, 0, token));
    const rest = await take(again, 3);
    await flip(session, '4');
    rest.push(...(await take(again, 4)));
    await again.return(undefined);
    const all = [one!, ...rest];
    const sequence = all.map(({ id }) => Number(id));
    expect(sequence).toEqual([...new Set(sequence)].toSorted((a, b) => a - b));
    const bodies = all.map(({ data }) => JSON.parse(data!) as { number: number; data: { id: string } });
    expect(new Set(bodies.map(({ data }) => data.id)).size).toBe(8);
    expect(bodies.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(all.map(({ event }) => event)).toEqual(Array(8).fill('leading_changed'));
    // From the beginning, the same ones.
    const whole = blocksOf(await ask(`${session}/events?after=0`));
    expect(await take(whole, 8)).toEqual(all);
    await whole.return(undefined);
    // And one that was cut off before the first event goes by the number it was given at first.
    const begun = blocksOf(await ask(`${session}/events`, { 'last-event-id': first['id']! }));
    expect(await take(begun, 8)).toEqual(all);
    await begun.return(undefined);
  });

  it('ids of a stream count the events of its session alone, and not those of others', async () => {
    covers('INV-WATCH.10');
    const [busy, calm] = [await watchedSession('busy'), await watchedSession('calm')];
    const idsOf = async (session: string, count: number) => {
      const blocks = blocksOf(await ask(`${session}/events?after=0`));
      const ids = (await take(blocks, count)).map(({ id }) => id);
      await blocks.return(undefined);
      return ids;
    };
    await flip(calm, '1');
    expect(await idsOf(calm, 2)).toEqual(['1', '2']);
    for (const value of ['1', '2', '3']) await flip(busy, value);
    await idsOf(busy, 6);
    await flip(calm, '2');
    expect(await idsOf(calm, 4)).toEqual(['1', '2', '3', '4']);
  });

  it('a stream shows nobody the events of others, and names what it is asked wrongly', async () => {
    covers('INV-WATCH.10', 'INV-WATCH.6');
    const session = await watchedSession('asked');
    const other = await tokenOf(services[1]!, 'other');
    expect((await ask(`${session}/events`, {}, 1, other)).status).toBe(404);
    expect((await ask(`${session}/events`, {}, 1, 'none')).status).toBe(401);
    expect((await ask('/sessions/none/events')).status).toBe(404);
    for (const [path, headers, named] of [
      ['?after=-1', {}, 'after: '],
      ['?after=x', {}, 'after: '],
      ['', { 'last-event-id': 'x' }, 'Last-Event-ID: must be the id of an event'],
      [
        '',
        { 'last-event-id': '99' },
        'Last-Event-ID: 99 is the id of no event: the last one of the session has 0',
      ],
      ['?after=99', {}, 'after: 99 is the id of no event'],
    ] as const) {
      const refused = await ask(`${session}/events${path}`, headers);
      expect([refused.status, await refused.json()]).toEqual([
        422,
        { error: expect.stringContaining(named) },
      ]);
    }
  });

  it('a tenant has a bounded number of streams, and room again once one ends', async () => {
    covers('INV-WATCH.11');
    const session = await watchedSession('bounded');
    const open: AsyncGenerator<Record<string, string>>[] = [];
    for (let n = 0; n < STREAMS_MAX; n += 1) {
      const blocks = blocksOf(await ask(`${session}/events`));
      await blocks.next();
      open.push(blocks);
    }
    const refused = await ask(`${session}/events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    await open[0]!.return(undefined);
    for (;;) {
      const next = await ask(`${session}/events`);
      await next.body!.cancel();
      if (next.status === 200) break;
    }
    for (const blocks of open) await blocks.return(undefined);
  });

  it('a receiver that reads nothing holds up the reading of events, and loses none', async () => {
    covers('INV-WATCH.11');
    const session = await watchedSession('slow');
    const service = services[1]!;
    const store = service.deps.watch as { listSequence: WatchStore['listSequence'] };
    const listSequence = store.listSequence;
    const PAGES = 400;
    const body = JSON.stringify({ text: 'x'.repeat(4_000) });
    let pages = 0;
    store.listSequence = (_ids, after) => {
      if (pages === PAGES) return Promise.resolve([]);
      pages += 1;
      return Promise.resolve(
        Array.from({ length: 50 }, (_, n): SequencedEvent => ({
          sequence: after + n + 1,
          number: n + 1,
          rule: 'r',
          body,
        })),
      );
    };
    try {
      const { port } = new URL(service.url);
      const bearer = await tokenOf(service, 'owner');
      const socket = connect(Number(port), '127.0.0.1').pause();
      socket.write(
        `GET /api/v1${session}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n\r\n`,
      );
      // Until no more is read: what the kernel and the socket hold is some megabytes of the eighty.
      for (let before = -1; before !== pages || pages === 0;) {
        before = pages;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      expect(pages).toBeLessThan(PAGES / 2);
      let text = '';
      const last = `id: ${PAGES * 50}\n`;
      for await (const part of socket) {
        text = text.slice(-last.length) + String(part);
        if (text.includes(last)) break;
      }
      expect(pages).toBe(PAGES);
      socket.destroy();
    } finally {
      store.listSequence = listSequence;
    }
  });

  it('a stream whose credential has ended ends within the time of a heartbeat, and shows nothing more', async () => {
    covers('INV-WATCH.11');
    const session = await watchedSession('ended');
    const REPLICA = 2;
    const open = async (days: number, query = '') =>
      blocksOf(
        await ask(
          `${session}/events${query}`,
          {},
          REPLICA,
          await tokenOf(services[REPLICA]!, 'owner', (days * DAY_MS) / 1000),
        ),
      );
    const HEARTBEAT = { '': '' };
    const blocks = await open(1);
    await blocks.next();
    ahead = 2 * DAY_MS;
    try {
      await flip(session, '1');
      for await (const block of blocks) expect(block).toEqual(HEARTBEAT);

      // What was fired is kept soon after, and the next stream begins behind it.
      const kept = await open(4, '?after=0');
      await take(kept, 2);
      await kept.return(undefined);
      const quiet = await open(4);
      await quiet.next();
      // The first heartbeat finds it good; one soon after its end does not.
      expect((await quiet.next()).value).toEqual(HEARTBEAT);
      ahead = 5 * DAY_MS;
      for await (const block of quiet) expect(block).toEqual(HEARTBEAT);
    } finally {
      ahead = 0;
    }
  });

  it('streams end when the service stops, and none is opened meanwhile', async () => {
    covers('INV-WATCH.11');
    const session = await watchedSession('stopped');
    const { readiness } = services[1]!.deps;
    readiness.set(true);
    const blocks = blocksOf(await ask(`${session}/events`));
    await blocks.next();
    readiness.set(false);
    expect(await blocks.next()).toEqual({ done: true, value: undefined });
    expect((await ask(`${session}/events`)).status).toBe(503);
    readiness.set(true);
  });

  it('the database is looked at once a round for all streams, and not at all without one', async () => {
    covers('INV-WATCH.11');
    const session = await watchedSession('counted');
    const store = services[1]!.deps.watch as { progressOf: WatchStore['progressOf'] };
    const progressOf = store.progressOf;
    const asked: number[] = [];
    store.progressOf = (refs) => {
      asked.push(refs.length);
      return progressOf(refs);
    };
    try {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(asked).toEqual([]);
      const open = [blocksOf(await ask(`${session}/events`)), blocksOf(await ask(`${session}/events`))];
      for (const blocks of open) await blocks.next();
      while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(asked.at(-1)).toBe(2);
      for (const blocks of open) await blocks.return(undefined);
    } finally {
      store.progressOf = progressOf;
    }
  });
});
