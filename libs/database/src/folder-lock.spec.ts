import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killOnExit } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { lockFolder } from './folder-lock.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'locks-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A mount and a PID namespace of their own, as a container has them. */
const CONTAINER = [
  'unshare',
  '--map-root-user',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];
const CAN_MOUNT = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), 'true']).status === 0;

/** A process that has locked the folder and does nothing else; `within` is what it is run by. */
async function holdElsewhere(folder: string, within: readonly string[] = []) {
  const lockFile = new URL('./folder-lock.ts', import.meta.url).pathname;
  const script = `import { lockFolder } from ${JSON.stringify(lockFile)};
    await lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const command = [...within, process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
  const holder = spawn(command[0]!, command.slice(1));
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
    expect(await readdir(folder)).toHaveLength(2);
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  it('lockFolder leaves the folder with a process that is stopped, however old its lock looks', async () => {
    covers('PLAT-D.1');
    const folder = join(root, 'stopped');
    const holder = await holdElsewhere(folder);
    holder.kill('SIGSTOP');
    const [file] = (await readdir(folder)).filter((name) => !name.endsWith('.socket'));
    await utimes(join(folder, file!), 1, 1);
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
    await mkdir(folder);
    const held = join(folder, '.lock-1-0123456789ab');
    const text = '42\npid:[1] another-boot';
    await writeFile(held, text);
    const beat = setInterval(() => void writeFile(held, text), 20);
    const options = { staleMs: 400, beatMs: 20 };
    await expect(lockFolder(folder, options)).rejects.toThrow('is open in another container');
    clearInterval(beat);
    const unlock = await lockFolder(folder, options);
    expect(await readdir(folder)).toHaveLength(2);
    await unlock();
  });

  it.each([
    ['in the folder', (folder: string) => join(folder, '.lock-1-0123456789ab')],
    ['beside the folder, as a version before had it', (folder: string) => `${folder}.lock-1-0123456789ab`],
  ])(
    'lockFolder refuses a folder at once whose holder in another container of this machine has a socket %s',
    async (_where, lockOf) => {
      covers('PLAT-D.1', 'PLAT-D.20');
      const folder = await mkdtemp(join(root, 'neighbor-'));
      const server = createServer().listen(`${lockOf(folder)}.socket`);
      await once(server, 'listening');
      const kernel = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
      await writeFile(lockOf(folder), `42\npid:[1] ${kernel}\n${kernel}`);
      await expect(lockFolder(folder)).rejects.toThrow('is open in another container');
      server.close();
      await (
        await lockFolder(folder)
      )();
      expect(existsSync(lockOf(folder))).toBe(false);
    },
  );

  it('lockFolder refuses a folder that is held by another path', async () => {
    covers('PLAT-D.20');
    const folder = await mkdtemp(join(root, 'by-path-'));
    const link = join(await mkdtemp(join(root, 'elsewhere-')), 'link');
    await symlink(folder, link);
    const unlock = await lockFolder(folder);
    await expect(lockFolder(link)).rejects.toThrow(`\`${link}\` is open in process ${process.pid}`);
    await unlock();
    await (
      await lockFolder(link)
    )();
  });

  (CAN_MOUNT ? it : it.skip)(
    'lockFolder refuses a folder that is held in a container of its own, which has it as a volume',
    async () => {
      covers('PLAT-D.20');
      const folder = await mkdtemp(join(root, 'volume-'));
      const mount = join(await mkdtemp(join(root, 'container-')), 'data');
      await mkdir(mount);
      const holder = await holdElsewhere(mount, [
        ...CONTAINER,
        'sh',
        '-c',
        'mount --bind "$0" "$1" && shift && exec "$@"',
        folder,
        mount,
      ]);
      await expect(lockFolder(folder)).rejects.toThrow('is open in another container');
      process.kill(Number(holder.pid), 'SIGKILL');
      await once(holder, 'exit');
      await (
        await lockFolder(folder)
      )();
    },
  );

  it('lockFolder clears away a lock whose text was lost with the power, though its process id lives', async () => {
    covers('PLAT-D.20');
    const folder = await mkdtemp(join(root, 'emptied-'));
    const lost = join(folder, `.lock-${process.pid}-0123456789ab`);
    await writeFile(lost, '');
    await utimes(lost, 1, 1);
    const unlock = await lockFolder(folder);
    expect(existsSync(lost)).toBe(false);
    await unlock();
  });

  it('lockFolder refreshes its mark as long as it holds the folder', async () => {
    covers('PLAT-D.1');
    const folder = join(root, 'beating');
    const unlock = await lockFolder(folder, { beatMs: 5 });
    const [file] = (await readdir(folder)).filter((name) => !name.endsWith('.socket'));
    const touched = async () => (await stat(join(folder, file!))).mtimeMs;
    const before = await touched();
    while ((await touched()) === before) await new Promise((resolve) => setTimeout(resolve, 5));
    await unlock();
  });
});
