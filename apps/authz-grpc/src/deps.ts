import { randomUUID } from 'node:crypto';
import { measurePool, openDatabase, sayingWhenAway, type Database } from '@platform/database';
import { createLogger, createMetrics, type Metrics } from '@platform/service-kit';
import { createTracing, type Tracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import { createAdmission, type Admission } from './admission/admission.ts';
import { createAuditStore } from './audit/audit-store.ts';
import { createAuditWriter, type AuditWriter } from './audit/audit-writer.ts';
import type { Config } from './config.ts';
import { openGate } from './gate/open-gate.ts';
import { createQuotaFlush, type QuotaFlush } from './gate/quota-flush.ts';
import { createOrderedIds } from './ids.ts';
import { createPasswords, type Passwords } from './identity/passwords.ts';
import { createSigningKeys, type SigningKeys } from './identity/signing-keys.ts';
import { createThrottle, type Throttle } from './identity/throttle.ts';
import { createServiceMetrics, exposeState } from './metrics.ts';
import { createTokens, type Tokens } from './identity/tokens.ts';
import { createPolicyCache, type PolicyCache } from './state/policy-cache.ts';
import { createWrite, type Write } from './state/write.ts';
import type { Gate } from './gate/gate.ts';
import { createPolicyWorker, type PolicyWorker } from './worker/policy-worker-pool.ts';

/** Everything operations may ask for. Each names what it needs with `Pick<Deps, …>`. */
export interface Deps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random UUID. */
  readonly newId: () => string;
  /** A UUIDv7 (RFC 9562 §5.7), for rows that are many and in order. */
  readonly newCheckId: () => string;
  readonly database: Database;
  readonly gate: Gate;
  readonly write: Write;
  readonly policies: PolicyCache;
  readonly admission: Admission;
  readonly quotaFlush: QuotaFlush;
  readonly audit: AuditWriter;
  readonly signingKeys: SigningKeys;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly policyWorker: PolicyWorker;
  /** Closes in reverse: what waits is written first, then pools close. */
  readonly close: () => Promise<void>;
}

/** Opens stores and builds the service's parts over a migrated database. Errors: those of the database and of Redis. */
export async function createDeps(
  config: Config,
  overrides: { database?: Database; logger?: Logger; now?: () => number; policyWorkerFile?: URL } = {},
): Promise<Deps> {
  const logger = overrides.logger ?? createLogger({ service: 'authz-grpc', level: config.AUTHZ_LOG_LEVEL });
  const now = overrides.now ?? Date.now;
  const database = sayingWhenAway(overrides.database ?? (await openServiceDatabase(config, logger)));
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
  const signingKeys = await createSigningKeys(database, {
    now,
    rotationDays: config.AUTHZ_KEY_ROTATION_DAYS,
    secret: config.AUTHZ_KEY_SECRET,
  });
  const quotaFlush = createQuotaFlush(gate, database, logger);
  const policies = createPolicyCache(database, { bytesMax: config.AUTHZ_POLICY_CACHE_MIB * 1024 * 1024 });
  const admission = createAdmission({
    gate: quotaFlush.observing(gate),
    database,
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
    newCheckId: createOrderedIds(now),
    database,
    gate,
    write: createWrite(database, gate),
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
