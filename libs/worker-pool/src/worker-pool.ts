import { Worker, type TransferListItem } from 'node:worker_threads';
import { QueueFull, TaskTimedOut, WaitedTooLong, WorkerDied } from './errors.ts';
import { createFairQueue } from './fair-queue.ts';

/** What a worker of the pool posts back: its one `reply` to a task, or any number of `event`s before it. */
export type WorkerMessage<Reply, Event> = { readonly reply: Reply } | { readonly event: Event };

export interface RunOptions<Event> {
  /** The owner of the task, such as a tenant. The queue is fair by owner. */
  readonly owner: string;
  /** Aborting it removes the task from the queue or stops its worker; `run` then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly TransferListItem[];
  /** Longest that the task may take. Milliseconds; default: as the pool says. */
  readonly taskMaxMs?: number;
  readonly onEvent?: ((event: Event) => void) | undefined;
}

export interface PoolLoad {
  readonly waiting: number;
  readonly busy: number;
  readonly threads: number;
}

export interface WorkerPool<Task, Reply, Event = never> {
  /**
   * The worker's reply. Tasks of one owner run in order; owners take turns (`createFairQueue`). Errors:
   * QueueFull, WaitedTooLong, TaskTimedOut, WorkerDied, the signal's reason.
   */
  run(task: Task, options: RunOptions<Event>): Promise<Reply>;
  /** Tasks that wait for a thread, threads at work, and threads in all. */
  load(): PoolLoad;
  /** Ends all threads; tasks without a reply reject with WorkerDied. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly file: URL;
  readonly threads: number;
  /** Tasks that may wait for a thread. */
  readonly queueMax: number;
  /** Threads that one owner may hold at a time (default: all). */
  readonly threadsPerOwner?: number;
  /** Longest that a task may run; then its thread is ended. Milliseconds; default: without limit. */
  readonly taskMaxMs?: number;
  /**
   * After this long a task gives its thread to an owner that waits, and later starts again from its
   * beginning, so tasks must have no effect but their reply. All threads but one may keep such tasks to their
   * end; at least two threads are needed. Milliseconds; default: no task gives way.
   */
  readonly sliceMs?: number;
  /** Longest that a task may wait. Milliseconds; default: without limit. */
  readonly waitMaxMs?: number;
  readonly memoryMiBMax?: number;
  /** Time that a worker has to stop of its own accord. Milliseconds; default STOP_GRACE_MS. */
  readonly stopGraceMs?: number;
  /**
   * A thread starts with its first task and ends after this long without one. Milliseconds; default: all
   * threads start at once and stay.
   */
  readonly idleMs?: number;
}

interface Job<Task, Reply, Event> {
  readonly task: Task;
  readonly options: RunOptions<Event>;
  /** Settles the caller's promise and removes its timers and listeners. */
  readonly settle: (outcome: { reply: Reply } | { error: unknown }) => void;
  /** The task left the queue for a thread. */
  started(): void;
  /** The task lost its thread and waits for another. */
  stopped(): void;
  hasGivenWay: boolean;
}

interface Thread<Task, Reply, Event> {
  worker: Worker | null;
  /** The worker's task; it stays here after an abort until the worker has stopped. */
  job: Job<Task, Reply, Event> | null;
  /** One cell, shared with the worker: 1 asks it to stop its task. */
  readonly stop: Int32Array;
  /** Runs while an aborted task has not stopped. */
  grace: NodeJS.Timeout | undefined;
  idle: NodeJS.Timeout | undefined;
  /** Runs until the task has had its slice. */
  slice: NodeJS.Timeout | undefined;
  /**
   * `fresh`: within its slice. `past slice`: gives way to an owner that waits. `kept`: may run to its end.
   */
  turn: 'fresh' | 'past slice' | 'kept';
}

/**
 * A worker that stops by itself keeps its compiled code: a fresh one needs a thousand tasks to be as fast
 * again, a price that every client that disconnects would put on the others. Milliseconds.
 */
const STOP_GRACE_MS = 100;

/**
 * A pool of worker threads that run `file`, with a queue that is fair by owner. A worker finds the cell that
 * asks it to stop in `workerData.stop`; if it does not stop in time, its thread is ended. A thread that was
 * ended is replaced at once; one that died by itself is replaced with the next task, so that a file that
 * cannot start does not spin. Why not a library: docs/decisions/0004-own-worker-pool.md.
 */
