import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database } from './database.ts';
import { openPglite } from './pglite.ts';
import { withSchemaEngine, type SchemaEngine } from './schema-engine.ts';

/** Migrations that cannot be applied: one was edited after it was applied, or failed half-way in an earlier run. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

export interface MigrationStatus {
  /** Migrations in the folder that the database does not have yet. */
  readonly pending: readonly string[];
  /** Applied migrations whose file has changed since. */
  readonly edited: readonly string[];
  /** Migrations that failed in the database and were not resolved. */
  readonly failed: readonly string[];
}

const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Brings the database up to the migrations in `folder` (`<folder>/<name>/migration.sql`, in order of name, Prisma's
 * own layout and `_prisma_migrations` table, so `prisma migrate deploy` may take over at any time) and returns the
 * names applied, [] when none was pending. Processes that migrate at once wait for one another.
 * Errors: MigrationRefused for an edited or failed migration; the engine's error when a script fails, in which case
 * nothing of that script remains.
 */
export async function migrate(database: Database, folder: string): Promise<string[]> {
  const migrationsList = await readMigrations(folder);
  return database.exclusively('platform migrate', () =>
    withSchemaEngine(database.adapter, async (engine) => {
      const { edited, failed } = await diagnose(engine, migrationsList);
      if (edited.length > 0) {
        throw new MigrationRefused(`changed after it was applied: ${edited.join(', ')}`);
      }
      if (failed.length > 0) {
        throw new MigrationRefused(
          `failed earlier: ${failed.join(', ')}; repair the database, then delete its row in _prisma_migrations`,
        );
      }
      return (await engine.applyMigrations({ migrationsList, filters: FILTERS })).appliedMigrationNames;
    }),
  );
}

/** What `migrate` would find, without changing anything. */
export async function migrationStatus(database: Database, folder: string): Promise<MigrationStatus> {
  const migrationsList = await readMigrations(folder);
  return withSchemaEngine(database.adapter, (engine) => diagnose(engine, migrationsList));
}

/**
 * The SQL that is missing between the migrations in `folder` and the Prisma schema in `schemaFile`; null when they
 * agree. Replays the migrations in a PGlite of its own, so it needs no server and no right to create databases. Sees
 * what Prisma sees: tables, columns, keys and indexes, but not checks, collations and functions.
 */
export async function schemaDrift(folder: string, schemaFile: string): Promise<string | null> {
  const migrationsList = await readMigrations(folder);
  const content = await readFile(schemaFile, 'utf8');
  const scratch = await openPglite(null);
  try {
    return await withSchemaEngine(scratch.adapter, async (engine) => {
      const { exitCode, stdout } = await engine.diff({
        from: { tag: 'migrations', ...migrationsList },
        to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content }] },
        script: true,
        exitCode: true,
        filters: FILTERS,
      });
      return exitCode === 0 ? null : (stdout ?? '');
    });
  } finally {
    await scratch.close();
  }
}

async function diagnose(engine: SchemaEngine, migrationsList: MigrationList): Promise<MigrationStatus> {
  const found = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: FILTERS,
  });
  const { history } = found;
  const pending =
    history?.diagnostic === 'databaseIsBehind' || history?.diagnostic === 'historiesDiverge'
      ? history.unappliedMigrationNames
      : [];
  return {
    pending: found.hasMigrationsTable ? pending : migrationsList.migrationDirectories.map(({ path }) => path),
    edited: found.editedMigrationNames,
    failed: found.failedMigrationNames,
  };
}

type MigrationList = Awaited<ReturnType<typeof readMigrations>>;

async function readMigrations(folder: string) {
  const baseDir = resolve(folder);
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const content = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8');
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
