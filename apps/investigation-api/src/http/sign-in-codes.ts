import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Texts that each give a session of the desk once: what a link may carry where it must not carry a token. */
export interface SignInCodes {
  /** A new code for a token. */
  issue(token: string): string;
  /** The token of a code, which is spent by this; null for one that is spent, too old or unknown. */
  take(code: string): string | null;
}

/** How long a code is good. Milliseconds. */
export const CODE_LIFE_MS = 10 * 60_000;
const CODES_MAX = 1_000;
const CODE_BYTES = 32;

/** Codes in the memory of this process, at most a thousand; `now` is a clock in milliseconds. */
export function createSignInCodes(now: () => number): SignInCodes {
  const tokens = new LRUCache<string, { readonly token: string; readonly endsAt: number }>({
    max: CODES_MAX,
  });
  return {
    issue(token) {
      const code = randomBytes(CODE_BYTES).toString('base64url');
      tokens.set(digest(code), { token, endsAt: now() + CODE_LIFE_MS });
      return code;
    },
    take(code) {
      const key = digest(code);
      const found = tokens.get(key);
      tokens.delete(key);
      return found === undefined || found.endsAt <= now() ? null : found.token;
    },
  };
}

/** Looked up by digest, so that the time of a look-up says nothing of a code. */
const digest = (code: string): string => createHash('sha256').update(code).digest('base64url');
