import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSigningKey } from '@platform/jwt';
import {
  openTcpProxy,
  startPostgres,
  startRedis,
  type Postgres,
  type Redis,
  migratedDatabase,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { soak } from '@platform/testing/soak';
import { callApi, startBuilt, type BuiltService } from './built-service.fixture.ts';

const REPLICAS = 4;
const SESSIONS = 5;
const JOBS_OF_SESSION = soak(200, 8);

interface Job {
  readonly id: string;
  readonly status: string;
  readonly judgement_id: string;
}
let postgres: Postgres;
let redis: Redis;
let proxy: Awaited<ReturnType<typeof openTcpProxy>>;
let replicas: BuiltService[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  redis = await startRedis();
  proxy = await openTcpProxy({ host: '127.0.0.1', port: redis.port });
  const env = {
    DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
    INVESTIGATION_QUEUE_URL: `redis://127.0.0.1:${proxy.port}/10`,
    INVESTIGATION_WORKERS: '1',
  };
  const key = await generateSigningKey();
  replicas = await Promise.all(Array.from({ length: REPLICAS }, () => startBuilt(env, key)));
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await proxy?.cut();
  await redis?.stop();
  await postgres?.stop();
});

async function newSession(session_id: string): Promise<string> {
  const claim = (n: number) => ({
    id: `c${n}`,
    actor_id: `a${n % 20}`,
    subject_id: 's',
    predicate: `p${n % 50}`,
    value: `v${n % 3}`,
    content: 'c',
  });
  await callApi(replicas[0]!, 'POST', '/sessions', {
    session_id,
    name: session_id,
    payload: {
      research_question: 'q',
      actors: Array.from({ length: 20 }, (_, n) => ({ id: `a${n}`, name: `A${n}`, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'S', subject_type: 't' }],
      claims: Array.from({ length: 500 }, (_, n) => claim(n)),
    },
  });
  return `/sessions/${session_id}`;
}

/** Asks for a judgement in the background. */
async function askedFor(replica: BuiltService, path: string): Promise<void> {
  const response = await fetch(`${replica.url}/api/v1${path}/judge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${replica.token}`, prefer: 'respond-async' },
  });
  expect(response.status).toBe(202);
}
/** The jobs of sessions, each session's latest first; a list has at most 200. */
const jobsOf = (replica: BuiltService, paths: readonly string[]) =>
  Promise.all(paths.map((path) => callApi<Job[]>(replica, 'GET', `${path}/jobs?limit=200`)));
const made = async (replica: BuiltService, paths: readonly string[]) =>
  (await jobsOf(replica, paths)).flat().filter(({ status }) => status === 'succeeded').length;

describe('judgements in the background of built replicas', () => {
  it('each job makes one judgement, though a replica is killed while it judges', async () => {
    covers('INV-JOB.2');
    const [first, second, third] = replicas as [BuiltService, BuiltService, BuiltService];
    const paths = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => newSession(`job-${n}`)));
    for (let n = 0; n < JOBS_OF_SESSION; n++)
      for (const path of paths) await askedFor(replicas[n % 2]!, path);
    await eventually(() => made(first, paths)).toBeGreaterThan(2);
    await third.kill();
    await eventually(() => made(second, paths), { limitMs: Infinity }).toBe(SESSIONS * JOBS_OF_SESSION);
    for (const [index, jobs] of (await jobsOf(first, paths)).entries()) {
      const judgements = await callApi<{ id: string }[]>(first, 'GET', `${paths[index]}/judgements`);
      expect(judgements.map(({ id }) => id).toSorted()).toEqual(
        jobs.map(({ judgement_id }) => judgement_id).toSorted(),
      );
    }
  });

  it('jobs are accepted while the queue is unavailable, and made once it is back', async () => {
    covers('INV-JOB.8', 'PLAT-O.12');
    const [first, second] = replicas as [BuiltService, BuiltService];
    const path = await newSession('without-queue');
    const queueUp = async () =>
      /^dependency_up\{name="queue".*\} (\d)$/m.exec(
        await (await fetch(`${first.probeUrl}/metrics`)).text(),
      )?.[1];
    await eventually(queueUp).toBe('1');
    // Connections that were idle for longer than a dead one may be silent are still the same.
    const problems = first.log.filter(({ dependency }) => dependency === 'queue').map(({ err }) => err);
    expect(problems).not.toContainEqual(expect.objectContaining({ type: 'SocketTimeoutError' }));
    await proxy.cut();
    await askedFor(first, path);
    await askedFor(second, path);
    await eventually(queueUp).toBe('0');
    await proxy.mend();
    await eventually(() => made(first, [path])).toBe(2);
    await eventually(queueUp).toBe('1');
  });
});
