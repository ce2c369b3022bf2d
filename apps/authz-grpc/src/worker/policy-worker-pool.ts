import { AuthzError } from '@platform/error-contracts';
import { Piscina } from 'piscina';
import { fileURLToPath } from 'node:url';
import type { Policy, PolicyCase, PolicyCaseResult, UncheckedPolicy, Validation } from '../policy/types.ts';
import type { PolicyTask } from './policy-task.ts';

/** Validates and tries out policies away from the thread that answers checks. */
export interface PolicyWorker {
  /** Throws RATE_LIMITED when too many wait, INVALID_ARGUMENT when the set takes too long. */
  validate(policies: readonly UncheckedPolicy[]): Promise<Validation>;
  /** As `validate`; the policies are valid. */
  test(policies: readonly Policy[], cases: readonly PolicyCase[]): Promise<readonly PolicyCaseResult[]>;
  close(): Promise<void>;
}

/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./policy-worker.js', import.meta.url);
const QUEUE_MAX = 64;
const TIMEOUT_MS = 30_000;
/** A worker that has nothing to do ends after this long. Milliseconds. */
const IDLE_MS = 60_000;

export function createPolicyWorker(file: URL = WORKER_FILE): PolicyWorker {
  const pool = new Piscina({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  // Counted here: piscina's own limit does not see tasks that carry a signal.
  let underWay = 0;

  async function run(task: PolicyTask): Promise<unknown> {
    if (underWay >= QUEUE_MAX) {
      throw new AuthzError('RATE_LIMITED', 'too many policy sets are being checked', {
        retryAfterSeconds: 1,
      });
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    underWay += 1;
    try {
      return await pool.run(task, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new AuthzError(
        'INVALID_ARGUMENT',
        `the policies take longer than ${TIMEOUT_MS / 1000} s to check`,
        {
          field: 'policies',
        },
      );
    } finally {
      underWay -= 1;
    }
  }

  return {
    validate: async (policies) => (await run({ kind: 'validate', policies })) as Validation,
    test: async (policies, cases) => (await run({ kind: 'test', policies, cases })) as PolicyCaseResult[],
    close: () => pool.destroy(),
  };
}
