import { AuthzError } from '@platform/error-contracts';
import { Piscina } from 'piscina';
import { fileURLToPath } from 'node:url';
import type { Policy, PolicyCase, PolicyCaseResult, UncheckedPolicy, Validation } from '../policy/types.ts';
import { createLimit } from '../limit.ts';
import type { PolicyTask } from './policy-task.ts';

/**
 * Validates and tries out policies away from the thread that answers checks. `owner` is for whom: the sets of one wait for
 * each other more than for those of others.
 */
export interface PolicyWorker {
  /**
   * Throws INVALID_ARGUMENT when the set takes too long, RATE_LIMITED when too many wait, DEPENDENCY_UNAVAILABLE when
   * others take so long that its turn does not come.
   */
  validate(policies: readonly UncheckedPolicy[], owner: string): Promise<Validation>;
  /** As `validate`; the policies are valid. */
  test(
    policies: readonly Policy[],
    cases: readonly PolicyCase[],
    owner: string,
  ): Promise<readonly PolicyCaseResult[]>;
  close(): Promise<void>;
}

/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./policy-worker.js', import.meta.url);
const WAITING_MAX = 64;
/** Of one owner. */
const WAITING_MAX_EACH = 8;
/** Longest that a set may take, and that one waits for those before it. Milliseconds. */
const WORK_MS = 30_000;
const WAIT_MS = 30_000;
/** What is told to one whose turn did not come. */
const RETRY_SECONDS = 5;
/** A worker that has nothing to do ends after this long. Milliseconds. */
const IDLE_MS = 60_000;

/** `workMs` and `waitMs` say how long a set may take and wait, in milliseconds. */
export function createPolicyWorker(
  file: URL = WORKER_FILE,
  { workMs = WORK_MS, waitMs = WAIT_MS }: { readonly workMs?: number; readonly waitMs?: number } = {},
): PolicyWorker {
  const pool = new Piscina({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  // Queued here and not by piscina, so that a set's time begins when the worker is its own.
  const limited = createLimit({
    atOnce: 1,
    waitingMax: WAITING_MAX,
    waitingMaxEach: WAITING_MAX_EACH,
    waitMs,
    tooMany: () =>
      new AuthzError('RATE_LIMITED', 'too many policy sets are being checked', { retryAfterSeconds: 1 }),
    tooLong: () =>
      new AuthzError('DEPENDENCY_UNAVAILABLE', 'the policy sets of others take long to check, try again', {
        retryAfterSeconds: RETRY_SECONDS,
      }),
  });

  function run(task: PolicyTask, owner: string): Promise<unknown> {
    return limited(async () => {
      const signal = AbortSignal.timeout(workMs);
      try {
        return await pool.run(task, { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new AuthzError(
          'INVALID_ARGUMENT',
          `the policies take longer than ${workMs / 1000} s to check`,
          {
            field: 'policies',
          },
        );
      }
    }, owner);
  }

  return {
    validate: async (policies, owner) => (await run({ kind: 'validate', policies }, owner)) as Validation,
    test: async (policies, cases, owner) =>
      (await run({ kind: 'test', policies, cases }, owner)) as PolicyCaseResult[],
    close: () => pool.destroy(),
  };
}
