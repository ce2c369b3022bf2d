import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createComputePool, type ComputePool } from './compute-pool.ts';

describe('the compute pool', () => {
  let compute: ComputePool;
  beforeAll(() => {
    compute = createComputePool({ taskTimeoutMs: 600_000, waitingMax: 4 });
  });
  afterAll(() => compute.close());

  it('the compute pool runs heavy work for each owner in turn, and the owner with the longest queue makes room for others', async () => {
    const done: string[] = [];
    const merge = (owner: string, name: string) =>
      compute.merge(owner, '', name, '').then(
        () => done.push(name),
        (error: { kind: string }) => done.push(`${name}: ${error.kind}`),
      );
    // One at work and four that wait are all there is room for.
    const tasks = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => merge('a', name));
    tasks.push(merge('b', 'b1'), merge('b', 'b2'), merge('b', 'b3'));
    expect(compute.load()).toEqual({ waiting: 4, isBusy: true });
    await Promise.all(tasks);
    // Two places each are an even share, so nobody gives up a third for b3.
    expect(done).toEqual([
      'a6: unavailable',
      'a5: unavailable',
      'a4: unavailable',
      'b3: unavailable',
      'a1',
      'b1',
      'a2',
      'b2',
      'a3',
    ]);
    expect(compute.load()).toEqual({ waiting: 0, isBusy: false });
  });

  it('the compute pool ends running and waiting tasks when it is closed, and accepts no more', async () => {
    const closing = createComputePool({ taskTimeoutMs: 600_000, waitingMax: 4 });
    // Some 10^10 steps: this ends by being ended.
    const [one, other] = ['\n'.repeat(400_000), '\n'.repeat(399_000)];
    const kinds = ['at work', 'waits'].map((owner) =>
      closing.merge(owner, one, other, `${one}\n`).then(
        () => 'merged',
        (error: { kind: string }) => error.kind,
      ),
    );
    expect(closing.load()).toEqual({ waiting: 1, isBusy: true });
    await closing.close();
    expect(await Promise.all(kinds)).toEqual(['unavailable', 'unavailable']);
    expect(closing.load()).toEqual({ waiting: 0, isBusy: false });
    await expect(closing.literals('late', 'x')).rejects.toMatchObject({ kind: 'unavailable' });
    await closing.close();
  });
});
