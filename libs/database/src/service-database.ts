import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Tracing } from '@platform/telemetry';
import type { Registry } from 'prom-client';
import type { Database, DatabaseOptions } from './database.ts';
import { openDatabase } from './open-database.ts';
import { FolderInUse } from './folder-lock.ts';
import { measurePool } from './measure-pool.ts';
import {
  migrate,
  MigrationError,
  migrationStatus,
  resolveMigration,
  type MigrationStatus,
} from './migrate.ts';
import { withUnavailableMapping } from './reachable.ts';
import { isUnreachable } from './sql.ts';
import { withSpans } from './traced.ts';

/** Longest that a statement of a service may take. Milliseconds. */
const STATEMENT_MAX_MS = 30_000;
/** Longest that it may wait for a lock: callers get a response within 5 s. Milliseconds. */
const LOCK_MAX_MS = 4_000;

/** Between two tries to reach Postgres at the start, and between two log lines about it. Milliseconds. */
const TRY_EVERY_MS = 1_000;
const SAY_EVERY_MS = 10_000;

/** Between the failure of an embedded database and the end of the process. Milliseconds. */
const PANIC_GRACE_MS = 200;

interface Warnings {
  warn(fields: object, message: string): void;
}

/** What the database of one service is, whatever its settings say. */
export interface ServiceDatabaseDefinition {
  /** Name of the service, which its connections to Postgres begin with. */
  readonly service: string;
  /** Prefix of the service's settings: `<prefix>_DATA_DIR` names the folder of the embedded database. */
  readonly prefix: string;
  /** Folder of the service's migrations. */
  readonly migrations: string;
  /** Settings of every session of Postgres. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  /** The log of commands; a service that serves has its own. */
  readonly commandLogger: () => Warnings;
}

/** Where the database is, as the settings of every service say. */
export interface DatabaseConfig {
  /** `DATABASE_URL`; undefined = PGlite in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  readonly databaseConnections: number;
  /** Undefined = only on the embedded database, which no other process can open. */
  readonly migrateOnStart?: boolean | undefined;
}

/** The database of one service, opened in the three ways in which a service needs it. */
export interface ServiceDatabase {
  /**
   * Opens the database for serving; when it is unavailable, callers get DomainError `unavailable`. With
   * `waits`, one that cannot be reached yet is waited for. Postgres is migrated by `migrate` before the first
   * replica starts. `registry` shows the pool, `tracing` records statements. Errors: those of `openDatabase`,
   * for a folder in use with the remedy, and one that names the migrations that are missing.
   */
  open(
    config: DatabaseConfig,
    options: {
      readonly logger: Warnings;
      readonly registry?: Registry | undefined;
      readonly tracing?: Tracing | undefined;
      readonly waits?: boolean;
    },
  ): Promise<Database>;
  /** Runs the work of a command on the database as it is, then closes it. Errors: those of `openDatabase`. */
  use<T>(config: DatabaseConfig, work: (database: Database) => Promise<T>): Promise<T>;
  /** What the command `migrate` does. Errors: those of `openDatabase`, `migrate` and `resolveMigration`. */
  migrations(config: DatabaseConfig): ServiceMigrations;
}

