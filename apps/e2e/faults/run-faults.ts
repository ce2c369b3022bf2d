import { setTimeout as sleep } from 'node:timers/promises';
import { openAuthzClients } from '@platform/authz-client';
import { AUTHZ_SETTINGS, ROOT_PASSWORD, freePort, openTcpProxy, type Severable } from '@platform/testing';
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
import type { OpenEngines } from './engines.ts';
import { createDatabases, keepBusy, SERVICES, type Fault } from './faults.ts';
import type { Invariant } from './invariant.ts';
import { checkInvariants } from './invariants.ts';
import type { Loss } from './quotas-held.ts';
import { watchReadiness, type ReadinessWatch } from './readiness-watch.ts';
import { ownRedis } from './servers.ts';

export { openCluster, openRedisClusterRun, openServer } from './engines.ts';
export type { Invariant } from './invariant.ts';
export { CITUS_CONTRACTS, CITUS_SUITES, findCitusScripts, runCitus, type CitusReport } from './run-citus.ts';
export { runUpgrade, type UpgradeReport } from './run-upgrade.ts';

const CHECKS_PER_TENANT = 100;
const OVERAGE_PERCENT = 10;
const MANY = 1_000_000_000n;
const WORKERS = 3;
const CALM_MS = 1_500;
/** What is promised while a dependency fails and after it: see docs/reliability.md. */
const RESPONSE_MAX_MS = 5_000;
const RECOVERY_MAX_MS = 15_000;
const PROMISED_RESULTS = ['ok', '503', 'UNAVAILABLE'];

