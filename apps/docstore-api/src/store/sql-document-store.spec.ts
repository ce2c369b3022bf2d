import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { Database } from '@platform/database';
import { schemaDrift } from '@platform/database/drift';
import { openMigrated } from '@platform/database/migrated';
import { startPostgres, type Postgres } from '@platform/testing';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { ANY_VERSION } from '../rules/precondition.ts';
import { createFileId } from '../rules/file-id.ts';
import { documentStoreContract } from './document-store.contract.ts';
import type { DocumentStore, DocumentWriter, QuotaLimits } from './document-store.ts';
import { createPrisma } from './prisma.ts';
import { createSqlDocumentStore } from './sql-document-store.ts';
import { createSqlDocumentWriter } from './sql-document-writer.ts';

const PRISMA = fileURLToPath(new URL('../../../../prisma/docstore/', import.meta.url));
const OPTIONS = { versionsKept: 5 };

let postgres: Postgres;
let database: Database;
async function openStore(url: string) {
  database = await openMigrated(url, `${PRISMA}migrations`);
  return createSqlDocumentStore(database, createPrisma(database), OPTIONS);
}

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

documentStoreContract(
  'Postgres',
  async () => openStore(await postgres.createDatabase()),
  () => database.close(),
);
documentStoreContract(
  'PGlite',
  () => openStore('pglite:memory://'),
  () => database.close(),
);

/**
 * A statement that waits for another's row sees everything else as it was when it began. These writes begin
 * before another commits and go on after it, which no timing has to bring about: the one in the transaction
 * is waited for.
 */
describe('a write that waited for another of the same document', () => {
  const LIMITS: QuotaLimits = { documentsMax: 10, bytesMax: 100 };
  const now = new Date('2026-01-01T00:00:00Z');
  let store: DocumentStore;
  beforeAll(async () => {
    store = await openStore(await postgres.createDatabase());
  });
  afterAll(() => database.close());

  const write = async (to: DocumentWriter, owner: string, id: string, size: number) =>
    to.update(
      owner,
      {
        id,
        condition: ANY_VERSION,
        newEtag: createEtag(),
        contents: await prepareContents('x'.repeat(size)),
        now,
      },
      LIMITS,
    );
  /**
   * Runs `second` while `first` is written and not committed, and gives what the second came to after the
   * commit.
   */
  async function after<T>(
    first: (store: DocumentWriter) => Promise<unknown>,
    second: () => Promise<T>,
  ): Promise<T> {
    let outcome: Promise<T> | undefined;
    await database.transaction(async (sql) => {
      await first(createSqlDocumentWriter(sql, OPTIONS));
      outcome = second();
      outcome.catch(() => undefined);
      await waiting(1);
    });
    return outcome!;
  }
  /** Resolves once this many statements wait for a lock. */
  async function waiting(statements: number): Promise<void> {
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await database.query(waits)).rows.length < statements);
  }
  async function create(owner: string, size: number): Promise<string> {
    const id = createFileId(now);
    const contents = await prepareContents('x'.repeat(size));
    const document = { id, etag: createEtag(), filename: id, metadata: {}, contents, now };
    expect(await store.create(owner, document, LIMITS)).toMatchObject({ kind: 'written' });
    return id;
  }

  it('a write that waited for another writer counts from the quota that the other left', async () => {
    const id = await create('grown', 0);
    const outcome = await after(
      (other) => write(other, 'grown', id, 5),
      () => write(store, 'grown', id, 0),
    );
    expect(outcome).toMatchObject({ kind: 'written', head: { version: 3 } });
    expect(await store.usage('grown')).toEqual({ documents: 1, bytes: 5 });
  });

  it('a write that waited for another writer subtracts the size that the other left', async () => {
    const id = await create('removed', 0);
    const outcome = await after(
      (other) => write(other, 'removed', id, 5),
      () => store.remove('removed', { id, condition: ANY_VERSION, now: new Date() }, LIMITS),
    );
    expect(outcome).toEqual({ kind: 'removed' });
    expect(await store.usage('removed')).toEqual({ documents: 0, bytes: 0 });
  });

  it('a write that waited for another writer has the room that the other freed', async () => {
    const [id, gone] = [await create('shrunk', 40), await create('shrunk', 60)];
    const outcome = await after(
      (other) => other.remove('shrunk', { id: gone, condition: ANY_VERSION, now }, LIMITS),
      () => write(store, 'shrunk', id, 60),
    );
    expect(outcome).toMatchObject({ kind: 'written' });
    expect(await store.usage('shrunk')).toEqual({ documents: 1, bytes: 100 });
  });

  it('a rename that waited for another writer keeps the contents that the other wrote', async () => {
    const id = await create('named', 1);
    const outcome = await after(
      (other) => write(other, 'named', id, 5),
      () =>
        store.update(
          'named',
          { id, condition: ANY_VERSION, newEtag: createEtag(), filename: 'new', now },
          LIMITS,
        ),
    );
    expect(outcome).toMatchObject({ kind: 'written', head: { version: 3, filename: 'new', size: 5 } });
    expect(await store.find('named', id)).toMatchObject({ filename: 'new', contents: 'xxxxx' });
    expect(await store.usage('named')).toEqual({ documents: 1, bytes: 1 + 5 + 5 });
  });

  it("a removal does not deadlock with a write that wants the document's name", async () => {
    const [id, other] = [await create('renaming', 1), await create('renaming', 1)];
    const contents = await prepareContents('');
    const wanted = { id: createFileId(now), etag: createEtag(), filename: id, metadata: {}, contents, now };
    let removal: Promise<unknown> | undefined;
    await database.transaction(async (sql) => {
      const inside = createSqlDocumentWriter(sql, OPTIONS);
      await write(inside, 'renaming', other, 1);
      removal = store.remove('renaming', { id, condition: ANY_VERSION, now: new Date() }, LIMITS);
      removal.catch(() => undefined);
      await waiting(1);
      expect(await inside.create('renaming', wanted, LIMITS)).toEqual({ kind: 'filename_taken' });
    });
    expect(await removal).toEqual({ kind: 'removed' });
    expect(await store.usage('renaming')).toEqual({ documents: 1, bytes: 1 });
  });

  it('a write that waited for another writer does not have the room that the other took', async () => {
    const [one, two] = [await create('full', 20), await create('full', 20)];
    const outcome = await after(
      (other) => write(other, 'full', one, 40),
      () => write(store, 'full', two, 41),
    );
    expect(outcome).toEqual({ kind: 'quota_exceeded', quota: 'bytes' });
    expect(await store.usage('full')).toEqual({ documents: 2, bytes: 80 });
  });
});

describe('prisma/docstore', () => {
  it('the migrations of prisma/docstore lead to its schema', async () => {
    expect(await schemaDrift(`${PRISMA}migrations`, `${PRISMA}schema.prisma`)).toBeNull();
  });
});
