import type { ServiceBase, ServiceParts } from '@platform/service-kit';
import type { FairLimit } from '@platform/worker-pool';
import type { DecisionRunner } from './authorization/decision-runner.ts';
import type { AuditWriter } from './audit/audit-writer.ts';
import type { Config } from './config.ts';
import type { LimitStore } from './limits/limit-store.ts';
import type { Passwords } from './identity/passwords.ts';
import type { SigningKeys } from './identity/signing-keys.ts';
import type { Throttle } from './identity/throttle.ts';
import type { Tokens } from './identity/tokens.ts';
import type { Bundles } from './state/bundles.ts';
import type { PolicyCache } from './state/policy-cache.ts';
import type { ShadowSets } from './state/shadow-sets.ts';
import type { Write } from './state/write.ts';
import type { AuditReader } from './store/audit-store.ts';
import type { Stores } from './store/stores.ts';
import type { PolicyWorker } from './worker/policy-worker-pool.ts';

/**
 * All that operations ask for; each names what it needs with `Pick<Deps, …>`. `deps.ts` builds the parts
 * once.
 */
export interface Deps {
  readonly config: Config;
  /** The time; every part of the service is told the same. */
  readonly now: () => Date;
  /** Makes a random UUID. */
  readonly newId: () => string;
  /** A UUIDv7 (RFC 9562 §5.7), for rows that are many and in order. */
  readonly newCheckId: () => string;
  readonly stores: Stores;
  readonly auditRows: AuditReader;
  readonly limits: LimitStore;
  readonly write: Write;
  readonly policies: PolicyCache;
  readonly decisions: DecisionRunner;
  readonly audit: AuditWriter;
  readonly signingKeys: SigningKeys;
  readonly bundles: Bundles;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly policyWorker: PolicyWorker;
  readonly shadows: ShadowSets;
  /** Admits plans, one of a tenant at a time. */
  readonly plans: FairLimit;
}

/** What the transports are given: the deps of all operations, and what calls are observed through. */
export interface TransportDeps extends Deps, ServiceBase {
  readonly readiness: ServiceParts['readiness'];
}
