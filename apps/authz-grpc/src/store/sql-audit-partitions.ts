import type { Database } from '@platform/database';
import type { AuditPartitions } from './audit-store.ts';

const DAY_MS = 86_400_000;
/** Days that have their partition ahead of time. */
const DAYS_AHEAD = 3;

/** The partitions of `audit_events`. SQL, because Prisma neither creates nor drops tables while it serves. */
export function createAuditPartitions(database: Database): AuditPartitions {
  return {
    maintain: ({ now, retentionDays }) =>
      database.exclusively('authz audit partitions', async () => {
        const today = Math.floor(now / DAY_MS);
        for (let day = today; day <= today + DAYS_AHEAD; day += 1) await makePartition(database, day);
        return dropBefore(database, today - retentionDays);
      }),
  };
}

function nameOf(day: number): string {
  return `audit_events_${dateOf(day).replaceAll('-', '')}`;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

async function makePartition(database: Database, day: number): Promise<void> {
  const { rows } = await database.query('SELECT 1 FROM pg_class WHERE relname = $1', [nameOf(day)]);
  if (rows.length > 0) return;
  await database.transaction(async (sql) => {
    const [from, to] = [`${dateOf(day)} 00:00:00Z`, `${dateOf(day + 1)} 00:00:00Z`];
    // A service that was down at midnight has rows of the day in the default partition; they move.
    await sql.query('CREATE TEMPORARY TABLE audit_moving (LIKE audit_events) ON COMMIT DROP');
    await sql.query(
      `WITH gone AS (DELETE FROM audit_events_default WHERE time >= '${from}' AND time < '${to}' RETURNING *)
       INSERT INTO audit_moving SELECT * FROM gone`,
    );
    await sql.query(
      `CREATE TABLE "${nameOf(day)}" PARTITION OF audit_events FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    await sql.query('INSERT INTO audit_events SELECT * FROM audit_moving');
  });
}

async function dropBefore(database: Database, day: number): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relname = 'audit_events' AND c.relname ~ '^audit_events_[0-9]{8}$' AND c.relname < $1 ORDER BY c.relname`,
    [nameOf(day)],
  );
  for (const { name } of rows) {
    await database.transaction(async (sql) => {
      await sql.query(
        `CREATE TEMPORARY TABLE audit_leaving ON COMMIT DROP AS
         SELECT DISTINCT ON (tenant_id) tenant_id, sequence, hash FROM "${name}" ORDER BY tenant_id, sequence DESC`,
      );
      // Before the chains, as appends do: one that holds the table and waits for a chain would never let it
      // go.
      await sql.query('LOCK TABLE ONLY audit_events IN ACCESS EXCLUSIVE MODE');
      await sql.query(
        `UPDATE audit_chains c SET anchor_sequence = l.sequence, anchor_hash = l.hash
         FROM audit_leaving l WHERE l.tenant_id = c.tenant_id AND l.sequence > c.anchor_sequence`,
      );
      await sql.query(`DROP TABLE "${name}"`);
    });
  }
  return rows.map(({ name }) => name);
}
