import { DomainError } from '@platform/error-contracts';
import { filenameProblem } from './validation.ts';

export const ACTIONS = ['file:read', 'file:write', 'file:delete', 'key:manage', 'usage:read'] as const;
export type Action = (typeof ACTIONS)[number];

/** One permission; with a prefix it holds only for filenames that start with it. */
export interface Scope {
  readonly action: Action;
  readonly prefix: string | null;
}

/**
 * Reads `file:read file:write#prefix=notes/`: scopes parted by single spaces, at least one. Inside a prefix a
 * space and a `%` are written in percent-encoding. Throws DomainError `invalid_argument`.
 */
export function parseScopes(text: string): Scope[] {
  return text.split(' ').map((word) => {
    const [action, ...rest] = word.split('#') as [string, ...string[]];
    if (!ACTIONS.includes(action as Action) || rest.length > 1) throw unparseable(word);
    if (rest.length === 0) return { action: action as Action, prefix: null };
    const encoded = /^prefix=(.+)$/u.exec(rest[0]!)?.[1];
    if (encoded === undefined) throw unparseable(word);
    return { action: action as Action, prefix: decodePrefix(encoded, word) };
  });
}

function decodePrefix(encoded: string, word: string): string {
  try {
    const prefix = decodeURIComponent(encoded);
    // Any start of a filename will do, so a last segment of dots is no problem: `.` may go on as `.git`.
    if (filenameProblem(`${prefix}x`) === null) return prefix;
  } catch {
    // A malformed percent sequence is answered like every other malformed scope.
  }
  throw unparseable(word);
}

function unparseable(word: string): DomainError {
  const known = ACTIONS.join(', ');
  return new DomainError(
    'invalid_argument',
    `scope \`${word.slice(0, 100)}\` is not one of ${known}, with an optional #prefix=`,
  );
}

/** The text `parseScopes` reads, each scope once; space, `%` and `#` of a prefix in percent-encoding. */
export function formatScopes(scopes: readonly Scope[]): string {
  const words = scopes.map(({ action, prefix }) =>
    prefix === null ? action : `${action}#prefix=${prefix.replace(/[ %#]/g, encodeURIComponent)}`,
  );
  return [...new Set(words)].join(' ');
}

/**
 * Filename prefixes within which `action` is allowed: null = everywhere, [] = nowhere. Actions without a
 * filename (`key:manage`, `usage:read`) are allowed only by null: a prefix limits to files, and these concern
 * none.
 */
export function allowedPrefixes(scopes: readonly Scope[], action: Action): readonly string[] | null {
  const matching = scopes.filter((scope) => scope.action === action);
  return matching.some(({ prefix }) => prefix === null) ? null : matching.map(({ prefix }) => prefix!);
}

/** True when every one of `wanted` lies within one of `held`. */
export function isSubset(wanted: readonly Scope[], held: readonly Scope[]): boolean {
  return wanted.every(({ action, prefix }) => {
    const prefixes = allowedPrefixes(held, action);
    return prefixes === null || (prefix !== null && prefixes.some((allowed) => prefix.startsWith(allowed)));
  });
}
