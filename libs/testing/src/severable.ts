import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './program.ts';

/** A server that can be cut off: a way to it that the test closes and opens again. */
export interface Severable {
  readonly port: number;
  /** Breaks every connection and refuses others, as when the server has died. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openSeverable(target: { host: string; port: number }): Promise<Severable> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  // Nobody takes it while it is cut.
  const port = await freePort();
  await listen(port);
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: () => listen(port),
  };
}
