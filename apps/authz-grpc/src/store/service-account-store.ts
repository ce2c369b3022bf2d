import type { Slice } from '../pages.ts';

export interface ServiceAccountRow {
  readonly id: string;
  /** Null for accounts of the system. */
  readonly tenantId: string | null;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly createdAt: Date;
  /** The number of updates so far. */
  readonly version: number;
  /** What its keys may be used for, separated by spaces; empty is all scopes of a tenant. */
  readonly scopes: string;
  /** The key the account was created with; empty when its record is gone. */
  readonly apiKeyId: string;
  readonly apiKeyExpiresAt: Date | null;
  /** Whether that key is revoked, expired or gone. */
  readonly apiKeyEnded: boolean;
}

/** Service accounts of tenants. `now` decides whether a key has expired. Errors: those of the database. */
export interface ServiceAccountStore {
  /**
   * Throws NAME_TAKEN. The database holds names unique within a tenant; callers queue for those of the
   * system.
   */
  insert(
    account: Pick<ServiceAccountRow, 'id' | 'tenantId' | 'name' | 'description' | 'createdAt' | 'scopes'>,
  ): Promise<void>;
  find(id: string, now: Date): Promise<ServiceAccountRow | null>;
  /** The tenant's accounts, or those of the system, oldest first; the key of a slice is that of a `Place`. */
  list(tenantId: string | null, activeOnly: boolean, now: Date, slice: Slice): Promise<ServiceAccountRow[]>;
  /** How many accounts `list` has in all. */
  count(tenantId: string | null, activeOnly: boolean): Promise<number>;
  ids(tenantId: string): Promise<string[]>;
  /**
   * Moves the version on. Undefined fields stay as they are; deactivation ends the lease. False when
   * there is no such account.
   */
  update(
    id: string,
    change: { readonly description?: string | undefined; readonly active?: boolean | undefined },
  ): Promise<boolean>;
  /** Locks the account until the transaction ends. False when there is no such account. */
  lock(id: string): Promise<boolean>;
  /** False when there is no such account. */
  remove(id: string): Promise<boolean>;
}
