import type { Request } from 'express';
import type { Config } from '../config.ts';

/** Hosts that mean every address of the machine, and name none that a reader could open. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Where people reach the service, without a slash at the end: the setting, else the address that it listens
 * on. Never what the request calls it, because a caller may send any Host, and links are kept and passed on.
 */
export function baseUrlOf(
  req: { readonly socket: Pick<Request['socket'], 'localPort'> },
  { publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = WILDCARDS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  // The port of the setting may be 0, which is any free one.
  return `http://${name}:${req.socket.localPort ?? port}`;
}
