/** What can go wrong, in the caller's terms. The union is closed: every wire contract renders every kind. */
export const ERROR_KINDS = [
  'invalid_argument',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'conflict',
  'failed_precondition',
  'precondition_required',
  'etag_mismatch',
  'payload_too_large',
  'unsupported_media',
  'unprocessable',
  'validation_failed',
  'rate_limited',
  'quota_exceeded',
  'request_timeout',
  'deadline_exceeded',
  'unavailable',
  'unimplemented',
  'internal',
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];

export interface DomainErrorOptions {
  /** The field of the input at fault, as the caller wrote it: `claims[2].actor_id`. */
  readonly field?: string;
  /** The fields at fault, each with its problem. */
  readonly details?: Readonly<Record<string, string>>;
  /** What the caller can do, naming operations of the contract: `list_sessions lists yours`. */
  readonly remedy?: string;
  /** Whole seconds after which another try may succeed; goes out as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Parameters of the challenge over HTTP (RFC 6750 §3), besides the realm, such as `scope`. */
  readonly challenge?: Readonly<Record<string, string>>;
  /** What only operators may see; it goes to the log and never to the caller. */
  readonly cause?: unknown;
}

/**
 * The one error that operations and stores throw. `message` is written for the caller: lower case start, no
 * full stop, the caller's own words in backticks, nothing of the inside.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, string>> | undefined;
  readonly remedy: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: Readonly<Record<string, string>> | undefined;

  constructor(kind: ErrorKind, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.field = options.field;
    this.details = options.details;
    this.remedy = options.remedy;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge;
  }
}

/**
 * The error itself when it is a DomainError; anything else becomes `internal` with a fixed sentence and the
 * original as its cause, so no text of the inside reaches a caller by accident.
 */
export function toDomainError(error: unknown): DomainError {
  return error instanceof DomainError
    ? error
    : new DomainError('internal', 'internal error', { cause: error });
}

/** What `read` returns, or the DomainError that it throws; any other error is thrown. */
export function orError<T>(read: () => T): T | DomainError {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
