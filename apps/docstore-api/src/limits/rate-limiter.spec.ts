import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRedis, startRedisCluster, type Redis, type RedisCluster } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { createClient } from 'redis';
import { clientOf, startTestService } from '../test-service.fixture.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import { rateLimiterContract } from './rate-limiter.contract.ts';
import type { Rate, RateLimiter } from './rate-limiter.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';

let time = 1_000_000;
rateLimiterContract(
  'in process',
  async (rate) => createLocalRateLimiter(rate, () => time),
  async (ms) => void (time += ms),
);

let redis: Redis;
let cluster: RedisCluster;
/** Counts in Redis or not at all: however late a busy machine has the reply, it is waited for. */
const patient = {
  now: Date.now,
  replyMsMax: 600_000,
  onError: (error: unknown) => {
    throw error;
  },
};
/** Lets at least `ms` of the clock pass that Redis reads; a timer may fire a little sooner. */
async function sleepAtLeast(ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() <= end;) await sleep(end - Date.now() + 1);
}
async function secondsOf(limiter: RateLimiter, subject: string): Promise<number> {
  return (await limiter.take(subject, 'same')).seconds;
}
/** A limiter that is connected: until then it counts in this process. */
async function connected(limiter: RateLimiter): Promise<RateLimiter> {
  while (limiter.isRedisUnavailable()) await sleep(10);
  return limiter;
}
beforeAll(async () => {
  [redis, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
});
afterAll(async () => {
  await redis.stop();
  await cluster.stop();
});

rateLimiterContract(
  'in Redis',
  async (rate) => connected(createRedisRateLimiter(redis.url, { rate, ...patient })),
  sleepAtLeast,
);

const ofCluster = (rate: Rate) =>
  connected(createRedisRateLimiter(cluster.url, { rate, isCluster: true, ...patient }));
rateLimiterContract('in a Redis Cluster', ofCluster, sleepAtLeast);

describe('rate limiter in a Redis Cluster', () => {
  it('a rate limiter in a Redis Cluster gives each of many subjects one allowance over all replicas', async () => {
    covers('PLAT-S.1');
    const replicas = await Promise.all([1, 2].map(() => ofCluster({ perMinute: 1, burst: 10 })));
    for (const subject of ['a', 'b', 'c', 'd']) {
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, n) => secondsOf(replicas[n % 2]!, subject)),
      );
      expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    }
    for (const replica of replicas) await replica.close();
  });
});

