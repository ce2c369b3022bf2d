import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { Gauge, type Registry } from 'prom-client';

/** Whether this replica should be sent work. */
export interface Readiness {
  isReady(): boolean;
  set(ready: boolean): void;
}

/** Readiness that starts false: a service says so itself once it can answer. `registry` shows it as `service_ready`. */
export function createReadiness(registry?: Registry): Readiness {
  let ready = false;
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
  return { isReady: () => ready, set: (value) => void (ready = value) };
}

/**
 * Server for the probe port: `/livez` (200 while the event loop turns), `/readyz` (200 or 503), `/metrics` (Prometheus text).
 * A port of its own, so metrics are not public and probes answer while the front door is closed.
 */
export function createProbeServer(options: { readiness: Readiness; registry: Registry }): Server {
  return createServer((req, res) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    switch (req.url?.split('?', 1)[0]) {
      case '/livez':
        return answer(200, 'ok\n');
      case '/readyz':
        return options.readiness.isReady() ? answer(200, 'ok\n') : answer(503, 'not ready\n');
      case '/metrics':
        return void options.registry.metrics().then(
          (text) => answer(200, text, options.registry.contentType),
          () => answer(500, 'metrics failed\n'),
        );
      default:
        return answer(404, 'not found\n');
    }
  });
}
