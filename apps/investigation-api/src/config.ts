import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseUrl } from '@platform/database';
import {
  booleanSetting,
  checkedSetting,
  collectorSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  readSettings,
  secret,
  SettingsError,
} from '@platform/service-kit';
import type { VerificationKey } from '@platform/jwt';
import { loadVerificationKeys } from '@platform/jwt';
import { z } from 'zod';

const MiB = 1024 * 1024;

/** Every setting of the service. The README's table is compared with it. */
export const SETTINGS = z.object({
  INVESTIGATION_HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  INVESTIGATION_PORT: portSetting().default(8080).describe('Port of the API.'),
  INVESTIGATION_PROBE_PORT: portSetting()
    .default(9080)
    .describe('Port of `/livez`, `/readyz` and `/metrics`.'),
  DATABASE_URL: secret(checkedSetting((url) => parseDatabaseUrl(url, '.')).optional()).describe(
    '`postgres://…`, or `pglite:<folder>`; unset = embedded, in INVESTIGATION_DATA_DIR.',
  ),
  INVESTIGATION_DATA_DIR: z
    .string()
    .default('.data/investigation')
    .describe('Folder of the embedded database.'),
  INVESTIGATION_DATABASE_CONNECTIONS: integerSetting({ min: 1, max: 1000 })
    .default(10)
    .describe('Connections kept to Postgres.'),
  INVESTIGATION_REPLICAS: integerSetting({ min: 1, max: 10_000 })
    .default(1)
    .describe('Replicas that run; more than one need Postgres.'),
  INVESTIGATION_LOG_LEVEL: logLevelSetting().describe('Least level that is logged.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting(),
  INVESTIGATION_AUTHZ_URL: z
    .string()
    .min(1)
    .optional()
    .describe(
      'gRPC target of authz-grpc, such as `dns:///localhost:50051`, which is asked who is who. This or one of the next two is required.',
    ),
  INVESTIGATION_JWT_PUBLIC_KEY: z
    .string()
    .optional()
    .describe(
      'Ed25519 public keys that tokens are checked with (JWKS or PEM), for running alone: owners only, no quota.',
    ),
  INVESTIGATION_JWT_PUBLIC_KEY_FILE: z.string().optional().describe('File holding the same.'),
  INVESTIGATION_JWT_ISSUER: z.string().default('authz-grpc').describe('`iss` that tokens must carry.'),
  INVESTIGATION_JWT_AUDIENCE: z.string().default('platform').describe('`aud` that tokens must name.'),
  INVESTIGATION_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Where people reach the service, for the links of shares; unset = the Host header of the request.',
    ),
  INVESTIGATION_BODY_BYTES_MAX: integerSetting({ min: 1024, max: 256 * MiB })
    .default(16 * MiB)
    .describe('Largest request body.'),
  INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: integerSetting({ min: 1024, max: 65_536 * MiB })
    .default(256 * MiB)
    .describe('Bodies held at one time, all together; beyond it requests get 503.'),
  INVESTIGATION_ANALYSIS_TIMEOUT_MS: integerSetting({ min: 1, max: 3_600_000 })
    .default(30_000)
    .describe('Longest an analysis may take, waiting included; then 504.'),
  INVESTIGATION_WORKERS: integerSetting({ min: 1, max: 256 })
    .optional()
    .describe('Worker threads that analyse; when not set, one per core and at least 2.'),
  INVESTIGATION_WORKER_MEMORY_MIB: integerSetting({ min: 64, max: 65_536 })
    .default(1024)
    .describe('Heap of one worker thread.'),
  INVESTIGATION_QUEUE_MAX: integerSetting({ min: 0, max: 100_000 })
    .default(64)
    .describe('Analyses that may wait for a worker; beyond it requests get 503.'),
  INVESTIGATION_DRAIN_DELAY_MS: integerSetting({ min: 0, max: 600_000 })
    .default(0)
    .describe('On SIGTERM: time between failing readiness and closing the port, for balancers to notice.'),
  INVESTIGATION_DRAIN_MAX_MS: integerSetting({ min: 0, max: 3_600_000 })
    .default(35_000)
    .describe(
      'On SIGTERM, and when stdin of the MCP command ends: longest wait for requests begun; longer than an analysis may take.',
    ),
});

export type Settings = z.output<typeof SETTINGS>;

/** Where sessions are kept. */
export interface DatabaseConfig {
  /** undefined = embedded. */
  readonly url: string | undefined;
  readonly embeddedFolder: string;
  readonly connectionsMax: number;
}

