import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { createWorkerPool, QueueFull, TaskTimedOut, WorkerDied } from '@platform/worker-pool';
import type { MergeResult } from './merge.ts';
import type { Snippet } from './snippets.mjs';

/** What snippets are of: a pattern of the Rust engine, or of JavaScript with the flag `v`. */
export interface Sought {
  readonly engine: 'rust' | 'script';
  readonly pattern: string;
  /** Of a pattern of JavaScript: texts are folded before they are searched. */
  readonly isFolded: boolean;
}

/**
 * Work whose time the caller's input decides: it runs in a worker thread and is ended when it takes too long.
 * Owners take turns. Errors of all: `unavailable` when too many tasks wait.
 */
export interface ComputePool {
  /**
   * The lines of each of `texts` on which matches begin, the first `max` of each. Errors: `unprocessable`
   * when out of time.
   */
  snippets(owner: string, sought: Sought, texts: readonly string[], max: number): Promise<Snippet[][]>;
  /**
   * Which of `texts` the Rust regular expression matches. Errors: as `literals`; `unprocessable` when out of
   * time.
   */
  match(owner: string, pattern: string, texts: readonly string[]): Promise<boolean[]>;
  /**
   * Texts that every match contains, in no particular order. Throws `invalid_argument` for a pattern that is
   * refused.
   */
  literals(owner: string, pattern: string): Promise<string[]>;
  /** Three-way merge by lines (diff3). Throws `unprocessable` when out of time. */
  merge(owner: string, base: string, mine: string, current: string): Promise<MergeResult>;
  /** Tasks that wait for the thread, and whether it is at work. */
  load(): { readonly waiting: number; readonly isBusy: boolean };
  /** Ends running and waiting tasks with `unavailable`, and refuses later ones in the same way. */
  close(): Promise<void>;
}

export interface ComputePoolOptions {
  /** Longest that one task may take, in milliseconds. */
  readonly taskTimeoutMs: number;
  /** Tasks that may wait. */
  readonly waitingMax: number;
}

interface Task {
  readonly task: 'match' | 'literals' | 'merge' | 'snippets';
  readonly input: unknown;
}
type Reply = { readonly value: never } | { readonly error: string };

/** The thread ends after this long without a task. Milliseconds. */
const IDLE_MS = 60_000;

/** One worker thread, started with the first task. */
export function createComputePool({ taskTimeoutMs, waitingMax }: ComputePoolOptions): ComputePool {
  const pool = createWorkerPool<Task, Reply>({
    file: new URL('./compute-worker.mjs', import.meta.url),
    threads: 1,
    queueMax: waitingMax,
    taskMaxMs: taskTimeoutMs,
    idleMs: IDLE_MS,
  });

  async function run<T>(owner: string, task: Task['task'], input: unknown): Promise<T> {
    let reply: Reply;
    try {
      reply = await pool.run({ task, input }, { owner });
    } catch (error) {
      throw toDomainError(error, task, taskTimeoutMs);
    }
    if ('error' in reply) throw refusal(reply.error);
    return reply.value;
  }

  return {
    match: (owner, pattern, texts) => run(owner, 'match', { pattern, texts }),
    literals: (owner, pattern) => run(owner, 'literals', { pattern }),
    snippets: (owner, sought, texts, max) => run(owner, 'snippets', { ...sought, texts, max }),
    merge: (owner, base, mine, current) => run(owner, 'merge', { base, mine, current }),
    load() {
      const { waiting, busy } = pool.load();
      return { waiting, isBusy: busy > 0 };
    },
    close: () => pool.close(),
  };
}

function toDomainError(error: unknown, task: Task['task'], taskTimeoutMs: number): unknown {
  const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS.queue };
  if (error instanceof QueueFull)
    return new DomainError('unavailable', 'too many searches and merges at once', retry);
  if (error instanceof TaskTimedOut) {
    const what = task === 'merge' ? 'these texts cannot be merged' : 'this pattern cannot be searched for';
    return new DomainError('unprocessable', `${what} within ${taskTimeoutMs / 1000} s`);
  }
  if (error instanceof WorkerDied && error.cause === undefined)
    return new DomainError('unavailable', 'the service is stopping', retry);
  return error;
}

/**
 * The regex crate's objection to a pattern, on one line; a merge throws for nothing that a caller can send.
 */
function refusal(message: string): DomainError {
  const lines = message.split('\n').map((line) => line.trim());
  const reason = lines.findLast((line) => line !== '')?.replace(/^error: /, '') ?? 'refused';
  return new DomainError('invalid_argument', `the regular expression is refused: ${reason}`);
}
