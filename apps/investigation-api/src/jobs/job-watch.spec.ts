import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Job } from '../store/job-store.ts';
import { createJobWatch } from './job-watch.ts';

const job = (id: string): Job => ({
  id,
  state: 'running',
  progress: null,
  judgementId: null,
  problem: null,
  createdAt: new Date(0),
  startedAt: null,
  finishedAt: null,
});

describe('jobs that are followed', () => {
  it('streams that wait at once are served by one statement for each tenant', async () => {
    covers('INV-JOB.10');
    const looks: unknown[] = [];
    const watch = createJobWatch(
      { readAll: async (tenantId, ids) => (looks.push([tenantId, ids]), ids.map(job)) },
      1,
    );
    const found = await Promise.all([
      watch.next('one', 'a'),
      watch.next('one', 'a'),
      watch.next('one', 'b'),
      watch.next('other', 'c'),
    ]);
    expect(found.map((seen) => seen?.id)).toEqual(['a', 'a', 'b', 'c']);
    expect(looks).toEqual([
      ['one', ['a', 'b']],
      ['other', ['c']],
    ]);
  });

  it('a job that is gone is null, and a failed look fails those who waited for it alone', async () => {
    let isBroken = true;
    const watch = createJobWatch(
      { readAll: () => (isBroken ? Promise.reject(new Error('no database')) : Promise.resolve([])) },
      1,
    );
    await expect(watch.next('one', 'a')).rejects.toThrow('no database');
    isBroken = false;
    expect(await watch.next('one', 'a')).toBeNull();
  });
});
