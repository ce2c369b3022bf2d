import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { chainHash, type ChainedEvent } from '../model/audit-event.ts';
import type { ArchivedChain, AuditArchive } from './audit-archive.ts';
import type { ChainPlace } from './audit-store.ts';

/** Rows of one file; those that wait for it are in memory. */
const FILE_ROWS = 1_000_000;
/** Files that are verified at a time: DuckDB walks along one of them in one thread. */
const FILES_AT_ONCE = 2;

/** As `chainText` writes a text; control characters may come out differently. */
const quoted = (column: string) =>
  `CASE WHEN regexp_full_match(${column}, '[ !#-\\[\\]-~]*') THEN '"' || ${column} || '"'
    ELSE to_json(${column})::VARCHAR END`;

/** The text that is hashed, as `chainText` writes it. `concat` takes two thirds of the time of `||`. */
const CHAIN_TEXT = `concat('["', prior, '",', sequence, ',"', id, '",', epoch_ms(time), ',"', tenant_id, '","',
  domain_id, '",', ${quoted('subject')}, ',', ${quoted('action')}, ',', ${quoted('object')}, ',', decision, ',',
  ${quoted('matched_policy')}, ',"', caller_id, '",', latency_micros, ',', policy_version,
  CASE WHEN outcome = '' AND operation = '' AND detail = '' THEN ''
    ELSE concat(',', ${quoted('outcome')}, ',', ${quoted('operation')}, ',', ${quoted('detail')}) END, ']')`;

/** The rows of one tenant in one file. */
interface Segment {
  readonly tenantId: string;
  readonly rows: number;
  readonly first: number;
  /** The hash before the first. */
  readonly before: string;
  readonly head: ChainPlace;
}

/**
 * Opens the folder, which is made when it is not there. DuckDB is loaded here: only the commands of the
 * archive need it. Errors: it is not installed.
 */
export async function openParquetArchive(folder: string): Promise<AuditArchive> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((cause: unknown) => {
    throw new Error('Parquet needs the package @duckdb/node-api: install it next to the service', { cause });
  });
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create();
  const sql = await instance.connect();
  await sql.run(`CREATE TABLE adding (id VARCHAR, time BIGINT, tenant_id VARCHAR, sequence BIGINT,
    domain_id VARCHAR, subject VARCHAR, action VARCHAR, object VARCHAR, decision BOOLEAN, matched_policy VARCHAR,
    caller_id VARCHAR, latency_micros BIGINT, policy_version BIGINT, hash VARCHAR, outcome VARCHAR,
    operation VARCHAR, detail VARCHAR, before VARCHAR)`);
  let appender = await sql.createAppender('adding');
  let added = 0;
  let first: ChainedEvent | undefined;
  let lastTenant = '';

  async function names(): Promise<string[]> {
    return (await readdir(folder)).filter((name) => name.endsWith('.parquet')).sort();
  }

  async function segments(): Promise<Segment[]> {
    const found: Segment[] = [];
    for (const name of await names()) {
      const rows = await readRows(
        sql,
        `SELECT tenant_id::VARCHAR, count(*)::DOUBLE, min(sequence)::DOUBLE, arg_min(before, sequence),
           max(sequence)::DOUBLE, arg_max(hash, sequence) FROM ${tableOf(folder, name)} GROUP BY tenant_id`,
      );
      for (const [tenantId, count, start, before, last, hash] of rows as [
        string,
        number,
        number,
        string,
        number,
        string,
      ][])
        found.push({ tenantId, rows: count, first: start, before, head: { sequence: last, hash } });
    }
    return found.sort((one, other) => one.first - other.first);
  }

  async function flush(): Promise<void> {
    if (first === undefined) return;
    appender.closeSync();
    const stem = `audit-${new Date(first.time).toISOString().replaceAll(/[:.]/g, '-')}`;
    const taken = new Set(await names());
    let name = `${stem}.parquet`;
    for (let copy = 2; taken.has(name); copy++) name = `${stem}-${copy}.parquet`;
    // Renamed into place: a run that is cut off leaves no half of a file.
    await sql.run(
      `COPY (SELECT * REPLACE (id::UUID AS id, epoch_ms(time) AS time, tenant_id::UUID AS tenant_id,
         domain_id::UUID AS domain_id, caller_id::UUID AS caller_id) FROM adding)
       TO ${literal(join(folder, `${name}.new`))} (FORMAT parquet, COMPRESSION zstd)`,
    );
    await rename(join(folder, `${name}.new`), join(folder, name));
    await sql.run('DELETE FROM adding');
    appender = await sql.createAppender('adding');
    added = 0;
    first = undefined;
    lastTenant = '';
  }

  /** What does not follow in one file, by tenant: the first of it. */
  async function verifyFile(name: string, note: Note): Promise<void> {
    const connection = await instance.connect();
    const chained = `(SELECT *, CASE WHEN before <> '' THEN before ELSE lag(hash) OVER () END AS prior,
        before = '' AND (lag(sequence) OVER () <> sequence - 1 OR lag(tenant_id) OVER () <> tenant_id) AS is_gap
      FROM ${tableOf(folder, name)})`;
    const result = await connection.stream(
      `SELECT is_gap, prior, ${EVENT} FROM ${chained} WHERE is_gap OR prior IS NULL OR sha256(${CHAIN_TEXT}) <> hash`,
    );
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (const [isGap, prior, ...values] of chunk.getRows()) {
        const event = eventOf(values);
        if (isGap === true) note(event.tenantId, event.sequence, 'row missing');
        // Where DuckDB's hash differs it may be its JSON: the service's own says what holds.
        else if (chainHash(String(prior), event.sequence, event) !== event.hash)
          note(event.tenantId, event.sequence, 'row altered');
      }
    }
    connection.closeSync();
  }

  return {
    async heads() {
      return new Map((await segments()).map(({ tenantId, head }) => [tenantId, head]));
    },
    async add(event, before) {
      first ??= event;
      appendRow(appender, event, event.tenantId === lastTenant ? '' : before);
      lastTenant = event.tenantId;
      added += 1;
      if (added >= FILE_ROWS) await flush();
    },
    flush,
    async verify() {
      const broken = new Map<string, NonNullable<ArchivedChain['broken']>>();
      const note: Note = (tenantId, sequence, why) => {
        if (sequence < (broken.get(tenantId)?.sequence ?? Infinity)) broken.set(tenantId, { sequence, why });
      };
      const waiting = await names();
      await Promise.all(
        Array.from({ length: FILES_AT_ONCE }, async () => {
          for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
            await verifyFile(name, note);
        }),
      );
      const chains = new Map<string, ArchivedChain>();
      for (const { tenantId, rows, first: start, before, head } of await segments()) {
        const known = chains.get(tenantId);
        if (known !== undefined && start !== known.head.sequence + 1)
          note(tenantId, known.head.sequence + 1, 'row missing');
        else if (known !== undefined && before !== known.head.hash) note(tenantId, start, 'row altered');
        const anchor = known?.anchor ?? { sequence: start - 1, hash: before };
        chains.set(tenantId, { tenantId, anchor, head, rows: (known?.rows ?? 0) + rows, broken: null });
      }
      return [...chains.values()].map((chain) => ({ ...chain, broken: broken.get(chain.tenantId) ?? null }));
    },
    close() {
      appender.closeSync();
      sql.closeSync();
      instance.closeSync();
    },
  };
}

