import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import { TokenError } from './token-error.ts';

/** What a token is for; the header's `typ` (RFC 8725 §3.11), so one kind never passes for another. */
export const TOKEN_TYPES = ['at+jwt', 'key+jwt', 'svc+jwt'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** The claims of a platform token; times are seconds since 1970 (RFC 7519 NumericDate), whole or not. */
export interface TokenClaims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  readonly sub: string;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly tenant_id?: string;
  readonly sid?: string;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
}

/** Longest token that is looked at, in characters (= bytes: a token is ASCII). */
export const TOKEN_BYTES_MAX = 8 * 1024;

/** A token taken apart; nothing in it is to be believed until its signature is checked. */
export interface TokenParts {
  readonly header: Record<string, unknown>;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
  /** What the signature covers: the first two parts as they were sent. */
  readonly signedText: string;
}

/**
 * Takes a compact JWS apart (RFC 7515 §7.1). Refuses what is longer than TOKEN_BYTES_MAX before reading it,
 * anything but three parts of canonical base64url (unused bits set would let two texts be one token), and a
 * header that is not an object naming each member once. Throws TokenError `token_too_large` or
 * `token_malformed`.
 */
export function splitToken(token: string): TokenParts {
  if (token.length > TOKEN_BYTES_MAX) throw new TokenError('token_too_large');
  const parts = token.split('.');
  if (parts.length !== 3) throw new TokenError('token_malformed');
  const [header, payload, signature] = parts.map(decodeBase64Url) as [Buffer, Buffer, Buffer];
  return {
    header: parseObject(header),
    payload,
    signature,
    signedText: token.slice(0, token.lastIndexOf('.')),
  };
}

/** The claims in a payload, their types checked one by one. Throws TokenError `claims_malformed`. */
export function readClaims(payload: Uint8Array): TokenClaims {
  const claims = parseObject(payload, 'claims_malformed');
  const isValid =
    isText(claims.iss) &&
    isAudience(claims.aud) &&
    isText(claims.sub) &&
    isNumericDate(claims.iat) &&
    isNumericDate(claims.nbf) &&
    isNumericDate(claims.exp) &&
    isText(claims.jti) &&
    (claims.tenant_id === undefined || isText(claims.tenant_id)) &&
    (claims.sid === undefined || isText(claims.sid)) &&
    (claims.scope === undefined || typeof claims.scope === 'string');
  if (!isValid) throw new TokenError('claims_malformed');
  return claims as unknown as TokenClaims;
}

/** The bytes of a part. Throws TokenError `token_malformed` for anything but canonical base64url. */
function decodeBase64Url(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (part === '' || bytes.toString('base64url') !== part) throw new TokenError('token_malformed');
  return bytes;
}

function parseObject(bytes: Uint8Array, code: 'token_malformed' | 'claims_malformed' = 'token_malformed') {
  try {
    const value = parseStrictJson(bytes, { depthMax: 8 });
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
  }
  throw new TokenError(code);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Finite (JSON's `1e999` reads as Infinity), not negative, and within what a Date can hold. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e12;
}

function isAudience(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));
}
