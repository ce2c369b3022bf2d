/**
 * What the evaluator knows of regexes. What compiles and runs them is an entry of its own
 * (`@platform/decide/regex`), so that policies without a regex need none of it.
 */

import type { MacroValues, TemplatePart } from './macros.ts';
import type { RegexMemo, RegexSetRunner } from './regex-memo.ts';

/**
 * Positions × UTF-16 length of the value that one match may cost, the crate's worst case being about 10 ns
 * each. Beyond it the check fails closed rather than hold every other tenant's checks.
 */
export const MATCH_STEPS_MAX = 10_000_000;
/** UTF-8 bytes a macro may stand for in a REGEX; validation compiles the pattern with that much text. */
export const MACRO_BYTES_MAX = 1_024;

/** Where a pattern is found: its set and its index there, once the set is built. */
export interface RegexSlot {
  /**
   * Every matching value begins with it; the set is asked about what follows its first `skip` characters.
   */
  readonly prefix: string;
  readonly skip: number;
  readonly positions: number;
  set: RegexSetRunner;
  index: number;
}

/** Whether the slot's pattern matches `value` anywhere. @throws when the crate fails. */
export function matchesSlot(
  { prefix, skip, set, index }: RegexSlot,
  value: string,
  memo: RegexMemo,
): boolean {
  if (!value.startsWith(prefix)) return false;
  return set.matches(skip === 0 ? value : value.slice(skip), memo).has(index);
}

/** Patterns with macros, which are compiled for the texts that the macros stand for. */
export interface ExpandedRunner {
  /** Whether the expanded pattern matches anywhere. @throws when the crate refuses it. */
  matches(parts: readonly TemplatePart[], macros: MacroValues, value: string, memo: RegexMemo): boolean;
}

/** How a literal text is compared; the regexes that are no more than one are compared so. */
export type LiteralKind = 'exact' | 'prefix' | 'suffix' | 'contains' | 'line';

/** A REGEX that was read: a text to compare, one with macros, a pattern, or one with macros. */
export type RegexMatcher =
  | { readonly kind: LiteralKind; readonly text: string }
  | { readonly kind: 'template'; readonly literal: LiteralKind; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'regex'; readonly slot: RegexSlot }
  | {
      readonly kind: 'expanded';
      readonly parts: readonly TemplatePart[];
      readonly positions: number;
      readonly cache: ExpandedRunner;
    };

/** The regexes of one domain. */
export interface DomainRegexes {
  /**
   * How the rule tests values. `parts` is the pattern cut at its macros. Throws the error that `refuse` makes
   * of a reason, for a pattern that cannot be evaluated.
   */
  read(
    rule: { readonly key: string; readonly pattern: string; readonly parts: readonly TemplatePart[] },
    refuse: (reason: string) => Error,
  ): RegexMatcher;
  /** Builds the sets, a piece at each step, once every rule was read. */
  build(): Generator<void>;
  /** Compiles, a piece at each step, what would make a first check wait. Never throws. */
  warm(): Generator<void>;
  /** Lets go of what was compiled. */
  free(): void;
}

/** What compiles and runs regexes. */
export interface RegexEngine {
  openDomain(): DomainRegexes;
}
