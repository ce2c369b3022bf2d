/**
 * The words of policies: those of the evaluator, and those of writing, testing and searching them. Everything
 * under `policy/` is pure: no I/O, no clock, no randomness; the callers are the operations and the compile
 * worker.
 */

import type {
  CompiledDomain,
  Decision,
  Engine,
  Policy,
  PolicySet,
  Problem,
  RequestContext,
} from '@platform/decide';
import type { RegexMemo } from '@platform/decide/parts';
import type { Filter } from '@platform/authz-client/filter';
import type { Range } from './ranges.ts';

export type {
  CompiledDomain,
  CompiledPolicySet,
  Decision,
  DomainPolicies,
  Engine,
  Explanation,
  Policy,
  PolicyExplanation,
  PolicySet,
  PolicyStatement,
  RequestContext,
  Step,
} from '@platform/decide';

/**
 * A policy as a caller sent it: the engine may still be one of the names the contract knows but does not
 * evaluate. `validatePolicies` decides whether it is a {@link Policy}.
 */
export interface UncheckedPolicy extends Omit<Policy, 'engine'> {
  readonly engine: Engine | 'unspecified' | 'first_order_logic' | (string & {});
}

/** What decides on a domain: its own policies first, then those of its superiors. */
export interface BundledPolicies {
  readonly tenantId: string;
  readonly domains: readonly CompiledDomain[];
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
   * `owner` and `resource.<key>`. Throws nothing but PAUSED, where the memo does.
   */
  narrow(context: RequestContext, memo?: RegexMemo): readonly Range[];
  /**
   * As `narrow`, from what allows alone: what a deny covers whole is left out, and no range ends where a deny
   * begins. Each range is one name or all that begin with a text. Never throws.
   */
  reach(context: RequestContext): readonly Range[];
  /**
   * The condition on `object`, `owner` and `resource.<key>` under which a check is allowed, all else being
   * known, a statement or policy at each step; `never` with the problems that deny every check. @throws when
   * the regex crate fails.
   */
  plan(
    context: RequestContext,
  ): Generator<void, { readonly filter: Filter; readonly problems: readonly Problem[] }>;
  /** Texts that rules name whole for this key, and those of prefixes, each once. */
  names(key: 'subject' | 'action'): ReadonlySet<string>;
}

/** What is wrong with, or doubtful about, a policy at write. */
export interface PolicyFinding {
  /** Name of the policy. */
  readonly policy: string;
  /** Its index in the list given. */
  readonly policyIndex: number;
  readonly statement: number | null;
  /** The key of the rule that the finding is on; null for any other. */
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
  | 'braces_literal'
  | 'subject_spelling'
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
  /** With the stored attributes that the subject is to have, as `user.<key>`. */
  readonly context: RequestContext;
  readonly expected: boolean;
}

/** The outcome of one case; `passed` is false when the policies had a problem, whatever was expected. */
export interface PolicyCaseResult {
  readonly name: string | null;
  readonly passed: boolean;
  readonly expected: boolean;
  readonly decision: Decision;
  /** Stored attributes that the case does not bring and macros without a value, in words. */
  readonly unresolved: readonly string[];
}
