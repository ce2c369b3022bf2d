import { RestError, UsageError } from './exit-codes.ts';
import { visible } from './output.ts';

/** Characters of a message that are printed. */
const MESSAGE_MAX = 500;
/** Longest wait for a response and its body, as for calls of gRPC. Milliseconds. */
const RESPONSE_MS_MAX = 10_000;

/** Life of a session that one command needs. Seconds. */
const EXCHANGED_SECONDS = 60;

/**
 * The body of a response to `GET <url><path>` with a credential. REST takes no key of a service account, so
 * one is exchanged for a token. Throws RestError for a refusal, in the words of the service where it is one
 * of its own; UsageError for an address that is none; Error for a service that gives no response.
 */
export async function getText(url: string, path: string, credential: string | undefined): Promise<string> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`no REST address: \`${visible(url)}\`; one is such as http://127.0.0.1:8081`);
  const token = isAccountKey(credential ?? '') ? await exchange(url, credential!) : (credential ?? '');
  return textOf(url, path, { headers: { Authorization: `Bearer ${token}` } });
}

/** Whether a credential is the key of a service account, as the head of its JWT names it. */
function isAccountKey(credential: string): boolean {
  try {
    const [head = ''] = credential.split('.', 1);
    const { typ } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { typ?: unknown };
    return typ === 'svc+jwt';
  } catch {
    return false;
  }
}

async function exchange(url: string, credential: string): Promise<string> {
  const body = await textOf(url, '/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ credential, duration: EXCHANGED_SECONDS }),
  });
  return (JSON.parse(body) as { token: string }).token;
}

async function textOf(url: string, path: string, init: RequestInit): Promise<string> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(RESPONSE_MS_MAX) });
    body = await response.text();
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new Error(`no response from ${url} within ${RESPONSE_MS_MAX / 1000} s`, { cause: error });
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = cause?.message || (cause?.code ?? message);
    throw new Error(`no response from ${url}; start the service, or choose another with --url (${why})`, {
      cause: error,
    });
  }
  if (response.ok) return body;
  const { status, headers } = response;
  const refusal = readRefusal(body);
  if (refusal === null)
    throw new RestError(
      status,
      `${url} responds ${status} without a reason: is it where authz-grpc serves REST?`,
    );
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const message = visible(refusal.message.slice(0, MESSAGE_MAX));
  throw new RestError(status, message, {
    reason: visible(refusal.error),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}

/** An error of REST; null for other texts. */
function readRefusal(body: string): { readonly error: string; readonly message: string } | null {
  try {
    const { error, message } = JSON.parse(body) as Record<string, unknown>;
    return typeof error === 'string' && typeof message === 'string' ? { error, message } : null;
  } catch {
    return null;
  }
}
