import { SignJWT } from 'jose';
import type { SigningKey } from './keys.ts';
import type { TokenClaims, TokenType } from './token.ts';

/** The token that says `claims` as `type`, signed with Ed25519: header `alg EdDSA, kid, typ`. */
export function signToken(
  claims: TokenClaims,
  options: { type: TokenType; key: SigningKey },
): Promise<string> {
  return new SignJWT({ ...claims, aud: typeof claims.aud === 'string' ? claims.aud : [...claims.aud] })
    .setProtectedHeader({ alg: 'EdDSA', kid: options.key.kid, typ: options.type })
    .sign(options.key.privateKey);
}
