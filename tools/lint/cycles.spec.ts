import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@platform/testing';

const ROOT = join(import.meta.dirname, '../..');

describe('the lint rule against import cycles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder('cycles-');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('objects to two files that need only a type of each other', () => {
    writeFileSync(join(folder, 'a.ts'), `import type { B } from './b.ts';\nexport type A = B | null;\n`);
    writeFileSync(join(folder, 'b.ts'), `import type { A } from './a.ts';\nexport type B = A[];\n`);
    const config = join(ROOT, '.oxlintrc.json');
    const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-c', config, '--format=json', folder];
    const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    expect(diagnostics.map(({ code }) => code)).toEqual(['import(no-cycle)', 'import(no-cycle)']);
  });
});
