import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './program.ts';

/** A proxy to a server: the test cuts it, silences it, and opens it again. */
export interface Severable {
  readonly port: number;
  /** Breaks every connection and refuses others, as when the server has died. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * Drops everything that is sent, both ways and on new connections too, and breaks nothing, until `speak`.
   */
  silence(): void;
  /** New connections work again; those that were open while it was silent stay silent. */
  speak(): void;
}

export async function openSeverable(target: { host: string; port: number }): Promise<Severable> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      if (isSilent) socket.resume();
      else socket.pipe(other);
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
  // No other process takes the port while the connection is cut.
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
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().resume();
    },
    speak: () => void (isSilent = false),
  };
}
