import { compilePolicySet, type CompileOptions } from './compile.ts';
import { resolveMacros, unresolvedIn } from '@platform/decide/parts';
import type { Policy, PolicyCase, PolicyCaseResult, PolicySet, RequestContext } from './types.ts';

/** Explains only what can have a macro without a value. */
function unresolvedOf(set: PolicySet, context: RequestContext): string[] {
  const { user, owner } = resolveMacros(context);
  if (user !== undefined && owner !== undefined) return [];
  return set.explain(context).policies.flatMap(unresolvedIn);
}

/**
 * Runs policy tests: what the policies, as the only ones of a domain, decide in each case, in the order
 * given. A case whose check had a problem fails even where `false` was expected, for it would be false by
 * accident. Never throws; validate the policies first to have their errors explained.
 */
export function testPolicies(
  policies: readonly Policy[],
  cases: readonly PolicyCase[],
  options: CompileOptions = {},
): PolicyCaseResult[] {
  const set = compilePolicySet([{ domainId: '', version: 0, policies }], options);
  // Explaining takes as long as all policies together.
  const usesMacros = policies.some(({ statements }) =>
    statements.some(({ rules }) => Object.values(rules).some((pattern) => pattern.includes('()'))),
  );
  try {
    return cases.map(({ name, context, expected }) => {
      const decision = set.evaluate(context);
      const passed = decision.problems.length === 0 && decision.allowed === expected;
      return {
        name: name ?? null,
        passed,
        expected,
        decision,
        unresolved: usesMacros ? unresolvedOf(set, context) : [],
      };
    });
  } finally {
    set.free();
  }
}
