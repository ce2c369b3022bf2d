import { afterAll, beforeAll } from '@jest/globals';
import { startRedis, type Redis } from '@platform/testing';
import { gateContract } from './gate.contract.ts';
import { createGateClient, createRedisGate } from './redis-gate.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

gateContract('one Redis, two replicas', async () => {
  const open = async () =>
    // On a busy machine twenty thousand takes wait for each other; when a reply is missing is for fallback-gate.spec.ts.
    createRedisGate(await createGateClient(redis.url).connect(), { timeoutMs: 600_000 });
  return { one: await open(), other: await open() };
});
