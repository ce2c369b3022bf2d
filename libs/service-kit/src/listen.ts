import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteConnections } from './drain-server.ts';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** The environment variable that chooses the port, for error messages. */
  readonly setting: string;
}

/**
 * Opens `server` and returns the port. Errors: a taken or forbidden port, with the setting that chooses
 * another.
 */
export function listen(server: Server, { host, port, setting }: Address): Promise<number> {
  noteConnections(server);
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? 'is taken'
          : error.code === 'EACCES'
            ? 'needs more rights than this process has'
            : error.message;
      reject(new Error(`port ${port} on ${host} ${why}; choose another with ${setting}`, { cause: error }));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Options of `createServer`: a client that has not sent the whole head of a request after ten seconds is
 * disconnected with 408, at most a second later. Node allows a minute, and looks every half.
 */
export const HEAD_TIMES = { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 } as const;
