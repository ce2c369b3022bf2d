import type { ErrorKind } from '../domain-error.ts';
import type { ErrorRenderer } from '../wire.ts';
import { commonHeaders } from '../wire.ts';

/** Status of each kind in the investigation contract; the body is always `{error}`. */
export const INVESTIGATION = {
  invalid_argument: 422,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  conflict: 409,
  failed_precondition: 409,
  precondition_required: 409,
  etag_mismatch: 409,
  payload_too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  validation_failed: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  request_timeout: 408,
  deadline_exceeded: 504,
  unavailable: 503,
  unimplemented: 404,
  internal: 500,
} as const satisfies Record<ErrorKind, number>;

/**
 * `{error: string}`; an internal error names the request id, by which operators find its cause in the log.
 */
export const renderInvestigationError: ErrorRenderer = (error, context) => {
  const status = INVESTIGATION[error.kind];
  const message =
    error.kind === 'internal' ? `internal error, request id ${context.requestId}` : error.message;
  return {
    status,
    headers: commonHeaders(error, context, status, 'investigation-api'),
    body: { error: message },
  };
};
