/**
 * `npm run load [-- --seconds=20] [-- --write]`: the three built services, started here over a Postgres that syncs and a
 * Redis, under a bounded load: each by itself, then all at once. Prints throughput, latency, errors and the slope of memory;
 * `--write` puts them into docs/scaling.md. Exit code 1 when a request failed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  checkWorker,
  createLedger,
  createTenant,
  documentWorker,
  isSuccess,
  mintDocstoreKey,
  openAuthzClients,
  runService,
  sessionWorker,
  startService,
  type Observe,
  type Outcome,
  type ServiceName,
  type ServiceProcess,
  type Worker,
} from '@platform/e2e';
import { startPostgres, startRedis } from '@platform/testing';
import { formatFigure, replaceBetween } from '../bench/rows.ts';

const PAGE = 'docs/scaling.md';
const WORKERS = 8;
const SAMPLE_MS = 500;
const MIB = 1024 * 1024;
const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } },
});

/** The value below which a share of the samples lies; samples in any order. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Least-squares slope of `y` over `x`. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

async function residentMiB({ probeUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${probeUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\{.*\} (\S+)$/m.exec(text)?.[1]) / MIB;
}

const postgres = await startPostgres(process.env, { durable: true });
const redis = await startRedis();
const running = {} as Record<ServiceName, ServiceProcess>;
const rows: string[] = [];
let failed = 0;
try {
  let authzUrl = '';
  for (const name of SERVICES) {
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url };
    await runService(name, ['migrate'], env);
    running[name] = await startService(name, {
      ...env,
      AUTHZ_ROOT_PASSWORD: 'a root password for tests 7391',
      AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '100000',
      DOCSTORE_AUTHZ_URL: authzUrl,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000000',
      DOCSTORE_DOCUMENTS_MAX: '1000000000',
      INVESTIGATION_AUTHZ_URL: authzUrl,
    });
    if (name === 'authz-grpc') authzUrl = running[name].grpcAddress;
  }
  const clients = openAuthzClients(authzUrl);
  const tenant = await createTenant(clients);
  const docstoreUrl = running['docstore-api'].url;
  const key = await mintDocstoreKey(docstoreUrl, tenant.token);
  const ledger = createLedger();
  const workers: Record<ServiceName, (observe: Observe) => Worker> = {
    'authz-grpc': (observe) => checkWorker({ clients, ledger, observe, nextTenant: async () => tenant }),
    'docstore-api': (observe) => documentWorker({ baseUrl: docstoreUrl, token: key, ledger, observe }),
    'investigation-api': (observe) =>
      sessionWorker({ baseUrl: running['investigation-api'].url, token: tenant.token, ledger, observe }),
  };
  for (const [title, loaded] of [
    ...SERVICES.map((name) => [name, [name]] as const),
    ['all three', SERVICES] as const,
  ]) {
    const outcomes: Outcome[] = [];
    const memory = Object.fromEntries(loaded.map((name) => [name, [] as [number, number][]]));
    let isOver = false;
    const start = performance.now();
    const load = Promise.all(
      loaded.flatMap((name) =>
        Array.from({ length: WORKERS }, async () => {
          const step = workers[name]((outcome) => outcomes.push(outcome));
          while (!isOver) await step();
        }),
      ),
    );
    while (performance.now() - start < 1_000 * Number(values.seconds)) {
      await sleep(SAMPLE_MS);
      const minutes = (performance.now() - start) / 60_000;
      for (const name of loaded) memory[name]!.push([minutes, await residentMiB(running[name])]);
    }
    isOver = true;
    await load;
    const seconds = (performance.now() - start) / 1_000;
    for (const name of loaded) {
      const own = outcomes.filter(({ service }) => service === name);
      const ms = own.filter(isSuccess).map((outcome) => outcome.ms);
      const errors = own.length - ms.length;
      failed += errors;
      // The first half fills caches and heaps; what still grows after it may be a leak.
      const samples = memory[name]!.slice(memory[name]!.length / 2);
      const cells = [
        title === name ? `${name} alone` : `${name}, all three at once`,
        `${formatFigure(ms.length / seconds)} /s`,
        `${formatFigure(quantile(ms, 0.5))} ms`,
        `${formatFigure(quantile(ms, 0.99))} ms`,
        String(errors),
        `${formatFigure(samples.at(-1)![1])} MiB`,
        `${formatFigure(slope(samples))} MiB/min`,
      ];
      rows.push(`| ${cells.join(' | ')} |`);
      console.log(rows.at(-1));
    }
  }
  clients.close();
} finally {
  await Promise.all(Object.values(running).map((service) => service.kill()));
  await redis.stop();
  await postgres.stop();
}
const text = [
  `${values.seconds} s each, ${WORKERS} clients per service in one process on the same machine, ${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)} (the load itself included), Node ${process.versions.node}.`,
  [
    '| load | answered | p50 | p99 | errors | memory at the end | slope, second half |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n'),
].join('\n\n');
console.log(`\n${text}`);
if (values.write) writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), 'load', text));
process.exitCode = failed > 0 ? 1 : 0;
