import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '@platform/database';
import { schemaDrift } from '@platform/database/drift';
import { openMigrated } from '@platform/database/migrated';
import { startPostgres, type Postgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { sessionStoreContract } from './session-store.contract.ts';
import { at, change, entity, json, newSession } from './sessions.fixture.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

const PRISMA = fileURLToPath(new URL('../../../../prisma/investigation/', import.meta.url));

let postgres: Postgres;
let database: Database;
async function openStore(url: string) {
  database = await openMigrated(url, `${PRISMA}migrations`);
  return createSqlSessionStore(database);
}

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

sessionStoreContract(
  'Postgres',
  async () => openStore(await postgres.createDatabase()),
  () => database.close(),
);
sessionStoreContract(
  'PGlite',
  () => openStore('pglite:memory://'),
  () => database.close(),
);

describe('a session of 10,000 claims on Postgres', () => {
  it('changing one claim of a session of 10,000 claims on Postgres rewrites one row, and so does deleting it', async () => {
    const store = await openStore(await postgres.createDatabase());
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

describe('a session store on a locked table', () => {
  it.each([
    ['a statement that lasts too long', { statementMaxMs: 50 }, '57014'],
    ['a lock that is not free in time', { lockMaxMs: 50 }, '55P03'],
  ])('%s is an unavailable database, also through Prisma', async (_, limits, code) => {
    covers('PLAT-W.7');
    const url = await postgres.createDatabase();
    const store = await openStore(url);
    const ref = await newSession(store);
    const hurried = await openDatabase(url, { embeddedFolder: 'unused', ...limits });
    const waiting = createSqlSessionStore(hurried);
    await database.transaction(async (sql) => {
      await sql.query('LOCK TABLE sessions');
      await expect(waiting.setInterpretation(ref, null, at(2))).rejects.toMatchObject({
        kind: 'unavailable',
        code,
      });
    });
    await Promise.all([hurried.close(), database.close()]);
  });
});

describe.each(['Postgres', 'PGlite'])('the migration of shares on %s', (kind) => {
  it('the migration of shares removes earlier judgements from existing snapshots, and nothing else', async () => {
    covers('INV-S.26');
    const store = await openStore(kind === 'Postgres' ? await postgres.createDatabase() : 'pglite:memory://');
    const kept = {
      session_name: 'A name with ,"judgements":[ and ,"input":{ in it, and a NUL: \0',
      interpretation: ',"judgements":[',
      judgement: { id: 'published' },
    };
    const input = { research_question: ',"previous":', claims: [{ judgements: [], input: {} }] };
    const old = {
      ...kept,
      judgements: [{ id: 'published' }, { id: 'secret' }],
      previous: { id: 'secret', result: { warnings: [',"input":{ \0'] } },
      input,
    };
    const now = at(1);
    const ids = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
    for (const [n, snapshot] of [old, { ...kept, input }].entries()) {
      const ref = await newSession(store);
      await store.putShare(ref, {
        slug: 's',
        preferredPane: 'mesh',
        isPublic: true,
        snapshot: json(snapshot),
        version: null,
        now,
        newShareUuid: ids[n]!,
      });
    }
    const folder = `${PRISMA}migrations/20261122000000_shares_show_one_judgement`;
    await database.query(readFileSync(`${folder}/migration.sql`, 'utf8'), []);
    for (const id of ids) {
      expect(await store.readPublicSnapshot(id, now)).toBe(JSON.stringify({ ...kept, input }));
    }
    await database.close();
  });
});

describe.each(['Postgres', 'PGlite'])('a session that an earlier version wrote on %s', (kind) => {
  it('the claims of a session without a kept count are counted by the list, and kept from the next write on', async () => {
    covers('INV-S.39');
    const store = await openStore(kind === 'Postgres' ? await postgres.createDatabase() : 'pglite:memory://');
    const ref = await newSession(store, { entities: [entity('claims', 'a'), entity('claims', 'b')] });
    const query = {
      tenantId: ref.tenantId,
      ownerId: 'owner',
      holder: { userId: 'owner', lease: null },
      sort: 'name',
      limit: 9,
      offset: 0,
    } as const;
    const counts = async () => {
      const { rows } = await database.query<{ kept: number | null }>(
        'SELECT claim_count AS kept FROM sessions',
      );
      return [(await store.list(query))[0]!.claimCount, rows[0]!.kept];
    };
    expect(await counts()).toEqual([2, 2]);
    await database.query('UPDATE sessions SET claim_count = NULL');
    expect(await counts()).toEqual([2, null]);
    await store.update(ref, change({ upserts: [entity('claims', 'c')] }));
    expect(await counts()).toEqual([3, 3]);
    await database.close();
  });
});

describe('prisma/investigation', () => {
  it('the migrations of prisma/investigation lead to its schema', async () => {
    expect(await schemaDrift(`${PRISMA}migrations`, `${PRISMA}schema.prisma`)).toBeNull();
  });
});
