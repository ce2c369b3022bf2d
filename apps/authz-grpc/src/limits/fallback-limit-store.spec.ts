import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@platform/service-kit';
import { startRedis } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { createClient } from 'redis';
import { createFallbackLimitStore } from './fallback-limit-store.ts';
import type { QuotaUsage } from '../model/quota.ts';
import type { LimitStore } from './limit-store.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';
import { createLimitStoreClient, linkToRedis } from './redis-limit-link.ts';
import { createRedisLimitStore } from './redis-limit-store.ts';

fc.configureGlobal({ seed: SEED });

const logger = createLogger({ service: 'test', level: 'silent' });
const KEY = 'data_plane:1';

/**
 * A shared limit store that fails and comes back, with its counters or, like a Redis started empty,
 * without.
 */
function losable() {
  let inner = createMemoryLimitStore();
  let isUnavailable = false;
  let isReadOnly = false;
  /** Told about each method before it is passed on. */
  let before: (method: string) => unknown = () => undefined;
  const passing = <K extends Exclude<keyof LimitStore, 'isUnavailable'>>(method: K) =>
    (async (...args: unknown[]) => {
      if (isUnavailable) throw new Error('away');
      await before(method);
      // Settling a mark that is not there writes nothing.
      if (isReadOnly && method === 'commitInvalidation') return undefined;
      if (isReadOnly && method !== 'usage') throw new Error('READONLY');
      const reply = await (inner[method] as (...args: unknown[]) => Promise<unknown>)(...args);
      if (isUnavailable) throw new Error('no connection');
      return reply;
    }) as unknown as LimitStore[K];
  const limits: LimitStore = {
    tryAcquire: passing('tryAcquire'),
    beginInvalidation: passing('beginInvalidation'),
    commitInvalidation: passing('commitInvalidation'),
    seed: passing('seed'),
    usage: passing('usage'),
    isUnavailable: () => false,
    close: async () => undefined,
  };
  return {
    limits,
    leave: () => void (isUnavailable = true),
    refuseWrites: () => void (isReadOnly = true),
    isFailing: () => isUnavailable || isReadOnly,
    comeBack: () => void (isUnavailable = isReadOnly = false),
    lose: () => void (inner = createMemoryLimitStore()),
    intercept: (told: typeof before) => void (before = told),
  };
}

let opened: LimitStore[] = [];
afterEach(async () => {
  await Promise.all(opened.map((limits) => limits.close()));
  opened = [];
});

function open(shared: LimitStore, replicas = 1): LimitStore {
  const limits = createFallbackLimitStore(shared, {
    replicas,
    logger,
    newId: randomUUID,
    onReturn: () => undefined,
  });
  opened.push(limits);
  return limits;
}

/**
 * Makes calls until one is refused, as the decision runner does over a store that holds `stored`, and counts
 * those that were granted.
 */
async function useUp(limits: LimitStore, stored: QuotaUsage, { capacity = 10, epoch = 1, most = 100 } = {}) {
  let granted = 0;
  while (granted < most) {
    const reply = await limits.tryAcquire({
      expectVersions: [],
      rates: [],
      quotas: [{ key: KEY, calls: 1, epoch, capacity }],
    });
    if (reply.kind === 'uninitialized') await limits.seed(KEY, stored);
    else if (reply.kind === 'acquired') granted += 1;
    else break;
  }
  return granted;
}

