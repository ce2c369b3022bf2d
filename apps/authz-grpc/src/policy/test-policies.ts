import { USER_ATTRIBUTE_PREFIX } from './check-context.ts';
import { compilePolicySet, type CompileOptions } from './compile.ts';
import { resolveMacros, unresolvedIn } from '@platform/decide/parts';
import type { Policy, PolicyCase, PolicyCaseResult, PolicySet, RequestContext } from './types.ts';

/** Explains only what can have a macro without a value. */
function unresolvedOf(set: PolicySet, context: RequestContext): string[] {
  const { user, owner } = resolveMacros(context);
  if (user !== undefined && owner !== undefined) return [];
  return set.explain(context).policies.flatMap(unresolvedIn);
}

/** Keys of stored attributes that rules name. */
function storedAttributesIn(policies: readonly Policy[]): string[] {
  const keys = policies.flatMap(({ statements }) => statements.flatMap(({ rules }) => Object.keys(rules)));
  return [...new Set(keys.filter((key) => key.startsWith(USER_ATTRIBUTE_PREFIX)))];
}

/** The stored attributes that a case does not bring, in words. */
function notBrought(storedAttributes: readonly string[], context: RequestContext): string[] {
  return storedAttributes
    .filter((key) => !context.has(key))
    .slice(0, ATTRIBUTES_NAMED_MAX)
    .map(
      (key) =>
        `rules name \`${key}\`, which this case does not bring: add it to the context to decide as for an account that has it`,
    );
}
const ATTRIBUTES_NAMED_MAX = 5;

/**
 * Runs policy tests: what the policies, as the only ones of a domain, decide in each case, in the order
 * given. A case is hypothetical and brings the stored attributes of its subject along, as `user.<key>` of its
 * context; keys that rules name and it does not bring are named in `unresolved`. A case whose check had a
 * problem fails even where `false` was expected, for it would be false by accident. Never throws; validate
 * the policies first to have their errors explained.
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
  const storedAttributes = storedAttributesIn(policies);
  try {
    return cases.map(({ name, context, expected }) => {
      const decision = set.evaluate(context);
      const passed = decision.problems.length === 0 && decision.allowed === expected;
      return {
        name: name ?? null,
        passed,
        expected,
        decision,
        unresolved: [
          ...notBrought(storedAttributes, context),
          ...(usesMacros ? unresolvedOf(set, context) : []),
        ],
      };
    });
  } finally {
    set.free();
  }
}
