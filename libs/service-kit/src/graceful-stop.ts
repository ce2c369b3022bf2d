import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Readiness } from './probe-server.ts';

export interface GracefulStop {
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Servers that take work; they drain. */
  readonly servers: readonly Server[];
  /** The probe server; it answers to the end. */
  readonly probeServer: Server;
  /** Time between failing readiness and closing the door, in which balancers learn of it. Milliseconds. */
  readonly drainDelayMs: number;
  /** Longest the drain may take before what is left is cut. Milliseconds. */
  readonly drainMaxMs: number;
  /** Closes pools and stores, after the last answer. */
  readonly close: () => Promise<void>;
}

/** How often connections that fell idle during the drain are closed. Milliseconds. */
const IDLE_SWEEP_MS = 50;

/** The open connections of each server that `noteConnections` was told of. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * On the first SIGTERM or SIGINT: readiness fails, answers end their connections, `drainDelayMs` pass, the servers stop
 * listening and finish what they began, pools close, the process exits with 0 (1 when requests had to be cut). On the
 * second signal it exits at once.
 */
export function stopOnSignal(options: GracefulStop): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    options.logger.info({ signal }, 'stopping');
    void stopGracefully(options).then(
      (isClean) => process.exit(isClean ? 0 : 1),
      (err: unknown) => {
        options.logger.error({ err }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** The stop itself; true when every request begun was answered. */
export async function stopGracefully(options: GracefulStop): Promise<boolean> {
  options.readiness.set(false);
  const { drainDelayMs: delayMs, drainMaxMs: maxMs } = options;
  const drained = await Promise.all(options.servers.map((server) => drainServer(server, { delayMs, maxMs })));
  await options.close();
  options.probeServer.close();
  options.probeServer.closeAllConnections();
  return drained.every(Boolean);
}

/** Keeps count of a server's connections, so that those on which nothing was ever sent can be closed when it drains. */
export function noteConnections(server: Server): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/**
 * Ends a server: answers end their connections, `delayMs` pass, the port closes, requests begun are answered. True when they
 * were within `maxMs` of the port's closing, false when connections had to be cut. Never throws. Times in milliseconds.
 *
 * A kept connection on which nothing is sent stays open for as long as its client was told to rely on it
 * (`Keep-Alive: timeout`), or the client's next request could cross the close and be lost (RFC 9112 §9.5). Without a delay
 * there is no balancer, and nobody to spare: such connections are closed at once.
 */
export async function drainServer(
  server: Server,
  { delayMs, maxMs }: { readonly delayMs: number; readonly maxMs: number },
): Promise<boolean> {
  closeAfterAnswers(server);
  await sleep(delayMs);
  // Connections that wait to be accepted would be reset with the port; one turn of the event loop takes them in.
  await new Promise(setImmediate);
  const keptMs = delayMs === 0 ? 0 : Math.min(Math.max(0, server.keepAliveTimeout - delayMs), maxMs / 2);
  return new Promise((resolve) => {
    let isClean = true;
    let sweep: NodeJS.Timeout;
    const spare = setTimeout(() => {
      for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
      sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      server.closeIdleConnections();
    }, keptMs);
    const limit = setTimeout(() => {
      isClean = false;
      server.closeAllConnections();
      // Those that Node's parser has let go of too.
      for (const socket of connections.get(server) ?? []) socket.destroy();
    }, maxMs);
    // Only stops listening; the method of node:http would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(spare);
      clearInterval(sweep);
      clearTimeout(limit);
      resolve(isClean);
    });
  });
}

/**
 * Has every answer from here on end its connection. A balancer that passes connections through sends no new ones to a
 * replica that is not ready, yet a client's kept connection goes on to it. Told to, the client comes back by a connection of
 * its own, to another replica.
 */
function closeAfterAnswers(server: Server): void {
  // Listening to an event nobody listened to would turn off what Node does for it.
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
