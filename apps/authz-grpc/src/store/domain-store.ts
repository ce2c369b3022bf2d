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

/** Who wrote a set of policies, when and why. */
export interface PolicyWrite {
  readonly at: Date;
  /** The user or service account. */
  readonly authorId: string;
  /** In the author's words; empty for none. */
  readonly message: string;
  /** Of the set, as `digestOfPolicies` has it. */
  readonly digest: string;
}

/** One set of policies that a domain has or had, and what is known of its being written. */
export interface PolicyVersion {
  /** Version of the domain that the write made; the set holds until the version before the next one. */
  readonly version: number;
  /** Null for a set of before sets had authors. */
  readonly authorId: string | null;
  readonly writtenAt: Date | null;
  readonly message: string;
  /** Empty for a set of before sets had digests. */
  readonly digest: string;
  readonly policyCount: number | null;
  /** When another set took its place; null for the one that decides. */
  readonly endedAt: Date | null;
}

export type DomainSelector = { readonly id: string } | { readonly name: string };

/** Domains of tenants, their policies and their superiors. Errors: those of the database. */
export interface DomainStore {
  /** Throws NAME_TAKEN. */
  insert(
    domain: Pick<DomainRow, 'id' | 'tenantId' | 'name' | 'isRoot' | 'detached' | 'createdAt'> & {
      readonly policies: readonly Policy[];
      readonly authorId?: string;
      readonly digest?: string;
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
  replacePolicies(id: string, policies: readonly Policy[], write: PolicyWrite): Promise<number>;
  /** The set that the domain had at a version, also of one that was removed; null when it is gone. */
  policiesAt(
    id: string,
    version: number,
  ): Promise<(PolicyVersion & { readonly policies: readonly Policy[] }) | null>;
  /** The sets that the domain has and had, newest first, at most `limit` with a smaller version. */
  listVersions(
    id: string,
    slice: { readonly before: number | null; readonly limit: number },
  ): Promise<PolicyVersion[]>;
  /**
   * Removes the domain's oldest sets of the past until the others count no more than `bytes`: each as what it
   * takes on disk, and as 64 KiB at least.
   */
  makeRoom(id: string, bytes: number): Promise<void>;
  /** Removes sets of the past that ended before. */
  removePast(before: Date): Promise<void>;
  replaceSuperiors(id: string, superiorIds: readonly string[]): Promise<void>;
  /** Whether a domain names this one as its superior. */
  hasSubordinates(id: string): Promise<boolean>;
  /** Keeps its policies as a set of the past. */
  remove(id: string, now: Date): Promise<void>;
}
