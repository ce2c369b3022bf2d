import { randomUUID } from 'node:crypto';
import { RegexMemory } from '@platform/decide/regex';
import { builtOrSource, defineServiceDatabase, type Database } from '@platform/database';
import {
  certificateEnd,
  createCommandLogger,
  createReadiness,
  createServiceBase,
  openTlsIdentity,
  watchDependencies,
  type ServiceBase,
  type ServiceParts,
  type TlsIdentity,
} from '@platform/service-kit';
import { createDecisionRunner } from './authorization/decision-runner.ts';
import { createAuditWriter } from './audit/audit-writer.ts';
import type { Config } from './config.ts';
import { openLimitStore, requireShared } from './limits/open-limit-store.ts';
import { createQuotaFlush } from './limits/quota-flush.ts';
import { createOrderedIds } from './ids.ts';
import { createPasswords } from './identity/passwords.ts';
import { bundleSigner } from './identity/bundle-signer.ts';
import { createSigningKeys } from './identity/signing-keys.ts';
import { createThrottle } from './identity/throttle.ts';
import { createServiceMetrics, exposeState } from './metrics.ts';
import { createTokens } from './identity/tokens.ts';
import { createPlanLimit } from './operations/plan-resources.ts';
import { startDueCycles } from './operations/tenants.ts';
import type { TransportDeps } from './ports.ts';
import { createBundles } from './state/bundles.ts';
import { createPolicyCache } from './state/policy-cache.ts';
import { createShadowSets } from './state/shadow-sets.ts';
import { createWrite } from './state/write.ts';
import { createPrismaStores } from './store/prisma-stores.ts';
import type { AuditPartitions } from './store/audit-store.ts';
import { createAuditPartitions } from './store/sql-audit-partitions.ts';
import { createAuditReader } from './store/sql-audit-reader.ts';
import { createAuditStore } from './store/sql-audit-store.ts';
import { createEntityStore } from './store/sql-entity-store.ts';
import { createShadowCounts } from './store/sql-shadow-counts.ts';
import { createPolicyWorker } from './worker/policy-worker-pool.ts';
import { fairMemo, nextTurnOf } from './time-slices.ts';

/** Everything the service is made of. */
export interface ServiceDeps extends TransportDeps, ServiceParts {
  /** For locks; everything else goes through the stores. */
  readonly database: Database;
  readonly auditPartitions: AuditPartitions;
  /** Certificates of both servers; null where they speak plaintext. */
  readonly tls: TlsIdentity | null;
}

/** Parts that tests replace. */
export type DepsOverrides = Partial<Pick<ServiceDeps, 'logger' | 'now' | 'passwords' | 'policyWorker'>>;

const NAME = 'authz-grpc';
/** Shadow sets have this part of the memory of compiled policies, on top of it. */
const SHADOW_SHARE = 8;
/** Bytes of their compiled regexes. */
const SHADOW_REGEX_BYTES_MAX = 32 * 1024 * 1024;
const DATABASE = defineServiceDatabase({
  service: NAME,
  prefix: 'AUTHZ',
  migrations: builtOrSource(import.meta.url, './migrations/', '../../../prisma/authz/migrations/'),
  commandLogger: () => createCommandLogger(NAME),
});

/** The migrations of the configured database. */
export const migrationsOf = DATABASE.migrations;

/** Runs the work of a command on the database as it is, then closes it. */
export const withDatabase = DATABASE.use;

