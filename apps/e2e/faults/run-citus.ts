import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openAuthzClients } from '@platform/authz-client';
import { openDatabase } from '@platform/database';
import { AUTHZ_SETTINGS, freePort, startPostgres } from '@platform/testing';
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
} from '../platform/index.ts';
import { createDatabases, SERVICES } from './faults.ts';
import type { Invariant } from './invariant.ts';
import { checkInvariants } from './invariants.ts';
import { execute, ownPostgres, ownRedis } from './servers.ts';
import { groupsByStatement, type ShardGroups } from './statement-log.ts';

const run = promisify(execFile);
/** Far beyond the calls of a run. */
const CALLS_MAX = '1000000000';
/** Each with a client of every service, so that statements for several at once would meet several nodes. */
const TENANTS = 6;

/**
 * Titles of the contracts on Postgres. What looks at locks and row versions of one server, or at PGlite, is
 * not among them.
 */
export const CITUS_CONTRACTS = '^(?!a session of 10,000)(?!the migration of).*Postgres';

/** The suites that run on the cluster: every store contract, and one end to end of each service. */
export const CITUS_SUITES = {
  unit: [
    'apps/authz-grpc/src/store/stores.spec.ts',
    'apps/docstore-api/src/store/sql-document-store.spec.ts',
    'apps/investigation-api/src/store/sql-session-store.spec.ts',
    'apps/investigation-api/src/store/sql-outcomes.spec.ts',
    'apps/investigation-api/src/store/sql-watch.spec.ts',
    'apps/investigation-api/src/store/sql-jobs.spec.ts',
  ],
  e2e: [
    'apps/e2e/life-cycle.e2e.spec.ts',
    'apps/docstore-api/e2e/check-quota.e2e.spec.ts',
    'apps/investigation-api/e2e/sessions.e2e.spec.ts',
  ],
} as const;

/**
 * Statements that may go to every node: nobody waits for them, or they are an operator's. All others are of
 * requests.
 */
const OF_THE_CLOCK: readonly RegExp[] = [
  // Sweeps of what has expired.
  /DELETE FROM "?(public"?\."?)?(idempotent_answers|version_marks)/,
  /^\s*WITH gone AS \(DELETE FROM tombstones/,
  /^\s*SELECT DISTINCT owner FROM documents/,
  // Partitions of the audit, a day each.
  /audit_events_(default|\d{8})|audit_moving|audit_leaving/,
  // What subscriptions look at once a judgement was kept.
  /watch_(outbox|subscriptions|events)/,
  /FROM sessions WHERE key = \$1/,
];

/** A cluster of a coordinator and two workers. */
interface Citus {
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
}

export interface CitusReport {
  readonly seconds: number;
  readonly invariants: readonly Invariant[];
  /** Requests a second, per service: over one Postgres, and over the three nodes. */
  readonly rates: Readonly<Record<ServiceName, { readonly one: number; readonly three: number }>>;
  /** Whether all suites passed. */
  readonly hasPassed: boolean;
}

/**
 * Where the scripts that build and start Citus are, from the setting `CITUS_SCRIPTS`. Null when they are not
 * there: Citus is in no registry that this repository installs from.
 */
export function findCitusScripts(env: NodeJS.ProcessEnv = process.env): string | null {
  const folder = env['CITUS_SCRIPTS'];
  return folder !== undefined && existsSync(join(folder, 'start-citus.sh')) ? folder : null;
}

/**
 * Runs the suites of `CITUS_SUITES` on a coordinator with two workers by `runSuites`, then the built services
 * under load there and over one Postgres. Every statement of a request must have gone to the rows of one
 * tenant. Errors: those of the scripts.
 */
export async function runCitus(options: {
  readonly scripts: string;
  readonly seconds: number;
  readonly tell: (line: string) => void;
  readonly runSuites: (env: Readonly<Record<string, string>>) => Promise<boolean>;
}): Promise<CitusReport> {
  const { scripts, seconds, tell, runSuites } = options;
  await run('sh', [join(scripts, 'build-citus.sh')], { maxBuffer: 1 << 26 });
  const citus = await startCitus(scripts);
  try {
    const env = { TEST_DATABASE_URL: citus.url, TEST_DISTRIBUTED: '1' };
    tell('suites on the cluster');
    const hasPassed = await runSuites(env);
    tell('load over one Postgres');
    const one = await loadOverPostgres(seconds);
    tell('load over three nodes');
    const three = await loadOverCitus(citus, env, seconds);
    return {
      seconds,
      hasPassed,
      invariants: three.invariants,
      rates: Object.fromEntries(
        SERVICES.map((name) => [name, { one: one.rates[name], three: three.rates[name] }]),
      ) as CitusReport['rates'],
    };
  } finally {
    await citus.stop();
  }
}

async function loadOverPostgres(seconds: number) {
  const postgres = await ownPostgres();
  try {
    await postgres.start();
    return await loadOver(await createDatabases(postgres.url), seconds, false);
  } finally {
    await postgres.destroy();
  }
}

async function startCitus(scripts: string): Promise<Citus> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-'));
  const script = join(scripts, 'start-citus.sh');
  const { stdout } = await run('sh', [script, folder], { env: { ...process.env, FSYNC: 'on' } });
  return {
    url: stdout.trim(),
    folder,
    stop: async () => void (await run('sh', [script, 'stop', folder])),
  };
}

