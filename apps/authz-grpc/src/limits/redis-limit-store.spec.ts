import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, startRedisCluster, type Redis, type RedisCluster } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { createClient, createCluster } from 'redis';
import { limitStoreContract } from './limit-store.contract.ts';
import type { AcquireRequest, LimitStore } from './limit-store.ts';
import { createLimitStoreClient, linkToCluster, linkToRedis } from './redis-limit-link.ts';
import { createRedisLimitStore } from './redis-limit-store.ts';

// On a busy machine twenty thousand takes wait for each other; when a reply is missing is for
// fallback-limit-store.spec.ts.
const patient = { timeoutMs: 600_000 };
const nothing: AcquireRequest = { expectVersions: [], rates: [], quotas: [] };

let redis: Redis;
let cluster: RedisCluster;
beforeAll(async () => {
  [redis, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
});
afterAll(async () => {
  await redis.stop();
  await cluster.stop();
});

async function openOverRedis(): Promise<LimitStore> {
  const client = await createLimitStoreClient(redis.url).connect();
  return createRedisLimitStore(linkToRedis(client, patient));
}

async function openOverCluster(): Promise<LimitStore> {
  const link = linkToCluster({ url: cluster.url, ...patient, onError: () => undefined });
  await link.opened;
  return createRedisLimitStore(link);
}

limitStoreContract('one Redis, two replicas', async () => ({
  one: await openOverRedis(),
  other: await openOverRedis(),
}));

limitStoreContract('a Redis Cluster of three primaries, two replicas', async () => ({
  one: await openOverCluster(),
  other: await openOverCluster(),
}));

describe('the limit store in Redis over time', () => {
  it('the limit store in Redis starts a rate anew after a clock that ran ahead is set back', async () => {
    covers('AUTHZ-L.1');
    const client = await createClient({ url: redis.url }).connect();
    const limits = await openOverRedis();
    const rates = [{ key: 'ahead', limit: 2, windowMs: 600_000 }];
    const enter = async () => (await limits.tryAcquire({ ...nothing, rates })).kind;
    await client.set('authz:rate:ahead', String((Date.now() + 3_600_000) * 1000));
    expect([await enter(), await enter(), await enter()]).toEqual(['acquired', 'acquired', 'rate_limited']);
    client.destroy();
    await limits.close();
  });
});

describe('a Redis that continues with older data', () => {
  it('no version that was seen before Redis went back to older data is current after it, and counters are read from the store again', async () => {
    covers('AUTHZ-G.13');
    // A replica that is promoted has a copy, which may lack the last writes.
    const own = await startRedis({ ...process.env, TEST_REDIS_URL: undefined });
    const copy = await startRedis({ ...process.env, TEST_REDIS_URL: undefined });
    const replica = await createClient({ url: copy.url }).connect();
    const open = async (url: string) =>
      createRedisLimitStore(linkToRedis(await createLimitStoreClient(url).connect(), patient));
    const before = await open(own.url);
    const asked = await before.tryAcquire({ ...nothing, expectVersions: [['user:1', '']] });
    const versions = asked.kind === 'stale' ? [...asked.versions] : [];
    await before.seed('user_plane:1', { used: 3, epoch: 1 });
    await replica.sendCommand(['REPLICAOF', '127.0.0.1', String(own.port)]);
    while (!(await replica.info('replication')).includes('master_link_status:up'));
    await replica.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await before.commitInvalidation(await before.beginInvalidation(['user:1']));
    const after = await open(copy.url);
    expect((await after.tryAcquire({ ...nothing, expectVersions: versions })).kind).toBe('stale');
    const quotas = [{ key: 'user_plane:1', calls: 1, epoch: 1, capacity: 10 }];
    expect((await after.tryAcquire({ ...nothing, quotas })).kind).toBe('uninitialized');
    await after.seed('user_plane:1', { used: 2, epoch: 1 });
    expect(await after.usage(['user_plane:1'])).toEqual([{ used: 3, epoch: 1 }]);
    replica.destroy();
    await before.close();
    await after.close();
    await own.stop();
    await copy.stop();
  });
});

describe('the limit store over a cluster', () => {
  it('the limit store over a cluster has parts on every primary, and finds the keys of a call in one slot', async () => {
    covers('PLAT-S.1');
    const link = linkToCluster({ url: cluster.url, ...patient, onError: () => undefined });
    await link.opened;
    const client = await createCluster({ rootNodes: [{ url: cluster.url.split(',')[0]! }] }).connect();
    const slots = await Promise.all(
      link.tags.map((tag) =>
        client.sendCommand(undefined, true, ['CLUSTER', 'KEYSLOT', `authz:rate:${tag}x`]),
      ),
    );
    expect(slots.map((slot) => Math.floor(Number(slot) / 1_024))).toEqual(
      Array.from({ length: 16 }, (_, sixteenth) => sixteenth),
    );
    client.destroy();
    await link.close();
  });

  it('a state that was loaded in one part is stale in another until it is loaded there, and then current in both', async () => {
    covers('PLAT-S.1');
    const [one, other] = [await openOverCluster(), await openOverCluster()];
    const enter = (limits: LimitStore, home: string, version: string) =>
      limits.tryAcquire({ ...nothing, home, expectVersions: [['user:9', version]] });
    // Ids of tenants in different parts.
    const homes = ['a', 'b', 'c', 'd', 'e', 'f'];
    let version = '';
    for (const home of homes) {
      const reply = await enter(one, home, version);
      if (reply.kind === 'stale') version = reply.versions.get('user:9')!;
    }
    for (const home of homes) expect((await enter(one, home, version)).kind).toBe('acquired');
    const mark = await other.beginInvalidation(['user:9']);
    for (const home of homes) expect((await enter(one, home, version)).kind).toBe('stale');
    await other.commitInvalidation(mark);
    for (const home of homes) expect((await enter(one, home, version)).kind).toBe('stale');
    await one.close();
    await other.close();
  });
});
