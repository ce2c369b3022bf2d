import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { connectAuthority } from '@platform/authz-client';
import {
  FolderInUse,
  measurePool,
  migrate,
  migrationStatus,
  openDatabase,
  sayingWhenAway,
  type Database,
} from '@platform/database';
import type { Readiness } from '@platform/service-kit';
import { createCallMetrics, createLogger, createMetrics, createReadiness } from '@platform/service-kit';
import { staticKeys } from '@platform/jwt';
import { loadShareAssets } from '@platform/viewer';
import { createTracing } from '@platform/telemetry';
import { loadWorkbenchAssets } from '@platform/workbench';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAuthenticate } from './access/authenticate.ts';
import { createPermissions } from './access/permissions.ts';
import type { Config, DatabaseConfig } from './config.ts';
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

/** Opens the database that the settings name. Errors: those of `openDatabase`; of a folder in use, with the settings to change. */
export async function openConfigured(config: DatabaseConfig, logger: Logger): Promise<Database> {
  try {
    return await openDatabase(config.url, {
      embeddedFolder: config.embeddedFolder,
      connectionsMax: config.connectionsMax,
      onIdleError: (err) => logger.warn({ err }, 'a database connection broke'),
    });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const remedy =
      'set INVESTIGATION_DATA_DIR to another folder, or DATABASE_URL to Postgres, which many share';
    throw new Error(`${error.message}; ${remedy}`, { cause: error });
  }
}

/** Folder of the migrations: beside the bundle where there is one, else in the workspace. */
export function migrationsFolder(): string {
  const isBundle = import.meta.url.endsWith('.js');
  return fileURLToPath(
    new URL(isBundle ? './migrations/' : '../../../prisma/investigation/migrations/', import.meta.url),
  );
}

/**
 * The store of sessions and how to close it. An embedded database is migrated on the way, for nobody else can open it;
 * Postgres is migrated by `migrate`, before the first replica starts. Errors: those of `openDatabase`, and one naming
 * the migrations that Postgres lacks. The pool is shown in `registry`.
 */
export async function openSessions(
  config: DatabaseConfig,
  logger: Logger,
  registry?: Registry,
): Promise<{ sessions: SessionStore; close(): Promise<void> }> {
  const database = sayingWhenAway(await openConfigured(config, logger));
  try {
    if (database.kind === 'pglite') {
      logger.warn({ folder: config.url ?? config.embeddedFolder }, 'embedded database: one replica only');
      await migrate(database, migrationsFolder());
    } else {
      const { pending } = await migrationStatus(database, migrationsFolder());
      if (pending.length > 0)
        throw new Error(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  if (registry !== undefined) measurePool(database, registry);
  return { sessions: createSqlSessionStore(database), close: () => database.close() };
}

/** Composition root. `overrides` replace parts, in tests. Errors: those of `openSessions`. */
export async function buildDeps(config: Config, overrides: Partial<Deps> = {}): Promise<Deps> {
  const logger = overrides.logger ?? createLogger({ service: 'investigation-api', level: config.logLevel });
  const metrics = overrides.metrics ?? createMetrics('investigation-api');
  const { registry } = metrics;
  const stored =
    overrides.sessions === undefined ? await openSessions(config.database, logger, registry) : null;
  const sessions = overrides.sessions ?? stored!.sessions;
  const now = overrides.now ?? (() => new Date());
  const tracing =
    overrides.tracing ?? createTracing({ service: 'investigation-api', endpoint: config.otlpEndpoint });
  const pool =
    overrides.analysis ??
    createAnalysisPool({
      threads: config.workers,
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMiB,
    });
  const analysis = observedAnalysis(pool, { registry, tracing });
  const inputs = overrides.inputs ?? createInputReader({ memoryMiBMax: config.workerMemoryMiB });
  const assets = overrides.assets ?? loadShareAssets(fileURLToPath(new URL('./viewer/', import.meta.url)));
  const workbench =
    overrides.workbench ?? loadWorkbenchAssets(fileURLToPath(new URL('./workbench/', import.meta.url)));
  const pages =
    overrides.pages ?? createSharePages({ assets: assets.page, memoryMiBMax: config.workerMemoryMiB });
  const observe = createCallMetrics(registry);
  const authority = config.authzUrl === null ? null : connectAuthority(config.authzUrl, { tracing, observe });
  return {
    config,
    logger,
    now,
    metrics,
    tracing,
    readiness: createReadiness(registry),
    authenticate: createAuthenticate({
      keys: authority?.keys ?? staticKeys(config.verificationKeys),
      issuer: config.issuer,
      audience: config.audience,
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
