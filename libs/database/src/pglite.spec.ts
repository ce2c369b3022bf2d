import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder, unprivileged } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { databaseContract } from './database.contract.ts';
import { openDatabase, parseDatabaseUrl } from './open-database.ts';
import { FolderInUse } from './folder-lock.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pglite-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

databaseContract('PGlite', () => openDatabase('pglite:memory://', { embeddedFolder: root }));

describe('openDatabase on PGlite', () => {
  it('openDatabase on PGlite keeps what was written over a restart, and holds the folder alone while open', async () => {
    const embeddedFolder = join(root, 'kept');
    const first = await openDatabase(undefined, { embeddedFolder });
    await first.query('CREATE TABLE t AS SELECT 42 AS n');
    await expect(openDatabase(`pglite:${embeddedFolder}`, { embeddedFolder: 'unused' })).rejects.toThrow(
      FolderInUse,
    );
    await first.close();
    const second = await openDatabase(undefined, { embeddedFolder });
    expect((await second.query('SELECT n FROM t')).rows).toEqual([{ n: 42 }]);
    await second.close();
  });
});

describe('the folder of an embedded database', () => {
  const openAt = (folder: string) => openDatabase(`pglite:${folder}`, { embeddedFolder: 'unused' });
  /** Opens the folder, makes a table and ends. */
  const fill = async (folder: string) => {
    const database = await openAt(folder);
    await database.query('CREATE TABLE t AS SELECT 42 AS n');
    await database.close();
  };
  const hasTable = async (folder: string) => {
    const database = await openAt(folder);
    const { rows } = await database.query<{ found: boolean }>("SELECT to_regclass('t') IS NOT NULL AS found");
    await database.close();
    return rows[0]!.found;
  };

  it('the folder of an embedded database opens by a link to it', async () => {
    covers('PLAT-D.22');
    const link = join(root, 'link');
    await mkdir(join(root, 'linked'));
    await symlink(join(root, 'linked'), link);
    await fill(link);
    expect([await hasTable(link), await hasTable(join(root, 'linked'))]).toEqual([true, true]);
  });

  it('the folder of an embedded database that cannot be opened is refused with a reason', async () => {
    covers('PLAT-D.22');
    await symlink(join(root, 'nowhere'), join(root, 'dangling'));
    await writeFile(join(root, 'file'), '');
    for (const name of ['dangling', 'file', 'file/below'])
      await expect(openAt(join(root, name))).rejects.toThrow(/ENOENT|EEXIST|ENOTDIR/);
  });

  it('the folder of an embedded database that has lost its PG_VERSION is refused, and left as it is', async () => {
    covers('PLAT-D.28');
    const folder = await mkdtemp(join(root, 'no-version-'));
    await fill(folder);
    await rename(join(folder, 'PG_VERSION'), join(root, 'PG_VERSION'));
    await expect(openAt(folder)).rejects.toThrow(/no PG_VERSION: .* Restore it from a copy/);
    await rename(join(root, 'PG_VERSION'), join(folder, 'PG_VERSION'));
    expect(await hasTable(folder)).toBe(true);
  });

  it.each(['global/pg_control', 'base', 'pg_xact', 'postgresql.conf'])(
    'the folder of an embedded database that has lost %s is refused by its name, with the way on',
    async (lost) => {
      covers('PLAT-D.28');
      const folder = await mkdtemp(join(root, 'damaged-'));
      await fill(folder);
      await rm(join(folder, lost), { recursive: true });
      const refused = openAt(folder);
      await expect(refused).rejects.toThrow(`the embedded database in ${folder} cannot be opened: `);
      await expect(refused).rejects.toThrow('restore the folder from a copy');
    },
  );

  it.each([
    ['in the folder', (folder: string) => join(folder, '.unfinished')],
    ['beside the folder, by a version before', (folder: string) => `${folder}.unfinished`],
  ])(
    'the folder of an embedded database is made anew when it is marked as unfinished %s',
    async (_where, markOf) => {
      covers('PLAT-D.21');
      const folder = await mkdtemp(join(root, 'unfinished-'));
      await fill(folder);
      expect(await hasTable(folder)).toBe(true);
      await writeFile(markOf(folder), '');
      expect([await hasTable(folder), existsSync(markOf(folder))]).toEqual([false, false]);
      expect(await readdir(folder)).not.toContain('.unfinished');
    },
  );

  it('the folder of an embedded database is all that a user must be able to write, as with a volume in an image', async () => {
    covers('PLAT-D.21');
    const user = unprivileged();
    const parent = await temporaryFolder('volume-');
    const folder = join(parent, 'data');
    await mkdir(folder);
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    await chmod(parent, 0o555);
    const script = `import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))};
      for (const n of [1, 2]) {
        const database = await openDatabase(${JSON.stringify(`pglite:${folder}`)}, { embeddedFolder: '' });
        await database.query('CREATE TABLE IF NOT EXISTS t (n int)');
        await database.close();
      }`;
    const opening = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      ...user,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(opening, 'close');
    expect([code, await readdir(parent)]).toEqual([0, ['data']]);
    await chmod(parent, 0o755);
    await rm(parent, { recursive: true });
  });
});

