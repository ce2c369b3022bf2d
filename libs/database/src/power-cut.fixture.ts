/**
 * Writes to an embedded database in the folder of the first argument and keeps, from the calls of `node:fs`
 * that PGlite makes, what a disk has promised: of a file what it held at its last sync, of a folder its names
 * at its last. Leaves, in the folder of the second argument, several images of what would be found after a
 * power loss right after a response, and writes `[{image, acknowledged}]` to standard output.
 *
 * Two kinds of image: `least` has nothing but what was promised, `torn` besides that a random half of the
 * blocks that were written and not synced, as a disk that was free to choose.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

const [folder, images] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
const BLOCK = 4096;
const ROUNDS = 2;
const WRITES = 40;
/** At some writes the log is long enough for a checkpoint, which writes the tables. */
const CHECKPOINT_AT = 25;

/**
 * Bytes of each file at its last sync, by inode; names of each folder at its last sync, by path, with their
 * inodes.
 */
const promisedBytes = new Map<number, Buffer>();
const promisedNames = new Map<string, Map<string, number>>();
const pathOf = new Map<number, string>();

const { openSync, closeSync, fsyncSync, fdatasyncSync } = fs;
const promise = (descriptor: number) => {
  const path = pathOf.get(descriptor)!;
  const stat = fs.fstatSync(descriptor);
  if (stat.isFile()) promisedBytes.set(stat.ino, fs.readFileSync(path));
  else promisedNames.set(path, namesIn(path));
};
fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest);
  pathOf.set(descriptor, resolve(String(path)));
  return descriptor;
};
fs.closeSync = (descriptor) => {
  closeSync(descriptor);
  pathOf.delete(descriptor);
};
fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  promise(descriptor);
};
fs.fdatasyncSync = (descriptor) => {
  fdatasyncSync(descriptor);
  promise(descriptor);
};
syncBuiltinESMExports();

function namesIn(path: string): Map<string, number> {
  return new Map(fs.readdirSync(path).map((name) => [name, fs.lstatSync(join(path, name)).ino]));
}

/** Makes the image of `path`, a folder whose name was promised, at `to`. */
function makeImage(path: string, to: string, isTorn: boolean): void {
  fs.mkdirSync(to, { recursive: true });
  for (const [name, inode] of promisedNames.get(path) ?? []) {
    const [from, copy] = [join(path, name), join(to, name)];
    const now = fs.lstatSync(from, { throwIfNoEntry: false });
    if (promisedNames.has(from) || now?.isDirectory()) makeImage(from, copy, isTorn);
    // The lock of a process that the power has ended.
    else if (!isLock(name)) {
      const promised = promisedBytes.get(inode) ?? Buffer.alloc(0);
      const written = isTorn && now?.ino === inode ? fs.readFileSync(from) : promised;
      fs.writeFileSync(copy, isTorn ? torn(promised, written) : promised);
    }
  }
}

/**
 * `promised`, with each block either as it is there or, where it is different in `written`, as likely as
 * that.
 */
function torn(promised: Buffer, written: Buffer): Buffer {
  if (promised.equals(written)) return promised;
  const blocks: Buffer[] = [];
  for (let at = 0; at < Math.max(promised.length, written.length); at += BLOCK) {
    const source = at < promised.length && Math.random() < 0.5 ? promised : written;
    blocks.push(source.subarray(at, at + BLOCK));
  }
  return Buffer.concat(blocks);
}

const { isLock } = await import('./folder-lock.ts');
const { openDatabase } = await import('./open-database.ts');
// No command that syncs a whole file system: each file's sync is seen here.
process.env['PATH'] = '';
const taken: { image: string; acknowledged: number[] }[] = [];
const acknowledged: number[] = [];
let open = await openDatabase(`pglite:${folder}`, { embeddedFolder: '' });
await open.query('CREATE TABLE writes (id int PRIMARY KEY, text text)');
for (let round = 0; round < ROUNDS; round++) {
  const cut = CHECKPOINT_AT + 1 + Math.floor((WRITES - CHECKPOINT_AT - 1) * Math.random());
  for (let write = 0; write < WRITES; write++) {
    const id = acknowledged.length;
    await open.query('INSERT INTO writes VALUES ($1, $2)', [id, String(Math.random()).repeat(500)]);
    acknowledged.push(id);
    if (write === CHECKPOINT_AT) await open.query('CHECKPOINT');
    if (write !== cut) continue;
    for (const kind of ['least', 'torn']) {
      const image = join(images, `${taken.length}-${kind}`, basename(folder));
      makeImage(folder, image, kind === 'torn');
      if (!promisedNames.get(dirname(folder))?.has(basename(folder))) fs.rmSync(image, { recursive: true });
      taken.push({ image, acknowledged: [...acknowledged] });
    }
  }
  // The second round is one after a restart.
  await open.close();
  open = await openDatabase(`pglite:${folder}`, { embeddedFolder: '' });
}
await open.close();
process.stdout.write(JSON.stringify(taken));
