import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './program.ts';

/** `requests` go to the server, `responses` come from it. */
export type Direction = 'requests' | 'responses';

/** A proxy to a server: the test cuts it, silences it, slows it down, and opens it again. */
export interface Severable {
  readonly port: number;
  /** Breaks every connection and refuses others, as when the server has died. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * Drops everything that is sent, the ends of connections included, on new connections too, and breaks
   * nothing, until `speak`: both ways, or in the one direction given, which leaves connections half open.
   */
  silence(direction?: Direction): void;
  /** New connections work again; those that were open while it was silent stay silent. */
  speak(): void;
  /** What is sent from now on arrives so many milliseconds later, each way; 0 ends it. */
  slow(delayMs: number): void;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<Severable> {
  const sockets = new Set<Socket>();
  /** Directions of new connections in which nothing arrives, and those of each open one. */
  let silent: readonly Direction[] = [];
  const lost = new Map<Socket, Set<Direction>>();
  let delayMs = 0;

  function relay(from: Socket, to: Socket, isLost: () => boolean): void {
    sockets.add(from);
    let sent: Promise<unknown> = Promise.resolve();
    /** In the order of arrival, each as late as the proxy was slow then. */
    const later = (act: () => unknown) => {
      const due = performance.now() + delayMs;
      sent = sent.then(async () => {
        const left = due - performance.now();
        if (left > 0) await sleep(left);
        act();
      });
    };
    from.on('data', (chunk: Buffer) => {
      if (!isLost()) later(() => to.write(chunk));
    });
    // A lost end of a connection is not heard of either.
    const pass = (end: () => unknown) => {
      if (!isLost()) later(end);
    };
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      pass(() => to.destroy());
    });
  }

  const server = createServer((near) => {
    const far = connect(target);
    const directions = new Set(silent);
    lost.set(near, directions);
    near.on('close', () => lost.delete(near));
    relay(near, far, () => directions.has('requests'));
    relay(far, near, () => directions.has('responses'));
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
    silence(direction) {
      silent = direction === undefined ? ['requests', 'responses'] : [direction];
      for (const directions of lost.values()) for (const one of silent) directions.add(one);
    },
    speak: () => void (silent = []),
    slow: (ms) => void (delayMs = ms),
  };
}
