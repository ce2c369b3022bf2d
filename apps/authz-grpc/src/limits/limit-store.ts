import type { QuotaUsage } from '../model/quota.ts';

/**
 * Limits and cache versions, which every call asks for admission: in one atomic step the store compares
 * what the decision was made on with the state of the whole fleet, and takes the caller's rate and the
 * quotas that the call uses up. Only `acquired` takes anything; every other result leaves rates and
 * quotas as they were.
 *
 * Versions are how a write on one replica ends the cached state on all of them. Every entity (credential,
 * user, tenant, domain, quota epoch) has one opaque version. A replica caches an entity's state under the
 * version it was loaded under and passes that version in `expectVersions`; a writer replaces the version
 * before it returns (`beginInvalidation` before the commit, `commitInvalidation` after it). So a call
 * that is admitted was decided on states that were all current at that instant.
 */
export interface LimitStore {
  /** Errors: those of the transport, when the limit store cannot be reached. */
  tryAcquire(request: AcquireRequest): Promise<AcquireResult>;
  /**
   * Marks entities as being written. Call with their rows locked, right before the commit. Until
   * `commitInvalidation`, or `pendingMs` later should the writer die, their version is a pending one:
   * replicas read the store each time.
   */
  beginInvalidation(keys: readonly string[]): Promise<Invalidation>;
  /** Gives the entities fresh versions, after the commit or the rollback. */
  commitInvalidation(mark: Invalidation): Promise<void>;
  /** Starts a counter from the store's figure; does nothing if the counter is there already. */
  seed(key: string, usage: QuotaUsage): Promise<void>;
  /** Calls taken per counter, null for a counter that is not there. */
  usage(keys: readonly string[]): Promise<(QuotaUsage | null)[]>;
  /** Whether this replica counts alone because the shared limit store is unavailable. */
  isUnavailable(): boolean;
  close(): Promise<void>;
}

export interface AcquireRequest {
  /** Id of the tenant or user whose call it is, if known: a store in parts admits it in one of them. */
  readonly home?: string | undefined;
  /** Entity key and the version its state was loaded under; an empty version asks for the current one. */
  readonly expectVersions: readonly (readonly [key: string, version: string])[];
  /** All rates are of one owner. */
  readonly rates: readonly RateLimit[];
  readonly quotas: readonly QuotaTake[];
}

/** At most `limit` calls in any instant and `limit` per `windowMs` sustained (GCRA). */
export interface RateLimit {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface QuotaTake {
  readonly key: string;
  /** Calls to take, all or none; 0 takes nothing, and is refused where not one is left. */
  readonly calls: number;
  /**
   * Refresh cycle; a counter of an earlier one starts from zero, one of a later one keeps its count: the call
   * read its states before a refresh that has come by now.
   */
  readonly epoch: number;
  /** max_tokens + max_overage. */
  readonly capacity: number;
}

export type AcquireResult =
  | { readonly kind: 'acquired' }
  /** Entities whose version is not the one seen, with the version of now. */
  | { readonly kind: 'stale'; readonly versions: ReadonlyMap<string, string> }
  /** Counters to `seed` before the call can be admitted. */
  | { readonly kind: 'uninitialized'; readonly keys: readonly string[] }
  | { readonly kind: 'rate_limited'; readonly key: string; readonly retryAfterMs: number }
  | { readonly kind: 'quota_exhausted'; readonly key: string };

export interface Invalidation {
  readonly keys: readonly string[];
  readonly version: string;
}

/** A writer that died leaves its mark this long; transactions end well before it. */
export const PENDING_MS = 15_000;

/** Versions that nobody asks for expire; the next call makes a fresh one and reads the store. */
export const VERSION_TTL_MS = 24 * 3_600_000;

/** Counters that nobody uses expire; the next call seeds them from the store. */
export const COUNTER_TTL_MS = 7 * 24 * 3_600_000;

const PENDING_PREFIX = 'p:';

/** Whether the state loaded under this version may be used once but not kept. */
export function isPending(version: string): boolean {
  return version.startsWith(PENDING_PREFIX);
}

/** Versions that no other process makes, given that `origin` is this process's own. */
export function createVersionSource(origin: string): { fresh(): string; pending(): string } {
  let count = 0;
  return {
    fresh: () => `${origin}:${(count += 1).toString(36)}`,
    pending: () => `${PENDING_PREFIX}${origin}:${(count += 1).toString(36)}`,
  };
}
