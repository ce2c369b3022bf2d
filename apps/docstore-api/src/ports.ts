import type { CredentialAuthority } from './auth/credential-authority.ts';
import type { Rate, RateLimiter } from './limits/rate-limiter.ts';
import type { DocumentStore, QuotaLimits } from './store/document-store.ts';
import type { KeyStore } from './store/key-store.ts';
import type { Cursors } from './search/cursor.ts';
import type { HeavyWork } from './search/heavy-work.ts';

/** What operations are given. Each names what it needs with `Pick<Deps, …>`; `deps.ts` builds them once. */
export interface Deps {
  readonly documents: DocumentStore;
  readonly keys: KeyStore;
  readonly credentials: CredentialAuthority;
  readonly rateLimiter: RateLimiter;
  readonly cursors: Cursors;
  readonly heavyWork: HeavyWork;
  readonly quota: QuotaLimits;
  readonly rate: Rate;
  readonly keyEnvironment: string;
  readonly now: () => Date;
}
