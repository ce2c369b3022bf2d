import { parseDatabaseUrl } from '@platform/database';
import {
  booleanSetting,
  checkedSetting,
  collectorSetting,
  defineConfig,
  integerSetting,
  logLevelSetting,
  portSetting,
  redisUrlSetting,
  secret,
  type ConfigOf,
} from '@platform/service-kit';
import { z } from 'zod';
import { isProxyRange } from './grpc/client-address.ts';

const text = (preset: string) => z.string().default(preset);
const whole = (preset: number, min: number, max: number) => integerSetting({ min, max }).default(preset);

/** Every setting of the service. The README's table is compared with it. */
export const CONFIG = defineConfig({
  prefix: 'AUTHZ',
  settings: {
    DATABASE_URL: secret(checkedSetting((url) => parseDatabaseUrl(url, '.')).optional()).describe(
      '`postgres://…` or `pglite:<folder>`; unset = embedded, in AUTHZ_DATA_DIR.',
    ),
    REDIS_URL: redisUrlSetting().describe(
      '`redis://…`, which replicas share counters through; unset = counters in this process, for one replica.',
    ),
    AUTHZ_DATA_DIR: text('.data/authz').describe('Folder of the embedded database.'),
    AUTHZ_GRPC_HOST: text('127.0.0.1').describe('Address of the gRPC server.'),
    AUTHZ_GRPC_PORT: portSetting().default(50_051).describe('Port of the gRPC server.'),
    AUTHZ_HTTP_HOST: text('127.0.0.1').describe('Address of the REST server.'),
    AUTHZ_HTTP_PORT: portSetting().default(8_081).describe('Port of the REST server.'),
    AUTHZ_PROBE_HOST: text('127.0.0.1').describe('Address of `/livez`, `/readyz` and `/metrics`.'),
    AUTHZ_PROBE_PORT: portSetting().default(9_081).describe('Port of `/livez`, `/readyz` and `/metrics`.'),
    AUTHZ_REPLICAS: whole(1, 1, 1_000).describe(
      'Number of replicas; more than one needs Postgres and Redis.',
    ),
    AUTHZ_LOG_LEVEL: logLevelSetting().describe('Minimum level of the log.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting(),
    AUTHZ_ISSUER: text('authz-grpc').describe('`iss` of tokens.'),
    AUTHZ_AUDIENCE: text('platform').describe('`aud` of tokens.'),
    AUTHZ_ROOT_USERNAME: text('root').describe(
      'Name of the system root, used when the first start creates it.',
    ),
    AUTHZ_ROOT_PASSWORD: secret(z.string().min(12).max(128).optional()).describe(
      'Password of the system root at the first start; unset = a random one, printed once.',
    ),
    AUTHZ_KEY_SECRET: secret(z.string().min(16).optional()).describe(
      'Encrypts signing keys in the database; unset = they are stored unencrypted.',
    ),
    AUTHZ_KEY_ROTATION_DAYS: whole(90, 1, 3_650).describe('Age at which a signing key is replaced.'),
    AUTHZ_DATABASE_CONNECTIONS: whole(10, 2, 500).describe('Connections kept to Postgres.'),
    AUTHZ_REDIS_TIMEOUT_MS: whole(500, 10, 60_000).describe('Time after which Redis counts as unavailable.'),
    AUTHZ_REQUEST_TIMEOUT_MS: whole(10_000, 100, 600_000).describe(
      'Deadline of a gRPC call that has none of its own.',
    ),
    AUTHZ_AUDIT_MODE: z
      .enum(['strict', 'buffered'])
      .default('strict')
      .describe('`strict`: the response to a check waits until its audit row is durable.'),
    AUTHZ_AUDIT_QUEUE_ROWS: whole(50_000, 100, 10_000_000).describe(
      'Audit rows that may wait to be written; beyond it checks wait (buffered) or are refused (strict).',
    ),
    AUTHZ_AUDIT_RETENTION_DAYS: whole(400, 1, 36_500).describe(
      'Age at which audit rows are dropped, a day at a time.',
    ),
    AUTHZ_QUOTA_CYCLE_DAYS: whole(30, 1, 3_650).describe('Days after which all quotas are reset.'),
    AUTHZ_QUOTA_CONTROL_PLANE: whole(100_000, 0, Number.MAX_SAFE_INTEGER).describe(
      'max_tokens of a tenant for management calls.',
    ),
    AUTHZ_QUOTA_DATA_PLANE: whole(10_000_000, 0, Number.MAX_SAFE_INTEGER).describe(
      'max_tokens of a tenant for checks.',
    ),
    AUTHZ_QUOTA_USER_PLANE: whole(10_000_000, 0, Number.MAX_SAFE_INTEGER).describe(
      'max_tokens of a user for all calls.',
    ),
    AUTHZ_QUOTA_OVERAGE_PERCENT: whole(10, 0, 1_000).describe('max_overage in percent of max_tokens.'),
    AUTHZ_POLICY_CACHE_MIB: whole(192, 8, 65_536).describe('Memory for compiled policies, in MiB.'),
    AUTHZ_ENTITY_CACHE: whole(100_000, 1_000, 100_000_000).describe(
      'Users, tokens, tenants and domains kept in memory.',
    ),
    AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: whole(10, 1, 100_000).describe(
      'Failed logins per minute, account and address before a login needs a proof of work; users and tenants created per minute and address.',
    ),
    AUTHZ_TENANTS_PER_FOUNDER: whole(10, 1, 1_000_000).describe(
      'Tenants that one user may found; the system root may found any number.',
    ),
    AUTHZ_TRUSTED_PROXIES: checkedSetting((list) => {
      const bad = readProxies(list).find((proxy) => !isProxyRange(proxy));
      if (bad !== undefined) throw new Error(`must hold addresses and CIDR ranges, not \`${bad}\``);
    })
      .optional()
      .describe('Addresses and CIDR ranges, separated by commas, whose `x-forwarded-for` is believed.'),
    AUTHZ_DRAIN_DELAY_MS: whole(0, 0, 600_000).describe(
      'On SIGTERM: time between failing readiness and closing the ports, for balancers to notice.',
    ),
    AUTHZ_DRAIN_MAX_MS: whole(10_000, 100, 600_000).describe(
      'On SIGTERM: longest wait for calls that have begun.',
    ),
    AUTHZ_MIGRATE_ON_START: booleanSetting()
      .optional()
      .describe('Apply migrations before serving; unset = only on the embedded database.'),
  },
  contradictions(config) {
    if (config.replicas === 1) return [];
    const problems: string[] = [];
    if (parseDatabaseUrl(config.databaseUrl, '.').kind !== 'postgres')
      problems.push('DATABASE_URL: must name Postgres when AUTHZ_REPLICAS is more than 1');
    if (config.redisUrl === undefined)
      problems.push('REDIS_URL: must be set when AUTHZ_REPLICAS is more than 1');
    return problems;
  },
});

/** The addresses and ranges of AUTHZ_TRUSTED_PROXIES. */
export function readProxies(list = ''): string[] {
  return list
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
}

export type Config = ConfigOf<typeof CONFIG>;
