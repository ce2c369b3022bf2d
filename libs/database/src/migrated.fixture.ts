import { startPostgres } from '@platform/testing';
import { forSuite, late } from '@platform/testing/for-suite';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import type { Database, DatabaseOptions } from './database.ts';

/**
 * Opens a database for a test with the migrations of `folder` applied. `TEST_DISTRIBUTED` lays the tables of
 * a Postgres on several nodes. Errors: those of `openDatabase` and `migrate`.
 */
export async function openMigrated(
  url: string,
  folder: string,
  options: DatabaseOptions = { embeddedFolder: '' },
): Promise<Database> {
  const database = await openDatabase(url, options);
  const distributed = database.kind === 'postgres' && process.env['TEST_DISTRIBUTED'] !== undefined;
  await migrate(database, folder, { distributed });
  if (!distributed) return database;
  // What is opened knows where its tables lie.
  await database.close();
  return openDatabase(url, options);
}

/**
 * A database with the migrations of `folder` applied, on a Postgres or in memory, for the tests of the file
 * or `describe` around the call.
 */
export function suiteDatabase(kind: 'Postgres' | 'PGlite', folder: string): Database {
  const made = forSuite(
    async () => {
      const postgres = kind === 'Postgres' ? await startPostgres() : null;
      const url = (await postgres?.createDatabase()) ?? 'pglite:memory://';
      return { postgres, database: await openMigrated(url, folder) };
    },
    async ({ postgres, database }) => {
      await database.close();
      await postgres?.stop();
    },
  );
  return late(() => made.database);
}
