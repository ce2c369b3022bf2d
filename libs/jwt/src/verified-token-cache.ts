import type { KeyObject } from 'node:crypto';
import type { TokenClaims, TokenType } from './token.ts';

/** A token whose signature held for `key`, which its header names `kid`. */
export interface KnownToken {
  readonly type: TokenType;
  readonly kid: string;
  readonly key: KeyObject;
  readonly claims: TokenClaims;
}

/** Tokens whose signature held, with the key it held for. */
export interface VerifiedTokenCache {
  /** What was added for exactly this text. */
  find(token: string): KnownToken | undefined;
  add(token: string, known: KnownToken): void;
}

/**
 * A cache of at most `entriesMax` tokens, the oldest going first. Entries are found by the whole text, so
 * neither a twin spelling of the signature nor another payload under it finds an entry.
 */
export function createVerifiedTokenCache(entriesMax = 10_000): VerifiedTokenCache {
  const entries = new Map<string, KnownToken>();
  return {
    find: (token) => entries.get(token),
    add(token, known) {
      if (entries.size >= entriesMax) entries.delete(entries.keys().next().value as string);
      entries.set(token, known);
    },
  };
}
