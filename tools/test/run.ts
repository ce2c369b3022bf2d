/**
 * `npm test`: every suite, and one plain last line, `N passed, N failed`. `npm test -- <jest arguments>` runs the
 * suites that jest would pick for them, with the same servers beneath. `npm run conformance` runs the suites of third
 * parties, whose files lie outside the repository; with `--conformance`, `npm test` runs them too.
 *
 * Steps: generate code; build when an end-to-end suite is picked; start the real parts that picked suites ask for,
 * once for all of them; the suites, quick ones first; on a full run also the requirement gate.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, startPostgres, startRedis } from '@platform/testing';
import { add, countsOf, exitCodeOf, type Counts, type JestReport } from './counts.ts';

/** Suites that start a service as it is built; conformance suites among them lie in a folder of that name. */
const E2E = /\.e2e\.spec\.ts$|\/e2e\/[^/]+\.conformance\.spec\.ts$/;
const jest = join('node_modules', 'jest', 'bin', 'jest.js');
const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');
const CONFORMANCE = '--conformance';
const ONLY_CONFORMANCE = '--only-conformance';
const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== CONFORMANCE && arg !== ONLY_CONFORMANCE);
const projects = given.includes(ONLY_CONFORMANCE)
  ? ['conformance']
  : ['unit', 'e2e', ...(given.includes(CONFORMANCE) ? ['conformance'] : [])];
const folder = mkdtempSync(join(tmpdir(), 'npm-test-'));

/**
 * The seed of random cases: the commit's, so that whoever runs the tests of a commit meets the same cases and every
 * commit meets others. Outside a repository one of this run.
 */
function seedOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  return /^[\da-f]{7}/.test(stdout ?? '') ? Number.parseInt(stdout.slice(0, 7), 16) : Date.now() % 2 ** 28;
}

// jest runs ES modules behind a flag, and says so once per worker; the daemon of nx would outlive the run.
const env: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_OPTIONS:
    `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FC_SEED: process.env['FC_SEED'] ?? String(seedOfCommit()),
};

function run(script: string, scriptArgs: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...scriptArgs], { stdio: 'inherit', env });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function runJest(project: string): Promise<Counts> {
  const file = join(folder, `${project}.json`);
  const workers = `--maxWorkers=${Math.max(2, Math.floor(availableParallelism() / 2))}`;
  const report = ['--json', `--outputFile=${file}`, '--passWithNoTests'];
  // `--selectProjects` takes every word after it, so it stands last.
  const exitCode = await run(jest, [workers, ...report, ...args, '--selectProjects', project]);
  return countsOf(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : null, exitCode);
}

function pickedSuites(): string[] {
  const listed = spawnSync(
    process.execPath,
    [jest, '--listTests', ...args, '--selectProjects', ...projects],
    {
      encoding: 'utf8',
      env,
    },
  );
  return listed.stdout.split('\n').filter((line) => line.endsWith('.spec.ts'));
}

/** Starts each part that a picked suite asks for by name and passes it down; returns how to end them. */
async function startParts(suites: string[]): Promise<() => Promise<void>> {
  const texts = suites.map((suite) => readFileSync(suite, 'utf8'));
  const asksFor = (call: string) => texts.some((text) => text.includes(call));
  const stops: (() => Promise<void>)[] = [];
  if (asksFor('startPostgres(')) {
    const postgres = await startPostgres();
    env['TEST_DATABASE_URL'] = postgres.url;
    stops.push(postgres.stop);
  }
  if (asksFor('startRedis(')) {
    const redis = await startRedis();
    env['TEST_REDIS_URL'] = redis.url;
    stops.push(redis.stop);
  }
  if (asksFor('startChromium(') || asksFor('findChromium(')) env['CHROMIUM_PATH'] = await findChromium();
  return async () => {
    for (const stop of stops) await stop();
  };
}

async function runAll(): Promise<Counts> {
  let counts: Counts = { passed: 0, failed: 0 };
  const step = async (name: string, outcome: Promise<Counts>) => {
    const { passed, failed } = await outcome;
    console.log(`${name}: ${passed} passed, ${failed} failed`);
    counts = add(counts, { passed, failed });
  };
  const required = async (name: string, exitCode: Promise<number>) => {
    const failed = (await exitCode) === 0 ? 0 : 1;
    if (failed) await step(name, Promise.resolve({ passed: 0, failed }));
    return failed === 0;
  };

  console.log(`FC_SEED=${env['FC_SEED']} repeats the random cases of this run`);
  if (!(await required('generate', run(nx, ['run-many', '-t', 'generate'])))) return counts;
  const suites = pickedSuites();
  const endToEnd = suites.some((suite) => E2E.test(suite));
  if (endToEnd && !(await required('build', run(nx, ['run-many', '-t', 'build'])))) return counts;
  const stopParts = await startParts(suites);
  try {
    if (projects.includes('unit')) await step('unit, property and contract suites', runJest('unit'));
    if (endToEnd && projects.includes('e2e')) await step('end-to-end suites', runJest('e2e'));
    if (projects.includes('conformance')) await step('conformance suites', runJest('conformance'));
  } finally {
    await stopParts();
  }
  if (args.length === 0 && !given.includes(ONLY_CONFORMANCE)) {
    const gate = spawnSync(process.execPath, ['--import', 'tsx', 'tools/requirements-gate/main.ts'], {
      stdio: 'inherit',
    });
    await step(
      'requirement gate',
      Promise.resolve({ passed: gate.status === 0 ? 1 : 0, failed: gate.status === 0 ? 0 : 1 }),
    );
  }
  return counts;
}

// A signal would end this process without its exit handlers, and leave the servers running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let total: Counts = { passed: 0, failed: 1 };
try {
  total = await runAll();
} catch (err) {
  console.error(err instanceof Error ? err.message : err);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = exitCodeOf(total);
