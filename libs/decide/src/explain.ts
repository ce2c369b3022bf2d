import { testStatement, type IndexedStatement } from './policy-index.ts';
import { failureOf } from './regex-memo.ts';
import { isResolved, testRule, type CheckState, type Rule } from './rule.ts';
import type { Policy, PolicyExplanation, PolicyRef, Problem, RuleExplanation } from './types.ts';

type StatementExplanation = PolicyExplanation['statements'][number];

/** A policy with its statements ready to test, or the reason why it cannot be evaluated. */
export interface ReadyPolicy {
  readonly policy: Policy;
  readonly statements: readonly IndexedStatement[];
  readonly problem: Problem | null;
}

/**
 * What one policy did with the context of `state`, evaluated alone. Shares the rule tests with the index but
 * not the index, so that an index gone wrong cannot explain itself. Throws nothing but `PAUSED`.
 */
export function explainPolicy(ready: ReadyPolicy, ref: PolicyRef, state: CheckState): PolicyExplanation {
  const { policy, statements, problem } = ready;
  const head = { ...ref, deny: policy.deny, inverted: policy.invert, engine: policy.engine };
  const unevaluated = { ...head, matched: false, statement: null, failedRule: null, statements: [] };
  if (problem !== null) return { ...unevaluated, problem };
  try {
    const explained = statements.map((statement, index) => explainStatement(statement, policy, index, state));
    const matching = explained.findIndex(({ matched }) => matched);
    return {
      ...head,
      matched: policy.invert ? matching < 0 : matching >= 0,
      statement: matching < 0 ? null : matching,
      failedRule: matching < 0 ? findFailedRule(explained, policy) : null,
      statements: explained,
      problem: null,
    };
  } catch (error) {
    return { ...unevaluated, problem: { ...ref, code: 'match_failed', message: failureOf(error) } };
  }
}

/**
 * The rules of a policy whose macros have no value, in words: they count as matched where that denies, and
 * nothing else in an explanation says that the missing value decided.
 */
export function unresolvedIn({ policy, statements }: PolicyExplanation): string[] {
  const rules = statements.flatMap((statement) => statement.rules);
  return rules
    .filter(({ result }) => result === 'unresolved')
    .map(
      ({ key, pattern }) =>
        `policy \`${policy}\`: \`${pattern}\` of \`${key}\` has no value; \`subject\` and \`owner\` must be single texts`,
    );
}

function explainStatement(
  statement: IndexedStatement,
  policy: Policy,
  index: number,
  state: CheckState,
): StatementExplanation {
  const { user, owner } = state.macros;
  const differ = statement.needsEqualMacros && user !== undefined && owner !== undefined && user !== owner;
  return {
    matched: testStatement(statement, statement.rules, state),
    rules: statement.rules.map((rule) => ({
      key: rule.key,
      pattern: policy.statements[index]?.rules[rule.key] as string,
      result: differ && rule.usesOwner ? 'macros_differ' : explainRule(rule, state),
    })),
  };
}

function explainRule(rule: Rule, state: CheckState): RuleExplanation['result'] {
  if (!isResolved(rule, state.macros)) return 'unresolved';
  if (!state.context.has(rule.key)) return 'key_absent';
  return testRule(rule, state) ? 'matched' : 'not_matched';
}

function findFailedRule(
  statements: readonly StatementExplanation[],
  policy: Policy,
): PolicyExplanation['failedRule'] {
  // Where an unresolved macro denies it counts as matched, and so is not what stopped the statement.
  const passes = ({ result }: RuleExplanation) =>
    result === 'matched' || (result === 'unresolved' && policy.deny !== policy.invert);
  let closest: PolicyExplanation['failedRule'] = null;
  let most = -1;
  statements.forEach(({ rules }, statement) => {
    const failed = rules.find((rule) => !passes(rule));
    const passed = rules.filter(passes).length;
    if (failed !== undefined && passed > most) {
      most = passed;
      closest = { statement, key: failed.key };
    }
  });
  return closest;
}
