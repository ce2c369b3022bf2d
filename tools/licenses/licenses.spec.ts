import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isAllowed, licensesPage, productionPackages } from './licenses.ts';

const root = join(import.meta.dirname, '../..');
const listed = productionPackages(root);

describe('licenses of what production installs', () => {
  it('licenses of production dependencies are all on the list of those allowed', () => {
    expect(listed.filter(({ license }) => !isAllowed(license))).toEqual([]);
  });

  it('docs/licenses.md holds the licenses of production dependencies as the lock file has them: else `npm run licenses`', () => {
    const cells = (text: string) => text.replace(/ *\| */g, '|').replace(/-+/g, '-');
    const page = readFileSync(join(root, 'docs/licenses.md'), 'utf8');
    expect(cells(page)).toBe(cells(licensesPage(listed)));
  });

  it('licenses are listed for the direct dependencies and what these need, and not for tools', () => {
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
    'isAllowed allows %s',
    (license) => expect(isAllowed(license)).toBe(true),
  );
  it.each(['GPL-3.0', 'AGPL-3.0-only', 'unknown', '', 'MIT AND GPL-2.0', 'SEE LICENSE IN LICENSE'])(
    'isAllowed refuses %j',
    (license) => expect(isAllowed(license)).toBe(false),
  );
});
