import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Server as TlsServer, TLSSocket } from 'node:tls';

/** Times of a stop, in milliseconds. */
export interface DrainTimes {
  /** Between failing readiness and closing the port, in which balancers learn of it. */
  readonly delayMs: number;
  /** Longest wait for requests that have begun; what is left is cut. */
  readonly maxMs: number;
}

/** How often connections that fell idle during the drain are closed. Milliseconds. */
const IDLE_SWEEP_MS = 50;

/** The open connections of each server that was given to `noteConnections`. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Tracks a server's connections, so that those on which nothing was ever sent can be closed when it drains.
 */
export function noteConnections(server: Server): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  const note = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', note);
  if (isTls(server)) server.on('secureConnection', note);
}

function isTls(server: Server): boolean {
  return (server as NetServer) instanceof TlsServer;
}

/** Whether a request may be on its way over the connection. */
function isUsed(server: Server, socket: Socket): boolean {
  // The bytes below TLS are not counted where they arrive, and a handshake is used.
  return socket.bytesRead > 0 || (isTls(server) && !(socket instanceof TLSSocket));
}

/**
 * Stops a server: responses end their connections, `delayMs` pass, the port closes, requests that have begun
 * are finished. True when they finished within `maxMs` of the port's closing, false when connections had to
 * be cut. Never throws.
 *
 * An idle connection stays open for as long as its client was told that it may rely on it
 * (`Keep-Alive: timeout`); otherwise the client's next request could cross the close and be lost (RFC 9112
 * §9.5). Without a delay there is no balancer, and idle connections are closed at once.
 */
export async function drainServer(server: Server, { delayMs, maxMs }: DrainTimes): Promise<boolean> {
  closeAfterResponses(server);
  await sleep(delayMs);
  // Closing the port would reset connections that wait to be accepted; one turn of the event loop accepts
  // them.
  await new Promise(setImmediate);
  const keptMs = delayMs === 0 ? 0 : Math.min(Math.max(0, server.keepAliveTimeout - delayMs), maxMs / 2);
  return new Promise((resolve) => {
    let isClean = true;
    let sweep: NodeJS.Timeout;
    const spare = setTimeout(() => {
      for (const socket of connections.get(server) ?? []) if (!isUsed(server, socket)) socket.destroy();
      sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      server.closeIdleConnections();
    }, keptMs);
    const limit = setTimeout(() => {
      isClean = false;
      server.closeAllConnections();
      // These include sockets that Node's parser no longer tracks.
      for (const socket of connections.get(server) ?? []) socket.destroy();
    }, maxMs);
    // This only stops listening; the method of node:http would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(spare);
      clearInterval(sweep);
      clearTimeout(limit);
      resolve(isClean);
    });
  });
}

/**
 * Makes every later response end its connection. A balancer that passes connections through opens no new ones
 * to a replica that is not ready, but a client's kept connection still leads there. The client then
 * reconnects, and reaches another replica.
 */
function closeAfterResponses(server: Server): void {
  // A first listener to one of these events would turn off Node's default handling of it.
  for (const event of ['request', 'checkContinue', 'checkExpectation'].filter(
    (name) => server.listenerCount(name) > 0,
  ))
    server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => {
      res.setHeader('Connection', 'close');
    });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
