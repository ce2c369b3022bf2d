import { createProbeServer, listen, printSettings, SettingsError, stopOnSignal } from '@platform/http-kit';
import { loadConfig, SETTINGS } from './config.ts';
import { buildDeps } from './deps.ts';
import { createApiServer } from './server.ts';

/** A bad setting; nothing else uses it. */
const EXIT_BAD_SETTINGS = 2;

async function main(): Promise<void> {
  const config = await loadConfig(process.env);
  if (process.argv.includes('--print-config')) {
    process.stdout.write(printSettings(SETTINGS, config.settings));
    return;
  }
  const deps = buildDeps(config);
  const { logger, readiness, metrics } = deps;
  const server = createApiServer(deps);
  const probeServer = createProbeServer({ readiness, registry: metrics.registry });
  const { host } = config;
  const probePort = await listen(probeServer, {
    host,
    port: config.probePort,
    setting: 'INVESTIGATION_PROBE_PORT',
  });
  const port = await listen(server, { host, port: config.port, setting: 'INVESTIGATION_PORT' });
  stopOnSignal({
    logger,
    readiness,
    servers: [server],
    probeServer,
    drainDelayMs: config.drainDelayMs,
    drainMaxMs: config.drainMaxMs,
    close: () => deps.close(),
  });
  readiness.set(true);
  logger.info({ host, port, probe_port: probePort }, 'listening');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? EXIT_BAD_SETTINGS : 1);
});
