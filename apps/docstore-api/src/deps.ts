import { connectAuthority, type Authority } from '@platform/authz-client';
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
import {
  createCallMetrics,
  createLogger,
  createMetrics,
  createSpanMetrics,
  createReadiness,
  type Readiness,
} from '@platform/service-kit';
import { staticKeys } from '@platform/jwt';
import { createTracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import type { CredentialAuthority } from './auth/credential-authority.ts';
import { createOwnKeys } from './auth/own-keys.ts';
import { createPlatformTokens } from './auth/platform-tokens.ts';
import type { Config } from './config.ts';
import { createLocalRateLimiter } from './limits/gcra.ts';
import type { Rate, RateLimiter } from './limits/rate-limiter.ts';
import { measureHeavyWork, measuringRateLimiter } from './metrics.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { createCursors } from './search/cursor.ts';
import { createHeavyWork } from './search/heavy-work.ts';
import { createDocumentLookUps } from './store/document-look-ups.ts';
import { createPrismaKeyStore, createSqlKeyWriter } from './store/prisma-key-store.ts';
import { createPrisma } from './store/prisma.ts';
import { sharedSecret } from './store/shared-secret.ts';
import {
  createSqlDocumentStore,
  createSqlDocumentWriter,
  SESSION_SETTINGS,
} from './store/sql-document-store.ts';
import { createSqlIdempotencyStore } from './store/sql-idempotency-store.ts';

const HEAVY_TASK_TIMEOUT_MS = 5_000;
const HEAVY_TASKS_WAITING_MAX = 64;
const HOUSEKEEPING_INTERVAL_MS = 3_600_000;
/** How long a deletion is told to those who follow changes. */
const TOMBSTONES_KEPT_MS = 30 * 24 * 3_600_000;

/** Everything the service is made of. */
export interface ServiceDeps extends HttpDeps {
  readonly database: Database;
  readonly readiness: Readiness;
  /** Ends what was started here. */
  close(): Promise<void>;
}

const MIGRATIONS = builtOrSource(import.meta.url, './migrations/', '../../../prisma/docstore/migrations/');

function databaseOptions(config: Config, logger: Logger): ServiceDatabaseOptions {
  return {
    url: config.databaseUrl,
    embeddedFolder: config.dataDir,
    folderSetting: 'DOCSTORE_DATA_DIR',
    connectionsMax: config.databaseConnections,
    sessionSettings: SESSION_SETTINGS,
    migrations: MIGRATIONS,
    logger,
  };
}

/** The migrations of the configured database. */
export function migrationsOf(config: Config): ServiceMigrations {
  return serviceMigrations(databaseOptions(config, commandLogger()));
}

/** Runs the work of a command on the documents as they are stored, then closes the database. */
export async function withDocuments<T>(
  config: Config,
  work: (documents: ReturnType<typeof createSqlDocumentStore>) => Promise<T>,
): Promise<T> {
  const database = await openServiceDatabase(databaseOptions(config, commandLogger()));
  try {
    return await work(
      createSqlDocumentStore(database, createPrisma(database), { versionsKept: config.versionsKept }),
    );
  } finally {
    await database.close();
  }
}

/** Commands print results to stdout, where the log goes too: only warnings join them. */
function commandLogger(): Logger {
  return createLogger({ service: 'docstore-api', level: 'warn' });
}

/**
 * Composition root: opens the stores and builds every part of the service. `overrides` replace parts, in tests. Errors:
 * those of `openMigratedDatabase`.
 */
export async function createDeps(config: Config, overrides: Partial<HttpDeps> = {}): Promise<ServiceDeps> {
  const logger = overrides.logger ?? createLogger({ service: 'docstore-api', level: config.logLevel });
  const now = overrides.now ?? (() => new Date());
  const metrics = createMetrics('docstore-api');
  const { registry } = metrics;
  const tracing = createTracing({
    service: 'docstore-api',
    endpoint: config.otelExporterOtlpEndpoint,
    onExport: createSpanMetrics(metrics.registry, { logger, now }),
  });
  const database = await openMigratedDatabase(databaseOptions(config, logger));
  measurePool(database, registry);
  const prisma = createPrisma(database);
  const keys = createPrismaKeyStore(prisma, database);
  const storeOptions = { versionsKept: config.versionsKept };
  const documents = createSqlDocumentStore(database, prisma, storeOptions);
  const idempotency = createSqlIdempotencyStore(database, prisma, (sql) => ({
    documents: createSqlDocumentWriter(sql, storeOptions),
    keys: createSqlKeyWriter(sql),
  }));
  const rate = {
    perMinute: config.requestsPerMinute,
    burst: config.requestsPerMinute,
  };
  const rateLimiter = measuringRateLimiter(await openRateLimiter(config, rate, logger), registry);
  const ownerRate = {
    perMinute: rate.perMinute * config.ownerRateFactor,
    burst: rate.burst * config.ownerRateFactor,
  };
  const ownerRateLimiter = await openRateLimiter(config, ownerRate, logger);
  const heavyWork = createHeavyWork({
    taskTimeoutMs: HEAVY_TASK_TIMEOUT_MS,
    waitingMax: HEAVY_TASKS_WAITING_MAX,
  });
  measureHeavyWork(heavyWork, registry);
  const observe = createCallMetrics(registry);
  const authority =
    config.authzUrl === undefined ? null : connectAuthority(config.authzUrl, { tracing, observe });
  const housekeeping = setInterval(() => {
    Promise.all([
      idempotency.forgetOld(now()),
      keys.forgetDead(now()),
      documents.forgetTombstones(new Date(now().getTime() - TOMBSTONES_KEPT_MS)),
    ]).catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const cursors = createCursors(await sharedSecret(prisma, 'cursor'));
  return {
    config,
    logger,
    metrics,
    readiness: createReadiness({ registry, ping: database.ping }),
    tracing,
    documents,
    lookUps: createDocumentLookUps(documents),
    idempotency,
    keys,
    credentials: credentialsOf(config, createOwnKeys(keys), authority),
    rateLimiter,
    ownerRateLimiter,
    cursors,
    heavyWork,
    quota: { documentsMax: config.documentsMax, bytesMax: config.bytesMax },
    rate,
    keyEnvironment: config.keyEnvironment,
    database,
    now,
    ...overrides,
    async close() {
      clearInterval(housekeeping);
      authority?.close();
      // Pending requests release their idempotency keys before the database closes.
      await heavyWork.close();
      await new Promise(setImmediate);
      await Promise.all([rateLimiter.close(), ownerRateLimiter.close(), prisma.$disconnect()]);
      await database.close();
      await tracing.close();
    },
  };
}

/** Keys of the store are told by their prefix; anything else is taken for a platform token. */
function credentialsOf(
  config: Config,
  ownKeys: CredentialAuthority,
  authority: Authority | null,
): CredentialAuthority {
  const verificationKeys = config.jwtPublicKey ?? config.jwtPublicKeyFile;
  const tokens =
    verificationKeys === undefined && authority === null
      ? null
      : createPlatformTokens({
          keys: verificationKeys === undefined ? authority!.keys : staticKeys(verificationKeys),
          issuer: config.jwtIssuer,
          audience: config.jwtAudience,
          authority,
        });
  return {
    authenticate: async (credential, use) =>
      credential.startsWith('dsk_')
        ? ownKeys.authenticate(credential, use)
        : (tokens?.authenticate(credential, use) ?? null),
    isStillGood: async (credential, now) =>
      credential.startsWith('dsk_')
        ? ownKeys.isStillGood(credential, now)
        : (tokens?.isStillGood(credential, now) ?? false),
  };
}

async function openRateLimiter(config: Config, rate: Rate, logger: Logger): Promise<RateLimiter> {
  // A monotonic clock: if the time of day were set back, callers would be refused until it caught up.
  const now = () => performance.now();
  if (config.redisUrl === undefined) return createLocalRateLimiter(rate, now);
  // The Redis client takes long to load, and an embedded service needs none.
  const { createRedisRateLimiter } = await import('./limits/redis-rate-limiter.ts');
  return createRedisRateLimiter(config.redisUrl, {
    rate,
    now,
    onUnavailable: (err) =>
      logger.error({ err }, 'Redis is unavailable: rates are counted in this process alone'),
  });
}
