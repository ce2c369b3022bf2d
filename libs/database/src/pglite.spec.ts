import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killOnExit } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { databaseContract } from './database.contract.ts';
import { openDatabase, parseDatabaseUrl } from './open-database.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';

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

/** A process that has locked the folder and does nothing else. */
async function holdElsewhere(folder: string) {
  const lockFile = new URL('./folder-lock.ts', import.meta.url).pathname;
  const script = `import { lockFolder } from ${JSON.stringify(lockFile)};
    await lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  killOnExit(holder);
  await once(holder.stdout, 'data');
  return holder;
}

describe('lockFolder', () => {
  it('lockFolder admits at most one of many contenders', async () => {
    const folder = join(root, 'contended');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(held.length).toBeLessThanOrEqual(1);
    for (const outcome of held) await outcome.value();
    await (
      await lockFolder(folder)
    )();
  });

  it('lockFolder clears away the lock of a process that was killed', async () => {
    const folder = join(root, 'killed');
    const holder = await holdElsewhere(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`is open in process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const unlock = await lockFolder(folder);
    expect((await readdir(root)).filter((file) => file.startsWith('killed.lock-'))).toHaveLength(2);
    await unlock();
    expect((await readdir(root)).filter((file) => file.startsWith('killed.lock-'))).toEqual([]);
  });

  it('lockFolder leaves the folder with a process that is stopped, however old its lock looks', async () => {
    covers('PLAT-D.1');
    const folder = join(root, 'stopped');
    const holder = await holdElsewhere(folder);
    holder.kill('SIGSTOP');
    const [file] = (await readdir(root)).filter((name) => /^stopped.lock-[^.]*$/.test(name));
    await utimes(join(root, file!), 1, 1);
    await expect(lockFolder(folder, { staleMs: 10 })).rejects.toThrow(`is open in process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (
      await lockFolder(folder)
    )();
  });
});

describe('lockFolder over containers', () => {
  it('lockFolder refuses a folder that a process in another container refreshes, until it stops', async () => {
    covers('PLAT-D.1');
    const folder = join(root, 'shared');
    // Process 1 of another PID namespace, which is alive in this one, too.
    const held = `${folder}.lock-1-0123456789ab`;
    const text = '42\npid:[1] another-boot';
    await writeFile(held, text);
    const beat = setInterval(() => void writeFile(held, text), 20);
    const options = { staleMs: 400, beatMs: 20 };
    await expect(lockFolder(folder, options)).rejects.toThrow('is open in another container');
    clearInterval(beat);
    const unlock = await lockFolder(folder, options);
    expect((await readdir(root)).filter((file) => file.startsWith('shared.lock-'))).toHaveLength(2);
    await unlock();
  });

  it('lockFolder refuses a folder at once whose holder in another container of this machine has a socket', async () => {
    covers('PLAT-D.1');
    const held = join(root, 'neighbor.lock-1-0123456789ab');
    const server = createServer().listen(`${held}.socket`);
    await once(server, 'listening');
    const kernel = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    await writeFile(held, `42\npid:[1] ${kernel.trim()}\n${kernel.trim()}`);
    await expect(lockFolder(join(root, 'neighbor'))).rejects.toThrow('is open in another container');
    server.close();
    await (
      await lockFolder(join(root, 'neighbor'))
    )();
  });

  it('lockFolder refreshes its mark as long as it holds the folder', async () => {
    covers('PLAT-D.1');
    const unlock = await lockFolder(join(root, 'beating'), { beatMs: 5 });
    const [file] = (await readdir(root)).filter((name) => name.startsWith('beating.lock-'));
    const touched = async () => (await stat(join(root, file!))).mtimeMs;
    const before = await touched();
    while ((await touched()) === before) await new Promise((resolve) => setTimeout(resolve, 5));
    await unlock();
  });
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
