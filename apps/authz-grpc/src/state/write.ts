import type { LimitStore, Invalidation } from '../limits/limit-store.ts';
import type { Stores, Transaction } from '../store/stores.ts';
import type { EntityKey } from '../model/entities.ts';

/** Names the entities a write changes. Call it after the statement that locks their rows. */
export type Touch = (...keys: readonly EntityKey[]) => void;

/** Runs `work` in one transaction; see `createWrite`. */
export type Write = <T>(work: WriteWork<T>) => Promise<T>;

/** What is done in the transaction. */
export type WriteWork<T> = (stores: Stores, touch: Touch) => Promise<T>;

/** Attempts of a write before its conflict is reported to the caller. */
const TRIES_MAX = 5;

/**
 * SQLSTATEs, and Prisma's code, of a write that another one overtook, after which nothing of it is left and
 * it can be made again: a deadlock, and a foreign key whose row was there when the write looked and is gone
 * now, which the next try sees.
 */
const OVERTAKEN: ReadonlySet<unknown> = new Set(['40P01', '23503', 'P2034']);

/**
 * The only way entities change: the touched ones are pending at the limit store from before the commit
 * until after it, so when the write returns no replica decides by their old state any more. Should this
 * process die in between, the pending marks run out and the replicas read the store. `work` runs again
 * when other writes overtake it.
 */
export function createWrite(transaction: Transaction, limits: LimitStore): Write {
  async function attempt<T>(work: (stores: Stores, touch: Touch) => Promise<T>): Promise<T> {
    const touched = new Set<EntityKey>();
    let mark: Invalidation | undefined;
    try {
      return await transaction(async (stores) => {
        const result = await work(stores, (...keys) => keys.forEach((key) => touched.add(key)));
        if (touched.size > 0) mark = await limits.beginInvalidation([...touched]);
        return result;
      });
    } finally {
      if (mark !== undefined) await limits.commitInvalidation(mark);
    }
  }

  return async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(work);
      } catch (error) {
        if (tries === TRIES_MAX || !OVERTAKEN.has((error as { code?: unknown }).code)) throw error;
      }
    }
  };
}
