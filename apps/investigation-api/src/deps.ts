import { randomBytes, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  connectAuthority,
  createLeaseRecord,
  createLeases,
  eraseDeletedTenants,
  rememberTenants,
  type LeaseRecord,
} from '@platform/authz-client';
import { builtOrSource, defineServiceDatabase, type DatabaseConfig } from '@platform/database';
import { staticKeys } from '@platform/jwt';
import {
  authzTlsOf,
  createCallMetrics,
  createCommandLogger,
  createReadiness,
  createServiceBase,
  type ServiceParts,
  watchDependencies,
} from '@platform/service-kit';
import type { Tracing } from '@platform/telemetry';
import { loadShareAssets } from '@platform/viewer';
import { loadWorkbenchAssets } from '@platform/workbench';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAuthenticate } from './access/authenticate.ts';
import { createPermissions } from './access/permissions.ts';
import { sweepEnded } from './access/sweep-ended.ts';
import type { Config } from './config.ts';
import { createAnalysisPool } from './engine/analysis-pool.ts';
import { observedAnalysis } from './engine/observed-analysis.ts';
import { createInputReader } from './engine/input-reader.ts';
import { defaultWorkers, workersWithin } from './engine/worker-count.ts';
import { createDocumentStore } from './quotes/document-store.ts';
import { createInterchange } from './interchange/interchange.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { createSharePages } from './page/share-pages.ts';
import { createBullQueue } from './jobs/bull-queue.ts';
import { createLocalQueue } from './jobs/job-queue.ts';
import { createJobRunner } from './jobs/job-runner.ts';
import { createJobWatch } from './jobs/job-watch.ts';
import type { JobStore } from './store/job-store.ts';
import type { OutcomeStore } from './store/outcome-store.ts';
import type { SessionStore } from './store/session-store.ts';
import type { WatchStore } from './store/watch-store.ts';
import { createPrisma } from './store/prisma.ts';
import { createSqlJobStore } from './store/sql-jobs.ts';
import { createSqlOutcomeStore } from './store/sql-outcomes.ts';
import { createSqlSessionStore } from './store/sql-session-store.ts';
import { createSqlWatchStore } from './store/sql-watch.ts';
import { createFollower, NO_FOLLOWER, type Follower } from './watch/follower.ts';
import { createEventStreams } from './watch/event-streams.ts';
import { createWatcher, type Watcher } from './watch/watcher.ts';
import { createWebhookSender, SECRET_PREFIX } from './watch/webhook.ts';
import { createWebhookHosts } from './watch/webhook-hosts.ts';

/** Everything the service is made of. */
export interface ServiceDeps extends HttpDeps, ServiceParts {
  /**
   * Erases what is kept of tenants that were deleted longer than INVESTIGATION_ERASE_AFTER_DAYS ago; returns
   * their ids.
   */
  eraseDeleted(): Promise<readonly string[]>;
  readonly watcher: Watcher;
}

const HOUSEKEEPING_INTERVAL_MS = 3_600_000;
/**
 * How often the watcher looks for what a dead replica left, and the longest that a receiver may take.
 * Milliseconds.
 */
const WATCH_IDLE_MS = 10_000;
/** How often streams of events look for what other replicas fired. Milliseconds. */
const STREAM_INTERVAL_MS = 1_000;
/** How often jobs are looked at that are followed. */
const JOB_WATCH_INTERVAL_MS = 500;
const WEBHOOK_TIMEOUT_MS = 10_000;
/** Days for which it is seen what has become of a job. */
const JOBS_KEPT_DAYS = 7;
/** How long docstore-api holds back its response while no document changes. Seconds. */
const FOLLOW_WAIT_SECONDS = 20;
/** A reader of changes that gives no sign of life for so long has died, and another one takes over. */
const FOLLOW_TAKEN_MS = 6_000;
const SECRET_BYTES = 32;
const DAY_MS = 24 * 3_600_000;

/** Parts that tests replace. */
export type DepsOverrides = Partial<
  Pick<
    ServiceDeps,
    | 'logger'
    | 'now'
    | 'newId'
    | 'sessions'
    | 'outcomes'
    | 'watch'
    | 'jobs'
    | 'analysis'
    | 'documents'
    | 'pages'
    | 'interchange'
    | 'assets'
    | 'workbench'
  >
> & { readonly follower?: Follower };

const NAME = 'investigation-api';
const DATABASE = defineServiceDatabase({
  service: NAME,
  prefix: 'INVESTIGATION',
  migrations: builtOrSource(import.meta.url, './migrations/', '../../../prisma/investigation/migrations/'),
  commandLogger: () => createCommandLogger(NAME),
});

/** The migrations of the configured database. */
export const migrationsOf = DATABASE.migrations;

/**
 * The store of sessions and how to close it; `registry` shows the pool. Errors: those of opening the
 * database.
 */
