import type { DomainError } from './domain-error.ts';

/** An error as one wire contract renders it. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the request tells a renderer. */
export interface RenderContext {
  readonly requestId: string;
  /** True when a credential was sent: RFC 6750 §3.1 wants `error="invalid_token"` only then. */
  readonly credentialSent?: boolean;
}

/** Turns an error into the response of one wire contract. Never throws. */
export type ErrorRenderer = (error: DomainError, context: RenderContext) => WireResponse;

/**
 * Headers that mean the same in every HTTP contract: Retry-After, and for 401, and where a wider scope would
 * do, the challenge (RFC 9110 §11.6.1, RFC 6750 §3.1).
 */
export function commonHeaders(
  error: DomainError,
  context: RenderContext,
  status: number,
  realm: string,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  }
  if (status === 401 || error.challenge !== undefined) {
    const reason = status === 401 && context.credentialSent ? { error: 'invalid_token' } : {};
    const parameters = Object.entries({ realm, ...reason, ...error.challenge });
    headers['WWW-Authenticate'] =
      `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
  }
  return headers;
}
