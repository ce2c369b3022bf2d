import { execFileSync } from 'node:child_process';
import { chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@platform/database';
import { temporaryFolder, unprivileged } from '@platform/testing';
import { execute } from './servers.ts';

/** The disk under the audit table. */
export interface AuditDisk {
  /** How it is made full. */
  readonly how: string;
  fill(): Promise<void>;
  clear(): Promise<void>;
  destroy(): void;
}

const DISK = '64m';

/** What a full disk is: `mounted`, a true one, or `trigger`, which raises the error of one. */
export type DiskKind = 'mounted' | 'trigger';

/**
 * Puts the audit table on a file system of its own, which `fill` fills to the last block, so that Postgres
 * meets a true ENOSPC. Where mounting is not allowed, or `kind` says so, a trigger raises the same error
 * (SQLSTATE 53100) in its place.
 */
export async function openAuditDisk(databaseUrl: string, kind: DiskKind): Promise<AuditDisk> {
  if (kind === 'trigger') return byTrigger(databaseUrl);
  const owner = unprivileged();
  const folder = await temporaryFolder('faults-audit-', owner);
  const tables = await auditTables(databaseUrl);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return byTrigger(databaseUrl);
  }
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const space = `LOCATION '${folder}'`;
  const moves = tables.map((table) => `ALTER TABLE "${table}" SET TABLESPACE audit_disk`);
  await execute(databaseUrl, `CREATE TABLESPACE audit_disk ${space}`, ...moves);
  const filler = join(folder, 'filler');
  return {
    how: 'its tablespace, a file system of its own, filled to the last block',
    fill: async () => {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' });
      } catch {
        // It ends when the disk is full, which is what it is for.
      }
    },
    clear: async () => rmSync(filler, { force: true }),
    destroy: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The audit table and its partitions. */
async function auditTables(databaseUrl: string): Promise<string[]> {
  const database = await openDatabase(databaseUrl, { embeddedFolder: '' });
  try {
    const { rows } = await database.query<{ name: string }>(
      `SELECT relid::regclass::text AS name FROM pg_partition_tree('audit_events')`,
    );
    return rows.map(({ name }) => name.replaceAll('"', ''));
  } finally {
    await database.close();
  }
}

function byTrigger(databaseUrl: string): AuditDisk {
  const raise = `BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END`;
  return {
    how: 'a trigger on every insert into the audit table raises SQLSTATE 53100',
    fill: () =>
      execute(
        databaseUrl,
        `CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$${raise}$$`,
        'CREATE TRIGGER disk_full BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION disk_full()',
      ),
    clear: () => execute(databaseUrl, 'DROP TRIGGER disk_full ON audit_events'),
    destroy: () => undefined,
  };
}
