import { setTimeout as sleep } from 'node:timers/promises';
import { openAuthzClients } from '@platform/authz-client';
import { freePort, openSeverable } from '@platform/testing';
import {
  checkWorker,
  createLedger,
  createTenant,
  documentWorker,
  isSuccess,
  mintDocstoreKey,
  runService,
  sessionWorker,
  startService,
  type Outcome,
  type ServiceName,
  type ServiceProcess,
} from '../platform/index.ts';
import { openAuditDisk, type DiskKind } from './audit-disk.ts';
import type { Invariant } from './invariant.ts';
import { checkInvariants } from './invariants.ts';
import type { Loss } from './quotas-held.ts';
import { execute, ownPostgres, ownRedis } from './servers.ts';

const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const satisfies ServiceName[];
const CHECKS_PER_TENANT = 100;
const OVERAGE_PERCENT = 10;
const WORKERS = 3;
const CALM_MS = 1_500;
const RECOVERY_MAX_MS = 30_000;

/** The events of one fault, recovery included. */
export interface FaultReport {
  readonly name: string;
  readonly how: string;
  readonly heldMs: number;
  /** Per service, how its requests ended. */
  readonly results: Readonly<Record<ServiceName, Readonly<Record<string, number>>>>;
  /**
   * Per service, milliseconds from the end of the fault to the next successful response; null when none came.
   */
  readonly recoveredMs: Readonly<Record<ServiceName, number | null>>;
}

export interface FaultsReport {
  readonly seconds: number;
  readonly requests: number;
  /** Requests that failed outside any fault and its recovery. */
  readonly failedInCalm: Readonly<Record<string, number>>;
  readonly faults: readonly FaultReport[];
  /** Services that ended although no fault stopped them. */
  readonly crashes: readonly string[];
  readonly invariants: readonly Invariant[];
}

