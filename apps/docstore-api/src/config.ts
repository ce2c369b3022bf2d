import { parseDatabaseUrl } from '@platform/database';
import {
  authzTlsContradictions,
  checkedSetting,
  commonSettings,
  defineConfig,
  httpSettings,
  integerSetting,
  parseOrigins,
  redisContradictions,
  redisSettings,
  requireSharedStores,
  tokenSettings,
  type ConfigOf,
} from '@platform/service-kit';
import { z } from 'zod';

/** Every setting of the service. The README's table is compared with it. */
export const CONFIG = defineConfig({
  prefix: 'DOCSTORE',
  settings: {
    ...httpSettings('DOCSTORE', 8082),
    ...commonSettings('DOCSTORE', {
      checkDatabaseUrl: (url) => parseDatabaseUrl(url, '.'),
      dataDir: '.data/docstore',
      needs: 'Postgres and Redis',
      drainMaxMs: 35_000,
    }),
    ...redisSettings('rates'),
    ...tokenSettings('DOCSTORE', {
      authzUrl: 'says whether a token is live and may manage keys',
      keysAlone: '; unset = those of DOCSTORE_AUTHZ_URL; neither = keys of the store only',
    }),
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
      .describe('Versions kept of each document at most; the oldest go first.'),
    DOCSTORE_LARGE_BODIES: integerSetting({ min: 1, max: 1000 })
      .default(4)
      .describe('Bodies over 1 MiB worked on at one time; each takes up to some 80 MB, the others wait.'),
    DOCSTORE_ERASE_AFTER_DAYS: integerSetting({ min: 0, max: 36_500 })
      .default(30)
      .describe('Days after which what is kept of a deleted tenant is erased.'),
    DOCSTORE_KEY_ENVIRONMENT: z
      .string()
      .regex(/^[a-z]{1,16}$/, 'must be 1 to 16 letters a-z')
      .default('live')
      .describe('Name of the installation in its keys: `dsk_<name>_…`.'),
    DOCSTORE_SLOW_REQUEST_MS: integerSetting({ min: 1000, max: 3_600_000 })
      .default(60_000)
      .describe('Longest that a request may take to arrive; then 408.'),
  },
  // `verify` and the client's examples read these.
  otherNames: ['DOCSTORE_KEY', 'DOCSTORE_URL'],
  contradictions(config) {
    const problems = [
      ...requireSharedStores('DOCSTORE', config, ['Postgres', 'Redis']),
      ...redisContradictions(config),
      ...authzTlsContradictions('DOCSTORE', config),
    ];
    if (config.jwtPublicKey !== undefined && config.jwtPublicKeyFile !== undefined)
      problems.push('DOCSTORE_JWT_PUBLIC_KEY: set only one of it and DOCSTORE_JWT_PUBLIC_KEY_FILE');
    return problems;
  },
});

export type Config = ConfigOf<typeof CONFIG>;
