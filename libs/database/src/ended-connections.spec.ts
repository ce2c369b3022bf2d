import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { once, type EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { startPostgres, type Postgres } from '@platform/testing';
import { createConnectionWatch } from './connection-watch.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { isUnavailable, isUnreachable } from './sql.ts';
import { UnbreakableClient } from './unbreakable-client.ts';

const embeddedFolder = fileURLToPath(new URL('unused', import.meta.url));
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** What Postgres writes to a connection that it ends (PostgreSQL manual, "ErrorResponse"). */
const FATAL = messageOf(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
);
/** What a response ends with, "ReadyForQuery", without its last byte, which is a status. */
const READY = messageOf('Z', 'I').subarray(0, -1);

function messageOf(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

/**
 * Leads to Postgres, and ends a connection in the same packet as the `fatal`th response over any of them, as
 * a backend does that is told to end while it responds.
 */
async function openEndingWay(target: URL, fatal: number) {
  let responses = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      if (bytes.subarray(-6, -1).equals(READY) && ++responses === fatal) {
        client.end(Buffer.concat([bytes, FATAL]));
        upstream.destroy();
      } else client.write(bytes);
    });
    upstream.on('close', () => client.end());
    client.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = Object.assign(new URL(target), {
    hostname: '127.0.0.1',
    port: String((server.address() as AddressInfo).port),
  });
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: url.href, close };
}

/** Statements within and outside of transactions, the library's and Prisma's, that wait for each other. */
function startLoad(database: Database): Promise<PromiseSettledResult<unknown>[]> {
  const ofPrisma = async () => {
    const connection = await database.adapter.connect();
    try {
      await (await connection.startTransaction()).commit();
    } finally {
      await connection.dispose();
    }
  };
  return Promise.allSettled([
    database.query('SELECT 1'),
    database.query('SELECT 2'),
    database.transaction((sql) => sql.query('SELECT 3')),
    ofPrisma(),
    database.query('SELECT 4'),
    database.ping(),
    database.exclusively('lock', async () => database.query('SELECT 5')),
  ]);
}

function expectNothingButUnavailable(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(reasons.filter((reason) => !isUnavailable(reason) && !isUnavailable(driverErrorOf(reason)))).toEqual(
    [],
  );
}

/** Prisma's client wraps the errors of its adapter, which stands alone here. */
function driverErrorOf(reason: unknown): unknown {
  return { meta: { driverAdapterError: reason } };
}

describe('a connection that Postgres ends', () => {
  it('a connection that Postgres ends at whatever response costs the statements that it held, and not the process', async () => {
    covers('PLAT-W.10');
    const target = new URL(await postgres.createDatabase());
    for (let fatal = 1; fatal <= 16; fatal++) {
      const way = await openEndingWay(target, fatal);
      const database = await openDatabase(way.url, { embeddedFolder, connectionsMax: 2 }).catch(
        (error: unknown) => error as Error,
      );
      if (database instanceof Error) expect(isUnreachable(database)).toBe(true);
      else {
        expectNothingButUnavailable(await startLoad(database));
        expectNothingButUnavailable(await startLoad(database));
        expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
        await database.close();
      }
      way.close();
    }
  });

  it('a connection that Postgres ends again and again, at any moment, ends no process and leaves nothing broken behind', async () => {
    covers('PLAT-W.10');
    const url = await postgres.createDatabase();
    const [admin, database] = [
      await openDatabase(await postgres.createDatabase(), { embeddedFolder }),
      await openDatabase(url, { embeddedFolder, connectionsMax: 3 }),
    ];
    const name = new URL(url).pathname.slice(1);
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) expectNothingButUnavailable(await startLoad(database));
    });
    for (let round = 0; round < 60; round++) {
      await sleep(40 * Math.random());
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    }
    isOver = true;
    await Promise.all(load);
    expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await Promise.all([admin.close(), database.close()]);
  });

  it('a connection reports errors at every moment of its life, and ends no process', async () => {
    covers('PLAT-W.10');
    const connectionString = await postgres.createDatabase();
    const watch = createConnectionWatch(() => new UnbreakableClient(connectionString));
    const breaks = new Error('Connection terminated: by the test');
    const clients: EventEmitter[] = [new UnbreakableClient(connectionString)];
    for (const moment of ['connect', 'acquire', 'release', 'remove']) {
      const pool: EventEmitter & pg.Pool = watch.openPool({ connectionString });
      pool.on('error', () => undefined);
      // `release` names an error first.
      pool.on(moment, (...named: EventEmitter[]) => named.at(-1)!.emit('error', breaks));
      const client = await pool.connect();
      clients.push(client);
      client.emit('error', breaks);
      client.release();
      await pool.end();
    }
    // Before any connection, and after its end.
    for (const client of clients) expect(() => client.emit('error', breaks)).not.toThrow();
    watch.stop();
  });
});
