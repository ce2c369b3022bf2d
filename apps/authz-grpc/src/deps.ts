import { randomUUID } from 'node:crypto';
import { measurePool, openDatabase, sayingWhenAway, type Database } from '@platform/database';
import { createLogger, createMetrics } from '@platform/service-kit';
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

/** Opens stores and builds the service's parts over a migrated database. Errors: those of the database and of Redis. */
export async function createDeps(
  config: Config,
  overrides: { database?: Database; logger?: Logger; now?: () => Date; policyWorkerFile?: URL } = {},
): Promise<Deps> {
  const logger = overrides.logger ?? createLogger({ service: 'authz-grpc', level: config.AUTHZ_LOG_LEVEL });
  const now = overrides.now ?? (() => new Date());
  const database = sayingWhenAway(overrides.database ?? (await openServiceDatabase(config, logger)));
  const { stores, transaction, close: closeStores } = createPrismaStores(database);
  const entities = createEntityStore(database);
  let forget = () => undefined as void;
  const metrics = createMetrics('authz-grpc');
  measurePool(database, metrics.registry);
  const observed = createServiceMetrics(metrics.registry);
  const tracing = createTracing({ service: 'authz-grpc', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const gate = await openGate({
    url: config.REDIS_URL,
    timeoutMs: config.AUTHZ_REDIS_TIMEOUT_MS,
    replicas: config.AUTHZ_REPLICAS,
    logger,
    registry: metrics.registry,
    onReturn: () => forget(),
    now: overrides.now,
  });
  const signingKeys = await createSigningKeys(
    { keys: stores.signingKeys, exclusively: database.exclusively },
    {
      now,
      rotationDays: config.AUTHZ_KEY_ROTATION_DAYS,
      secret: config.AUTHZ_KEY_SECRET,
    },
  );
  const quotaFlush = createQuotaFlush(gate, stores.quotas, logger);
  const policies = createPolicyCache(entities, { bytesMax: config.AUTHZ_POLICY_CACHE_MIB * 1024 * 1024 });
  const admission = createAdmission({
    gate: quotaFlush.observing(gate),
    entities,
    quotas: stores.quotas,
    policies,
    entitiesMax: config.AUTHZ_ENTITY_CACHE,
    onRefused: observed.refusedByLimit,
  });
  forget = admission.forget;
  const audit = createAuditWriter(createAuditStore(database), {
    mode: config.AUTHZ_AUDIT_MODE,
    queueRowsMax: config.AUTHZ_AUDIT_QUEUE_ROWS,
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
      issuer: config.AUTHZ_ISSUER,
      audience: config.AUTHZ_AUDIENCE,
      now,
      newId: randomUUID,
    }),
    passwords: await createPasswords(),
    throttle: createThrottle(gate, config.AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE, observed.loginThrottled),
    policyWorker,
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

/** The database the settings name. */
export function openServiceDatabase(config: Config, logger: Logger): Promise<Database> {
  return openDatabase(config.DATABASE_URL, {
    embeddedFolder: config.AUTHZ_DATA_DIR,
    connectionsMax: config.AUTHZ_DATABASE_CONNECTIONS,
    onIdleError: (err) => logger.warn({ err }, 'idle database connection broke'),
  });
}
