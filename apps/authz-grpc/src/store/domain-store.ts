import type { Slice } from '../pages.ts';
import type { Policy } from '../policy/types.ts';

export interface DomainRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly isRoot: boolean;
  readonly active: boolean;
  readonly version: number;
  /** Does not inherit the policies of the tenant's root domain. */
  readonly detached: boolean;
  readonly createdAt: Date;
  /** In the order they were named. */
  readonly superiorIds: readonly string[];
}

export interface DomainWithPolicies extends DomainRow {
  readonly policies: readonly Policy[];
}

export type DomainSelector = { readonly id: string } | { readonly name: string };

/** Domains of tenants, their policies and their superiors. Errors: those of the database. */
export interface DomainStore {
  /** Throws NAME_TAKEN. */
  insert(
    domain: Pick<DomainRow, 'id' | 'tenantId' | 'name' | 'isRoot' | 'detached' | 'createdAt'> & {
      readonly policies: readonly Policy[];
    },
  ): Promise<void>;
  /** A domain of the tenant; null when it is absent or another tenant's. */
  find(tenantId: string, selector: DomainSelector): Promise<DomainWithPolicies | null>;
  /** Whether the tenant has the domain. */
  exists(tenantId: string, id: string): Promise<boolean>;
  /** As `find` by id, and the domain's row is locked until the transaction ends. */
  findLocked(tenantId: string, id: string): Promise<DomainWithPolicies | null>;
  /** The tenant's domains, oldest first, without policies; the key of a slice is that of a `Place`. */
  list(tenantId: string, slice?: Slice): Promise<DomainRow[]>;
  /** Throws NAME_TAKEN. */
  update(domain: Pick<DomainRow, 'id' | 'name' | 'active' | 'detached'>): Promise<void>;
  /** Keeps the set there was as one of the past, and returns the version after the write. */
  replacePolicies(id: string, policies: readonly Policy[], now: Date): Promise<number>;
  /** The policies that the domain had at a version, also of one that was removed; null when they are gone. */
  policiesAt(id: string, version: number): Promise<readonly Policy[] | null>;
  /** Removes sets of the past that ended before. */
  removePast(before: Date): Promise<void>;
  replaceSuperiors(id: string, superiorIds: readonly string[]): Promise<void>;
  /** Whether a domain names this one as its superior. */
  hasSubordinates(id: string): Promise<boolean>;
  /** Keeps its policies as a set of the past. */
  remove(id: string, now: Date): Promise<void>;
}
