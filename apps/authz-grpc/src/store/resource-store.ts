import type { Resource } from '../model/resource.ts';
import type { Range } from '../policy/ranges.ts';

/** The resources that searches look through. Errors: those of the database. */
export interface ResourceStore {
  /**
   * Adds resources of a domain of the tenant, each object once, or gives them these attributes. False when
   * there is no such domain.
   */
  put(tenantId: string, domainId: string, resources: readonly Resource[]): Promise<boolean>;
  /** Returns how many of the objects were there. */
  remove(domainId: string, objects: readonly string[]): Promise<number>;
  /**
   * The first `limit` resources of the domain in the ranges, by the code points of their objects. The ranges
   * are of objects of the domain, in order and apart.
   */
  list(domainId: string, ranges: readonly Range[], limit: number): Promise<Resource[]>;
  hasAny(domainId: string): Promise<boolean>;
}
