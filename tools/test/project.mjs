/**
 * `node tools/test/project.mjs <name> <folder> <unit|e2e>`, the command of the Nx targets `test` and `e2e`:
 * runs the suites of that kind in the folder and leaves jest's report in `dist/reports`, which Nx caches and
 * `npm test` adds up. As the command of a target such as `e2e-2-of-3` it runs that part of the suites. A few
 * end-to-end suites that fail run once more (docs/decisions/0070-an-end-to-end-suite-runs-twice.md).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { filesToRepeat, isWhole, mergedReport } from './repeat.mjs';

const [name, folder, kind] = process.argv.slice(2);
const target = process.env.NX_TASK_TARGET_TARGET ?? '';
const part = /^e2e-(\d+)-of-(\d+)$/.exec(target);
const report = join('dist', 'reports', `${name}.${part === null ? kind : target}.json`);
mkdirSync(join('dist', 'reports'), { recursive: true });

// jest runs ES modules behind a flag, and says so once per worker.
const flags = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
const given = process.env.NODE_OPTIONS ?? '';
const env = { ...process.env, NODE_OPTIONS: given.includes(flags) ? given : `${given} ${flags}`.trim() };
// Nx asks its tasks for colors; programs that suites start and compare with a README would print them too.
delete env.FORCE_COLOR;

/** Runs jest with the arguments and returns its exit code and its report; null when it left none. */
function runJest(file, args) {
  rmSync(file, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      join('node_modules', 'jest', 'bin', 'jest.js'),
      '--maxWorkers=1',
      '--verbose=false',
      '--json',
      `--outputFile=${file}`,
      ...args,
      // It takes every word after it, so it stands last.
      '--selectProjects',
      kind,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env },
  );
  return { status: status ?? 1, found: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null };
}

let { status, found } = runJest(report, [
  ...(part === null ? [] : [`--shard=${part[1]}/${part[2]}`]),
  '--testPathPatterns',
  `./${folder}/`,
]);
if (status === 0 && !isWhole(found)) {
  console.error('the run was cut off: suites are missing from its report');
  status = 1;
}
const files = status === 0 ? [] : filesToRepeat(found, kind);
if (files.length > 0) {
  console.error(`\nrunning once more: ${files.join(', ')}`);
  const again = `${report}.again`;
  const second = runJest(again, ['--runTestsByPath', ...files]);
  const merged = second.found && mergedReport(found, second.found);
  rmSync(again, { force: true });
  if (merged) {
    writeFileSync(report, JSON.stringify(merged));
    status = second.status;
  }
}
process.exitCode = status;