export interface Config {
  readonly settings: Settings;
  readonly database: DatabaseConfig;
  readonly host: string;
  readonly port: number;
  readonly probePort: number;
  readonly logLevel: string;
  /** Collector of spans; undefined = none are recorded. */
  readonly otlpEndpoint: string | undefined;
  /** Target of authz-grpc; null = tokens are checked with `verificationKeys` alone. */
  readonly authzUrl: string | null;
  /** Empty when authz-grpc is asked for them. */
  readonly verificationKeys: readonly VerificationKey[];
  /** Without a slash at the end; null = the request's Host. */
  readonly publicUrl: string | null;
  readonly issuer: string;
  readonly audience: string;
  readonly bodyBytesMax: number;
  readonly bodyBytesInFlightMax: number;
  readonly analysisTimeoutMs: number;
  readonly workers: number;
  readonly workerMemoryMiB: number;
  readonly queueMax: number;
  readonly drainDelayMs: number;
  readonly drainMaxMs: number;
}

/** The service's configuration from its environment. Throws SettingsError naming every bad variable, one per line. */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const [settings, verificationKeys] = await allOrEveryProblem(
    async () => readSettings(SETTINGS, env),
    () => readVerificationKeys(env),
  );
  const problems = contradictions(settings);
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return {
    settings,
    database: databaseOf(settings),
    host: settings.INVESTIGATION_HOST,
    port: settings.INVESTIGATION_PORT,
    probePort: settings.INVESTIGATION_PROBE_PORT,
    logLevel: settings.INVESTIGATION_LOG_LEVEL,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    authzUrl: settings.INVESTIGATION_AUTHZ_URL ?? null,
    verificationKeys,
    publicUrl: settings.INVESTIGATION_PUBLIC_URL ?? null,
    issuer: settings.INVESTIGATION_JWT_ISSUER,
    audience: settings.INVESTIGATION_JWT_AUDIENCE,
    bodyBytesMax: settings.INVESTIGATION_BODY_BYTES_MAX,
    bodyBytesInFlightMax: settings.INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX,
    analysisTimeoutMs: settings.INVESTIGATION_ANALYSIS_TIMEOUT_MS,
    workers: settings.INVESTIGATION_WORKERS ?? Math.max(2, availableParallelism()),
    workerMemoryMiB: settings.INVESTIGATION_WORKER_MEMORY_MIB,
    queueMax: settings.INVESTIGATION_QUEUE_MAX,
    drainDelayMs: settings.INVESTIGATION_DRAIN_DELAY_MS,
    drainMaxMs: settings.INVESTIGATION_DRAIN_MAX_MS,
  };
}

/** Settings that are good each by itself but not together, one line each. */
function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX < settings.INVESTIGATION_BODY_BYTES_MAX) {
    problems.push('INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: must be at least INVESTIGATION_BODY_BYTES_MAX');
  }
  if (
    settings.INVESTIGATION_REPLICAS > 1 &&
    parseDatabaseUrl(settings.DATABASE_URL, '.').kind !== 'postgres'
  ) {
    problems.push('DATABASE_URL: must name Postgres when INVESTIGATION_REPLICAS is more than 1');
  }
  return problems;
}

/** What opening the database takes, and no more: migrating needs neither ports nor keys. */
const DATABASE_SETTINGS = SETTINGS.pick({
  DATABASE_URL: true,
  INVESTIGATION_DATA_DIR: true,
  INVESTIGATION_DATABASE_CONNECTIONS: true,
  INVESTIGATION_LOG_LEVEL: true,
});

/** The configuration of `migrate`. Throws SettingsError naming every bad variable, one per line. */
export function loadDatabaseConfig(env: NodeJS.ProcessEnv): Pick<Config, 'database' | 'logLevel'> {
  const settings = readSettings(DATABASE_SETTINGS, env);
  return { database: databaseOf(settings), logLevel: settings.INVESTIGATION_LOG_LEVEL };
}

function databaseOf(settings: z.output<typeof DATABASE_SETTINGS>): DatabaseConfig {
  return {
    url: settings.DATABASE_URL,
    embeddedFolder: settings.INVESTIGATION_DATA_DIR,
    connectionsMax: settings.INVESTIGATION_DATABASE_CONNECTIONS,
  };
}

