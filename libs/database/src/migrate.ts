import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Migrations that cannot be applied: one was edited after it was applied, or an older version left one
 * unfinished.
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface MigrationStatus {
  /** Migrations in the folder that the database does not have yet, in the order in which they apply. */
  readonly pending: readonly string[];
  /** Applied migrations whose file has changed since. */
  readonly edited: readonly string[];
  /** Migrations that were begun and neither finished nor rolled back. */
  readonly failed: readonly string[];
}

export interface MigrateOptions {
  /**
   * Lays the tables on several nodes once they are there, by `<folder>/distributed.sql`. A database whose
   * tables are laid so stays so.
   */
  readonly distributed?: boolean;
  /**
   * Longest that one try of a migration waits for a lock, in milliseconds; other statements queue behind it
   * for as long.
   */
  readonly lockTimeoutMs?: number;
  /** Between two tries, in milliseconds: statements that queued behind the first run meanwhile. */
  readonly pauseMs?: number;
  /** Called before each further try, with the migration that waits. */
  readonly onWait?: (migration: string) => void;
}

/** The table whose presence says that the tables of a database lie on several nodes. */
export const DISTRIBUTION = '_platform_distribution';
const DISTRIBUTED = 'distributed';
/** SQLSTATE undefined_function. */
const UNDEFINED_FUNCTION = '42883';

const LOCK_TIMEOUT_MS = 2_000;
/** Longest that a migration is tried again because of locks. */
const LOCK_WAIT_MS = 120_000;
const PAUSE_MS = 3_000;
/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Prisma's own table, so that its tools read and continue this history. */
const HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
const RECORD = `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
  VALUES ($1, $2, now(), $3, 1)`;

/**
 * Brings the database up to the migrations in `folder` (`<folder>/<name>/migration.sql`, in order of name,
 * Prisma's own layout and `_prisma_migrations` table, so `prisma migrate deploy` may take over at any time)
 * and returns the names applied, [] when none was pending, `distributed` last where the tables were laid on
 * several nodes. Processes that migrate at once wait for one
 * another.
 *
 * A script and its record are one transaction: a process that ends in between leaves neither. A script that
 * Postgres runs outside of transactions only (CREATE INDEX CONCURRENTLY) must bear being run again. A script
 * waits for locks in short tries, because reads queue behind a statement that waits.
 *
 * Errors: MigrationError for an edited or unfinished migration; the database's error when a script fails,
 * its message led by the migration's name.
 */
export async function migrate(
  database: Database,
  folder: string,
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return database.exclusively('platform migrate', async () => {
    const { pending, edited, failed } = await compare(database, migrations);
    if (edited.length > 0) throw new MigrationError(`changed after it was applied: ${edited.join(', ')}`);
    if (failed.length > 0) {
      throw new MigrationError(
        `left unfinished by an earlier version: ${failed.join(', ')}; look whether the database has what it makes, ` +
          'then run `migrate --applied <name>` or `migrate --rolled-back <name>`',
      );
    }
    // A database that is read-only, as an embedded one on a full disk, serves with what it has.
    if (pending.length > 0) await database.query(HISTORY);
    for (const name of pending) await applyOne(database, migrations.get(name) as Migration, options);
    if (options.distributed !== true || !(await distribute(database, folder))) return [...pending];
    return [...pending, DISTRIBUTED];
  });
}

/** Lays the tables on several nodes, all of them or none; whether they were not yet. */
async function distribute(database: Database, folder: string): Promise<boolean> {
  const { rows } = await database.query<{ found: string | null }>(
    `SELECT to_regclass('${DISTRIBUTION}')::text AS found`,
  );
  if (rows[0]?.found !== null) return false;
  const script = await readFile(join(folder, `${DISTRIBUTED}.sql`), 'utf8');
  try {
    await database.transaction(async (sql) => {
      await runOneByOne(sql, script);
      await sql.query(`CREATE TABLE ${DISTRIBUTION} (distributed_at TIMESTAMPTZ NOT NULL DEFAULT now())`);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_FUNCTION) throw error;
    throw new MigrationError(
      'this Postgres cannot distribute tables: create the extension for it in this database, on every node',
      { cause: error },
    );
  }
  return true;
}

/** Returns what `migrate` would find, without changing anything. */
export async function migrationStatus(database: Database, folder: string): Promise<MigrationStatus> {
  return compare(database, await readMigrations(folder));
}

/**
 * Settles a migration that an earlier version left unfinished: `applied` when the database has what it makes,
 * `rolled-back` when it does not, so that it is applied by the next `migrate`. Errors: MigrationError when
 * no such migration is unfinished.
 */
export async function resolveMigration(
  database: Database,
  folder: string,
  name: string,
  outcome: 'applied' | 'rolled-back',
): Promise<void> {
  const { failed } = await migrationStatus(database, folder);
  if (!failed.includes(name)) throw new MigrationError(`no unfinished migration \`${name}\``);
  const column = outcome === 'applied' ? 'finished_at' : 'rolled_back_at';
  await database.query(
    `UPDATE _prisma_migrations SET ${column} = now()
      WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
}

/**
 * Runs the statements of a script as one each: what changes distributed tables is passed on to the other
 * nodes with all that came with it. A statement ends at a semicolon that ends its line, unless the next is
 * indented.
 */
async function runOneByOne(sql: Sql, script: string): Promise<void> {
  for (const statement of script.split(/;\n(?![ \t])/)) if (/\S/.test(statement)) await sql.query(statement);
}

async function applyOne(database: Database, migration: Migration, options: MigrateOptions): Promise<void> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  const lockTimeout = `SET LOCAL lock_timeout = ${Math.round(lockTimeoutMs)}`;
  const record = (sql: Sql) => sql.query(RECORD, [randomUUID(), migration.checksum, migration.name]);
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      if (/\bCONCURRENTLY\b/i.test(migration.script)) {
        await database.script(migration.script);
        await record(database);
      } else {
        await database.transaction(async (sql) => {
          await sql.query(lockTimeout);
          if (database.isDistributed) await runOneByOne(sql, migration.script);
          else await sql.script(migration.script);
          await record(sql);
        });
      }
      return;
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > deadline) {
        if (error instanceof Error) error.message = `${migration.name}: ${error.message}`;
        throw error;
      }
      options.onWait?.(migration.name);
      await delay(pauseMs);
    }
  }
}

interface Row {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
}

async function compare(
  database: Database,
  migrations: ReadonlyMap<string, Migration>,
): Promise<MigrationStatus> {
  const { rows: tables } = await database.query<{ found: string | null }>(
    "SELECT to_regclass('_prisma_migrations')::text AS found",
  );
  if (tables[0]?.found === null) return { pending: [...migrations.keys()], edited: [], failed: [] };
  const { rows } = await database.query<Row>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
  const recorded = new Set(rows.map(({ name }) => name));
  const isEdited = ({ name, checksum, isFinished }: Row) =>
    isFinished && migrations.has(name) && migrations.get(name)?.checksum !== checksum;
  return {
    pending: [...migrations.keys()].filter((name) => !recorded.has(name)),
    edited: rows.filter(isEdited).map(({ name }) => name),
    failed: rows.filter(({ isFinished }) => !isFinished).map(({ name }) => name),
  };
}

interface Migration {
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script, in hexadecimal. */
  readonly checksum: string;
}

async function readMigrations(folder: string): Promise<ReadonlyMap<string, Migration>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations = await Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
  return new Map(migrations.map((migration) => [migration.name, migration]));
}
