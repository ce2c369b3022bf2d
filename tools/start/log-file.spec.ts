import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { openLogFile } from './log-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the log of a service', () => {
  it('the log of a service keeps its lines behind those of before', async () => {
    const file = join(folder, 'kept.log');
    await writeFile(file, 'old\n');
    const log = openLogFile(file, () => undefined);
    log.write('new\n');
    await new Promise<void>((resolve) => log.end(resolve));
    expect(await readFile(file, 'utf8')).toBe('old\nnew\n');
  });

  it('the log of a service on a full disk drops its lines, and that is said once', async () => {
    covers('PLAT-D.6');
    const file = join(folder, 'full.log');
    await symlink('/dev/full', file);
    const told: string[] = [];
    const log = openLogFile(file, (message) => told.push(message));
    for (let line = 0; line < 3; line++) log.write(`${line}\n`);
    await new Promise<void>((resolve) => log.end(resolve));
    expect(told).toEqual([`${file} cannot be written: ENOSPC: no space left on device, write`]);
  });
});
