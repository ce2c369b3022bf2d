import { readFileSync } from 'node:fs';

/** One answer of the service. */
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

/** Calls the service at `url` with a token, or without one. Bodies are values, or JSON texts. Redirects are not followed. */
export function client(url: string, token: string | null): Call {
  return async (method, path, body, headers = {}) => {
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
