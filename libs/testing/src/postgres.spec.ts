import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPostgres, type Postgres } from './postgres.ts';
import { PartUnavailable } from './tier.ts';

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('startPostgres starts a server that runs SQL', async () => {
    expect(await rows(postgres.url, 'SELECT 1 + 1 AS two')).toEqual([{ two: 2 }]);
  });

  it('startPostgres gives each test a database of its own', async () => {
    const one = await postgres.createDatabase();
    const other = await postgres.createDatabase();
    await rows(one, 'CREATE TABLE t (n int)');
    await expect(rows(other, 'SELECT * FROM t')).rejects.toThrow('does not exist');
  });

  it('copies a template, tables and rows', async () => {
    const template = await postgres.createDatabase();
    await rows(template, 'CREATE TABLE t AS SELECT 7 AS n');
    const copy = await postgres.createDatabase(new URL(template).pathname.slice(1));
    expect(await rows(copy, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
  });

  it('copyDatabase fills a template once for all who ask at the same time', async () => {
    let fills = 0;
    const fill = async (url: string) => {
      fills += 1;
      await rows(url, 'CREATE TABLE t AS SELECT 7 AS n');
    };
    const copies = await Promise.all([1, 2, 3].map(() => postgres.copyDatabase('template_of_sevens', fill)));
    await rows(copies[0] as string, 'DELETE FROM t');
    expect(await rows(copies[2] as string, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
    expect([new Set(copies).size, fills]).toEqual([3, 1]);
  });

  it('copyDatabase leaves no template behind when filling it fails', async () => {
    const failing = postgres.copyDatabase('template_of_nothing', () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
    const copy = await postgres.copyDatabase('template_of_nothing', async (url) => {
      await rows(url, 'CREATE TABLE t AS SELECT 8 AS n');
    });
    expect(await rows(copy, 'SELECT n FROM t')).toEqual([{ n: 8 }]);
  });

  it('startPostgres uses the server that TEST_DATABASE_URL names and leaves it running', async () => {
    const named = await startPostgres({ TEST_DATABASE_URL: postgres.url });
    expect(named.url).toBe(postgres.url);
    const database = new URL(await named.createDatabase()).pathname.slice(1);
    await named.stop();
    expect(await rows(postgres.url, `SELECT 1 FROM pg_database WHERE datname = '${database}'`)).toEqual([]);
  });
});

describe('PartUnavailable', () => {
  it('PartUnavailable lists what was tried and how to get the part', async () => {
    const { takeFirst } = await import('./tier.ts');
    const tiers = [
      { name: 'absent', get: async () => null },
      { name: 'broken', get: () => Promise.reject(new Error('no route')) },
    ];
    const failed = takeFirst('postgres', tiers, 'install it');
    await expect(failed).rejects.toThrow(PartUnavailable);
    await expect(failed).rejects.toThrow(/absent: not here\n.*broken: no route\n.*install it/);
  });
});
