import type { KeyObject } from 'node:crypto';
import { verify } from 'node:crypto';
import type { KeySource } from './keys.ts';
import type { TokenClaims, TokenType } from './token.ts';
import { readClaims, splitToken, TOKEN_BYTES_MAX } from './token.ts';
import { TokenError } from './token-error.ts';
import type { KnownToken, VerifiedTokenCache } from './verified-token-cache.ts';

export interface VerifyOptions {
  readonly keys: KeySource;
  readonly now: Date;
  readonly issuer: string;
  /** The token must name it, or one of these, alone or in its list. */
  readonly audience: string | readonly string[];
  /** Kinds of token accepted here. */
  readonly types: readonly TokenType[];
  /** Spares the signature check of tokens seen before; times, issuer and audience are checked every time. */
  readonly cache?: VerifiedTokenCache;
}

export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly type: TokenType;
  /** Id of the key that signed it. */
  readonly kid: string;
}

/** Clocks of two hosts may differ by this much, in seconds. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * The claims of a platform token: a compact JWS signed with Ed25519 (RFC 8037) by a key of `keys`. The checks
 * stand below in the order they run; the first that fails throws TokenError with its code. Keys named inside
 * the token (`jwk`, `jku`, `x5u`, `x5c`) are never looked at, extensions (`crit`) never understood.
 * Revocation is not checked here.
 */
export async function verifyToken(token: string, options: VerifyOptions): Promise<VerifiedToken> {
  const { claims, type, kid } = (await findKnown(token, options)) ?? (await checkSignature(token, options));
  const now = options.now.getTime() / 1000;
  if (claims.exp <= now - CLOCK_SKEW_SECONDS) throw new TokenError('token_expired');
  if (Math.max(claims.nbf, claims.iat) > now + CLOCK_SKEW_SECONDS)
    throw new TokenError('token_not_yet_valid');
  if (claims.iss !== options.issuer) throw new TokenError('wrong_issuer');
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  const accepted = typeof options.audience === 'string' ? [options.audience] : options.audience;
  if (!accepted.some((audience) => audiences.includes(audience))) throw new TokenError('wrong_audience');
  return { claims, type, kid };
}

/**
 * A token seen before, if its type is accepted here and the key its signature held for is still the one it
 * names.
 */
async function findKnown(token: string, { cache, keys, types }: VerifyOptions): Promise<KnownToken | null> {
  if (token.length > TOKEN_BYTES_MAX) throw new TokenError('token_too_large');
  const known = cache?.find(token);
  if (known === undefined || !types.includes(known.type)) return null;
  const found = await keys.findKey(known.kid);
  return found?.key === known.key ? known : null;
}

async function checkSignature(token: string, { types, keys, cache }: VerifyOptions): Promise<KnownToken> {
  const { header, payload, signature, signedText } = splitToken(token);
  const { alg, typ, kid } = header;
  if (alg !== 'EdDSA') throw new TokenError('algorithm_not_allowed');
  if ('crit' in header) throw new TokenError('critical_header');
  const type = types.find((allowed) => allowed === typ);
  if (type === undefined) throw new TokenError('type_not_allowed');
  if (typeof kid !== 'string') throw new TokenError('unknown_key');
  const found = await keys.findKey(kid);
  if (found === null) throw new TokenError('unknown_key');
  if (!(await verifySignature(found.key, Buffer.from(signedText, 'latin1'), signature))) {
    throw new TokenError('bad_signature');
  }
  const known = { type, kid, key: found.key, claims: readClaims(payload) };
  cache?.add(token, known);
  return known;
}

/**
 * True when `signature` is `key`'s Ed25519 signature of `data` (RFC 8032 §5.1.7). Runs on the thread pool, so
 * a flood of bad tokens does not hold up the event loop. A signature of any other length than 64 bytes is
 * false.
 */
export function verifySignature(key: KeyObject, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(null, data, key, signature, (error, isValid) => (error ? reject(error) : resolve(isValid)));
  });
}
