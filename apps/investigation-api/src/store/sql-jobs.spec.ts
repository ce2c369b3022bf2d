import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import { JOB_ATTEMPTS_MAX, type JobStore, type OfferedJob } from './job-store.ts';
import { createPrisma } from './prisma.ts';
import type { SessionRef, SessionStore } from './session-store.ts';
import { at, json, newSession } from './sessions.fixture.ts';
import { createSqlJobStore } from './sql-jobs.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/investigation/migrations', import.meta.url));
const MAX = 100;

describe.each(['Postgres', 'PGlite'] as const)('the record of jobs on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let sessions: SessionStore;
  let jobs: JobStore;
  beforeAll(() => {
    const prisma = createPrisma(database);
    sessions = createSqlSessionStore(database, prisma);
    jobs = createSqlJobStore(database, prisma);
  });

  async function added(ref: SessionRef, minute = 0): Promise<string> {
    const id = randomUUID();
    const job = { id, requestedBy: 'owner', lease: null, now: at(minute) };
    expect(await jobs.add(ref, job, MAX)).toBe('added');
    return id;
  }
  async function begun(ref: SessionRef, until = at(1000)) {
    const offered = (await jobs.offerNext(ref.tenantId, until))!;
    return (await jobs.begin(offered, at(10), until))!;
  }
  const judgement = () => ({
    id: randomUUID(),
    judgedAt: at(20),
    revision: 0,
    durationMs: 3,
    inputSnapshot: json({}),
    result: json({}),
  });
  const judgementsOf = async (ref: SessionRef) => (await sessions.listJudgements(ref))!.map(({ id }) => id);

  it(`one job of a tenant is offered at a time on ${kind}, the oldest first`, async () => {
    covers('INV-JOB.3');
    const ref = await newSession(sessions);
    const [first, second] = [await added(ref, 1), await added(ref, 2)];
    const offered = await Promise.all([1, 2, 3].map(() => jobs.offerNext(ref.tenantId, at(100))));
    expect(offered.filter((job) => job !== null).map(({ id }) => id)).toEqual([first]);
    expect(
      await jobs.begin(
        offered.find((job) => job !== null)!,
        at(10),
        at(100),
      ),
    ).toMatchObject({
      id: first,
      sessionId: ref.sessionId,
      attempts: 1,
    });
    expect(await jobs.offerNext(ref.tenantId, at(100))).toEqual({
      tenantId: ref.tenantId,
      id: second,
      attempts: 0,
    });
  });

  it(`jobs that are added at once stay within the most that a tenant may have on ${kind}`, async () => {
    covers('INV-JOB.9');
    const ref = await newSession(sessions);
    const job = () => ({ id: randomUUID(), requestedBy: 'owner', lease: null, now: at(0) });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => jobs.add(ref, job(), 5)));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(15);
    await sessions.deleteSession(ref);
  });

  it(`a job that the queue hands out twice is begun once on ${kind}`, async () => {
    covers('INV-JOB.2');
    const ref = await newSession(sessions);
    await added(ref);
    const offered = (await jobs.offerNext(ref.tenantId, at(100)))!;
    const both = await Promise.all([1, 2].map(() => jobs.begin(offered, at(10), at(100))));
    expect(both.filter((job) => job !== null)).toHaveLength(1);
  });

  it(`a judgement is kept together with the end of its job on ${kind}, and of two replicas only the later keeps one`, async () => {
    covers('INV-JOB.2');
    const ref = await newSession(sessions);
    const id = await added(ref);
    const lost = await begun(ref, at(50));
    expect(await jobs.recover(at(60), at(100), 'lost')).toEqual({ offered: [], tenants: [ref.tenantId] });
    const later = await begun(ref);
    expect(later).toMatchObject({ id, attempts: 2 });
    expect(await jobs.renew([{ ...lost, progress: null }], at(200))).toEqual([]);
    expect(await jobs.succeed(lost, judgement(), at(30))).toBe(false);
    const kept = judgement();
    expect(await jobs.succeed(later, kept, at(30))).toBe(true);
    expect(await jobs.succeed(later, judgement(), at(31))).toBe(false);
    expect(await judgementsOf(ref)).toEqual([kept.id]);
    expect(await jobs.read(ref, id)).toMatchObject({
      state: 'succeeded',
      judgementId: kept.id,
      finishedAt: at(30),
    });
    expect((await sessions.readHead(ref))!.judgedAt).toEqual(kept.judgedAt);
  });

  it(`a job that is cancelled while it runs keeps no judgement on ${kind}`, async () => {
    covers('INV-JOB.4');
    const ref = await newSession(sessions);
    const id = await added(ref);
    const running = await begun(ref);
    expect(await jobs.renew([{ ...running, progress: '{"done":1}' }], at(100))).toEqual([id]);
    expect(await jobs.read(ref, id)).toMatchObject({ state: 'running', progress: '{"done":1}' });
    expect(await jobs.cancel(ref, id, at(40))).toMatchObject({ state: 'cancelled', finishedAt: at(40) });
    expect(await jobs.renew([{ ...running, progress: null }], at(100))).toEqual([]);
    expect(await jobs.succeed(running, judgement(), at(41))).toBe(false);
    await jobs.fail(running, 'late', at(41));
    expect(await jobs.cancel(ref, id, at(50))).toMatchObject({ state: 'cancelled', finishedAt: at(40) });
    expect(await judgementsOf(ref)).toEqual([]);
  });

  it(`a job that cannot be judged waits again on ${kind}, and fails after ${JOB_ATTEMPTS_MAX} attempts`, async () => {
    covers('INV-JOB.6');
    const ref = await newSession(sessions);
    const id = await added(ref);
    for (let attempt = 1; attempt < JOB_ATTEMPTS_MAX; attempt++) {
      await jobs.giveBack(await begun(ref), 'busy', at(30));
      expect(await jobs.read(ref, id)).toMatchObject({ state: 'queued', problem: null });
    }
    await jobs.giveBack(await begun(ref), 'busy', at(30));
    expect(await jobs.read(ref, id)).toMatchObject({ state: 'failed', problem: 'busy' });
  });

  it(`an offer that nobody took is made again on ${kind}`, async () => {
    covers('INV-JOB.2', 'INV-JOB.8');
    const ref = await newSession(sessions);
    await added(ref);
    const offered: OfferedJob = (await jobs.offerNext(ref.tenantId, at(50)))!;
    expect((await jobs.recover(at(40), at(90), 'lost')).offered).toEqual([]);
    expect((await jobs.recover(at(60), at(90), 'lost')).offered).toEqual([offered]);
    expect((await jobs.recover(at(61), at(90), 'lost')).offered).toEqual([]);
    expect(await jobs.cancel(ref, offered.id, at(70))).not.toBeNull();
  });

  it(`jobs of ${kind} are bounded for each tenant, go with their session, and are forgotten after their time`, async () => {
    covers('INV-JOB.7', 'INV-JOB.9');
    const ref = await newSession(sessions);
    const job = () => ({ id: randomUUID(), requestedBy: 'owner', lease: null, now: at(0) });
    expect(await jobs.add({ ...ref, sessionId: 'none' }, job(), 1)).toBe('no_session');
    expect(await jobs.add(ref, job(), 1)).toBe('added');
    expect(await jobs.add(ref, job(), 1)).toBe('too_many');
    await jobs.fail(await begun(ref), 'no', at(30));
    expect(await jobs.add(ref, job(), 1)).toBe('added');
    const statesOf = async () => (await jobs.list(ref, 10))!.map(({ state }) => state).toSorted();
    await jobs.forget(at(30));
    expect(await statesOf()).toEqual(['failed', 'queued']);
    await jobs.forget(at(31));
    expect(await statesOf()).toEqual(['queued']);
    const [left] = (await jobs.list(ref, 10))!;
    expect(await jobs.read({ ...ref, tenantId: 'other' }, left!.id)).toBeNull();
    expect(await jobs.read(ref, 'no-uuid')).toBeNull();
    await sessions.deleteSession(ref);
    expect(await jobs.list(ref, 10)).toBeNull();
    expect(await jobs.offerNext(ref.tenantId, at(100))).toBeNull();
  });
});
