export {
  exportSigningKey,
  generateSigningKey,
  loadSigningKey,
  loadVerificationKeys,
  publicJwks,
  staticKeys,
  verificationKeyOf,
} from './keys.ts';
export type { KeySource, PublicJwks, SigningKey, VerificationKey } from './keys.ts';
export { signToken } from './sign.ts';
export { TOKEN_BYTES_MAX, TOKEN_TYPES } from './token.ts';
export type { TokenClaims, TokenType } from './token.ts';
export { TOKEN_ERROR_CODES, TokenError } from './token-error.ts';
export type { TokenErrorCode } from './token-error.ts';
export { createKeyFinder } from './key-finder.ts';
export { createVerifiedTokenCache } from './verified-token-cache.ts';
export type { VerifiedTokenCache } from './verified-token-cache.ts';
export { verifyToken } from './verify.ts';
export type { VerifiedToken, VerifyOptions } from './verify.ts';
