import { parseDatabaseUrl } from '@platform/database';
import {
  checkedSetting,
  collectorSetting,
  defineConfig,
  integerSetting,
  logLevelSetting,
  portSetting,
  redisUrlSetting,
  secret,
  verificationKeysFileSetting,
  verificationKeysSetting,
  type ConfigOf,
} from '@platform/service-kit';
import { z } from 'zod';
import { parseOrigins } from './rules/origins.ts';

/** Every setting of the service. The README's table is compared with it. */
export const CONFIG = defineConfig({
  prefix: 'DOCSTORE',
  settings: {
    DOCSTORE_HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
    DOCSTORE_PORT: portSetting().default(8082).describe('Port of the API.'),
    DOCSTORE_PROBE_PORT: portSetting().default(9082).describe('Port of `/livez`, `/readyz` and `/metrics`.'),
    DATABASE_URL: secret(checkedSetting((url) => parseDatabaseUrl(url, '.')).optional()).describe(
      '`postgres://…` or `pglite:<folder>`; unset = embedded, in DOCSTORE_DATA_DIR.',
    ),
    REDIS_URL: redisUrlSetting().describe(
      '`redis://…`, which replicas share rates through; unset = counted in this process, for one replica.',
    ),
    DOCSTORE_DATA_DIR: z.string().default('.data/docstore').describe('Folder of the embedded database.'),
    DOCSTORE_REPLICAS: integerSetting({ min: 1, max: 10_000 })
      .default(1)
      .describe('Number of replicas; more than one needs Postgres and Redis.'),
    DOCSTORE_DATABASE_CONNECTIONS: integerSetting({ min: 1, max: 1000 })
      .default(10)
      .describe('Connections kept to Postgres.'),
    DOCSTORE_LOG_LEVEL: logLevelSetting().describe('Minimum level of the log.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting(),
    DOCSTORE_DOCUMENTS_MAX: integerSetting({ min: 0, max: 1_000_000_000 })
      .default(10_000)
      .describe('Documents an owner may have.'),
    DOCSTORE_BYTES_MAX: integerSetting({ min: 0, max: 1_000_000_000_000_000 })
      .default(1024 ** 3)
      .describe('Bytes an owner may have: contents and metadata of every version kept.'),
    DOCSTORE_REQUESTS_PER_MINUTE: integerSetting({ min: 1, max: 1_000_000_000 })
      .default(60)
      .describe('Requests per minute and credential; as many may come at once.'),
    DOCSTORE_OWNER_RATE_FACTOR: integerSetting({ min: 1, max: 1000 })
      .default(10)
      .describe('How many times the rate of one credential all credentials of an owner have together.'),
    DOCSTORE_CORS_ORIGINS: checkedSetting(parseOrigins)
      .optional()
      .describe('Origins of browser apps that may call the API, separated by commas; unset = none.'),
    DOCSTORE_VERSIONS_KEPT: integerSetting({ min: 1, max: 1_000_000 })
      .default(100)
      .describe('Versions kept of each document; beyond it, those replaced over an hour ago are deleted.'),
    DOCSTORE_LARGE_BODIES: integerSetting({ min: 1, max: 1000 })
      .default(4)
      .describe('Bodies over 1 MiB worked on at one time; each takes up to some 80 MB, the others wait.'),
    DOCSTORE_KEY_ENVIRONMENT: z
      .string()
      .regex(/^[a-z]{1,16}$/, 'must be 1 to 16 letters a-z')
      .default('live')
      .describe('Name of the installation in its keys: `dsk_<name>_…`.'),
    DOCSTORE_JWT_PUBLIC_KEY: verificationKeysSetting()
      .optional()
      .describe(
        'Ed25519 public keys that platform tokens are checked with: JWKS or PEM. Unset = those of DOCSTORE_AUTHZ_URL; neither = keys of the store only.',
      ),
    DOCSTORE_JWT_PUBLIC_KEY_FILE: verificationKeysFileSetting()
      .optional()
      .describe('File that holds the same.'),
    DOCSTORE_JWT_ISSUER: z.string().default('authz-grpc').describe('`iss` that tokens must carry.'),
    DOCSTORE_JWT_AUDIENCE: z.string().default('platform').describe('`aud` that tokens must name.'),
    DOCSTORE_AUTHZ_URL: z
      .string()
      .optional()
      .describe(
        'gRPC target of authz-grpc, such as `dns:///localhost:50051`, which says whether a token is live and may manage keys.',
      ),
    DOCSTORE_SLOW_REQUEST_MS: integerSetting({ min: 1000, max: 3_600_000 })
      .default(60_000)
      .describe('Longest that a request may take to arrive; then 408.'),
    DOCSTORE_DRAIN_DELAY_MS: integerSetting({ min: 0, max: 600_000 })
      .default(0)
      .describe('On SIGTERM: time between failing readiness and closing the port, for balancers to notice.'),
    DOCSTORE_DRAIN_MAX_MS: integerSetting({ min: 0, max: 3_600_000 })
      .default(35_000)
      .describe('On SIGTERM: longest wait for requests that have begun.'),
  },
  // `verify` and the client's examples read these.
  otherNames: ['DOCSTORE_KEY', 'DOCSTORE_URL'],
  contradictions(config) {
    const problems: string[] = [];
    if (config.replicas > 1 && parseDatabaseUrl(config.databaseUrl, '.').kind !== 'postgres')
      problems.push('DATABASE_URL: must name Postgres when DOCSTORE_REPLICAS is more than 1');
    if (config.replicas > 1 && config.redisUrl === undefined)
      problems.push('REDIS_URL: must be set when DOCSTORE_REPLICAS is more than 1');
    if (config.jwtPublicKey !== undefined && config.jwtPublicKeyFile !== undefined)
      problems.push('DOCSTORE_JWT_PUBLIC_KEY: set only one of it and DOCSTORE_JWT_PUBLIC_KEY_FILE');
    return problems;
  },
});

export type Config = ConfigOf<typeof CONFIG>;
