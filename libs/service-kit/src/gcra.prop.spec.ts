import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type Redis } from '@platform/testing';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { createClient } from 'redis';
import { GCRA_LUA, stepGcra, type GcraPace } from './gcra.ts';

fc.configureGlobal({ seed: SEED });

/** Which requests pass, and how long the others would have to wait. */
type Waits = number[];

/**
 * The other formulation of ITU-T I.371, the continuous-state leaky bucket: what is in the bucket runs out
 * with time, a request that finds at most `tolerance` in it adds `interval`.
 */
function leakyBucket(times: readonly number[], { interval, tolerance }: GcraPace): Waits {
  let [content, last] = [0, 0];
  return times.map((time) => {
    const left = Math.max(0, content - (time - last));
    if (left > tolerance) return left - tolerance;
    [content, last] = [left + interval, time];
    return 0;
  });
}

function inProcess(times: readonly number[], pace: GcraPace): Waits {
  let stored: number | undefined;
  return times.map((time) => {
    const { next, wait } = stepGcra(stored, time, pace);
    if (wait > 0) return wait;
    stored = next;
    return 0;
  });
}

const START = 1_800_000_000_000_000;
/** Microseconds between requests, at once and long pauses included; whole, so that no sum is rounded. */
const times = fc
  .array(
    fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 100_000_000 })),
    { minLength: 1, maxLength: 60 },
  )
  .map((pauses) => {
    let time = START;
    return pauses.map((pause) => (time += pause));
  });
const pace = fc
  .record({ interval: fc.integer({ min: 1, max: 60_000_000 }), burst: fc.integer({ min: 1, max: 50 }) })
  .map(({ interval, burst }) => ({ interval, tolerance: interval * (burst - 1) }));

let redis: Redis;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  redis = await startRedis();
  client = createClient({ url: redis.url });
  await client.connect();
});
afterAll(async () => {
  client.destroy();
  await redis.stop();
});

describe('the generic cell rate algorithm', () => {
  it('the step lets through what a leaky bucket lets through, and tells the same waits', () => {
    fc.assert(
      fc.property(times, pace, (at, limit) => expect(inProcess(at, limit)).toEqual(leakyBucket(at, limit))),
    );
  });

  it('the script step in Redis returns what the step in process returns, set-back clocks included', async () => {
    const script = `${GCRA_LUA}
      local next, wait = step_gcra(ARGV[1] ~= '' and ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
      return {string.format('%.17g', next), string.format('%.17g', wait)}`;
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: -200_000_000, max: 200_000_000 }), { nil: undefined }),
        pace,
        async (ahead, limit) => {
          const stored = ahead === undefined ? undefined : START + ahead;
          const args = [stored ?? '', START, limit.interval, limit.tolerance].map(String);
          const reply = (await client.eval(script, { arguments: args })) as string[];
          const { next, wait } = stepGcra(stored, START, limit);
          expect(reply.map(Number)).toEqual([next, wait]);
        },
      ),
      { numRuns: soak(1_000, 100) },
    );
  });

  it('an arrival of a clock that was set back far gives a whole burst again, of one set back a little none', () => {
    const limit = { interval: 10, tolerance: 90 };
    const full = START + 100;
    expect(stepGcra(full, START, limit).wait).toBe(10);
    expect(stepGcra(full, START - 100, limit).wait).toBe(110);
    expect(stepGcra(full, START - 101, limit)).toEqual({ next: START - 91, wait: -90 });
  });
});
