import type { DomainError } from './domain-error.ts';

/** An error as one wire contract answers it. */
export interface WireAnswer {
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

/** Turns an error into the answer of one wire contract. Never throws. */
export type ErrorRenderer = (error: DomainError, context: RenderContext) => WireAnswer;

/**
 * Headers that mean the same in every HTTP contract: Retry-After, and for 401 the challenge (RFC 9110
 * §11.6.1).
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
  if (status === 401) {
    const reason = context.credentialSent ? ', error="invalid_token"' : '';
    headers['WWW-Authenticate'] = `Bearer realm="${realm}"${reason}`;
  }
  return headers;
}