interface Fault {
  readonly name: string;
  readonly how: string;
  readonly holdMs: number;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/**
 * Runs the three built services over a Postgres and a Redis of this run, keeps a mixed load on them, lets one
 * fault after another happen for at least `seconds` and one round, and compares what was acknowledged with
 * what is held. `disk` says what a full disk is, `only` names a part of the faults' names to run no others;
 * `tell` is told of progress, `random` in [0, 1) picks the moments.
 */
export async function runFaults(options: {
  readonly seconds: number;
  readonly disk: DiskKind;
  readonly only: string;
  readonly tell: (line: string) => void;
  readonly random: () => number;
}): Promise<FaultsReport> {
  const { seconds, disk: diskKind, only, tell, random } = options;
  const stops: (() => unknown)[] = [];
  try {
    const [postgres, redis] = [await ownPostgres(), await ownRedis()];
    stops.push(
      () => postgres.destroy(),
      () => redis.destroy(),
    );
    await Promise.all([postgres.start(), redis.start()]);
    const databases = {} as Record<ServiceName, string>;
    const way = new URL(postgres.url);
    const proxy = await openSeverable({ host: way.hostname, port: Number(way.port) });
    stops.push(() => proxy.cut());
    /** The same database, by the proxy that faults act on. */
    const byProxy = (url: string) => Object.assign(new URL(url), { port: String(proxy.port) }).href;
    for (const name of SERVICES) {
      const database = name.replaceAll('-', '_');
      await execute(postgres.url, `CREATE DATABASE ${database}`);
      databases[name] = Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href;
      await runService(name, ['migrate'], { DATABASE_URL: databases[name] });
    }
    const ports = { authz: await freePort(), docstore: await freePort(), investigation: await freePort() };
    const authzTarget = `127.0.0.1:${ports.authz}`;
    const settings: Record<string, string> = {
      REDIS_URL: redis.url,
      NODE_OPTIONS: `--import ${new URL('./clock-shim.mjs', import.meta.url).href}`,
      AUTHZ_GRPC_PORT: String(ports.authz),
      AUTHZ_ROOT_PASSWORD: 'a root password for tests 7391',
      AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '100000',
      AUTHZ_QUOTA_DATA_PLANE: String(CHECKS_PER_TENANT),
      AUTHZ_QUOTA_OVERAGE_PERCENT: String(OVERAGE_PERCENT),
      DOCSTORE_PORT: String(ports.docstore),
      DOCSTORE_AUTHZ_URL: authzTarget,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
      INVESTIGATION_PORT: String(ports.investigation),
      INVESTIGATION_AUTHZ_URL: authzTarget,
    };
    const running = {} as Record<ServiceName, ServiceProcess>;
    let phase: FaultReport | null = null;
    /** Services that ended unasked; as an orchestrator would, they are started again. */
    const crashes: string[] = [];
    const expected = new Set<ServiceName>();
    const start = async (name: ServiceName): Promise<void> => {
      const service = await startService(name, { ...settings, DATABASE_URL: byProxy(databases[name]) });
      running[name] = service;
      service.process.once('exit', (code) => {
        if (expected.delete(name)) return;
        crashes.push(
          `${name} ended with ${code} during ${phase?.name ?? 'calm'}: ${service.lastWords().slice(-300)}`,
        );
        tell(crashes.at(-1)!);
        void restart(name);
      });
    };
    const restart = async (name: ServiceName): Promise<void> => {
      for (let tries = 0; tries < 20; tries++) {
        const hasStarted = await start(name).then(
          () => true,
          () => false,
        );
        if (hasStarted) return;
        await sleep(500);
      }
      throw new Error(`${name} does not start again`);
    };
    stops.unshift(async () => {
      for (const name of SERVICES) expected.add(name);
      await Promise.all(Object.values(running).map((service) => service.kill()));
    });
    for (const name of SERVICES) await start(name);

    const clients = openAuthzClients(authzTarget, {
      channel: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
    });
    stops.unshift(() => clients.close());
    const tenant = await createTenant(clients);
    const docstoreUrl = running['docstore-api'].url;
    const investigationUrl = running['investigation-api'].url;
    const docstoreKey = await mintDocstoreKey(docstoreUrl, tenant.token);
    const disk = await openAuditDisk(databases['authz-grpc'], diskKind);
    stops.push(() => disk.destroy());

    const seen: (Outcome & { readonly phase: FaultReport | null; readonly at: number })[] = [];
    let isOver = false;
    const observe = (outcome: Outcome) => void seen.push({ ...outcome, phase, at: performance.now() });
    const ledger = createLedger();
    const shared = { ledger, observe };
    const load = Promise.all(
      Array.from({ length: WORKERS }, () => [
        documentWorker({ ...shared, baseUrl: docstoreUrl, token: docstoreKey }),
        sessionWorker({ ...shared, baseUrl: investigationUrl, token: tenant.token }),
        checkWorker({ ...shared, clients, nextTenant: () => createTenant(clients).catch(() => null) }),
      ])
        .flat()
        .map(async (step) => {
          while (!isOver) {
            await step();
            await sleep(10);
          }
        }),
    );

    const redisLosses: Loss[] = [];
    /** Lets Redis be lost by `lose`, and notes when. */
    const losingRedis = async (lose: () => unknown) => {
      const from = performance.now();
      await lose();
      redisLosses.push({ from, to: performance.now() });
    };
    const jumpClocks = async () =>
      Object.values(running).forEach((service) => service.process.kill('SIGUSR2'));
    const all: Fault[] = [
      {
        name: 'Postgres restarted',
        how: 'SIGINT (fast shutdown), two seconds later started again',
        holdMs: 2_000,
        begin: () => postgres.end('SIGINT'),
        end: () => postgres.start(),
      },
      {
        name: 'Postgres silent',
        how: 'a proxy drops every packet, on new connections too; connections of that time stay silent for good',
        holdMs: 8_000,
        begin: async () => proxy.silence(),
        end: async () => proxy.speak(),
      },
      {
        name: 'Postgres read-only',
        how: 'default_transaction_read_only is set and taken back, as a failover leaves a demoted server',
        holdMs: 4_000,
        begin: async () => {
          await execute(postgres.url, 'ALTER SYSTEM SET default_transaction_read_only = on');
          await execute(postgres.url, 'SELECT pg_reload_conf()');
        },
        end: async () => {
          await execute(postgres.url, 'ALTER SYSTEM RESET default_transaction_read_only');
          await execute(postgres.url, 'SELECT pg_reload_conf()');
        },
      },
      {
        name: 'Redis restarted and flushed',
        how: 'SIGKILL, a second later started empty',
        holdMs: 1_000,
        begin: () => losingRedis(() => redis.end('SIGKILL')),
        end: () => redis.start(),
      },
      {
        name: 'Redis hung',
        how: 'SIGSTOP, then SIGCONT',
        holdMs: 4_000,
        begin: () => losingRedis(() => redis.signal('SIGSTOP')),
        end: async () => redis.signal('SIGCONT'),
      },
      { name: 'audit disk full', how: disk.how, holdMs: 4_000, begin: disk.fill, end: disk.clear },
      {
        name: 'clock an hour ahead, then back',
        how: 'the wall clock of the three services’ main threads, not of Postgres and Redis',
        holdMs: 4_000,
        begin: jumpClocks,
        end: jumpClocks,
      },
      ...SERVICES.map((name) => ({
        name: `${name} killed`,
        how: 'SIGKILL at a random moment, started again at once',
        holdMs: 0,
        begin: async () => {
          await sleep(1_000 * random());
          expected.add(name);
          await running[name].kill();
        },
        end: () => start(name),
      })),
    ];

    const faults = all.filter(({ name }) => name.includes(only));
    if (faults.length === 0) throw new Error(`no fault of: ${all.map(({ name }) => name).join('; ')}`);
    const reports: FaultReport[] = [];
    const startedAt = performance.now();
    for (let round = 0; round === 0 || performance.now() - startedAt < 1_000 * seconds; round++) {
      for (const { name, how, holdMs, begin, end } of faults) {
        await sleep(CALM_MS);
        const beganAt = performance.now();
        const results = Object.fromEntries(
          SERVICES.map((service) => [service, {}]),
        ) as FaultReport['results'];
        const recoveredMs = {} as Record<ServiceName, number | null>;
        const report = { name, how, heldMs: 0, results, recoveredMs };
        phase = report;
        await begin();
        await sleep(holdMs);
        await end();
        const endedAt = performance.now();
        report.heldMs = endedAt - beganAt;
        const goodSince = (service: ServiceName) =>
          seen.find((one) => one.at > endedAt && one.service === service && isSuccess(one));
        while (!SERVICES.every(goodSince) && performance.now() - endedAt < RECOVERY_MAX_MS) await sleep(50);
        for (const service of SERVICES) {
          const good = goodSince(service);
          recoveredMs[service] = good === undefined ? null : good.at - endedAt;
        }
        // What was sent while the fault lasted may end a while after it.
        await sleep(CALM_MS);
        phase = null;
        for (const one of seen.filter((outcome) => outcome.phase === report))
          count(results[one.service], one.result);
        reports.push(report);
        tell(`${name}: ${JSON.stringify(results)}`);
      }
    }
    isOver = true;
    await load;
    const failedInCalm: Record<string, number> = {};
    for (const one of seen)
      if (one.phase === null && !isSuccess(one))
        count(failedInCalm, `${one.service} ${one.operation}: ${one.result}`);
    tell('comparing what was acknowledged with what is held');
    const invariants = await checkInvariants(ledger, {
      docstoreUrl,
      docstoreKey,
      investigationUrl,
      docstoreDatabase: databases['docstore-api'],
      authzDatabase: databases['authz-grpc'],
      redisUrl: redis.url,
      grantsMax: Math.floor((CHECKS_PER_TENANT * (100 + OVERAGE_PERCENT)) / 100),
      redisLosses,
    });
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      requests: seen.length,
      failedInCalm,
      faults: reports,
      crashes,
      invariants,
    };
  } finally {
    for (const stop of stops) await stop();
  }
}

function count(counts: Readonly<Record<string, number>>, key: string): void {
  (counts as Record<string, number>)[key] = (counts[key] ?? 0) + 1;
}
