import type { Server } from 'node:http';
import type { ServiceParts } from './service-base.ts';
import { behindProbe, httpListener, startServers, type RunningService } from './start-servers.ts';

/** The settings of a service with one HTTP server: those of `httpSettings` and `commonSettings`. */
export interface HttpServiceConfig {
  readonly host: string;
  readonly port: number;
  readonly probePort: number;
  readonly drainDelayMs: number;
  readonly drainMaxMs: number;
}

/**
 * How a service with one HTTP server starts; the promise resolves once it takes requests. Errors: those of
 * `createDeps`, and ports that are taken.
 */
export function httpService<C extends HttpServiceConfig, D extends ServiceParts>(service: {
  /** Prefix of the service's settings. */
  readonly prefix: string;
  createDeps(config: C): Promise<D>;
  createServer(deps: NoInfer<D>): Server;
}): (config: C) => Promise<RunningService & { readonly deps: D }> {
  const { prefix } = service;
  return (config) => {
    const { host, port, probePort } = config;
    return behindProbe({ host, port: probePort, setting: `${prefix}_PROBE_PORT` }, async (probe) => {
      const deps = await service.createDeps(config);
      const running = await startServers({
        ...deps,
        registry: deps.metrics.registry,
        listeners: [
          httpListener('port', service.createServer(deps), { host, port, setting: `${prefix}_PORT` }),
        ],
        probe,
        drain: { delayMs: config.drainDelayMs, maxMs: config.drainMaxMs },
      });
      return { ...running, deps };
    });
  };
}
