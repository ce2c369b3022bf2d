/**
 * `node tools/test/project.mjs <name> <folder> <unit|e2e>`, the command of the Nx targets `test` and `e2e`:
 * runs the suites of that kind in the folder and leaves jest's report in `dist/reports`, which Nx caches and
 * `npm test` adds up. As the command of a target such as `e2e-2-of-3` it runs that part of the suites.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

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
const { status } = spawnSync(
  process.execPath,
  [
    join('node_modules', 'jest', 'bin', 'jest.js'),
    '--maxWorkers=1',
    '--verbose=false',
    '--json',
    `--outputFile=${report}`,
    ...(part === null ? [] : [`--shard=${part[1]}/${part[2]}`]),
    '--testPathPatterns',
    `./${folder}/`,
    '--selectProjects',
    kind,
  ],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  },
);
process.exitCode = status ?? 1;
