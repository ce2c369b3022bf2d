import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { ROOT } from './packages.ts';

it('npm run pack says what to run first where the apps are not built, and packs and deletes nothing', () => {
  covers('PLAT-K.1');
  // A copy of the repository in which nothing is built.
  const copy = mkdtempSync(join(tmpdir(), 'pack-'));
  const out = join(copy, 'out');
  try {
    for (const name of ['package.json', 'tsconfig.base.json', 'tools'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(out);
    writeFileSync(join(out, 'kept'), '');
    const args = ['--import', 'tsx', 'tools/pack/main.ts', `--out=${out}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      'investigation-api is not built: run `npm run build` first\n',
    ]);
    expect(existsSync(join(out, 'kept'))).toBe(true);
  } finally {
    rmSync(copy, { recursive: true });
  }
});
