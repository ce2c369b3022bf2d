import { parentPort } from 'node:worker_threads';
import type { WorkerMessage } from '@platform/worker-pool';
import { testPolicies } from '../policy/test-policies.ts';
import { validatePolicies } from '../policy/validate.ts';
import type { PolicyTask } from './policy-task.ts';

/** Runs in a worker thread: compiling a hostile pattern may take hundreds of milliseconds. */
parentPort?.on('message', (task: PolicyTask) => {
  const reply =
    task.kind === 'validate' ? validatePolicies(task.policies) : testPolicies(task.policies, task.cases);
  parentPort?.postMessage({ reply } satisfies WorkerMessage<unknown, never>);
});
