import { describe, expect, it } from '@jest/globals';
import { withTimeout } from './with-timeout.ts';

describe('withTimeout', () => {
  it('withTimeout returns the reply, or its error', async () => {
    expect(await withTimeout(Promise.resolve(1), 600_000)).toBe(1);
    await expect(withTimeout(Promise.reject(new Error('refused')), 600_000)).rejects.toThrow('refused');
  });

  it('withTimeout times out without a reply', async () => {
    await expect(withTimeout(new Promise(() => {}), 5)).rejects.toThrow('no reply within 5 ms');
  });

  it('withTimeout does not count the time in which this process was busy', async () => {
    const busyUntil = performance.now() + 150;
    const reply = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'late to be read'), 1));
    const waited = withTimeout(reply, 5);
    while (performance.now() < busyUntil);
    expect(await waited).toBe('late to be read');
  });

  it('withTimeout ends in a process that is always busy', async () => {
    let isOver = false;
    const hold = () => {
      const until = performance.now() + 50;
      while (performance.now() < until);
      if (!isOver) setImmediate(hold);
    };
    hold();
    await expect(withTimeout(new Promise(() => {}), 5)).rejects.toThrow('no reply within 5 ms');
    isOver = true;
  });
});
