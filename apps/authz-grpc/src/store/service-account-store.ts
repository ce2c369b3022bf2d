export interface ServiceAccountRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly createdAt: Date;
  /** The key the account was created with; empty when its record is gone. */
  readonly apiKeyId: string;
  readonly apiKeyExpiresAt: Date | null;
  /** Whether that key is revoked, expired or gone. */
  readonly apiKeyEnded: boolean;
}

/** Service accounts of tenants. `now` decides whether a key has expired. Errors: those of the database. */
export interface ServiceAccountStore {
  /** Throws NAME_TAKEN. */
  insert(
    account: Pick<ServiceAccountRow, 'id' | 'tenantId' | 'name' | 'description' | 'createdAt'>,
  ): Promise<void>;
  find(id: string, now: Date): Promise<ServiceAccountRow | null>;
  /** The tenant's accounts sorted by name. */
  list(tenantId: string, activeOnly: boolean, now: Date): Promise<ServiceAccountRow[]>;
  ids(tenantId: string): Promise<string[]>;
  /** Undefined fields stay as they are. False when there is no such account. */
  update(
    id: string,
    change: { readonly description?: string | undefined; readonly active?: boolean | undefined },
  ): Promise<boolean>;
  /** False when there is no such account. */
  remove(id: string): Promise<boolean>;
}
