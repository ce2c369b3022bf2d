export { openDatabase, parseDatabaseUrl } from './database.ts';
export type { Database, DatabaseOptions, DatabaseTarget, PoolUsage } from './database.ts';
export { measurePool } from './measure-pool.ts';
export { FolderInUse, lockFolder } from './folder-lock.ts';
export { migrate, migrationStatus, MigrationRefused, schemaDrift } from './migrate.ts';
export type { MigrationStatus } from './migrate.ts';
export {
  builtOrSource,
  migrateServiceDatabase,
  openMigratedDatabase,
  openServiceDatabase,
} from './service-database.ts';
export type { ServiceDatabaseOptions } from './service-database.ts';
export { orSayAway, sayingWhenAway } from './reachable.ts';
export { isUniqueViolation, isUnreachable } from './sql.ts';
export type { Isolation, Sql, SqlResult, TransactionOptions } from './sql.ts';
