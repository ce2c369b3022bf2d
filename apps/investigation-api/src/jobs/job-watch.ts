import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobStore } from '../store/job-store.ts';

/** Looks at jobs for all streams of this replica at once. */
interface JobWatch {
  /** The job as it stands at the next look; null = it is gone, with its session. Errors: the store's. */
  next(tenantId: string, id: string): Promise<Job | null>;
}

/**
 * One statement for each tenant every `intervalMs`, however many streams it has and however many of them
 * follow one job. Nothing is asked while nobody waits.
 */
export function createJobWatch(store: Pick<JobStore, 'readAll'>, intervalMs: number): JobWatch {
  const looks = new Map<string, { readonly ids: Set<string>; readonly found: Promise<Map<string, Job>> }>();

  async function look(tenantId: string, ids: ReadonlySet<string>): Promise<Map<string, Job>> {
    await sleep(intervalMs, undefined, { ref: false });
    looks.delete(tenantId);
    const jobs = await store.readAll(tenantId, [...ids]);
    return new Map(jobs.map((job) => [job.id, job]));
  }

  return {
    async next(tenantId, id) {
      let current = looks.get(tenantId);
      if (current === undefined) {
        const ids = new Set<string>();
        current = { ids, found: look(tenantId, ids) };
        looks.set(tenantId, current);
      }
      current.ids.add(id);
      return (await current.found).get(id) ?? null;
    },
  };
}