/** What the MCP command over stdio reads: no address and no key, since it serves its own user in its own process. */
const STDIO_SETTINGS = z.object({
  ...SETTINGS.pick({
    DATABASE_URL: true,
    INVESTIGATION_DATABASE_CONNECTIONS: true,
    INVESTIGATION_PUBLIC_URL: true,
    INVESTIGATION_LOG_LEVEL: true,
    INVESTIGATION_BODY_BYTES_MAX: true,
    INVESTIGATION_ANALYSIS_TIMEOUT_MS: true,
    INVESTIGATION_WORKER_MEMORY_MIB: true,
    INVESTIGATION_QUEUE_MAX: true,
    INVESTIGATION_DRAIN_MAX_MS: true,
  }).shape,
  INVESTIGATION_DATA_DIR: z
    .string()
    .default(() => join(homedir(), '.local', 'share', 'investigation'))
    .describe('Folder of the embedded database; in the home, since clients start the command anywhere.'),
  INVESTIGATION_MCP_TOOLSETS: z.string().optional().describe('Toolsets to offer, joined by commas, or all.'),
  INVESTIGATION_MCP_READ_ONLY: booleanSetting()
    .default(false)
    .describe('Whether tools that change something are hidden.'),
});

/** Configuration of the MCP command over stdio. */
export type StdioConfig = Pick<
  Config,
  | 'database'
  | 'publicUrl'
  | 'logLevel'
  | 'bodyBytesMax'
  | 'analysisTimeoutMs'
  | 'workerMemoryMiB'
  | 'queueMax'
  | 'drainMaxMs'
> & {
  /** null = the default. */
  readonly toolsets: string | null;
  readonly readOnly: boolean;
};

/** The MCP command's configuration from its environment. Throws SettingsError naming every bad variable, one per line. */
export function loadStdioConfig(env: NodeJS.ProcessEnv): StdioConfig {
  const settings = readSettings(STDIO_SETTINGS, env);
  return {
    database: databaseOf(settings),
    publicUrl: settings.INVESTIGATION_PUBLIC_URL ?? null,
    logLevel: settings.INVESTIGATION_LOG_LEVEL,
    bodyBytesMax: settings.INVESTIGATION_BODY_BYTES_MAX,
    analysisTimeoutMs: settings.INVESTIGATION_ANALYSIS_TIMEOUT_MS,
    workerMemoryMiB: settings.INVESTIGATION_WORKER_MEMORY_MIB,
    queueMax: settings.INVESTIGATION_QUEUE_MAX,
    drainMaxMs: settings.INVESTIGATION_DRAIN_MAX_MS,
    toolsets: settings.INVESTIGATION_MCP_TOOLSETS ?? null,
    readOnly: settings.INVESTIGATION_MCP_READ_ONLY,
  };
}

/** Keys come from one place: from the settings, or from authz-grpc, and then none are returned here. */
async function readVerificationKeys(env: NodeJS.ProcessEnv): Promise<VerificationKey[]> {
  const { INVESTIGATION_JWT_PUBLIC_KEY: text, INVESTIGATION_JWT_PUBLIC_KEY_FILE: file } = env;
  const given = [env.INVESTIGATION_AUTHZ_URL, text, file].filter(Boolean).length;
  if (given !== 1) {
    throw new SettingsError(
      `INVESTIGATION_AUTHZ_URL: set ${given > 1 ? 'only one of it,' : 'it,'} INVESTIGATION_JWT_PUBLIC_KEY ${given > 1 ? 'and' : 'or'} INVESTIGATION_JWT_PUBLIC_KEY_FILE`,
    );
  }
  if (!text && !file) return [];
  const name = text ? 'INVESTIGATION_JWT_PUBLIC_KEY' : 'INVESTIGATION_JWT_PUBLIC_KEY_FILE';
  try {
    return await loadVerificationKeys(text || readFileSync(file as string, 'utf8'));
  } catch (error) {
    throw new SettingsError(`${name}: ${(error as Error).message}`);
  }
}

/** The results of both, or one SettingsError with the lines of every one that failed. */
async function allOrEveryProblem<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const results = await Promise.allSettled([first(), second()]);
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const unexpected = failures.find((failure) => !(failure instanceof SettingsError));
  if (unexpected) throw unexpected;
  if (failures.length > 0)
    throw new SettingsError(failures.map((failure) => (failure as Error).message).join('\n'));
  return results.map((result) => (result as PromiseFulfilledResult<A | B>).value) as [A, B];
}
