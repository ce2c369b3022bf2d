import { DOCSTORE_CODES, type DocstoreErrorCode, type DocstoreRetryable } from '@platform/error-contracts';

/**
 * An error of the store, in the contract's terms. `status` is 0 where no response came: `code` is internal
 * then, and `cause` what the network said; or validation_failed, and nothing was sent.
 */
export class DocstoreError extends Error {
  override readonly name = 'DocstoreError';
  readonly code: DocstoreErrorCode;
  readonly status: number;
  /** By this the store's operators find the request in their log; null when the response had none. */
  readonly requestId: string | null;
  /** On validation_failed: field to message. */
  readonly details: Readonly<Record<string, string>>;
  /** The current ETag, on precondition_failed. */
  readonly currentEtag: string | null;
  /** Seconds to wait, where the store said so. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, headers: Headers, body: unknown, options?: ErrorOptions) {
    const { code, message, request_id, details } = errorOf(body);
    super(message ?? `the store returned ${status}`, options);
    this.code =
      code !== undefined && Object.hasOwn(DOCSTORE_CODES, code)
        ? (code as DocstoreErrorCode)
        : codeOf(status);
    this.status = status;
    this.requestId = request_id ?? headers.get('X-Request-Id');
    this.details = details ?? {};
    this.currentEtag = headers.get('ETag');
    const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  }

  /** The error of a request that no response came to, because of `cause`. */
  static unreachable(cause: unknown): DocstoreError {
    const { message: said, cause: reason } = cause as Error;
    const why = (reason as Error | undefined)?.message;
    const message = `the store does not respond: ${said}${why ? `: ${why}` : ''}`;
    return new DocstoreError(0, new Headers(), { error: { code: 'internal', message } }, { cause });
  }

  /** The error of a request that is not sent, because of what `field` holds. */
  static unsendable(field: string, problem: string): DocstoreError {
    const error = {
      code: 'validation_failed',
      message: `${field} ${problem}`,
      details: { [field]: problem },
    };
    return new DocstoreError(0, new Headers(), { error });
  }

  /** Whether the contract's retry table allows the same request again. */
  get retryable(): DocstoreRetryable {
    return DOCSTORE_CODES[this.code].retryable;
  }
}

interface WireError {
  readonly code?: string;
  readonly message?: string;
  readonly request_id?: string | null;
  readonly details?: Record<string, string>;
}

function errorOf(body: unknown): WireError {
  return (body as { error?: WireError } | null)?.error ?? {};
}

/**
 * The code that a status stands for in a response that names none: something before the store sent it.
 */
function codeOf(status: number): DocstoreErrorCode {
  const codes = Object.keys(DOCSTORE_CODES) as DocstoreErrorCode[];
  const sameStatus = codes.find((code) => DOCSTORE_CODES[code].status === status);
  return sameStatus ?? (status < 500 ? 'bad_request' : 'internal');
}
