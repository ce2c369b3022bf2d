import type { OfferedJob } from '../store/job-store.ts';

/**
 * Hands each job to a replica that is free, in the order they were offered. It may lose jobs and hand one out
 * twice: the record of jobs decides.
 */
export interface JobQueue {
  /** Offering again what lies in the queue changes nothing. */
  offer(job: OfferedJob): Promise<void>;
  /** Begins to hand jobs to `work`, at most `atOnce` at a time; `work` never rejects. Called once. */
  consume(work: (job: OfferedJob) => Promise<void>, atOnce: number): void;
  /** Resolves while the server that the queue lies on responds; absent where it lies in this process. */
  ping?(): Promise<unknown>;
  /** Hands out no more, and resolves when what was handed out has ended. */
  close(): Promise<void>;
}

/** The queue of a replica that works on what it was asked for itself. */
export function createLocalQueue(): JobQueue {
  const waiting = new Map<string, OfferedJob>();
  const running = new Set<Promise<void>>();
  let consumer: { work: (job: OfferedJob) => Promise<void>; atOnce: number } | null = null;

  function next(): void {
    if (consumer === null || running.size >= consumer.atOnce) return;
    const [first] = waiting;
    if (first === undefined) return;
    waiting.delete(first[0]);
    const done = consumer.work(first[1]).finally(() => {
      running.delete(done);
      next();
    });
    running.add(done);
    next();
  }

  return {
    async offer(job) {
      waiting.set(job.id, job);
      next();
    },
    consume(work, atOnce) {
      consumer = { work, atOnce };
      next();
    },
    async close() {
      waiting.clear();
      await Promise.all(running);
    },
  };
}
