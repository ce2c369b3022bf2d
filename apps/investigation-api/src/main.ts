import { migrate } from '@platform/database';
import {
  createLogger,
  createProbeServer,
  listen,
  printSettings,
  SettingsError,
  stopOnSignal,
} from '@platform/service-kit';
import { loadConfig, loadDatabaseConfig, SETTINGS } from './config.ts';
import { buildDeps, migrationsFolder, openConfigured } from './deps.ts';
import { createApiServer } from './server.ts';

/** Bad settings or a command line that is not understood. */
const EXIT_USAGE = 2;

const USAGE = `usage: investigation-api <command>
  serve            answer requests (default)
  migrate          bring the database up to date
  --print-config   print the settings, secrets masked
`;

async function main(args: readonly string[]): Promise<void> {
  const [command = 'serve', ...rest] = args.filter((arg) => arg !== '--print-config');
  if (args.includes('--help')) process.stdout.write(USAGE);
  else if (rest.length > 0 || !['serve', 'migrate'].includes(command)) {
    process.stderr.write(USAGE);
    process.exitCode = EXIT_USAGE;
  } else if (args.includes('--print-config')) {
    process.stdout.write(printSettings(SETTINGS, (await loadConfig(process.env)).settings));
  } else if (command === 'migrate') await migrateDatabase();
  else await serve();
}

/** Brings the database up to date; replicas that do so at once wait for one another. */
async function migrateDatabase(): Promise<void> {
  const { database: settings, logLevel } = loadDatabaseConfig(process.env);
  const database = await openConfigured(
    settings,
    createLogger({ service: 'investigation-api', level: logLevel }),
  );
  try {
    const applied = await migrate(database, migrationsFolder());
    process.stdout.write(applied.length === 0 ? 'up to date\n' : `applied ${applied.join(', ')}\n`);
  } finally {
    await database.close();
  }
}

/** Answers requests until a signal ends it. Errors: a taken port, a database that is not reached or not migrated. */
async function serve(): Promise<void> {
  const config = await loadConfig(process.env);
  const deps = await buildDeps(config);
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

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? EXIT_USAGE : 1);
});
