/**
 * The words of the policy evaluator. Everything under `policy/` is pure: no I/O, no clock, no randomness;
 * the callers are the operations and the compile worker.
 *
 * Source: the authorization contract ("Check semantics", "Policy") and its decisions page ("Evaluation").
 */

import type { Filter } from '@platform/authz-client/filter';
import type { Range } from './ranges.ts';

/** How the rule values of one policy are read. Proto numbers: fixed 1, prefix 2, regex 3, glob 4. */
export type Engine = 'fixed' | 'prefix' | 'regex' | 'glob';

/** Matches when all of its rules match: context key → value pattern, read by the policy's engine. */
export interface PolicyStatement {
  readonly rules: Readonly<Record<string, string>>;
}

/**
 * Matches when any of its statements matches; `invert` reverses that result, `deny` overrides every allow.
 */
export interface Policy {
  /** Unique within its domain. */
  readonly name: string;
  readonly description: string;
  readonly invert: boolean;
  readonly deny: boolean;
  readonly engine: Engine;
  readonly statements: readonly PolicyStatement[];
}

/**
 * A policy as a caller sent it: the engine may still be one of the names the contract knows but does not
 * evaluate. `validatePolicies` decides whether it is a {@link Policy}.
 */
export interface UncheckedPolicy extends Omit<Policy, 'engine'> {
  readonly engine: Engine | 'unspecified' | 'first_order_logic' | (string & {});
}

/**
 * What a check is asked about: attribute name → one value or several (OR). Holds `subject`, `action` and
 * `object` as single strings, the request's other attributes, and the subject's stored attributes under
 * `user.<key>`. The caller has enforced the context limits; a Map, so that no key can reach a prototype.
 */
export type RequestContext = ReadonlyMap<string, string | readonly string[]>;

/** The policies of one domain at one version. */
export interface DomainPolicies {
  readonly domainId: string;
  /** Version of the domain's policy set, as the store counts it. */
  readonly version: number;
  readonly policies: readonly Policy[];
}

/** Names one policy of a compiled set. */
export interface PolicyRef {
  readonly domainId: string;
  readonly domainVersion: number;
  readonly policy: string;
}

/** Why a policy could not be evaluated; one problem makes the whole check `allowed: false`. */
export interface Problem extends PolicyRef {
  readonly code: ProblemCode;
  /** For operators and explain: lower case, no full stop. */
  readonly message: string;
}

/**
 * `unknown_engine`, `bad_pattern`, `no_statements`, `no_rules`: a stored policy that validation refuses
 * today. `macro_oversized`: a REGEX's macro stands for more than 1,024 bytes. `match_too_costly`: a REGEX has
 * too many positions for so long a value. `match_failed`: the regex engine threw. `set_freed`: the compiled
 * set was freed.
 */
export type ProblemCode =
  | 'unknown_engine'
  | 'bad_pattern'
  | 'no_statements'
  | 'no_rules'
  | 'macro_oversized'
  | 'match_too_costly'
  | 'match_failed'
  | 'set_freed';

/** The answer of a check. */
export interface Decision {
  readonly allowed: boolean;
  /**
   * The policy that decided: the first matching deny (in set order) if one denies, else the first matching
   * allow, else null. Null as well when `problems` is not empty.
   */
  readonly matched: PolicyRef | null;
  readonly problems: readonly Problem[];
}

/** The outcome of one rule. */
export interface RuleExplanation {
  readonly key: string;
  /** The pattern as stored, macros unexpanded. */
  readonly pattern: string;
  /**
   * `unresolved`: its macro has no value: counts as matched where that denies, as not matched where it would
   * allow. `macros_differ`: the statement uses both macros and their values are not equal.
   */
  readonly result: 'matched' | 'not_matched' | 'key_absent' | 'unresolved' | 'macros_differ';
}

/** The outcome of one policy, found by naive evaluation of that policy alone, never through an index. */
export interface PolicyExplanation extends PolicyRef {
  readonly deny: boolean;
  readonly inverted: boolean;
  readonly engine: Engine;
  /** The policy's result after `invert`: true means that it allows, or denies if `deny`. */
  readonly matched: boolean;
  /** Index of the first statement that matched (before `invert`), or null. */
  readonly statement: number | null;
  /**
   * When no statement matched: the first failing rule, as stored, of the statement with most rules matched;
   * null when a statement matched or the policy has a problem.
   */
  readonly failedRule: { readonly statement: number; readonly key: string } | null;
  readonly statements: readonly { readonly matched: boolean; readonly rules: readonly RuleExplanation[] }[];
  readonly problem: Problem | null;
}

