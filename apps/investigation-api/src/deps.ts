import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { connectAuthority } from '@platform/authz-client';
import {
  builtOrSource,
  measurePool,
  openMigratedDatabase,
  serviceMigrations,
  type ServiceDatabaseOptions,
  type ServiceMigrations,
} from '@platform/database';
import type { Readiness } from '@platform/service-kit';
import {
  createCallMetrics,
  createLogger,
  createMetrics,
  createReadiness,
  createSpanMetrics,
} from '@platform/service-kit';
import { staticKeys } from '@platform/jwt';
import { loadShareAssets } from '@platform/viewer';
import { createTracing } from '@platform/telemetry';
import { loadWorkbenchAssets } from '@platform/workbench';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAuthenticate } from './access/authenticate.ts';
import { createPermissions } from './access/permissions.ts';
import type { Config } from './config.ts';
import { createAnalysisPool } from './engine/analysis-pool.ts';
import { observedAnalysis } from './engine/observed-analysis.ts';
import { createInputReader } from './engine/input-reader.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { createSharePages } from './page/share-pages.ts';
import type { SessionStore } from './store/session-store.ts';
import { createSqlSessionStore } from './store/sql-session-store.ts';

/** Everything the service is made of. */
export interface Deps extends HttpDeps {
  readonly readiness: Readiness;
  /** Ends what was started here. */
  close(): Promise<void>;
}

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseConnections'>;

const MIGRATIONS = builtOrSource(
  import.meta.url,
  './migrations/',
  '../../../prisma/investigation/migrations/',
);

function databaseOptions(config: DatabaseSettings, logger: Logger): ServiceDatabaseOptions {
  return {
    url: config.databaseUrl,
    embeddedFolder: config.dataDir,
    folderSetting: 'INVESTIGATION_DATA_DIR',
    connectionsMax: config.databaseConnections,
    migrations: MIGRATIONS,
    logger,
  };
}

/** The migrations of the configured database. */
export function migrationsOf(config: Config): ServiceMigrations {
  const logger = createLogger({ service: 'investigation-api', level: 'warn' });
  return serviceMigrations(databaseOptions(config, logger));
}

/** The store of sessions and how to close it; `registry` shows the pool. Errors: those of `openMigratedDatabase`. */
export async function openSessions(
  config: DatabaseSettings,
  logger: Logger,
  registry?: Registry,
): Promise<{ sessions: SessionStore; ping(): Promise<void>; close(): Promise<void> }> {
  const database = await openMigratedDatabase(databaseOptions(config, logger));
  if (registry !== undefined) measurePool(database, registry);
  return { sessions: createSqlSessionStore(database), ping: database.ping, close: () => database.close() };
}

/**
 * Composition root: opens the stores and builds every part of the service. `overrides` replace parts, in tests. Errors:
 * those of `openMigratedDatabase`.
 */
export async function createDeps(config: Config, overrides: Partial<Deps> = {}): Promise<Deps> {
  const logger = overrides.logger ?? createLogger({ service: 'investigation-api', level: config.logLevel });
  const metrics = overrides.metrics ?? createMetrics('investigation-api');
  const { registry } = metrics;
  const stored = overrides.sessions === undefined ? await openSessions(config, logger, registry) : null;
  const sessions = overrides.sessions ?? stored!.sessions;
  const now = overrides.now ?? (() => new Date());
  const tracing =
    overrides.tracing ??
    createTracing({
      service: 'investigation-api',
      endpoint: config.otelExporterOtlpEndpoint,
      onExport: createSpanMetrics(metrics.registry, { logger, now }),
    });
  const pool =
    overrides.analysis ??
    createAnalysisPool({
      threads: config.workers ?? Math.max(2, availableParallelism()),
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMib,
    });
  const analysis = observedAnalysis(pool, { registry, tracing });
  const inputs = overrides.inputs ?? createInputReader({ memoryMiBMax: config.workerMemoryMib });
  const assets = overrides.assets ?? loadShareAssets(fileURLToPath(new URL('./viewer/', import.meta.url)));
  const workbench =
    overrides.workbench ?? loadWorkbenchAssets(fileURLToPath(new URL('./workbench/', import.meta.url)));
  const pages =
    overrides.pages ?? createSharePages({ assets: assets.page, memoryMiBMax: config.workerMemoryMib });
  const observe = createCallMetrics(registry);
  const authority =
    config.authzUrl === undefined ? null : connectAuthority(config.authzUrl, { tracing, observe });
  return {
    config,
    logger,
    now,
    metrics,
    tracing,
    readiness: createReadiness({ registry, ...(stored === null ? {} : { ping: stored.ping }) }),
    authenticate: createAuthenticate({
      keys: authority?.keys ?? staticKeys(config.jwtPublicKey ?? config.jwtPublicKeyFile ?? []),
      issuer: config.jwtIssuer,
      audience: config.jwtAudience,
      now,
      authority,
    }),
    permissions: createPermissions(authority),
    sessions,
    inputs,
    pages,
    assets,
    workbench,
    newId: randomUUID,
    async close() {
      authority?.close();
      await Promise.all([analysis.close(), inputs.close(), pages.close()]);
      await stored?.close();
      await tracing.close();
    },
    ...overrides,
    analysis,
  };
}
