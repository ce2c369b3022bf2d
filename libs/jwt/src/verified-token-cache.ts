import type { KeyObject } from 'node:crypto';
import { decodeBase64Url, type TokenClaims, type TokenType } from './token.ts';

/** A token whose signature held for `key`, which its header names `kid`. */
export interface KnownToken {
  readonly type: TokenType;
  readonly kid: string;
  readonly key: KeyObject;
  readonly claims: TokenClaims;
}

/** Tokens whose signature held, with the key it held for. */
export interface VerifiedTokenCache {
  /**
   * What was added for this token. Throws TokenError `token_malformed` when its signature is not canonical
   * base64url.
   */
  find(token: string): KnownToken | undefined;
  add(token: string, known: KnownToken): void;
}

/**
 * A cache of at most `entriesMax` tokens, the oldest going first. Entries are found by the text that is
 * signed and the signature's bytes, so neither a twin spelling of the signature nor another payload under it
 * finds an entry.
 */
export function createVerifiedTokenCache(entriesMax = 10_000): VerifiedTokenCache {
  const entries = new Map<string, KnownToken>();
  return {
    find: (token) => entries.get(entryKey(token)),
    add(token, known) {
      if (entries.size >= entriesMax) entries.delete(entries.keys().next().value as string);
      entries.set(entryKey(token), known);
    },
  };
}

function entryKey(token: string): string {
  const signatureAt = token.lastIndexOf('.') + 1;
  return token.slice(0, signatureAt) + decodeBase64Url(token.slice(signatureAt)).toString('latin1');
}