const untilBack = async (limits: LimitStore) => {
  while (limits.isUnavailable()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('quotas while the shared limit store is unavailable', () => {
  it('quotas continue from what the store holds, shared among the replicas, while the shared limit store is unavailable', async () => {
    covers('AUTHZ-G.6');
    const { limits, leave } = losable();
    leave();
    expect(await useUp(open(limits), { used: 4, epoch: 1 })).toBe(6);
    expect(await useUp(open(limits, 2), { used: 4, epoch: 1 })).toBe(3);
    // The figure of an earlier cycle no longer counts.
    expect(await useUp(open(limits), { used: 10, epoch: 1 }, { epoch: 2 })).toBe(10);
  });

  it.each([
    ['one that was hung, with its counters', false],
    ['one that was started empty', true],
  ])('quotas are taken from the shared counters once the limit store is back: %s', async (_what, isLost) => {
    covers('AUTHZ-G.6');
    const { limits, leave, comeBack, lose } = losable();
    const [one, other] = [open(limits, 2), open(limits, 2)];
    const stored: QuotaUsage = { used: 2, epoch: 1 };
    expect(await useUp(one, stored, { most: 0 })).toBe(0);
    await one.seed(KEY, stored);
    leave();
    expect(await useUp(one, stored, { most: 3 })).toBe(3);
    expect(await useUp(other, stored)).toBe(4);
    if (isLost) lose();
    comeBack();
    await Promise.all([untilBack(one), untilBack(other)]);
    expect(await one.usage([KEY])).toEqual([{ used: 9, epoch: 1 }]);
    expect(await useUp(one, stored)).toBe(1);
  });

  it('quotas are flushed once although the limit store becomes unavailable again meanwhile', async () => {
    const { limits, leave, comeBack, intercept } = losable();
    const one = open(limits);
    const stored: QuotaUsage = { used: 0, epoch: 1 };
    leave();
    expect(await useUp(one, stored, { most: 3 })).toBe(3);
    let isFirst = true;
    intercept((method) => {
      if (method !== 'tryAcquire' || !isFirst) return;
      isFirst = false;
      leave();
      setTimeout(comeBack, 300);
    });
    comeBack();
    await untilBack(one);
    expect(await one.usage([KEY])).toEqual([{ used: 3, epoch: 1 }]);
  });

  it('quotas are granted once over a Redis that turns read-only and back, however often', async () => {
    covers('PLAT-W.11');
    const redis = await startRedis({ ...process.env, TEST_REDIS_URL: undefined });
    const admin = await createClient({ url: redis.url }).connect();
    const client = await createLimitStoreClient(redis.url).connect();
    const one = open(createRedisLimitStore(linkToRedis(client, { timeoutMs: 600_000 })));
    const stored: QuotaUsage = { used: 0, epoch: 1 };
    let granted = await useUp(one, stored, { capacity: 60, most: 10 });
    for (let outage = 0; outage < 3; outage++) {
      await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      // Longer than the limit store takes to ask again.
      for (let wait = 0; wait < 5; wait++) {
        granted += await useUp(one, stored, { capacity: 60, most: 3 });
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      await untilBack(one);
    }
    granted += await useUp(one, stored, { capacity: 60 });
    expect(granted).toBe(60);
    expect(await one.usage([KEY])).toEqual([{ used: 60, epoch: 1 }]);
    admin.destroy();
    await one.close();
    await redis.stop();
  });

  it.each([
    ['keeps its counters', false],
    ['loses its counters', true],
  ])(
    'quotas are granted once although the limit store becomes unavailable again before the next flush, and %s',
    async (_what, isLost) => {
      covers('PLAT-W.11');
      const { limits, leave, comeBack, lose } = losable();
      const one = open(limits);
      // The figure that the store has all the while.
      const stored: QuotaUsage = { used: 0, epoch: 1 };
      let granted = 0;
      for (let outage = 0; outage < 3; outage++) {
        leave();
        granted += await useUp(one, stored, { most: 3 });
        if (isLost) lose();
        comeBack();
        await untilBack(one);
      }
      leave();
      granted += await useUp(one, stored);
      comeBack();
      await untilBack(one);
      expect(granted).toBe(10);
      if (isLost) lose();
      expect(await useUp(one, stored)).toBe(0);
    },
  );

  it('quotas are taken from a limit store that loses its counters while they are given back', async () => {
    const { limits, leave, comeBack, lose, intercept } = losable();
    const one = open(limits);
    const stored: QuotaUsage = { used: 2, epoch: 1 };
    leave();
    expect(await useUp(one, stored, { most: 3 })).toBe(3);
    let isFirst = true;
    intercept((method) => {
      if (method === 'tryAcquire' && isFirst) lose();
      if (method === 'tryAcquire') isFirst = false;
    });
    comeBack();
    await untilBack(one);
    expect(await one.usage([KEY])).toEqual([{ used: 5, epoch: 1 }]);
  });

  it('quotas are not reset by counts of a cycle that has ended', async () => {
    const { limits, leave, comeBack } = losable();
    const [one, other] = [open(limits), open(limits)];
    leave();
    expect(await useUp(one, { used: 0, epoch: 1 }, { most: 3 })).toBe(3);
    comeBack();
    await other.seed(KEY, { used: 5, epoch: 2 });
    await untilBack(one);
    expect(await one.usage([KEY])).toEqual([{ used: 5, epoch: 2 }]);
  });

  it('quotas are exact for calls that arrive during a flush', async () => {
    const { limits, leave, comeBack, intercept } = losable();
    const one = open(limits);
    const stored: QuotaUsage = { used: 0, epoch: 1 };
    leave();
    expect(await useUp(one, stored, { most: 6 })).toBe(6);
    const meanwhile: Promise<number>[] = [];
    intercept((method) => {
      if (method === 'usage') meanwhile.push(useUp(one, stored));
    });
    comeBack();
    await untilBack(one);
    intercept(() => undefined);
    const later = await useUp(one, stored);
    const granted = await Promise.all(meanwhile);
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.reduce((sum, calls) => sum + calls, later)).toBe(4);
  });
});

describe('quotas over any outages', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('quotas are exceeded by no more than what was counted after a flush or a return and before the next outage', async () => {
    covers('PLAT-W.11');
    const capacity = 40;
    const step = fc.oneof(
      fc.nat(40),
      fc.constantFrom('flush', 'refuse', 'refuse writes', 'lose counters', 'come back'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const shared = losable();
        const limits = open(shared.limits);
        let stored: QuotaUsage = { used: 0, epoch: 1 };
        let granted = 0;
        /** What this replica or the store knows of the calls granted. */
        let known = 0;
        let grantsMax = capacity;
        const fail = (how: 'leave' | 'refuseWrites') => {
          shared[how]();
          grantsMax += granted - known;
          known = granted;
        };
        for (const step of [...steps, 'come back', capacity * 5]) {
          const isAway = shared.isFailing();
          if (typeof step === 'number') granted += await useUp(limits, stored, { capacity, most: step });
          else if (step === 'flush' && !isAway && !limits.isUnavailable()) {
            stored = (await limits.usage([KEY]))[0] ?? stored;
            known = granted;
          } else if (step === 'refuse' && !isAway) fail('leave');
          else if (step === 'refuse writes' && !isAway) fail('refuseWrites');
          else if (step === 'lose counters' && isAway) shared.lose();
          else if (step === 'come back') {
            if (limits.isUnavailable()) known = granted;
            shared.comeBack();
            await jest.advanceTimersByTimeAsync(1_000);
            expect(limits.isUnavailable()).toBe(false);
          }
          await jest.advanceTimersByTimeAsync(300);
        }
        expect(granted).toBeGreaterThanOrEqual(capacity);
        expect(granted).toBeLessThanOrEqual(grantsMax);
        await limits.close();
      }),
    );
  });
});

