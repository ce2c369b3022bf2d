import type { TransferListItem } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';

/** What a worker of the pool posts back: its one `reply` to a task, or any number of `event`s before it. */
export type WorkerMessage<Reply, Event> = { readonly reply: Reply } | { readonly event: Event };

export interface RunOptions<Event> {
  /** Aborting it takes the task from the queue or stops the worker that runs it; `run` then rejects with its reason. */
  readonly signal: AbortSignal;
  readonly transfer?: readonly TransferListItem[];
  readonly onEvent?: (event: Event) => void;
}

export interface PoolLoad {
  readonly waiting: number;
  readonly busy: number;
  readonly threads: number;
}

export interface WorkerPool<Task, Reply, Event> {
  /** The worker's reply. Rejects with QueueFull, WorkerDied or the signal's reason. First come, first served. */
  run(task: Task, options: RunOptions<Event>): Promise<Reply>;
  /** Tasks waiting for a thread, threads at work, and threads there are. */
  load(): PoolLoad;
  /** Ends all threads; tasks not replied to reject with WorkerDied. */
  close(): Promise<void>;
}

/** More tasks wait than the pool takes. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** A thread ended without replying; `cause` says why where a reason is known. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

interface Job<Task, Reply, Event> {
  readonly task: Task;
  readonly options: RunOptions<Event>;
  /** Settles the caller's promise and forgets the abort listener. */
  readonly settle: (outcome: { reply: Reply } | { error: unknown }) => void;
}

interface Thread<Task, Reply, Event> {
  worker: Worker | null;
  /** What the worker is at; also once aborted, until the worker has stopped. */
  job: Job<Task, Reply, Event> | null;
  /** One cell, shared with the worker: 1 asks it to stop what it does. */
  readonly stop: Int32Array;
  /** Runs while an aborted job has not stopped. */
  grace: NodeJS.Timeout | undefined;
}

/**
 * What a worker has to stop of its own accord before it is ended. Stopping keeps the worker's compiled code: a fresh one
 * needs a thousand analyses to be as fast again, which every client that hangs up would cost the others. Milliseconds.
 */
const STOP_GRACE_MS = 100;

/**
 * `threads` workers running `file`, at most `queueMax` tasks waiting for one of them. A worker finds the cell that
 * asks it to stop in `workerData.stop`; one that goes on for `stopGraceMs` is ended. A thread that is ended or dies is replaced:
 * at once when we ended it, with the next task when it died by itself, so that a file which cannot start does not spin.
 * Why not a library: docs/decisions/0004-own-worker-pool.md.
 */
export function createWorkerPool<Task, Reply, Event>(options: {
  readonly file: URL;
  readonly threads: number;
  readonly queueMax: number;
  readonly memoryMiBMax: number;
  /** STOP_GRACE_MS unless given. */
  readonly stopGraceMs?: number;
}): WorkerPool<Task, Reply, Event> {
  type OwnJob = Job<Task, Reply, Event>;
  type OwnThread = Thread<Task, Reply, Event>;
  const threads: OwnThread[] = Array.from({ length: options.threads }, () => ({
    worker: null,
    job: null,
    stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    grace: undefined,
  }));
  const queue: OwnJob[] = [];
  const { stopGraceMs = STOP_GRACE_MS } = options;
  let isClosed = false;

  function start(thread: OwnThread): Worker {
    const worker = new Worker(options.file, {
      workerData: { stop: thread.stop },
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMiBMax },
    });
    let cause: unknown;
    worker.on('message', (message: WorkerMessage<Reply, Event>) => {
      if (thread.worker !== worker) return;
      if ('event' in message) thread.job?.options.onEvent?.(message.event);
      else finish(thread, message);
    });
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      if (thread.worker !== worker) return;
      thread.worker = null;
      finish(thread, { error: new WorkerDied(`worker exited with code ${code}`, { cause }) });
    });
    // An idle thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  function finish(thread: OwnThread, outcome: { reply: Reply } | { error: unknown }): void {
    const job = thread.job;
    thread.job = null;
    clearTimeout(thread.grace);
    Atomics.store(thread.stop, 0, 0);
    thread.worker?.unref();
    job?.settle(outcome);
    assignNext(thread);
  }

  function assignNext(thread: OwnThread): void {
    const job = isClosed ? undefined : queue.shift();
    if (job === undefined) return;
    thread.job = job;
    thread.worker ??= start(thread);
    thread.worker.ref();
    thread.worker.postMessage(job.task, job.options.transfer ?? []);
  }

  function abort(job: OwnJob, reason: unknown): void {
    const queued = queue.indexOf(job);
    if (queued !== -1) {
      queue.splice(queued, 1);
      job.settle({ error: reason });
      return;
    }
    const thread = threads.find((candidate) => candidate.job === job);
    if (thread === undefined) return;
    job.settle({ error: reason });
    Atomics.store(thread.stop, 0, 1);
    thread.grace = setTimeout(() => {
      const { worker } = thread;
      thread.worker = start(thread);
      void worker?.terminate();
      finish(thread, { error: reason });
    }, stopGraceMs);
  }

  for (const thread of threads) thread.worker = start(thread);

  return {
    run(task, runOptions) {
      return new Promise<Reply>((resolve, reject) => {
        const { signal } = runOptions;
        if (signal.aborted) return reject(signal.reason as Error);
        const idle = threads.find((thread) => thread.job === null);
        if (isClosed) return reject(new WorkerDied('the pool is closed'));
        if (idle === undefined && queue.length >= options.queueMax)
          return reject(new QueueFull('queue full'));
        const onAbort = () => abort(job, signal.reason);
        const job: OwnJob = {
          task,
          options: runOptions,
          settle(outcome) {
            signal.removeEventListener('abort', onAbort);
            if ('error' in outcome) reject(outcome.error as Error);
            else resolve(outcome.reply);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.push(job);
        if (idle) assignNext(idle);
      });
    },
    load: () => ({
      waiting: queue.length,
      busy: threads.filter(({ job }) => job !== null).length,
      threads: threads.length,
    }),
    async close() {
      isClosed = true;
      const closed = new WorkerDied('the pool is closed');
      for (const job of queue.splice(0)) job.settle({ error: closed });
      await Promise.all(
        threads.map((thread) => {
          const { worker } = thread;
          thread.worker = null;
          finish(thread, { error: closed });
          return worker?.terminate();
        }),
      );
    },
  };
}
