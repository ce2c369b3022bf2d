import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type PGliteInterface, type Transaction } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { keepLeadingBom } from './pglite-text.ts';
import { parseInt8, type Sql } from './sql.ts';
import { withScripts } from './script-adapter.ts';

const parsers = { 20: parseInt8 };
/** What a database begins as (`generate.mjs`): beside the bundle where there is one, else in the workspace. */
const EMPTY_CLUSTER = new URL(
  import.meta.url.endsWith('.js') ? './empty-cluster.tar.gz' : './generated/empty-cluster.tar.gz',
  import.meta.url,
);

/**
 * Opens PGlite in `folder`, made if absent, or in memory for null. The folder is locked for this process until
 * `close`. Errors: FolderInUse.
 */
export async function openPglite(folder: string | null): Promise<Database> {
  const unlock = folder === null ? async () => undefined : await lockFolder(folder);
  try {
    const pglite = await startPglite(folder);
    return {
      kind: 'pglite',
      adapter: adapterOf(pglite),
      ...sqlOf(pglite),
      transaction: (work, { isolation = 'read committed' } = {}) =>
        pglite.transaction(async (tx) => {
          await tx.query(`SET TRANSACTION ISOLATION LEVEL ${isolation}`);
          return work(sqlOf(tx));
        }),
      // The folder lock already keeps every other process out.
      exclusively: (_lockName, work) => work(),
      poolUsage: () => null,
      async ping() {
        await pglite.query('SELECT 1');
      },
      async close() {
        if (!pglite.closed) await pglite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function startPglite(folder: string | null): Promise<PGlite> {
  if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
  const isNew = folder === null || !existsSync(join(folder, 'PG_VERSION'));
  const pglite = await PGlite.create(folder ?? 'memory://', {
    extensions: { btree_gin, pg_trgm },
    // Without it PGlite runs initdb, which comes to the same and takes seconds of the processor.
    ...(isNew && existsSync(EMPTY_CLUSTER) ? { loadDataDir: new Blob([await readFile(EMPTY_CLUSTER)]) } : {}),
  });
  keepLeadingBom(pglite);
  return pglite;
}

function sqlOf(client: PGliteInterface | Transaction): Sql {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows, affectedRows } = await client.query<Row>(text, values as unknown[], { parsers });
      return { rows, rowCount: affectedRows || rows.length };
    },
    async script(text) {
      await client.exec(text);
    },
  };
}

function adapterOf(pglite: PGlite): SqlMigrationAwareDriverAdapterFactory {
  const factory = withScripts(new PrismaPGlite(pglite), async (script) => {
    await pglite.transaction((tx) => tx.exec(script));
  });
  return {
    ...factory,
    // A shadow database needs the same extensions, or a migration that creates one cannot be replayed.
    async connectToShadowDb() {
      const shadow = await startPglite(null);
      const adapter = await adapterOf(shadow).connect();
      adapter.dispose = () => shadow.close();
      return adapter;
    },
  };
}
