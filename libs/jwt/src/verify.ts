import type { KeyObject } from 'node:crypto';
import { verify } from 'node:crypto';
import type { KeySource } from './keys.ts';
import type { TokenClaims, TokenParts, TokenType } from './token.ts';
import { readClaims, splitToken } from './token.ts';
import { TokenError } from './token-error.ts';
import type { VerifiedTokenCache } from './verified-token-cache.ts';

export interface VerifyOptions {
  readonly keys: KeySource;
  readonly now: Date;
  readonly issuer: string;
  /** The token must name it, alone or in its list. */
  readonly audience: string;
  /** Kinds of token accepted here. */
  readonly types: readonly TokenType[];
  /** Spares the signature check of tokens seen before; times, issuer and audience are checked every time. */
  readonly cache?: VerifiedTokenCache;
}

export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly type: TokenType;
}

/** Clocks of two hosts may differ by this much, in seconds. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * The claims of a platform token: a compact JWS signed with Ed25519 (RFC 8037) by a key of `keys`. The checks stand below in
 * the order they run; the first that fails throws TokenError with its code. Keys named inside the token (`jwk`, `jku`,
 * `x5u`, `x5c`) are never looked at, extensions (`crit`) never understood. Revocation is not checked here.
 */
export async function verifyToken(token: string, options: VerifyOptions): Promise<VerifiedToken> {
  const parts = splitToken(token);
  const { alg, typ, kid } = parts.header;
  if (alg !== 'EdDSA') throw new TokenError('algorithm_not_allowed');
  if ('crit' in parts.header) throw new TokenError('critical_header');
  const type = options.types.find((allowed) => allowed === typ);
  if (type === undefined) throw new TokenError('type_not_allowed');
  if (typeof kid !== 'string') throw new TokenError('unknown_key');
  const found = await options.keys.findKey(kid);
  if (found === null) throw new TokenError('unknown_key');

  const claims =
    options.cache?.find(parts, found.key) ?? (await checkSignature(parts, found.key, options.cache));

  const now = options.now.getTime() / 1000;
  if (claims.exp <= now - CLOCK_SKEW_SECONDS) throw new TokenError('token_expired');
  if (Math.max(claims.nbf, claims.iat) > now + CLOCK_SKEW_SECONDS)
    throw new TokenError('token_not_yet_valid');
  if (claims.iss !== options.issuer) throw new TokenError('wrong_issuer');
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  if (!audiences.includes(options.audience)) throw new TokenError('wrong_audience');
  return { claims, type };
}

async function checkSignature(
  parts: TokenParts,
  key: KeyObject,
  cache?: VerifiedTokenCache,
): Promise<TokenClaims> {
  if (!(await verifySignature(key, Buffer.from(parts.signedText, 'latin1'), parts.signature))) {
    throw new TokenError('bad_signature');
  }
  const claims = readClaims(parts.payload);
  cache?.add(parts, key, claims);
  return claims;
}

/**
 * True when `signature` is `key`'s Ed25519 signature of `data` (RFC 8032 §5.1.7). Runs on the thread pool, so a flood of
 * bad tokens does not hold up the event loop. A signature of any other length than 64 bytes is false.
 */
export function verifySignature(key: KeyObject, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(null, data, key, signature, (error, isValid) => (error ? reject(error) : resolve(isValid)));
  });
}
