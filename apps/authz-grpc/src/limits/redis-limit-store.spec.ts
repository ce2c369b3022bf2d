import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type Redis } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { limitStoreContract } from './limit-store.contract.ts';
import { createLimitStoreClient, createRedisLimitStore } from './redis-limit-store.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

limitStoreContract('one Redis, two replicas', async () => {
  const open = async () =>
    // On a busy machine twenty thousand takes wait for each other; when a reply is missing is for
    // fallback-limit-store.spec.ts.
    createRedisLimitStore(await createLimitStoreClient(redis.url).connect(), { timeoutMs: 600_000 });
  return { one: await open(), other: await open() };
});

describe('the limit store in Redis over time', () => {
  it('the limit store in Redis starts a rate anew after a clock that ran ahead is set back', async () => {
    covers('AUTHZ-L.1');
    const client = await createLimitStoreClient(redis.url).connect();
    const limits = createRedisLimitStore(client, { timeoutMs: 600_000 });
    const rates = [{ key: 'ahead', limit: 2, windowMs: 600_000 }];
    const enter = async () => (await limits.tryAcquire({ expectVersions: [], rates, quotas: [] })).kind;
    await client.set('authz:rate:ahead', String((Date.now() + 3_600_000) * 1000));
    expect([await enter(), await enter(), await enter()]).toEqual(['acquired', 'acquired', 'rate_limited']);
    await limits.close();
  });
});
