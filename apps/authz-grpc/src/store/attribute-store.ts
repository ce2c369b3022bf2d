/** Attributes of users within tenants. Errors: those of the database. */
export interface AttributeStore {
  /** Adds values to a key; values that are there already stay once. */
  add(tenantId: string, userId: string, key: string, values: readonly string[]): Promise<void>;
  /** Removes the values of a key, or all of its values when none are given. */
  removeValues(tenantId: string, userId: string, key: string, values: readonly string[]): Promise<void>;
  /** Removes all attributes of the user within the tenant. */
  clear(tenantId: string, userId: string): Promise<void>;
  /** Key → values, both sorted. */
  list(tenantId: string, userId: string): Promise<Map<string, string[]>>;
  count(tenantId: string, userId: string): Promise<{ readonly keys: number; readonly values: number }>;
}
