import {
  connectAuthority,
  createLeaseRecord,
  createLeases,
  eraseDeletedTenants,
  rememberTenants,
  type Authority,
  type LeaseRecord,
} from '@platform/authz-client';
import { builtOrSource, defineServiceDatabase, type Database } from '@platform/database';
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
import type { CredentialAuthority } from './auth/credential-authority.ts';
import { createOwnKeys } from './auth/own-keys.ts';
import { createPlatformTokens } from './auth/platform-tokens.ts';
import type { Config } from './config.ts';
import { createLocalRateLimiter } from './limits/local-rate-limiter.ts';
import type { Rate, RateLimiter } from './limits/rate-limiter.ts';
import { measureComputePool, measuringRateLimiter } from './metrics.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { DELETED_KEPT_MS, SCAN_SECONDS_MAX } from './rules/limits.ts';
import { createCursors } from './search/cursor.ts';
import { createComputePool } from './search/compute-pool.ts';
import { createDocumentLookUps } from './store/document-look-ups.ts';
import { createPrismaKeyStore, createSqlKeyWriter } from './store/prisma-key-store.ts';
import { createPrisma } from './store/prisma.ts';
import { sharedSecret } from './store/prisma-shared-secret.ts';
import { createSqlDocumentStore, SESSION_SETTINGS } from './store/sql-document-store.ts';
import { createSqlDocumentWriter } from './store/sql-document-writer.ts';
import { createSqlIdempotencyStore } from './store/sql-idempotency-store.ts';

const HEAVY_TASK_TIMEOUT_MS = 5_000;
const HEAVY_TASKS_WAITING_MAX = 64;
const HOUSEKEEPING_INTERVAL_MS = 3_600_000;

/** Everything the service is made of. */
export interface ServiceDeps extends HttpDeps, ServiceParts {
  readonly database: Database;
  /**
   * Erases what is kept of tenants that were deleted longer than DOCSTORE_ERASE_AFTER_DAYS ago; returns their
   * ids.
   */
  eraseDeleted(): Promise<readonly string[]>;
}

/** Parts that tests replace. */
export type DepsOverrides = Partial<Pick<ServiceDeps, 'logger' | 'now'>>;

const NAME = 'docstore-api';
const DATABASE = defineServiceDatabase({
  service: NAME,
  prefix: 'DOCSTORE',
  migrations: builtOrSource(import.meta.url, './migrations/', '../../../prisma/docstore/migrations/'),
  sessionSettings: SESSION_SETTINGS,
  commandLogger: () => createCommandLogger(NAME),
});

/** The migrations of the configured database. */
export const migrationsOf = DATABASE.migrations;

/** Runs the work of a command on the documents as they are stored, then closes the database. */
export function withDocuments<T>(
  config: Config,
  work: (documents: ReturnType<typeof createSqlDocumentStore>) => Promise<T>,
): Promise<T> {
  return DATABASE.use(config, (database) =>
    work(createSqlDocumentStore(database, createPrisma(database), { versionsKept: config.versionsKept })),
  );
}

