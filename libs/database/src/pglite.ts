import { realpath } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Database, DatabaseOptions } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { isAlmostFull, startChores } from './pglite-chores.ts';
import { PgliteConnection } from './pglite-connection.ts';
import { sqlOf, transactionOf } from './postgres.ts';
import { UnbreakableClient } from './unbreakable-client.ts';

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

/**
 * Opens PGlite in `given`, made if absent, or in memory for null. The folder is locked for this process
 * until `close`, and what was committed in it is on disk. Errors: FolderInUse; one with SQLSTATE disk_full
 * for a disk without room to open it.
 */
export async function openPglite(
  given: string | null,
  { warn = () => undefined, onPanic = () => undefined }: Pick<DatabaseOptions, 'warn' | 'onPanic'> = {},
): Promise<Database> {
  const unlock = given === null ? async () => undefined : await lockWithRoom(given);
  try {
    // PGlite's file system opens no link.
    const folder = given === null ? null : await realpath(given);
    const connection = await PgliteConnection.open(folder, (error) => onPanic(error as Error));
    const pool = new OneConnection(connection);
    const sql = sqlOf(pool, false);
    const stopChores =
      folder === null ? async () => undefined : await startChores(sql, { folder, log: connection, warn });
    return {
      kind: 'pglite',
      isDistributed: false,
      adapter: new PrismaPg(pool),
      ...sql,
      transaction: transactionOf(pool, false),
      // The folder lock already keeps every other process out.
      exclusively: (_lockName, work) => work(),
      otherProcesses: async () => 0,
      poolUsage: () => null,
      async ping() {
        // A database that works on a statement is available.
        if (pool.totalCount === 0 || pool.idleCount > 0) await sql.query('SELECT 1');
      },
      async close() {
        await stopChores();
        await pool.end();
        await connection.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    // PGlite aborts without a word of the cause.
    if (given !== null && isAlmostFull(given)) throw diskFull(given, error);
    throw error;
  }
}

/** `lockFolder`, whose file may be what the disk has no room for. */
async function lockWithRoom(folder: string): Promise<() => Promise<void>> {
  try {
    return await lockFolder(folder);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(folder, error) : error;
  }
}

function diskFull(folder: string, cause: unknown): Error {
  const message = `the disk of ${folder} is full: the embedded database opens once there is room`;
  return Object.assign(new Error(message, { cause }), { code: DISK_FULL });
}

/** A pool with PGlite's one connection, which errors of statements do not end as they do in pg's pool. */
class OneConnection extends pg.Pool {
  constructor(connection: PgliteConnection) {
    super({
      max: 1,
      idleTimeoutMillis: 0,
      host: 'embedded',
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      stream: () => connection.stream(),
      Client: UnbreakableClient,
    });
    this.on('error', () => undefined);
    this.on('connect', (client) => {
      const { connection: messages } = client as unknown as { connection: NodeJS.EventEmitter };
      messages.on('errorMessage', (error: pg.DatabaseError) => {
        if (error.severity === 'PANIC' || error.severity === 'FATAL') connection.panic(error);
      });
    });
  }

  // oxlint-disable-next-line no-explicit-any -- pg's own overloads take a query, a config or an object of its own
  override async query(...args: any[]): Promise<any> {
    const client = await this.connect();
    try {
      return await client.query(...(args as [string]));
    } finally {
      client.release();
    }
  }
}
