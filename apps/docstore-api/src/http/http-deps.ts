import type { Tracing } from '@platform/telemetry';
import type { Deps } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { StoreDatabase, StoreTransaction } from '../store/store-database.ts';

/** What routes are given: all that operations are, and the transactions that Idempotency-Key binds an answer to. */
export interface HttpDeps extends Deps {
  readonly tracing: Tracing;
  readonly database: StoreDatabase;
  /** The document store within a transaction. */
  readonly documentsIn: (sql: StoreTransaction) => DocumentStore;
}
