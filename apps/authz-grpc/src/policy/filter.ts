import type { Filter, FilterMatch, FilterPart, FilterTest } from '@platform/authz-client/filter';
import { readTemplate, type Rule, type TemplatePart } from '@platform/decide/parts';
import { escapeForRegex } from '@platform/decide/regex';

/** The conditions of the policies that allow and of those that deny. */
export interface Planned {
  readonly allow: Filter[];
  readonly deny: Filter[];
}

const ALWAYS: Filter = { kind: 'constant', value: true };
const NEVER: Filter = { kind: 'constant', value: false };

/** Holds where one does; constants are left out. */
export function anyOf(filters: readonly Filter[]): Filter {
  return join('any', filters, true);
}

/** Holds where all do; constants are left out. */
export function allOf(filters: readonly Filter[]): Filter {
  return join('all', filters, false);
}

function join(kind: 'any' | 'all', filters: readonly Filter[], settling: boolean): Filter {
  const open = filters.filter((filter) => filter.kind !== 'constant');
  if (filters.some((filter) => filter.kind === 'constant' && filter.value === settling))
    return settling ? ALWAYS : NEVER;
  if (open.length === 0) return settling ? NEVER : ALWAYS;
  return open.length === 1 ? (open[0] as Filter) : { kind, of: open };
}

export function notOf(filter: Filter): Filter {
  if (filter.kind === 'constant') return filter.value ? NEVER : ALWAYS;
  return filter.kind === 'not' ? filter.of : { kind: 'not', of: filter };
}

/** What the planned policies of several domains allow together. */
export function combinePlanned(parts: readonly Planned[]): Filter {
  const deny = anyOf(parts.flatMap((part) => part.deny));
  return allOf([anyOf(parts.flatMap((part) => part.allow)), notOf(deny)]);
}

const OWNER_IS_ONE: Filter = { kind: 'single', key: 'owner' };

/** The rest of a statement: its rules about the resource. */
interface Rest {
  readonly rules: readonly Rule[];
  /** Patterns as stored, by key. */
  readonly patterns: Readonly<Record<string, string>>;
  readonly needsEqualMacros: boolean;
  readonly unresolvedMatches: boolean;
  /** What `$current_user()` stands for. */
  readonly user: string;
}

/**
 * The condition under which the rest of a statement matches. `$resource_owner()` has a value only where the
 * owner is one text; elsewhere its rules count as the statement says.
 */
export function filterOf({ rules, patterns, needsEqualMacros, unresolvedMatches, user }: Rest): Filter {
  // Where both macros are equal, the one stands for the other.
  const owner: FilterPart = needsEqualMacros ? user : { attribute: 'owner' };
  const matches = (some: readonly Rule[]) =>
    allOf(some.map((rule) => matchOf(rule, patterns[rule.key] as string, user, owner)));
  if (!needsEqualMacros && !rules.some((rule) => rule.usesOwner)) return matches(rules);
  const isOwn: Filter = { kind: 'match', test: 'equals', key: 'owner', parts: [user] };
  const resolved = allOf([OWNER_IS_ONE, ...(needsEqualMacros ? [isOwn] : []), matches(rules)]);
  if (!unresolvedMatches) return resolved;
  return anyOf([resolved, allOf([notOf(OWNER_IS_ONE), matches(rules.filter((rule) => !rule.usesOwner))])]);
}

function matchOf({ key, matcher }: Rule, pattern: string, user: string, owner: FilterPart): Filter {
  const match = (test: FilterTest, parts: readonly FilterPart[]): FilterMatch => ({
    kind: 'match',
    test,
    key,
    parts,
  });
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
      return match(TEST_OF[matcher.kind], [matcher.text]);
    case 'line':
      // No object holds the end of a line.
      return key === 'object' ? match('starts_with', [matcher.text]) : match('regex', [pattern]);
    case 'template':
      return matcher.literal === 'line' && key !== 'object'
        ? match('regex', fill(readTemplate(pattern).parts, escapeForRegex))
        : match(
            TEST_OF[matcher.literal],
            fill(matcher.parts, (text) => text),
          );
    case 'glob':
      return match('glob', fill(readTemplate(pattern).parts, asGlob));
    case 'regex':
      return match('regex', [pattern]);
    case 'expanded':
      return match('regex', fill(matcher.parts, escapeForRegex));
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
