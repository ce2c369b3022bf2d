import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { readPlatformFile, writePlatformFile } from './platform-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('platform.json', () => {
  it('a start reads what an earlier one wrote, which is there whole or not at all', async () => {
    covers('PLAT-D.13');
    const file = join(folder, 'platform.json');
    expect(readPlatformFile(file)).toBeNull();
    const written = { authz_grpc: '127.0.0.1:1', root: { username: 'root', password: 'secret' } };
    writePlatformFile(file, written);
    expect(readPlatformFile(file)).toEqual(written);
    expect(await readdir(folder)).toEqual(['platform.json']);
  });

  it.each([
    ['', 'Unexpected end of JSON input'],
    ['{"root":', 'Unexpected end of JSON input'],
    ['null', 'expected object, received null'],
    ['{"root":{"username":"root"}}', 'root.password'],
    ['{"demo":[]}', 'at demo'],
    ['{"demo":{"user_id":5}}', 'at demo.user_id'],
  ])(
    'a start refuses %j, says what is wrong with it and what helps, and leaves it alone',
    async (text, why) => {
      covers('PLAT-D.13');
      const file = join(folder, 'wrong.json');
      await writeFile(file, text);
      const read = () => readPlatformFile(file);
      expect(read).toThrow(`${file} is not as a start wrote it: `);
      expect(read).toThrow(why);
      expect(read).toThrow('or remove it, and the next start replaces the passwords');
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );
});
