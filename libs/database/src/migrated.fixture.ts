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
