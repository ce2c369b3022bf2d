import { testPolicies } from '../policy/test-policies.ts';
import { validatePolicies } from '../policy/validate.ts';
import type { PolicyTask } from './policy-task.ts';

/** Runs in a worker thread: compiling hostile patterns may take hundreds of milliseconds each. */
export default function runPolicyTask(task: PolicyTask): unknown {
  return task.kind === 'validate' ? validatePolicies(task.policies) : testPolicies(task.policies, task.cases);
}