/**
 * Composition root: opens the stores and builds every part of the service, once the database responds.
 * Errors: those of opening the database.
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<ServiceDeps> {
  const base = createServiceBase(NAME, config, overrides);
  const database = await DATABASE.open(config, {
    logger: base.logger,
    registry: base.metrics.registry,
    tracing: base.tracing,
    waits: true,
  });
  try {
    return await createDepsOver(database, { config, base, overrides });
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

async function createDepsOver(
  database: Database,
  { config, base, overrides }: { config: Config; base: ServiceBase; overrides: DepsOverrides },
): Promise<ServiceDeps> {
  const { logger, tracing, now } = base;
  const { registry } = base.metrics;
  const { stores, transaction, close: closeStores } = createPrismaStores(database, randomUUID);
  const entities = createEntityStore(database);
  if (config.redisUrl === undefined) logger.warn('counters in this process: one replica only');
  let forget = () => undefined as void;
  const observed = createServiceMetrics(registry);
  let redisError: unknown;
  const limits = await openLimitStore({
    url: config.redisUrl,
    isCluster: config.redisCluster,
    timeoutMs: config.redisTimeoutMs,
    replicas: config.replicas,
    logger,
    registry,
    newId: randomUUID,
    onReturn: () => forget(),
    onError: (error) => (redisError = error),
    now: overrides.now,
  });
  const signingKeys = await createSigningKeys(
    { keys: stores.signingKeys, credentials: stores.credentials, exclusively: database.exclusively },
    {
      now,
      rotationDays: config.keyRotationDays,
      secret: config.keySecret,
      previousSecret: config.keySecretPrevious,
    },
  );
  const quotaFlush = createQuotaFlush(limits, stores.quotas, logger);
  const write = createWrite(transaction, limits);
  const cycleMs = config.quotaCycleDays * 86_400_000;
  const policies = createPolicyCache(entities, { bytesMax: config.policyCacheMib * 1024 * 1024 });
  const decisions = createDecisionRunner({
    limits: quotaFlush.observing(limits),
    entities,
    quotas: stores.quotas,
    now,
    cycleMs,
    startDueCycle: (scope) => startDueCycles({ database, stores, write, now }, [scope], cycleMs),
    policies,
    entitiesMax: config.entityCache,
    onRefused: observed.refusedByLimit,
    turns: { memo: fairMemo, next: nextTurnOf },
  });
  forget = decisions.forget;
  const shadowRegexes = new RegexMemory(SHADOW_REGEX_BYTES_MAX);
  const shadows = createShadowSets({
    policies: createPolicyCache(
      { loadPolicies: entities.loadShadow },
      {
        bytesMax: (config.policyCacheMib * 1024 * 1024) / SHADOW_SHARE,
        regexMemory: shadowRegexes,
      },
    ),
    regexTurns: () => shadowRegexes.turns,
    store: createShadowCounts(database),
    logger,
    onDecided: observed.shadowDecided,
  });
  const audit = createAuditWriter(createAuditStore(database), {
    mode: config.auditMode,
    queueRowsMax: config.auditQueueRows,
    logger,
    tracing,
    observeGroup: observed.auditGroupWritten,
  });
  const tls = openTlsIdentity(config, logger);
  exposeState(registry, {
    audit,
    policies,
    certificateEnd: () => (tls === null ? 0 : certificateEnd(tls.current())),
  });
  const policyWorker = overrides.policyWorker ?? createPolicyWorker();
  const endWatch = watchDependencies(
    { registry, logger },
    {
      database: { ping: database.ping, setting: 'DATABASE_URL' },
      ...(config.redisUrl === undefined
        ? {}
        : { redis: { ping: () => requireShared(limits, () => redisError), setting: 'REDIS_URL' } }),
    },
  );
  return {
    ...base,
    config,
    newId: randomUUID,
    newCheckId: createOrderedIds(() => now().getTime()),
    database,
    stores,
    auditRows: createAuditReader(database),
    auditPartitions: createAuditPartitions(database),
    limits,
    write,
    policies,
    decisions,
    audit,
    signingKeys,
    bundles: createBundles({
      issuer: config.issuer,
      seconds: config.bundleSeconds,
      signer: () => bundleSigner(signingKeys.current()),
      now,
    }),
    tokens: createTokens({
      keys: signingKeys,
      issuer: config.issuer,
      audience: config.audience,
      resources: config.oauthResources,
      now,
      newId: randomUUID,
    }),
    passwords: overrides.passwords ?? (await createPasswords()),
    throttle: createThrottle(limits, {
      attemptsPerMinute: config.loginAttemptsPerMinute,
      now,
      onRefused: observed.loginThrottled,
    }),
    policyWorker,
    shadows,
    plans: createPlanLimit(),
    tls,
    readiness: createReadiness({ registry, ping: database.ping }),
    async close() {
      endWatch();
      tls?.close();
      await policyWorker.close();
      await shadows.close();
      await audit.close();
      await quotaFlush.close();
      await limits.close();
      await closeStores();
      await database.close();
      await tracing.close();
    },
  };
}
