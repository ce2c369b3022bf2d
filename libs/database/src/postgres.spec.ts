import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import {
  openTcpProxy,
  startPostgres,
  type Direction,
  type Postgres,
  type Severable,
} from '@platform/testing';
import { createConnectionWatch } from './connection-watch.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { databaseContract } from './database.contract.ts';
import { openDatabase } from './open-database.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { defineServiceDatabase } from './service-database.ts';
import { isUnreachable, type Sql } from './sql.ts';
import { UnbreakableClient } from './unbreakable-client.ts';

const embeddedFolder = fileURLToPath(new URL('unused', import.meta.url));
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

databaseContract('Postgres', async () => openDatabase(await postgres.createDatabase(), { embeddedFolder }));

describe('openDatabase on Postgres', () => {
  it('openDatabase on Postgres runs exclusive work one at a time, over connections of different processes', async () => {
    const url = await postgres.createDatabase();
    const [one, other] = await Promise.all([
      openDatabase(url, { embeddedFolder }),
      openDatabase(url, { embeddedFolder }),
    ]);
    const trace: string[] = [];
    const work = (who: string) => async () => {
      trace.push(`${who} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      trace.push(`${who} out`);
    };
    await Promise.all([one.exclusively('lock', work('a')), other.exclusively('lock', work('b'))]);
    expect([
      ['a in', 'a out', 'b in', 'b out'],
      ['b in', 'b out', 'a in', 'a out'],
    ]).toContainEqual(trace);
    await Promise.all([one.close(), other.close()]);
  });

  it('openDatabase on Postgres tells how many other processes have the database open for the same service', async () => {
    const [url, elsewhere] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const open = (service?: string, at = url) =>
      openDatabase(at, { embeddedFolder, ...(service === undefined ? {} : { service }) });
    const [one, other, third] = [
      await open('authz-grpc'),
      await open('authz-grpc'),
      await open('docstore-api'),
    ];
    const more = [await open(), await open('authz-grpc', elsewhere)];
    expect(await Promise.all([one, other, third].map((database) => database.otherProcesses()))).toEqual([
      1, 1, 0,
    ]);
    await other.close();
    // A connection that was closed stays listed until its process of Postgres has ended.
    await eventually(() => one.otherProcesses()).toBe(0);
    await Promise.all([one, third, ...more].map((database) => database.close()));
  });

  it('openDatabase on Postgres reports why Postgres is not reached', async () => {
    const error: unknown = await openDatabase('postgres://127.0.0.1:1/none', { embeddedFolder }).catch(
      (refused: unknown) => refused,
    );
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(isUnreachable(error)).toBe(true);
  });

  it('openDatabase on Postgres distinguishes a server that is unavailable from one that refuses a query', async () => {
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder });
    const failing = (text: string) => database.query(text).catch((error: unknown) => error);
    expect(isUnreachable(await failing('SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(true);
    expect(isUnreachable(await failing('SELECT nonsense'))).toBe(false);
    expect(isUnreachable(await failing('SELECT 1'))).toBe(false);
    await database.close();
  });

  it('openDatabase on Postgres reports a connection that breaks in a transaction, and keeps working', async () => {
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder });
    const broken = database.transaction(async (sql) => {
      const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      // Nothing is asked on the connection while it breaks; a process that does not listen for the error
      // would end.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sql.query('SELECT 1');
    });
    await expect(broken).rejects.toThrow();
    expect((await database.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});

/** A database behind a proxy that the test can silence. */
async function openBehindProxy(options: Partial<DatabaseOptions> = {}) {
  const direct = await postgres.createDatabase();
  const url = new URL(direct);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const database = await openDatabase(url.href, { embeddedFolder, connectionsMax: 3, ...options });
  const close = async () => {
    await database.close();
    await proxy.cut();
  };
  return { url: direct, database, proxy, close };
}

/** The rows of a query, tried until the server is known to respond again. */
async function oneAgain(database: Database): Promise<unknown[]> {
  for (;;) {
    try {
      return (await database.query('SELECT 1 AS one')).rows;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe('a Postgres that hangs', () => {
  it.each<[string, Direction | undefined]>([
    ['in both directions', undefined],
    ['before requests arrive', 'requests'],
    ['before responses arrive', 'responses'],
  ])(
    'a Postgres whose packets are lost %s ends the queries that wait, in and outside of transactions, and works again once it responds',
    async (_where, direction) => {
      covers('PLAT-W.1');
      const { database, proxy, close } = await openBehindProxy();
      await Promise.all([1, 2, 3].map(() => database.query('SELECT pg_sleep(0.1)')));
      proxy.silence(direction);
      const lost = await Promise.allSettled([
        database.query('SELECT 1'),
        database.transaction((sql) => sql.query('SELECT 1')),
        database.query('SELECT 1'),
        database.query('SELECT 1'),
      ]);
      for (const outcome of lost) expect(isUnreachable((outcome as PromiseRejectedResult).reason)).toBe(true);
      // A second round of waits is what one deadline for all of them excludes.
      const begun = database.query('SELECT 1').then(
        () => 'a response',
        (error: unknown) => isUnreachable(error),
      );
      expect(await Promise.race([begun, new Promise((resolve) => setImmediate(resolve, 'a wait'))])).toBe(
        true,
      );
      proxy.speak();
      // Every connection of before is silent for good.
      for (let i = 0; i < 3; i++) expect(await oneAgain(database)).toEqual([{ one: 1 }]);
      await close();
    },
  );

  it('a Postgres that hangs ends a query whose connection alone is silent, and no query that the server still runs', async () => {
    covers('PLAT-W.1');
    const { database, proxy, close } = await openBehindProxy();
    const working = database.query<{ slept: string }>("SELECT pg_sleep(6), 'slept' AS slept");
    expect((await working).rows[0]?.slept).toBe('slept');
    proxy.silence();
    const lost = database.query('SELECT 1').catch((error: unknown) => error);
    proxy.speak();
    expect(isUnreachable(await lost)).toBe(true);
    expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await close();
  });

  it('a Postgres that hangs and then breaks the connections that waited for it is asked again until it responds', async () => {
    covers('PLAT-W.1');
    const url = new URL(await postgres.createDatabase());
    const target = { host: url.hostname, port: Number(url.port || 5432) };
    const [way, wayOfProbes] = [await openTcpProxy(target), await openTcpProxy(target)];
    const by = ({ port }: Severable) => Object.assign(new URL(url), { port: String(port) }).href;
    const watch = createConnectionWatch(() => new UnbreakableClient(by(wayOfProbes)));
    const pool = watch.openPool({ connectionString: by(way) });
    pool.on('error', () => undefined);
    const ask = () => pool.query('SELECT 1 AS one').catch((error: unknown) => error);
    /** What is said once it is no longer `past`. */
    const askUntil = async (past: (said: unknown) => boolean) => {
      for (;;) {
        const said = await ask();
        if (!past(said)) return said;
        await sleep(20);
      }
    };
    await ask();
    way.silence();
    wayOfProbes.silence();
    const lost = ask();
    // The server is being asked what it works on when nobody waits for it any more.
    await sleep(2_000);
    await way.cut();
    expect(isUnreachable(await lost)).toBe(true);
    await askUntil((said) => !String(said).includes('does not respond'));
    way.speak();
    wayOfProbes.speak();
    await way.mend();
    expect(await askUntil(isUnreachable)).toMatchObject({ rows: [{ one: 1 }] });
    watch.stop();
    await pool.end();
    await Promise.all([way.cut(), wayOfProbes.cut()]);
  });
});

describe('a Postgres that is read-only', () => {
  it('a Postgres that is read-only is unavailable to writers, who get another connection afterwards', async () => {
    covers('PLAT-W.2');
    const database = await openDatabase(await postgres.createDatabase(), {
      embeddedFolder,
      connectionsMax: 1,
    });
    await database.query('CREATE TABLE written (id int)');
    const pid = async () =>
      (await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const before = await pid();
    const refused = await database
      .transaction(async (sql) => {
        await sql.query('SET TRANSACTION READ ONLY');
        await sql.query('INSERT INTO written VALUES (1)');
      })
      .catch((error: unknown) => error);
    expect([(refused as { code: string }).code, isUnreachable(refused)]).toEqual(['25006', true]);
    expect(await pid()).not.toBe(before);
    await database.close();
  });

  it.each([
    '25006',
    '25P03',
    '25P04',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '08006',
  ])('SQLSTATE %s makes Postgres unavailable', (code) => {
    covers('PLAT-W.2');
    expect(isUnreachable({ code })).toBe(true);
  });
});

describe('locks on Postgres', () => {
  it('locks on Postgres are waited for in seconds by a service, and without limit by its commands', async () => {
    covers('PLAT-W.7');
    const migrations = await mkdtemp(join(tmpdir(), 'none-'));
    const config = { databaseUrl: await postgres.createDatabase(), dataDir: '', databaseConnections: 1 };
    const logger = { warn: () => undefined };
    const service = defineServiceDatabase({
      service: 'waiting',
      prefix: 'WAITING',
      migrations,
      commandLogger: () => logger,
    });
    const limits = async (database: Sql) => {
      const { rows } = await database.query(
        `SELECT current_setting('lock_timeout') AS lock,
                current_setting('idle_in_transaction_session_timeout') AS idle`,
      );
      return rows[0];
    };
    const database = await service.open(config, { logger });
    expect(await database.transaction(limits)).toEqual({ lock: '4s', idle: '5s' });
    expect(await service.use(config, limits)).toEqual({ lock: '0', idle: '5s' });
    await database.close();
    await rm(migrations, { recursive: true });
  });

  it('locks on Postgres are waited for once by a statement that was in the queue for a row when the one before it gave up', async () => {
    covers('PLAT-D.11');
    const url = await postgres.createDatabase();
    const [holder, database] = [
      await openDatabase(url, { embeddedFolder }),
      await openDatabase(url, { embeddedFolder, lockMaxMs: 2_000 }),
    ];
    await holder.script('CREATE TABLE held (id int); INSERT INTO held VALUES (1)');
    const waiting = async () => {
      const text = `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await holder.query<{ n: number }>(text)).rows[0]!.n;
    };
    const codeOfUpdate = () =>
      database.query('UPDATE held SET id = 2').then(
        () => 'updated',
        (error: unknown) => (error as { code?: unknown }).code,
      );
    await holder.transaction(async (sql) => {
      await sql.query('UPDATE held SET id = 3');
      const first = codeOfUpdate();
      await eventually(waiting).toBe(1);
      // Postgres has it wait for its turn, and then, by another limit, for the holder of the row.
      const second = codeOfUpdate();
      expect([await first, await second]).toEqual(['55P03', '57014']);
    });
    expect(await codeOfUpdate()).toBe('updated');
    await Promise.all([holder.close(), database.close()]);
  });

  it('locks on Postgres that a service lost with its network, whose end the server never hears of, get free', async () => {
    covers('PLAT-W.7');
    const { url, database, proxy, close } = await openBehindProxy({
      sessionSettings: { idle_in_transaction_session_timeout: '500' },
    });
    await database.script('CREATE TABLE held (id int); INSERT INTO held VALUES (1)');
    const lost = database.transaction(async (sql) => {
      await sql.query('UPDATE held SET id = 2');
      proxy.silence();
      await sql.query('SELECT 1');
    });
    expect(isUnreachable(await lost.catch((error: unknown) => error))).toBe(true);
    const other = await openDatabase(url, { embeddedFolder });
    expect((await other.query('UPDATE held SET id = 3 WHERE id = 1')).rowCount).toBe(1);
    await other.close();
    proxy.speak();
    await close();
  });
});

