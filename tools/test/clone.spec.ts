import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@platform/testing';

const ROOT = join(import.meta.dirname, '../..');
/**
 * Suites that need neither generated code nor a server nor a browser, and of those some that read files. That
 * no import leads out of the repository is shown for all code by `references.spec.ts`.
 */
const LIGHT = [
  'libs/(error-contracts|jwt|strict-json)/',
  'libs/viewer/src/(format/|page/guide-page)',
  'libs/workbench/src/csv/',
  'tools/(requirements-gate/|eval/flights)',
];

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = await temporaryFolder('clone-');
  clone = join(folder, 'platform');
  run('git', ['clone', '--quiet', '--shared', ROOT, clone], folder);
  linkPackages();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: string[], cwd: string): string {
  // A suite of its own keeps the seed and the counts of this run, and few random cases: they run in full
  // elsewhere.
  const env = { ...process.env, SOAK: '0.01', CONFORMANCE_DIR: undefined };
  const child = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (child.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${child.stdout}\n${child.stderr}`);
  return child.stdout;
}

/** What `npm ci` would install: packages as they lie here, the workspaces as links into the clone. */
function linkPackages(): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(clone, 'node_modules')];
  mkdirSync(join(to, '@platform'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@platform' && name !== '.cache') symlinkSync(join(from, name), join(to, name));
  }
  for (const name of readdirSync(join(from, '@platform'))) {
    symlinkSync(readlinkSync(join(from, '@platform', name)), join(to, '@platform', name));
  }
}

describe('a clone in a folder of its own', () => {
  it('a clone with nothing beside it passes suites that need no server', () => {
    expect(readdirSync(folder)).toEqual(['platform']);
    const args = [
      '--json',
      '--silent',
      '--maxWorkers=1',
      '--selectProjects',
      'unit',
      '--testPathPatterns',
      ...LIGHT,
    ];
    const report = JSON.parse(
      run(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...args], clone),
    ) as { numPassedTests: number; numPassedTestSuites: number };
    expect(report.numPassedTestSuites).toBeGreaterThan(15);
    expect(report.numPassedTests).toBeGreaterThan(150);
  });
});
