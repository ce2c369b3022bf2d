import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DuckDBInstance } from '@duckdb/node-api';
import { migrate, openDatabase, type Database } from '@platform/database';
import { startPostgres, temporaryFolder, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { events, NOON } from '../store/audit-store.contract.ts';
import { openParquetArchive } from '../store/parquet-audit-archive.ts';
import { createAuditPartitions } from '../store/sql-audit-partitions.ts';
import { createAuditReader } from '../store/sql-audit-reader.ts';
import { createAuditStore } from '../store/sql-audit-store.ts';
import { archiveChains } from './archive-chains.ts';
import { verifyAllChains, type ChainReport } from './verify-chain.ts';

const DAY_MS = 86_400_000;
const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url));
/** What JSON escapes, DuckDB in another way than JavaScript where it is a control character. */
const AWKWARD = 'a "quoted" \\ é 漢 \u0001\u001f\n\t/ end';

let postgres: Postgres;
let database: Database;
let folder: string;
beforeEach(async () => {
  postgres = await startPostgres();
  database = await openDatabase(await postgres.createDatabase(), { embeddedFolder: '' });
  await migrate(database, MIGRATIONS);
  await createAuditPartitions(database).maintain({ now: NOON, retentionDays: 10 });
  folder = await temporaryFolder('audit-archive-');
});
afterEach(async () => {
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const append = (tenant: string, count: number, time = NOON) =>
  createAuditStore(database).append(
    events(tenant, count, time).map((event) => ({ ...event, object: AWKWARD })),
  );

async function archive(): Promise<number> {
  const opened = await openParquetArchive(folder);
  try {
    return await archiveChains(createAuditReader(database), opened);
  } finally {
    opened.close();
  }
}

async function verify(): Promise<ChainReport[]> {
  const opened = await openParquetArchive(folder);
  try {
    const archived = await opened.verify();
    const reports: ChainReport[] = [];
    for await (const report of verifyAllChains(createAuditReader(database), undefined, archived))
      reports.push(report);
    return reports;
  } finally {
    opened.close();
  }
}

const outcomeOf = (reports: readonly ChainReport[], tenant: string) => {
  const found = reports.find(({ tenantId }) => tenantId === tenant)!;
  return { rows: found.rows, broken: found.broken };
};

/** Writes the only file of the archive anew out of these columns of its rows. */
async function rewrite(columns: string, condition = 'true'): Promise<void> {
  const instance = await DuckDBInstance.create();
  const sql = await instance.connect();
  const [file] = (
    await sql.runAndReadAll(`SELECT file FROM glob('${join(folder, '*.parquet')}')`)
  ).getRowsJS()[0] as [string];
  await sql.run(`CREATE TABLE kept AS SELECT ${columns} FROM read_parquet('${file}') WHERE ${condition}`);
  await sql.run(`COPY kept TO '${file}' (FORMAT parquet)`);
  sql.closeSync();
  instance.closeSync();
}

describe('audit rows in Parquet', () => {
  it('audit rows in Parquet and in Postgres hold as one chain, also after retention dropped what was archived', async () => {
    covers('AUTHZ-U.13');
    const [one, other] = [randomUUID(), randomUUID()];
    await append(one, 7);
    await append(other, 3);
    expect(await archive()).toBe(10);
    await append(one, 5, NOON + 11 * DAY_MS);
    expect(outcomeOf(await verify(), one)).toEqual({ rows: 12, broken: null });
    await createAuditPartitions(database).maintain({ now: NOON + 11 * DAY_MS, retentionDays: 10 });
    expect(outcomeOf(await verify(), one)).toEqual({ rows: 12, broken: null });
    expect(outcomeOf(await verify(), other)).toEqual({ rows: 3, broken: null });
    expect(await archive()).toBe(5);
    expect(await archive()).toBe(0);
    expect(outcomeOf(await verify(), one)).toEqual({ rows: 12, broken: null });
  });

  it('an archived row that was altered, removed or put in the place of another breaks the chain', async () => {
    covers('AUTHZ-U.13');
    const tenant = randomUUID();
    await append(tenant, 6);
    await archive();
    await rewrite('* REPLACE (CASE WHEN sequence = 4 THEN NOT decision ELSE decision END AS decision)');
    expect(outcomeOf(await verify(), tenant).broken).toEqual({ sequence: 4, why: 'row altered' });
    await rewrite('*', 'sequence <> 3');
    expect(outcomeOf(await verify(), tenant).broken).toEqual({ sequence: 4, why: 'row missing' });
  });

  it('an archive whose end is not the row that Postgres has breaks the chain', async () => {
    covers('AUTHZ-U.13');
    const tenant = randomUUID();
    await append(tenant, 4);
    await archive();
    await rewrite("* REPLACE (CASE WHEN sequence = 4 THEN repeat('0', 64) ELSE hash END AS hash)");
    expect(outcomeOf(await verify(), tenant).broken).toEqual({ sequence: 4, why: 'row altered' });
    await rewrite('*', 'sequence < 3');
    await createAuditPartitions(database).maintain({ now: NOON + 11 * DAY_MS, retentionDays: 10 });
    expect(outcomeOf(await verify(), tenant).broken).toEqual({ sequence: 3, why: 'row missing' });
  });

  it('a stored row that was altered is not archived', async () => {
    covers('AUTHZ-U.13');
    const tenant = randomUUID();
    await append(tenant, 4);
    await database.query('UPDATE audit_events SET subject = $1 WHERE sequence = 3', ['someone else']);
    await expect(archive()).rejects.toThrow(`${tenant}: row 3 does not follow from the one before it`);
  });
});
