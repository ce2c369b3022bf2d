import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fdatasyncSync, fsyncSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath } from './sync-path.ts';

/** What PGlite is started with for its writes to be on disk: its own parameters without `-F` (fsync=off). */
export function syncedParameters(defaults: readonly string[]): string[] {
  // fdatasync does nothing in PGlite's build; fsync reaches the file system below.
  return [...defaults.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

type ModuleOptions = Parameters<NodeFS['init']>[1];

/** The part of Emscripten's NODEFS that is used here. A stream of it has the descriptor of the real file. */
interface NodeFileSystem {
  tryFSOperation<T>(operation: () => T): T;
  /** Where a node is on the real file system. */
  realPath(node: Node): string;
  readonly node_ops: {
    mknod: (parent: Node, ...rest: unknown[]) => Node;
    setattr: (node: Node, attributes: { size?: number }) => void;
  };
  readonly stream_ops: {
    fsync?: (stream: Stream) => number;
    setattr: (stream: Stream, attributes: { size?: number }) => void;
    write: (stream: Stream, ...rest: unknown[]) => number;
  };
}
interface Stream {
  readonly nfd: number;
  readonly path?: string;
  readonly node: Node;
}
interface Node {
  readonly mode: number;
  /** When it was last written to, by the count of writes. */
  writtenAt?: number;
  /** Its name has not been put on disk since it was made. */
  isNameNew?: boolean;
}

/**
 * PGlite's file system over a folder, with the fsync that Emscripten's NODEFS lacks: what Postgres asks to be
 * synced is on disk when it continues, so a commit that was acknowledged survives a power loss. Errors of a
 * sync are Postgres' errors, on which it ends.
 */
export class SyncedNodeFs extends NodeFS {
  /** Bytes written to the write-ahead log since they were last set to 0. */
  walBytes = 0;
  /** False for a database whose making is not synced step by step, but as a whole by `syncAll`. */
  #isSyncing: boolean;
  #writes = 0;
  /** The count of writes, all of which are known to be on disk. */
  #writesOnDisk = -1;

  constructor(folder: string, { isNew }: { isNew: boolean }) {
    super(folder);
    this.#isSyncing = !isNew;
  }

  /**
   * Puts the folder and all that is in it on disk, and its own name. What Postgres does by itself before a
   * recovery, file by file, takes half a minute for a thousand files on some disks.
   */
  async syncAll(): Promise<void> {
    await syncFolder(this.rootDir);
    this.#writesOnDisk = this.#writes;
    this.#isSyncing = true;
  }

  override async init(pglite: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addSync = (module: { FS: typeof pglite.Module.FS; NODEFS: unknown }) => {
      this.#addSync(module.NODEFS as NodeFileSystem, (mode) => module.FS.isDir(mode));
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }

  #addSync(nodeFs: NodeFileSystem, isFolder: (mode: number) => boolean): void {
    const { tryFSOperation, node_ops, stream_ops } = nodeFs;
    const wrote = (node: Node) => (node.writtenAt = ++this.#writes);
    const { mknod, setattr } = node_ops;
    const { write, setattr: setOpen } = stream_ops;
    node_ops.mknod = (parent, ...rest) => {
      const node = mknod(parent, ...rest);
      wrote(node);
      node.isNameNew = true;
      return node;
    };
    node_ops.setattr = (node, attributes) => {
      setattr(node, attributes);
      wrote(node);
    };
    stream_ops.setattr = (stream, attributes) => {
      setOpen(stream, attributes);
      wrote(stream.node);
    };
    stream_ops.write = (stream, ...rest) => {
      wrote(stream.node);
      const written = write(stream, ...rest);
      if (stream.path?.includes('/pg_wal/')) this.walBytes += written;
      return written;
    };
    stream_ops.fsync = ({ nfd, node }) => {
      if (!this.#isSyncing) return 0;
      const isFile = !isFolder(node.mode);
      if (isFile && (node.writtenAt ?? 0) <= this.#writesOnDisk) return 0;
      // The times of a file, which fdatasync leaves out, mean nothing to Postgres.
      tryFSOperation(() => (isFile ? fdatasyncSync(nfd) : fsyncSync(nfd)));
      // Postgres leaves the name of a new table's file to file systems that sync it along; POSIX promises no
      // such thing.
      if (isFile && node.isNameNew) {
        tryFSOperation(() => syncPath(dirname(nodeFs.realPath(node))));
        node.isNameNew = false;
      }
      return 0;
    };
  }
}

/**
 * Syncs by the system's command, which writes a thousand files at once, or one by one where there is no such
 * command.
 */
async function syncFolder(folder: string): Promise<void> {
  const sync = spawn('sync', ['-f', folder], { stdio: 'ignore' });
  const [code] = (await once(sync, 'close').catch(() => [null])) as [number | null];
  if (code === 0) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    // The socket of the lock cannot be opened.
    if (!entry.isSocket()) syncPath(join(entry.parentPath, entry.name));
  syncPath(folder);
  syncPath(dirname(folder));
}
