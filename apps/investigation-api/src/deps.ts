import { connectAuthority } from '@platform/authz-client';
import type { Metrics, Readiness } from '@platform/http-kit';
import { createLogger, createMetrics, createReadiness } from '@platform/http-kit';
import { staticKeys } from '@platform/jwt';
import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import type { Authenticate } from './access/authenticate.ts';
import { createAuthenticate } from './access/authenticate.ts';
import type { Permissions } from './access/permissions.ts';
import { createPermissions } from './access/permissions.ts';
import type { Config } from './config.ts';
import type { AnalysisPool } from './engine/analysis-pool.ts';
import { createAnalysisPool } from './engine/analysis-pool.ts';

export interface Clock {
  now(): Date;
}

/** Everything the service is made of; operations take what they need of it. */
export interface Deps {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** Who sent a request; the one way in for REST and MCP alike. */
  readonly authenticate: Authenticate;
  readonly permissions: Permissions;
  readonly analysis: AnalysisPool;
  /** Ends what was started here. */
  close(): Promise<void>;
}

/** Composition root. `overrides` replace parts, in tests. */
export function buildDeps(config: Config, overrides: Partial<Deps> = {}): Deps {
  const clock = overrides.clock ?? { now: () => new Date() };
  const metrics = overrides.metrics ?? createMetrics('investigation-api');
  const analysis =
    overrides.analysis ??
    createAnalysisPool({
      threads: config.workers,
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMiB,
    });
  const authority = config.authzUrl === null ? null : connectAuthority(config.authzUrl);
  new Gauge({
    name: 'investigation_analyses_waiting',
    help: 'Analyses waiting for a worker.',
    registers: [metrics.registry],
    collect() {
      this.set(analysis.queueLength());
    },
  });
  return {
    config,
    logger: createLogger({ service: 'investigation-api', level: config.logLevel }),
    clock,
    metrics,
    readiness: createReadiness(),
    authenticate: createAuthenticate({
      keys: authority?.keys ?? staticKeys(config.verificationKeys),
      issuer: config.issuer,
      audience: config.audience,
      clock,
      authority,
    }),
    permissions: createPermissions(authority),
    analysis,
    async close() {
      authority?.close();
      await analysis.close();
    },
    ...overrides,
  };
}
