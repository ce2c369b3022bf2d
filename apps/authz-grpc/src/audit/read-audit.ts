import type { Sql } from '@platform/database';
import { isStorable } from '../text.ts';
import { chainHash, GENESIS, type ChainedEvent } from './audit-event.ts';

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
}

const COLUMNS = `id, time, tenant_id, sequence, domain_id, subject, action, object, decision, matched_policy, caller_id,
  latency_micros, policy_version, encode(hash, 'hex') AS hash`;

function eventOf(row: Row): ChainedEvent {
  return {
    id: row.id,
    time: row.time.getTime(),
    tenantId: row.tenant_id,
    sequence: Number(row.sequence),
    domainId: row.domain_id,
    subject: row.subject,
    action: row.action,
    object: row.object,
    decision: row.decision,
    matchedPolicy: row.matched_policy,
    callerId: row.caller_id,
    latencyMicros: Number(row.latency_micros),
    policyVersion: Number(row.policy_version),
    hash: row.hash,
  };
}

/** Reads audit rows. Errors: those of the database. */
export interface AuditReader {
  /** The tenant's rows that pass the filter, newest first. */
  find(filter: AuditFilter): Promise<ChainedEvent[]>;
  /** Where the tenant's chain begins and ends. */
  chain(tenantId: string): ReturnType<typeof findChain>;
}

export function createAuditReader(sql: Sql): AuditReader {
  return {
    find: (filter) => findAuditEvents(sql, filter),
    chain: (tenantId) => findChain(sql, tenantId),
  };
}

export interface AuditFilter {
  readonly tenantId: string;
  readonly domainId?: string | undefined;
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly decision?: boolean | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  /** Only rows with a smaller sequence. */
  readonly beforeSequence?: number | undefined;
  readonly limit: number;
}

/** The tenant's rows that pass the filter, newest first. */
export async function findAuditEvents(sql: Sql, filter: AuditFilter): Promise<ChainedEvent[]> {
  if (![filter.subject ?? '', filter.action ?? ''].every(isStorable)) return [];
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
  values.push(filter.limit);
  const { rows } = await sql.query<Row>(
    `SELECT ${COLUMNS} FROM audit_events WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT $${values.length}`,
    values,
  );
  return rows.map(eventOf);
}

/** Ends of a tenant's chain: its newest row, and the row it begins behind, which retention may have taken. */
interface Chain {
  readonly head: ChainPlace;
  readonly anchor: ChainPlace;
}

export interface ChainPlace {
  readonly sequence: number;
  readonly hash: string;
}

const NO_ROW: ChainPlace = { sequence: 0, hash: GENESIS };

export async function findChain(sql: Sql, tenantId: string): Promise<Chain> {
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
    head: { sequence: Number(row.sequence), hash: row.hash },
    anchor: { sequence: Number(row.anchor_sequence), hash: row.anchor_hash },
  };
}

/** What a walk along one tenant's chain found. */
export interface ChainReport {
  readonly tenantId: string;
  /** Rows whose place and hash hold. */
  readonly rows: number;
  /** The first thing that does not hold; null when everything does. */
  readonly broken: {
    readonly sequence: number;
    readonly why: 'row missing' | 'row altered' | 'head differs';
  } | null;
}

const PAGE_ROWS = 5_000;

/**
 * Walks a tenant's chain from its anchor to its head, recomputing every hash. A row altered, removed or inserted, and
 * rows cut off at the end, all break it. Rows that arrive during the walk are not looked at.
 */
export async function verifyChain(sql: Sql, tenantId: string): Promise<ChainReport> {
  let chain = await findChain(sql, tenantId);
  for (;;) {
    const report = await walkChain(sql, tenantId, chain);
    if (report.broken === null) return report;
    const { sequence } = chain.anchor;
    chain = await findChain(sql, tenantId);
    // Rows that retention took during the walk are missed by nobody: it moved the anchor behind them.
    if (chain.anchor.sequence === sequence) return report;
  }
}

async function walkChain(sql: Sql, tenantId: string, { head, anchor }: Chain): Promise<ChainReport> {
  const last = head.sequence;
  const first = anchor.sequence;
  let sequence = first;
  let before = anchor.hash;
  const report = (broken: ChainReport['broken']): ChainReport => ({
    tenantId,
    rows: sequence - first,
    broken,
  });

  for (;;) {
    const { rows } = await sql.query<Row>(
      `SELECT ${COLUMNS} FROM audit_events WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3
       ORDER BY sequence LIMIT ${PAGE_ROWS}`,
      [tenantId, sequence, last],
    );
    for (const event of rows.map(eventOf)) {
      if (event.sequence !== sequence + 1) return report({ sequence: sequence + 1, why: 'row missing' });
      if (chainHash(before, event.sequence, event) !== event.hash) {
        return report({ sequence: event.sequence, why: 'row altered' });
      }
      sequence = event.sequence;
      before = event.hash;
    }
    if (rows.length < PAGE_ROWS) break;
  }
  if (sequence < last) return report({ sequence: sequence + 1, why: 'row missing' });
  return report(before === head.hash ? null : { sequence, why: 'head differs' });
}

/** Walks every tenant's chain, those of deleted tenants too. */
export async function* verifyAllChains(sql: Sql): AsyncGenerator<ChainReport> {
  const { rows } = await sql.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM audit_chains ORDER BY tenant_id',
  );
  for (const row of rows) yield verifyChain(sql, row.tenant_id);
}
