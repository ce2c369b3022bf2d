import { isDeepStrictEqual } from 'node:util';
import { isAsked, type Filter, type FilterPart, type FilterTest } from '@platform/authz-client/filter';
import {
  readTemplate,
  testRule,
  type CheckState,
  type Rule,
  type TemplatePart,
} from '@platform/decide/parts';
import { escapeForRegex } from '@platform/decide/regex';
import { toEnd } from './to-end.ts';

/** The conditions of the policies that allow and of those that deny. */
export interface Planned {
  readonly allow: Filter[];
  readonly deny: Filter[];
}

const ALWAYS: Filter = { kind: 'constant', value: true };
const NEVER: Filter = { kind: 'constant', value: false };

/** Holds where one does; constants, and what stands there already, are left out. */
export function anyOf(filters: readonly Filter[]): Filter {
  return toEnd(anyOfInSteps(filters));
}

/** As `anyOf`, one of them at each step. */
export function anyOfInSteps(filters: readonly Filter[]): Generator<void, Filter> {
  return join('any', filters, true);
}

/** Holds where all do; constants, and what stands there already, are left out. */
function allOf(filters: readonly Filter[]): Filter {
  return toEnd(join('all', filters, false));
}

function* join(kind: 'any' | 'all', filters: readonly Filter[], settling: boolean): Generator<void, Filter> {
  const unequal = new Map<string, Filter>();
  for (const filter of filters) {
    unequal.set(JSON.stringify(filter), filter);
    yield;
  }
  const open = [...unequal.values()].filter((filter) => filter.kind !== 'constant');
  if (filters.some((filter) => filter.kind === 'constant' && filter.value === settling))
    return settling ? ALWAYS : NEVER;
  if (open.length === 0) return settling ? NEVER : ALWAYS;
  return open.length === 1 ? (open[0] as Filter) : { kind, of: open };
}

export function notOf(filter: Filter): Filter {
  if (filter.kind === 'constant') return filter.value ? NEVER : ALWAYS;
  return filter.kind === 'not' ? filter.of : { kind: 'not', of: filter };
}

/** What the planned policies of several domains allow together, one policy at each step. */
export function* combinePlanned(parts: readonly Planned[]): Generator<void, Filter> {
  const denied = yield* anyOfInSteps(parts.flatMap((part) => part.deny));
  const allow = yield* anyOfInSteps(parts.flatMap((part) => part.allow));
  const open = notOf(denied);
  // Both may be large, so neither is written out to be compared, as `allOf` does.
  if (allow.kind === 'constant') return allow.value ? open : NEVER;
  if (open.kind === 'constant') return open.value ? allow : NEVER;
  return isDeepStrictEqual(allow, open) ? allow : { kind: 'all', of: [allow, open] };
}

const OWNER_IS_ONE: Filter = { kind: 'single', key: 'owner' };

/** The rest of a statement: its rules about the resource, be it by their key or by its owner. */
interface Rest {
  readonly rules: readonly Rule[];
  /** Patterns as stored, by key. */
  readonly patterns: Readonly<Record<string, string>>;
  readonly needsEqualMacros: boolean;
  readonly unresolvedMatches: boolean;
  /** What is known: everything but the resource. */
  readonly state: CheckState;
}

/**
 * The condition under which the rest of a statement matches. `$resource_owner()` has a value only where the
 * owner is one text; elsewhere its rules count as the statement says. @throws when the regex crate fails.
 */
export function filterOf({ rules, patterns, needsEqualMacros, unresolvedMatches, state }: Rest): Filter {
  const user = state.macros.user as string;
  // Where both macros are equal, the one stands for the other.
  const owner: FilterPart = needsEqualMacros ? user : { attribute: 'owner' };
  const matches = (some: readonly Rule[]) =>
    some.map((rule) => conditionOf(rule, patterns[rule.key] as string, state, owner));
  if (!needsEqualMacros && !rules.some((rule) => rule.usesOwner)) return allOf(matches(rules));
  const isOwn: Filter = { kind: 'match', key: 'owner', test: 'equals', parts: [user] };
  const resolved = allOf([OWNER_IS_ONE, ...(needsEqualMacros ? [isOwn] : []), ...matches(rules)]);
  if (!unresolvedMatches) return resolved;
  const unowned = matches(rules.filter((rule) => !rule.usesOwner));
  return anyOf([resolved, allOf([notOf(OWNER_IS_ONE), ...unowned])]);
}

/** The condition of one rule: of a key that is known, for each of its values one about the owner. */
function conditionOf(rule: Rule, pattern: string, state: CheckState, owner: FilterPart): Filter {
  const { key } = rule;
  const user = state.macros.user as string;
  if (isAsked(key)) return { kind: 'match', key, ...comparisonOf(rule, pattern, user, owner) };
  if (typeof owner === 'string') {
    const { context, regexes } = state;
    return testRule(rule, { context, macros: { user, owner }, regexes }) ? ALWAYS : NEVER;
  }
  const compared = comparisonOf(rule, pattern, user, owner);
  return anyOf([state.context.get(key) ?? []].flat().map((text) => comparedOf(text, compared)));
}

/** The known text compared; as a plain condition on the owner, which an index serves, where it is one. */
function comparedOf(text: string, { test, parts }: Comparison): Filter {
  const at = parts.findIndex((part) => typeof part !== 'string');
  const before = parts.slice(0, at).join('');
  const behind = parts.slice(at + 1);
  if (test !== 'equals' || !behind.every((part) => typeof part === 'string'))
    return { kind: 'compared', test, text, parts };
  const end = text.length - behind.join('').length;
  const isAround = end >= before.length && text.startsWith(before) && text.endsWith(behind.join(''));
  if (!isAround) return NEVER;
  return { kind: 'match', key: 'owner', test, parts: [text.slice(before.length, end)] };
}

interface Comparison {
  readonly test: FilterTest;
  readonly parts: readonly FilterPart[];
}

function comparisonOf({ key, matcher }: Rule, pattern: string, user: string, owner: FilterPart): Comparison {
  const fill = (parts: readonly TemplatePart[], write: (text: string) => string): FilterPart[] =>
    parts.map((part) => {
      if (typeof part === 'string') return part;
      if (part.macro === 'current_user') return write(user);
      return typeof owner === 'string' ? write(owner) : owner;
    });
  switch (matcher.kind) {
    case 'exact':
    case 'prefix':
    case 'suffix':
    case 'contains':
      return { test: TEST_OF[matcher.kind], parts: [matcher.text] };
    case 'line':
      // No object holds the end of a line.
      return key === 'object'
        ? { test: 'starts_with', parts: [matcher.text] }
        : { test: 'regex', parts: [pattern] };
    case 'template':
      return matcher.literal === 'line' && key !== 'object'
        ? { test: 'regex', parts: fill(readTemplate(pattern).parts, escapeForRegex) }
        : { test: TEST_OF[matcher.literal], parts: fill(matcher.parts, (text) => text) };
    case 'glob':
      return { test: 'glob', parts: fill(readTemplate(pattern).parts, asGlob) };
    case 'regex':
      return { test: 'regex', parts: [pattern] };
    case 'expanded':
      return { test: 'regex', parts: fill(matcher.parts, escapeForRegex) };
  }
}

const TEST_OF = {
  exact: 'equals',
  prefix: 'starts_with',
  line: 'starts_with',
  suffix: 'ends_with',
  contains: 'contains',
} as const satisfies Record<string, FilterTest>;

/** The text as a GLOB that matches nothing else. */
function asGlob(text: string): string {
  return text.replaceAll(/[*?[]/g, '[$&]');
}
