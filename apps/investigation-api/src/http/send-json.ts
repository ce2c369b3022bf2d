import type { Response } from 'express';
import type { JsonChunks } from '../wire/json-bytes.ts';

/** Ends a response with JSON, whose chunks are sent as they lie in memory. */
export function sendJson(res: Response, { chunks, length }: JsonChunks<unknown>): void {
  res.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) });
  for (const chunk of chunks.slice(0, -1)) res.write(chunk);
  res.end(chunks.at(-1));
}
