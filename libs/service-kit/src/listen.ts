import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteConnections } from './graceful-stop.ts';

/**
 * Opens `server` on host and port (0 = any free one) and gives the port taken. A taken or forbidden port throws an Error
 * that names the port and `setting`, the variable that chooses it.
 */
export function listen(
  server: Server,
  options: { host: string; port: number; setting: string },
): Promise<number> {
  const { host, port, setting } = options;
  noteConnections(server);
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? 'is taken'
          : error.code === 'EACCES'
            ? 'is not ours to open'
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
