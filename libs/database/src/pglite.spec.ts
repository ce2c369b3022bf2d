import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
  it('keeps what was written over a restart, and the folder to itself while open', async () => {
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

describe('lockFolder', () => {
  it('lets at most one of many contenders in', async () => {
    const folder = join(root, 'contended');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(held.length).toBeLessThanOrEqual(1);
    for (const outcome of held) await outcome.value();
    await (
      await lockFolder(folder)
    )();
  });

  it('clears away the lock of a process that was killed', async () => {
    const folder = join(root, 'killed');
    const lockFile = new URL('./folder-lock.ts', import.meta.url).pathname;
    const script = `import { lockFolder } from ${JSON.stringify(lockFile)};
      await lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    await once(holder.stdout, 'data');
    await expect(lockFolder(folder)).rejects.toThrow(`is open in process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const unlock = await lockFolder(folder);
    expect((await readdir(root)).filter((file) => file.startsWith('killed.lock-'))).toHaveLength(1);
    await unlock();
  });
});

describe('lockFolder over containers', () => {
  it('refuses a folder that a process in another container shows to hold, until it no longer does', async () => {
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
    expect((await readdir(root)).filter((file) => file.startsWith('shared.lock-'))).toHaveLength(1);
    await unlock();
  });

  it('shows that it holds the folder for as long as it does', async () => {
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
  ])('reads %s', (url, target) => {
    expect(parseDatabaseUrl(url, '/data')).toEqual(target);
  });

  it.each(['mysql://u:secret@h/d', 'pglite:', 'postgres:'])('refuses %s without repeating it', (url) => {
    expect(() => parseDatabaseUrl(url, '/data')).toThrow('must be `postgres://…`');
    expect(() => parseDatabaseUrl(url, '/data')).not.toThrow('secret');
  });
});