describe('migrate on Postgres', () => {
  covers('PLAT-O.7');
  it('migrate on Postgres lets readers pass while it waits for a lock, and applies the migration when the lock is free', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'locked-'));
    const add = async (name: string, script: string) => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'migration.sql'), script);
    };
    await add('1_table', 'CREATE TABLE held (id int); CREATE INDEX held_idx ON held (id);');
    const url = await postgres.createDatabase();
    const open = () => openDatabase(url, { embeddedFolder });
    const [service, migrator] = await Promise.all([open(), open()]);
    await migrate(migrator, folder);
    await add('2_exclusive', 'DROP INDEX held_idx;');

    let waits = 0;
    const twice = new Promise<void>((resolve) => {
      void service.transaction(async (sql) => {
        await sql.query('SELECT count(*) FROM held');
        const migrated = migrate(migrator, folder, {
          lockTimeoutMs: 50,
          pauseMs: 50,
          onWait: () => (waits += 1) === 2 && resolve(),
        });
        await twice;
        // The transaction that holds the lock is still open, and a new reader is not kept waiting by the
        // migration.
        expect((await service.query('SELECT count(*) AS n FROM held')).rows).toEqual([{ n: 0 }]);
        expect((await migrationStatus(service, folder)).pending).toEqual(['2_exclusive']);
        void migrated.then((names) => applied(names));
      });
    });
    let applied: (names: string[]) => void = () => undefined;
    expect(await new Promise<string[]>((resolve) => (applied = resolve))).toEqual(['2_exclusive']);
    await Promise.all([service.close(), migrator.close()]);
    await rm(folder, { recursive: true });
  });

  it('migrate on Postgres leaves neither script nor record behind when its connection ends in the middle', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cut-'));
    await mkdir(join(folder, '1_cut'));
    const script = 'CREATE TABLE cut (id int);';
    await writeFile(
      join(folder, '1_cut', 'migration.sql'),
      `${script} SELECT pg_terminate_backend(pg_backend_pid());`,
    );
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder });
    await expect(migrate(database, folder)).rejects.toThrow();
    expect(await migrationStatus(database, folder)).toEqual({ pending: ['1_cut'], edited: [], failed: [] });
    await writeFile(join(folder, '1_cut', 'migration.sql'), script);
    expect(await migrate(database, folder)).toEqual(['1_cut']);
    await database.close();
    await rm(folder, { recursive: true });
  });
});
