import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@platform/testing';
import { countsOf, type JestReport } from './counts.ts';
import { isWhole } from './repeat.mjs';

const ROOT = join(import.meta.dirname, '../..');
const REPORT = 'dist/reports/sample.e2e.json';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('repeat-');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'suites'));
  write('package.json', '{}');
  write(
    'jest.config.cjs',
    "module.exports = { projects: ['unit', 'e2e'].map((displayName) => ({ displayName, testMatch: ['**/*.spec.js'] })) };",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** A suite that notes each of its runs; in the runs of `failing` its second test fails. */
const suite = (name: string, failing: number[]) =>
  write(
    `suites/${name}.spec.js`,
    `const fs = require('node:fs');
     fs.appendFileSync('${name}.runs', 'x');
     const run = fs.readFileSync('${name}.runs', 'utf8').length;
     test('${name} holds', () => {});
     test('${name} wavers', () => { if (${JSON.stringify(failing)}.includes(run)) throw new Error('wavered'); });`,
  );
const runsOf = (name: string) => readFileSync(join(folder, `${name}.runs`), 'utf8').length;

/** Runs the suites of the folder as the command of a target does. */
function runProject(kind: 'unit' | 'e2e') {
  const env = { ...process.env, NX_TASK_TARGET_TARGET: undefined };
  const args = [join(ROOT, 'tools/test/project.mjs'), 'sample', 'suites', kind];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const file = join(folder, REPORT.replace('e2e', kind));
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : null;
  return { status, counts: countsOf(report, status ?? 1), repeated: report?.passedWhenRepeated };
}

describe('suites that run again', () => {
  it('an end-to-end suite that fails once and passes alone counts as passed, and is reported with its cause', () => {
    suite('steady', []);
    suite('shaky', [1]);
    expect(runProject('e2e')).toEqual({
      status: 0,
      counts: { passed: 4, failed: 0 },
      repeated: [
        { file: expect.stringMatching(/\/shaky\.spec\.js$/), title: 'shaky wavers', cause: 'Error: wavered' },
      ],
    });
    expect([runsOf('steady'), runsOf('shaky')]).toEqual([1, 2]);
  });

  it('an end-to-end suite that fails twice fails the run, whatever else passes when it runs again', () => {
    suite('broken', [1, 2]);
    suite('shaky', [1]);
    expect(runProject('e2e')).toEqual({
      status: 1,
      counts: { passed: 3, failed: 1 },
      repeated: [expect.objectContaining({ title: 'shaky wavers' })],
    });
    expect(runsOf('broken')).toBe(2);
  });

  it('an end-to-end suite that cannot be loaded at first is reported by its error', () => {
    write(
      'suites/late.spec.js',
      `const fs = require('node:fs');
       const isMade = fs.existsSync('made');
       fs.writeFileSync('made', '');
       if (!isMade) throw new Error('not made');
       test('late runs', () => {});`,
    );
    expect(runProject('e2e')).toEqual({
      status: 0,
      counts: { passed: 1, failed: 0 },
      repeated: [expect.objectContaining({ title: 'Test suite failed to run' })],
    });
  });

  it('four end-to-end suites that fail do not run again', () => {
    for (const name of ['a', 'b', 'c', 'd']) suite(name, [1]);
    expect(runProject('e2e')).toEqual({ status: 1, counts: { passed: 4, failed: 4 }, repeated: undefined });
    expect(runsOf('a')).toBe(1);
  });

  it('a unit suite that fails does not run again', () => {
    suite('shaky', [1]);
    expect(runProject('unit')).toEqual({ status: 1, counts: { passed: 1, failed: 1 }, repeated: undefined });
    expect(runsOf('shaky')).toBe(1);
  });
});

describe('the report of a run', () => {
  it('a report that leaves out suites is not whole, whatever jest calls it', () => {
    const report = {
      success: true,
      wasInterrupted: false,
      numTotalTestSuites: 14,
      numPassedTestSuites: 12,
      numFailedTestSuites: 1,
      numPendingTestSuites: 1,
    };
    expect(isWhole(report)).toBe(true);
    // As jest leaves it when it is told to stop.
    expect(isWhole({ ...report, numPassedTestSuites: 0 })).toBe(false);
    expect(isWhole({ ...report, wasInterrupted: true })).toBe(false);
    expect(isWhole(null)).toBe(false);
  });
});
