import type { Database } from '@platform/database';
import type { Metrics, Readiness } from '@platform/service-kit';
import type { Tracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import type { Admission } from './admission/admission.ts';
import type { AuditWriter } from './audit/audit-writer.ts';
import type { AuditReader } from './audit/read-audit.ts';
import type { Config } from './config.ts';
import type { Gate } from './gate/gate.ts';
import type { QuotaFlush } from './gate/quota-flush.ts';
import type { Passwords } from './identity/passwords.ts';
import type { SigningKeys } from './identity/signing-keys.ts';
import type { Throttle } from './identity/throttle.ts';
import type { Tokens } from './identity/tokens.ts';
import type { PolicyCache } from './state/policy-cache.ts';
import type { Write } from './state/write.ts';
import type { Stores } from './store/stores.ts';
import type { PolicyWorker } from './worker/policy-worker-pool.ts';

/** Everything operations may ask for. Each names what it needs with `Pick<Deps, …>`. */
export interface Deps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The time; every part of the service is told the same. */
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** A UUIDv7 (RFC 9562 §5.7), for rows that are many and in order. */
  readonly newCheckId: () => string;
  /** The database itself: for locks, probes and the audit rows. Operations use the stores. */
  readonly database: Database;
  readonly stores: Stores;
  readonly auditRows: AuditReader;
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
  readonly readiness: Readiness;
  /** Closes in reverse: what waits is written first, then pools close. */
  readonly close: () => Promise<void>;
}