/**
 * Composition root: opens the stores and builds every part of the service. Errors: those of opening the
 * database.
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<ServiceDeps> {
  const base = createServiceBase(NAME, config, overrides);
  const { logger, tracing, now } = base;
  const { registry } = base.metrics;
  const database = await DATABASE.open(config, { logger, registry, tracing, waits: true });
  const prisma = createPrisma(database);
  // Its first statement would hold the event loop for a quarter of a second, among requests.
  await prisma.$connect();
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
  let redisError: unknown;
  const onRedisError = (error: unknown) => void (redisError = error);
  const rateLimiter = measuringRateLimiter(await openRateLimiter(config, rate, onRedisError), registry);
  const ownerRate = {
    perMinute: rate.perMinute * config.ownerRateFactor,
    burst: rate.burst * config.ownerRateFactor,
  };
  const ownerRateLimiter = await openRateLimiter(config, ownerRate, onRedisError);
  async function requireRedis(): Promise<void> {
    if (rateLimiter.isRedisUnavailable()) throw new Error('Redis does not respond', { cause: redisError });
  }
  const compute = createComputePool({
    taskTimeoutMs: HEAVY_TASK_TIMEOUT_MS,
    waitingMax: HEAVY_TASKS_WAITING_MAX,
  });
  measureComputePool(compute, registry);
  const observe = createCallMetrics(registry);
  const authority =
    config.authzUrl === undefined
      ? null
      : connectAuthority(config.authzUrl, { tracing, observe, tls: authzTlsOf(config) });
  const leaseRecord = createLeaseRecord(database);
  const leases =
    authority === null ? null : createLeases({ ask: authority.leaseStates, record: leaseRecord });
  /** Erases what is kept of tenants that were deleted long enough ago; returns their ids. */
  const eraseDeleted = async () =>
    authority === null
      ? []
      : eraseDeletedTenants({
          ask: authority.leaseStates,
          record: leaseRecord,
          async erase(owner) {
            await Promise.all([documents.erase(owner), keys.erase(owner)]);
          },
          now: now(),
          afterDays: config.eraseAfterDays,
        });
  const housekeeping = setInterval(() => {
    Promise.all([
      eraseDeleted().then((owners) => {
        for (const owner of owners) logger.info({ tenant_id: owner }, 'erased a deleted tenant');
      }),
      idempotency.forgetOld(now()),
      keys.forgetDead(now()),
      documents.forgetDeleted(new Date(now().getTime() - DELETED_KEPT_MS)),
      documents.forgetMarks(new Date(now().getTime() - SCAN_SECONDS_MAX * 1000)),
    ]).catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const endWatch = watchDependencies(
    { registry, logger },
    {
      database: { ping: database.ping, setting: 'DATABASE_URL' },
      ...(config.redisUrl === undefined ? {} : { redis: { ping: requireRedis, setting: 'REDIS_URL' } }),
      ...(authority === null
        ? {}
        : { 'authz-grpc': { ping: authority.ping, setting: 'DOCSTORE_AUTHZ_URL' } }),
    },
  );
  const cursors = createCursors(await sharedSecret(prisma, 'cursor'));
  // The first request shall not wait for a connection and for keys.
  await authority?.triedKeys;
  return {
    ...base,
    config,
    readiness: createReadiness({ registry, ping: database.ping }),
    documents,
    lookUps: createDocumentLookUps(documents),
    idempotency,
    keys,
    leases,
    credentials: credentialsOf(config, createOwnKeys(keys, leases), authority, leaseRecord),
    rateLimiter,
    ownerRateLimiter,
    cursors,
    compute,
    quota: { documentsMax: config.documentsMax, bytesMax: config.bytesMax },
    rate,
    keyEnvironment: config.keyEnvironment,
    database,
    eraseDeleted,
    async close() {
      clearInterval(housekeeping);
      endWatch();
      authority?.close();
      // Pending requests release their idempotency keys before the database closes.
      await compute.close();
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
  leaseRecord: LeaseRecord,
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
          onTenant: rememberTenants(leaseRecord.saveTenant),
        });
  return {
    authenticate: async (credential, use) =>
      credential.startsWith('dsk_')
        ? ownKeys.authenticate(credential, use)
        : (tokens?.authenticate(credential, use) ?? null),
    isActive: async (credential, now) =>
      credential.startsWith('dsk_')
        ? ownKeys.isActive(credential, now)
        : (tokens?.isActive(credential, now) ?? false),
  };
}

async function openRateLimiter(
  config: Config,
  rate: Rate,
  onError: (error: unknown) => void,
): Promise<RateLimiter> {
  // A monotonic clock: if the time of day were set back, callers would be refused until it caught up.
  const now = () => performance.now();
  if (config.redisUrl === undefined) return createLocalRateLimiter(rate, now);
  // The Redis client takes long to load, and an embedded service needs none.
  const { createRedisRateLimiter } = await import('./limits/redis-rate-limiter.ts');
  return createRedisRateLimiter(config.redisUrl, {
    rate,
    isCluster: config.redisCluster,
    now,
    onError,
  });
}
