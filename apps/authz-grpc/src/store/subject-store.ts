/** A subject that a search looks at. */
export interface KnownSubject {
  readonly id: string;
  /** Attributes within the tenant, without their prefix. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** Users and service accounts as subjects of checks. Errors: those of the database. */
export interface SubjectStore {
  /** The tenant's active users and service accounts behind the id `after`, sorted by id. */
  listActive(tenantId: string, after: string | null, limit: number): Promise<KnownSubject[]>;
  /** Those of the ids that are users or service accounts, whatever their tenant; `isMember` of this one. */
  findKnown(
    tenantId: string,
    ids: readonly string[],
  ): Promise<(KnownSubject & { readonly active: boolean; readonly isMember: boolean })[]>;
}
