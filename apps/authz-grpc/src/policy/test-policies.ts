import { compilePolicySet, type CompileOptions } from './compile.ts';
import { resolveMacros, unresolvedIn } from '@platform/decide/parts';
import type { Policy, PolicyCase, PolicyCaseResult, PolicySet, RequestContext } from './types.ts';

/** Explains only what can have a macro without a value. */
function unresolvedOf(set: PolicySet, context: RequestContext): string[] {
  const { user, owner } = resolveMacros(context);
  if (user !== undefined && owner !== undefined) return [];
  return set.explain(context).policies.flatMap(unresolvedIn);
}

/** The stored attributes of subjects that rules name. They join a check, and not a test. */
function storedAttributesIn(policies: readonly Policy[]): string[] {
  const keys = policies.flatMap(({ statements }) => statements.flatMap(({ rules }) => Object.keys(rules)));
  return [...new Set(keys.filter((key) => key.startsWith('user.')))].slice(0, ATTRIBUTES_NAMED_MAX);
}
const ATTRIBUTES_NAMED_MAX = 5;

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
  const storedAttributes = storedAttributesIn(policies).map(
    (key) => `a test has no stored attributes such as \`${key}\`: a check of an account may decide otherwise`,
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
        unresolved: [...storedAttributes, ...(usesMacros ? unresolvedOf(set, context) : [])],
      };
    });
  } finally {
    set.free();
  }
}
