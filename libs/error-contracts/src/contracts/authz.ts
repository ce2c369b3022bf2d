import type { ErrorKind } from '../domain-error.ts';
import { DomainError, type DomainErrorOptions } from '../domain-error.ts';
import type { ErrorRenderer } from '../wire.ts';
import { commonHeaders } from '../wire.ts';

/**
 * Every reason the authorization service gives (`google.rpc.ErrorInfo.reason`) and the kind it belongs to.
 * Source: the decisions page, table "Errors".
 */
export const AUTHZ_REASONS = {
  INVALID_ARGUMENT: 'invalid_argument',
  INVALID_CONTEXT: 'invalid_argument',
  INVALID_OBJECT_URI: 'invalid_argument',
  INVALID_POLICY: 'invalid_argument',
  ID_MISMATCH: 'invalid_argument',
  TOKEN_INVALID: 'unauthenticated',
  LOGIN_FAILED: 'unauthenticated',
  TENANT_REQUIRED: 'permission_denied',
  DOMAIN_NOT_ACCESSIBLE: 'permission_denied',
  ACCESS_DENIED: 'permission_denied',
  SESSION_REQUIRED: 'permission_denied',
  TENANT_NOT_FOUND: 'not_found',
  DOMAIN_NOT_FOUND: 'not_found',
  USER_NOT_FOUND: 'not_found',
  API_KEY_NOT_FOUND: 'not_found',
  CLIENT_GRANT_NOT_FOUND: 'not_found',
  SERVICE_ACCOUNT_NOT_FOUND: 'not_found',
  SIGNING_KEY_NOT_FOUND: 'not_found',
  ASSOCIATION_NOT_FOUND: 'not_found',
  CHECK_NOT_FOUND: 'not_found',
  POLICY_VERSION_NOT_FOUND: 'not_found',
  SHADOW_POLICIES_NOT_FOUND: 'not_found',
  NAME_TAKEN: 'conflict',
  VERSION_CONFLICT: 'etag_mismatch',
  DEPENDENTS_EXIST: 'failed_precondition',
  LOCKOUT: 'failed_precondition',
  ROOT_IMMUTABLE: 'failed_precondition',
  TENANT_ALREADY_SET: 'failed_precondition',
  TENANTS_EXHAUSTED: 'failed_precondition',
  RATE_LIMITED: 'rate_limited',
  PROOF_REQUIRED: 'rate_limited',
  QUOTA_EXHAUSTED: 'quota_exceeded',
  DEPENDENCY_UNAVAILABLE: 'unavailable',
} as const satisfies Record<string, ErrorKind>;

export type AuthzReason = keyof typeof AUTHZ_REASONS;

/** A DomainError that also carries the contract's reason; its kind follows from the reason. */
export class AuthzError extends DomainError {
  readonly reason: AuthzReason;

  constructor(reason: AuthzReason, message: string, options: DomainErrorOptions = {}) {
    super(AUTHZ_REASONS[reason], message, options);
    this.reason = reason;
  }
}

/** INVALID_ARGUMENT about one field: its name stands before the problem in the message, and in `field`. */
export function invalidField(field: string, problem: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', `\`${field}\` ${problem}`, { field });
}

/** True for an AuthzError of this reason. */
export function hasReason(error: unknown, reason: AuthzReason): error is AuthzError {
  return error instanceof AuthzError && error.reason === reason;
}

interface AuthzWireError {
  /** `google.rpc.Code`. */
  readonly grpc: number;
  /** Reason given when the error carries none. */
  readonly reason: string;
  readonly status: number;
  /** `error` of the REST body; the contract's five words and no others. */
  readonly rest: 'invalid_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal_error';
}

/**
 * Both wires of the authorization service. Clients treat 401 as log in again, 429 as back off, anything else
 * as deny.
 */
