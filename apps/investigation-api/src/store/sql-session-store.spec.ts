import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, schemaDrift, type Database } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { sessionStoreContract } from './session-store.contract.ts';
import { at, change, entity, newSession } from './sessions.fixture.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const PRISMA = fileURLToPath(new URL('../../../../prisma/investigation/', import.meta.url));

let postgres: Postgres;
let database: Database;
async function openMigrated(url: string) {
  database = await openDatabase(url, { embeddedFolder: 'unused' });
  await migrate(database, `${PRISMA}migrations`);
  return createSqlSessionStore(database);
}

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

sessionStoreContract(
  'Postgres',
  async () => openMigrated(await postgres.createDatabase()),
  () => database.close(),
);
sessionStoreContract(
  'PGlite',
  () => openMigrated('pglite:memory://'),
  () => database.close(),
);

describe('a session of 10,000 claims on Postgres', () => {
  it('has one row rewritten by a change of one claim, and one by its deletion', async () => {
    const store = await openMigrated(await postgres.createDatabase());
    const entities = Array.from({ length: 10_000 }, (_, n) => entity('claims', `c${n}`, { n }));
    const ref = await newSession(store, { entities });
    // Where each row version lies and which transaction wrote it: a rewritten row has another pair.
    const versions = async () => {
      const { rows } = await database.query<{ id: string; version: string }>(
        `SELECT body::json ->> 'id' AS id, xmin || ' ' || ctid AS version FROM session_entities`,
      );
      return new Map(rows.map(({ id, version }) => [id, version]));
    };
    const changed = (before: Map<string, string>, after: Map<string, string>) =>
      [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));

    const first = await versions();
    expect(first.size).toBe(10_000);
    await store.update(ref, change({ upserts: [entity('claims', 'c5000', { n: -1 })] }));
    const second = await versions();
    expect(changed(first, second)).toEqual(['c5000']);
    await store.update(
      ref,
      change({ upserts: [entity('claims', 'added')], name: 'Renamed', settings: { domain: 'News' } }),
    );
    const third = await versions();
    expect(changed(second, third)).toEqual(['added']);
    await store.deleteEntity(ref, { kind: 'claims', id: 'c1' }, at(9));
    expect(changed(third, await versions())).toEqual(['c1']);
    await database.close();
  });
});

describe('prisma/investigation', () => {
  it('has migrations that lead to its schema', async () => {
    expect(await schemaDrift(`${PRISMA}migrations`, `${PRISMA}schema.prisma`)).toBeNull();
  });
});
