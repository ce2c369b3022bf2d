import { Worker } from 'node:worker_threads';
import { DomainError } from '@platform/error-contracts';
import { createTurns } from '../limits/turns.ts';
import type { MergeResult } from './merge.ts';

/**
 * Work whose time the caller's input decides: done in a thread of its own, and ended when it takes too long. Owners take turns.
 * Errors of all three: `unavailable` when no place is left to wait in.
 */
export interface HeavyWork {
  /** Which of `texts` the Rust regular expression matches. Errors: as `literals`; `unprocessable` when out of time. */
  match(owner: string, pattern: string, texts: readonly string[]): Promise<boolean[]>;
  /** Texts every match holds, in no particular order. Throws `invalid_argument` for a pattern that is refused. */
  literals(owner: string, pattern: string): Promise<string[]>;
  /** Three-way merge by lines (diff3). Throws `unprocessable` when out of time. */
  merge(owner: string, base: string, mine: string, current: string): Promise<MergeResult>;
  /** Tasks waiting for the thread, and whether it is at work. */
  load(): { readonly waiting: number; readonly isBusy: boolean };
  /** Ends the task at work and those that wait, with `unavailable`; so is whatever is asked for afterwards. */
  close(): Promise<void>;
}

export interface HeavyWorkOptions {
  /** Longest one task may take, in milliseconds. */
  readonly taskTimeoutMs: number;
  /** Tasks that may wait, ≥ 1. One more takes the place of the newest of an owner who has more of them than its own. */
  readonly waitingMax: number;
}

interface Task {
  readonly task: 'match' | 'literals' | 'merge';
  readonly input: unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** One worker thread, started at the first task; a thread that runs out of time is ended and the next task starts another. */
export function createHeavyWork(options: HeavyWorkOptions): HeavyWork {
  const waiting = createTurns<Task>();
  let worker: Worker | null = null;
  let isBusy = false;
  let isClosed = false;

  function run<T>(owner: string, task: Task['task'], input: unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (isClosed) return reject(stopping());
      if (waiting.size >= options.waitingMax) {
        // Whoever has most waiting makes room, if that leaves him no fewer than the one who comes will have.
        const displaced = waiting.takeFromLongest(waiting.countOf(owner) + 1);
        (displaced?.reject ?? reject)(crowded());
        if (displaced === undefined) return;
      }
      waiting.push(owner, { task, input, resolve, reject });
      next();
    });
  }

  function next(): void {
    if (isBusy) return;
    const job = waiting.take();
    if (job === undefined) return;
    isBusy = true;
    const thread = (worker ??= new Worker(new URL('./heavy-worker.mjs', import.meta.url)));
    thread.ref();
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      thread.unref();
      isBusy = false;
      settle();
      next();
    };
    const abandon = () => {
      worker = null;
      void thread.terminate();
    };
    const onMessage = (message: { value: never } | { error: string }) =>
      finish(() => ('error' in message ? job.reject(refusal(message.error)) : job.resolve(message.value)));
    const onError = (error: Error) => {
      abandon();
      finish(() => job.reject(error));
    };
    /** Nobody but `close` ends a thread that its task has not left. */
    const onExit = () => {
      worker = null;
      finish(() => job.reject(stopping()));
    };
    const timer = setTimeout(() => {
      abandon();
      const seconds = options.taskTimeoutMs / 1000;
      const what =
        job.task === 'merge' ? 'these texts cannot be merged' : 'this pattern cannot be searched for';
      finish(() => job.reject(new DomainError('unprocessable', `${what} within ${seconds} s`)));
    }, options.taskTimeoutMs);
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage({ task: job.task, input: job.input });
  }

  return {
    match: (owner, pattern, texts) => run(owner, 'match', { pattern, texts }),
    literals: (owner, pattern) => run(owner, 'literals', { pattern }),
    merge: (owner, base, mine, current) => run(owner, 'merge', { base, mine, current }),
    load: () => ({ waiting: waiting.size, isBusy }),
    async close() {
      isClosed = true;
      for (let job = waiting.take(); job !== undefined; job = waiting.take()) job.reject(stopping());
      await worker?.terminate();
      worker = null;
    },
  };
}

function stopping(): DomainError {
  return new DomainError('unavailable', 'the service is stopping', { retryAfterSeconds: 1 });
}

function crowded(): DomainError {
  return new DomainError('unavailable', 'too many searches and merges at once', { retryAfterSeconds: 1 });
}

/** What the regex crate says against a pattern, on one line; a merge throws for nothing that a caller can send. */
function refusal(message: string): DomainError {
  const lines = message.split('\n').map((line) => line.trim());
  const reason = lines.findLast((line) => line !== '')?.replace(/^error: /, '') ?? 'refused';
  return new DomainError('invalid_argument', `the regular expression is refused: ${reason}`);
}
