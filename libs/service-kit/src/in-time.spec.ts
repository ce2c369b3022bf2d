import { describe, expect, it } from '@jest/globals';
import { inTime } from './in-time.ts';

describe('inTime', () => {
  it('inTime returns the reply, or its error', async () => {
    expect(await inTime(Promise.resolve(1), 600_000)).toBe(1);
    await expect(inTime(Promise.reject(new Error('refused')), 600_000)).rejects.toThrow('refused');
  });

  it('inTime times out without a reply', async () => {
    await expect(inTime(new Promise(() => {}), 5)).rejects.toThrow('no reply within 5 ms');
  });

  it('inTime does not count the time in which this process was busy', async () => {
    const busyUntil = performance.now() + 150;
    const reply = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'late to be read'), 1));
    const waited = inTime(reply, 5);
    while (performance.now() < busyUntil);
    expect(await waited).toBe('late to be read');
  });

  it('inTime ends in a process that is always busy', async () => {
    let isOver = false;
    const hold = () => {
      const until = performance.now() + 50;
      while (performance.now() < until);
      if (!isOver) setImmediate(hold);
    };
    hold();
    await expect(inTime(new Promise(() => {}), 5)).rejects.toThrow('no reply within 5 ms');
    isOver = true;
  });
});
