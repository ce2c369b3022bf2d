import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  connectAuthority,
  createLeaseRecord,
  createLeases,
  eraseDeletedTenants,
  rememberTenants,
  type LeaseRecord,
} from '@platform/authz-client';
import { builtOrSource, defineServiceDatabase, type DatabaseConfig } from '@platform/database';
import { staticKeys } from '@platform/jwt';
import {
  authzTlsOf,
  createCallMetrics,
  createCommandLogger,
  createReadiness,
  createServiceBase,
  type ServiceParts,
  watchDependencies,
} from '@platform/service-kit';
import { loadShareAssets } from '@platform/viewer';
import { loadWorkbenchAssets } from '@platform/workbench';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAuthenticate } from './access/authenticate.ts';
import { createPermissions } from './access/permissions.ts';
import type { Config } from './config.ts';
import { createAnalysisPool } from './engine/analysis-pool.ts';
import { observedAnalysis } from './engine/observed-analysis.ts';
import { createInputReader } from './engine/input-reader.ts';
import { defaultWorkers, workersWithin } from './engine/worker-count.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { createSharePages } from './page/share-pages.ts';
import type { SessionStore } from './store/session-store.ts';
import { createPrisma } from './store/prisma.ts';
import { createSqlSessionStore } from './store/sql-session-store.ts';

/** Everything the service is made of. */
export interface ServiceDeps extends HttpDeps, ServiceParts {
  /**
   * Erases what is kept of tenants that were deleted longer than INVESTIGATION_ERASE_AFTER_DAYS ago; returns
   * their ids.
   */
  eraseDeleted(): Promise<readonly string[]>;
}

const HOUSEKEEPING_INTERVAL_MS = 3_600_000;

/** Parts that tests replace. */
export type DepsOverrides = Partial<
  Pick<ServiceDeps, 'logger' | 'now' | 'newId' | 'sessions' | 'analysis' | 'pages' | 'assets' | 'workbench'>
>;

const NAME = 'investigation-api';
const DATABASE = defineServiceDatabase({
  prefix: 'INVESTIGATION',
  migrations: builtOrSource(import.meta.url, './migrations/', '../../../prisma/investigation/migrations/'),
  commandLogger: () => createCommandLogger(NAME),
});

/** The migrations of the configured database. */
export const migrationsOf = DATABASE.migrations;

/**
 * The store of sessions and how to close it; `registry` shows the pool. Errors: those of opening the
 * database.
 */
export async function openSessions(
  config: DatabaseConfig,
  options: { readonly logger: Logger; readonly registry?: Registry; readonly waits?: boolean },
): Promise<{
  sessions: SessionStore;
  leaseRecord: LeaseRecord;
  ping(): Promise<void>;
  close(): Promise<void>;
}> {
  const database = await DATABASE.open(config, options);
  const prisma = createPrisma(database);
  // Its first statement would hold the event loop for a quarter of a second, among requests.
  await prisma.$connect();
  return {
    sessions: createSqlSessionStore(database, prisma),
    leaseRecord: createLeaseRecord(database),
    ping: database.ping,
    close: () => database.close(),
  };
}

/** How many workers there are; a setting that the memory limit does not hold is obeyed, and warned of. */
function workersOf({ workers, workerMemoryMib }: Config, logger: Logger): number {
  const machine = { cores: availableParallelism(), memoryLimit: process.constrainedMemory() };
  const held = workersWithin(machine, workerMemoryMib);
  if (workers !== undefined && workers > held)
    logger.warn(
      { workers, held, memory_limit_bytes: machine.memoryLimit },
      'INVESTIGATION_WORKERS: the memory limit does not hold so many; large requests may end the process',
    );
  return workers ?? defaultWorkers(machine, workerMemoryMib);
}

/**
 * Composition root: opens the stores and builds every part of the service. Errors: those of opening the
 * database.
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<ServiceDeps> {
  const base = createServiceBase(NAME, config, overrides);
  const { logger, tracing, now } = base;
  const { registry } = base.metrics;
  const opening = { logger, registry, waits: true };
  const stored = overrides.sessions === undefined ? await openSessions(config, opening) : null;
  const pool =
    overrides.analysis ??
    createAnalysisPool({
      threads: workersOf(config, logger),
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMib,
    });
  const analysis = observedAnalysis(pool, { registry, tracing });
  const inputs = createInputReader({ memoryMiBMax: config.workerMemoryMib });
  const assets = overrides.assets ?? loadShareAssets(fileURLToPath(new URL('./viewer/', import.meta.url)));
  const workbench =
    overrides.workbench ?? loadWorkbenchAssets(fileURLToPath(new URL('./workbench/', import.meta.url)));
  const pages =
    overrides.pages ?? createSharePages({ assets: assets.page, memoryMiBMax: config.workerMemoryMib });
  const observe = createCallMetrics(registry);
  const authority =
    config.authzUrl === undefined
      ? null
      : connectAuthority(config.authzUrl, { tracing, observe, tls: authzTlsOf(config) });
  const sessions = overrides.sessions ?? stored!.sessions;
  const asked = authority === null || stored === null ? null : { authority, record: stored.leaseRecord };
  const eraseDeleted = async () =>
    asked === null
      ? []
      : eraseDeletedTenants({
          ask: asked.authority.leaseStates,
          record: asked.record,
          erase: sessions.eraseTenant,
          now: now(),
          afterDays: config.eraseAfterDays,
        });
  const housekeeping = setInterval(() => {
    eraseDeleted().then(
      (tenants) => tenants.forEach((id) => logger.info({ tenant_id: id }, 'erased a deleted tenant')),
      (err: unknown) => logger.warn({ err }, 'maintenance failed'),
    );
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const endWatch = watchDependencies(registry, {
    ...(stored === null ? {} : { database: stored.ping }),
    ...(authority === null ? {} : { 'authz-grpc': authority.ping }),
  });
  return {
    ...base,
    config,
    readiness: createReadiness({ registry, ...(stored === null ? {} : { ping: stored.ping }) }),
    authenticate: createAuthenticate({
      keys: authority?.keys ?? staticKeys(config.jwtPublicKey ?? config.jwtPublicKeyFile ?? []),
      issuer: config.jwtIssuer,
      audience: config.jwtAudience,
      now,
      authority,
      ...(asked === null ? {} : { onTenant: rememberTenants(asked.record.saveTenant) }),
    }),
    logins: authority,
    permissions: createPermissions(authority),
    leases: asked === null ? null : createLeases({ ask: asked.authority.leaseStates, record: asked.record }),
    sessions,
    analysis,
    inputs,
    pages,
    assets,
    workbench,
    newId: overrides.newId ?? randomUUID,
    eraseDeleted,
    async close() {
      clearInterval(housekeeping);
      endWatch();
      authority?.close();
      await Promise.all([analysis.close(), inputs.close(), pages.close()]);
      await stored?.close();
      await tracing.close();
    },
  };
}
