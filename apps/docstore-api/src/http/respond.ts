import type { Response } from 'express';

/** What an operation's route answers: `json` as JSON, `text` as it is, neither = no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Nothing may keep a copy without asking again (decisions page, "ETag"). */
export const CACHE_CONTROL = 'private, no-cache, no-transform';

/** Sends an answer. Not by `res.json`: Express would work out a weak ETag and look at the request's conditions again. */
export function send(res: Response, { status, headers = {}, json, text }: Answer): void {
  const body = json === undefined ? text : JSON.stringify(json);
  res.statusCode = status;
  res.setHeader('Cache-Control', CACHE_CONTROL);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body === undefined) return void res.end();
  if (json !== undefined) res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(body, 'utf8'));
  // As a string: Node sends head and body in one write then.
  if (res.req.method === 'HEAD') res.end();
  else res.end(body, 'utf8');
}
