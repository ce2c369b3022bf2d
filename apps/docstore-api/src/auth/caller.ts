import { DomainError } from '@platform/error-contracts';
import { allowedPrefixes, type Action, type Scope } from '../rules/scopes.ts';

/** The subject that a credential speaks for. */
export interface Caller {
  /** The tenant whose documents and keys these are. */
  readonly owner: string;
  /** The credential itself, by which rates are counted and answers replayed: a key's or a user's id. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** null = never. */
  readonly expiresAt: Date | null;
}

/** The filename prefixes within which the caller may act; null = all. Throws `permission_denied` when there are none. */
export function requireAction(caller: Caller, action: Action): readonly string[] | null {
  const prefixes = allowedPrefixes(caller.scopes, action);
  if (prefixes?.length === 0)
    throw new DomainError('permission_denied', `the key lacks the scope \`${action}\``);
  return prefixes;
}

/** Throws `permission_denied` unless the caller may do `action` to a document named `filename`. */
export function requireFilename(caller: Caller, action: Action, filename: string): void {
  if (!mayTouch(caller, action, filename)) {
    throw new DomainError('permission_denied', `the key's scope \`${action}\` does not reach this filename`);
  }
}

/** Whether the caller may do `action` to a document named `filename`. */
export function mayTouch(caller: Caller, action: Action, filename: string): boolean {
  const prefixes = allowedPrefixes(caller.scopes, action);
  return prefixes === null || prefixes.some((prefix) => filename.startsWith(prefix));
}