describe('rate limiter in Redis', () => {
  const rate = { perMinute: 1, burst: 10 };

  it('rate limiter in Redis gives one allowance to all replicas', async () => {
    const replicas = await Promise.all(
      [1, 2].map(() => connected(createRedisRateLimiter(redis.url, { rate, ...patient }))),
    );
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, n) => secondsOf(replicas[n % 2]!, 'shared')),
    );
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    for (const replica of replicas) await replica.close();
  });

  it('the rate limiter in Redis starts a subject anew after a clock that ran ahead is set back', async () => {
    const limiter = await connected(createRedisRateLimiter(redis.url, { rate, ...patient }));
    const other = await createClient({ url: redis.url }).connect();
    await other.set('docstore:rate:{ahead}', String(Date.now() + 3_600_000));
    const verdicts: number[] = [];
    for (let n = 0; n < 11; n++) verdicts.push(await secondsOf(limiter, 'ahead'));
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    other.destroy();
    await limiter.close();
  });

  it('the rate limiter in Redis can be closed while it connects', async () => {
    const complaints: unknown[] = [];
    // Takes connections and says nothing.
    const silent = createServer().listen(0, '127.0.0.1');
    const greeted = new Promise<Socket>((resolve) =>
      silent.once('connection', (socket) => socket.once('data', () => resolve(socket))),
    );
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const options = { rate, now: Date.now, onError: (error: unknown) => complaints.push(error) };
    const limiter = createRedisRateLimiter(`redis://127.0.0.1:${port}`, options);
    const socket = await greeted;
    const ended = once(socket, 'close');
    await limiter.close();
    await ended;
    expect(complaints).toEqual([]);
    silent.close();
  });

  it('the rate limiter in Redis counts in the process and says what is wrong while Redis is unavailable', async () => {
    const complaints: unknown[] = [];
    const options = { rate, now: Date.now, onError: (error: unknown) => complaints.push(error) };
    const limiter = createRedisRateLimiter('redis://127.0.0.1:1', options);
    const verdicts = await Promise.all(Array.from({ length: 12 }, () => secondsOf(limiter, 'alone')));
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    await eventually(() => complaints.at(-1)).toMatchObject({ code: 'ECONNREFUSED' });
    expect(limiter.isRedisUnavailable()).toBe(true);
    await limiter.close();
  });

  it('the rate limiter counts in process when Redis hangs, without delaying every request, and returns to Redis afterwards', async () => {
    let time = 0;
    const options = { rate, now: () => time, onError: () => undefined };
    const limiter = await connected(createRedisRateLimiter(redis.url, options));
    // On a busy machine Redis may seem to hang before it is made to.
    const returned = async () => {
      do time += 1_000;
      while ((await limiter.take('other', 'same'), limiter.isRedisUnavailable()));
    };
    await returned();
    expect(await secondsOf(limiter, 'patient')).toBe(0);
    const other = await createClient({ url: redis.url }).connect();
    const asked = async () => Number(/cmdstat_eval:calls=(\d+)/.exec(await other.info('commandstats'))![1]);
    const before = await asked();
    await other.sendCommand(['CLIENT', 'PAUSE', '3000', 'ALL']);
    const verdicts: number[] = [];
    for (let n = 0; n < 12; n++) verdicts.push(await secondsOf(limiter, 'patient'));
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    expect(limiter.isRedisUnavailable()).toBe(true);
    // Redis responds to this one when its pause is over, unless the connection was made anew before.
    const meanwhile = await asked();
    expect(meanwhile).toBeLessThanOrEqual(before + 1);
    await returned();
    expect(await asked()).toBeGreaterThan(meanwhile);
    other.destroy();
    await limiter.close();
  });
});

describe('a rate limiter without requests', () => {
  it('a rate limiter reports Redis as available again although no request asks for it', async () => {
    const options = { rate: { perMinute: 1, burst: 10 }, now: Date.now, onError: () => undefined };
    const limiter = await connected(createRedisRateLimiter(redis.url, options));
    const other = await createClient({ url: redis.url }).connect();
    await other.sendCommand(['CLIENT', 'PAUSE', '1500', 'ALL']);
    while (!limiter.isRedisUnavailable()) await limiter.take('quiet', 'same');
    while (limiter.isRedisUnavailable()) await sleep(50);
    other.destroy();
    await limiter.close();
  });
});

describe('a rate limiter over a Redis that takes no writes', () => {
  it('a rate limiter counts in the process, and reports Redis as unavailable, until Redis takes writes again', async () => {
    covers('PLAT-W.11');
    const own = await startRedis({ ...process.env, TEST_REDIS_URL: undefined });
    const options = { rate: { perMinute: 1, burst: 10 }, now: Date.now, onError: () => undefined };
    const limiter = await connected(createRedisRateLimiter(own.url, options));
    const admin = await createClient({ url: own.url }).connect();
    await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
    await limiter.take('quiet', 'same');
    // Longer than the limiter takes to ask again.
    for (let wait = 0; wait < 25; wait++) {
      expect(limiter.isRedisUnavailable()).toBe(true);
      await sleep(100);
    }
    await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await eventually(() => limiter.isRedisUnavailable()).toBe(false);
    admin.destroy();
    await limiter.close();
    await own.stop();
  });
});

describe('rates counted in process', () => {
  it('rates counted in process do not grow when the clock is set back', async () => {
    let setBackMs = 0;
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() - setBackMs);
    const service = await startTestService('pglite:memory://', { DOCSTORE_REQUESTS_PER_MINUTE: '1' });
    const { send } = await clientOf(service);
    expect((await send('GET', '/v1/usage')).status).toBe(200);
    setBackMs = 3_600_000;
    const again = await send('GET', '/v1/usage');
    jest.restoreAllMocks();
    expect(Number(again.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    await service.close();
  });
});
