import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { isLock } from './folder-lock.ts';
import { syncPath } from './sync-path.ts';
import { SyncedNodeFs, syncedParameters } from './synced-node-fs.ts';

const unzip = promisify(gunzip);
/**
 * PGlite's own are for 128 MB of buffers, all of which Postgres fills with zeros as it starts: 108 MB more of
 * resident memory in each process.
 */
const PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
/**
 * The initial files of a database (`generate.mjs`): next to the bundle if it has them, else in the workspace.
 */
const EMPTY_CLUSTER = new URL(
  import.meta.url.endsWith('.js') ? './empty-cluster.tar.gz' : './generated/empty-cluster.tar.gz',
  import.meta.url,
);

const UNFINISHED = '.unfinished';
/** What the file system itself keeps in a volume. */
const LOST_AND_FOUND = 'lost+found';

/** First byte of an error, whose first field is the severity. */
const ERROR = 'E'.charCodeAt(0);

/** A request to a host: whole messages of Postgres' protocol, or `close`. */
export type HostRequest = Uint8Array | 'close';

/** A host posts one message when it is ready or has failed, then one for each request, in order. */
export type HostMessage =
  | { readonly kind: 'ready' | 'closed' }
  | {
      readonly kind: 'response';
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** Bytes written to the write-ahead log for it. */
      readonly logBytes: number;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Serves PGlite over `folder`, made if absent, or in memory for null, to the other end of `port`. */
export async function hostPglite(port: MessagePort, folder: string | null): Promise<void> {
  const tell = (message: HostMessage, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  try {
    const files = folder === null ? null : await openFolder(folder);
    const pglite = await startPglite(files);
    const serve = async (request: HostRequest) => {
      try {
        if (request === 'close') {
          await pglite.close();
          tell({ kind: 'closed' });
          return port.close();
        }
        const bytes = await respond(pglite, request);
        const logBytes = files?.fs.walBytes ?? 0;
        if (files !== null) files.fs.walBytes = 0;
        tell({ kind: 'response', bytes, logBytes }, [bytes.buffer]);
      } catch (error) {
        tell({ kind: 'failed', error });
      }
    };
    port.on('message', (request: HostRequest) => void serve(request));
    tell({ kind: 'ready' });
  } catch (error) {
    tell({ kind: 'failed', error });
    port.close();
  }
}

/**
 * The response of Postgres to messages of its protocol (PostgreSQL manual, "Message Formats": type, Int32
 * length that counts itself). They are handed over one at a time: after a PANIC it would spin at the next.
 */
async function respond(pglite: PGlite, request: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength);
  const responses: Uint8Array[] = [];
  // The first message of a connection has no type; its length begins with 0.
  const lengthOf = (at: number) => (bytes[at] === 0 ? bytes.length : 1 + bytes.readInt32BE(at + 1));
  for (let at = 0; at < bytes.length; at += lengthOf(at)) {
    const response = await pglite.execProtocolRaw(bytes.subarray(at, at + lengthOf(at)), { syncToFs: false });
    responses.push(response);
    if (saysPanic(response)) break;
  }
  const [only, ...more] = responses;
  if (only !== undefined && more.length === 0) return only as Uint8Array<ArrayBuffer>;
  // Not of a pool of memory, as it is moved.
  const all = new Uint8Array(responses.reduce((sum, { length }) => sum + length, 0));
  responses.reduce((at, response) => (all.set(response, at), at + response.length), 0);
  return all;
}

/** Whether a response ends with an error after which Postgres would end its process. */
function saysPanic(response: Uint8Array): boolean {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.byteLength);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === ERROR && /^S(PANIC|FATAL)\0/.test(bytes.toString('latin1', at + 5, at + 12)))
      return true;
  return false;
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
 * The folder, which its lock has made. A mark in it shows that its first database is not all on disk yet:
 * what a process that ended before left there was never in use and is made anew.
 */
async function openFolder(path: string): Promise<OpenFolder> {
  const mark = join(path, UNFINISHED);
  // A version before put it beside the folder.
  const earlier = `${path}${UNFINISHED}`;
  if (existsSync(mark) || existsSync(earlier)) await clear(path);
  const isNew = !existsSync(join(path, 'PG_VERSION'));
  if (isNew) {
    // A new database would overwrite what is left of another one.
    const [found] = await contentsOf(path);
    if (found !== undefined)
      throw new Error(
        `${path} holds \`${found}\` and no PG_VERSION: it is no whole database, and no place for a new one. ` +
          'Restore it from a copy, or name an empty folder',
      );
    await writeFile(mark, '');
    syncPath(path);
  }
  const fs = new SyncedNodeFs(path, { isNew });
  // Postgres removes it when it ends well.
  if (existsSync(join(path, 'postmaster.pid'))) await fs.syncAll();
  return {
    path,
    fs,
    isNew,
    async made() {
      await fs.syncAll();
      for (const made of [earlier, mark].filter((name) => existsSync(name))) {
        await rm(made);
        syncPath(dirname(made));
      }
    },
  };
}

/** Removes what is in the folder: the folder itself may be a volume, which cannot be. */
async function clear(path: string): Promise<void> {
  for (const name of await contentsOf(path)) await rm(join(path, name), { recursive: true });
}

/** What is in the folder besides the lock, the mark and what the file system keeps there. */
async function contentsOf(path: string): Promise<string[]> {
  const names = await readdir(path);
  return names.filter((name) => !isLock(name) && name !== UNFINISHED && name !== LOST_AND_FOUND);
}

/** PGlite over a folder, or in memory for null. */
export async function startPglite(files: OpenFolder | null): Promise<PGlite> {
  const isNew = files === null || files.isNew;
  const opened = PGlite.create({
    ...(files === null
      ? { dataDir: 'memory://', startParams: PARAMETERS }
      : { fs: files.fs, startParams: syncedParameters(PARAMETERS) }),
    extensions: { btree_gin, pg_trgm },
    // Without it PGlite runs initdb, which comes to the same and takes seconds of the processor.
    ...(isNew && existsSync(EMPTY_CLUSTER) ? { loadDataDir: await emptyCluster() } : {}),
  });
  const pglite = await opened.catch((error: Error) => {
    // PGlite aborts without a word of the cause.
    if (files === null || isNew) throw error;
    const words = `the embedded database in ${files.path} cannot be opened: ${error.message}`;
    throw new Error(`${words}. Where files of it are missing or damaged, restore the folder from a copy`, {
      cause: error,
    });
  });
  if (files?.isNew) await files.made();
  return pglite;
}

/** The initial files, unpacked: PGlite's own decompression takes three times as long. */
async function emptyCluster(): Promise<Blob> {
  return new Blob([await unzip(await readFile(EMPTY_CLUSTER))], { type: 'application/x-tar' });
}
