import { createLogger, printSettings, SettingsError } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { verifyAllChains } from './audit/read-audit.ts';
import { findContradictions, readConfig, SETTINGS, type Config } from './config.ts';
import { openServiceDatabase } from './deps.ts';
import { createSigningKeys } from './identity/signing-keys.ts';
import { createPrismaStores } from './store/prisma-stores.ts';
import { BUILT_FILES, migrateDatabase, startService } from './service.ts';

const COMMANDS = {
  serve,
  migrate: async (config: Config) => {
    const applied = await migrateDatabase(config, BUILT_FILES);
    console.log(applied.length === 0 ? 'nothing to migrate' : `migrated: ${applied.join(', ')}`);
  },
  'audit-verify': auditVerify,
  'rotate-keys': rotateKeys,
  healthcheck: async (config: Config) => {
    const host = config.AUTHZ_PROBE_HOST === '0.0.0.0' ? '127.0.0.1' : config.AUTHZ_PROBE_HOST;
    const { status } = await fetch(`http://${host}:${config.AUTHZ_PROBE_PORT}/readyz`);
    if (status !== 200) process.exitCode = 1;
  },
} as const satisfies Record<string, (config: Config) => Promise<void>>;

const USAGE = `usage: authz <command> [--print-config]

  serve          answer calls (the default)
  migrate        bring the database up to date
  audit-verify   recompute every tenant's hash chain
  rotate-keys    publish a new signing key, which signs ten minutes later
  healthcheck    exit code 0 if the service on this host is ready
  version        the version of this program
`;

async function serve(config: Config): Promise<void> {
  const service = await startService(config, BUILT_FILES);
  if (service.rootPassword !== null) {
    // Told once, on the terminal and never in the log.
    process.stderr.write(
      `\nsystem root \`${config.AUTHZ_ROOT_USERNAME}\` created, password: ${service.rootPassword}\n\n`,
    );
  }
  const { grpcPort, httpPort, probePort } = service;
  service.deps.logger.info({ grpc_port: grpcPort, http_port: httpPort, probe_port: probePort }, 'ready');
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    service.deps.logger.info({ signal }, 'stopping');
    service.stop().then(
      (isClean) => process.exit(isClean ? 0 : 1),
      (err: unknown) => {
        service.deps.logger.error({ err }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function auditVerify(config: Config): Promise<void> {
  const database = await openServiceDatabase(config, createLogger({ service: 'authz-grpc', level: 'warn' }));
  try {
    for await (const { tenantId, rows, broken } of verifyAllChains(database)) {
      console.log(
        `${tenantId}: ${rows} rows ${broken === null ? 'hold' : `hold, then ${broken.why} at ${broken.sequence}`}`,
      );
      if (broken !== null) process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
}

async function rotateKeys(config: Config): Promise<void> {
  const database = await openServiceDatabase(config, createLogger({ service: 'authz-grpc', level: 'warn' }));
  const { stores, close } = createPrismaStores(database);
  try {
    const store = { keys: stores.signingKeys, exclusively: database.exclusively };
    const keys = await createSigningKeys(store, {
      now: () => new Date(),
      rotationDays: config.AUTHZ_KEY_ROTATION_DAYS,
      secret: config.AUTHZ_KEY_SECRET,
    });
    console.log(`published signing key ${await keys.rotate()}`);
  } finally {
    await close();
    await database.close();
  }
}

const FLAGS: readonly string[] = ['--print-config', '--help', '--version'];

async function run(args: readonly string[]): Promise<void> {
  const [name = 'serve', ...rest] = args.filter((arg) => !FLAGS.includes(arg));
  if (name === 'version' || args.includes('--version')) {
    console.log(packageFile.version);
    return;
  }
  const named = Object.entries(COMMANDS).find(([known]) => known === name)?.[1];
  const command = rest.length === 0 ? named : undefined;
  if (command === undefined || args.includes('--help')) {
    process.stdout.write(USAGE);
    if (command === undefined) process.exitCode = 2;
    return;
  }
  const config = readConfig(process.env);
  const contradictions = findContradictions(config);
  if (contradictions.length > 0) throw new SettingsError(contradictions.join('\n'));
  if (args.includes('--print-config')) process.stdout.write(printSettings(SETTINGS, config));
  else await command(config);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const isSettings = error instanceof SettingsError;
  process.stderr.write(`${isSettings || error instanceof Error ? error.message : String(error)}\n`);
  process.exit(isSettings ? 2 : 1);
});
