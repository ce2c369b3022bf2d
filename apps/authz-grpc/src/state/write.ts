import type { Database, Sql } from '@platform/database';
import type { Gate, PendingMark } from '../gate/gate.ts';
import type { EntityKey } from './entities.ts';

/** Names the entities a write changes. Call it after the statement that locks their rows. */
export type Touch = (...keys: readonly EntityKey[]) => void;

/** Runs `work` in one transaction; see `createWrite`. */
export type Write = <T>(work: (sql: Sql, touch: Touch) => Promise<T>) => Promise<T>;

/**
 * The only way entities change: the touched ones are pending at the gate from before the commit until after it, so when
 * the write returns no replica answers by their old state any more. Should this process die in between, the pending
 * marks run out and the replicas read the store.
 */
export function createWrite(database: Database, gate: Gate): Write {
  return async (work) => {
    const touched = new Set<EntityKey>();
    let mark: PendingMark | undefined;
    try {
      return await database.transaction(async (sql) => {
        const result = await work(sql, (...keys) => keys.forEach((key) => touched.add(key)));
        if (touched.size > 0) mark = await gate.pend([...touched]);
        return result;
      });
    } finally {
      if (mark !== undefined) await gate.settle(mark);
    }
  };
}
