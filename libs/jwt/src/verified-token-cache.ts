import type { KeyObject } from 'node:crypto';
import type { TokenClaims, TokenParts } from './token.ts';

/** Tokens whose signature held, with the key it held for. */
export interface VerifiedTokenCache {
  /** The claims of a token added with this very key, else null. */
  find(parts: TokenParts, key: KeyObject): TokenClaims | null;
  add(parts: TokenParts, key: KeyObject, claims: TokenClaims): void;
}

/**
 * A cache of at most `entriesMax` tokens, the oldest going first. Entries are found by the text that is signed and the
 * signature's bytes, so neither a twin spelling of the signature nor another payload under it finds an entry; a key that was
 * replaced finds nothing.
 */
export function createVerifiedTokenCache(entriesMax = 10_000): VerifiedTokenCache {
  const entries = new Map<string, { key: KeyObject; claims: TokenClaims }>();
  return {
    find(parts, key) {
      const entry = entries.get(entryKey(parts));
      return entry?.key === key ? entry.claims : null;
    },
    add(parts, key, claims) {
      if (entries.size >= entriesMax) entries.delete(entries.keys().next().value as string);
      entries.set(entryKey(parts), { key, claims });
    },
  };
}

function entryKey({ signedText, signature }: TokenParts): string {
  return `${signedText}.${Buffer.from(signature.buffer, signature.byteOffset, signature.length).toString('latin1')}`;
}
