import { readFileSync } from 'node:fs';
import { parseDatabaseUrl } from '@platform/database';
import {
  checkedSetting,
  collectorSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  readSettings,
  redisUrlSetting,
  secret,
  SettingsError,
} from '@platform/service-kit';
import { loadVerificationKeys, type VerificationKey } from '@platform/jwt';
import { z } from 'zod';

/** Every setting of the service. The README's table is compared with it. */
export const SETTINGS = z.object({
  DOCSTORE_HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  DOCSTORE_PORT: portSetting().default(8082).describe('Port of the API.'),
  DOCSTORE_PROBE_PORT: portSetting().default(9082).describe('Port of `/livez`, `/readyz` and `/metrics`.'),
  DATABASE_URL: secret(checkedSetting((url) => parseDatabaseUrl(url, '.')).optional()).describe(
    '`postgres://…`, or `pglite:<folder>`; unset = embedded, in DOCSTORE_DATA_DIR.',
  ),
  REDIS_URL: redisUrlSetting().describe(
    '`redis://…` to share rates between replicas; unset = counted in process.',
  ),
  DOCSTORE_DATA_DIR: z.string().default('.data/docstore').describe('Folder of the embedded database.'),
  DOCSTORE_REPLICAS: integerSetting({ min: 1, max: 10_000 })
    .default(1)
    .describe('Replicas that run; more than one need Postgres and Redis.'),
  DOCSTORE_DATABASE_CONNECTIONS: integerSetting({ min: 1, max: 1000 })
    .default(10)
    .describe('Connections kept to Postgres.'),
  DOCSTORE_LOG_LEVEL: logLevelSetting().describe('Least level that is logged.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting(),
  DOCSTORE_DOCUMENTS_MAX: integerSetting({ min: 0, max: 1_000_000_000 })
    .default(10_000)
    .describe('Documents an owner may have.'),
  DOCSTORE_BYTES_MAX: integerSetting({ min: 0, max: 1_000_000_000_000_000 })
    .default(1024 ** 3)
    .describe('Bytes of contents an owner may have, all documents together.'),
  DOCSTORE_REQUESTS_PER_MINUTE: integerSetting({ min: 1, max: 1_000_000_000 })
    .default(60)
    .describe('Requests a credential may make, sustained; as many may come at one instant.'),
  DOCSTORE_VERSIONS_KEPT: integerSetting({ min: 1, max: 1_000_000 })
    .default(100)
    .describe('Versions kept of each document; beyond it those replaced over an hour ago go.'),
  DOCSTORE_LARGE_BODIES: integerSetting({ min: 1, max: 1000 })
    .default(4)
    .describe('Bodies over 1 MiB worked on at one time; each takes up to some 80 MB, the others wait.'),
  DOCSTORE_KEY_ENVIRONMENT: z
    .string()
    .regex(/^[a-z]{1,16}$/, 'must be 1 to 16 letters a-z')
    .default('live')
    .describe('Names the installation in its keys: `dsk_<this>_…`.'),
  DOCSTORE_JWT_PUBLIC_KEY: z
    .string()
    .optional()
    .describe(
      'Ed25519 public keys that platform tokens are checked with: JWKS or PEM. Unset = asked of DOCSTORE_AUTHZ_URL; neither = own keys only.',
    ),
  DOCSTORE_JWT_PUBLIC_KEY_FILE: z.string().optional().describe('File holding the same.'),
  DOCSTORE_JWT_ISSUER: z.string().default('authz-grpc').describe('`iss` that tokens must carry.'),
  DOCSTORE_JWT_AUDIENCE: z.string().default('platform').describe('`aud` that tokens must name.'),
  DOCSTORE_AUTHZ_URL: z
    .string()
    .optional()
    .describe(
      'gRPC target of authz-grpc, such as `dns:///localhost:50051`, where tokens are found live and may manage keys.',
    ),
  DOCSTORE_SLOW_REQUEST_MS: integerSetting({ min: 1000, max: 3_600_000 })
    .default(60_000)
    .describe('Longest a request may take to arrive; then 408.'),
  DOCSTORE_DRAIN_DELAY_MS: integerSetting({ min: 0, max: 600_000 })
    .default(0)
    .describe('On SIGTERM: time between failing readiness and closing the port, for balancers to notice.'),
  DOCSTORE_DRAIN_MAX_MS: integerSetting({ min: 0, max: 3_600_000 })
    .default(35_000)
    .describe('On SIGTERM: longest wait for requests begun.'),
});

export type Settings = z.output<typeof SETTINGS>;

export interface Config {
  readonly settings: Settings;
  /** Empty when tokens are not checked by a key that is set. */
  readonly verificationKeys: readonly VerificationKey[];
}

/** The service's configuration from its environment. Throws SettingsError naming every bad variable, one per line. */
export async function loadConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const settings = readSettings(SETTINGS, env);
  const problems: string[] = [];
  if (settings.DOCSTORE_REPLICAS > 1) {
    if (parseDatabaseUrl(settings.DATABASE_URL, '.').kind !== 'postgres') {
      problems.push('DATABASE_URL: must name Postgres when DOCSTORE_REPLICAS is more than 1');
    }
    if (settings.REDIS_URL === undefined)
      problems.push('REDIS_URL: must be set when DOCSTORE_REPLICAS is more than 1');
  }
  let verificationKeys: VerificationKey[] = [];
  try {
    verificationKeys = await readVerificationKeys(settings);
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return { settings, verificationKeys };
}

async function readVerificationKeys(settings: Settings): Promise<VerificationKey[]> {
  const { DOCSTORE_JWT_PUBLIC_KEY: text, DOCSTORE_JWT_PUBLIC_KEY_FILE: file } = settings;
  if (text !== undefined && file !== undefined) {
    throw new Error('DOCSTORE_JWT_PUBLIC_KEY: set only one of it and DOCSTORE_JWT_PUBLIC_KEY_FILE');
  }
  if (text === undefined && file === undefined) return [];
  const name = text === undefined ? 'DOCSTORE_JWT_PUBLIC_KEY_FILE' : 'DOCSTORE_JWT_PUBLIC_KEY';
  try {
    return await loadVerificationKeys(text ?? readFileSync(file!, 'utf8'));
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
