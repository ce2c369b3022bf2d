import { fileURLToPath } from 'node:url';
import { openDatabase, type Database, type DatabaseOptions } from './database.ts';
import { FolderInUse } from './folder-lock.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { sayingWhenAway } from './reachable.ts';

/** The database of one service. */
export interface ServiceDatabaseOptions extends Omit<DatabaseOptions, 'onIdleError'> {
  /** `DATABASE_URL`; undefined = PGlite in `embeddedFolder`. */
  readonly url: string | undefined;
  /** The setting that names `embeddedFolder`, for error messages. */
  readonly folderSetting: string;
  /** Folder of the service's migrations. */
  readonly migrations: string;
  readonly logger: { warn(fields: object, message: string): void };
}

/** Opens the database as it is, for commands. Errors: those of `openDatabase`, for a folder in use with the remedy. */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<Database> {
  const { url, folderSetting, logger } = options;
  try {
    return await openDatabase(url, {
      ...options,
      onIdleError: (err) => logger.warn({ err }, 'a database connection broke'),
    });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const remedy = `set ${folderSetting} to another folder, or DATABASE_URL to Postgres, which many processes share`;
    throw new Error(`${error.message}; ${remedy}`, { cause: error });
  }
}

/**
 * Opens the database for serving; when it is unavailable, callers get DomainError `unavailable`. An embedded database
 * is migrated on the way, since no other process can open it; Postgres is migrated by `migrate` before the first
 * replica starts, or here with `migrateOnStart`. Errors: those of `openServiceDatabase`, and one that names the
 * migrations that are missing.
 */
export async function openMigratedDatabase(
  options: ServiceDatabaseOptions & { readonly migrateOnStart?: boolean | undefined },
): Promise<Database> {
  const { url, embeddedFolder, migrations, logger } = options;
  const database = await openServiceDatabase(options);
  try {
    if (database.kind === 'pglite')
      logger.warn({ folder: url ?? embeddedFolder }, 'embedded database: one replica only');
    if (options.migrateOnStart ?? database.kind === 'pglite') await migrate(database, migrations);
    else {
      const { pending } = await migrationStatus(database, migrations);
      if (pending.length > 0)
        throw new Error(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return sayingWhenAway(database);
}

/** Applies pending migrations and returns their names. Errors: those of `openServiceDatabase` and `migrate`. */
export async function migrateServiceDatabase(options: ServiceDatabaseOptions): Promise<string[]> {
  const database = await openServiceDatabase(options);
  try {
    return await migrate(database, options.migrations);
  } finally {
    await database.close();
  }
}

/**
 * A file or folder that the build puts beside the bundle, else its place in the workspace. `moduleUrl` is the
 * `import.meta.url` of the caller.
 */
export function builtOrSource(moduleUrl: string, built: string, source: string): string {
  return fileURLToPath(new URL(moduleUrl.endsWith('.js') ? built : source, moduleUrl));
}
