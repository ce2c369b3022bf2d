import { describe, expect, it } from '@jest/globals';
import { createLimit } from './limit.ts';

/** A limit of one work at a time, the works begun so far, and what ends the one that is at work. */
function oneAtATime(options: { waitingMax: number; waitingMaxEach?: number }) {
  const begun: string[] = [];
  let end = () => undefined as void;
  const limited = createLimit({ ...options, atOnce: 1, tooMany: () => new Error('too many') });
  const run = (name: string, owner?: string) =>
    limited(() => {
      begun.push(name);
      return new Promise<void>((resolve) => (end = resolve));
    }, owner);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    begun,
    run,
    async next() {
      end();
      await settle();
    },
  };
}

describe('a limit', () => {
  it('serves those who wait in turn, first come, first served', async () => {
    const { begun, run, next } = oneAtATime({ waitingMax: 3 });
    const works = ['1', '2', '3', '4'].map((name) => run(name));
    await expect(run('5')).rejects.toThrow('too many');
    for (let i = 0; i < 4; i += 1) await next();
    await Promise.all(works);
    expect(begun).toEqual(['1', '2', '3', '4']);
  });

  it('serves the owners of works in turn, however many works one of them has', async () => {
    const { begun, run, next } = oneAtATime({ waitingMax: 100 });
    const works = ['a1', 'a2', 'a3', 'a4'].map((name) => run(name, 'a'));
    works.push(run('b1', 'b'), run('b2', 'b'), run('c1', 'c'));
    await next();
    works.push(run('d1', 'd'), run('c2', 'c'));
    for (let i = 0; i < 8; i += 1) await next();
    await Promise.all(works);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'd1', 'b2', 'c2', 'a3', 'a4']);
  });

  it('leaves places to the others when one owner has taken his', async () => {
    const { begun, run, next } = oneAtATime({ waitingMax: 4, waitingMaxEach: 2 });
    const works = ['a1', 'a2', 'a3'].map((name) => run(name, 'a'));
    await expect(run('a4', 'a')).rejects.toThrow('too many');
    works.push(run('b1', 'b'), run('c1', 'c'));
    await expect(run('d1', 'd')).rejects.toThrow('too many');
    for (let i = 0; i < 5; i += 1) await next();
    await Promise.all(works);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('forgets one who has waited too long', async () => {
    let end = () => undefined as void;
    const limited = createLimit({
      atOnce: 1,
      waitingMax: 1,
      waitMs: 1,
      tooMany: () => new Error('too many'),
      tooLong: () => new Error('too long'),
    });
    const first = limited(() => new Promise<void>((resolve) => (end = resolve)), 'a');
    await expect(limited(() => Promise.resolve(), 'b')).rejects.toThrow('too long');
    const next = limited(() => Promise.resolve('done'), 'b');
    end();
    await first;
    expect(await next).toBe('done');
  });
});
