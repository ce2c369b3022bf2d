import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { drainServer, type DrainTimes } from './drain-server.ts';
import { withTimeout, NoReply } from './with-timeout.ts';
import { listen, type Address } from './listen.ts';
import { boundUnread } from './unread-responses.ts';
import { createProbeServer, type ProbeParts, type Readiness } from './probe-server.ts';

/** Longest that pools and stores may take to close: some wait for a server that is silent. Milliseconds. */
const CLOSE_MAX_MS = 5_000;

/** A server that takes requests. */
export interface Listener {
  /** The field of the log line that shows its port: `port`, `grpc_port`. */
  readonly label: string;
  /** Opens the port and returns its number. */
  open(): Promise<number>;
  /** Stops taking requests. True when every request that had begun got its response. */
  drain(times: DrainTimes): Promise<boolean>;
}

/** An HTTP server as a Listener; what its clients do not read is bounded. */
export function httpListener(label: string, server: Server, address: Address): Listener {
  boundUnread(server);
  return {
    label,
    open: () => listen(server, address),
    drain: (times) => drainServer(server, times),
  };
}

/** The open probe port of a service that starts. */
export interface Probe {
  readonly host: string;
  readonly port: number;
  /** Shows the readiness and the metrics of the service from now on. */
  show(parts: ProbeParts): void;
  close(): void;
}

/**
 * Opens the probe port, then starts a service by `start`: while it waits for its database, `/livez` answers
 * 200 and `/readyz` 503. Errors: a taken or forbidden port, and those of `start`, after which the port is
 * closed.
 */
export async function behindProbe<T>(address: Address, start: (probe: Probe) => Promise<T>): Promise<T> {
  let shown: ProbeParts | null = null;
  const server = createProbeServer(() => shown);
  const port = await listen(server, address);
  const probe: Probe = {
    host: address.host,
    port,
    show: (parts) => void (shown = parts),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  try {
    return await start(probe);
  } catch (error) {
    probe.close();
    throw error;
  }
}

export interface ServerOptions {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly readiness: Readiness;
  readonly listeners: readonly Listener[];
  readonly probe: Probe;
  readonly drain: DrainTimes;
  /** Closes pools and stores, after the last response. */
  close(): Promise<void>;
  /** Longest wait for it. Milliseconds; default CLOSE_MAX_MS. */
  readonly closeMaxMs?: number;
}

/** A service that takes requests. */
export interface RunningService {
  /** Open ports by label; `probe_port` is among them. */
  readonly ports: Readonly<Record<string, number>>;
  /**
   * Readiness fails, responses end their connections, ports close, requests that have begun are finished,
   * stores close. True when no request had to be cut. A second call waits for the first.
   */
  stop(): Promise<boolean>;
}

/**
 * Opens every listener, then reports ready. Errors: a taken or forbidden port; everything but the probe port
 * is closed again by then.
 */
export async function startServers(options: ServerOptions): Promise<RunningService> {
  const { logger, readiness, listeners, probe } = options;
  const ports: Record<string, number> = { probe_port: probe.port };
  probe.show(options);

  async function stopWithin(times: DrainTimes): Promise<boolean> {
    readiness.set(false);
    const drained = await Promise.all(listeners.map((listener) => listener.drain(times)));
    await withTimeout(options.close(), options.closeMaxMs ?? CLOSE_MAX_MS).catch((err: unknown) => {
      if (!(err instanceof NoReply)) throw err;
      logger.error('stores did not close in time');
    });
    probe.close();
    return drained.every(Boolean);
  }

  try {
    for (const { label, open } of listeners) ports[label] = await open();
  } catch (error) {
    await stopWithin({ delayMs: 0, maxMs: 0 });
    throw error;
  }
  readiness.set(true);
  logger.info({ host: probe.host, ...ports }, 'listening');
  let stopping: Promise<boolean> | undefined;
  const stop = async () => {
    const isClean = await stopWithin(options.drain);
    logger.info({ clean: isClean }, 'stopped');
    return isClean;
  };
  return { ports, stop: () => (stopping ??= stop()) };
}

/**
 * Stops the service on the first SIGTERM or SIGINT, or when the launcher at the other end of its channel has
 * died, then exits: with 0, or with 1 when requests had to be cut. On the second the process exits at once.
 */
export function stopOnSignal(service: RunningService, logger: Logger): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals | 'disconnect') => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    service.stop().then(
      (isClean) => process.exit(isClean ? 0 : 1),
      (err: unknown) => {
        logger.error({ err }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('disconnect', () => onSignal('disconnect'));
}
