import type { DomainError } from '@platform/error-contracts';
import { toDomainError } from '@platform/error-contracts';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Measures every request it stands before: rate, errors and duration per method, route and status. */
  readonly middleware: RequestHandler;
  /**
   * Counts what is refused, by kind of error, and passes the error on. Stands before the middleware that
   * renders errors.
   */
  readonly countRefusals: ErrorRequestHandler;
  /** The same two for a route that is served without Express. */
  observeRequest(method: string, route: string, code: number, seconds: number): void;
  countRefusal(error: DomainError): void;
}

/** Seconds; from a fast 404 to the longest an analysis may take. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * A registry of its own with the process's default metrics,
 * `http_request_duration_seconds{method,route,code}`, `http_requests_in_flight` and
 * `http_refusals_total{kind}`. `route` is the pattern that matched, `none` when none did, so labels stay few
 * whatever is asked.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ app: service });
  collectDefaultMetrics({ register: registry });
  // Sums of gauges that remain; their names would say that they are counters.
  for (const sum of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${sum}_total`);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the response.',
    labelNames: ['method', 'route', 'code'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests begun and still without a response.',
    registers,
  });
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Requests refused with an error, by its kind: rate_limited, quota_exceeded, unavailable and so on.',
    labelNames: ['kind'],
    registers,
  });
  const countRefusal = ({ kind }: DomainError) => refusals.inc({ kind });
  return {
    registry,
    middleware: (req, res, next) => {
      const start = performance.now();
      inFlight.inc();
      res.once('close', () => {
        inFlight.dec();
        // 499: the client left before the response was out.
        const code = res.writableFinished ? res.statusCode : 499;
        duration.observe(
          { method: req.method, route: routeOf(req), code },
          (performance.now() - start) / 1000,
        );
      });
      next();
    },
    countRefusals: (error: unknown, _req, _res, next) => {
      countRefusal(toDomainError(error));
      next(error);
    },
    observeRequest: (method, route, code, seconds) => duration.observe({ method, route, code }, seconds),
    countRefusal,
  };
}

/** Shows in `build_info{version,revision}` which build runs. */
export function showBuild(
  registry: Registry,
  build: { readonly version: string; readonly revision: string },
): void {
  new Gauge({
    name: 'build_info',
    help: '1; version and source revision of the build that runs.',
    labelNames: ['version', 'revision'],
    registers: [registry],
  }).set({ ...build }, 1);
}

/** Told about every call to another service: the method, how it ended, and how long it took in seconds. */
export type ObserveCall = (method: string, outcome: string, seconds: number) => void;

/**
 * `authz_call_duration_seconds{method,outcome}`: calls to authz-grpc as the service that makes them sees
 * them.
 */
export function createCallMetrics(registry: Registry): ObserveCall {
  const duration = new Histogram({
    name: 'authz_call_duration_seconds',
    help: 'Time of a call to authz-grpc, retries included; outcome is ok or the name of the gRPC status.',
    labelNames: ['method', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.7, 1],
    registers: [registry],
  });
  return (method, outcome, seconds) => duration.observe({ method, outcome }, seconds);
}

/** The route pattern that matched the request, `none` when none did. */
export function routeOf(req: Request): string {
  const path: unknown = req.route?.path;
  return typeof path === 'string' ? req.baseUrl + path : req.baseUrl || 'none';
}

/** Shortest time between two warnings about spans that were lost, in milliseconds. */
const LOST_WARNING_MS = 60_000;

/**
 * Shows in `spans_exported_total` and `spans_lost_total` what became of traces, and warns of losses once a
 * minute.
 */
export function createSpanMetrics(
  registry: Registry,
  options: { readonly logger: Pick<Logger, 'warn'>; readonly now: () => Date },
): (spans: number, error?: Error) => void {
  const registers = [registry];
  const exported = new Counter({
    name: 'spans_exported_total',
    help: 'Spans that the collector took.',
    registers,
  });
  const lost = new Counter({
    name: 'spans_lost_total',
    help: 'Spans that the collector did not take.',
    registers,
  });
  let warnedAt = -Infinity;
  return (spans, err) => {
    (err === undefined ? exported : lost).inc(spans);
    const now = options.now().getTime();
    if (err === undefined || now - warnedAt < LOST_WARNING_MS) return;
    warnedAt = now;
    options.logger.warn({ err, spans }, 'spans were lost: the collector does not take them');
  };
}
