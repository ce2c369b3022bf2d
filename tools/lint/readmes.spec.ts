import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runReadmeExample } from '@platform/testing/readme';

/** A line of 110 columns. */
const WORDS_OF_A_LINE = 16;
const LIBS = join(import.meta.dirname, '../../libs');
const libraries = readdirSync(LIBS).filter((name) => existsSync(join(LIBS, name, 'package.json')));
/** Their examples need a running service or a browser: end-to-end suites run them. */
const ELSEWHERE = ['authz-client', 'docstore-client', 'viewer', 'workbench'];

describe('READMEs of libraries', () => {
  it.each(libraries)('libs/%s has one that begins with its name and shows an example', (name) => {
    const readme = readFileSync(join(LIBS, name, 'README.md'), 'utf8');
    expect(readme).toMatch(new RegExp(`^# ${name}\n\n[A-Z]`));
    expect(readme).toMatch(/^```(js|ts|sh)$/m);
  });

  it.each(libraries)(
    'the README of libs/%s has at most ten lines of prose, and links to pages of docs',
    (name) => {
      const readme = readFileSync(join(LIBS, name, 'README.md'), 'utf8');
      const prose = readme.replaceAll(/```[^]*?```|^\|.*$|\]\([^)]*\)/gm, '');
      expect(prose.split(/\s+/).length).toBeLessThanOrEqual(10 * WORDS_OF_A_LINE);
    },
  );

  it.each(libraries.filter((name) => !ELSEWHERE.includes(name)))(
    'the example of libs/%s gives the values it states',
    async (name) => {
      const library = (await import(join(LIBS, name, 'src/index.ts'))) as Record<string, unknown>;
      await runReadmeExample(join(LIBS, name, 'README.md'), library);
    },
  );
});
