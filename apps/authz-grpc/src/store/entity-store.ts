import type { Policy } from '../policy/types.ts';
import type { Entities, EntityKey, EntityKind } from '../model/entities.ts';

/** What decisions are made of. Errors: those of the database. */
export interface EntityStore {
  /**
   * The entity as it is now, whole, of one moment. The id in the key is a UUID, which the caller has checked.
   */
  load(key: EntityKey): Promise<Entities[EntityKind]>;
  /** A domain's policies with their version; null when there is no such domain. */
  loadPolicies(domainId: string): Promise<{ readonly version: number; readonly policies: Policy[] } | null>;
  /** A domain's shadow set with its version; null when there is none. */
  loadShadow(domainId: string): Promise<{ readonly version: number; readonly policies: Policy[] } | null>;
}
