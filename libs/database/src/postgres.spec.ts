import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { startPostgres, type Postgres } from '@platform/testing';
import { databaseContract } from './database.contract.ts';
import { openDatabase } from './database.ts';
import { isUnreachable } from './sql.ts';

const embeddedFolder = fileURLToPath(new URL('unused', import.meta.url));
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

databaseContract('Postgres', async () => openDatabase(await postgres.createDatabase(), { embeddedFolder }));

describe('openDatabase on Postgres', () => {
  it('runs exclusive work one at a time, over connections of different processes', async () => {
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

  it('says why Postgres is not reached', async () => {
    const error: unknown = await openDatabase('postgres://127.0.0.1:1/none', { embeddedFolder }).catch(
      (refused: unknown) => refused,
    );
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(isUnreachable(error)).toBe(true);
  });

  it('tells a server that went away from one that refuses what it is asked', async () => {
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder });
    const failing = (text: string) => database.query(text).catch((error: unknown) => error);
    expect(isUnreachable(await failing('SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(true);
    expect(isUnreachable(await failing('SELECT nonsense'))).toBe(false);
    expect(isUnreachable(await failing('SELECT 1'))).toBe(false);
    await database.close();
  });

  it('reports a connection that breaks under a transaction, and goes on', async () => {
    const database = await openDatabase(await postgres.createDatabase(), { embeddedFolder });
    const broken = database.transaction(async (sql) => {
      const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      // Nothing is asked on the connection while it breaks; whoever does not listen to it is ended by it.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sql.query('SELECT 1');
    });
    await expect(broken).rejects.toThrow();
    expect((await database.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});
