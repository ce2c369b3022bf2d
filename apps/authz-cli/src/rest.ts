import { readFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import type { TlsFiles } from '@platform/authz-client';
import { RestError, UsageError } from './exit-codes.ts';
import { visible } from './output.ts';

/** Characters of a message that are printed. */
const MESSAGE_MAX = 500;
/** Longest wait for a response and its body, as for calls of gRPC. Milliseconds. */
const RESPONSE_MS_MAX = 10_000;

/** Life of a session that one command needs. Seconds. */
const EXCHANGED_SECONDS = 60;

/** How a service is reached. */
interface Place {
  readonly url: string;
  readonly tls: TlsFiles | undefined;
  /** What to do about a service that gave no response, by what Node says. */
  readonly advise: (details: string) => string;
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/**
 * The body of a response to `GET <url><path>` with a credential, over TLS with the files of the place. REST
 * takes no key of a service account, so one is exchanged for a token. Throws RestError for a refusal, in the
 * words of the service where it is one of its own; UsageError for an address that is none; Error for a
 * service that gives no response.
 */
export async function getText(place: Place, path: string, credential: string | undefined): Promise<string> {
  const { url } = place;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`no REST address: \`${visible(url)}\`; one is such as http://127.0.0.1:8081`);
  const token = isAccountKey(credential ?? '') ? await exchange(place, credential!) : (credential ?? '');
  return textOf(place, path, { method: 'GET', headers: { Authorization: `Bearer ${token}` } });
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

async function exchange(place: Place, credential: string): Promise<string> {
  const body = await textOf(place, '/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ credential, duration: EXCHANGED_SECONDS }),
  });
  return (JSON.parse(body) as { token: string }).token;
}

/** Sends a request: `fetch` takes no files of TLS. Rejects with the error of the connection. */
function send({ url, tls }: Place, path: string, sent: Sent, signal: AbortSignal) {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const options = {
      method: sent.method,
      headers: sent.headers,
      signal,
      ca: read(tls?.ca),
      cert: read(tls?.cert),
      key: read(tls?.key),
    };
    const outgoing = request(url + path, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

async function textOf(place: Place, path: string, sent: Sent): Promise<string> {
  const { url } = place;
  const signal = AbortSignal.timeout(RESPONSE_MS_MAX);
  const { status, headers, body } = await send(place, path, sent, signal).catch(
    (error: NodeJS.ErrnoException) => {
      if (signal.aborted)
        throw new Error(`no response from ${url} within ${RESPONSE_MS_MAX / 1000} s`, { cause: error });
      const why = error.message || error.code || '';
      throw new Error(`no response from ${url}; ${place.advise(why)} (${why})`, { cause: error });
    },
  );
  if (status >= 200 && status < 300) return body;
  const refusal = readRefusal(body);
  if (refusal === null)
    throw new RestError(
      status,
      `${url} responds ${status} without a reason: is it where authz-grpc serves REST?`,
    );
  const seconds = Number(headers['retry-after'] ?? NaN);
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
