import type { Sql } from '@platform/database';
import { GENESIS, LOGIN_OPERATIONS, type AuditKind, type ChainedEvent } from '../model/audit-event.ts';
import { LISTED_OF_BEFORE } from '../model/search-row.ts';
import { SAME_DETAIL } from '../model/packed-checks.ts';
import { isStorable } from '../text.ts';
import type { AuditFilter, AuditReader, Chain, ChainPlace } from './audit-store.ts';

interface Row {
  id: string;
  time: Date;
  tenant_id: string;
  sequence: number;
  domain_id: string;
  subject: string;
  action: string;
  object: string;
  decision: boolean;
  matched_policy: string;
  caller_id: string;
  latency_micros: number;
  policy_version: number;
  hash: string;
  outcome: string | null;
  operation: string | null;
  detail: string | null;
}

const COLUMNS = `id, time, tenant_id, sequence, domain_id, subject, action, object, decision, matched_policy, caller_id,
  latency_micros, policy_version, encode(hash, 'hex') AS hash, outcome, operation, detail`;

function eventOf(row: Row): ChainedEvent {
  return {
    id: row.id,
    time: row.time.getTime(),
    tenantId: row.tenant_id,
    sequence: row.sequence,
    domainId: row.domain_id,
    subject: row.subject,
    action: row.action,
    object: row.object,
    decision: row.decision,
    matchedPolicy: row.matched_policy,
    callerId: row.caller_id,
    latencyMicros: row.latency_micros,
    policyVersion: row.policy_version,
    hash: row.hash,
    outcome: row.outcome ?? '',
    operation: row.operation ?? '',
    detail: row.detail ?? '',
  };
}

/**
 * Audit rows as they are stored. SQL, because hashes are encoded and pages bounded in the statement that
 * reads them.
 */
export function createAuditReader(sql: Sql): AuditReader {
  return {
    find: (filter) => findAuditEvents(sql, filter),
    async event(tenantId, id) {
      const time = timeOf(id);
      const { rows } = await sql.query<Row>(
        `SELECT ${COLUMNS} FROM audit_events WHERE id = $1 AND tenant_id = $2 AND time BETWEEN $3 AND $4`,
        [id, tenantId, new Date(time - ID_AHEAD_MS), new Date(time + ID_AHEAD_MS)],
      );
      return rows[0] === undefined ? null : eventOf(rows[0]);
    },
    chain: (tenantId) => findChain(sql, tenantId),
    async rows(tenantId, { after, upTo, limit }) {
      const { rows } = await sql.query<Row>(
        `SELECT ${COLUMNS} FROM audit_events WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3
         ORDER BY sequence LIMIT $4`,
        [tenantId, after, upTo, limit],
      );
      return rows.map(eventOf);
    },
    async decided({ tenantId, except, after, before, beforeSequence, limit }) {
      const place = [tenantId, except, after, before, beforeSequence ?? Number.MAX_SAFE_INTEGER, limit];
      const { rows: short } = await sql.query<PackedRow>(DECIDED_SHORT, [...place, DETAIL_BYTES_MAX]);
      const { rows: long } = short[0]?.has_long
        ? await sql.query<PackedRow>(DECIDED_LONG, [...place, DECIDED_CHARACTERS_MAX])
        : { rows: short };
      const [row] = long;
      if (row === undefined || row.subjects === null) return null;
      const { subjects, actions, objects, details, rows, sequence, time } = row;
      return {
        checks: { subjects, actions, objects, details },
        rows,
        sequence,
        time,
      };
    },
    async tenantIds() {
      const { rows } = await sql.query<{ tenant_id: string }>(
        'SELECT tenant_id FROM audit_chains ORDER BY tenant_id',
      );
      return rows.map((row) => row.tenant_id);
    },
  };
}

/** A slice of checks as `packed` returns it. */
interface PackedRow {
  readonly subjects: string | null;
  readonly actions: string;
  readonly objects: string;
  readonly details: string;
  readonly rows: number;
  readonly sequence: number;
  readonly time: Date;
  readonly has_long?: boolean;
}

/** Bytes of a detail up to which a slice needs no count of them. */
const DETAIL_BYTES_MAX = 400;
/** Characters of the details of one slice, beyond its first row. */
const DECIDED_CHARACTERS_MAX = 8 * 1024 * 1024;

/**
 * Decided checks in the order of their index: a sort would cost more than all the rest. Plans and searches
 * that listed nothing are none; items that searches listed are.
 */
