import { fileURLToPath } from 'node:url';
import type { Database, DatabaseOptions } from './database.ts';
import { openDatabase } from './open-database.ts';
import { FolderInUse } from './folder-lock.ts';
import {
  migrate,
  MigrationRefused,
  migrationStatus,
  resolveMigration,
  type MigrationStatus,
} from './migrate.ts';
import { sayingWhenAway } from './reachable.ts';

/** Longest that a statement of a service may take. Milliseconds. */
const STATEMENT_MAX_MS = 30_000;

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
  const database = await openServiceDatabase({ statementMaxMs: STATEMENT_MAX_MS, ...options });
  try {
    if (database.kind === 'pglite')
      logger.warn(
        { folder: url ?? embeddedFolder },
        'embedded database: one replica only; acknowledged writes survive a crash, but not a power loss',
      );
    if (options.migrateOnStart ?? database.kind === 'pglite') await migrate(database, migrations);
    else requireMigrated(await migrationStatus(database, migrations));
  } catch (error) {
    await database.close();
    throw error;
  }
  return sayingWhenAway(database);
}

/** Throws MigrationRefused unless the database has exactly the migrations of this version, or more. */
function requireMigrated({ pending, edited, failed }: MigrationStatus): void {
  if (pending.length > 0)
    throw new MigrationRefused(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
  if (failed.length > 0)
    throw new MigrationRefused(
      `${failed.join(', ')} was left unfinished: run \`migrate\`, which says how to settle it`,
    );
  if (edited.length > 0)
    throw new MigrationRefused(`the database was migrated with another text of ${edited.join(', ')}`);
}

/** What the command `migrate` of a service does; each call opens the database and closes it again. */
export interface ServiceMigrations {
  /** Applies pending migrations and returns their names. */
  apply(): Promise<string[]>;
  status(): Promise<MigrationStatus>;
  /** Settles a migration that an earlier version left unfinished. */
  resolve(name: string, outcome: 'applied' | 'rolled-back'): Promise<void>;
}

/** The migrations of one service. Errors: those of `openServiceDatabase`, `migrate` and `resolveMigration`. */
export function serviceMigrations(options: ServiceDatabaseOptions): ServiceMigrations {
  const { migrations, logger } = options;
  const onDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openServiceDatabase(options);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const onWait = (migration: string) =>
    logger.warn({ migration }, 'the migration waits for a lock that another transaction holds');
  return {
    apply: () => onDatabase((database) => migrate(database, migrations, { onWait })),
    status: () => onDatabase((database) => migrationStatus(database, migrations)),
    resolve: (name, outcome) =>
      onDatabase((database) => resolveMigration(database, migrations, name, outcome)),
  };
}

/**
 * A file or folder that the build puts beside the bundle, else its place in the workspace. `moduleUrl` is the
 * `import.meta.url` of the caller.
 */
export function builtOrSource(moduleUrl: string, built: string, source: string): string {
  return fileURLToPath(new URL(moduleUrl.endsWith('.js') ? built : source, moduleUrl));
}
