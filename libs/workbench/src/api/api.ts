import { ApiError, errorOf } from './api-error.ts';
import { credentialHeader, type Credential } from './credential.ts';

export interface RequestOptions {
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
  /** The response is a file, and comes as a Blob. */
  readonly asFile?: boolean;
}

/**
 * Calls the operations below /api/v1 and gives what they return, null for an empty response. Throws ApiError,
 * and AbortError when stopped.
 */
export type Api = <Answer>(method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/** One call with a credential. */
export async function call<Answer>(
  credential: Credential,
  method: string,
  path: string,
  { body, file, signal, asFile }: RequestOptions = {},
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(credential.kind === 'pasted' ? credentialHeader(credential.text) : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? file : JSON.stringify(body),
      signal,
      credentials: credential.kind === 'cookie' ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, String(error));
  }
  if (!response.ok) throw await errorOf(response);
  if (response.status === 204) return null as Answer;
  return (asFile ? await response.blob() : await response.json()) as Answer;
}

/**
 * Calls with the credential at hand. When it is refused, `renew` asks for another, and the call is made
 * again: what it was about to save is not lost. `renew` gives null when the user gives up.
 */
export function createApi(options: {
  credential: () => Credential | null;
  renew: () => Promise<Credential | null>;
}): Api {
  return async <Answer>(method: string, path: string, request?: RequestOptions) => {
    let credential = options.credential() ?? (await options.renew());
    for (;;) {
      if (credential === null) throw new ApiError(401, 'not signed in');
      try {
        return await call<Answer>(credential, method, path, request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        credential = await options.renew();
      }
    }
  };
}

/**
 * Whether a text can stand between two slashes of a URL. A browser resolves `.` and `..` there, encoded or
 * not, so that such an id would lead to what holds the item instead of the item.
 */
export const isPathPart = (text: string): boolean => text !== '.' && text !== '..';

/** Path of a session's resource; each part may be any text that `isPathPart`, anything else throws. */
export function sessionPath(sessionId: string, ...parts: readonly string[]): string {
  const lost = [sessionId, ...parts].find((part) => !isPathPart(part));
  if (lost !== undefined) throw new Error(`nothing can be addressed by ${JSON.stringify(lost)}`);
  return ['/sessions', sessionId, ...parts]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');
}
