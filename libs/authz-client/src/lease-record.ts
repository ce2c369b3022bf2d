import type { LeaseRecord } from './leases.ts';

/** As much of a database as the record needs. */
interface Sql {
  query<Row>(text: string, values: readonly unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** Whether the lease of the row `l` was active when it was last recorded; true where there is no such row. */
export const LEASE_IS_ACTIVE = 'COALESCE(l.active, true)';

const RECORD = `INSERT INTO leases (owner, lease, active) VALUES ($1, $2, $3)
  ON CONFLICT (owner, lease) DO UPDATE SET active = EXCLUDED.active`;
const KNOWS_TENANT = 'SELECT FROM leases WHERE owner = $1 AND lease = $2 AND of_tenant';
const SAVE_TENANT = `INSERT INTO leases (owner, lease, of_tenant) VALUES ($1, $2, true) ON CONFLICT (owner, lease)
  DO UPDATE SET of_tenant = true WHERE NOT leases.of_tenant`;
const LIST_TENANTS = `SELECT owner, lease FROM leases WHERE of_tenant AND owner > $1 ORDER BY owner LIMIT $2`;

/** The record in the table `leases`, which every service that keeps leases has in its own database. */
export function createLeaseRecord(sql: Sql): LeaseRecord {
  return {
    async record(owner, lease, isActive) {
      await sql.query(RECORD, [owner, lease, isActive]);
    },
    async saveTenant(owner, lease) {
      // A database that takes no writes serves the tenants that it knows.
      if ((await sql.query(KNOWS_TENANT, [owner, lease])).rows.length > 0) return;
      await sql.query(SAVE_TENANT, [owner, lease]);
    },
    listTenants: async (after, limit) =>
      (await sql.query<{ owner: string; lease: string }>(LIST_TENANTS, [after, limit])).rows,
    async forget(owner) {
      await sql.query('DELETE FROM leases WHERE owner = $1', [owner]);
    },
  };
}
