export { openDatabase, parseDatabaseUrl } from './open-database.ts';
export type { DatabaseTarget } from './open-database.ts';
export type { Database, DatabaseOptions, PoolUsage } from './database.ts';
export { FolderInUse, lockFolder } from './folder-lock.ts';
export { migrate, migrationStatus, MigrationError, resolveMigration } from './migrate.ts';
export type { MigrateOptions, MigrationStatus } from './migrate.ts';
export { builtOrSource, defineServiceDatabase } from './service-database.ts';
export type {
  DatabaseConfig,
  ServiceDatabase,
  ServiceDatabaseDefinition,
  ServiceMigrations,
} from './service-database.ts';
export { orUnavailable, withUnavailableMapping, unavailable } from './reachable.ts';
export { isUnavailable, isUniqueViolation, timeOfChange } from './sql.ts';
export type { Isolation, Sql, SqlResult, TransactionOptions } from './sql.ts';