/** What gives a process mounts of its own. */
const OWN_MOUNTS = ['--map-root-user', '--mount'];
const CAN_MOUNT = spawnSync('unshare', [...OWN_MOUNTS, 'true']).status === 0;

/**
 * Opens the folder of an embedded database twice on a disk with `freeBytes`, then in the same process with
 * room, and prints how each ended.
 */
const openWithLittleRoom = (freeBytes: number, isNew: boolean) => `
  import { rmSync, statfsSync } from 'node:fs';
  import { execFileSync } from 'node:child_process';
  import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))};
  const open = async () => {
    try {
      const database = await openDatabase('pglite:' + process.argv[1] + '/database', { embeddedFolder: '' });
      await database.query('SELECT 1');
      await database.close();
      return 'open';
    } catch ({ code, message }) {
      return code ?? message;
    }
  };
  if (!${isNew}) await open();
  const filler = process.argv[1] + '/filler';
  const { bavail, bsize } = statfsSync(process.argv[1]);
  execFileSync('fallocate', ['--length', String(bavail * bsize - ${freeBytes}), filler]);
  const full = [await open(), await open()];
  rmSync(filler);
  console.log(JSON.stringify([...full, await open()]));`;

describe('an embedded database on a disk with little room', () => {
  const KiB = 1024;
  (CAN_MOUNT ? it : it.skip).each([
    ['a new one, without a byte', { freeBytes: 0, isNew: true, whenFull: '53100' }],
    ['a new one, with room for its lock alone', { freeBytes: 4 * KiB, isNew: true, whenFull: '53100' }],
    ['a new one, with room for half of it', { freeBytes: 10_240 * KiB, isNew: true, whenFull: '53100' }],
    ['one that exists, without a byte', { freeBytes: 0, isNew: false, whenFull: '53100' }],
    [
      'one that exists, with room for its lock alone',
      { freeBytes: 4 * KiB, isNew: false, whenFull: '53100' },
    ],
    ['one that exists, with a little more', { freeBytes: 64 * KiB, isNew: false, whenFull: 'open' }],
  ])(
    'an embedded database on a disk with little room is told to lack it, and opens in the same process once there is some: %s',
    async (_which, { freeBytes, isNew, whenFull }) => {
      covers('PLAT-D.27');
      const disk = await mkdtemp(join(root, 'disk-'));
      const script = openWithLittleRoom(freeBytes, isNew);
      const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, disk];
      const mount = 'mount -t tmpfs -o size=160m tmpfs "$0" && exec "$@"';
      const said = execFileSync('unshare', [...OWN_MOUNTS, 'sh', '-c', mount, disk, ...node]);
      expect(JSON.parse(said.toString())).toEqual([whenFull, whenFull, 'open']);
    },
  );
});

describe('parseDatabaseUrl', () => {
  it.each([
    [undefined, { kind: 'pglite', folder: '/data' }],
    ['', { kind: 'pglite', folder: '/data' }],
    ['pglite:/elsewhere', { kind: 'pglite', folder: '/elsewhere' }],
    ['pglite:memory://', { kind: 'pglite', folder: null }],
    ['postgres://u@h/d', { kind: 'postgres', url: 'postgres://u@h/d' }],
    ['postgresql://u@h/d', { kind: 'postgres', url: 'postgresql://u@h/d' }],
  ])('parseDatabaseUrl reads %s', (url, target) => {
    expect(parseDatabaseUrl(url, '/data')).toEqual(target);
  });

  it.each(['mysql://u:secret@h/d', 'pglite:', 'postgres:'])(
    'parseDatabaseUrl refuses %s without repeating it',
    (url) => {
      expect(() => parseDatabaseUrl(url, '/data')).toThrow('must be `postgres://…`');
      expect(() => parseDatabaseUrl(url, '/data')).not.toThrow('secret');
    },
  );
});
