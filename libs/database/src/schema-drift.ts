import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { startPglite } from './pglite-host.ts';
import { withSchemaEngine } from './schema-engine.ts';
import { withScripts } from './script-adapter.ts';

const FILTERS = { externalTables: [], externalEnums: [] };

/**
 * The SQL that is missing between the migrations in `folder` and the Prisma schema in `schemaFile`; null when
 * they agree. Replays the migrations in a PGlite of its own, so it needs no server and no right to create
 * databases. Sees what Prisma sees: tables, columns, keys and indexes, but not checks, collations and
 * functions. For tests: the services apply migrations without Prisma's engine.
 */
export async function schemaDrift(folder: string, schemaFile: string): Promise<string | null> {
  const migrations = await readMigrations(folder);
  const content = await readFile(schemaFile, 'utf8');
  const scratch = await startPglite(null);
  try {
    return await withSchemaEngine(adapterOf(scratch), async (engine) => {
      const { exitCode, stdout } = await engine.diff({
        from: { tag: 'migrations', ...migrations },
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

/** That of pg does not know the type `"char"` of catalogs, which the engine reads. */
function adapterOf(pglite: PGlite): SqlMigrationAwareDriverAdapterFactory {
  const factory = withScripts(new PrismaPGlite(pglite), async (script) => {
    await pglite.transaction((tx) => tx.exec(script));
  });
  return {
    ...factory,
    // A shadow database needs the same extensions, or a migration that creates one cannot be replayed.
    async connectToShadowDb() {
      const shadow = await startPglite(null);
      const adapter = await adapterOf(shadow).connect();
      adapter.dispose = () => shadow.close();
      return adapter;
    },
  };
}

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
