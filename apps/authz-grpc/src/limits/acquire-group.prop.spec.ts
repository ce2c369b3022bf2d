import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { covers } from '@platform/testing/covers';
import { startRedis, type Redis } from '@platform/testing';
import fc from 'fast-check';
import { isPending, type LimitStore, type AcquireResult, type AcquireRequest } from './limit-store.ts';
import { createMemoryLimitStore } from './memory-limit-store.ts';
import { createLimitStoreClient, linkToRedis } from './redis-limit-link.ts';
import { createRedisLimitStore } from './redis-limit-store.ts';

fc.configureGlobal({ seed: SEED });

let redis: Redis;
let shared: LimitStore;
beforeAll(async () => {
  redis = await startRedis();
  const client = await createLimitStoreClient(redis.url).connect();
  shared = createRedisLimitStore(linkToRedis(client, { timeoutMs: 600_000 }));
});
afterAll(async () => {
  await shared.close();
  await redis.stop();
});

/** A call over a few entities, rates and counters; versions are the current one, an old one or none. */
interface Drawn {
  readonly seen: readonly (readonly [entity: number, version: 'current' | 'old' | 'none'])[];
  readonly rates: readonly (readonly [rate: number, limit: number])[];
  readonly takes: readonly {
    readonly counter: number;
    readonly calls: number;
    readonly epoch: number;
    readonly capacity: number;
  }[];
}

const few = fc.nat({ max: 2 });
const drawn: fc.Arbitrary<Drawn> = fc.record({
  seen: fc.uniqueArray(
    fc.tuple(
      few,
      fc.constantFrom<'current' | 'old' | 'none'>('current', 'current', 'current', 'current', 'old', 'none'),
    ),
    { maxLength: 3, selector: ([entity]) => entity },
  ),
  rates: fc.uniqueArray(fc.tuple(few, fc.integer({ min: 1, max: 6 })), {
    maxLength: 2,
    selector: ([rate]) => rate,
  }),
  takes: fc.uniqueArray(
    fc.record({
      counter: few,
      calls: fc.integer({ min: 0, max: 3 }),
      epoch: fc.integer({ min: 1, max: 3 }),
      capacity: fc.integer({ min: 0, max: 12 }),
    }),
    { maxLength: 3, selector: ({ counter }) => counter },
  ),
});

/** Long enough that no call falls due while the test runs. */
const WINDOW_MS = 10 * 86_400_000;

/** What the limit store replies to calls that come at once, and what is in its counters after them. */
async function run(limits: LimitStore, calls: readonly Drawn[], isAtOnce: boolean) {
  const run = randomUUID();
  const name = (kind: string, index: number) => `${kind}-${index}-${run}`;
  const versions = new Map<string, string>();
  for (const entity of [0, 1]) {
    const reply = await limits.tryAcquire({
      expectVersions: [[name('e', entity), '']],
      rates: [],
      quotas: [],
    });
    if (reply.kind === 'stale') for (const [key, version] of reply.versions) versions.set(key, version);
  }
  // The counter 2 is never seeded, the entity 2 unknown before.
  await limits.seed(name('c', 0), { used: 0, epoch: 1 });
  await limits.seed(name('c', 1), { used: 4, epoch: 2 });
  const requests = calls.map(({ seen, rates, takes }): AcquireRequest => ({
    expectVersions: seen.map(([entity, version]) => {
      const key = name('e', entity);
      return [key, version === 'current' ? (versions.get(key) ?? '') : version === 'old' ? 'old' : ''];
    }),
    rates: rates.map(([rate, limit]) => ({ key: name('r', rate), limit, windowMs: WINDOW_MS })),
    quotas: takes.map(({ counter, ...take }) => ({ key: name('c', counter), ...take })),
  }));
  const replies: AcquireResult[] = [];
  if (isAtOnce) replies.push(...(await Promise.all(requests.map((request) => limits.tryAcquire(request)))));
  else for (const request of requests) replies.push(await limits.tryAcquire(request));
  const plain = (key: string) => key.slice(0, 3);
  return {
    replies: replies.map((reply) => {
      if (reply.kind === 'stale') {
        for (const [key, version] of reply.versions)
          expect({ version, isPending: isPending(version) }).toEqual({
            version: versions.get(key) ?? version,
            isPending: false,
          });
        return [reply.kind, ...[...reply.versions.keys()].map(plain)];
      }
      if (reply.kind === 'uninitialized') return [reply.kind, ...reply.keys.map(plain)];
      return reply.kind === 'acquired' ? [reply.kind] : [reply.kind, plain(reply.key)];
    }),
    usage: await limits.usage([name('c', 0), name('c', 1), name('c', 2)]),
  };
}

describe('calls that enter the limit store together', () => {
  it('calls of one group over Redis get the replies and leave the counters that they do one by one in process', async () => {
    covers('AUTHZ-Q.1');
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 40 }), async (calls) => {
        const one = await run(createMemoryLimitStore(), calls, false);
        expect(await run(shared, calls, true)).toEqual(one);
      }),
      { numRuns: soak(2_000, 200) },
    );
  });

  it('calls that are too many for one group all get their own reply', async () => {
    const key = randomUUID();
    await shared.seed(key, { used: 0, epoch: 1 });
    const quotas = [{ key, calls: 1, epoch: 1, capacity: 1_000 }];
    const replies = await Promise.all(
      Array.from({ length: 2_500 }, () => shared.tryAcquire({ expectVersions: [], rates: [], quotas })),
    );
    expect(replies.map(({ kind }) => kind === 'acquired')).toEqual(
      Array.from({ length: 2_500 }, (_, index) => index < 1_000),
    );
  });
});
