/**
 * `npm run test:faults [-- --seconds=300] [--only=disk] [--disk=trigger] [--write]`: the three built services
 * under load while Postgres, Redis, the disk, the clock and the services themselves fail, and then what was
 * acknowledged compared with what is held. `npm run test:ha` is the same over two Postgres servers under
 * Patroni, one of which is lost (`--engines=cluster`), or over a Redis Cluster that changes and loses
 * primaries (`--engines=redis-cluster`). `--only` runs the faults whose name has these letters;
 * `--disk=trigger` has a trigger stand for the full disk, as it does anyhow where mounting is not allowed;
 * `--write` puts the figures into docs/reliability.md. Exit code 1 when an invariant is broken, a service
 * ended unasked or did not recover.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openCluster, openRedisClusterRun, openServer, runFaults } from '@platform/e2e/faults';
import { replaceBetween } from '../bench/rows.ts';
import { toMarkdown } from './report.ts';

const PAGE = 'docs/reliability.md';
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    disk: { type: 'string', default: 'mounted' },
    engines: { type: 'string', default: 'server' },
    write: { type: 'boolean', default: false },
  },
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
  'redis-cluster': { mark: 'redis-cluster', open: openRedisClusterRun },
};
const engines = ENGINES[values.engines];
if (engines === undefined) throw new Error(`--engines is one of ${Object.keys(ENGINES).join(', ')}`);

const report = await runFaults({
  seconds: Number(values.seconds),
  openEngines: engines.open,
  only: values.only,
  tell: (line) => console.log(line),
  random: Math.random,
});
const text = toMarkdown(report);
console.log(`\n${text}`);
if (values.write) writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), engines.mark, text));
const isBroken = report.invariants.some(({ broken }) => broken.length > 0);
const isUnkept = report.faults.some(({ broken }) => broken.length > 0);
process.exitCode = isBroken || isUnkept || report.crashes.length > 0 ? 1 : 0;
