import type { Metrics } from '@platform/service-kit';
import type { Tracing } from '@platform/telemetry';
import type { Logger } from 'pino';
import type { CredentialAuthority } from '../auth/credential-authority.ts';
import type { Config } from '../config.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Deps } from '../ports.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';

/** The dependencies of the HTTP transport: those of all operations, and those of its own checks. */
export interface HttpDeps extends Deps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly credentials: CredentialAuthority;
  readonly rateLimiter: RateLimiter;
  /** Over all credentials of an owner. */
  readonly ownerRateLimiter: RateLimiter;
  readonly idempotency: IdempotencyStore;
  /** The code of the thread that parses large bodies. Default: as built, beside the bundle. */
  readonly bodyWorkerFile?: URL;
}
