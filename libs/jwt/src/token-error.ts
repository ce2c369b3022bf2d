/** Why a token is refused. For logs and tests: callers on the wire see one response for all of them. */
export const TOKEN_ERROR_CODES = [
  'token_too_large',
  'token_malformed',
  'algorithm_not_allowed',
  'critical_header',
  'type_not_allowed',
  'unknown_key',
  'bad_signature',
  'claims_malformed',
  'token_expired',
  'token_not_yet_valid',
  'wrong_issuer',
  'wrong_audience',
] as const;

export type TokenErrorCode = (typeof TOKEN_ERROR_CODES)[number];

/** A token refused. It carries the code only, never a piece of the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode) {
    super(code.replaceAll('_', ' '));
    this.code = code;
  }
}
