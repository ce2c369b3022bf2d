/** What a call and a write cost at the limit store over one Redis and over a cluster of three primaries. */
import { randomUUID } from 'node:crypto';
import { startRedis, startRedisCluster, type BenchRow } from '@platform/testing';
import type { AcquireRequest, LimitStore } from '../src/limits/limit-store.ts';
import { createLimitStoreClient, linkToCluster, linkToRedis } from '../src/limits/redis-limit-link.ts';
import { createRedisLimitStore } from '../src/limits/redis-limit-store.ts';

const IN_FLIGHT = 64;
const ROUNDS = 5;
const ROUND_MS = 400;
const WRITES = 200;
const TENANTS = 50;
const timeoutMs = 60_000;

/** Calls in a second by store and caller, and milliseconds of a write, in rounds that take turns. */
export async function run(): Promise<BenchRow[]> {
  const [redis, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
  const client = await createLimitStoreClient(redis.url).connect();
  const link = linkToCluster({ url: cluster.url, timeoutMs, onError: () => undefined });
  await link.opened;
  const stores = {
    'one Redis': createRedisLimitStore(linkToRedis(client, { timeoutMs })),
    'a cluster': createRedisLimitStore(link),
  };
  try {
    const rates = new Map<string, number[]>();
    const writes = new Map<string, number[]>();
    const calls = new Map<string, AcquireRequest[]>();
    for (const [name, limits] of Object.entries(stores))
      for (const isUser of [true, false]) calls.set(`${name} ${isUser}`, await requestsOf(limits, isUser));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, limits] of Object.entries(stores)) {
        for (const isUser of [true, false]) {
          const key = `${name} ${isUser}`;
          rates.set(key, [...(rates.get(key) ?? []), await callsPerSecond(limits, calls.get(key)!)]);
        }
        writes.set(name, [...(writes.get(name) ?? []), await writeMs(limits)]);
      }
    const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    const row = (name: string, value: number, unit: string): BenchRow => ({
      name,
      value,
      unit,
      target: '',
      pass: true,
      detail: `median of ${ROUNDS} rounds, ${TENANTS} tenants`,
    });
    return Object.keys(stores).flatMap((name) => [
      row(
        `calls of users over ${name}, ${IN_FLIGHT} in flight`,
        middle(rates.get(`${name} true`)!),
        'calls/s',
      ),
      row(
        `calls of accounts over ${name}, ${IN_FLIGHT} in flight`,
        middle(rates.get(`${name} false`)!),
        'calls/s',
      ),
      row(`a revocation over ${name}, both halves`, middle(writes.get(name)!), 'ms'),
    ]);
  } finally {
    for (const limits of Object.values(stores)) await limits.close();
    await redis.stop();
    await cluster.stop();
  }
}

/** Calls of users count theirs too. Five versions each, as a check has. */
async function requestsOf(limits: LimitStore, isUser: boolean): Promise<AcquireRequest[]> {
  const capacity = Number.MAX_SAFE_INTEGER;
  return Promise.all(
    Array.from({ length: TENANTS }, async () => {
      const [tenant, user] = [randomUUID(), randomUUID()];
      const keys = [`data_plane:${tenant}`, ...(isUser ? [`user_plane:${user}`] : [])];
      const entities = [
        'signing_key:1',
        `credential:${user}`,
        `subject:${user}`,
        `tenant:${tenant}`,
        'epoch:tenant',
      ];
      const rates = [{ key: tenant, limit: 1_000_000_000, windowMs: 1_000 }];
      const quotas = keys.map((key) => ({ key, calls: 1, epoch: 1, capacity }));
      for (const key of keys) await limits.seed(key, { used: 0, epoch: 1 });
      const unknown = entities.map((key) => [key, ''] as const);
      const asked = await limits.tryAcquire({ home: tenant, expectVersions: unknown, rates: [], quotas: [] });
      if (asked.kind !== 'stale') throw new Error(asked.kind);
      return { home: tenant, expectVersions: [...asked.versions], rates, quotas };
    }),
  );
}

async function callsPerSecond(limits: LimitStore, requests: readonly AcquireRequest[]): Promise<number> {
  const from = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() - from < ROUND_MS) {
        const { kind } = await limits.tryAcquire(requests[done++ % requests.length]!);
        if (kind !== 'acquired') throw new Error(kind);
      }
    }),
  );
  return (done / (performance.now() - from)) * 1_000;
}

async function writeMs(limits: LimitStore): Promise<number> {
  const from = performance.now();
  for (let write = 0; write < WRITES; write++)
    await limits.commitInvalidation(await limits.beginInvalidation([`credential:${randomUUID()}`]));
  return (performance.now() - from) / WRITES;
}