const DECIDED = `SELECT sequence, time, subject, action, object, detail FROM audit_events
  WHERE tenant_id = $1 AND NOT domain_id = ANY($2::uuid[]) AND time > $3 AND time < $4 AND sequence < $5
    AND operation IS NULL AND outcome IS NULL AND (detail IS NULL OR detail NOT LIKE '{"search":%'
      OR decision AND detail IN (${LISTED_OF_BEFORE.map((detail) => `'${detail}'`).join(', ')}))
  ORDER BY sequence DESC LIMIT $6`;

/**
 * Each column of a slice as one text, as `PackedChecks` says, so that the thread that takes requests reads no
 * rows. Building JSON costs Postgres three times as much.
 */
function packed(slice: string, details: string, more = ''): string {
  const joined = (value: string, name: string) => `string_agg(${value}, E'\\x01\\x01') AS ${name}`;
  const escaped = (name: string) => joined(`replace(${name}, E'\\x01', E'\\x01\\x02')`, `${name}s`);
  return `SELECT ${escaped('subject')}, ${escaped('action')}, ${escaped('object')}, ${joined(details, 'details')},
    count(*) AS rows, min(sequence) AS sequence, min(time) AS time${more} FROM (${slice}) slice`;
}

/**
 * A slice, if all details are short, as nearly all are; else only that it has a long one. A detail that is
 * that of the row before is not sent again: details are half of all characters.
 */
const DECIDED_SHORT = packed(
  `SELECT sequence, time, subject, action, object,
    CASE WHEN detail = lag(detail) OVER () THEN '${SAME_DETAIL}' ELSE detail END AS detail FROM (${DECIDED}) rows`,
  `CASE WHEN octet_length(detail) <= $7 THEN detail ELSE '' END`,
  ', bool_or(octet_length(detail) > $7) AS has_long',
);

/** A slice up to so many characters of details. Counting them costs as much as all the rest. */
const DECIDED_LONG = packed(
  `SELECT * FROM (
    SELECT *, sum(length(detail)) OVER (ORDER BY sequence DESC ROWS UNBOUNDED PRECEDING) - length(detail)
      AS characters
    FROM (${DECIDED}) rows) counted
  WHERE characters IS NULL OR characters < $7`,
  `coalesce(detail, '')`,
);

/** How far the time of a row may be from the one in its id: the clock may have been put right between. */
const ID_AHEAD_MS = 3_600_000;

/** Milliseconds since 1970 in a UUIDv7 (RFC 9562 §5.7); only the parts of those days are searched for it. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

const LOGINS = LOGIN_OPERATIONS.map((name) => `'${name}'`).join(', ');
const OF_KIND: Readonly<Record<AuditKind, string>> = {
  check: 'operation IS NULL',
  change: `operation NOT IN (${LOGINS})`,
  login: `operation IN (${LOGINS})`,
};

async function findAuditEvents(sql: Sql, filter: AuditFilter): Promise<ChainedEvent[]> {
  const { subject = '', action = '', operation = '' } = filter;
  if (![subject, action, operation].every(isStorable)) return [];
  const values: unknown[] = [filter.tenantId];
  const conditions = ['tenant_id = $1'];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  add('domain_id = ?', filter.domainId);
  add('subject = ?', filter.subject);
  add('action = ?', filter.action);
  add('decision = ?', filter.decision);
  add('time > ?', filter.after);
  add('time < ?', filter.before);
  add('sequence < ?', filter.beforeSequence);
  add('operation = ?', filter.operation);
  if (filter.refused !== undefined) conditions.push(`outcome IS ${filter.refused ? 'NOT ' : ''}NULL`);
  if (filter.kind !== undefined) conditions.push(OF_KIND[filter.kind]);
  values.push(filter.limit);
  const { rows } = await sql.query<Row>(
    `SELECT ${COLUMNS} FROM audit_events WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT $${values.length}`,
    values,
  );
  return rows.map(eventOf);
}

const NO_ROW: ChainPlace = { sequence: 0, hash: GENESIS };

async function findChain(sql: Sql, tenantId: string): Promise<Chain> {
  const { rows } = await sql.query<{
    sequence: number;
    hash: string;
    anchor_sequence: number;
    anchor_hash: string;
  }>(
    `SELECT sequence, encode(hash, 'hex') AS hash, anchor_sequence, encode(anchor_hash, 'hex') AS anchor_hash
     FROM audit_chains WHERE tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined) return { head: NO_ROW, anchor: NO_ROW };
  return {
    head: { sequence: row.sequence, hash: row.hash },
    anchor: { sequence: row.anchor_sequence, hash: row.anchor_hash },
  };
}
