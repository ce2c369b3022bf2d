import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { covers } from '@platform/testing/covers';
import { startRedis, type Redis } from '@platform/testing';
import fc from 'fast-check';
import { isPending, type Gate, type GateReply, type GateRequest } from './gate.ts';
import { createMemoryGate } from './memory-gate.ts';
import { createGateClient, createRedisGate } from './redis-gate.ts';

fc.configureGlobal({ seed: SEED });

let redis: Redis;
let shared: Gate;
beforeAll(async () => {
  redis = await startRedis();
  shared = createRedisGate(await createGateClient(redis.url).connect(), { timeoutMs: 600_000 });
});
afterAll(async () => {
  await shared.close();
  await redis.stop();
});

/** A call over a few entities, rates and counters; stamps are the current one, an old one or none. */
interface Drawn {
  readonly seen: readonly (readonly [entity: number, stamp: 'current' | 'old' | 'none'])[];
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
      calls: fc.integer({ min: 1, max: 3 }),
      epoch: fc.integer({ min: 1, max: 3 }),
      capacity: fc.integer({ min: 0, max: 12 }),
    }),
    { maxLength: 3, selector: ({ counter }) => counter },
  ),
});

/** Long enough that no call falls due while the test runs. */
const WINDOW_MS = 10 * 86_400_000;

/** What the gate replies to calls that come at once, and what is in its counters after them. */
async function run(gate: Gate, calls: readonly Drawn[], isAtOnce: boolean) {
  const run = randomUUID();
  const name = (kind: string, index: number) => `${kind}-${index}-${run}`;
  const stamps = new Map<string, string>();
  for (const entity of [0, 1]) {
    const reply = await gate.enter({ seen: [[name('e', entity), '']], rates: [], takes: [] });
    if (reply.kind === 'stale') for (const [key, stamp] of reply.stamps) stamps.set(key, stamp);
  }
  // The counter 2 is never seeded, the entity 2 unknown before.
  await gate.seed(name('c', 0), { used: 0, epoch: 1 });
  await gate.seed(name('c', 1), { used: 4, epoch: 2 });
  const requests = calls.map(({ seen, rates, takes }): GateRequest => ({
    seen: seen.map(([entity, stamp]) => {
      const key = name('e', entity);
      return [key, stamp === 'current' ? (stamps.get(key) ?? '') : stamp === 'old' ? 'old' : ''];
    }),
    rates: rates.map(([rate, limit]) => ({ key: name('r', rate), limit, windowMs: WINDOW_MS })),
    takes: takes.map(({ counter, ...take }) => ({ key: name('c', counter), ...take })),
  }));
  const replies: GateReply[] = [];
  if (isAtOnce) replies.push(...(await Promise.all(requests.map((request) => gate.enter(request)))));
  else for (const request of requests) replies.push(await gate.enter(request));
  const plain = (key: string) => key.slice(0, 3);
  return {
    replies: replies.map((reply) => {
      if (reply.kind === 'stale') {
        for (const [key, stamp] of reply.stamps)
          expect({ stamp, isPending: isPending(stamp) }).toEqual({
            stamp: stamps.get(key) ?? stamp,
            isPending: false,
          });
        return [reply.kind, ...[...reply.stamps.keys()].map(plain)];
      }
      if (reply.kind === 'unseeded') return [reply.kind, ...reply.keys.map(plain)];
      return reply.kind === 'entered' ? [reply.kind] : [reply.kind, plain(reply.key)];
    }),
    usage: await gate.usage([name('c', 0), name('c', 1), name('c', 2)]),
  };
}

describe('calls that enter the gate together', () => {
  it('calls of one group over Redis get the replies and leave the counters that they do one by one in process', async () => {
    covers('AUTHZ-Q.1');
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 40 }), async (calls) => {
        const one = await run(createMemoryGate(), calls, false);
        expect(await run(shared, calls, true)).toEqual(one);
      }),
      { numRuns: soak(2_000, 200) },
    );
  });

  it('calls that are too many for one group all get their own reply', async () => {
    const key = randomUUID();
    await shared.seed(key, { used: 0, epoch: 1 });
    const takes = [{ key, calls: 1, epoch: 1, capacity: 1_000 }];
    const replies = await Promise.all(
      Array.from({ length: 2_500 }, () => shared.enter({ seen: [], rates: [], takes })),
    );
    expect(replies.map(({ kind }) => kind === 'entered')).toEqual(
      Array.from({ length: 2_500 }, (_, index) => index < 1_000),
    );
  });
});
