import type { Request } from 'express';
import type { Config } from '../config.ts';

/** Name or address and port (RFC 3986 §3.2.2), without anything that could mean more inside a page. */
const HOST = /^[A-Za-z0-9.:[\]_-]{1,255}$/;

/**
 * Where people reach the service: the setting, else what the request calls it. Without a slash at the end.
 */
export function baseUrlOf(req: Request, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const { host = '' } = req.headers;
  return `${req.protocol}://${HOST.test(host) ? host : 'localhost'}`;
}
