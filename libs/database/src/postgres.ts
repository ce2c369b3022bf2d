import { createHash, randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createConnectionWatch } from './connection-watch.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { DISTRIBUTION } from './migrate.ts';
import { forDistributedTables, parseInt8, type Sql } from './sql.ts';
import { UnbreakableClient } from './unbreakable-client.ts';

const INT8 = 20;
const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** Silence on a connection after which the kernel asks whether the peer is still there. */
const KEEP_ALIVE_MS = 10_000;
/**
 * Longest that a transaction may wait for its next statement: the server does not hear of the end of one that
 * was lost with the network, and keeps its locks. One that waited for such a lock may be lost as well, so
 * that a lock is free after this limit and `lockMaxMs`, which stay below the 15 s of a recovery together.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** The name of a connection is that of the service, a blank, and a UUID of the process. */
const OTHER_PROCESSES = `
SELECT count(DISTINCT application_name)::int AS others FROM pg_stat_activity
WHERE datname = current_database() AND application_name <> current_setting('application_name')
  AND split_part(application_name, ' ', 1) = split_part(current_setting('application_name'), ' ', 1)`;

/** int8 as numbers; everything else as pg reads it. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
};

/** Opens a pool to Postgres and checks that it responds. Errors: the driver's. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const max = options.connectionsMax ?? CONNECTIONS;
  const sessionSettings = {
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    ...(options.statementMaxMs === undefined ? {} : { statement_timeout: String(options.statementMaxMs) }),
    ...(options.lockMaxMs === undefined ? {} : { lock_timeout: String(options.lockMaxMs) }),
    ...options.sessionSettings,
  };
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(options.service === undefined ? {} : { application_name: `${options.service} ${randomUUID()}` }),
  };
  const watch = createConnectionWatch(() => new UnbreakableClient(connection), options.lockMaxMs);
  const pool = watch.openPool({
    ...connection,
    max,
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  pool.on('error', options.onIdleError ?? (() => undefined));
  let isDistributed: boolean;
  try {
    const { rows } = await pool.query<{ found: boolean }>(
      `SELECT to_regclass('${DISTRIBUTION}') IS NOT NULL AS found`,
    );
    isDistributed = rows[0]!.found;
  } catch (error) {
    await pool.end();
    // The line that ends a start names what is at fault.
    throw Object.assign(error as Error, { dependency: 'postgres', setting: 'DATABASE_URL' });
  }
  return {
    kind: 'postgres',
    isDistributed,
    adapter: new PrismaPg(pool),
    ...sqlOf(pool, isDistributed),
    transaction: transactionOf(pool, isDistributed),
    async exclusively(lockName, work) {
      // A session lock on a connection of its own: it ends with the work, or with the process.
      const client = new UnbreakableClient(connection);
      if (options.onIdleError !== undefined) client.on('error', options.onIdleError);
      await client.connect();
      try {
        await client.query('SELECT pg_advisory_lock($1)', [lockNumber(lockName)]);
        return await work();
      } finally {
        await client.end();
      }
    },
    async otherProcesses() {
      const { rows } = await pool.query<{ others: number }>(OTHER_PROCESSES);
      return rows[0]!.others;
    },
    poolUsage: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    async ping() {
      if (pool.idleCount > 0 || pool.totalCount < max) return void (await pool.query('SELECT 1'));
      // Every connection is in use, which says nothing about the server.
      const client = new UnbreakableClient({ ...connection, query_timeout: CONNECT_TIMEOUT_MS });
      try {
        await client.connect();
        await client.query('SELECT 1');
      } finally {
        void client.end().catch(() => undefined);
      }
    },
    async close() {
      watch.stop();
      await pool.end();
    },
  };
}

/** Statements over a pool, or over one connection of it. */
export function sqlOf(client: pg.Pool | pg.PoolClient, isDistributed: boolean): Sql {
  return {
    async query<Row>(statement: string, values: readonly unknown[] = [], name?: string) {
      const text = isDistributed ? forDistributedTables(statement) : statement;
      const query = { text, values: values as unknown[], types, ...(name === undefined ? {} : { name }) };
      const { rows, rowCount } = await client.query(query);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    },
    async script(text) {
      await client.query(text);
    },
  };
}

/** Transactions over a pool. */
export function transactionOf(pool: pg.Pool, isDistributed: boolean): Database['transaction'] {
  return async (work, { isolation = 'read committed' } = {}) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    // One that broke under the transaction does not go back to the pool.
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      const result = await work(sqlOf(client, isDistributed));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A client that cannot even roll back is closed instead of going back to the pool inside a
      // transaction.
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.removeListener('error', onError);
      client.release(broken);
    }
  };
}

/** An advisory lock has a number; the name's hash makes one, in the range of a signed 64-bit integer. */
function lockNumber(lockName: string): string {
  return createHash('sha256').update(lockName).digest().readBigInt64BE().toString();
}
