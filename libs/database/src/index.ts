export { openDatabase, parseDatabaseUrl } from './database.ts';
export type { Database, DatabaseOptions, DatabaseTarget } from './database.ts';
export { FolderInUse } from './folder-lock.ts';
export { migrate, migrationStatus, MigrationRefused, schemaDrift } from './migrate.ts';
export type { MigrationStatus } from './migrate.ts';
export { isUniqueViolation, isUnreachable } from './sql.ts';
export type { Isolation, Sql, SqlResult, TransactionOptions } from './sql.ts';
