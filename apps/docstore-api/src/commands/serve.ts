import { createProbeServer, createReadiness, listen, stopOnSignal } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { buildDeps, openLogger } from '../deps.ts';
import { createApiServer } from '../server.ts';

/** Answers requests until a signal ends it. Errors: a taken port, a database that is not reached or not migrated. */
export async function serve(config: Config): Promise<void> {
  const { settings } = config;
  const logger = openLogger(settings);
  const deps = await buildDeps(config, logger);
  const { metrics } = deps;
  const readiness = createReadiness(metrics.registry);
  const server = createApiServer({
    deps,
    logger,
    metrics,
    largeBodies: settings.DOCSTORE_LARGE_BODIES,
    slowRequestMs: settings.DOCSTORE_SLOW_REQUEST_MS,
  });
  const probeServer = createProbeServer({ readiness, registry: metrics.registry });
  const host = settings.DOCSTORE_HOST;
  const probePort = await listen(probeServer, {
    host,
    port: settings.DOCSTORE_PROBE_PORT,
    setting: 'DOCSTORE_PROBE_PORT',
  });
  const port = await listen(server, { host, port: settings.DOCSTORE_PORT, setting: 'DOCSTORE_PORT' });
  stopOnSignal({
    logger,
    readiness,
    servers: [server],
    probeServer,
    drainDelayMs: settings.DOCSTORE_DRAIN_DELAY_MS,
    drainMaxMs: settings.DOCSTORE_DRAIN_MAX_MS,
    close: () => deps.close(),
  });
  readiness.set(true);
  logger.info({ host, port, probe_port: probePort, database: deps.database.kind }, 'listening');
}
