import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type Redis } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { gateContract } from './gate.contract.ts';
import { createGateClient, createRedisGate } from './redis-gate.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

gateContract('one Redis, two replicas', async () => {
  const open = async () =>
    // On a busy machine twenty thousand takes wait for each other; when a reply is missing is for
    // fallback-gate.spec.ts.
    createRedisGate(await createGateClient(redis.url).connect(), { timeoutMs: 600_000 });
  return { one: await open(), other: await open() };
});

describe('the gate in Redis over time', () => {
  it('the gate in Redis starts a rate anew after a clock that ran ahead is set back', async () => {
    covers('AUTHZ-L.1');
    const client = await createGateClient(redis.url).connect();
    const gate = createRedisGate(client, { timeoutMs: 600_000 });
    const rates = [{ key: 'ahead', limit: 2, windowMs: 600_000 }];
    const enter = async () => (await gate.enter({ seen: [], rates, takes: [] })).kind;
    await client.set('authz:rate:ahead', String((Date.now() + 3_600_000) * 1000));
    expect([await enter(), await enter(), await enter()]).toEqual(['entered', 'entered', 'rate_limited']);
    await gate.close();
  });
});
