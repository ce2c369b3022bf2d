/**
 * `npm test`: every suite, and one plain last line, `N passed, N failed`. The suites of a project run as its
 * Nx targets `test` and `e2e`, whose results are cached: what a change does not reach counts as it came out
 * when it last ran.
 *
 * `npm test -- <jest arguments>` runs the suites that jest would pick for them, with the same servers
 * beneath, uncached. `npm run conformance` runs the suites of third parties, whose files lie outside the
 * repository; with `--conformance`, `npm test` runs them too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, startPostgres, startRedis } from '@platform/testing';
import { add, countsOf, exitCodeOf, noticeOf, type Counts, type JestReport } from './counts.ts';
import type { PassedWhenRepeated } from './repeat.mjs';

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
/** Suites at a time. A suite waits for its servers as often as it computes, so even one core gets two. */
const WORKERS = Math.max(2, Math.floor(availableParallelism() / 2));
/** Where the targets `test` and `e2e` leave jest's report of each project, as nx.json says. */
const REPORTS = join('dist', 'reports');
const KINDS = [
  { targets: /^test$/, title: 'unit, property and contract suites' },
  { targets: /^e2e(-\d+-of-\d+)?$/, title: 'end-to-end suites' },
];
const folder = mkdtempSync(join(tmpdir(), 'npm-test-'));

/**
 * The seed of random cases: the commit's, so that everyone who tests a commit meets the same cases and every
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
  const report = ['--json', `--outputFile=${file}`, '--passWithNoTests'];
  // `--selectProjects` takes every word after it, so it stands last.
  const exitCode = await run(jest, [
    `--maxWorkers=${WORKERS}`,
    ...report,
    ...args,
    '--selectProjects',
    project,
  ]);
  return countsOf(readReport(file), exitCode);
}

function readReport(file: string): JestReport | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : null;
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

let counts: Counts = { passed: 0, failed: 0 };
/** Suites that count as passed though they failed at first. */
const repeated: PassedWhenRepeated[] = [];

/** Counts the outcome of a step and prints it. */
function step(name: string, outcome: Counts): void {
  console.log(`${name}: ${outcome.passed} passed, ${outcome.failed} failed`);
  counts = add(counts, outcome);
}

/** Runs an Nx target of every project; prints and counts only its failure. */
async function required(target: string): Promise<boolean> {
  const exitCode = await run(nx, ['run-many', '-t', target]);
  if (exitCode !== 0) step(target, { passed: 0, failed: 1 });
  return exitCode === 0;
}

async function runParts(suites: string[], body: () => Promise<void>): Promise<void> {
  const stopParts = await startParts(suites);
  try {
    await body();
  } finally {
    await stopParts();
  }
}

/** Every suite of every project that has changed, or that depends on what has, since it last passed. */
async function runProjects(): Promise<void> {
  rmSync(REPORTS, { recursive: true, force: true });
  const exitCode = await run(nx, ['run-many', '-t', 'test,e2e', `--parallel=${WORKERS}`]);
  const tasks = tasksWithReports();
  const outcomes = KINDS.map(({ targets, title }) => {
    const reports = tasks
      .filter(({ target }) => targets.test(target))
      .map(({ project, target }) =>
        readReport(join(REPORTS, `${project}.${target === 'test' ? 'unit' : target}.json`)),
      );
    repeated.push(...reports.flatMap((report) => report?.passedWhenRepeated ?? []));
    return { title, outcome: reports.map((report) => countsOf(report, report ? 0 : 1)).reduce(add) };
  });
  for (const { title, outcome } of outcomes) step(title, outcome);
  // A task that failed without a failed test, such as a build.
  if (exitCode !== 0 && counts.failed === 0) step('tasks', { passed: 0, failed: 1 });
}

/** Every target of every project but those that only name others, as `e2e` does where it has parts. */
function tasksWithReports(): { project: string; target: string }[] {
  const file = join(folder, 'graph.json');
  spawnSync(process.execPath, [nx, 'graph', `--file=${file}`], { env });
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as {
    graph: { nodes: Record<string, { data: { targets: Record<string, { executor: string }> } }> };
  };
  return Object.entries(graph.nodes).flatMap(([project, { data }]) =>
    Object.entries(data.targets)
      .filter(([, { executor }]) => executor !== 'nx:noop')
      .map(([target]) => ({ project, target })),
  );
}

function runGate(): void {
  const gate = spawnSync(process.execPath, ['--import', 'tsx', 'tools/requirements-gate/main.ts'], {
    stdio: 'inherit',
  });
  step('requirement gate', gate.status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

async function runAll(): Promise<void> {
  console.log(`FC_SEED=${env['FC_SEED']} repeats the random cases of this run`);
  if (args.length === 0 && !given.includes(ONLY_CONFORMANCE)) {
    await runParts(pickedSuites(), async () => {
      await runProjects();
      if (given.includes(CONFORMANCE)) step('conformance suites', await runJest('conformance'));
    });
    runGate();
    return;
  }
  if (!(await required('generate'))) return;
  const suites = pickedSuites();
  const endToEnd = suites.some((suite) => E2E.test(suite));
  if (endToEnd && !(await required('build'))) return;
  await runParts(suites, async () => {
    for (const project of projects) step(`${project} suites`, await runJest(project));
  });
}

// A signal would end this process without its exit handlers, and leave the servers running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  await runAll();
} catch (err) {
  console.error(err instanceof Error ? err.message : err);
  counts = add(counts, { passed: 0, failed: 1 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const notice = noticeOf(repeated, process.cwd());
if (notice !== null) console.log(`\n${notice}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = exitCodeOf(counts);
