import { compilePolicySet, type CompileOptions } from './compile.ts';
import type { Policy, PolicyCase, PolicyCaseResult } from './types.ts';

/**
 * Runs policy tests: what the policies, as the only ones of a domain, decide in each case, in the order given.
 * A case whose check had a problem fails even where `false` was expected, for it would be false by accident.
 * Never throws; validate the policies first to have their errors explained.
 */
export function testPolicies(
  policies: readonly Policy[],
  cases: readonly PolicyCase[],
  options: CompileOptions = {},
): PolicyCaseResult[] {
  const set = compilePolicySet([{ domainId: '', version: 0, policies }], options);
  try {
    return cases.map(({ name, context, expected }) => {
      const decision = set.evaluate(context);
      const passed = decision.problems.length === 0 && decision.allowed === expected;
      return { name: name ?? null, passed, expected, decision };
    });
  } finally {
    set.free();
  }
}
