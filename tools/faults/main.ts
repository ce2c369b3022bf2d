/**
 * `npm run test:faults [-- --seconds=300] [--only=disk] [--disk=trigger] [--write]`: the three built
 * services under load while Postgres, Redis, the disk, the clock and the services themselves fail, and then
 * what was acknowledged compared with what is held. `npm run test:ha` is the same over two Postgres servers
 * under Patroni, one of which is lost (`--engines=cluster`), or over a Redis Cluster that changes and loses
 * primaries (`--engines=redis-cluster`, or Valkey by `--engines=valkey-cluster`). `--engines=citus` runs
 * suites and load over a coordinator with two workers. `--upgrade-from=<commit>` replaces two replicas of
 * each service as that commit has them by this one's, under load, and back. `--only` runs the faults whose
 * name has these letters; `--disk=trigger` has a trigger stand for the full disk, as it does anyhow where
 * mounting is not allowed; `--write` puts the figures into docs/reliability.md. Exit code 1 when an
 * invariant is broken, a service ended unasked or did not recover.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  CITUS_CONTRACTS,
  CITUS_SUITES,
  findCitusScripts,
  openCluster,
  openRedisClusterRun,
  openServer,
  runCitus,
  runFaults,
  runUpgrade,
  type Invariant,
} from '@platform/e2e/faults';
import { readOptions } from '../command-line.ts';
import { replaceBetween } from '../bench/rows.ts';
import { citusToMarkdown, toMarkdown, upgradeToMarkdown } from './report.ts';

const PAGE = 'docs/reliability.md';
const values = readOptions(import.meta.filename, {
  seconds: { type: 'string', default: '60' },
  only: { type: 'string', default: '' },
  disk: { type: 'string', default: 'mounted' },
  engines: { type: 'string', default: 'server' },
  'upgrade-from': { type: 'string', default: '' },
  write: { type: 'boolean', default: false },
});
if (values.disk !== 'mounted' && values.disk !== 'trigger') throw new Error('--disk is mounted or trigger');
const { disk } = values;
/** Per choice, how its engines are opened, and where the page shows its figures. */
const ENGINES: Record<
  string,
  { readonly mark: string; readonly open: () => ReturnType<typeof openCluster> }
> = {
  server: { mark: 'faults', open: () => openServer(disk) },
  cluster: { mark: 'ha', open: openCluster },
  'redis-cluster': { mark: 'redis-cluster', open: () => openRedisClusterRun('redis') },
  'valkey-cluster': { mark: 'valkey-cluster', open: () => openRedisClusterRun('valkey') },
};
const engines = ENGINES[values.engines];
if (engines === undefined && values.engines !== 'citus')
  throw new Error(`--engines is one of ${Object.keys(ENGINES).join(', ')}, citus`);

if (values['upgrade-from'] !== '') await upgrade(values['upgrade-from']);
else if (values.engines === 'citus') await distribute();
else await fail();

/** Runs suites over the databases of `env`; whether all passed. */
async function runSuites(env: Readonly<Record<string, string>>): Promise<boolean> {
  for (const [project, suites] of Object.entries(CITUS_SUITES)) {
    const filter = project === 'unit' ? ['-t', CITUS_CONTRACTS] : [];
    const jest = ['node_modules/jest/bin/jest.js', '--runInBand', ...filter, '--selectProjects', project];
    const { status } = spawnSync(process.execPath, ['--experimental-vm-modules', ...jest, '--', ...suites], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    if (status !== 0) return false;
  }
  return true;
}

async function distribute(): Promise<void> {
  const scripts = findCitusScripts();
  if (scripts === null) {
    console.log(
      'citus: skipped: set CITUS_SCRIPTS to a folder with build-citus.sh and start-citus.sh, which build Citus into the PostgreSQL of this machine and start a coordinator with two workers',
    );
    return;
  }
  const report = await runCitus({
    scripts,
    seconds: Number(values.seconds),
    tell: (line) => console.log(line),
    runSuites,
  });
  show('citus', citusToMarkdown(report));
  process.exitCode = report.hasPassed && !hasBroken(report.invariants) ? 0 : 1;
}

async function upgrade(from: string): Promise<void> {
  const report = await runUpgrade({ from, tell: (line) => console.log(line) });
  show('upgrade', upgradeToMarkdown(report));
  process.exitCode = hasBroken(report.invariants) ? 1 : 0;
}

async function fail(): Promise<void> {
  const { mark, open } = engines!;
  const report = await runFaults({
    seconds: Number(values.seconds),
    openEngines: open,
    only: values.only,
    tell: (line) => console.log(line),
    random: Math.random,
  });
  show(mark, toMarkdown(report));
  const isUnkept = report.faults.some(({ broken }) => broken.length > 0);
  process.exitCode = hasBroken(report.invariants) || isUnkept || report.crashes.length > 0 ? 1 : 0;
}

function hasBroken(invariants: readonly Invariant[]): boolean {
  return invariants.some(({ broken }) => broken.length > 0);
}

function show(mark: string, text: string): void {
  console.log(`\n${text}`);
  if (values.write) writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), mark, text));
}