type Note = (tenantId: string, sequence: number, why: 'row missing' | 'row altered') => void;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const tableOf = (folder: string, name: string) => `read_parquet(${literal(join(folder, name))})`;

function appendRow(appender: DuckDBAppender, event: ChainedEvent, before: string): void {
  appender.appendVarchar(event.id);
  appender.appendBigInt(BigInt(event.time));
  appender.appendVarchar(event.tenantId);
  appender.appendBigInt(BigInt(event.sequence));
  appender.appendVarchar(event.domainId);
  appender.appendVarchar(event.subject);
  appender.appendVarchar(event.action);
  appender.appendVarchar(event.object);
  appender.appendBoolean(event.decision);
  appender.appendVarchar(event.matchedPolicy);
  appender.appendVarchar(event.callerId);
  appender.appendBigInt(BigInt(event.latencyMicros));
  appender.appendBigInt(BigInt(event.policyVersion));
  appender.appendVarchar(event.hash);
  appender.appendVarchar(event.outcome);
  appender.appendVarchar(event.operation);
  appender.appendVarchar(event.detail);
  appender.appendVarchar(before);
  appender.endRow();
}

const EVENT = `id::VARCHAR, epoch_ms(time)::DOUBLE, tenant_id::VARCHAR, sequence::DOUBLE, domain_id::VARCHAR, subject,
  action, object, decision, matched_policy, caller_id::VARCHAR, latency_micros::DOUBLE, policy_version::DOUBLE, hash,
  outcome, operation, detail`;

function eventOf(values: readonly unknown[]): ChainedEvent {
  const [id, time, tenantId, sequence, domainId, subject, action, object, decision] = values as string[];
  const [matchedPolicy, callerId, latencyMicros, policyVersion, hash, outcome, operation, detail] =
    values.slice(9) as [string, string, number, number, string, string, string, string];
  return {
    id: id!,
    time: Number(time),
    tenantId: tenantId!,
    sequence: Number(sequence),
    domainId: domainId!,
    subject: subject!,
    action: action!,
    object: object!,
    decision: Boolean(decision),
    matchedPolicy,
    callerId,
    latencyMicros,
    policyVersion,
    hash,
    outcome,
    operation,
    detail,
  };
}

async function readRows(sql: DuckDBConnection, statement: string): Promise<unknown[][]> {
  return (await sql.runAndReadAll(statement)).getRowsJS();
}