export async function openSessions(
  config: DatabaseConfig,
  options: {
    readonly logger: Logger;
    readonly registry?: Registry;
    readonly tracing?: Tracing;
    readonly waits?: boolean;
  },
): Promise<{
  sessions: SessionStore;
  outcomes: OutcomeStore;
  watch: WatchStore;
  jobs: JobStore;
  leaseRecord: LeaseRecord;
  ping(): Promise<void>;
  close(): Promise<void>;
}> {
  const database = await DATABASE.open(config, options);
  const prisma = createPrisma(database);
  // Its first statement would hold the event loop for a quarter of a second, among requests.
  await prisma.$connect();
  return {
    sessions: createSqlSessionStore(database, prisma),
    outcomes: createSqlOutcomeStore(database),
    watch: createSqlWatchStore(database),
    jobs: createSqlJobStore(database, prisma),
    leaseRecord: createLeaseRecord(database),
    ping: database.ping,
    close: () => database.close(),
  };
}

// The replica that keeps something looks at it at once; the others look now and then for what was left.
function wakingSessions(store: SessionStore, wake: () => void): SessionStore {
  return { ...store, saveJudgement: (...args) => store.saveJudgement(...args).finally(wake) };
}

function wakingWatch(store: WatchStore, wake: () => void): WatchStore {
  return {
    ...store,
    subscribe: (...args) => store.subscribe(...args).finally(wake),
    pause: (...args) => store.pause(...args).finally(wake),
    replay: (...args) => store.replay(...args).finally(wake),
  };
}

/** How many workers there are; a setting that the memory limit does not hold is obeyed, and warned of. */
function workersOf({ workers, workerMemoryMib }: Config, logger: Logger): number {
  const machine = { cores: availableParallelism(), memoryLimit: process.constrainedMemory() };
  const held = workersWithin(machine, workerMemoryMib);
  if (workers !== undefined && workers > held)
    logger.warn(
      { workers, held, memory_limit_bytes: machine.memoryLimit },
      'INVESTIGATION_WORKERS: the memory limit does not hold so many; large requests may end the process',
    );
  return workers ?? defaultWorkers(machine, workerMemoryMib);
}

/**
 * Composition root: opens the stores and builds every part of the service. Errors: those of opening the
 * database.
 */
