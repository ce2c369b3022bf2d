import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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
  options.servers.forEach(closeAfterAnswers);
  await sleep(options.drainDelayMs);
  const drained = await Promise.all(options.servers.map((server) => drainServer(server, options.drainMaxMs)));
  await options.close();
  options.probeServer.close();
  options.probeServer.closeAllConnections();
  return drained.every(Boolean);
}

/**
 * Has every answer from here on end its connection. A balancer that passes connections through sends no new ones to a
 * replica that is not ready, yet a client's kept connection goes on to it, and a request on it could cross the close of
 * the port. Told to, the client comes back by a connection of its own, to another replica.
 */
export function closeAfterAnswers(server: Server): void {
  // Listening to an event nobody listened to would turn off what Node does for it.
  for (const event of ['request', 'checkContinue', 'checkExpectation'].filter(
    (name) => server.listenerCount(name) > 0,
  ))
    server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => {
      res.setHeader('Connection', 'close');
    });
}

/**
 * Closes a server once the requests begun have ended; true when they did within `drainMaxMs` milliseconds, false when their
 * connections had to be cut. Never throws.
 */
export function drainServer(server: Server, drainMaxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let isClean = true;
    // A keep-alive connection would hold the server open until its client lets go of it.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const limit = setTimeout(() => {
      isClean = false;
      server.closeAllConnections();
    }, drainMaxMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve(isClean);
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
