import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { openDataFolder, shellPath } from './data-folder.ts';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'data-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

const HOLDER = `import { lockFolder } from '@platform/database';
const release = await lockFolder(process.argv[1]);
process.stdin.once('end', () => void release()).resume();
process.stdout.write('held');`;

/** A process of its own that holds a folder until it is told to end. */
async function holderOf(folder: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', HOLDER, folder], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const end = async () => {
    child.stdin.end();
    await closed;
  };
  return { name: `process ${child.pid}`, end };
}

describe('the data folder of a start', () => {
  it('the data folder of a start that services of an earlier one hold is refused, and each of them is named', async () => {
    covers('PLAT-D.7');
    const folders = ['one', 'two', 'three'];
    const open = () => openDataFolder(data, folders);
    const [one, three] = await Promise.all(['one', 'three'].map((name) => holderOf(join(data, name))));
    const refused = `the data folder ${data} cannot be used: in use by`;
    const remedy = 'choose another with PLATFORM_DATA_DIR';
    await expect(open()).rejects.toThrow(
      `${refused} ${one!.name} and ${three!.name}; end those processes, or ${remedy}`,
    );
    await three!.end();
    await expect(open()).rejects.toThrow(`${refused} ${one!.name}; end that process, or ${remedy}`);
    await one!.end();
    await (
      await open()
    )();
    // The folders are left, and no lock in any.
    expect((await readdir(data, { recursive: true })).toSorted()).toEqual(['logs', 'one', 'three']);
  });

  it('a data folder with a file in place of its logs is refused with the way on', async () => {
    covers('PLAT-D.25');
    const folder = await mkdtemp(join(data, 'file-'));
    await writeFile(join(folder, 'logs'), '');
    await expect(openDataFolder(folder, [])).rejects.toThrow(
      `the data folder ${folder} cannot be used: EEXIST: file already exists, mkdir '${join(folder, 'logs')}'; choose another with PLATFORM_DATA_DIR`,
    );
  });

  it.each(['/a b', "/it's", '/$HOME/`id`', '/a"b', '/dä', '/a#?&%41', '/new\nline', '/plain-1.0/_'])(
    'a shell reads the path %j of a data folder as it is',
    (path) => {
      covers('PLAT-D.26');
      expect(execFileSync('sh', ['-c', `printf %s @${shellPath(path)}`], { encoding: 'utf8' })).toBe(
        `@${path}`,
      );
    },
  );
});
