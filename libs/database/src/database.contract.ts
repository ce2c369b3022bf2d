import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Database } from './database.ts';
import { migrate, migrationStatus, resolveMigration } from './migrate.ts';
import { isUniqueViolation } from './sql.ts';

/** A script with semicolons where a naive splitter would cut it. */
const FIRST = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE "note" ("id" TEXT NOT NULL, "body" TEXT NOT NULL DEFAULT 'a;b', CONSTRAINT "note_pkey" PRIMARY KEY ("id"));
-- a comment; with a semicolon
DO $$ BEGIN INSERT INTO note (id) VALUES ('from;block'); END $$;
`;
const SECOND = 'CREATE INDEX "note_body_idx" ON "note" USING GIN ("body" gin_trgm_ops);';
/**
 * The promises of `Database` and of the migration functions, for every implementation; `open` gives an empty
 * one.
 */
export function databaseContract(name: string, open: () => Promise<Database>): void {
  describe(`${name} database`, () => {
    let database: Database;
    let folder: string;

    const addMigration = async (migration: string, sql: string) => {
      await mkdir(join(folder, 'migrations', migration), { recursive: true });
      await writeFile(join(folder, 'migrations', migration, 'migration.sql'), sql);
    };
    const migrations = () => join(folder, 'migrations');

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'migrations-'));
      await addMigration('20260101000000_first', FIRST);
      await writeFile(join(folder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
      database = await open();
    });
    afterAll(async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('migrate reports what is pending, applies it once, and then has nothing to do', async () => {
      expect(await migrationStatus(database, migrations())).toEqual({
        pending: ['20260101000000_first'],
        edited: [],
        failed: [],
      });
      expect(await migrate(database, migrations())).toEqual(['20260101000000_first']);
      expect(await migrate(database, migrations())).toEqual([]);
      expect((await database.query('SELECT id, body FROM note')).rows).toEqual([
        { id: 'from;block', body: 'a;b' },
      ]);
    });

    it('migrate writes nothing where nothing is pending, as on a full disk', async () => {
      covers('PLAT-D.8');
      await migrate(database, migrations());
      await database.transaction(async (sql) => {
        await sql.query('SET TRANSACTION READ ONLY');
        expect(await migrate({ ...database, ...sql }, migrations())).toEqual([]);
      });
    });

    it('migrate applies only what is pending', async () => {
      await addMigration('20260102000000_second', SECOND);
      expect(await migrate(database, migrations())).toEqual(['20260102000000_second']);
    });

    it('migrate stops when an applied migration was edited', async () => {
      await addMigration('20260102000000_second', `${SECOND}\n-- edited`);
      await expect(migrate(database, migrations())).rejects.toThrow('changed after it was applied');
      await addMigration('20260102000000_second', SECOND);
    });

    it('migrate leaves nothing of a migration that fails half-way, and applies it once it is corrected', async () => {
      covers('PLAT-O.7');
      await addMigration('20260103000000_broken', 'CREATE TABLE half (id int); SELECT nonsense;');
      for (let attempt = 0; attempt < 2; attempt += 1)
        await expect(migrate(database, migrations())).rejects.toThrow(/^20260103000000_broken: .*nonsense/);
      expect((await database.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
      expect(await migrationStatus(database, migrations())).toEqual({
        pending: ['20260103000000_broken'],
        edited: [],
        failed: [],
      });
      await addMigration('20260103000000_broken', 'CREATE TABLE half (id int);');
      expect(await migrate(database, migrations())).toEqual(['20260103000000_broken']);
    });

    it('migrate applies a script that cannot run in a transaction', async () => {
      const script = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "half_id_idx" ON half (id);';
      await addMigration('20260104000000_concurrent', script);
      expect(await migrate(database, migrations())).toEqual(['20260104000000_concurrent']);
      expect(await migrate(database, migrations())).toEqual([]);
    });

    it.each(['applied', 'rolled-back'] as const)(
      'migrate stops at a migration that an earlier version left unfinished, until it is %s',
      async (outcome) => {
        const name = `20260105000000_${outcome}`;
        await addMigration(name, 'SELECT 1;');
        await database.query(
          'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
          [name, createHash('sha256').update('SELECT 1;').digest('hex'), name],
        );
        await expect(migrate(database, migrations())).rejects.toThrow(
          `left unfinished by an earlier version: ${name}`,
        );
        expect((await migrationStatus(database, migrations())).failed).toEqual([name]);
        await resolveMigration(database, migrations(), name, outcome);
        await expect(resolveMigration(database, migrations(), name, outcome)).rejects.toThrow(
          'no unfinished',
        );
        expect(await migrate(database, migrations())).toEqual(outcome === 'applied' ? [] : [name]);
      },
    );

    it('migrate lays tables on several nodes only where the server can, and otherwise changes nothing', async () => {
      covers('PLAT-S.2');
      await writeFile(
        join(migrations(), 'distributed.sql'),
        "CREATE TABLE laid (id int);\nSELECT create_distributed_table('laid', 'id');\n",
      );
      await expect(migrate(database, migrations(), { distributed: true })).rejects.toThrow(
        'this Postgres cannot distribute tables',
      );
      const { rows } = await database.query<{ found: string | null }>(
        "SELECT to_regclass('laid')::text AS found",
      );
      expect(rows[0]!.found).toBeNull();
    });

    it('migrate runs the statements for several nodes in one transaction, once', async () => {
      covers('PLAT-S.2');
      await writeFile(
        join(migrations(), 'distributed.sql'),
        'CREATE TABLE laid (id int);\nDO $$\n  BEGIN\n  INSERT INTO laid VALUES (1);\n  END $$;\n',
      );
      expect(await migrate(database, migrations(), { distributed: true })).toEqual(['distributed']);
      expect(await migrate(database, migrations(), { distributed: true })).toEqual([]);
      expect((await database.query('SELECT id FROM laid')).rows).toEqual([{ id: 1 }]);
    });

    it('the database returns values of the same types on every implementation', async () => {
      const sql = `SELECT 9007199254740991::int8 AS safe, 9007199254740993::int8 AS large, $1::text[] AS list,
        $2::jsonb AS json, timestamptz '2026-01-02T03:04:05.678Z' AS at, true AS yes, NULL AS none`;
      const { rows } = await database.query(sql, [['a', 'b"\\,{}', ''], JSON.stringify({ a: [1] })]);
      expect(rows).toEqual([
        {
          safe: 9007199254740991,
          large: 9007199254740993n,
          list: ['a', 'b"\\,{}', ''],
          json: { a: [1] },
          at: new Date('2026-01-02T03:04:05.678Z'),
          yes: true,
          none: null,
        },
      ]);
    });

    it('the database returns text as it was stored, a leading U+FEFF included, in and outside transactions', async () => {
      const texts = ['\uFEFF', '\uFEFFa', '\uFEFF\uFEFF', 'a\uFEFF', '\uFEFE', '', 'é\uFEFF'];
      const columns = texts.map((_, index) => `$${index + 1}::text AS t${index}`).join(', ');
      const sql = `SELECT ${columns}, NULL AS none, ARRAY[$1::text] AS list FROM generate_series(1, 2)`;
      const row = {
        ...Object.fromEntries(texts.map((text, index) => [`t${index}`, text])),
        none: null,
        list: ['\uFEFF'],
      };
      expect((await database.query(sql, texts)).rows).toEqual([row, row]);
      const inside = await database.transaction((tx) => tx.query(sql, texts));
      expect(inside.rows).toEqual([row, row]);
    });

    it('the database counts rows written and names the constraint violated', async () => {
      const insert = 'INSERT INTO note (id) SELECT unnest($1::text[])';
      expect((await database.query(insert, [['p', 'q']])).rowCount).toBe(2);
      const error: unknown = await database.query(insert, [['p']]).catch((caught: unknown) => caught);
      expect(isUniqueViolation(error, 'note_pkey')).toBe(true);
      expect(isUniqueViolation(error, 'other_key')).toBe(false);
    });

    it('a transaction that resolves is committed, and one that throws is undone', async () => {
      const write = (id: string) =>
        database.transaction((sql) => sql.query('INSERT INTO note (id) VALUES ($1)', [id]));
      await write('kept');
      const undone = database.transaction(async (sql) => {
        await sql.query("INSERT INTO note (id) VALUES ('undone')");
        throw new Error('changed my mind');
      });
      await expect(undone).rejects.toThrow('changed my mind');
      const { rows } = await database.query("SELECT id FROM note WHERE id IN ('kept', 'undone')");
      expect(rows).toEqual([{ id: 'kept' }]);
    });

    it('the database keeps concurrent transactions apart', async () => {
      const increment = () =>
        database.transaction(async (sql) => {
          const { rows } = await sql.query<{ body: string }>(
            "SELECT body FROM note WHERE id = 'n' FOR UPDATE",
          );
          await sql.query("UPDATE note SET body = $1 WHERE id = 'n'", [String(Number(rows[0]!.body) + 1)]);
        });
      await database.query("INSERT INTO note (id, body) VALUES ('n', '0')");
      await Promise.all(Array.from({ length: 8 }, increment));
      expect((await database.query("SELECT body FROM note WHERE id = 'n'")).rows).toEqual([{ body: '8' }]);
    });

    it('the database sets the isolation level asked for', async () => {
      const level = await database.transaction(
        async (sql) => (await sql.query('SHOW transaction_isolation')).rows[0],
        { isolation: 'serializable' },
      );
      expect(level).toEqual({ transaction_isolation: 'serializable' });
    });
  });
}
