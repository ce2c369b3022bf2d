import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { createWorkerPool, QueueFull, TaskTimedOut, WaitedTooLong } from '@platform/worker-pool';
import type { PackedChecks } from '../model/packed-checks.ts';
import type { ComparedFact, PolicyChange } from '../policy/compare-sets.ts';
import type { ReplayedSlice } from '../policy/replay.ts';
import type { Policy, PolicyCase, PolicyCaseResult, UncheckedPolicy, Validation } from '../policy/types.ts';
import type { PolicyTask } from './policy-task.ts';

/** Validates and tests policies in worker threads, because compiling may take seconds. Owners take turns. */
export interface PolicyWorker {
  /**
   * Throws RATE_LIMITED when the set takes too long or too many wait, DEPENDENCY_UNAVAILABLE when its turn
   * does not come in time.
   */
  validate(policies: readonly UncheckedPolicy[], owner: string): Promise<Validation>;
  /** As `validate`; the policies are valid. */
  test(
    policies: readonly Policy[],
    cases: readonly PolicyCase[],
    owner: string,
  ): Promise<readonly PolicyCaseResult[]>;
  /** As `validate`; the policies are valid. */
  compare(change: PolicyChange, owner: string): Promise<readonly ComparedFact[]>;
  /** As `validate`; decides a slice of the rows of the replay of this id. */
  replay(
    slice: { readonly id: string; readonly change: PolicyChange; readonly checks: PackedChecks },
    owner: string,
  ): Promise<ReplayedSlice>;
  close(): Promise<void>;
}

/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./policy-worker.js', import.meta.url);
const WAITING_MAX = 64;
/**
 * Sets checked at a time, of one owner one: a small set finds a thread free beside an owner that floods the
 * worker.
 */
const THREADS = 2;
/** Longest that a set may take, and that a call waits for its turn. Milliseconds. */
const WORK_MS = 10_000;
const WAIT_MS = 30_000;
/** A thread without a task ends after this long. Milliseconds. */
const IDLE_MS = 60_000;

/** `workMs` and `waitMs` say how long a set may take and wait, in milliseconds. */
export function createPolicyWorker(
  file: URL = WORKER_FILE,
  options: { readonly threads?: number; readonly workMs?: number; readonly waitMs?: number } = {},
): PolicyWorker {
  const { threads = THREADS, workMs = WORK_MS, waitMs = WAIT_MS } = options;
  const pool = createWorkerPool<PolicyTask, unknown>({
    file,
    threads,
    threadsPerOwner: 1,
    queueMax: WAITING_MAX,
    taskMaxMs: workMs,
    waitMaxMs: waitMs,
    idleMs: IDLE_MS,
  });

  async function run(task: PolicyTask, owner: string): Promise<unknown> {
    try {
      return await pool.run(task, { owner });
    } catch (error) {
      throw toPolicyError(error, workMs);
    }
  }

  return {
    validate: async (policies, owner) => (await run({ kind: 'validate', policies }, owner)) as Validation,
    test: async (policies, cases, owner) =>
      (await run({ kind: 'test', policies, cases }, owner)) as PolicyCaseResult[],
    compare: async (change, owner) => (await run({ kind: 'compare', change }, owner)) as ComparedFact[],
    async replay({ id, change, checks }, owner) {
      // Another thread may have had the slices before: it is sent the sets when it says that it lacks them.
      const first = await run({ kind: 'replay', id, change: null, checks }, owner);
      return (first ?? (await run({ kind: 'replay', id, change, checks }, owner))) as ReplayedSlice;
    },
    close: () => pool.close(),
  };
}

function toPolicyError(error: unknown, workMs: number): unknown {
  if (error instanceof TaskTimedOut) {
    // How long a set takes depends on what else the machine has to do, too: the same one may pass later.
    const message = `the policies took longer than ${workMs / 1000} s to check: try again, or with fewer`;
    return new AuthzError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS.policyCheck });
  }
  if (error instanceof QueueFull)
    return new AuthzError('RATE_LIMITED', 'too many policy sets are being checked', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
    });
  if (error instanceof WaitedTooLong) {
    return new AuthzError('DEPENDENCY_UNAVAILABLE', 'the validation queue timed out, try again', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.policyCheck,
    });
  }
  return error;
}
