import type { QuotaUsage } from '../model/quota.ts';

/**
 * The one gate every call passes: in one atomic step it holds what the decision was made on against the state
 * of the whole fleet, the caller's rate, and the quotas it uses up. Only `entered` takes anything; every
 * other reply leaves rates and quotas as they were.
 *
 * Stamps are how a write on one replica ends the old state on all of them. Every entity (credential, user,
 * tenant, domain, quota epoch) has one opaque stamp. A replica keeps an entity's state under the stamp it was
 * loaded under and passes that stamp as `seen`; a writer replaces the stamp before it returns (`pend` before
 * the commit, `settle` after it). So a call that enters was decided on states that were all current at that
 * instant.
 */
export interface Gate {
  /** Errors: those of the transport, when the gate cannot be reached. */
  enter(request: GateRequest): Promise<GateReply>;
  /**
   * Marks entities as being written. Call with their rows locked, right before the commit. Until `settle`, or
   * `pendingMs` later should the writer die, their stamp is a pending one: replicas read the store each time.
   */
  pend(keys: readonly string[]): Promise<PendingMark>;
  /** Gives the entities fresh stamps, after the commit or the rollback. */
  settle(mark: PendingMark): Promise<void>;
  /** Starts a counter from the store's figure; does nothing if the counter is there already. */
  seed(key: string, usage: QuotaUsage): Promise<void>;
  /** Calls taken per counter, null for a counter that is not there. */
  usage(keys: readonly string[]): Promise<(QuotaUsage | null)[]>;
  /** Whether this replica counts alone because the shared gate is unavailable. */
  isAway(): boolean;
  close(): Promise<void>;
}

export interface GateRequest {
  /** Entity key and the stamp its state was loaded under; an empty stamp asks for the current one. */
  readonly seen: readonly (readonly [key: string, stamp: string])[];
  readonly rates: readonly RateLimit[];
  readonly takes: readonly QuotaTake[];
}

/** At most `limit` calls in any instant and `limit` per `windowMs` sustained (GCRA). */
export interface RateLimit {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface QuotaTake {
  readonly key: string;
  /** Calls to take, ≥ 1; all or none are taken. */
  readonly calls: number;
  /**
   * Refresh cycle; a counter of an earlier one starts from zero, one of a later one goes on: the call read
   * its states before a refresh that has come by now.
   */
  readonly epoch: number;
  /** max_tokens + max_overage. */
  readonly capacity: number;
}

export type GateReply =
  | { readonly kind: 'entered' }
  /** Entities whose stamp is not the one seen, with the stamp of now. */
  | { readonly kind: 'stale'; readonly stamps: ReadonlyMap<string, string> }
  /** Counters to `seed` before the call can enter. */
  | { readonly kind: 'unseeded'; readonly keys: readonly string[] }
  | { readonly kind: 'rate_limited'; readonly key: string; readonly retryAfterMs: number }
  | { readonly kind: 'quota_exhausted'; readonly key: string };

export interface PendingMark {
  readonly keys: readonly string[];
  readonly stamp: string;
}

/** A writer that died leaves its mark this long; transactions end well before it. */
export const PENDING_MS = 15_000;

/** Stamps nobody asks for any more go away; the next call makes a fresh one and reads the store. */
export const STAMP_TTL_MS = 24 * 3_600_000;

/** Counters nobody uses go away; they are seeded from the store again. */
export const COUNTER_TTL_MS = 7 * 24 * 3_600_000;

const PENDING_PREFIX = 'p:';

/** Whether the state loaded under this stamp may be used once but not kept. */
export function isPending(stamp: string): boolean {
  return stamp.startsWith(PENDING_PREFIX);
}

/** Stamps that no other process makes, given that `origin` is this process's own. */
export function createStampSource(origin: string): { fresh(): string; pending(): string } {
  let count = 0;
  return {
    fresh: () => `${origin}:${(count += 1).toString(36)}`,
    pending: () => `${PENDING_PREFIX}${origin}:${(count += 1).toString(36)}`,
  };
}
