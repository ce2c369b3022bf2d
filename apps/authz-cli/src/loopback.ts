import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from './exit-codes.ts';

/** An address of this machine alone. */
export interface LoopbackAddress {
  /** 127.0.0.1, ::1 or localhost. */
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
}

const PORT_MAX = 65_535;

/** The address in `127.0.0.1:8090`. Throws UsageError naming the option for any other than of loopback. */
export function readLoopback(text: string, option: string): LoopbackAddress {
  const [, host, digits] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(digits) > PORT_MAX)
    throw new UsageError(`${option} must be 127.0.0.1, localhost or [::1] with a port, as 127.0.0.1:8090`);
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(digits) };
}

/** Opens the server and returns its port. Throws UsageError naming the option when the port is taken. */
export async function listenLoopback(
  server: Server,
  { host, port }: LoopbackAddress,
  option: string,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new UsageError(`${option}: ${message}`)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Resolves once the server has closed, which SIGTERM and SIGINT make it do. */
export async function servedToTheEnd(server: Server): Promise<void> {
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  await once(server, 'close');
  process.off('SIGTERM', stop).off('SIGINT', stop);
}

/** The `Host` headers of a server on loopback. */
export function loopbackHosts(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`);
}

/**
 * Whether a request names one of these hosts, and comes from no page but one of the host that it names: a
 * page whose name was made to lead to this machine (DNS rebinding) shows in its `Host`.
 */
export function isForHosts({ headers }: IncomingMessage, hosts: ReadonlySet<string>): boolean {
  const { host = '', origin } = headers;
  return hosts.has(host.toLowerCase()) && (origin === undefined || origin === `http://${host.toLowerCase()}`);
}
