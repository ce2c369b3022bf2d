import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, rmSync } from 'node:fs';
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

  const objectionsTo = (path: string) => {
    const config = join(ROOT, '.oxlintrc.json');
    const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-c', config, '--format=json', path];
    const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    return diagnostics.filter(({ code }) => code === 'import(no-cycle)').map(({ filename }) => filename);
  };

  it.each([
    ['authz-grpc', 'ports.ts', './operations/tenants.ts'],
    ['docstore-api', 'ports.ts', './operations/get-file.ts'],
    ['investigation-api', 'ports.ts', './operations/sessions.ts'],
  ])('the rule objects in %s when %s needs a type of what imports it', (app, file, above) => {
    const copy = join(folder, app);
    cpSync(join(ROOT, 'apps', app, 'src'), copy, { recursive: true });
    appendFileSync(
      join(copy, file),
      `\nimport type * as above from '${above}';\nexport type Above = typeof above;\n`,
    );
    expect(objectionsTo(copy)).toContainEqual(expect.stringContaining(file));
  });
});