/** The database that `definition` describes. */
export function defineServiceDatabase(definition: ServiceDatabaseDefinition): ServiceDatabase {
  const { migrations } = definition;

  async function openAsItIs(
    { databaseUrl, dataDir, databaseConnections }: DatabaseConfig,
    logger: Warnings,
    ofServing: Pick<DatabaseOptions, 'service' | 'statementMaxMs' | 'lockMaxMs'> = {},
  ): Promise<Database> {
    const { sessionSettings } = definition;
    try {
      return await openDatabase(databaseUrl, {
        embeddedFolder: dataDir,
        connectionsMax: databaseConnections,
        onIdleError: (err) => logger.warn({ err }, 'a database connection broke'),
        warn: (fields, message) => logger.warn(fields, message),
        onPanic(err) {
          logger.warn(
            { err },
            'the embedded database has failed: this process ends, and recovers when it starts again',
          );
          // The callers of the statement that failed get their responses first.
          setTimeout(() => process.exit(1), PANIC_GRACE_MS);
        },
        ...(sessionSettings === undefined ? {} : { sessionSettings }),
        ...ofServing,
      });
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const remedy = `set ${definition.prefix}_DATA_DIR to another folder, or DATABASE_URL to Postgres, which many processes share`;
      throw new Error(`${error.message}; ${remedy}`, { cause: error });
    }
  }

  async function openForServing(config: DatabaseConfig, logger: Warnings): Promise<Database> {
    const database = await openAsItIs(config, logger, {
      service: definition.service,
      statementMaxMs: STATEMENT_MAX_MS,
      lockMaxMs: LOCK_MAX_MS,
    });
    try {
      if (database.kind === 'pglite')
        logger.warn(
          { folder: config.databaseUrl ?? config.dataDir },
          'embedded database: one replica only; acknowledged writes survive a crash and a power loss, not the loss of the disk',
        );
      if (config.migrateOnStart ?? database.kind === 'pglite') await migrate(database, migrations);
      else requireMigrated(await migrationStatus(database, migrations));
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async function use<T>(config: DatabaseConfig, work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openAsItIs(config, definition.commandLogger());
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  return {
    async open(config, { logger, registry, tracing, waits = false }) {
      const openNow = () => openForServing(config, logger);
      const database = await (waits ? onceReached(openNow, logger) : openNow());
      if (registry !== undefined) measurePool(database, registry);
      return withUnavailableMapping(tracing?.isOn ? withSpans(database, tracing) : database);
    },
    use,
    migrations(config) {
      const onWait = (migration: string) =>
        definition
          .commandLogger()
          .warn({ migration }, 'the migration waits for a lock that another transaction holds');
      return {
        apply: (distributed = false) =>
          use(config, (database) => migrate(database, migrations, { onWait, distributed })),
        status: () => use(config, (database) => migrationStatus(database, migrations)),
        resolve: (name, outcome) =>
          use(config, (database) => resolveMigration(database, migrations, name, outcome)),
      };
    },
  };
}

/**
 * What `open` gives, tried again for as long as the server cannot be reached or takes no work; the log says
 * so at once and every ten seconds. An orchestrator that restarts what ends would wait longer and longer
 * between two tries. Errors: all others of `open`.
 */
async function onceReached(open: () => Promise<Database>, logger: Warnings): Promise<Database> {
  for (let saidAt = -Infinity; ;) {
    try {
      return await open();
    } catch (err) {
      if (!isUnreachable(err)) throw err;
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = performance.now();
        logger.warn({ err }, 'the database is unavailable: this service starts once it responds');
      }
    }
    await pause(TRY_EVERY_MS);
  }
}

/** Throws MigrationError unless the database has exactly the migrations of this version, or more. */
function requireMigrated({ pending, edited, failed }: MigrationStatus): void {
  if (pending.length > 0)
    throw new MigrationError(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
  if (failed.length > 0)
    throw new MigrationError(
      `${failed.join(', ')} was left unfinished: run \`migrate\`, which says how to settle it`,
    );
  if (edited.length > 0)
    throw new MigrationError(`the database was migrated with another text of ${edited.join(', ')}`);
}

/** What the command `migrate` of a service does; each call opens the database and closes it again. */
export interface ServiceMigrations {
  /** Applies pending migrations and returns their names; with `distributed`, tables come on several nodes. */
  apply(distributed?: boolean): Promise<string[]>;
  status(): Promise<MigrationStatus>;
  /** Settles a migration that an earlier version left unfinished. */
  resolve(name: string, outcome: 'applied' | 'rolled-back'): Promise<void>;
}

/**
 * A file or folder that the build puts beside the bundle, else its place in the workspace. `moduleUrl` is the
 * `import.meta.url` of the caller.
 */
export function builtOrSource(moduleUrl: string, built: string, source: string): string {
  return fileURLToPath(new URL(moduleUrl.endsWith('.js') ? built : source, moduleUrl));
}
