import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What stands before replicas as a Kubernetes Service does: it sends each new connection to one that is
 * ready, in turn.
 */
export interface Balancer {
  readonly url: string;
  add(replica: BalancedReplica): void;
  close(): Promise<void>;
}

export interface BalancedReplica {
  readonly url: string;
  readonly probeUrl: string;
}

const PROBE_PERIOD_MS = 100;

/**
 * Starts one. Connections are passed through byte by byte and stay with their replica for as long as both
 * ends keep them, as with kube-proxy: a client's kept connection still leads to a replica that is no longer
 * ready.
 */
export async function startBalancer(): Promise<Balancer> {
  const replicas = new Map<BalancedReplica, boolean>();
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const ready = [...replicas].filter(([, isReady]) => isReady);
    const [replica] = ready[turn++ % Math.max(1, ready.length)] ?? [];
    if (replica === undefined) return void near.destroy();
    const { hostname, port } = new URL(replica.url);
    const far = connect({ host: hostname, port: Number(port) });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const probe = async (replica: BalancedReplica) => {
    const isReady = await fetch(`${replica.probeUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (replicas.has(replica)) replicas.set(replica, isReady);
  };
  const timer = setInterval(
    () => [...replicas.keys()].forEach((replica) => void probe(replica)),
    PROBE_PERIOD_MS,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (replica) => void replicas.set(replica, true),
    async close() {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
