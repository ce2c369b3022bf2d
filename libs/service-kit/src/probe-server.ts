import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from './with-timeout.ts';

/** Whether this replica should be sent work. */
export interface Readiness {
  isReady(): boolean;
  /** True once the service takes requests, false when it stops. */
  set(ready: boolean): void;
  /** Calls `listener` whenever readiness changes. */
  onChange(listener: (isReady: boolean) => void): void;
}

/** How often the stores are pinged, and how long a ping may take. Milliseconds. */
const PING_EVERY_MS = 1_000;
const PING_MAX_MS = 3_000;

export interface ReadinessOptions {
  /** Shows readiness as `service_ready`. */
  readonly registry?: Registry;
  /** Resolves while the stores that every request needs respond. Readiness fails while it does not. */
  readonly ping?: () => Promise<void>;
  /** Default PING_EVERY_MS and PING_MAX_MS. */
  readonly pingEveryMs?: number;
  readonly pingMaxMs?: number;
}

/** Readiness that starts false, follows `set`, and fails while the stores do not respond. */
export function createReadiness(options: ReadinessOptions = {}): Readiness {
  const { registry, ping, pingEveryMs = PING_EVERY_MS, pingMaxMs = PING_MAX_MS } = options;
  const listeners: ((isReady: boolean) => void)[] = [];
  let isServing = false;
  let areStoresUp = true;
  let ready = false;
  let timer: NodeJS.Timeout | undefined;

  function update(): void {
    const next = isServing && areStoresUp;
    if (next === ready) return;
    ready = next;
    for (const listener of listeners) listener(ready);
  }

  async function check(): Promise<void> {
    areStoresUp = await withTimeout(ping!(), pingMaxMs).then(
      () => true,
      () => false,
    );
    update();
    if (isServing) timer = setTimeout(() => void check(), pingEveryMs).unref();
  }

  if (registry !== undefined) {
    new Gauge({
      name: 'service_ready',
      help: '1 while the replica takes work, else 0.',
      registers: [registry],
      collect() {
        this.set(ready ? 1 : 0);
      },
    });
  }
  return {
    isReady: () => ready,
    set(value) {
      isServing = value;
      clearTimeout(timer);
      if (isServing && ping !== undefined) timer = setTimeout(() => void check(), pingEveryMs).unref();
      update();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** What a probe server shows of a service. */
export interface ProbeParts {
  readonly readiness: Readiness;
  readonly registry: Registry;
}

/**
 * Server for the probe port: `/livez` (200 while the event loop turns), `/readyz` (200 or 503), `/metrics`
 * (Prometheus text). A port of its own, so metrics are not public and probes respond while the front door is
 * closed. `parts` gives null while the service starts: it lives then, and is not ready.
 */
export function createProbeServer(parts: () => ProbeParts | null): Server {
  return createServer((req, res) => {
    const respond = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    const shown = parts();
    switch (req.url?.split('?', 1)[0]) {
      case '/livez':
        return respond(200, 'ok\n');
      case '/readyz':
        if (shown === null) return respond(503, 'starting\n');
        return shown.readiness.isReady() ? respond(200, 'ok\n') : respond(503, 'not ready\n');
      case '/metrics':
        if (shown === null) return respond(503, 'starting\n');
        return void shown.registry.metrics().then(
          (text) => respond(200, text, shown.registry.contentType),
          () => respond(500, 'metrics failed\n'),
        );
      default:
        return respond(404, 'not found\n');
    }
  });
}
