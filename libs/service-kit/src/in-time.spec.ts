import { describe, expect, it } from '@jest/globals';
import { inTime } from './in-time.ts';

describe('inTime', () => {
  it('gives the reply, or its error', async () => {
    expect(await inTime(Promise.resolve(1), 600_000)).toBe(1);
    await expect(inTime(Promise.reject(new Error('refused')), 600_000)).rejects.toThrow('refused');
  });

  it('gives up on who never replies', async () => {
    await expect(inTime(new Promise(() => {}), 5)).rejects.toThrow('no reply within 5 ms');
  });

  it('does not blame others for the time in which this process was busy', async () => {
    const busyUntil = performance.now() + 150;
    const reply = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'late to be read'), 1));
    const waited = inTime(reply, 5);
    while (performance.now() < busyUntil);
    expect(await waited).toBe('late to be read');
  });
});
