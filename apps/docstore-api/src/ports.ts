import type { Leases } from '@platform/authz-client';
import type { Rate } from './limits/rate-limiter.ts';
import type { Cursors } from './search/cursor.ts';
import type { ComputePool } from './search/compute-pool.ts';
import type { DocumentLookUps } from './store/document-look-ups.ts';
import type { DocumentStore, QuotaLimits } from './store/document-store.ts';
import type { KeyStore } from './store/key-store.ts';

/**
 * All that operations ask for; each picks what it needs. `deps.ts` builds implementations once, tests replace
 * them.
 */
export interface Deps {
  readonly documents: DocumentStore;
  readonly lookUps: DocumentLookUps;
  readonly keys: KeyStore;
  /** null where authz-grpc is not asked. */
  readonly leases: Leases | null;
  readonly cursors: Cursors;
  readonly compute: ComputePool;
  readonly quota: QuotaLimits;
  readonly rate: Rate;
  readonly keyEnvironment: string;
  readonly now: () => Date;
}
