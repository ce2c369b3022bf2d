import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { openDatabase } from './open-database.ts';

interface Image {
  readonly image: string;
  readonly acknowledged: number[];
}

let root: string;
let images: Image[];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'power-cut-'));
  const fixture = new URL('./power-cut.fixture.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', fixture, join(root, 'database'), join(root, 'images')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  images = JSON.parse(stdout) as Image[];
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('an embedded database after a power loss', () => {
  it('an embedded database holds every acknowledged write after a power loss, whatever else the disk kept', async () => {
    covers('PLAT-D.2');
    expect(images).toHaveLength(4);
    for (const { image, acknowledged } of images) {
      const database = await openDatabase(`pglite:${image}`, { embeddedFolder: '' });
      const { rows } = await database.query<{ id: number }>('SELECT id FROM writes ORDER BY id');
      await database.close();
      expect(rows.map(({ id }) => id)).toEqual(acknowledged);
    }
  });
});
