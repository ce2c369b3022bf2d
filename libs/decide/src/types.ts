import type { RegexMemo, Step } from './regex-memo.ts';

/**
 * The words of the policy evaluator, which is pure: no I/O, no clock, no randomness. authz-grpc decides with
 * it, and so does every holder of a bundle.
 *
 * Source: the authorization contract ("Check semantics", "Policy") and its decisions page ("Evaluation").
 */

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
 * today. `regex_not_loaded`: the process has not loaded what runs a REGEX. `macro_oversized`: a REGEX's macro
 * stands for more than 1,024 bytes. `match_too_costly`: a REGEX has too many positions for so long a value.
 * `match_failed`: the regex engine threw. `set_freed`: the compiled set was freed.
 */
export type ProblemCode =
  | 'unknown_engine'
  | 'bad_pattern'
  | 'no_statements'
  | 'no_rules'
  | 'regex_not_loaded'
  | 'macro_oversized'
  | 'match_too_costly'
  | 'match_failed'
  | 'set_freed';

/** The result of a check. */
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
  /**
   * Decides one check. What cannot be evaluated is a problem and denies. Throws nothing but `PAUSED`, where
   * `memo` pauses it: then it is to be called again with that memo.
   */
  evaluate(context: RequestContext, memo?: RegexMemo): Decision;
  /** The same decision with its reasons, computed policy by policy without the index. Never throws. */
  explain(context: RequestContext): Explanation;
  /**
   * As `explain`, one policy per step, so that the caller can do other work in between. Where `memo` pauses
   * it, a step is `PAUSED`.
   */
  explainInSteps(context: RequestContext, memo?: RegexMemo): Generator<Step, Explanation>;
}

/** A {@link PolicySet} that owns memory. Immutable but for the regexes it compiles on first use. */
export interface CompiledPolicySet extends PolicySet {
  /**
   * Estimate of the JavaScript heap held; a cache bounds itself by it. Compiled regexes are bounded for the
   * whole process by a `RegexMemory` and not counted here.
   */
  readonly bytes: number;
  /** The number of policies in the set. */
  readonly size: number;
  /** Lets go of its regexes. Idempotent; after it every check has problem `set_freed`. */
  free(): void;
}
