import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ServerCredentials } from '@grpc/grpc-js';
import { migrate, migrationStatus } from '@platform/database';
import {
  createLogger,
  createProbeServer,
  createReadiness,
  drainServer,
  listen,
  type Readiness,
} from '@platform/service-kit';
import type { Config } from './config.ts';
import { createDeps, openServiceDatabase } from './deps.ts';
import { createGrpcServer, type GrpcServer } from './grpc/server.ts';
import { createHttpServer } from './http/server.ts';
import { ensureRootUser } from './identity/root-user.ts';
import type { Deps } from './ports.ts';
import { startMaintenance } from './maintenance.ts';

/** Where the build puts what the service reads beside its code; tests name the sources. */
export interface ServiceFiles {
  readonly migrations: URL;
  readonly descriptors: URL;
  readonly policyWorker: URL;
}

export const BUILT_FILES: ServiceFiles = {
  migrations: new URL('./migrations/', import.meta.url),
  descriptors: new URL('./authz.binpb', import.meta.url),
  policyWorker: new URL('./policy-worker.js', import.meta.url),
};

/** A running service. */
export interface Service {
  readonly deps: Deps;
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly probePort: number;
  readonly readiness: Readiness;
  readonly grpc: GrpcServer;
  readonly http: Server;
  readonly probes: Server;
  /** The root password, when it was made up at this start. */
  readonly rootPassword: string | null;
  /** Readiness fails, calls end, what waits is written, pools close. True when every call begun was answered. */
  stop(): Promise<boolean>;
}

/** Applies the migrations and returns the names of the new ones. */
export async function migrateDatabase(config: Config, files: ServiceFiles): Promise<string[]> {
  const database = await openServiceDatabase(config, createLogger({ service: 'authz-grpc', level: 'warn' }));
  try {
    return await migrate(database, fileURLToPath(files.migrations));
  } finally {
    await database.close();
  }
}

/** Starts everything and resolves once calls are taken. Errors: those of stores, and ports that are taken. */
export async function startService(
  config: Config,
  files: ServiceFiles,
  overrides: { now?: () => Date } = {},
): Promise<Service> {
  const logger = createLogger({ service: 'authz-grpc', level: config.AUTHZ_LOG_LEVEL });
  const database = await openServiceDatabase(config, logger);
  try {
    if (config.AUTHZ_MIGRATE_ON_START ?? database.kind === 'pglite') {
      await migrate(database, fileURLToPath(files.migrations));
    } else {
      const { pending } = await migrationStatus(database, fileURLToPath(files.migrations));
      if (pending.length > 0)
        throw new Error(`the database lacks ${pending.join(', ')}: run \`migrate\` first`);
    }
    if (database.kind === 'pglite')
      logger.warn({ folder: config.AUTHZ_DATA_DIR }, 'embedded database: one replica only');
    if (config.REDIS_URL === undefined) logger.warn('counters in this process: one replica only');
    const deps = await createDeps(config, {
      ...overrides,
      database,
      logger,
      policyWorkerFile: files.policyWorker,
    });
    const rootPassword = await ensureRootUser(deps);
    const maintenance = await startMaintenance(deps);
    const grpc = createGrpcServer(deps, files.descriptors);
    const http = createHttpServer(deps);
    const readiness = createReadiness(deps.metrics.registry);
    const probes = createProbeServer({ readiness, registry: deps.metrics.registry });

    const probePort = await listen(probes, {
      host: config.AUTHZ_PROBE_HOST,
      port: config.AUTHZ_PROBE_PORT,
      setting: 'AUTHZ_PROBE_PORT',
    });
    const httpPort = await listen(http, {
      host: config.AUTHZ_HTTP_HOST,
      port: config.AUTHZ_HTTP_PORT,
      setting: 'AUTHZ_HTTP_PORT',
    });
    const grpcPort = await bindGrpc(grpc, config);
    grpc.setServing(true);
    readiness.set(true);

    let stopping: Promise<boolean> | undefined;
    return {
      deps,
      grpcPort,
      httpPort,
      probePort,
      readiness,
      grpc,
      http,
      probes,
      rootPassword,
      stop: () =>
        (stopping ??= (async () => {
          readiness.set(false);
          grpc.setServing(false);
          const { AUTHZ_DRAIN_DELAY_MS: delayMs, AUTHZ_DRAIN_MAX_MS: maxMs } = config;
          const drained = await Promise.all([
            drainGrpc(grpc, { delayMs, maxMs }),
            drainServer(http, { delayMs, maxMs }),
          ]);
          maintenance.stop();
          await deps.close();
          probes.close();
          probes.closeAllConnections();
          return drained.every(Boolean);
        })()),
    };
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

function bindGrpc({ server }: GrpcServer, config: Config): Promise<number> {
  const { AUTHZ_GRPC_HOST: host, AUTHZ_GRPC_PORT: port } = config;
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) return resolve(bound);
      const why = /EADDRINUSE/.test(error.message) ? 'is taken' : error.message;
      reject(
        new Error(`port ${port} on ${host} ${why}; choose another with AUTHZ_GRPC_PORT`, { cause: error }),
      );
    });
  });
}

async function drainGrpc(
  { server, endWatches }: GrpcServer,
  { delayMs, maxMs }: { delayMs: number; maxMs: number },
): Promise<boolean> {
  await sleep(delayMs);
  endWatches();
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      server.forceShutdown();
      resolve(false);
    }, maxMs);
    server.tryShutdown(() => {
      clearTimeout(limit);
      resolve(true);
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
