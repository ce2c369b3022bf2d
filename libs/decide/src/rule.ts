import { GlobError, matchGlob, parseGlob, type Glob } from './glob.ts';
import type { RegexMemo } from './regex-memo.ts';
import { expand, readTemplate, type MacroValues, type TemplatePart } from './macros.ts';
import {
  matchesSlot,
  type DomainRegexes,
  type LiteralKind,
  type RegexMatcher,
  type RegexSlot,
} from './regexes.ts';
import type { Engine, RequestContext } from './types.ts';

/** How one rule tests a value: plain text where the pattern allows it, the engine's own matcher else. */
type Matcher = RegexMatcher | { readonly kind: 'glob'; readonly glob: Glob };

/**
 * What an index may look a rule up by: no value but `text` (`exact`), no value that does not begin with
 * `text` (`prefix`), or no value but those the regex matches (`regex`) satisfies it. `decides`: the look-up
 * alone proves the rule.
 */
export type Anchor =
  | { readonly kind: 'exact' | 'prefix'; readonly text: string; readonly decides: boolean }
  | { readonly kind: 'regex'; readonly slot: RegexSlot };

/** One rule of a statement, ready to test values. */
export interface Rule {
  readonly key: string;
  readonly matcher: Matcher;
  readonly usesUser: boolean;
  readonly usesOwner: boolean;
  /** Null when only a test can tell: rules with macros, GLOBs and empty prefixes without literal start. */
  readonly anchor: Anchor | null;
}

/** A rule that cannot be evaluated; `code` as in a validation, `message` for the policy's author. */
export class RuleError extends Error {
  readonly code: 'pattern_invalid' | 'macro_unknown';

  constructor(code: RuleError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What the rules of one domain share: its regexes, null where none is loaded. */
export interface RuleScope {
  readonly regexes: DomainRegexes | null;
}

/**
 * Compiles the rules of one domain, equal ones once: few actions and subjects stand in very many policies,
 * and a rule that many share is in the processor's cache. Throws as `compileRule`.
 */
export function createRuleCompiler(scope: RuleScope): (engine: Engine, key: string, pattern: string) => Rule {
  const compiled = new Map<string, Map<string, Rule>>();
  return (engine, key, pattern) => {
    const kind = `${engine} ${key}`;
    let ofKind = compiled.get(kind);
    if (ofKind === undefined) compiled.set(kind, (ofKind = new Map<string, Rule>()));
    let rule = ofKind.get(pattern);
    if (rule === undefined) ofKind.set(pattern, (rule = compileRule(engine, key, pattern, scope)));
    return rule;
  };
}

/** @throws RuleError when the pattern is none of the engine's, or holds a `$name()` that is not a macro. */
export function compileRule(engine: Engine, key: string, pattern: string, scope: RuleScope): Rule {
  const { parts, usesUser, usesOwner, unknown } = readTemplate(pattern);
  if (unknown !== null) throw new RuleError('macro_unknown', `\`$${unknown}()\` is not a macro`);
  const hasMacro = usesUser || usesOwner;
  const matcher = compileMatcher(engine, key, pattern, parts, hasMacro, scope);
  return { key, matcher, usesUser, usesOwner, anchor: hasMacro ? null : anchorOf(matcher) };
}

function compileMatcher(
  engine: Engine,
  key: string,
  pattern: string,
  parts: readonly TemplatePart[],
  hasMacro: boolean,
  scope: RuleScope,
): Matcher {
  switch (engine) {
    case 'fixed':
    case 'prefix': {
      const kind = engine === 'fixed' ? 'exact' : 'prefix';
      return hasMacro ? { kind: 'template', literal: kind, parts } : { kind, text: pattern };
    }
    case 'glob': {
      const glob = parseGlobRule(parts);
      return glob.isLiteral ? { kind: 'exact', text: glob.prefix } : { kind: 'glob', glob };
    }
    case 'regex':
      if (scope.regexes === null) throw new RuleError('pattern_invalid', 'regexes are not loaded');
      return scope.regexes.read(
        { key, pattern, parts },
        (reason) => new RuleError('pattern_invalid', reason),
      );
  }
}

function parseGlobRule(parts: readonly TemplatePart[]): Glob {
  try {
    return parseGlob(parts);
  } catch (error) {
    if (error instanceof GlobError) throw new RuleError('pattern_invalid', error.message);
    throw error;
  }
}

function anchorOf(matcher: Matcher): Anchor | null {
  switch (matcher.kind) {
    case 'exact':
      return { kind: 'exact', text: matcher.text, decides: true };
    case 'prefix':
      return matcher.text === '' ? null : { kind: 'prefix', text: matcher.text, decides: true };
    case 'line':
      return matcher.text === '' ? null : { kind: 'prefix', text: matcher.text, decides: false };
    case 'glob':
      return matcher.glob.prefix === ''
        ? null
        : { kind: 'prefix', text: matcher.glob.prefix, decides: false };
    case 'regex':
      return matcher.slot.prefix === ''
        ? { kind: 'regex', slot: matcher.slot }
        : { kind: 'prefix', text: matcher.slot.prefix, decides: false };
    default:
      return null;
  }
}

/** State shared by the tests of one check. */
export interface CheckState {
  readonly context: RequestContext;
  readonly macros: MacroValues;
  readonly regexes: RegexMemo;
}

/** Whether the rule's macros have values. */
export function isResolved(rule: Rule, macros: MacroValues): boolean {
  return !(rule.usesUser && macros.user === undefined) && !(rule.usesOwner && macros.owner === undefined);
}

/**
 * Whether any value of the rule's key matches; false when the key is absent. The rule's macros must be
 * resolved. @throws when the regex crate fails.
 */
export function testRule(rule: Rule, state: CheckState): boolean {
  const values = state.context.get(rule.key);
  if (values === undefined) return false;
  if (typeof values === 'string') return testValue(rule.matcher, values, state);
  for (const value of values) {
    if (testValue(rule.matcher, value, state)) return true;
  }
  return false;
}

function testValue(matcher: Matcher, value: string, state: CheckState): boolean {
  switch (matcher.kind) {
    case 'glob':
      return matchGlob(matcher.glob, value, state.macros);
    case 'regex':
      return matchesSlot(matcher.slot, value, state.regexes);
    case 'template':
      return testLiteral(matcher.literal, expand(matcher.parts, state.macros, asIs), value);
    case 'expanded':
      return matcher.cache.matches(matcher.parts, state.macros, value, state.regexes);
    default:
      return testLiteral(matcher.kind, matcher.text, value);
  }
}

const asIs = (text: string) => text;

function testLiteral(kind: LiteralKind, text: string, value: string): boolean {
  switch (kind) {
    case 'exact':
      return value === text;
    case 'prefix':
      return value.startsWith(text);
    case 'suffix':
      return value.endsWith(text);
    case 'contains':
      return value.includes(text);
    case 'line':
      return value.startsWith(text) && !value.includes('\n', text.length);
  }
}
