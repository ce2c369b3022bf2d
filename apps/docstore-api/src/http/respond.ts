import type { Response } from 'express';

/** What a route responds: `json` as JSON, `text` or `bytes` as they are, none of them = no body. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** No cache may keep a copy without asking again (decisions page, "ETag"). */
export const CACHE_CONTROL = 'private, no-cache, no-transform';

/** Sends a response. `res.json` would compute a weak ETag and judge the request's conditions again. */
export function send(res: Response, { status, headers = {}, json, text, bytes }: ApiResponse): void {
  const body = json === undefined ? (text ?? bytes) : JSON.stringify(json);
  res.statusCode = status;
  res.setHeader('Cache-Control', CACHE_CONTROL);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body === undefined) return void res.end();
  if (json !== undefined) res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  // Node sends head and body in one write when the body is a string.
  if (res.req.method === 'HEAD') res.end();
  else res.end(body);
}
