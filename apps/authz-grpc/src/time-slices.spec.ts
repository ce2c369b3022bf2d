import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { turnsOf } from '@platform/testing/event-loop';
import { runInTimeSlices } from './time-slices.ts';

describe('work in slices', () => {
  it('each turn of the event loop has one slice of the works that run at once', async () => {
    covers('AUTHZ-G.12');
    const turns: number[] = [];
    /** Steps that each take longer than a slice may. */
    function* work(turn: () => number): Generator<void, void> {
      for (let step = 0; step < 5; step += 1) {
        turns.push(turn());
        for (const from = performance.now(); performance.now() - from < 6;);
        yield;
      }
    }
    await turnsOf((turn) => Promise.all(Array.from({ length: 10 }, () => runInTimeSlices(work(turn)))));
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
