/**
 * `npm run load [-- --seconds=20] [--soak] [--write]`: the three built services, started here over a Postgres
 * that syncs and a Redis, under a bounded load. Each by itself, then all at once, for so many seconds each:
 * four times that in all, and about half a minute. With `--soak` all at once only, ten minutes unless told,
 * for the slope of memory: then the services collect their garbage every ten seconds and tell what is left.
 * Prints throughput, latency, errors and memory; `--write` puts them into docs/scaling.md. Exit code 1 when a
 * request failed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  type Ledger,
  type Observe,
  type ServiceName,
  type ServiceProcess,
  type Worker,
} from '@platform/e2e';
import { AUTHZ_SETTINGS, startPostgres, startRedis } from '@platform/testing';
import { readOptions } from '../command-line.ts';
import { formatFigure, replaceBetween } from '../bench/rows.ts';
import { quantile, robustSlope } from './statistics.ts';

const PAGE = 'docs/scaling.md';
const WORKERS = 8;
const MIB = 1024 * 1024;
const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const;
/** Samples of memory per load. */
const SAMPLES = 400;
const SAMPLE_MIN_MS = 500;
/** The first part of the run fills caches and is left out. Share of the time. */
const WARM_UP = 0.4;
/** Shortest time after it whose slope says something of a leak. Seconds. */
const SLOPE_MIN_SECONDS = 60;
const LIVE_HEAP = join(import.meta.dirname, 'live-heap.mjs');
const values = readOptions(import.meta.filename, {
  seconds: { type: 'string' },
  soak: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
const secondsEach = Number(values.seconds ?? (values.soak ? 600 : 20));
if (!(secondsEach > 0)) throw new Error('--seconds is a number above 0');

async function residentMiB({ probeUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${probeUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\{.*\} (\S+)$/m.exec(text)?.[1]) / MIB;
}

/** MiB that the service's threads hold after a collection, at the end, and how it grows in MiB a minute. */
function liveHeap(file: string, warmUpMinutes: number): { atTheEnd: number; slope: number } {
  const threads = new Map<string, [number, number][]>();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [thread = '', minutes, mebibytes] = line.split(' ');
    if (Number(minutes) <= warmUpMinutes) continue;
    const samples = threads.get(thread) ?? [];
    threads.set(thread, [...samples, [Number(minutes), Number(mebibytes)]]);
  }
  const all = [...threads.values()];
  const sum = (of: (samples: [number, number][]) => number) => all.reduce((total, one) => total + of(one), 0);
  return { atTheEnd: sum((samples) => samples.at(-1)![1]), slope: sum(robustSlope) };
}

const folder = mkdtempSync(join(tmpdir(), 'load-'));
const liveHeapFile = (name: ServiceName) => join(folder, name);
for (const name of SERVICES) writeFileSync(liveHeapFile(name), '');
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
      ...AUTHZ_SETTINGS,
      DOCSTORE_AUTHZ_URL: authzUrl,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000000',
      DOCSTORE_DOCUMENTS_MAX: '1000000000',
      INVESTIGATION_AUTHZ_URL: authzUrl,
      ...(values.soak
        ? { NODE_OPTIONS: `--import ${LIVE_HEAP}`, LIVE_HEAP_FILE: liveHeapFile(name) }
        : undefined),
    });
    if (name === 'authz-grpc') authzUrl = running[name].grpcAddress;
  }
  const clients = openAuthzClients(authzUrl);
  const tenant = await createTenant(clients);
  const docstoreUrl = running['docstore-api'].url;
  const key = await mintDocstoreKey(docstoreUrl, tenant.token);
  const workers: Record<ServiceName, (ledger: Ledger, observe: Observe) => Worker> = {
    'authz-grpc': (ledger, observe) =>
      checkWorker({ clients, ledger, observe, nextTenant: async () => tenant }),
    'docstore-api': (ledger, observe) =>
      documentWorker({ baseUrl: docstoreUrl, token: key, ledger, observe }),
    'investigation-api': (ledger, observe) =>
      sessionWorker({ baseUrl: running['investigation-api'].url, token: tenant.token, ledger, observe }),
  };
  const loads = [
    ...(values.soak ? [] : SERVICES.map((name) => [name, [name]] as const)),
    ['all three', SERVICES] as const,
  ];
  for (const [title, loaded] of loads) {
    const ledger = createLedger();
    const taken = Object.fromEntries(loaded.map((name) => [name, { ms: [] as number[], errors: 0 }]));
    const memory = Object.fromEntries(loaded.map((name) => [name, [] as number[]]));
    const observe: Observe = (outcome) => {
      const own = taken[outcome.service]!;
      if (isSuccess(outcome)) own.ms.push(outcome.ms);
      else own.errors++;
    };
    let isOver = false;
    const start = performance.now();
    const load = Promise.all(
      loaded.flatMap((name) =>
        Array.from({ length: WORKERS }, async () => {
          const step = workers[name](ledger, observe);
          while (!isOver) await step();
        }),
      ),
    );
    while (performance.now() - start < 1_000 * secondsEach) {
      await sleep(Math.max(SAMPLE_MIN_MS, (1_000 * secondsEach) / SAMPLES));
      for (const name of loaded) memory[name]!.push(await residentMiB(running[name]));
      // Nothing is compared in the end, and what was sent must not fill the memory of this process.
      for (const noted of [ledger.documents, ledger.granted, ledger.sessions, ledger.shares]) noted.clear();
      ledger.checks.length = 0;
    }
    isOver = true;
    await load;
    const seconds = (performance.now() - start) / 1_000;
    for (const name of loaded) {
      const { ms, errors } = taken[name]!;
      failed += errors;
      const cells = [
        title === name ? `${name} alone` : `${name}, all three at once`,
        `${formatFigure(ms.length / seconds)} /s`,
        `${formatFigure(quantile(ms, 0.5))} ms`,
        `${formatFigure(quantile(ms, 0.99))} ms`,
        String(errors),
        `${formatFigure(memory[name]!.at(-1)!)} MiB`,
      ];
      if (values.soak) {
        const { atTheEnd, slope } = liveHeap(liveHeapFile(name), (WARM_UP * secondsEach) / 60);
        const isLongEnough = (1 - WARM_UP) * secondsEach >= SLOPE_MIN_SECONDS;
        cells.push(
          `${formatFigure(atTheEnd)} MiB`,
          isLongEnough ? `${formatFigure(slope)} MiB/min` : 'too short',
        );
      }
      rows.push(`| ${cells.join(' | ')} |`);
      console.log(rows.at(-1));
    }
  }
  clients.close();
} finally {
  await Promise.all(Object.values(running).map((service) => service.kill()));
  await redis.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
}
const memoryTitles = values.soak
  ? '| resident at the end | live at the end | slope of live memory |'
  : '| resident at the end |';
const text = [
  `${secondsEach} s ${values.soak ? 'in all' : 'each'}, ${WORKERS} clients per service in one process on the same machine, ${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)} (the load itself included), Node ${process.versions.node}.`,
  [
    `| load | responses | p50 | p99 | errors ${memoryTitles}`,
    `|${'---|'.repeat(values.soak ? 8 : 6)}`,
    ...rows,
  ].join('\n'),
].join('\n\n');
console.log(`\n${text}`);
if (values.write)
  writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), values.soak ? 'soak' : 'load', text));
process.exitCode = failed > 0 ? 1 : 0;
