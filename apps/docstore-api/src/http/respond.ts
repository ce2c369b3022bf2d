import type { Response } from 'express';
import { eachInTurn, jsonPieces, textPieces, type BodyPieces } from './body-pieces.ts';

/** What a route responds: `json` as JSON, `text` or `pieces` as they are, none of them = no body. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly pieces?: BodyPieces;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** No cache may keep a copy without asking again (decisions page, "ETag"). */
export const CACHE_CONTROL = 'private, no-cache, no-transform';

/**
 * Sends a response; other requests run between the pieces of a long one. `res.json` would compute a weak ETag
 * and judge the request's conditions again.
 */
export async function send(res: Response, response: ApiResponse): Promise<void> {
  const { status, headers = {}, json } = response;
  const pieces = await piecesOf(response);
  res.statusCode = status;
  res.setHeader('Cache-Control', CACHE_CONTROL);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (pieces === undefined) return void res.end();
  if (json !== undefined) res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader(
    'Content-Length',
    pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0),
  );
  if (res.req.method === 'HEAD') return void res.end();
  // Node sends head and body in one write when the body is one string.
  if (pieces.length === 1) return void res.end(pieces[0]);
  await eachInTurn(pieces, (piece) => res.write(piece));
  res.end();
}

async function piecesOf({ json, text, pieces }: ApiResponse): Promise<BodyPieces | undefined> {
  if (json !== undefined) return jsonPieces(json);
  return text === undefined ? pieces : textPieces(text);
}
