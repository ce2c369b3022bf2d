import { LRUCache } from 'lru-cache';
import type { Authority, LeaseState } from './authority.ts';

/** A lease as a service keeps it with what it stores. */
export interface KnownLease {
  /** The tenant to which the lease belongs. */
  readonly owner: string;
  readonly lease: string;
  /** Whether it was active when it was last recorded; true for one that was never asked about. */
  readonly wasActive: boolean;
}

/** Whether what was stored for a subject or tenant of authz-grpc may still be served. */
export interface Leases {
  /**
   * True while the lease is active, as of at most five seconds ago. While authz-grpc is unavailable what was
   * last known of the lease holds. A state that cannot be recorded is heeded all the same.
   */
  isActive(known: KnownLease): Promise<boolean>;
}

/** What a service records of leases in its own database, under their tenant. */
export interface LeaseRecord {
  record(owner: string, lease: string, isActive: boolean): Promise<void>;
  /** Remembers the lease of a tenant whose data is stored here; writes nothing when it is remembered. */
  saveTenant(owner: string, lease: string): Promise<void>;
  /** Leases of tenants, sorted by tenant, at most `limit`, behind the tenant `after`. */
  listTenants(after: string, limit: number): Promise<{ readonly owner: string; readonly lease: string }[]>;
  /** Removes all leases of a tenant. */
  forget(owner: string): Promise<void>;
}

/** A state this old is served without asking again. Milliseconds. */
const FRESH_MS = 1_500;
/**
 * A state this old is served once more while it is refreshed in the background, so that frequent callers
 * never wait. Milliseconds.
 */
const STALE_MS = 4_000;
/** After a failure nobody waits for authz-grpc again for as long. Milliseconds. */
const RETRY_MS = 1_000;
/** Leases remembered, and asked about in one call. */
const KEPT_MAX = 50_000;
const BATCH_MAX = 100;

/**
 * States of leases as `ask` gives them, kept for a few seconds. Leases that are asked about together go in
 * one call. `now` is a monotonic clock in milliseconds.
 */
export function createLeases(options: {
  readonly ask: Authority['leaseStates'];
  readonly record: Pick<LeaseRecord, 'record'>;
  readonly now?: () => number;
}): Leases {
  const { ask, record, now = () => performance.now() } = options;
  const kept = new LRUCache<string, { readonly isActive: boolean; readonly askedAt: number }>({
    max: KEPT_MAX,
  });
  const running = new Map<string, Promise<boolean>>();
  let pausedUntil = -Infinity;
  let next: { readonly leases: string[]; readonly states: Promise<LeaseState[]> } | null = null;

  /** Joins the call that is about to leave, which holds all that came in one turn of the event loop. */
  async function stateOf(lease: string): Promise<LeaseState> {
    if (next === null || next.leases.length === BATCH_MAX) {
      const leases: string[] = [];
      const batch = {
        leases,
        states: new Promise((resolve) => setImmediate(resolve)).then(() => {
          if (next === batch) next = null;
          return ask(leases);
        }),
      };
      next = batch;
    }
    const { leases, states } = next;
    const index = leases.push(lease) - 1;
    return (await states)[index]!;
  }

  async function load({ owner, lease, wasActive }: KnownLease): Promise<boolean> {
    const askedAt = now();
    const { status } = await stateOf(lease).catch((error: unknown) => {
      pausedUntil = now() + RETRY_MS;
      throw error;
    });
    const isActive = status === 'active';
    kept.set(lease, { isActive, askedAt });
    if (isActive !== wasActive) await record.record(owner, lease, isActive);
    return isActive;
  }

  function loadOnce(known: KnownLease): Promise<boolean> {
    const { lease } = known;
    const loading = running.get(lease) ?? load(known).finally(() => running.delete(lease));
    running.set(lease, loading);
    return loading;
  }

  return {
    async isActive(known) {
      const held = kept.get(known.lease);
      const age = held === undefined ? Infinity : now() - held.askedAt;
      if (held !== undefined && age < FRESH_MS) return held.isActive;
      const isPaused = now() < pausedUntil;
      if (held !== undefined && age < STALE_MS) {
        if (!isPaused) loadOnce(known).catch(() => undefined);
        return held.isActive;
      }
      // Read anew after a failure: the state may have come, and only its record have failed.
      const lastKnown = () => (kept.get(known.lease)?.isActive ?? true) && known.wasActive;
      if (isPaused) return lastKnown();
      return loadOnce(known).catch(lastKnown);
    },
  };
}

/** Tenants whose leases a process has passed on; a tenant's lease never changes. */
const TENANTS_KNOWN_MAX = 50_000;

/**
 * Passes the lease of each tenant on to `save` before the tenant's first request is served. Errors: those of
 * `save`.
 */
export function rememberTenants(save: LeaseRecord['saveTenant']): LeaseRecord['saveTenant'] {
  const known = new LRUCache<string, true>({ max: TENANTS_KNOWN_MAX });
  return async (tenantId, lease) => {
    if (known.has(tenantId)) return;
    await save(tenantId, lease);
    known.set(tenantId, true);
  };
}

const DAY_MS = 24 * 3_600_000;

/**
 * Erases what is stored of tenants that were deleted more than `afterDays` days before `now`. Only a deletion
 * that authz-grpc has on record erases; a tenant that it does not know, because its database is another one,
 * keeps its data. Returns the tenants that were erased. Throws `unavailable`, and errors of `erase`.
 */
export async function eraseDeletedTenants(options: {
  readonly ask: Authority['leaseStates'];
  readonly record: Pick<LeaseRecord, 'listTenants' | 'forget'>;
  readonly erase: (owner: string) => Promise<void>;
  readonly now: Date;
  readonly afterDays: number;
}): Promise<string[]> {
  const { ask, record, erase, now, afterDays } = options;
  const erased: string[] = [];
  for (let after = ''; ;) {
    const tenants = await record.listTenants(after, BATCH_MAX);
    const last = tenants.at(-1);
    if (last === undefined) return erased;
    after = last.owner;
    const states = await ask(tenants.map(({ lease }) => lease));
    for (const [index, { owner }] of tenants.entries()) {
      const deletedAt = states[index]!.tenantDeletedAt;
      if (deletedAt === null || deletedAt.getTime() + afterDays * DAY_MS > now.getTime()) continue;
      await erase(owner);
      // Last: what an erasure that was cut off left behind is found again.
      await record.forget(owner);
      erased.push(owner);
    }
  }
}
