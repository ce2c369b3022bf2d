import type { Database, Sql } from '@platform/database';

/** The database of the store, as layers above name it without knowing what it is made of. */
export type StoreDatabase = Database;

/** A transaction of it. */
export type StoreTransaction = Sql;
