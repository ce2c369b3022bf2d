import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { runInTimeSlices } from './time-slices.ts';

describe('work in slices', () => {
  it('each turn of the event loop has one slice of the works that run at once', async () => {
    covers('AUTHZ-G.12');
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const turns: number[] = [];
    /** Steps that each take longer than a slice may. */
    function* work(): Generator<void, void> {
      for (let step = 0; step < 5; step += 1) {
        turns.push(turn);
        for (const from = performance.now(); performance.now() - from < 6;);
        yield;
      }
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
    await Promise.all(Array.from({ length: 10 }, () => runInTimeSlices(work())));
    isOver = true;
    // The first slice of each runs where it is called.
    const later = turns.slice(10);
    expect(new Set(later).size).toBe(later.length);
  });

  it('work whose caller is gone ends with the slice in which that happened', async () => {
    covers('AUTHZ-K.18');
    let steps = 0;
    function* work(): Generator<void, void> {
      for (; steps < 1_000; steps += 1) {
        for (const from = performance.now(); performance.now() - from < 6;);
        yield;
      }
    }
    const isGone = () => steps === 3;
    await expect(runInTimeSlices(work(), { isGone })).rejects.toMatchObject({ kind: 'request_timeout' });
    expect(steps).toBe(3);
  });
});
