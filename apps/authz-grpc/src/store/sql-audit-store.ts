import type { Database, Sql } from '@platform/database';
import { chainHash, GENESIS, sizeOf, type AuditEvent } from '../model/audit-event.ts';
import { runInTimeSlices } from '../time-slices.ts';
import type { AuditStore } from './audit-store.ts';
import { AuditColumns } from './sql-audit-columns.ts';

/** SQLSTATE of a deadlock, after which nothing of the transaction is left. */
const DEADLOCK = '40P01';
/**
 * Times a transaction is begun that deadlocks: INSERT moves its heads in whatever order the database finds
 * them.
 */
const TRIES_MAX = 5;

/** Characters of the rows of a statement, which the driver makes bytes of in one go. */
const STATEMENT_SIZE_MAX = 2 * 1024 * 1024;

/** Head of a tenant's chain. */
interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * One statement inserts the rows and moves the heads of their chains, if the heads are still where this
 * replica left them. When another replica moved one, the heads are locked, read and tried again, so a chain
 * never forks. Rows that are long together are inserted by several statements of one transaction, and made
 * ready in time slices. SQL, because Prisma has no statement that inserts rows only where other rows are as
 * they were.
 */
export function createAuditStore(database: Database): AuditStore {
  const heads = new Map<string, Head>();

  async function append(events: readonly AuditEvent[]): Promise<void> {
    if (!database.isDistributed) return appendTogether(events);
    // Tenants lie on different nodes: a statement for all of them would be one transaction over the nodes.
    const byTenant = new Map<string, AuditEvent[]>();
    for (const event of events)
      byTenant.set(event.tenantId, [...(byTenant.get(event.tenantId) ?? []), event]);
    const ended = await Promise.allSettled([...byTenant.values()].map(appendTogether));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async function appendTogether(events: readonly AuditEvent[]): Promise<void> {
    const tenants = [...new Set(events.map(({ tenantId }) => tenantId))];
    const isShort = events.reduce((sum, event) => sum + sizeOf(event), 0) <= STATEMENT_SIZE_MAX;
    const isKnown = isShort && tenants.every((tenant) => heads.has(tenant));
    if (isKnown && (await tryAppend(database, events, tenants))) return;
    for (let tries = 1; ; tries += 1) {
      try {
        return await appendLocked(events, tenants);
      } catch (error) {
        // What the transaction moved them to may not be theirs.
        for (const tenant of tenants) heads.delete(tenant);
        if (tries === TRIES_MAX || (error as { code?: unknown }).code !== DEADLOCK) throw error;
      }
    }
  }

  function appendLocked(events: readonly AuditEvent[], tenants: readonly string[]): Promise<void> {
    return database.transaction(async (sql) => {
      // Reads the table first: everything that locks both table and heads locks them in this order, as
      // retention does.
      const fresh = await withoutStored(sql, events, tenants);
      await lockHeads(sql, tenants);
      for (const part of partsOf(fresh)) {
        if (!(await tryAppend(sql, part, [...new Set(part.map(({ tenantId }) => tenantId))])))
          throw new Error('the audit chain moved while it was locked');
      }
    });
  }

  async function tryAppend(
    sql: Sql,
    events: readonly AuditEvent[],
    tenants: readonly string[],
  ): Promise<boolean> {
    const next = new Map<string, Head>();
    const before = new Map(tenants.map((tenant) => [tenant, heads.get(tenant) as Head]));
    const columns = new AuditColumns();
    await runInTimeSlices(fill());
    try {
      await insert(sql, columns, tenants, before, next);
    } catch (error) {
      // A head has moved, or whether the rows were written is unknown: the heads are read again.
      for (const tenant of tenants) heads.delete(tenant);
      if (MOVED.has((error as { code?: unknown }).code)) return false;
      throw error;
    }
    for (const [tenant, head] of next) heads.set(tenant, head);
    return true;

    function* fill(): Generator<void, void> {
      for (const event of events) {
        const head = next.get(event.tenantId) ?? before.get(event.tenantId)!;
        const sequence = head.sequence + 1;
        const hash = chainHash(head.hash, sequence, event);
        next.set(event.tenantId, { sequence, hash });
        columns.add(event, sequence, hash);
        yield;
      }
    }
  }

  async function lockHeads(sql: Sql, tenants: readonly string[]): Promise<void> {
    const ids = [[...tenants].sort()];
    await sql.query(
      `INSERT INTO audit_chains (tenant_id, sequence, hash, anchor_hash)
       SELECT id, 0, '\\x${GENESIS}', '\\x${GENESIS}' FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING`,
      ids,
    );
    const { rows } = await sql.query<{ tenant_id: string; sequence: number; hash: string }>(
      `SELECT tenant_id, sequence, encode(hash, 'hex') AS hash FROM audit_chains
       WHERE tenant_id = ANY($1::uuid[]) ORDER BY tenant_id FOR UPDATE`,
      ids,
    );
    for (const row of rows) heads.set(row.tenant_id, { sequence: row.sequence, hash: row.hash });
  }

  return { append };
}

/** The events in parts of one statement each. */
function* partsOf(events: readonly AuditEvent[]): Generator<readonly AuditEvent[]> {
  let [from, size] = [0, 0];
  for (const [index, event] of events.entries()) {
    size += sizeOf(event);
    if (index > from && size > STATEMENT_SIZE_MAX) {
      yield events.slice(from, index);
      [from, size] = [index, sizeOf(event)];
    }
  }
  if (from < events.length) yield events.slice(from);
}

/** Events without those that an earlier try stored. */
async function withoutStored(
  sql: Sql,
  events: readonly AuditEvent[],
  tenants: readonly string[],
): Promise<readonly AuditEvent[]> {
  const times = events.map(({ time }) => time);
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM audit_events WHERE id = ANY($1::uuid[]) AND time BETWEEN $2 AND $3
       AND tenant_id = ANY($4::uuid[])`,
    [events.map(({ id }) => id), new Date(Math.min(...times)), new Date(Math.max(...times)), tenants],
  );
  const stored = new Set(rows.map(({ id }) => id));
  return stored.size === 0 ? events : events.filter(({ id }) => !stored.has(id));
}

const INSERT = `
WITH moved AS (
  UPDATE audit_chains c SET sequence = n.next_sequence, hash = decode(n.next_hash, 'hex')
  FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::text[]) AS n(tenant_id, sequence, next_sequence, next_hash)
  WHERE c.tenant_id = n.tenant_id AND c.sequence = n.sequence /*+ AND c.tenant_id = ($1::uuid[])[1] +*/
  RETURNING 1
)
INSERT INTO audit_events (id, time, tenant_id, sequence, domain_id, subject, action, object, decision, matched_policy,
                          caller_id, latency_micros, policy_version, hash, outcome, operation, detail)
SELECT e.id, to_timestamp(e.time::float8 / 1000), e.tenant_id, e.sequence, e.domain_id, e.subject, e.action, e.object,
       e.decision, e.matched_policy, e.caller_id, e.latency_micros, e.policy_version, decode(e.hash, 'hex'),
       e.outcome, e.operation, e.detail
FROM (SELECT unnest($5::uuid[]) AS id, unnest($6::int8[]) AS time, unnest($7::uuid[]) AS tenant_id,
             unnest($8::int8[]) AS sequence, unnest($9::uuid[]) AS domain_id, unnest($10::text[]) AS subject,
             unnest($11::text[]) AS action, unnest($12::text[]) AS object, unnest($13::bool[]) AS decision,
             unnest($14::text[]) AS matched_policy, unnest($15::uuid[]) AS caller_id,
             unnest($16::int8[]) AS latency_micros, unnest($17::int8[]) AS policy_version, unnest($18::text[]) AS hash,
             unnest($19::text[]) AS outcome, unnest($20::text[]) AS operation, unnest($21::text[]) AS detail) e
WHERE 1 / ((SELECT count(*) FROM moved) = cardinality($1::uuid[]))::int = 1`;

/**
 * SQLSTATEs by which INSERT says that a head was not where it was left: its own division by zero, which
 * undoes the other heads, and a deadlock with another replica that moves the same heads in another order.
 */
const MOVED: ReadonlySet<unknown> = new Set(['22012', DEADLOCK]);

/** Inserts all rows and moves all heads, or does neither. */
function insert(
  sql: Sql,
  columns: AuditColumns,
  tenants: readonly string[],
  before: ReadonlyMap<string, Head>,
  after: ReadonlyMap<string, Head>,
) {
  return sql.query(
    INSERT,
    [
      tenants,
      tenants.map((tenant) => (before.get(tenant) as Head).sequence),
      tenants.map((tenant) => (after.get(tenant) as Head).sequence),
      tenants.map((tenant) => (after.get(tenant) as Head).hash),
      ...columns.literals(),
    ],
    'audit append',
  );
}
