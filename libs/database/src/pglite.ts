import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PGlite, type PGliteInterface, type Transaction } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Database, DatabaseOptions } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { startChores } from './pglite-chores.ts';
import { keepLeadingBom } from './pglite-text.ts';
import { parseInt8, type Sql } from './sql.ts';
import { withScripts } from './script-adapter.ts';
import { SyncedNodeFs, syncedParameters, syncPath } from './synced-node-fs.ts';

const unzip = promisify(gunzip);
/**
 * PGlite's own are for 128 MB of buffers, all of which Postgres fills with zeros as it starts: 108 MB more of
 * resident memory in each process.
 */
const PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
const parsers = { 20: parseInt8 };
/**
 * The initial files of a database (`generate.mjs`): next to the bundle if it has them, else in the workspace.
 */
const EMPTY_CLUSTER = new URL(
  import.meta.url.endsWith('.js') ? './empty-cluster.tar.gz' : './generated/empty-cluster.tar.gz',
  import.meta.url,
);

/**
 * Opens PGlite in `folder`, made if absent, or in memory for null. The folder is locked for this process
 * until `close`, and what was committed in it is on disk. Errors: FolderInUse.
 */
export async function openPglite(
  folder: string | null,
  { warn = () => undefined, onPanic }: Pick<DatabaseOptions, 'warn' | 'onPanic'> = {},
): Promise<Database> {
  const unlock = folder === null ? async () => undefined : await lockFolder(folder);
  try {
    const files = folder === null ? null : await openFolder(folder);
    const pglite = await startPglite(files);
    const panic = stopAtPanic(pglite, (error) => onPanic?.(error));
    const stopChores = files === null ? async () => undefined : await startChores(pglite, { files, warn });
    return {
      kind: 'pglite',
      isDistributed: false,
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
        await stopChores();
        // After a PANIC there is nothing left that could be closed.
        if (!pglite.closed && panic() === null) await pglite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** A folder of an embedded database, open for PGlite. */
interface OpenFolder {
  readonly path: string;
  readonly fs: SyncedNodeFs;
  /** The first database of the folder is still to be made and put on disk, until `made` is called. */
  readonly isNew: boolean;
  made(): Promise<void>;
}

/**
 * The folder, made if absent. A mark beside it shows that its first database is not all on disk yet: what a
 * process that ended before left there was never in use and is made anew.
 */
async function openFolder(path: string): Promise<OpenFolder> {
  const mark = `${path}.unfinished`;
  const firstMade = await mkdir(dirname(path), { recursive: true });
  if (existsSync(mark)) await rm(path, { recursive: true, force: true });
  const isNew = !existsSync(join(path, 'PG_VERSION'));
  if (isNew) {
    await writeFile(mark, '');
    // The names of all folders that were made on the way, up to the one that was there before.
    const last = dirname(firstMade ?? path);
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      syncPath(folder);
      if (folder === last || folder === dirname(folder)) break;
    }
  }
  await mkdir(path, { recursive: true, mode: 0o700 });
  const fs = new SyncedNodeFs(path, { isNew });
  // Postgres removes it when it ends well.
  if (existsSync(join(path, 'postmaster.pid'))) await fs.syncAll();
  return {
    path,
    fs,
    isNew,
    async made() {
      await fs.syncAll();
      await rm(mark);
      syncPath(dirname(path));
    },
  };
}

/** PGlite over a folder, or in memory for null. */
async function startPglite(files: OpenFolder | null): Promise<PGlite> {
  const isNew = files === null || files.isNew;
  const pglite = await PGlite.create({
    ...(files === null
      ? { dataDir: 'memory://', startParams: PARAMETERS }
      : { fs: files.fs, startParams: syncedParameters(PARAMETERS) }),
    extensions: { btree_gin, pg_trgm },
    // Without it PGlite runs initdb, which comes to the same and takes seconds of the processor.
    ...(isNew && existsSync(EMPTY_CLUSTER) ? { loadDataDir: await emptyCluster() } : {}),
  });
  keepLeadingBom(pglite);
  if (files?.isNew) await files.made();
  return pglite;
}

/** The initial files, unpacked: PGlite's own decompression takes three times as long. */
async function emptyCluster(): Promise<Blob> {
  return new Blob([await unzip(await readFile(EMPTY_CLUSTER))], { type: 'application/x-tar' });
}

/**
 * Calls `onPanic` with the error after which Postgres would have ended its process: PGlite cannot, and would
 * spin at the next statement, so every later one fails with the same error. Returns that error, null before
 * it.
 */
function stopAtPanic(pglite: PGlite, onPanic: (error: Error) => void): () => Error | null {
  let panic: Error | null = null;
  const run = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (message, options) => {
    if (panic !== null) throw panic;
    try {
      return await run(message, options);
    } catch (error) {
      const { severity, name } = error as { severity?: unknown; name?: unknown };
      // Besides what Postgres says: a trap of WebAssembly, after which its memory is in no known state.
      if (severity === 'PANIC' || severity === 'FATAL' || name === 'RuntimeError') {
        panic = error as Error;
        onPanic(panic);
      }
      throw error;
    }
  };
  return () => panic;
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