export async function createDeps(config: Config, overrides: DepsOverrides = {}): Promise<ServiceDeps> {
  const base = createServiceBase(NAME, config, overrides);
  const { logger, tracing, now } = base;
  const { registry } = base.metrics;
  const opening = { logger, registry, tracing, waits: true };
  const stored = overrides.sessions === undefined ? await openSessions(config, opening) : null;
  const pool =
    overrides.analysis ??
    createAnalysisPool({
      threads: workersOf(config, logger),
      queueMax: config.queueMax,
      memoryMiBMax: config.workerMemoryMib,
    });
  const analysis = observedAnalysis(pool, { registry, tracing });
  const inputs = createInputReader({ memoryMiBMax: config.workerMemoryMib });
  const documents =
    overrides.documents ??
    createDocumentStore({
      baseUrl: config.docstoreUrl ?? null,
      timeoutMs: config.docstoreTimeoutMs,
      memoryMiBMax: config.workerMemoryMib,
    });
  const assets = overrides.assets ?? loadShareAssets(fileURLToPath(new URL('./viewer/', import.meta.url)));
  const workbench =
    overrides.workbench ?? loadWorkbenchAssets(fileURLToPath(new URL('./workbench/', import.meta.url)));
  const pages =
    overrides.pages ?? createSharePages({ assets: assets.page, memoryMiBMax: config.workerMemoryMib });
  const interchange = overrides.interchange ?? createInterchange({ memoryMiBMax: config.workerMemoryMib });
  const observe = createCallMetrics(registry);
  const authority =
    config.authzUrl === undefined
      ? null
      : connectAuthority(config.authzUrl, { tracing, observe, tls: authzTlsOf(config) });
  const sessions = overrides.sessions ?? wakingSessions(stored!.sessions, () => watcher.wake());
  const asked = authority === null || stored === null ? null : { authority, record: stored.leaseRecord };
  const eraseDeleted = async () =>
    asked === null
      ? []
      : eraseDeletedTenants({
          ask: asked.authority.leaseStates,
          record: asked.record,
          erase: sessions.eraseTenant,
          now: now(),
          afterDays: config.eraseAfterDays,
        });
  const watch = overrides.watch ?? wakingWatch(stored!.watch, () => watcher.wake());
  const leases =
    asked === null ? null : createLeases({ ask: asked.authority.leaseStates, record: asked.record });
  const hosts = createWebhookHosts(config.webhookHosts);
  const eventStreams = createEventStreams({
    store: watch,
    perTenantMax: config.eventStreamsMax,
    intervalMs: STREAM_INTERVAL_MS,
    logger,
    registry,
  });
  const follower =
    overrides.follower ??
    (authority === null || config.docstoreUrl === undefined || config.watchKeys.length === 0
      ? NO_FOLLOWER
      : createFollower({
          keys: config.watchKeys,
          baseUrl: config.docstoreUrl,
          authority,
          store: watch,
          now,
          logger,
          onKept: () => watcher.wake(),
          idleMs: WATCH_IDLE_MS / 2,
          waitSeconds: FOLLOW_WAIT_SECONDS,
          takenMs: FOLLOW_TAKEN_MS,
        }));
  const watcher = createWatcher({
    store: watch,
    follower,
    analysis,
    leases,
    send: createWebhookSender({ hosts, timeoutMs: WEBHOOK_TIMEOUT_MS }),
    now,
    newId: overrides.newId ?? randomUUID,
    random: Math.random,
    retrySeconds: config.webhookRetrySeconds.map(Number),
    logger,
    registry,
    idleMs: WATCH_IDLE_MS,
    onFired: eventStreams.look,
  });
  const jobs = overrides.jobs ?? stored!.jobs;
  const queue = config.queueUrl === undefined ? createLocalQueue() : createBullQueue(config.queueUrl, logger);
  const runner = createJobRunner({
    store: jobs,
    sessions,
    analysis,
    queue,
    leases,
    now,
    newId: overrides.newId ?? randomUUID,
    config,
    atOnce: pool.load().threads,
    logger,
    registry,
    onKept: () => watcher.wake(),
  });
  const housekeeping = setInterval(() => {
    jobs
      .forget(new Date(now().getTime() - JOBS_KEPT_DAYS * DAY_MS))
      .catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
    watch
      .forgetDocumentChanges(new Date(now().getTime() - DAY_MS))
      .catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
    watch
      .forgetEvents(new Date(now().getTime() - config.eventsKeptDays * DAY_MS))
      .catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
    for (const store of asked === null ? [] : [watch, sessions.invitations])
      sweepEnded({
        store,
        ask: asked!.authority.leaseStates,
        now: now(),
        afterDays: config.eraseAfterDays,
      }).catch((err: unknown) => logger.warn({ err }, 'maintenance failed'));
    eraseDeleted().then(
      (tenants) => tenants.forEach((id) => logger.info({ tenant_id: id }, 'erased a deleted tenant')),
      (err: unknown) => logger.warn({ err }, 'maintenance failed'),
    );
  }, HOUSEKEEPING_INTERVAL_MS).unref();
  const endWatch = watchDependencies(
    { registry, logger },
    {
      ...(stored === null ? {} : { database: { ping: stored.ping, setting: 'DATABASE_URL' } }),
      ...(authority === null
        ? {}
        : { 'authz-grpc': { ping: authority.ping, setting: 'INVESTIGATION_AUTHZ_URL' } }),
      ...(queue.ping === undefined
        ? {}
        : { queue: { ping: queue.ping, setting: 'INVESTIGATION_QUEUE_URL' } }),
    },
  );
  const readiness = createReadiness({ registry, ...(stored === null ? {} : { ping: stored.ping }) });
  // They would hold up a stop; and without a database they show nothing.
  readiness.onChange(eventStreams.accept);
  // The first request shall not wait for a connection and for keys.
  await authority?.triedKeys;
  return {
    ...base,
    config,
    readiness,
    eventStreams,
    authenticate: createAuthenticate({
      keys: authority?.keys ?? staticKeys(config.jwtPublicKey ?? config.jwtPublicKeyFile ?? []),
      issuer: config.jwtIssuer,
      audience: config.jwtAudience,
      now,
      authority,
      ...(asked === null ? {} : { onTenant: rememberTenants(asked.record.saveTenant) }),
    }),
    logins: authority,
    permissions: createPermissions(authority),
    leases,
    watch,
    webhooks: {
      refusal: hosts.refusal,
      newSecret: () => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`,
    },
    watcher,
    jobs,
    onJob: runner.offer,
    follower,
    jobWatch: createJobWatch(jobs, JOB_WATCH_INTERVAL_MS),
    sessions,
    outcomes: overrides.outcomes ?? stored!.outcomes,
    analysis,
    inputs,
    documents,
    pages,
    interchange,
    assets,
    workbench,
    newId: overrides.newId ?? randomUUID,
    eraseDeleted,
    async close() {
      clearInterval(housekeeping);
      endWatch();
      eventStreams.close();
      await runner.close();
      await follower.close();
      await watcher.close();
      authority?.close();
      await Promise.all([
        analysis.close(),
        inputs.close(),
        documents.close(),
        pages.close(),
        interchange.close(),
      ]);
      await stored?.close();
      await tracing.close();
    },
  };
}
