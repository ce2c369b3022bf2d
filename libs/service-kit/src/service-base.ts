import { createTracing, type Tracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import { createMetrics, createSpanMetrics, type Metrics } from './metrics.ts';
import type { Readiness } from './probe-server.ts';
import { createLogger } from './request-log.ts';

/** The clock, logger and metrics that every service has. */
export interface ServiceBase {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The time; every part of the service is told the same. */
  readonly now: () => Date;
}

/** What the composition root of every service hands out besides its own parts. */
export interface ServiceParts extends ServiceBase {
  readonly readiness: Readiness;
  /** Ends what the composition root started: work first, then stores. */
  close(): Promise<void>;
}

/** Logger, metrics, traces and clock of the service `name`; `overrides` replace them in tests. */
export function createServiceBase(
  name: string,
  config: { readonly logLevel: string; readonly otelExporterOtlpEndpoint?: string | undefined },
  overrides: Partial<Pick<ServiceBase, 'logger' | 'now'>> = {},
): ServiceBase {
  const logger = overrides.logger ?? createLogger({ service: name, level: config.logLevel });
  const now = overrides.now ?? (() => new Date());
  const metrics = createMetrics(name);
  const tracing = createTracing({
    service: name,
    endpoint: config.otelExporterOtlpEndpoint,
    onExport: createSpanMetrics(metrics.registry, { logger, now }),
  });
  return { logger, metrics, tracing, now };
}

/** Commands print results to stdout, where the log goes too: only warnings join them. */
export function createCommandLogger(name: string): Logger {
  return createLogger({ service: name, level: 'warn' });
}
