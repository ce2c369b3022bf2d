import { parseDatabaseUrl } from '@platform/database';
import {
  httpUrlSetting,
  addressSettings,
  booleanSetting,
  checkedSetting,
  commonSettings,
  defineConfig,
  integerSetting,
  parseOrigins,
  PROBES,
  redisContradictions,
  redisSettings,
  requireSharedStores,
  secret,
  tlsContradictions,
  tlsSettings,
  type ConfigOf,
} from '@platform/service-kit';
import { z } from 'zod';
import { isProxyRange } from './client-address.ts';

const text = (preset: string) => z.string().default(preset);
const whole = (preset: number, min: number, max: number) => integerSetting({ min, max }).default(preset);

/** Every setting of the service. The README's table is compared with it. */
export const CONFIG = defineConfig({
  prefix: 'AUTHZ',
  settings: {
    ...addressSettings('AUTHZ_GRPC', 50_051, 'the gRPC server'),
    ...addressSettings('AUTHZ_HTTP', 8_081, 'the REST server'),
    AUTHZ_PUBLIC_URL: httpUrlSetting().describe(
      'Where clients reach the REST server, for the metadata of AuthZEN and OAuth; unset = the address it listens on, never the Host of a request.',
    ),
    ...tlsSettings('AUTHZ', 'the gRPC and the REST server'),
    ...addressSettings('AUTHZ_PROBE', 9_081, PROBES),
    ...commonSettings('AUTHZ', {
      checkDatabaseUrl: (url) => parseDatabaseUrl(url, '.'),
      dataDir: '.data/authz',
      needs: 'Postgres and Redis',
      drainMaxMs: 10_000,
    }),
    ...redisSettings('counters'),
    AUTHZ_ISSUER: text('authz-grpc').describe('`iss` of tokens.'),
    AUTHZ_AUDIENCE: text('platform').describe('`aud` of tokens.'),
    AUTHZ_OAUTH_RESOURCES: z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry !== ''),
      )
      .refine((list) => list.every(isResource), {
        error: 'must hold http or https URLs in their normal spelling, without a fragment',
      })
      .describe(
        'URLs that users may let programs use for them, by commas, such as `https://inv.example.org/mcp`; empty = there are no endpoints of OAuth.',
      ),
    AUTHZ_CORS_ORIGINS: checkedSetting(parseOrigins)
      .optional()
      .describe(
        'Origins of browser apps, by commas, that may register, ask for tokens, end them, load bundles and hand decisions in; unset = none.',
      ),
    AUTHZ_OAUTH_GRANT_DAYS: whole(30, 1, 365).describe(
      'Days after which a program that a user let in has to ask again.',
    ),
    AUTHZ_ROOT_USERNAME: text('root').describe(
      'Name of the system root, used when the first start creates it.',
    ),
    AUTHZ_ROOT_PASSWORD: secret(z.string().min(12).max(128).optional()).describe(
      'Password of the system root at the first start; unset = a random one, printed once.',
    ),
    AUTHZ_KEY_SECRET: secret(z.string().min(16).optional()).describe(
      'Encrypts signing keys in the database; unset = they are stored unencrypted.',
    ),
    AUTHZ_KEY_SECRET_PREVIOUS: secret(z.string().min(16).optional()).describe(
      'The secret before, while `reseal-keys` has not sealed the stored keys with the new one.',
    ),
    AUTHZ_KEY_ROTATION_DAYS: whole(90, 1, 3_650).describe('Age at which a signing key is replaced.'),
    AUTHZ_BUNDLE_SECONDS: whole(300, 2, 86_400).describe(
      'How long a bundle of policies decides elsewhere: the longest that a process without a connection keeps deciding.',
    ),
    AUTHZ_REDIS_TIMEOUT_MS: whole(500, 10, 60_000).describe('Time after which Redis counts as unavailable.'),
    AUTHZ_REQUEST_TIMEOUT_MS: whole(10_000, 100, 600_000).describe(
      'Deadline of a gRPC call that has none of its own.',
    ),
    AUTHZ_ACCESS_LOG: z
      .enum(['all', 'changes', 'errors'])
      .default('changes')
      .describe(
        'Calls with a line in the log at `info`: `all`; `changes`, logins and refused calls; `errors`: refused calls alone. Refused logins are at `warn`.',
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
    AUTHZ_DOMAIN_POLICIES: whole(10_000, 1, 100_000).describe('Policies that a domain may hold.'),
    AUTHZ_POLICY_HISTORY_MIB: whole(64, 1, 65_536).describe(
      'What the past sets of policies of a domain may take in the database, in MiB; the oldest make room.',
    ),
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
    AUTHZ_MIGRATE_ON_START: booleanSetting()
      .optional()
      .describe('Apply migrations before serving; unset = only on the embedded database.'),
  },
  contradictions: (config) => [
    ...requireSharedStores('AUTHZ', config, ['Postgres', 'Redis']),
    ...redisContradictions(config),
    ...tlsContradictions('AUTHZ', config),
    ...oauthContradictions(config),
  ],
});

/** Whether a token can be made for it (RFC 8707 §2). */
function isResource(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === text && !text.includes('#');
}

/** The metadata of an issuer with a path would be at another address than one of ours (RFC 8414 §3.1). */
function oauthContradictions(config: {
  readonly oauthResources: readonly string[];
  readonly publicUrl?: string | undefined;
}): string[] {
  const { oauthResources, publicUrl } = config;
  if (oauthResources.length === 0 || publicUrl === undefined || new URL(publicUrl).pathname === '/')
    return [];
  return ['AUTHZ_PUBLIC_URL: must have no path where AUTHZ_OAUTH_RESOURCES is set'];
}

/** The addresses and ranges of AUTHZ_TRUSTED_PROXIES. */
export function readProxies(list = ''): string[] {
  return list
    .split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
}

export type Config = ConfigOf<typeof CONFIG>;
