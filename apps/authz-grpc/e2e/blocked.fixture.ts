import type { Database } from '@platform/database';

/**
 * Resolves once some statement waits for a lock that another transaction holds, or the call is over without.
 * `observer` is a connection of its own to the Postgres database that the call works on.
 */
export async function untilBlocked(observer: Database, call: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => (isOver = true);
  call.then(over, over);
  for (;;) {
    const { rows } = await observer.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0 || isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
