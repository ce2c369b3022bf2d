import { describe, expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { createFairLimit, createFairQueue, QueueFull, WaitedTooLong } from './index.ts';

fc.configureGlobal({ seed: SEED });

/** Takes and releases one item after the other until none waits. */
function drain(queue: ReturnType<typeof createFairQueue<string>>): string[] {
  const order: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    order.push(next.item);
    queue.release(next.owner);
  }
  return order;
}

describe('a fair queue', () => {
  it('a fair queue serves owners in turn, and the items of one owner in order', () => {
    const queue = createFairQueue<string>({ capacity: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(name[0]!, name);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('a fair queue serves an owner after all that were served before it, however long its own queue is', () => {
    const queue = createFairQueue<string>({ capacity: 100 });
    queue.serve('a');
    for (const name of ['a2', 'a3', 'b1']) queue.push(name[0]!, name);
    queue.release('a');
    expect(drain(queue)).toEqual(['b1', 'a2', 'a3']);
  });

  it('a fair queue prefers the owner with the least in service', () => {
    const queue = createFairQueue<string>({ capacity: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) queue.push(name[0]!, name);
    expect([1, 2, 3, 4].map(() => queue.take()?.item)).toEqual(['a1', 'b1', 'a2', 'b2']);
    queue.release('b');
    queue.push('b', 'b3');
    expect(queue.take()?.item).toBe('b3');
  });

  it('a fair queue takes at most the allowed number of items of one owner at a time', () => {
    const queue = createFairQueue<string>({ capacity: 100, inServiceMax: 1 });
    for (const name of ['a1', 'a2']) queue.push('a', name);
    expect([queue.take()?.item, queue.take(), queue.serve('a')]).toEqual(['a1', undefined, false]);
    queue.release('a');
    expect(queue.take()?.item).toBe('a2');
  });

  it('a fair queue displaces the newest item of the longest queue, unless that would only swap the roles', () => {
    const queue = createFairQueue<string>({ capacity: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(queue.push('a', name)).toBeUndefined();
    expect([queue.push('a', 'a5'), queue.push('b', 'b1'), queue.push('b', 'b2')]).toEqual(['a5', 'a4', 'a3']);
    // Two places each are an even share.
    expect([queue.push('b', 'b3'), queue.push('c', 'c1')]).toEqual(['b3', 'a2']);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'b2']);
  });

  it('a fair queue lets every owner wait for at most one item of each other owner', () => {
    const arrivals = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 });
    fc.assert(
      fc.property(arrivals, (owners) => {
        const queue = createFairQueue<string>({ capacity: 100 });
        for (const owner of owners) queue.push(owner, owner);
        const order = drain(queue);
        for (const owner of new Set(owners)) {
          const places = order.flatMap((served, place) => (served === owner ? [place] : []));
          for (const [nth, place] of places.entries()) {
            const since = order.slice(nth === 0 ? 0 : places[nth - 1]! + 1, place);
            expect(new Set(since).size).toBe(since.length);
          }
        }
        expect(order.length).toBe(owners.length);
      }),
    );
  });
});

describe('a fair limit', () => {
  it('a fair limit runs at most the allowed number of tasks at a time, owners in turn', async () => {
    const limit = createFairLimit({ concurrency: 1, waitingMax: 10 });
    const order: string[] = [];
    const work = (name: string) => limit.run(name[0]!, async () => void order.push(name));
    const works = ['a1', 'a2', 'a3', 'b1'].map(work);
    expect(limit.load()).toEqual({ inUse: 1, waiting: 3 });
    await Promise.all(works);
    expect([order, limit.load()]).toEqual([['a1', 'b1', 'a2', 'a3'], { inUse: 0, waiting: 0 }]);
  });

  it('a fair limit runs at most as many tasks of one owner at a time as it is told, and others meanwhile', async () => {
    const limit = createFairLimit({ concurrency: 3, inServiceMax: 1, waitingMax: 10 });
    const order: string[] = [];
    const leaves = new Map<string, () => void>();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2'])
      void limit.enter(name[0]!).then((leave) => {
        order.push(name);
        leaves.set(name, leave);
      });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect([order, limit.load()]).toEqual([['a1', 'b1'], { inUse: 2, waiting: 3 }]);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) {
      leaves.get(name)!();
      await settled();
    }
    expect([order, limit.load()]).toEqual([['a1', 'b1', 'a2', 'b2', 'a3'], { inUse: 0, waiting: 0 }]);
  });

  it('a fair limit refuses a task that finds no room, waits too long or is aborted, and frees its place', async () => {
    const limit = createFairLimit({ concurrency: 1, waitingMax: 1, waitMaxMs: 1 });
    const leave = await limit.enter('a');
    const [late, full] = await Promise.allSettled([limit.enter('a'), limit.enter('a')]);
    expect((late as PromiseRejectedResult).reason).toBeInstanceOf(WaitedTooLong);
    expect((full as PromiseRejectedResult).reason).toBeInstanceOf(QueueFull);
    const stop = new AbortController();
    const aborted = limit.enter('a', stop.signal);
    stop.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    leave();
    leave();
    expect(limit.load()).toEqual({ inUse: 0, waiting: 0 });
    expect(await limit.run('a', async () => 'done')).toBe('done');
  });

  it('a fair limit refuses every task that would wait when nothing may wait', async () => {
    const limit = createFairLimit({ concurrency: 1, waitingMax: 0 });
    await limit.enter('a');
    await expect(limit.enter('b')).rejects.toBeInstanceOf(QueueFull);
  });
});
