import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSigningKey } from '@platform/jwt';
import { startPostgres, type Postgres, migratedDatabase } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { callApi, startBuilt, type BuiltService } from './built-service.fixture.ts';

const SESSIONS = 5;
/** Judgements of each session. */
const FLIPS = 12;
/** The receiver leaves these messages unanswered, and their sender is killed meanwhile. */
const KILLED_AT = [4, 14, 24];
const POLL_MS = 200;

/** What the receiver has, as it would keep it: by the id of the message. */
interface Received {
  readonly session_id: string;
  readonly judgement_id: string;
  readonly type: string;
  /** How often it came. */
  times: number;
}
const received = new Map<string, Received>();
let messages = 0;
/** Called with the number of a message before its response; true = it gets none. */
let onMessage: (count: number) => boolean = () => false;
let receiver: Server;
let postgres: Postgres;
let env: Record<string, string>;
let service: BuiltService;
/** Resolves once the service runs again. */
let running: Promise<void> = Promise.resolve();
let start: () => Promise<void>;

function createReceiver(): Server {
  return createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => {
      const id = String(req.headers['webhook-id']);
      const { type, data } = JSON.parse(body) as { type: string; data: Received };
      const known = received.get(id) ?? { ...data, type, times: 0 };
      known.times += 1;
      received.set(id, known);
      if (!onMessage(++messages)) res.writeHead(204).end();
    });
  });
}

beforeAll(async () => {
  postgres = await startPostgres();
  const key = await generateSigningKey();
  receiver = createReceiver();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  env = {
    DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
    INVESTIGATION_WEBHOOK_HOSTS: '127.0.0.1',
    INVESTIGATION_WEBHOOK_RETRY_SECONDS: Array(60).fill('1').join(','),
  };
  start = async () => {
    service = await startBuilt(env, key);
  };
  await start();
});
afterAll(async () => {
  await service?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
  await postgres?.stop();
});

/** Asks until a response comes, over every restart. */
async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  for (;;) {
    await running;
    const asked = service;
    try {
      return await callApi<Answer>(asked, method, path, body);
    } catch (error) {
      if (asked.process.exitCode === null && asked.process.signalCode === null && !isCut(error)) throw error;
      await sleep(POLL_MS);
    }
  }
}
/**
 * The connection broke; the process that ends may not have been seen to. The TypeError of `fetch` is that of
 * another realm than the test's.
 */
const isCut = (error: unknown) => (error as Error).name === 'TypeError';

const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const claimOf = (value: string) => ({
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value, content: 'c' }],
});

async function watchedSession(session_id: string): Promise<{ path: string; events: string }> {
  await ask('POST', '/sessions', {
    session_id,
    name: session_id,
    payload: {
      research_question: 'q',
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      ...claimOf('0'),
    },
  });
  const path = `/sessions/${session_id}`;
  await ask('POST', `${path}/judge`);
  const body = { rules: ['leading_changed'], webhook_url: hook() };
  const { id } = await ask<{ id: string }>('POST', `${path}/subscriptions`, body);
  return { path, events: `${path}/subscriptions/${id}/events?limit=200` };
}

async function flip(path: string, value: string): Promise<void> {
  await ask('PATCH', path, claimOf(value));
  await ask('POST', `${path}/judge`, {});
}

type Judgement = { id: string; judged_at: string };
type Verdict = { result: { subject_results: [{ leading_value: string }] } };
/** Which judgements changed the leading value, read from the judgements themselves. */
async function changesOf(path: string): Promise<string[]> {
  const judgements = await ask<Judgement[]>('GET', `${path}/judgements`);
  const leading: { id: string; value: string }[] = [];
  for (const { id } of judgements.toReversed()) {
    const { result } = await ask<Verdict>('GET', `${path}/judgements/${id}`);
    leading.push({ id, value: result.subject_results[0].leading_value });
  }
  return leading.filter(({ value }, at) => at > 0 && value !== leading[at - 1]!.value).map(({ id }) => id);
}

type Event = { delivery: string; problem: string | null; attempts: number };
const delivered = (count: number) => Array.from({ length: count }, () => ({ delivery: 'delivered' }));

describe('webhooks of the built service', () => {
  it('every change of a leading value reaches an idempotent receiver exactly once, however often the service is killed', async () => {
    covers('INV-WATCH.2', 'INV-WATCH.3', 'INV-WATCH.8');
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, (_, index) => watchedSession(`killed-${index}`)),
    );
    let kills = 0;
    onMessage = (count) => {
      if (!KILLED_AT.includes(count)) return false;
      kills += 1;
      running = service.kill().then(start);
      return true;
    };
    await Promise.all(
      sessions.map(async ({ path }) => {
        for (let value = 1; value <= FLIPS; value++) await flip(path, String(value));
      }),
    );
    const expected = new Map(
      await Promise.all(sessions.map(async ({ path }) => [path, await changesOf(path)] as const)),
    );
    for (const [, changes] of expected) expect(changes).toHaveLength(FLIPS);
    for (const { events } of sessions)
      await eventually(() => ask<Event[]>('GET', events)).toMatchObject(delivered(FLIPS));
    expect(kills).toBe(KILLED_AT.length);
    // By the ids of messages nothing is there twice, and nothing is missing.
    for (const [path, changes] of expected) {
      const got = [...received.values()].filter(({ session_id }) => path.endsWith(`/${session_id}`));
      expect(got.map(({ judgement_id }) => judgement_id).toSorted()).toEqual(changes.toSorted());
    }
    // The messages that were cut off came again: that is what makes the ids matter.
    expect(messages).toBeGreaterThanOrEqual(SESSIONS * FLIPS + KILLED_AT.length);
  });

  it('events of a receiver that does not listen for a while wait, and reach it in the end', async () => {
    covers('INV-WATCH.4');
    received.clear();
    onMessage = () => false;
    const { path, events } = await watchedSession('down');
    const { port } = receiver.address() as AddressInfo;
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    for (const value of ['1', '2', '3']) await flip(path, value);
    const triedAgain = async () =>
      (await ask<Event[]>('GET', events)).find(({ attempts }) => attempts > 1)?.problem;
    await eventually(triedAgain).toBe('the receiver was not reached: ECONNREFUSED');
    receiver = createReceiver();
    await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
    await eventually(() => ask<Event[]>('GET', events)).toMatchObject(delivered(3));
    expect([...received.values()].map(({ times }) => times)).toEqual([1, 1, 1]);
  });
});
