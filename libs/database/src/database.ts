import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Sql, TransactionOptions } from './sql.ts';

/** An open database of one service. */
export interface Database extends Sql {
  readonly kind: 'postgres' | 'pglite';
  /** Whether tables lie on several nodes, by tenant or owner: `migrate --distributed` has made them so. */
  readonly isDistributed: boolean;
  /** For `new PrismaClient({ adapter })`, and for migrations. */
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. On PGlite
   * transactions queue behind one another, so `work` must use the `sql` it is given and never the database
   * itself.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `work` while no other process that asks for the same `lockName` on this database runs its own. */
  exclusively<T>(lockName: string, work: () => Promise<T>): Promise<T>;
  /**
   * Other processes that have this database open under the same `service` name right now, as far as Postgres
   * shows them. 0 on PGlite, which no other process can open.
   */
  otherProcesses(): Promise<number>;
  /** Connections of the pool right now; null on PGlite, which has one and no pool. */
  poolUsage(): PoolUsage | null;
  /** Resolves when the database responds; rejects with why it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface PoolUsage {
  /** Connections that are open. */
  readonly total: number;
  /** Those of them that nobody uses. */
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  /** Connections there may be. */
  readonly max: number;
}

export interface DatabaseOptions {
  /** Folder of the embedded database when no URL is given. */
  readonly embeddedFolder: string;
  /** Connections kept to Postgres. Default 10. PGlite has one. */
  readonly connectionsMax?: number;
  /** Longest that a statement may take on Postgres. Milliseconds; default: without limit, for commands. */
  readonly statementMaxMs?: number;
  /**
   * Longest that a statement may wait for a lock of another transaction on Postgres, and age at which a
   * transaction waits for no other lock. Milliseconds; default: without limit, for commands.
   */
  readonly lockMaxMs?: number;
  /** The service that has the database open, for `otherProcesses`. Commands have none. */
  readonly service?: string;
  /** Settings of every session of Postgres, such as `{ random_page_cost: '1.1' }`. PGlite has none. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  /** Called for a connection that breaks while idle; without a listener Node would end the process. */
  readonly onIdleError?: (error: Error) => void;
  /** Called for what an operator should know of the embedded database, such as a disk that is almost full. */
  readonly warn?: (fields: object, message: string) => void;
  /**
   * Called once for an error after which the embedded database cannot be used: the process must end and open
   * it again. What was committed is kept.
   */
  readonly onPanic?: (error: Error) => void;
}