/** The decision and the reason of every policy behind it. */
export interface Explanation {
  readonly decision: Decision;
  readonly policies: readonly PolicyExplanation[];
}

/** Policies made ready for many checks: one or several domains decided as one. Safe to share. */
export interface PolicySet {
  /** Decides one check. Never throws: what cannot be evaluated is a problem and denies. */
  evaluate(context: RequestContext): Decision;
  /** The same decision with its reasons, computed policy by policy without the index. Never throws. */
  explain(context: RequestContext): Explanation;
  /** As `explain`, one policy per step, so that the caller can do other work in between. */
  explainInSteps(context: RequestContext): Generator<void, Explanation>;
}

/** A {@link PolicySet} of a domain and its superiors, as searches ask it. */
export interface SearchableSet extends PolicySet {
  /**
   * Makes what the methods below need, a policy at each step, so that the caller can do other work in
   * between; they make it at once where it is missing.
   */
  prepare(): Generator<void, void>;
  /**
   * Where a check may be allowed, by its object: each one that a check allows is in the ranges, whatever its
   * `owner` and `resource.<key>`. Never throws.
   */
  narrow(context: RequestContext): readonly Range[];
  /**
   * The condition on `object`, `owner` and `resource.<key>` under which a check is allowed, all else being
   * known; `never` with the problems that deny every check. @throws when the regex crate fails.
   */
  plan(context: RequestContext): { readonly filter: Filter; readonly problems: readonly Problem[] };
  /** Texts that rules name whole for this key, each once. */
  names(key: 'subject' | 'action'): ReadonlySet<string>;
}

/** A {@link PolicySet} that owns memory. Immutable but for the regexes it compiles on first use. */
export interface CompiledPolicySet extends PolicySet {
  /**
   * Estimate of the JavaScript heap held; a cache bounds itself by it. Compiled regexes are bounded for the
   * whole process by a `RegexMemory` and not counted here.
   */
  readonly bytes: number;
  /** Number of policies. */
  readonly size: number;
  /** Lets go of its regexes. Idempotent; after it every check has problem `set_freed`. */
  free(): void;
}

/** One domain's policies, compiled: what a cache keeps, by domain and version, and `combineDomains` takes. */
export interface CompiledDomain extends CompiledPolicySet {
  readonly domainId: string;
  readonly version: number;
  /** Compiles, a piece at each step, the regexes that would make a first check wait. Never throws. */
  warm(): Generator<void>;
}

/** What is wrong with, or doubtful about, a policy at write. */
export interface PolicyFinding {
  /** Name of the policy. */
  readonly policy: string;
  /** Its index in the list given. */
  readonly policyIndex: number;
  readonly statement: number | null;
  /** Rule key. */
  readonly key: string | null;
  readonly code: FindingCode;
  /** For the caller: lower case, no full stop, user input in backticks. */
  readonly message: string;
}

/** Errors refuse the write. */
export type ErrorCode =
  | 'name_missing'
  | 'name_invalid'
  | 'name_duplicate'
  | 'engine_unspecified'
  | 'engine_unimplemented'
  | 'engine_unknown'
  | 'statements_missing'
  | 'rules_missing'
  | 'key_missing'
  | 'pattern_oversized'
  | 'pattern_invalid'
  | 'macro_unknown'
  | 'description_oversized'
  | 'text_malformed'
  | 'object_spelling';

/** Warnings let the write through. */
export type WarningCode =
  | 'regex_unanchored'
  | 'allow_shadowed'
  | 'denies_all'
  | 'allows_all'
  | 'denies_absent_key'
  | 'macro_misspelled'
  | 'macro_open'
  | 'wildcard_literal'
  | 'backslash_literal'
  | 'object_unmatchable'
  | 'lockout';

export type FindingCode = ErrorCode | WarningCode;

/** The findings of `validatePolicies`; the set may be written when `errors` is empty. */
export interface Validation {
  readonly errors: readonly PolicyFinding[];
  readonly warnings: readonly PolicyFinding[];
}

/** One line of a policy test: a context and the decision expected of the policies. */
export interface PolicyCase {
  readonly name?: string;
  readonly context: RequestContext;
  readonly expected: boolean;
}

/** The outcome of one case; `passed` is false when the policies had a problem, whatever was expected. */
export interface PolicyCaseResult {
  readonly name: string | null;
  readonly passed: boolean;
  readonly expected: boolean;
  readonly decision: Decision;
  /** Macros without a value, in words. */
  readonly unresolved: readonly string[];
}
