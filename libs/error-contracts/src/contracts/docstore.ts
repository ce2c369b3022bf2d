import { RETRY_AFTER_SECONDS } from '../retry-after.ts';
import type { ErrorKind } from '../domain-error.ts';
import type { ErrorRenderer } from '../wire.ts';
import { commonHeaders } from '../wire.ts';

/** Whether a caller may send the same request again: `conditional` = after the step that `action` names. */
export type DocstoreRetryable = 'yes' | 'no' | 'conditional';

export interface DocstoreCode {
  /** Status that goes with the code, unless the HTTP parser or an overload chose another. */
  readonly status: number;
  readonly retryable: DocstoreRetryable;
  /** What the caller should do, in one sentence. */
  readonly action: string;
}

const FIX = 'Fix the request, credentials, quota or document state';

/** The fixed set of codes with the retry table of the document store's contract; GET /v1/errors serves it. */
export const DOCSTORE_CODES = {
  bad_request: { status: 400, retryable: 'no', action: FIX },
  unauthorized: { status: 401, retryable: 'no', action: FIX },
  forbidden: { status: 403, retryable: 'no', action: FIX },
  quota_exceeded: { status: 403, retryable: 'no', action: FIX },
  not_found: { status: 404, retryable: 'no', action: FIX },
  conflict: { status: 409, retryable: 'no', action: 'Use PUT to update the existing document' },
  precondition_failed: { status: 412, retryable: 'conditional', action: 'Re-fetch the ETag, then retry' },
  payload_too_large: { status: 413, retryable: 'no', action: FIX },
  unsupported_media_type: { status: 415, retryable: 'no', action: 'Send Content-Type: application/json' },
  validation_failed: { status: 422, retryable: 'no', action: FIX },
  unprocessable_entity: { status: 422, retryable: 'no', action: FIX },
  precondition_required: { status: 428, retryable: 'conditional', action: 'Add If-Match and retry' },
  rate_limited: { status: 429, retryable: 'yes', action: 'Wait Retry-After seconds, then retry' },
  internal: { status: 500, retryable: 'yes', action: 'Retry with exponential backoff' },
  not_implemented: { status: 501, retryable: 'no', action: FIX },
} as const satisfies Record<string, DocstoreCode>;

export type DocstoreErrorCode = keyof typeof DOCSTORE_CODES;

/** Body of every error of the document store. */
export interface DocstoreErrorBody {
  readonly error: {
    readonly code: DocstoreErrorCode;
    readonly message: string;
    readonly request_id: string | null;
    readonly details?: Readonly<Record<string, string>>;
  };
}

/**
 * Code of each kind; `unavailable` and `deadline_exceeded` have none of their own and go out as 503
 * `internal`.
 */
export const DOCSTORE = {
  invalid_argument: 'bad_request',
  unauthenticated: 'unauthorized',
  permission_denied: 'forbidden',
  not_found: 'not_found',
  conflict: 'conflict',
  failed_precondition: 'unprocessable_entity',
  precondition_required: 'precondition_required',
  etag_mismatch: 'precondition_failed',
  payload_too_large: 'payload_too_large',
  unsupported_media: 'unsupported_media_type',
  unprocessable: 'unprocessable_entity',
  validation_failed: 'validation_failed',
  rate_limited: 'rate_limited',
  quota_exceeded: 'quota_exceeded',
  request_timeout: 'bad_request',
  deadline_exceeded: 'internal',
  unavailable: 'internal',
  unimplemented: 'not_implemented',
  internal: 'internal',
} as const satisfies Record<ErrorKind, DocstoreErrorCode>;

/**
 * The envelope `{error: {code, message, request_id, details?}}`; `details` stands on validation_failed and
 * only there.
 */
export const renderDocstoreError: ErrorRenderer = (error, context) => {
  const code = DOCSTORE[error.kind];
  const isOverload = error.kind === 'unavailable' || error.kind === 'deadline_exceeded';
  const own = error.kind === 'request_timeout' ? 408 : DOCSTORE_CODES[code].status;
  const status = isOverload ? 503 : own;
  const headers = commonHeaders(error, context, status, 'docstore');
  if (isOverload) headers['Retry-After'] ??= String(RETRY_AFTER_SECONDS.queue);
  const message = error.kind === 'internal' ? 'internal error' : error.message;
  const details =
    code === 'validation_failed'
      ? { details: error.details ?? (error.field === undefined ? {} : { [error.field]: error.message }) }
      : {};
  return { status, headers, body: docstoreErrorBody(code, message, context.requestId, details) };
};

/** The envelope itself, for responses to what never reached the router. */
export function docstoreErrorBody(
  code: DocstoreErrorCode,
  message: string,
  requestId: string | null,
  details: { details?: Readonly<Record<string, string>> } = {},
): DocstoreErrorBody {
  return { error: { code, message, request_id: requestId, ...details } };
}
