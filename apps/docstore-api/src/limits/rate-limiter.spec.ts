import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type Redis } from '@platform/testing';
import { createLocalRateLimiter } from './gcra.ts';
import { rateLimiterContract } from './rate-limiter.contract.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';

let time = 1_000_000;
rateLimiterContract(
  'in process',
  async (rate) => createLocalRateLimiter(rate, () => time),
  async (ms) => void (time += ms),
);

let redis: Redis;
const refuseSilence = (error: unknown) => {
  throw error;
};
/** A limiter that is connected: until then it counts in this process. */
async function connected(limiter: RateLimiter): Promise<RateLimiter> {
  await sleep(100);
  return limiter;
}
beforeAll(async () => {
  redis = await startRedis();
}, 60_000);
afterAll(() => redis.stop());

rateLimiterContract(
  'in Redis',
  async (rate) =>
    connected(createRedisRateLimiter(redis.url, { rate, now: Date.now, onUnavailable: refuseSilence })),
  (ms) => sleep(ms),
);

describe('rate limiter in Redis', () => {
  const rate = { perMinute: 1, burst: 10 };

  it('gives one allowance to all replicas', async () => {
    const replicas = await Promise.all(
      [1, 2].map(() =>
        connected(createRedisRateLimiter(redis.url, { rate, now: Date.now, onUnavailable: refuseSilence })),
      ),
    );
    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, n) => replicas[n % 2]!.take('shared')));
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    for (const replica of replicas) await replica.close();
  });

  it('goes on in process and says so when Redis is away', async () => {
    const complaints: unknown[] = [];
    const options = { rate, now: Date.now, onUnavailable: (error: unknown) => complaints.push(error) };
    const limiter = createRedisRateLimiter('redis://127.0.0.1:1', options);
    const verdicts = await Promise.all(Array.from({ length: 12 }, () => limiter.take('alone')));
    expect(verdicts.filter((verdict) => verdict === 0)).toHaveLength(10);
    expect(complaints).toHaveLength(1);
    await limiter.close();
  });
});
