import type { ChainedEvent } from '../model/audit-event.ts';
import type { ChainPlace } from './audit-store.ts';

/** What of a tenant's chain an archive holds. */
export interface ArchivedChain {
  readonly tenantId: string;
  /** The place that its first row follows. */
  readonly anchor: ChainPlace;
  /** The place of the archive's newest row. */
  readonly head: ChainPlace;
  readonly rows: number;
  /** The first row that does not follow from the one before it; null when all do. */
  readonly broken: { readonly sequence: number; readonly why: 'row missing' | 'row altered' } | null;
}

/**
 * Audit rows in Parquet files of one folder, which any engine reads. The rows of a tenant stand together in a
 * file, in order; the first of them brings the hash before it along (`before`). Errors: those of the disk and
 * of DuckDB.
 */
export interface AuditArchive {
  /** Where each tenant's rows end. */
  heads(): Promise<Map<string, ChainPlace>>;
  /** Adds a row that follows the hash `before`; a tenant's rows come one after another. */
  add(event: ChainedEvent, before: string): Promise<void>;
  /** Puts the rows that were added since into a file of their own, named by the time of the first. */
  flush(): Promise<void>;
  /** Recomputes the hash of every row. */
  verify(): Promise<ArchivedChain[]>;
  close(): void;
}
