import type { Policy } from '../policy/types.ts';
import type { ShadowCounts, ShadowExample } from '../model/shadow.ts';
import type { PolicyWrite } from './domain-store.ts';

/** A shadow set and what its checks came to. */
export interface ShadowSet {
  readonly version: number;
  readonly policies: readonly Policy[];
  readonly authorId: string;
  readonly writtenAt: Date;
  readonly message: string;
  readonly digest: string;
  /** The version of the domain that the counts compare with; null while nothing is counted. */
  readonly comparedVersion: number | null;
  readonly counts: ShadowCounts;
  /** The first of each kind, by check id. */
  readonly examples: readonly ShadowExample[];
}

/** What one replica counted of a shadow set since it last said so. */
export interface ShadowDelta {
  readonly domainId: string;
  readonly version: number;
  readonly comparedVersion: number;
  readonly counts: ShadowCounts;
  readonly examples: readonly ShadowExample[];
}

/** Shadow sets of domains. Errors: those of the database. */
export interface ShadowStore {
  /**
   * Replaces the domain's shadow set, its counts at 0, and returns its version, one more than that of the
   * last shadow set the domain had. The domain exists.
   */
  put(domainId: string, policies: readonly Policy[], write: PolicyWrite): Promise<number>;
  find(domainId: string): Promise<ShadowSet | null>;
  /** Removes the shadow set of that version, of any unless given, and says whether there was one. */
  remove(domainId: string, version?: number): Promise<boolean>;
}

/** What shadow sets counted. Errors: those of the database. */
export interface ShadowCountStore {
  /**
   * Adds counts and keeps the first `examplesMax` examples of each kind. Counts of another shadow set are
   * dropped, and so are those that compare with an older version of the domain than the ones there are; those
   * that compare with a newer one take their place. All of them are added or, on an error, none.
   */
  add(deltas: readonly ShadowDelta[], examplesMax: number): Promise<void>;
}
