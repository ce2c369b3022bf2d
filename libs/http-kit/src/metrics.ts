import type { Request, RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Measures every request it stands before: rate, errors and duration per method, route and status. */
  readonly middleware: RequestHandler;
}

/** Seconds; from a fast 404 to the longest an analysis may take. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * A registry of its own with the process's default metrics, `http_request_duration_seconds{method,route,code}` and
 * `http_requests_in_flight`. `route` is the pattern that matched, `none` when none did, so labels stay few whatever is asked.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the answer.',
    labelNames: ['method', 'route', 'code'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests begun and not yet answered.',
    registers: [registry],
  });
  return {
    registry,
    middleware: (req, res, next) => {
      const start = performance.now();
      inFlight.inc();
      res.once('close', () => {
        inFlight.dec();
        // 499: the client left before the answer was out.
        const code = res.writableFinished ? res.statusCode : 499;
        duration.observe(
          { method: req.method, route: routeOf(req), code },
          (performance.now() - start) / 1000,
        );
      });
      next();
    },
  };
}

function routeOf(req: Request): string {
  const path: unknown = req.route?.path;
  return typeof path === 'string' ? req.baseUrl + path : req.baseUrl || 'none';
}
