import type { Slice } from '../pages.ts';

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly subscription: string;
  readonly createdAt: Date;
  /** The number of updates so far. */
  readonly version: number;
}

/** Tenants and who belongs to them. Errors: those of the database. */
export interface TenantStore {
  /** Throws NAME_TAKEN. */
  insert(
    tenant: Omit<TenantRow, 'active' | 'subscription' | 'version'> & { readonly founderId?: string },
  ): Promise<void>;
  /** Tenants there are that the user has founded. */
  countOfFounder(userId: string): Promise<number>;
  /**
   * The active tenants, or those the user is a member of, oldest first; the key of a slice is that of a
   * `Place`.
   */
  listActive(memberId: string | null, slice?: Slice): Promise<TenantRow[]>;
  find(id: string): Promise<TenantRow | null>;
  findId(name: string): Promise<string | null>;
  /** All tenants, or those of the ids, oldest first; the key of a slice is that of a `Place`. */
  list(ids: readonly string[] | null, slice?: Slice): Promise<TenantRow[]>;
  /** Moves the version on. False when there is no such tenant. Throws NAME_TAKEN. */
  update(tenant: Omit<TenantRow, 'createdAt' | 'version'>): Promise<boolean>;
  /**
   * Removes the tenant with its domains, associations, attributes and service accounts, and keeps on record
   * that it was deleted at `now`; false when absent.
   */
  remove(id: string, now: Date): Promise<boolean>;
  /** When those of the tenants were deleted that had the lease named with them, by lease. */
  findDeleted(
    tenants: readonly { readonly id: string; readonly lease: string }[],
  ): Promise<Map<string, Date>>;
  /**
   * Locks the tenant's row until the transaction ends, so that writes to one tenant queue; false when absent.
   */
  lock(id: string): Promise<boolean>;
  /** False when the user is a member already. */
  addMember(tenantId: string, userId: string): Promise<boolean>;
  /** False when the user is no member. */
  removeMember(tenantId: string, userId: string): Promise<boolean>;
  /** Gives the user's memberships other leases: what other services keep by the present ones has ended. */
  endLeases(userId: string): Promise<void>;
  isMember(tenantId: string, userId: string): Promise<boolean>;
  /** As `isMember`, and the membership stays until the transaction ends. */
  lockMember(tenantId: string, userId: string): Promise<boolean>;
  memberIds(tenantId: string): Promise<string[]>;
}
