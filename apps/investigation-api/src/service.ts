import { httpListener, startServers, type RunningService } from '@platform/service-kit';
import type { Config } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { createApiServer } from './server.ts';

/** A running service. */
export interface Service extends RunningService {
  readonly deps: Deps;
}

/** Starts the service and resolves once it takes requests. Errors: those of `createDeps`, and ports that are taken. */
export async function startService(config: Config): Promise<Service> {
  const deps = await createDeps(config);
  const { host } = config;
  const running = await startServers({
    ...deps,
    registry: deps.metrics.registry,
    listeners: [
      httpListener('port', createApiServer(deps), { host, port: config.port, setting: 'INVESTIGATION_PORT' }),
    ],
    probe: { host, port: config.probePort, setting: 'INVESTIGATION_PROBE_PORT' },
    drain: { delayMs: config.drainDelayMs, maxMs: config.drainMaxMs },
  });
  return { ...running, deps };
}
