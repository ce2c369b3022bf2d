import { fileURLToPath } from 'node:url';
import { connectAuthority, type Authority } from '@platform/authz-client';
import {
  measurePool,
  migrate,
  migrationStatus,
  openDatabase,
  sayingWhenAway,
  type Database,
} from '@platform/database';
import { createCallMetrics, createLogger, createMetrics, type Metrics } from '@platform/service-kit';
import { staticKeys } from '@platform/jwt';
import { createTracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import type { CredentialAuthority } from './auth/credential-authority.ts';
import { createOwnKeys } from './auth/own-keys.ts';
import { createPlatformTokens } from './auth/platform-tokens.ts';
import type { Config, Settings } from './config.ts';
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

/** Opens the database that the settings name. */
export function openConfigured(settings: Settings, logger: Logger): Promise<Database> {
  return openDatabase(settings.DATABASE_URL, {
    embeddedFolder: settings.DOCSTORE_DATA_DIR,
    connectionsMax: settings.DOCSTORE_DATABASE_CONNECTIONS,
    sessionSettings: SESSION_SETTINGS,
    onIdleError: (err) => logger.warn({ err }, 'a database connection broke'),
  });
}

/** Folder of the migrations: beside the bundle where there is one, else in the workspace. */
export function migrationsFolder(): string {
  const isBundle = import.meta.url.endsWith('.js');
  return fileURLToPath(
    new URL(isBundle ? './migrations/' : '../../../prisma/docstore/migrations/', import.meta.url),
  );
}

/** Everything the service is made of. `close` ends it all. */
export interface ServiceDeps extends HttpDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/**
 * Composition root: everything the service is made of; tests replace parts by `overrides`. An embedded database is migrated
 * on the way, because no other process can open it; Postgres is migrated by `migrate`, before the first replica starts.
 */
export async function buildDeps(
  config: Config,
  logger: Logger,
  overrides: Partial<HttpDeps> = {},
): Promise<ServiceDeps> {
  const { settings } = config;
  const metrics = createMetrics('docstore-api');
  const { registry } = metrics;
  const tracing = createTracing({
    service: 'docstore-api',
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  });
  const database = sayingWhenAway(await openConfigured(settings, logger));
  if (database.kind === 'pglite') {
    logger.warn(
      { folder: settings.DATABASE_URL ?? settings.DOCSTORE_DATA_DIR },
      'embedded database: one replica only',
    );
    await migrate(database, migrationsFolder());
  } else await requireMigrated(database);
  measurePool(database, registry);
  const now = overrides.now ?? (() => new Date());
  const prisma = createPrisma(database);
  const keys = createPrismaKeyStore(prisma, database);
  const storeOptions = { versionsKept: settings.DOCSTORE_VERSIONS_KEPT };
  const documents = createSqlDocumentStore(database, prisma, storeOptions);
  const idempotency = createSqlIdempotencyStore(database, prisma, (sql) => ({
    documents: createSqlDocumentWriter(sql, storeOptions),
    keys: createSqlKeyWriter(sql),
  }));
  const rate = {
    perMinute: settings.DOCSTORE_REQUESTS_PER_MINUTE,
    burst: settings.DOCSTORE_REQUESTS_PER_MINUTE,
  };
  const rateLimiter = measuringRateLimiter(await openRateLimiter(settings, rate, logger), registry);
  const heavyWork = createHeavyWork({
    taskTimeoutMs: HEAVY_TASK_TIMEOUT_MS,
    waitingMax: HEAVY_TASKS_WAITING_MAX,
  });
  measureHeavyWork(heavyWork, registry);
  const observe = createCallMetrics(registry);
  const authority =
    settings.DOCSTORE_AUTHZ_URL === undefined
      ? null
      : connectAuthority(settings.DOCSTORE_AUTHZ_URL, { tracing, observe });
  const housekeeping = setInterval(() => {
    idempotency.forgetOld(now()).catch((err: unknown) => logger.warn({ err }, 'housekeeping failed'));
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const cursors = createCursors(await sharedSecret(prisma, 'cursor'));
  return {
    metrics,
    tracing,
    documents,
    lookUps: createDocumentLookUps(documents),
    idempotency,
    keys,
    credentials: credentialsOf(config, createOwnKeys(keys), authority),
    rateLimiter,
    cursors,
    heavyWork,
    quota: { documentsMax: settings.DOCSTORE_DOCUMENTS_MAX, bytesMax: settings.DOCSTORE_BYTES_MAX },
    rate,
    keyEnvironment: settings.DOCSTORE_KEY_ENVIRONMENT,
    database,
    now,
    ...overrides,
    async close() {
      clearInterval(housekeeping);
      authority?.close();
      // Let pending requests release their idempotency keys before the database closes.
      await heavyWork.close();
      await new Promise(setImmediate);
      await Promise.all([rateLimiter.close(), prisma.$disconnect()]);
      await database.close();
      await tracing.close();
    },
  };
}

async function requireMigrated(database: Database): Promise<void> {
  const { pending } = await migrationStatus(database, migrationsFolder());
  if (pending.length === 0) return;
  await database.close();
  throw new Error(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
}

/** The log of the service and of its commands. */
export function openLogger(settings: Settings): Logger {
  return createLogger({ service: 'docstore-api', level: settings.DOCSTORE_LOG_LEVEL });
}

/** Keys of the store by their prefix; anything else is taken for a platform token. */
function credentialsOf(
  { settings, verificationKeys }: Config,
  ownKeys: CredentialAuthority,
  authority: Authority | null,
): CredentialAuthority {
  const tokens =
    verificationKeys.length === 0 && authority === null
      ? null
      : createPlatformTokens({
          keys: verificationKeys.length > 0 ? staticKeys(verificationKeys) : authority!.keys,
          issuer: settings.DOCSTORE_JWT_ISSUER,
          audience: settings.DOCSTORE_JWT_AUDIENCE,
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

async function openRateLimiter(settings: Settings, rate: Rate, logger: Logger): Promise<RateLimiter> {
  // Unlike the time of day it never goes back, which would keep those out who came before.
  const now = () => performance.now();
  if (settings.REDIS_URL === undefined) return createLocalRateLimiter(rate, now);
  // The client of Redis takes long to load, and many a process does without.
  const { createRedisRateLimiter } = await import('./limits/redis-rate-limiter.ts');
  return createRedisRateLimiter(settings.REDIS_URL, {
    rate,
    now,
    onUnavailable: (err) =>
      logger.error({ err }, 'Redis does not answer: rates are counted in this process alone'),
  });
}
