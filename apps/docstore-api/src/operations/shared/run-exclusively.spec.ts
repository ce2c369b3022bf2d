import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { runExclusively } from './run-exclusively.ts';

describe('runExclusively', () => {
  it('runExclusively runs work under one key in the order of its calls, also after work that failed', async () => {
    covers('DOC-D.63');
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await nextTick();
      events.push(`${name} ends`);
      if (name === 'a') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => runExclusively('k', work(name))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('runExclusively lets work under two keys run at once', async () => {
    covers('DOC-D.63');
    let isReleased = false;
    const first = runExclusively('one', async () => {
      while (!isReleased) await nextTick();
    });
    await runExclusively('other', async () => void (isReleased = true));
    await first;
  });
});
