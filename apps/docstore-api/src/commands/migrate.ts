import { migrate } from '@platform/database';
import type { Config } from '../config.ts';
import { migrationsFolder, openConfigured, openLogger } from '../deps.ts';

/** Brings the database up to date; replicas that do so at once wait for one another. Exit code 0. */
export async function migrateDatabase({ settings }: Config): Promise<number> {
  const database = await openConfigured(settings, openLogger(settings));
  try {
    const applied = await migrate(database, migrationsFolder());
    process.stdout.write(applied.length === 0 ? 'up to date\n' : `applied ${applied.join(', ')}\n`);
    return 0;
  } finally {
    await database.close();
  }
}