/** The events of one fault, recovery included. */
export interface FaultReport {
  readonly name: string;
  readonly how: string;
  readonly heldMs: number;
  /** Per service, how its requests ended. */
  readonly results: Readonly<Record<ServiceName, Readonly<Record<string, number>>>>;
  /**
   * Per service, milliseconds from the end of the fault until every client had a successful response, the
   * service was ready, and it used Redis; null when that took too long.
   */
  readonly recoveredMs: Readonly<Record<ServiceName, number | null>>;
  /** Per service, milliseconds that its slowest request took. */
  readonly slowestMs: Readonly<Record<ServiceName, number>>;
  /** Services whose readiness failed meanwhile. */
  readonly unready: readonly ServiceName[];
  /** What was not as promised. */
  readonly broken: readonly string[];
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

interface Seen extends Outcome {
  readonly client: number;
  readonly phase: FaultReport | null;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

/**
 * Runs the three built services over the Postgres of `openEngines` and a Redis of this run, keeps a mixed
 * load on them, lets one fault after another happen for at least `seconds` and one round, and compares what
 * was acknowledged with what is held. `only` names a part of the faults' names to run no others; `tell` is
 * told about progress, `random` in [0, 1) picks the moments.
 */
export async function runFaults(options: {
  readonly seconds: number;
  readonly openEngines: OpenEngines;
  readonly only: string;
  readonly tell: (line: string) => void;
  readonly random: () => number;
}): Promise<FaultsReport> {
  const { seconds, openEngines, only, tell, random } = options;
  const stops: (() => unknown)[] = [];
  try {
    const engines = await openEngines();
    stops.push(() => engines.destroy());
    const redis = await ownRedis();
    stops.push(() => redis.destroy());
    await redis.start();
    const databases = await createDatabases(engines.postgresUrl);
    for (const name of SERVICES) await runService(name, ['migrate'], { DATABASE_URL: databases[name] });
    const ports = { authz: await freePort(), docstore: await freePort(), investigation: await freePort() };
    const openWay = async (port: number | string) => {
      const way = await openTcpProxy({ host: '127.0.0.1', port: Number(port) });
      stops.push(() => way.cut());
      return way;
    };
    const ways = {
      Postgres: await openWay(new URL(engines.postgresUrl).port),
      Redis: await openWay(new URL(redis.url).port),
      'authz-grpc': await openWay(ports.authz),
    };
    /** The same server, by the way that faults act on. */
    const by = (way: Severable, url: string) => Object.assign(new URL(url), { port: String(way.port) }).href;
    const authzTarget = `127.0.0.1:${ways['authz-grpc'].port}`;
    const settings: Record<string, string> = {
      REDIS_URL: by(ways.Redis, redis.url),
      NODE_OPTIONS: `--import ${new URL('./clock-shim.mjs', import.meta.url).href}`,
      AUTHZ_GRPC_PORT: String(ports.authz),
      ...AUTHZ_SETTINGS,
      AUTHZ_QUOTA_DATA_PLANE: String(CHECKS_PER_TENANT),
      AUTHZ_QUOTA_OVERAGE_PERCENT: String(OVERAGE_PERCENT),
      DOCSTORE_PORT: String(ports.docstore),
      DOCSTORE_AUTHZ_URL: authzTarget,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
      // Every acknowledged version is looked for at the end.
      DOCSTORE_VERSIONS_KEPT: '1000000',
      INVESTIGATION_PORT: String(ports.investigation),
      INVESTIGATION_AUTHZ_URL: authzTarget,
      ...engines.settings,
    };
    const running = {} as Record<ServiceName, ServiceProcess>;
    let phase: FaultReport | null = null;
    /** Services that ended unasked; as an orchestrator would, they are started again. */
    const crashes: string[] = [];
    const expected = new Set<ServiceName>();
    const start = async (name: ServiceName): Promise<void> => {
      const service = await startService(name, {
        ...settings,
        DATABASE_URL: by(ways.Postgres, databases[name]),
      });
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

    const clients = openAuthzClients(`127.0.0.1:${ports.authz}`, {
      channel: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
    });
    stops.unshift(() => clients.close());
    const tenant = await createTenant(clients);
    // Requests for documents take checks too; only the tenants of the check worker may run out of them.
    const root = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
    const whole = await clients.tenants.getTenant({ id: tenant.id }, root);
    await clients.tenants.updateTenant(
      {
        id: tenant.id,
        tenant: { ...whole, dataPlane: { ...whole.dataPlane!, maxTokens: MANY, maxOverage: 0n } },
      },
      root,
    );
    const docstoreUrl = running['docstore-api'].url;
    const investigationUrl = running['investigation-api'].url;
    const docstoreKey = await mintDocstoreKey(docstoreUrl, tenant.token);

    const seen: Seen[] = [];
    let isOver = false;
    const ledger = createLedger();
    /** Every client tells what became of its requests under a number of its own. */
    const clientsOf = {} as Record<ServiceName, number[]>;
    let nextClient = 0;
    const client = (service: ServiceName) => {
      const number = nextClient++;
      (clientsOf[service] ??= []).push(number);
      const observe = (outcome: Outcome) =>
        void seen.push({ ...outcome, client: number, phase, at: performance.now() });
      return { ledger, observe };
    };
    const load = keepBusy(
      Array.from({ length: WORKERS }, (_, index) => [
        documentWorker({
          ...client('docstore-api'),
          baseUrl: docstoreUrl,
          // Keys of the store and tokens of the platform go different ways.
          token: index === 0 ? tenant.token : docstoreKey,
        }),
        sessionWorker({
          ...client('investigation-api'),
          baseUrl: investigationUrl,
          token: tenant.token,
        }),
        checkWorker({
          ...client('authz-grpc'),
          clients,
          nextTenant: () => createTenant(clients).catch(() => null),
        }),
      ]).flat(),
      () => isOver,
    );
    const readiness = {} as Record<ServiceName, ReadinessWatch>;
    for (const name of SERVICES) {
      readiness[name] = watchReadiness(() => running[name].probeUrl);
      stops.unshift(() => readiness[name].stop());
    }

    const redisLosses: Loss[] = [];
    /** Lets Redis be lost by `lose`, and notes when. */
    const losingRedis = async (lose: () => unknown) => {
      const from = performance.now();
      await lose();
      redisLosses.push({ from, to: performance.now() });
    };
    const jumpClocks = async () =>
      Object.values(running).forEach((service) => service.process.kill('SIGUSR2'));
    const all = await engines.listFaults({
      authzDatabase: databases['authz-grpc'],
      redis,
      ways,
      random,
      jumpClocks,
      losingRedis,
      start,
      async end(name, signal) {
        expected.add(name);
        await (signal === 'SIGTERM' ? running[name].stop() : running[name].kill());
      },
    });
    const grantsMax = Math.floor((CHECKS_PER_TENANT * (100 + OVERAGE_PERCENT)) / 100);
    const endWatch = await engines.watch?.({
      settings: { ...settings, DATABASE_URL: by(ways.Postgres, databases['authz-grpc']) },
      rootPassword: ROOT_PASSWORD,
      grantsMax,
      redisLosses,
    });
    const faults = all.filter(({ name }) => name.includes(only));
    if (faults.length === 0) throw new Error(`no fault of: ${all.map(({ name }) => name).join('; ')}`);
    const reports: FaultReport[] = [];
    const startedAt = performance.now();
    for (let round = 0; round === 0 || performance.now() - startedAt < 1_000 * seconds; round++) {
      for (const fault of faults) {
        await sleep(CALM_MS);
        const beganAt = performance.now();
        const results = Object.fromEntries(
          SERVICES.map((service) => [service, {}]),
        ) as FaultReport['results'];
        const report = {
          name: fault.name,
          how: fault.how,
          heldMs: 0,
          results,
          recoveredMs: {} as Record<ServiceName, number | null>,
          slowestMs: {} as Record<ServiceName, number>,
          late: {} as Record<ServiceName, string[]>,
          unready: [] as ServiceName[],
          broken: [] as string[],
        };
        phase = report;
        await fault.begin();
        await sleep(fault.holdMs);
        await fault.end();
        const endedAt = performance.now();
        report.heldMs = endedAt - beganAt;
        /** When those that count in Redis did so again. */
        const sharedAt: Partial<Record<ServiceName, number>> = {};
        const noteShared = async () => {
          for (const name of ['authz-grpc', 'docstore-api'] as const)
            if (sharedAt[name] === undefined && (await usesRedis(running[name])))
              sharedAt[name] = performance.now();
        };
        sharedAt['investigation-api'] = endedAt;
        /** When every client of the service had a success, and the service was ready. */
        const goodAt = (service: ServiceName) => {
          const times = clientsOf[service].map(
            (number) => seen.find((one) => one.at > endedAt && one.client === number && isSuccess(one))?.at,
          );
          const all = [...times, readiness[service].readyAgain(endedAt) ?? undefined, sharedAt[service]];
          return all.includes(undefined) ? null : Math.max(...(all as number[]));
        };
        while (
          SERVICES.some((name) => goodAt(name) === null) &&
          performance.now() - endedAt < (fault.recoveryMaxMs ?? RECOVERY_MAX_MS)
        ) {
          await sleep(100);
          await noteShared();
        }
        for (const service of SERVICES) {
          const good = goodAt(service);
          report.recoveredMs[service] = good === null ? null : good - endedAt;
          if (readiness[service].hasFailed(beganAt, endedAt)) report.unready.push(service);
        }
        // What was sent while the fault lasted may end a while after it.
        await sleep(CALM_MS);
        await fault.repair?.();
        phase = null;
        for (const service of SERVICES) {
          const outcomes = seen.filter((one) => one.phase === report && one.service === service);
          for (const { result } of outcomes) count(results[service], result);
          report.slowestMs[service] = Math.max(0, ...outcomes.map(({ ms }) => ms));
          const late = outcomes.filter(({ ms }) => ms > RESPONSE_MAX_MS);
          report.late[service] = late.map(
            ({ operation, result, ms }) => `${operation}: ${result} after ${(ms / 1000).toFixed(1)} s`,
          );
        }
        report.broken.push(...brokenBy(fault, report));
        reports.push(report);
        tell(`${fault.name}: ${JSON.stringify(report)}`);
      }
    }
    isOver = true;
    await load;
    const watched = (await endWatch?.()) ?? [];
    const failedInCalm: Record<string, number> = {};
    for (const one of seen)
      if (one.phase === null && !isSuccess(one))
        count(failedInCalm, `${one.service} ${one.operation}: ${one.result}`);
    tell('comparing what was acknowledged with what is held');
    const invariants = await checkInvariants(ledger, {
      docstoreUrl,
      docstoreKey,
      investigationUrl,
      databases,
      redisUrl: redis.url,
      grantsMax,
      redisLosses,
    });
    invariants.push(...watched, ...(await engines.checkMore(tell)));
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

/** Whether a service counts in Redis, and not by itself. */
async function usesRedis({ probeUrl }: ServiceProcess): Promise<boolean> {
  const text = await fetch(`${probeUrl}/metrics`).then(
    (response) => response.text(),
    () => '',
  );
  return /^(authz_gate_away|docstore_redis_away)(\{.*\})? 0$/m.test(text);
}

/** What of the promises a fault broke. */
function brokenBy(fault: Fault, report: Omit<FaultReport, 'broken'>): string[] {
  const results = [...PROMISED_RESULTS, ...(fault.alsoEnds ?? [])];
  return SERVICES.flatMap((service) => {
    const others = Object.keys(report.results[service]).filter((result) => !results.includes(result));
    const isUnready = report.unready.includes(service);
    return [
      others.length > 0 && `${service} responded ${others.join(', ')}`,
      report.slowestMs[service] > RESPONSE_MAX_MS &&
        `${service} took ${(report.slowestMs[service] / 1000).toFixed(1)} s`,
      report.recoveredMs[service] === null && `${service} did not recover`,
      fault.unready !== null &&
        isUnready !== fault.unready.includes(service) &&
        `${service} was ${isUnready ? 'not ready' : 'ready all the time'}`,
    ].filter((one) => one !== false);
  });
}

function count(counts: Readonly<Record<string, number>>, key: string): void {
  (counts as Record<string, number>)[key] = (counts[key] ?? 0) + 1;
}
