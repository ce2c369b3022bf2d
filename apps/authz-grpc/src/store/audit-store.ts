import type { AuditEvent, AuditKind, ChainedEvent } from '../model/audit-event.ts';
import type { PackedChecks } from '../model/packed-checks.ts';

/** Writes batches of events as rows of their tenants' chains. Used by one writer at a time per process. */
export interface AuditStore {
  /**
   * Makes the events durable, each exactly once: an event whose id is stored already is left as it is, so a
   * batch whose outcome is unknown is simply appended again. Errors: the store's; then nothing of the batch
   * was written, or all.
   */
  append(events: readonly AuditEvent[]): Promise<void>;
}

/** Reads audit rows. Errors: those of the database. */
export interface AuditReader {
  /** The tenant's rows that pass the filter, newest first. */
  find(filter: AuditFilter): Promise<ChainedEvent[]>;
  /** The row of this id in the tenant's chain; null when there is none. */
  event(tenantId: string, id: string): Promise<ChainedEvent | null>;
  /** Where the tenant's chain begins and ends. */
  chain(tenantId: string): Promise<Chain>;
  /** The tenant's rows with `after` < sequence ≤ `upTo`, oldest first, at most `limit`. */
  rows(tenantId: string, place: { after: number; upTo: number; limit: number }): Promise<ChainedEvent[]>;
  /**
   * A slice of the decided checks on all but these domains, newest first; null when none are left. The slice
   * ends early where details are long.
   */
  decided(query: DecidedQuery): Promise<DecidedSlice | null>;
  /** Every tenant that has a chain, deleted ones too. */
  tenantIds(): Promise<string[]>;
}

export interface DecidedQuery {
  readonly tenantId: string;
  readonly except: readonly string[];
  readonly after: Date;
  readonly before: Date;
  /** Only rows with a smaller sequence. */
  readonly beforeSequence: number | null;
  readonly limit: number;
}

export interface DecidedSlice {
  readonly checks: PackedChecks;
  readonly rows: number;
  /** Of its oldest row. */
  readonly sequence: number;
  readonly time: Date;
}

export interface AuditFilter {
  readonly tenantId: string;
  readonly domainId?: string | undefined;
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly decision?: boolean | undefined;
  readonly kind?: AuditKind | undefined;
  readonly operation?: string | undefined;
  /** Whether the call was refused with an error. */
  readonly refused?: boolean | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  /** Only rows with a smaller sequence. */
  readonly beforeSequence?: number | undefined;
  readonly limit: number;
}

/** Ends of a tenant's chain: its newest row, and the row it begins behind, which retention may have taken. */
export interface Chain {
  readonly head: ChainPlace;
  readonly anchor: ChainPlace;
}

export interface ChainPlace {
  readonly sequence: number;
  readonly hash: string;
}

/** Where audit rows lie, a part of the table for each day. */
export interface AuditPartitions {
  /**
   * Makes the partitions of today and the days to come, and drops those older than `retentionDays`, moving
   * each chain's anchor behind what goes. Safe on several replicas at once. `now` is in milliseconds since
   * 1970. Returns the names of the partitions dropped.
   */
  maintain(options: { readonly now: number; readonly retentionDays: number }): Promise<string[]>;
}
