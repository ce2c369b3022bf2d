import { counted } from '@platform/viewer/browser';
import { errorAt, readProblems, type Problem } from './problems.ts';

/** A response of the API that is not a success, or no response at all (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds after which it may be tried again, where the response says so. */
  readonly retryAfter: number | null;
  /** Each problem that names its place: of a 422 read from its text, else as given. */
  readonly problems: readonly Problem[];
  /** The lines of a 422 that name no place. */
  readonly others: readonly string[];

  constructor(
    status: number,
    message: string,
    {
      requestId = null,
      retryAfter = null,
      problems = [],
    }: {
      requestId?: string | null;
      retryAfter?: number | null;
      problems?: readonly Problem[];
    } = {},
  ) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    const read = status === 422 ? readProblems(message) : { problems, others: [] };
    this.problems = read.problems;
    this.others = read.others;
  }
}

/** What an error says about fields of the body and of their parts; undefined where it says nothing. */
export function problemOf(error: unknown, ...names: readonly string[]): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return names.flatMap((name) => errorAt(error.problems, name) ?? []).join(' ') || undefined;
}

/** The response's error. Bodies that are not ours, such as a proxy's page, are left out. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { error?: unknown } | null;
  const message = typeof body?.error === 'string' ? body.error : '';
  return new ApiError(response.status, message, {
    requestId: response.headers.get('x-request-id'),
    retryAfter: readRetryAfter(response.headers.get('retry-after')),
  });
}

/** RFC 9110 §10.2.3, the form in seconds; ours sends no dates. */
function readRetryAfter(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** What went wrong as people say it. */
export function plainWords(error: unknown): string {
  if (!(error instanceof ApiError))
    return `Something in this page went wrong: ${error instanceof Error ? error.message : String(error)}`;
  const { status, message, retryAfter } = error;
  const again =
    retryAfter === null ? 'Try again in a moment.' : `Try again in ${counted(retryAfter, 'second')}.`;
  switch (status) {
    case 0:
      return 'The service did not answer. Look whether it runs and whether you are online, then try again.';
    case 401:
      return 'You are not signed in, or no longer. Sign in again.';
    case 403:
      return `You may not do this${message ? `: ${message}` : ''}.`;
    case 404:
      return `It is not there, or you may not see it${message ? `: ${message}` : ''}.`;
    case 409:
      return `It cannot be done as things stand: ${message || 'something else has the same name'}.`;
    case 412:
      return message;
    case 413:
      return `That is more than the service takes at once${message ? `: ${message}` : ''}.`;
    case 422:
      return `What was sent is not right: ${message.split('\n').join('; ')}`;
    case 429:
      return `Too many requests at once. ${again}`;
    case 503:
      return `The service is busy. ${again}`;
    case 504:
      return 'It took longer than the service allows. A smaller investigation, or summary mode, takes less.';
    default:
      return status >= 500
        ? 'The service failed. What you wrote is still here; try again, and tell its operator if it stays.'
        : `The service refused it (${status})${message ? `: ${message}` : ''}.`;
  }
}