describe('writes while the shared limit store is unavailable', () => {
  it('writes are announced although they end while the shared limit store comes back, and calls continue', async () => {
    const { limits, leave, comeBack, intercept } = losable();
    const one = open(limits);
    const versionOf = async (key: string) => {
      const reply = await limits.tryAcquire({ expectVersions: [[key, '']], rates: [], quotas: [] });
      return reply.kind === 'stale' ? reply.versions.get(key) : undefined;
    };
    const before = [await versionOf('user:1'), await versionOf('user:2')];
    leave();
    await one.commitInvalidation(await one.beginInvalidation(['user:1']));
    const late = await one.beginInvalidation(['user:2']);
    expect(await useUp(one, { used: 0, epoch: 1 }, { most: 2 })).toBe(2);
    // The write ends, and a call comes, while the counts are told.
    const meanwhile: Promise<number>[] = [];
    intercept(async (method) => {
      if (method !== 'usage' || meanwhile.length > 0) return;
      meanwhile.push(useUp(one, { used: 0, epoch: 1 }, { most: 3 }));
      await one.commitInvalidation(late);
    });
    comeBack();
    await untilBack(one);
    expect(await Promise.all(meanwhile)).toEqual([3]);
    expect(await one.usage([KEY])).toEqual([{ used: 5, epoch: 1 }]);
    expect(await versionOf('user:1')).not.toBe(before[0]);
    expect(await versionOf('user:2')).not.toBe(before[1]);
  });

  it('a write is announced at once by a replica that still counts alone when the others use the shared limit store again', async () => {
    covers('AUTHZ-G.13');
    const { limits, leave, comeBack } = losable();
    const one = open(limits);
    leave();
    await one.tryAcquire({ expectVersions: [], rates: [], quotas: [] });
    comeBack();
    const asked = await limits.tryAcquire({ expectVersions: [['user:1', '']], rates: [], quotas: [] });
    const seen = asked.kind === 'stale' ? [...asked.versions] : [];
    const mark = await one.beginInvalidation(['user:1']);
    expect((await limits.tryAcquire({ expectVersions: seen, rates: [], quotas: [] })).kind).toBe('stale');
    await one.commitInvalidation(mark);
    expect(one.isUnavailable()).toBe(true);
  });
});
