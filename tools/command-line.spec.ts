import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { headOf } from './command-line.ts';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);
const sources = globSync('tools/*/*.ts', { cwd: ROOT, ignore: '**/*.spec.ts' }).map(
  (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
);
const programs = sources.filter(([, source]) =>
  /readOptions(?:AndNames)?\(import\.meta\.filename/.test(source),
);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const files = Object.values(scripts).flatMap(
  (script) => /--import tsx (?<file>\S+)/.exec(script)?.groups?.['file'] ?? [],
);

describe('the command line of a tool', () => {
  it.each(['start/start.ts', 'screens/main.ts'])(
    'tools/%s --help says what the tool does and takes',
    async (file) => {
      const { stdout } = await run(process.execPath, ['--import', 'tsx', join('tools', file), '--help'], {
        cwd: ROOT,
      });
      expect(stdout).toMatch(/^`npm (?:start|run \w+)/);
    },
  );

  it('tools/screens names what it takes where it is told something else', async () => {
    await expect(
      run(process.execPath, ['--import', 'tsx', 'tools/screens/main.ts', '--ony=desk'], { cwd: ROOT }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: "Unknown option '--ony'; the options are --only, --out, --help\n",
    });
  });

  it.each(programs)('%s says in its first comment what each of its options does', (_, source) => {
    const [, options] = /readOptions\w*\(import\.meta\.filename, \{(.*?)\n?\}\);/s.exec(source)!;
    const help = headOf(source);
    for (const [, name] of options!.matchAll(/(\w[\w-]*)'?: \{ type/g)) expect(help).toContain(`--${name}`);
  });

  it('every script of package.json reads its options by readOptions, so that it answers --help', () => {
    const read = new Set(programs.map(([file]) => file));
    // `npm test` passes what it is given to jest, which has a `--help` of its own.
    expect([...new Set(files)].filter((file) => !read.has(file))).toEqual(['tools/test/run.ts']);
    expect(sources.filter(([, source]) => source.includes('parseArgs(')).map(([file]) => file)).toEqual([]);
  });
});
