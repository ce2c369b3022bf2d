import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { startRedis, type Redis } from '@platform/testing';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createAnalysisPool, type AnalysisPool } from '../engine/analysis-pool.ts';
import { startTestService, type TestService } from '../test-service.fixture.ts';

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const PAYLOAD = {
  research_question: 'q',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'S', subject_type: 't' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'v', content: 'c' }],
};

interface Job {
  readonly id: string;
  readonly status: string;
  readonly judgement_id: string | null;
  readonly error: string | null;
}

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  worker.remove();
  await redis.stop();
});

describe.each(['this process', 'Redis'] as const)('judging in the background with a queue in %s', (kind) => {
  let service: TestService;
  /** Sessions in the order in which their judging began, and what holds it up. */
  const judged: string[] = [];
  let hold: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  beforeAll(async () => {
    const pool = createAnalysisPool({ threads: 1, queueMax: 64, memoryMiBMax: 512, file: worker.file });
    const analysis: AnalysisPool = {
      ...pool,
      async judge(task, options) {
        judged.push(task.sessionId);
        await hold(options.signal);
        return pool.judge(task, options);
      },
    };
    const settings = {
      INVESTIGATION_JOBS_MAX: '5',
      ...(kind === 'Redis' ? { INVESTIGATION_QUEUE_URL: `${redis.url}/9` } : {}),
    };
    service = await startTestService(worker.file, settings, { analysis });
  });
  afterAll(() => service.close());

  function caller(tenant_id: string, sub = 'owner') {
    return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await service.sign({ tenant_id, sub }, 'at+jwt')}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const json = isJson ? (JSON.parse(text) as never) : (null as never);
      return { status: response.status, headers: response.headers, text, json };
    };
  }
  const ASYNC = { prefer: 'respond-async' };
  type Send = ReturnType<typeof caller>;
  async function session(send: Send, session_id: string, payload: object = PAYLOAD): Promise<string> {
    expect((await send('POST', '/sessions', { session_id, name: session_id, payload })).status).toBe(201);
    return `/sessions/${session_id}`;
  }
  async function started(send: Send, path: string): Promise<string> {
    const { status, json } = await send('POST', `${path}/judge`, undefined, ASYNC);
    expect(status).toBe(202);
    return `${path}/jobs/${(json as Job).id}`;
  }
  const jobAt = async (send: Send, path: string) => (await send('GET', path)).json as Job;

  it(`judge with respond-async and a queue in ${kind} returns 202 and a place where the judgement appears`, async () => {
    covers('INV-JOB.1');
    const send = caller('first');
    const path = await session(send, 'one');
    const response = await send('POST', `${path}/judge`, {}, { prefer: 'wait=5, Respond-Async; x=1' });
    expect(response.status).toBe(202);
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    expect(response.json).toMatchObject({ session_id: 'one', status: 'queued', judgement_id: null });
    const location = response.headers.get('location')!.replace('/api/v1', '');
    await eventually(async () => (await jobAt(send, location)).status).toBe('succeeded');
    const { judgement_id } = await jobAt(send, location);
    expect((await send('GET', `${path}/judgements/${judgement_id}`)).json).toMatchObject({
      result: { research_question: 'q' },
    });
    expect((await send('GET', `${path}/jobs`)).json).toMatchObject([
      { id: expect.any(String), judgement_id },
    ]);
    expect((await send('POST', `${path}/judge`, {})).status).toBe(200);
  });

  it(`an investigation that cannot be judged fails its job with a queue in ${kind} as it fails a call`, async () => {
    covers('INV-JOB.6');
    const send = caller('second');
    const path = await session(send, 'bad', {
      ...PAYLOAD,
      claims: [{ ...PAYLOAD.claims[0]!, actor_id: 'nobody' }],
    });
    const { error } = (await send('POST', `${path}/judge`, {})).json as Job;
    const location = await started(send, path);
    await eventually(() => jobAt(send, location)).toMatchObject({ status: 'failed', error });
    expect((await send('POST', `${path}/judge`, { nonsense: 1 }, ASYNC)).status).toBe(422);
  });

  it(`a cancelled job keeps nothing with a queue in ${kind}, whether it waits or runs`, async () => {
    covers('INV-JOB.4', 'INV-JOB.9');
    const send = caller('third');
    const path = await session(send, 'cancelled');
    judged.length = 0;
    hold = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const jobs: string[] = [];
    for (let n = 0; n < 5; n++) jobs.push(await started(send, path));
    await eventually(() => judged.length).toBe(1);
    const refused = await send('POST', `${path}/judge`, undefined, ASYNC);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    for (const job of jobs)
      expect((await send('DELETE', job)).json).toMatchObject({ status: 'cancelled', judgement_id: null });
    hold = () => Promise.resolve();
    // The one that ran gives its place back.
    const last = await started(send, path);
    await eventually(async () => (await jobAt(send, last)).status).toBe('succeeded');
    expect((await send('GET', `${path}/judgements`)).json).toHaveLength(1);
    expect((await send('DELETE', last)).json).toMatchObject({ status: 'succeeded' });
  });

  it(`the first job of a tenant does not wait for all jobs of another with a queue in ${kind}`, async () => {
    covers('INV-JOB.3');
    const [many, one] = [caller('many'), caller('one')];
    const path = await session(many, 'flood');
    const calm = await session(one, 'calm');
    judged.length = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    hold = () => held;
    for (let n = 0; n < 5; n++) await started(many, path);
    await eventually(() => judged.length).toBe(1);
    const job = await started(one, calm);
    release();
    await eventually(async () => (await jobAt(one, job)).status).toBe('succeeded');
    await eventually(() => judged.length).toBe(6);
    hold = () => Promise.resolve();
    // One of the many is running and one lies in the queue before it.
    expect(judged.indexOf('calm')).toBeLessThanOrEqual(2);
  });

  it(`the events of a job with a queue in ${kind} end with it`, async () => {
    covers('INV-JOB.5');
    const send = caller('fifth');
    const path = await session(send, 'streamed');
    const job = await started(send, path);
    const { status, headers, text } = await send('GET', `${job}/events`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text).toMatch(/event: succeeded\ndata: \{.*"status":"succeeded".*\}\n\n$/);
  });

  it(`streams of a colleague on a job with a queue in ${kind} ask for their right once, not at every look`, async () => {
    covers('INV-JOB.10');
    const path = await session(caller('seventh'), 'followed');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    hold = () => held;
    const job = await started(caller('seventh'), path);
    const { permissions } = service.deps;
    let asked = 0;
    const isAllowed = () => Promise.resolve((asked += 1) > 0);
    Object.assign(service.deps, { permissions: { ...permissions, isAllowed } });
    const authorization = `Bearer ${await service.sign({ tenant_id: 'seventh', sub: 'colleague' }, 'at+jwt')}`;
    const streams = await Promise.all(
      [1, 2, 3].map(() => fetch(`${service.url}/api/v1${job}/events`, { headers: { authorization } })),
    );
    await eventually(async () => (await jobAt(caller('seventh'), job)).status).toBe('running');
    release();
    for (const stream of streams) expect(await stream.text()).toContain('event: succeeded');
    Object.assign(service.deps, { permissions });
    hold = () => Promise.resolve();
    expect(asked).toBe(3);
  });

  it(`jobs with a queue in ${kind} are hidden from callers who may not read their session`, async () => {
    covers('INV-JOB.7');
    const send = caller('sixth');
    const path = await session(send, 'hidden');
    const job = await started(send, path);
    const stranger = caller('sixth', 'stranger');
    for (const [method, hidden] of [
      ['GET', job],
      ['GET', `${job}/events`],
      ['DELETE', job],
      ['GET', `${path}/jobs`],
      ['POST', `${path}/judge`],
    ] as const)
      expect([method, hidden, (await stranger(method, hidden, undefined, ASYNC)).status]).toEqual([
        method,
        hidden,
        404,
      ]);
    expect((await send('GET', `${path}/jobs/00000000-0000-4000-8000-000000000000`)).status).toBe(404);
    await eventually(async () => (await jobAt(send, job)).status).toBe('succeeded');
  });

  it(`quotes of a judgement made in the background with a queue in ${kind} are not_checked without a credential wherever they are told`, async () => {
    covers('INV-Q.39');
    const send = caller('eighth');
    const source = { document: 'file_1', selector: { exact: 'said' } };
    const path = await session(send, 'quoting', {
      ...PAYLOAD,
      claims: [
        { ...PAYLOAD.claims[0]!, source },
        { ...PAYLOAD.claims[0]!, id: 'whole', source: { document: 'file_2' } },
      ],
    });
    const job = await started(send, path);
    await eventually(async () => (await jobAt(send, job)).status).toBe('succeeded');
    const { judgement_id } = await jobAt(send, job);
    expect((await send('PUT', `${path}/share`, { public: true })).status).toBe(200);
    const told = new Map<string, string>();
    for (const place of ['quotes', 'judgements/latest', `judgements/${judgement_id}`, 'share'])
      told.set(place, (await send('GET', `${path}/${place}`)).text);
    const { url } = JSON.parse(told.get('share')!) as { url: string };
    told.set('share', await (await fetch(`${service.url}${new URL(url).pathname}.json`)).text());
    for (const [place, text] of told)
      expect([place, text.match(/"reason":\s*"[a-z_]+"/g)?.map((reason) => reason.slice(9).trim())]).toEqual([
        place,
        ['"no_credential"', '"no_credential"'],
      ]);
    expect((await send('GET', `${path}/quotes`)).json).toMatchObject({
      warnings: [
        expect.stringMatching(/^The quote of claim `c` was not checked: it was judged in the background/),
        expect.stringMatching(
          /^Document `file_2`, which the source of claim `whole` names, was not checked: /,
        ),
      ],
    });
  });
});
