import type { Database } from '@platform/database';
import type { KeptByLease } from './kept-by-lease.ts';

/**
 * The rows of a table that end with a lease of their own, in the columns `lease` and `ended_at`.
 * `holders` is the part of a query behind FROM that joins the table `k` with the lease `l` of its tenant.
 * SQL, because the table is a parameter.
 */
export function sqlKeptByLease(database: Database, table: string, holders: string): KeptByLease {
  return {
    async listLeases(after, limit) {
      const { rows } = await database.query<{ lease: string; tenantLease: string }>(
        `SELECT DISTINCT k.lease, l.lease AS "tenantLease" FROM ${holders}
         WHERE k.lease > $1 ORDER BY k.lease LIMIT $2`,
        [after, limit],
      );
      return rows;
    },

    async markEnded(leases, endedAt) {
      await database.query(
        `UPDATE ${table} SET ended_at = $2
         WHERE lease = ANY($1::text[]) AND (ended_at IS NULL) = ($2::timestamptz IS NOT NULL)`,
        [leases, endedAt],
      );
    },

    async eraseEnded(before) {
      const { rowCount } = await database.query(`DELETE FROM ${table} WHERE ended_at < $1`, [before]);
      return rowCount;
    },
  };
}