export const AUTHZ = {
  invalid_argument: { grpc: 3, reason: 'INVALID_ARGUMENT', status: 400, rest: 'invalid_request' },
  unauthenticated: { grpc: 16, reason: 'TOKEN_INVALID', status: 401, rest: 'unauthorized' },
  permission_denied: { grpc: 7, reason: 'ACCESS_DENIED', status: 403, rest: 'forbidden' },
  not_found: { grpc: 5, reason: 'NOT_FOUND', status: 404, rest: 'invalid_request' },
  conflict: { grpc: 6, reason: 'NAME_TAKEN', status: 409, rest: 'invalid_request' },
  failed_precondition: { grpc: 9, reason: 'FAILED_PRECONDITION', status: 400, rest: 'invalid_request' },
  precondition_required: { grpc: 9, reason: 'FAILED_PRECONDITION', status: 400, rest: 'invalid_request' },
  etag_mismatch: { grpc: 10, reason: 'VERSION_CONFLICT', status: 409, rest: 'invalid_request' },
  payload_too_large: { grpc: 3, reason: 'PAYLOAD_TOO_LARGE', status: 413, rest: 'invalid_request' },
  unsupported_media: { grpc: 3, reason: 'UNSUPPORTED_MEDIA', status: 415, rest: 'invalid_request' },
  unprocessable: { grpc: 3, reason: 'INVALID_ARGUMENT', status: 400, rest: 'invalid_request' },
  validation_failed: { grpc: 3, reason: 'INVALID_ARGUMENT', status: 400, rest: 'invalid_request' },
  rate_limited: { grpc: 8, reason: 'RATE_LIMITED', status: 429, rest: 'rate_limited' },
  quota_exceeded: { grpc: 8, reason: 'QUOTA_EXHAUSTED', status: 429, rest: 'rate_limited' },
  request_timeout: { grpc: 4, reason: 'DEADLINE_EXCEEDED', status: 408, rest: 'invalid_request' },
  deadline_exceeded: { grpc: 4, reason: 'DEADLINE_EXCEEDED', status: 503, rest: 'internal_error' },
  unavailable: { grpc: 14, reason: 'DEPENDENCY_UNAVAILABLE', status: 503, rest: 'internal_error' },
  unimplemented: { grpc: 12, reason: 'UNIMPLEMENTED', status: 404, rest: 'invalid_request' },
  internal: { grpc: 13, reason: 'INTERNAL', status: 500, rest: 'internal_error' },
} as const satisfies Record<ErrorKind, AuthzWireError>;

/**
 * An error as gRPC carries it: status code, message for the caller, and what goes into the standard details.
 */
export interface AuthzStatus {
  readonly code: number;
  readonly message: string;
  readonly reason: string;
  readonly fieldViolations: readonly { readonly field: string; readonly description: string }[];
  /** Seconds, fractions allowed; null when a retry is not limited by time. */
  readonly retryDelaySeconds: number | null;
}

/**
 * The gRPC status of an error. Never throws. An internal error names the request id, its text stays in the
 * log.
 */
export function authzStatus(error: DomainError, requestId: string): AuthzStatus {
  const { grpc, reason } = AUTHZ[error.kind];
  const violations = Object.entries(error.details ?? {});
  if (error.field !== undefined && violations.length === 0) violations.push([error.field, error.message]);
  return {
    code: grpc,
    message: error.kind === 'internal' ? `internal error, request id ${requestId}` : error.message,
    reason: error instanceof AuthzError ? error.reason : reason,
    fieldViolations: violations.map(([field, description]) => ({ field, description })),
    retryDelaySeconds: error.retryAfterSeconds ?? null,
  };
}

/** `{error, message}` of the REST surface. Never throws. */
export const renderAuthzError: ErrorRenderer = (error, context) => {
  const { status, rest } = AUTHZ[error.kind];
  const message =
    error.kind === 'internal' ? `internal error, request id ${context.requestId}` : error.message;
  return {
    status,
    headers: commonHeaders(error, context, status, 'authz'),
    body: { error: rest, message },
  };
};
