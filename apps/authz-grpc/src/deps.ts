import { randomUUID } from 'node:crypto';
import {
  builtOrSource,
  measurePool,
  openMigratedDatabase,
  openServiceDatabase,
  serviceMigrations,
  type Database,
  type ServiceDatabaseOptions,
  type ServiceMigrations,
} from '@platform/database';
import { createLogger, createMetrics, createReadiness, createSpanMetrics } from '@platform/service-kit';
import { createTracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import { createAdmission } from './admission/admission.ts';
import { createAuditStore } from './audit/audit-store.ts';
import { createAuditReader } from './audit/read-audit.ts';
import { createAuditWriter } from './audit/audit-writer.ts';
import type { Config } from './config.ts';
import { openGate } from './gate/open-gate.ts';
import { createQuotaFlush } from './gate/quota-flush.ts';
import { createOrderedIds } from './ids.ts';
import { createPasswords } from './identity/passwords.ts';
import { createSigningKeys } from './identity/signing-keys.ts';
import { createThrottle } from './identity/throttle.ts';
import { createServiceMetrics, exposeState } from './metrics.ts';
import { createTokens } from './identity/tokens.ts';
import type { Deps } from './ports.ts';
import { createPolicyCache } from './state/policy-cache.ts';
import { createWrite } from './state/write.ts';
import { createPrismaStores } from './store/prisma-stores.ts';
import { createEntityStore } from './store/sql-entity-store.ts';
import { createPolicyWorker } from './worker/policy-worker-pool.ts';

/** Parts that tests replace. */
export interface DepsOverrides {
  readonly now?: () => Date;
  /** The bundled policy worker; the build puts it beside the bundle. */
  readonly policyWorkerFile?: URL;
}

/**
 * Composition root: opens the stores and builds every part of the service. Errors: those of `openMigratedDatabase`, and
 * of Redis, which must be there at the start.
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<Deps> {
  const logger = createLogger({ service: 'authz-grpc', level: config.logLevel });
  const database = await openMigratedDatabase({
    ...databaseOptions(config, logger),
    migrateOnStart: config.migrateOnStart,
  });
  try {
    return await createDepsOver(database, { config, logger, overrides });
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

async function createDepsOver(
  database: Database,
  { config, logger, overrides }: { config: Config; logger: Logger; overrides: DepsOverrides },
): Promise<Deps> {
  const now = overrides.now ?? (() => new Date());
  const { stores, transaction, close: closeStores } = createPrismaStores(database);
  const entities = createEntityStore(database);
  if (config.redisUrl === undefined) logger.warn('counters in this process: one replica only');
  let forget = () => undefined as void;
  const metrics = createMetrics('authz-grpc');
  measurePool(database, metrics.registry);
  const observed = createServiceMetrics(metrics.registry);
  const tracing = createTracing({
    service: 'authz-grpc',
    endpoint: config.otelExporterOtlpEndpoint,
    onExport: createSpanMetrics(metrics.registry, { logger, now }),
  });
  const gate = await openGate({
    url: config.redisUrl,
    timeoutMs: config.redisTimeoutMs,
    replicas: config.replicas,
    logger,
    registry: metrics.registry,
    onReturn: () => forget(),
    now: overrides.now,
  });
  const signingKeys = await createSigningKeys(
    { keys: stores.signingKeys, credentials: stores.credentials, exclusively: database.exclusively },
    {
      now,
      rotationDays: config.keyRotationDays,
      secret: config.keySecret,
    },
  );
  const quotaFlush = createQuotaFlush(gate, stores.quotas, logger);
  const policies = createPolicyCache(entities, { bytesMax: config.policyCacheMib * 1024 * 1024 });
  const admission = createAdmission({
    gate: quotaFlush.observing(gate),
    entities,
    quotas: stores.quotas,
    now,
    cycleMs: config.quotaCycleDays * 86_400_000,
    policies,
    entitiesMax: config.entityCache,
    onRefused: observed.refusedByLimit,
  });
  forget = admission.forget;
  const audit = createAuditWriter(createAuditStore(database), {
    mode: config.auditMode,
    queueRowsMax: config.auditQueueRows,
    logger,
    tracing,
    observeGroup: observed.auditGroupWritten,
  });
  exposeState(metrics.registry, { audit, policies });
  const policyWorker = createPolicyWorker(overrides.policyWorkerFile);
  return {
    config,
    logger,
    metrics,
    tracing,
    now,
    newId: randomUUID,
    newCheckId: createOrderedIds(() => now().getTime()),
    database,
    stores,
    auditRows: createAuditReader(database),
    gate,
    write: createWrite(transaction, gate),
    policies,
    admission,
    quotaFlush,
    audit,
    signingKeys,
    tokens: createTokens({
      keys: signingKeys,
      issuer: config.issuer,
      audience: config.audience,
      now,
      newId: randomUUID,
    }),
    passwords: await createPasswords(),
    throttle: createThrottle(gate, {
      attemptsPerMinute: config.loginAttemptsPerMinute,
      now,
      onRefused: observed.loginThrottled,
    }),
    policyWorker,
    readiness: createReadiness({ registry: metrics.registry, ping: database.ping }),
    async close() {
      await policyWorker.close();
      await audit.close();
      await quotaFlush.close();
      await gate.close();
      await closeStores();
      await database.close();
      await tracing.close();
    },
  };
}

const MIGRATIONS = builtOrSource(import.meta.url, './migrations/', '../../../prisma/authz/migrations/');

function databaseOptions(config: Config, logger: Logger): ServiceDatabaseOptions {
  return {
    url: config.databaseUrl,
    embeddedFolder: config.dataDir,
    folderSetting: 'AUTHZ_DATA_DIR',
    connectionsMax: config.databaseConnections,
    migrations: MIGRATIONS,
    logger,
  };
}

/** The migrations of the configured database. */
export function migrationsOf(config: Config): ServiceMigrations {
  return serviceMigrations(databaseOptions(config, commandLogger()));
}

/** Runs the work of a command on the database as it is, then closes it. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openServiceDatabase(databaseOptions(config, commandLogger()));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Commands print results to stdout, where the log goes too: only warnings join them. */
function commandLogger(): Logger {
  return createLogger({ service: 'authz-grpc', level: 'warn' });
}
