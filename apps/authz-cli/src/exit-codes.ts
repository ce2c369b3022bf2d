import { GrpcCallError } from '@platform/authz-client';

/** Exit codes by which a script reads the outcome of a command. */
export const EXIT = {
  ok: 0,
  /** A check was denied, a test failed, policies are invalid, policies differ, a chain is broken. */
  no: 1,
  /** The command line, a file or an argument is wrong. */
  usage: 2,
  /** No credential, or one that is not live: log in. */
  unauthenticated: 3,
  /** The service did not permit the call. */
  denied: 4,
  notFound: 5,
  /** Taken, stale or in the wrong state. */
  conflict: 6,
  /** Rate or quota: try again later. */
  limited: 7,
  /** The service is unavailable or failed. */
  unavailable: 8,
  /** Ctrl-C at a question: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ctrl-C at a question. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('interrupted: nothing was done');
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'you may not read it',
};

/** The error of reading a file, with its name: system errors of a folder have none. */
export function unreadable(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const problem = FILE_PROBLEMS[error.code ?? ''];
    throw problem === undefined ? error : new UsageError(`${path}: ${problem}`);
  };
}

/** There is no credential, or one that is not live. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** An error response over REST. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  /** The code of the error, such as `access_denied`; empty where the response has none. */
  readonly reason: string;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    message: string,
    { reason = '', retryAfterSeconds = null }: { reason?: string; retryAfterSeconds?: number | null } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** By HTTP status code. */
const OF_HTTP_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.unauthenticated,
  403: EXIT.denied,
  404: EXIT.notFound,
  429: EXIT.limited,
};

/** By gRPC status code. */
const OF_STATUS: Readonly<Record<number, number>> = {
  3: EXIT.usage,
  5: EXIT.notFound,
  6: EXIT.conflict,
  7: EXIT.denied,
  8: EXIT.limited,
  9: EXIT.conflict,
  10: EXIT.conflict,
  16: EXIT.unauthenticated,
};

/** Whether a file could not be read or written; network errors arrive as `GrpcCallError`. */
function isOfFile(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || isOfFile(error)) return EXIT.usage;
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (error instanceof NotLoggedIn) return EXIT.unauthenticated;
  if (error instanceof RestError) return OF_HTTP_STATUS[error.status] ?? EXIT.unavailable;
  return error instanceof GrpcCallError ? (OF_STATUS[error.code] ?? EXIT.unavailable) : EXIT.unavailable;
}
