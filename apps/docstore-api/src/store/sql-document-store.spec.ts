import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase, schemaDrift, type Database } from '@platform/database';
import { startPostgres, type Postgres } from '@platform/testing';
import { documentStoreContract } from './document-store.contract.ts';
import { createSqlDocumentStore } from './sql-document-store.ts';

const PRISMA = fileURLToPath(new URL('../../../../prisma/docstore/', import.meta.url));
const OPTIONS = { versionsKept: 5 };

let postgres: Postgres;
let database: Database;
async function openMigrated(url: string) {
  database = await openDatabase(url, { embeddedFolder: 'unused' });
  await migrate(database, `${PRISMA}migrations`);
  return createSqlDocumentStore(database, OPTIONS);
}

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

documentStoreContract(
  'Postgres',
  async () => openMigrated(await postgres.createDatabase()),
  () => database.close(),
);
documentStoreContract(
  'PGlite',
  () => openMigrated('pglite:memory://'),
  () => database.close(),
);

describe('prisma/docstore', () => {
  it('has migrations that lead to its schema', async () => {
    expect(await schemaDrift(`${PRISMA}migrations`, `${PRISMA}schema.prisma`)).toBeNull();
  });
});
