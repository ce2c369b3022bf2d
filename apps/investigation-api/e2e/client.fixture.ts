import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One response of the service. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The body as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- specs look into it
  readonly json: any;
}
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/**
 * Returned when authz-grpc did not respond in time, which on a machine that runs many suites at once says
 * nothing of it.
 */
const isUnchecked = ({ status, text }: Answer) =>
  status === 503 && text.includes('credentials cannot be checked');

/**
 * Calls the service at `url` with a token, or without one; again where the response says to, because a
 * credential could not be checked in time. Bodies are values, or JSON texts. Redirects are not followed.
 */
export function client(url: string, token: string | null): Call {
  return async (method, path, body, headers = {}) => {
    for (;;) {
      const response = await callOnce(url, token, { method, path, body, headers });
      if (!isUnchecked(response)) return response;
      await sleep(1_000 * Number(response.headers.get('retry-after')));
    }
  };
}

async function callOnce(
  url: string,
  token: string | null,
  request: { method: string; path: string; body: unknown; headers: Record<string, string> },
): Promise<Answer> {
  const { method, path, body, headers } = request;
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? (body as string) : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    get json() {
      return JSON.parse(text) as unknown;
    },
  };
}

/** The path of a session. */
export const sessionPath = (id: string) => `/api/v1/sessions/${encodeURIComponent(id)}`;

/** The example that `npm start` shows. */
export function demoInvestigation(): Record<string, unknown> & { claims: Record<string, unknown>[] } {
  const folder = new URL('../../../examples/', import.meta.url);
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown;
  const { file } = (read('index.json') as { file: string; demo: boolean }[]).find(({ demo }) => demo)!;
  return read(file) as ReturnType<typeof demoInvestigation>;
}
