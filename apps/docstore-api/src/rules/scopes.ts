import { DomainError } from '@platform/error-contracts';
import { filenameProblem } from './validation.ts';

export const ACTIONS = ['file:read', 'file:write', 'file:delete', 'key:manage', 'usage:read'] as const;
export type Action = (typeof ACTIONS)[number];

/** One permission; with a prefix it holds only for filenames that start with it. */
export interface Scope {
  readonly action: Action;
  readonly prefix: string | null;
}

/** Filenames: these, and all that begin with one of the prefixes. */
export interface Filenames {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

/**
 * Reads `file:read file:write#prefix=notes/`: scopes parted by single spaces, at least one. Inside a prefix a
 * space and a `%` are written in percent-encoding. Throws DomainError `invalid_argument`.
 */
export function parseScopes(text: string): Scope[] {
  return text.split(' ').map((word) => {
    const [action, ...rest] = word.split('#') as [string, ...string[]];
    if (word === '') throw unparseable('scopes are parted by single spaces, with none before or after them');
    if (!ACTIONS.includes(action as Action)) {
      throw unparseable(`scope \`${shown(action)}\` is not one of ${ACTIONS.join(', ')}`);
    }
    if (rest.length === 0) return { action: action as Action, prefix: null };
    const encoded = rest.length === 1 ? /^prefix=(.+)$/u.exec(rest[0]!)?.[1] : undefined;
    if (encoded === undefined) {
      throw unparseable(
        `scope \`${shown(word)}\`: behind its # stands \`prefix=\` and the start of filenames, # itself as %23`,
      );
    }
    return { action: action as Action, prefix: decodePrefix(encoded, word) };
  });
}

function decodePrefix(encoded: string, word: string): string {
  let prefix: string;
  try {
    prefix = decodeURIComponent(encoded);
  } catch {
    throw unparseable(`scope \`${shown(word)}\`: its prefix is not percent-encoded: write % as %25`);
  }
  // Any start of a filename will do, so a last segment of dots is no problem: `.` may go on as `.git`.
  const problem = filenameProblem(`${prefix}x`);
  if (problem !== null)
    throw unparseable(`scope \`${shown(word)}\`: its prefix with a character more ${problem}`);
  return prefix;
}

const shown = (text: string) => (text.length <= 100 ? text : `${text.slice(0, 100).toWellFormed()}…`);

function unparseable(message: string): DomainError {
  return new DomainError('invalid_argument', message);
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
