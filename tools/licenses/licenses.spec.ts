import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isAllowed, licensesPage, productionPackages } from './licenses.ts';

const root = join(import.meta.dirname, '../..');
const listed = productionPackages(root);

describe('licenses of what production installs', () => {
  it('are all on the list of those allowed', () => {
    expect(listed.filter(({ license }) => !isAllowed(license))).toEqual([]);
  });

  it('stand in docs/licenses.md as the lock file has them: else `npm run licenses`', () => {
    const cells = (text: string) => text.replace(/ *\| */g, '|').replace(/-+/g, '-');
    const page = readFileSync(join(root, 'docs/licenses.md'), 'utf8');
    expect(cells(page)).toBe(cells(licensesPage(listed)));
  });

  it('are those of the direct dependencies and of what these need, and not of tools', () => {
    const names = listed.map(({ name }) => name);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).toContain('body-parser');
    for (const tool of ['jest', 'typescript', 'nx']) expect(names).not.toContain(tool);
  });
});

describe('isAllowed', () => {
  it.each(['MIT', '(MIT OR GPL-3.0)', '(Apache-2.0 AND BSD-3-Clause)', 'MIT OR Apache-2.0'])(
    'allows %s',
    (license) => expect(isAllowed(license)).toBe(true),
  );
  it.each(['GPL-3.0', 'AGPL-3.0-only', 'unknown', '', 'MIT AND GPL-2.0', 'SEE LICENSE IN LICENSE'])(
    'refuses %j',
    (license) => expect(isAllowed(license)).toBe(false),
  );
});