export function createWorkerPool<Task, Reply, Event = never>(
  options: PoolOptions,
): WorkerPool<Task, Reply, Event> {
  type OwnJob = Job<Task, Reply, Event>;
  type OwnThread = Thread<Task, Reply, Event>;
  const { stopGraceMs = STOP_GRACE_MS, sliceMs, waitMaxMs, idleMs } = options;
  const threads: OwnThread[] = Array.from({ length: options.threads }, () => ({
    worker: null,
    job: null,
    stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    grace: undefined,
    idle: undefined,
    slice: undefined,
    turn: 'fresh',
  }));
  const queue = createFairQueue<OwnJob>({
    capacity: options.queueMax,
    ...(options.threadsPerOwner === undefined ? {} : { inServiceMax: options.threadsPerOwner }),
  });
  /** Tasks that gave way, in order. Each keeps its owner in service, so that an owner has one place here. */
  const stopped: OwnJob[] = [];
  let isClosed = false;

  function start(thread: OwnThread): Worker {
    const worker = new Worker(options.file, {
      workerData: { stop: thread.stop },
      ...(options.memoryMiBMax === undefined
        ? {}
        : { resourceLimits: { maxOldGenerationSizeMb: options.memoryMiBMax } }),
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
    const { job } = thread;
    thread.job = null;
    clearTimeout(thread.grace);
    thread.grace = undefined;
    clearTimeout(thread.slice);
    Atomics.store(thread.stop, 0, 0);
    thread.worker?.unref();
    if (job !== null) {
      job.settle(outcome);
      queue.release(job.options.owner);
    }
    assignNext();
    if (thread.job === null && idleMs !== undefined) {
      thread.idle = setTimeout(() => {
        void thread.worker?.terminate();
        thread.worker = null;
      }, idleMs).unref();
    }
  }

  /**
   * Gives waiting tasks to idle threads, within the limit of each owner. Tasks that gave way before come
   * first on all threads but one, where they run to their end; on that one they come last.
   */
  function assignNext(): void {
    if (isClosed) return;
    for (const thread of threads) {
      if (thread.job !== null) continue;
      const again = mayKeep() ? stopped.shift() : undefined;
      const next = again ?? queue.take()?.item ?? stopped.shift();
      if (next === undefined) return;
      assign(thread, next, again !== undefined);
    }
  }

  /** Whether one more thread may keep its task to its end. */
  const mayKeep = () =>
    threads.filter(({ job, turn }) => job !== null && turn === 'kept').length < threads.length - 1;

  function assign(thread: OwnThread, job: OwnJob, isKept = false): void {
    thread.job = job;
    clearTimeout(thread.idle);
    thread.worker ??= start(thread);
    thread.worker.ref();
    // A task that gave way has used its slice: on the last thread it runs only while no other owner waits.
    thread.turn = isKept ? 'kept' : job.hasGivenWay ? 'past slice' : 'fresh';
    if (sliceMs !== undefined && thread.turn === 'fresh')
      thread.slice = setTimeout(() => {
        thread.turn = 'past slice';
        makeRoom();
      }, sliceMs);
    job.started();
    thread.worker.postMessage(job.task, job.options.transfer ?? []);
  }

  /** Takes a thread from a task that had its slice, if an owner waits that could use it. */
  function makeRoom(): void {
    if (!queue.hasNext || stopped.length >= options.queueMax) return;
    for (const thread of threads) {
      const { job, turn, grace } = thread;
      if (job === null || turn !== 'past slice' || grace !== undefined) continue;
      if (mayKeep()) {
        thread.turn = 'kept';
        continue;
      }
      void thread.worker?.terminate();
      thread.worker = null;
      thread.job = null;
      // A task that gives way for the second time keeps its place ahead of those that gave way later.
      if (job.hasGivenWay) stopped.unshift(job);
      else stopped.push(job);
      job.hasGivenWay = true;
      job.stopped();
      return assignNext();
    }
  }

  /** Ends a task early, wherever it is; its caller gets `reason`. */
  function abandon(job: OwnJob, reason: unknown): void {
    job.settle({ error: reason });
    if (queue.remove(job.options.owner, job)) return;
    const place = stopped.indexOf(job);
    if (place !== -1) {
      stopped.splice(place, 1);
      queue.release(job.options.owner);
      return assignNext();
    }
    const thread = threads.find((candidate) => candidate.job === job);
    if (thread === undefined) return;
    Atomics.store(thread.stop, 0, 1);
    thread.grace = setTimeout(() => {
      const { worker } = thread;
      thread.worker = start(thread);
      void worker?.terminate();
      finish(thread, { error: reason });
    }, stopGraceMs);
  }

  if (idleMs === undefined) for (const thread of threads) thread.worker = start(thread);

  return {
    run(task, runOptions) {
      return new Promise<Reply>((resolve, reject) => {
        const { signal, owner, taskMaxMs = options.taskMaxMs } = runOptions;
        if (signal?.aborted) return reject(signal.reason as Error);
        if (isClosed) return reject(new WorkerDied('the pool is closed'));
        let limit: NodeJS.Timeout | undefined;
        const onAbort = () => abandon(job, signal?.reason);
        const job: OwnJob = {
          task,
          options: runOptions,
          started() {
            clearTimeout(limit);
            if (taskMaxMs === undefined) return;
            const late = new TaskTimedOut(`the task took longer than ${taskMaxMs} ms`);
            limit = setTimeout(() => abandon(job, late), taskMaxMs);
          },
          stopped: () => clearTimeout(limit),
          hasGivenWay: false,
          settle(outcome) {
            clearTimeout(limit);
            signal?.removeEventListener('abort', onAbort);
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.reply);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const idle = threads.find((thread) => thread.job === null);
        if (idle !== undefined && queue.serve(owner)) return assign(idle, job);
        const refused = queue.push(owner, job);
        refused?.settle({ error: new QueueFull('too many tasks wait') });
        if (refused === job) return;
        if (waitMaxMs !== undefined) {
          const late = new WaitedTooLong(`the task waited longer than ${waitMaxMs} ms`);
          limit = setTimeout(() => abandon(job, late), waitMaxMs);
        }
        makeRoom();
      });
    },
    load: () => ({
      waiting: queue.size + stopped.length,
      busy: threads.filter(({ job }) => job !== null).length,
      threads: threads.length,
    }),
    async close() {
      isClosed = true;
      const closed = new WorkerDied('the pool is closed');
      for (const job of [...queue.clear(), ...stopped.splice(0)]) job.settle({ error: closed });
      await Promise.all(
        threads.map(async (thread) => {
          // A caller hears of the end once its work has really stopped.
          await thread.worker?.terminate();
          thread.worker = null;
          finish(thread, { error: closed });
          clearTimeout(thread.idle);
        }),
      );
    },
  };
}
