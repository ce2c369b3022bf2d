import { builtOrSource } from '@platform/database';
import {
  behindProbe,
  httpListener,
  startServers,
  type DrainTimes,
  type Listener,
  type RunningService,
} from '@platform/service-kit';
import type { Config } from './config.ts';
import { createDeps, type DepsOverrides, type ServiceDeps } from './deps.ts';
import { serverCredentials } from './grpc/credentials.ts';
import { createGrpcServer, type GrpcServer } from './grpc/server.ts';
import { endSilentConnections } from './grpc/silent-connections.ts';
import { createHttpServer } from './http/server.ts';
import { ensureRootUser } from './identity/root-user.ts';
import { startMaintenance } from './maintenance.ts';

/** Descriptors of the gRPC contract, for reflection and health. */
const DESCRIPTORS = builtOrSource(import.meta.url, './authz.binpb', '../../../proto/gen/authz.binpb');

export interface Service extends RunningService {
  readonly deps: ServiceDeps;
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly probePort: number;
}

/**
 * Starts the service and resolves once it takes calls. Errors: those of `createDeps`, and ports that are
 * taken.
 */
export function startService(config: Config, overrides: DepsOverrides = {}): Promise<Service> {
  const probeAddress = {
    host: config.probeHost,
    port: config.probePort,
    setting: 'AUTHZ_PROBE_PORT',
  };
  return behindProbe(probeAddress, async (probe) => {
    const deps = await createDeps(config, overrides);
    const maintenance = await prepare(deps).catch(async (error: unknown) => {
      await deps.close();
      throw error;
    });
    const running = await startServers({
      ...deps,
      registry: deps.metrics.registry,
      listeners: [
        httpListener('http_port', createHttpServer(deps, deps.tls), {
          host: config.httpHost,
          port: config.httpPort,
          setting: 'AUTHZ_HTTP_PORT',
        }),
        grpcListener(createGrpcServer(deps, DESCRIPTORS), deps),
      ],
      probe,
      drain: { delayMs: config.drainDelayMs, maxMs: config.drainMaxMs },
      async close() {
        maintenance.stop();
        await deps.close();
      },
    });
    const { http_port: httpPort, grpc_port: grpcPort, probe_port: probePort } = running.ports;
    return { ...running, deps, httpPort: httpPort!, grpcPort: grpcPort!, probePort: probePort! };
  });
}

/** Creates the system root at the first start and runs maintenance once before calls are taken. */
async function prepare(deps: ServiceDeps): Promise<{ stop(): void }> {
  const rootPassword = await ensureRootUser(deps);
  if (rootPassword !== null) {
    // The password is printed once to stderr and never logged.
    process.stderr.write(
      `\nsystem root \`${deps.config.rootUsername}\` created, password: ${rootPassword}\n\n`,
    );
  }
  return startMaintenance(deps);
}

/** The gRPC server as a listener; its health service follows readiness. */
function grpcListener(
  { server, setServing, endWatches }: GrpcServer,
  { config, readiness, tls }: Pick<ServiceDeps, 'config' | 'readiness' | 'tls'>,
): Listener {
  const { grpcHost: host, grpcPort: port } = config;
  readiness.onChange(setServing);
  return {
    label: 'grpc_port',
    async open() {
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync(`${host}:${port}`, serverCredentials(tls), (error, taken) => {
          if (error === null) return resolve(taken);
          const why = /EADDRINUSE/.test(error.message) ? 'is taken' : error.message;
          const remedy = 'choose another with AUTHZ_GRPC_PORT';
          reject(new Error(`port ${port} on ${host} ${why}; ${remedy}`, { cause: error }));
        });
      });
      endSilentConnections(server);
      return bound;
    },
    async drain({ delayMs, maxMs }: DrainTimes) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
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
    },
  };
}