/** The load over the cluster, with what its log says about every statement. */
async function loadOverCitus(
  citus: Citus,
  env: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Load> {
  const postgres = await startPostgres(env);
  try {
    const databases = {} as Record<ServiceName, string>;
    for (const name of SERVICES) databases[name] = await postgres.createDatabase();
    const measured = await loadOver(databases, seconds, true);
    const logged = await loadOver(databases, Math.min(seconds, 10), true, {
      before: () => logStatements(citus.url, true),
      after: () => logStatements(citus.url, false),
    });
    const log = await readFile(join(citus.folder, 'coordinator.log'), 'utf8');
    const groups = new Map<string, ShardGroups>();
    for (const name of SERVICES)
      groups.set(new URL(databases[name]).pathname.slice(1), await readShardGroups(databases[name]));
    const single: Invariant & { compared: number; broken: string[] } = {
      promise: 'every statement of a request goes to the rows of one tenant or owner',
      compared: 0,
      broken: [],
    };
    for (const { text, groups: met } of groupsByStatement(log, groups)) {
      if (met.size === 0 || OF_THE_CLOCK.some((pattern) => pattern.test(text))) continue;
      single.compared += 1;
      if (met.size > 1) single.broken.push(`${met.size} parts: ${text.replace(/\s+/g, ' ').slice(0, 160)}`);
    }
    if (single.compared === 0) single.broken.push('no statement was seen');
    return { ...measured, invariants: [...measured.invariants, ...logged.invariants.slice(0, 0), single] };
  } finally {
    await postgres.stop();
  }
}

/** Has the coordinator log every statement, and what it asks of which node for it. */
async function logStatements(url: string, isOn: boolean): Promise<void> {
  const settings = {
    log_statement: "'all'",
    log_min_messages: "'notice'",
    log_line_prefix: "'<%p %d> '",
    'citus.log_remote_commands': 'on',
    'citus.grep_remote_commands': "''",
  };
  for (const [name, value] of Object.entries(settings))
    await execute(url, isOn ? `ALTER SYSTEM SET ${name} = ${value}` : `ALTER SYSTEM RESET ${name}`);
  await execute(url, 'SELECT pg_reload_conf()');
}

/** Per part of a table, by its number, its group: parts of one group hold rows of the same tenants. */
async function readShardGroups(url: string): Promise<ShardGroups> {
  const database = await openDatabase(url, { embeddedFolder: '' });
  try {
    const { rows } = await database.query<{ shard: string; group: string }>(
      `SELECT s.shardid::text AS shard, p.colocationid || ' ' || s.shardminvalue AS "group"
       FROM pg_dist_shard s JOIN pg_dist_partition p USING (logicalrelid) WHERE p.partmethod = 'h'`,
    );
    return new Map(rows.map(({ shard, group }) => [shard, group]));
  } finally {
    await database.close();
  }
}

interface Load {
  readonly rates: Readonly<Record<ServiceName, number>>;
  readonly invariants: readonly Invariant[];
}

/** The built services over those databases, under load for a while. */
async function loadOver(
  databases: Readonly<Record<ServiceName, string>>,
  seconds: number,
  isDistributed: boolean,
  around?: { readonly before: () => Promise<void>; readonly after: () => Promise<void> },
): Promise<Load> {
  const stops: (() => unknown)[] = [];
  try {
    const redis = await ownRedis();
    await redis.start();
    stops.push(() => redis.destroy());
    for (const name of SERVICES) {
      const args = ['migrate', ...(isDistributed ? ['--distributed'] : [])];
      const { code, stderr } = await runService(name, args, { DATABASE_URL: databases[name] });
      if (code !== 0) throw new Error(`migrate of ${name} ended with ${code}: ${stderr}`);
    }
    const grpcPort = String(await freePort());
    const authzTarget = `127.0.0.1:${grpcPort}`;
    const settings = {
      REDIS_URL: redis.url,
      AUTHZ_GRPC_PORT: grpcPort,
      ...AUTHZ_SETTINGS,
      AUTHZ_QUOTA_DATA_PLANE: CALLS_MAX,
      AUTHZ_QUOTA_USER_PLANE: CALLS_MAX,
      DOCSTORE_AUTHZ_URL: authzTarget,
      DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
      // Every acknowledged version is looked for at the end.
      DOCSTORE_VERSIONS_KEPT: '1000000',
      INVESTIGATION_AUTHZ_URL: authzTarget,
    };
    const urls = {} as Record<ServiceName, string>;
    for (const name of SERVICES) {
      const service = await startService(name, { ...settings, DATABASE_URL: databases[name] });
      stops.unshift(() => service.kill());
      urls[name] = service.url;
    }
    const clients = openAuthzClients(authzTarget);
    stops.unshift(() => clients.close());
    const outcomes: Outcome[] = [];
    const observe = (outcome: Outcome) => void outcomes.push(outcome);
    const ledger = createLedger();
    const docstoreUrl = urls['docstore-api'];
    const investigationUrl = urls['investigation-api'];
    let docstoreKey = '';
    const steps = [];
    for (let count = 0; count < TENANTS; count++) {
      const tenant = await createTenant(clients);
      docstoreKey = await mintDocstoreKey(docstoreUrl, tenant.token);
      const own = createLedger();
      steps.push(
        // The documents of the last tenant are compared at the end: it is their key that reads them.
        documentWorker({
          ledger: count === TENANTS - 1 ? ledger : own,
          observe,
          baseUrl: docstoreUrl,
          token: docstoreKey,
        }),
        sessionWorker({ ledger, observe, baseUrl: investigationUrl, token: tenant.token }),
        checkWorker({ ledger, observe, clients, nextTenant: async () => tenant }),
      );
    }
    await around?.before();
    let isOver = false;
    const load = Promise.all(
      steps.map(async (step) => {
        while (!isOver) await step();
      }),
    );
    await sleep(1_000 * seconds);
    isOver = true;
    await load;
    await around?.after();
    const rateOf = (name: ServiceName) =>
      outcomes.filter((one) => one.service === name && isSuccess(one)).length / seconds;
    const failed = outcomes.filter((one) => !isSuccess(one));
    const invariants = await checkInvariants(ledger, {
      docstoreUrl,
      docstoreKey,
      investigationUrl,
      databases,
      redisUrl: redis.url,
      grantsMax: Number(CALLS_MAX),
      redisLosses: [],
    });
    return {
      rates: Object.fromEntries(SERVICES.map((name) => [name, rateOf(name)])) as Load['rates'],
      invariants: [
        ...invariants,
        {
          promise: 'no request fails',
          compared: outcomes.length,
          broken: failed.map(({ service, operation, result }) => `${service} ${operation}: ${result}`),
        },
      ],
    };
  } finally {
    for (const stop of stops) await stop();
  }
}
