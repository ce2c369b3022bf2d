import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

/** Counts up with each call: a state that changes later, or a clock. */
const counter = () => {
  let count = 0;
  return () => (count += 1);
};

describe('eventually', () => {
  it('eventually resolves to the first value that passes', async () => {
    const read = counter();
    expect(await eventually(read).toBeGreaterThan(2)).toBe(3);
    expect(await eventually(async () => read()).not.toBe(4)).toBe(5);
    expect(read()).toBe(6);
  });

  it('eventually fails at its limit with the last value read and the line of the test', async () => {
    const patience = { limitMs: 3, now: counter() };
    const failure: Error = await eventually(counter(), patience)
      .toBe('never')
      .then(
        () => new Error('it passed'),
        (error: Error) => error,
      );
    expect(failure.message).toContain('Received: 3');
    expect(failure.stack!.split('\n').find((line) => line.includes(' at '))).toContain('eventually.spec.ts');
  });

  it('eventually does not read again after a read that failed', async () => {
    const read = counter();
    const broken = () => Promise.reject(new Error(`read ${read()}`));
    await expect(eventually(broken).toBe(1)).rejects.toThrow('read 1');
  });
});
