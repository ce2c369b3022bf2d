import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database } from '@platform/database';
import { covers } from '@platform/testing/covers';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DomainError } from '@platform/error-contracts';
import { createAnalysisPool, type AnalysisPool } from '../engine/analysis-pool.ts';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createPrisma } from '../store/prisma.ts';
import type { SessionStore } from '../store/session-store.ts';
import { at, json, judge, newSession } from '../store/sessions.fixture.ts';
import { createSqlSessionStore } from '../store/sql-session-store.ts';
import { createSqlWatchStore } from '../store/sql-watch.ts';
import type { NewSubscription, WatchStore } from '../store/watch-store.ts';
import { NO_FOLLOWER, type Follower } from './follower.ts';
import { createWatcher, type Watcher } from './watcher.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const HOUR_MS = 3_600_000;
const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
let database: Database;
let analysis: AnalysisPool;
let sessions: SessionStore;
let store: WatchStore;
let watcher: Watcher;
beforeAll(async () => {
  database = await openDatabase('pglite:memory://', { embeddedFolder: 'unused' });
  await migrate(database, MIGRATIONS);
  analysis = createAnalysisPool({ threads: 1, queueMax: 8, memoryMiBMax: 256, file: worker.file });
  sessions = createSqlSessionStore(database, createPrisma(database));
  store = createSqlWatchStore(database);
});
afterEach(() => watcher.close());
afterAll(async () => {
  await analysis.close();
  await database.close();
  worker.remove();
});

/** Starts a watcher, and counts what it asks the store by method. */
function start(idleMs: number, follower: Pick<Follower, 'mayRead'> = NO_FOLLOWER) {
  const asked: Record<string, number> = {};
  const counting = Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        asked[name] = (asked[name] ?? 0) + 1;
        return (method as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as WatchStore;
  watcher = createWatcher({
    store: counting,
    analysis,
    leases: null,
    send: () => Promise.resolve(null),
    follower,
    now: () => new Date(),
    newId: randomUUID,
    random: () => 0.5,
    retrySeconds: [],
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    idleMs,
    onFired: () => undefined,
  });
  return asked;
}
const resultOf = (leading_value: string) => ({
  subject_results: [
    { subject_id: 's', predicate: 'p', leading_value, truth_status: 'True', expected_probability: 0.5 },
  ],
  claim_analyses: [],
  ranked_claims: [],
});
/** The runner's time limit ends what never comes. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 5));
}
async function watched({ policies = null }: Pick<Partial<NewSubscription>, 'policies'> = {}) {
  const ref = await newSession(sessions);
  const id = randomUUID();
  await judge(sessions, ref, at(1), resultOf('one'));
  const request = json({ rules: ['leading_changed'], chance_step: 0.1, subject_id: null, predicate: null });
  const subscription = {
    id,
    subscriberId: 'owner',
    lease: null,
    request,
    webhookUrl: null,
    secret: null,
    documentsSince: null,
    policies,
  };
  await store.subscribe(ref, { ...subscription, now: at(2) }, { perUser: 9, perTenant: 9 });
  return { ref, hasFired: async () => (await store.listEvents(id, { after: 0, limit: 9 })).length === 1 };
}

describe('the watcher', () => {
  it('a watcher that has nothing to do asks one statement a round and no other', async () => {
    covers('INV-WATCH.12');
    const asked = start(1);
    await until(() => (asked['nextDue'] ?? 0) >= 20);
    expect(Object.keys(asked)).toEqual(['nextDue']);
  });

  it('a watcher that is woken looks at once', async () => {
    covers('INV-WATCH.12');
    const { ref, hasFired } = await watched();
    const asked = start(HOUR_MS);
    await until(() => (asked['finishChange'] ?? 0) === 1);
    await judge(sessions, ref, at(3), resultOf('two'));
    watcher.wake();
    await until(hasFired);
  });

  it('a judgement that nobody woke a watcher for is found in the next round', async () => {
    covers('INV-WATCH.12');
    const { ref, hasFired } = await watched();
    start(1);
    await judge(sessions, ref, at(3), resultOf('two'));
    await until(hasFired);
  });

  it('while nobody says who may read, one request finds that out, what was followed waits, and verdicts are told', async () => {
    covers('INV-WATCH.22');
    const set = {
      domain_id: 'd',
      version: 2,
      author_id: 'u',
      message: '',
      digest: '',
      at: at(3).toISOString(),
    };
    const changes = { rule: 'policies_changed', items: [set] } as const;
    const followed = [];
    for (let count = 0; count < 3; count++) {
      const one = await watched({ policies: { domainId: 'd', since: 1 } });
      await store.keepChanges(one.ref.tenantId, 'd', { since: 1, last: 2, changes }, at(3));
      followed.push(one);
    }
    const { ref, hasFired } = await watched();
    await judge(sessions, ref, at(3), resultOf('two'));
    let requests = 0;
    const asked = start(HOUR_MS, {
      mayRead: () => {
        requests += 1;
        return Promise.reject(new DomainError('unavailable', 'no response'));
      },
    });
    await until(hasFired);
    await until(() => asked['returnChange'] === followed.length);
    expect(requests).toBe(1);
    expect(await Promise.all(followed.map((one) => one.hasFired()))).toEqual([false, false, false]);
    for (const one of followed) await sessions.deleteSession(one.ref);
  });

  it('a watcher looks by itself at the time at which something is due', async () => {
    covers('INV-WATCH.12');
    const { ref } = await watched();
    const asked = start(HOUR_MS);
    await until(() => (asked['finishChange'] ?? 0) === 1);
    const soon = new Date(Date.now() + 300);
    await judge(sessions, ref, soon, resultOf('one'));
    watcher.wake();
    await until(() => (asked['finishChange'] ?? 0) === 2);
  });
});
