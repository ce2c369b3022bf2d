import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseUrl } from '@platform/database';
import {
  authzTlsContradictions,
  booleanSetting,
  checkedSetting,
  commonSettings,
  defineConfig,
  httpSettings,
  httpUrlSetting,
  integerSetting,
  parseOrigins,
  redisUrlSetting,
  requireSharedStores,
  secret,
  tokenSettings,
  type ConfigOf,
} from '@platform/service-kit';
import { z } from 'zod';
import { hostProblem } from './watch/webhook-hosts.ts';

const MiB = 1024 * 1024;

/** A list separated by commas; `problemOf` says what is wrong with an entry. */
function listSetting(problemOf: (entry: string) => string | null, byDefault = '') {
  const entriesOf = (text: string) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  return z
    .string()
    .default(byDefault)
    .superRefine((text, context) => {
      for (const entry of entriesOf(text)) {
        const problem = problemOf(entry);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      }
    })
    .transform(entriesOf);
}

const SETTINGS = {
  ...httpSettings('INVESTIGATION', 8080),
  ...commonSettings('INVESTIGATION', {
    checkDatabaseUrl: (url) => parseDatabaseUrl(url, '.'),
    dataDir: '.data/investigation',
    needs: 'Postgres',
    drainMaxMs: 35_000,
    drain: {
      occasion: ', and when stdin of the MCP command ends',
      advice: '; longer than an analysis may take',
    },
  }),
  ...tokenSettings('INVESTIGATION', {
    authzUrl: 'authenticates callers. This or one of the next two is required',
    keysAlone: ', for running alone: owners only, no quota',
  }),
  INVESTIGATION_PUBLIC_URL: httpUrlSetting().describe(
    'Where people reach the service, for the links of shares; unset = the address it listens on, never the Host of a request.',
  ),
  INVESTIGATION_AUTHORIZATION_SERVER: httpUrlSetting().describe(
    'AUTHZ_PUBLIC_URL of authz-grpc, where users let assistants in; its AUTHZ_OAUTH_RESOURCES names our `/mcp`. Unset = they bring a token or key.',
  ),
  INVESTIGATION_CORS_ORIGINS: checkedSetting(parseOrigins)
    .optional()
    .describe('Origins of browser apps that may call REST and MCP, separated by commas; unset = none.'),
  INVESTIGATION_ERASE_AFTER_DAYS: integerSetting({ min: 0, max: 36_500 })
    .default(30)
    .describe('Days after which what is kept of a deleted tenant is erased.'),
  INVESTIGATION_BODY_BYTES_MAX: integerSetting({ min: 1024, max: 256 * MiB })
    .default(16 * MiB)
    .describe('Largest request body.'),
  INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: integerSetting({ min: 1024, max: 65_536 * MiB })
    .default(256 * MiB)
    .describe(
      'Room for bodies that are arriving or worked on; one tenant holds at most a quarter; beyond it requests get 503.',
    ),
  INVESTIGATION_DOCSTORE_URL: httpUrlSetting().describe(
    'docstore-api, where quotes are looked up with the rights of the caller; unset = they are not checked.',
  ),
  INVESTIGATION_DOCSTORE_TIMEOUT_MS: integerSetting({ min: 1, max: 600_000 })
    .default(4_000)
    .describe(
      'Longest that one request reads documents and looks for quotes, its wait for a thread included; what is left is not checked.',
    ),
  INVESTIGATION_WATCH_KEYS: secret(
    listSetting((entry) => (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(entry) ? null : 'an entry is no API key')),
  ).describe(
    'API keys of service accounts, one of each tenant, separated by commas, with the scope check, and documents for the rule document_changed, and read for policies_changed: by them changes are followed; empty = these rules are refused.',
  ),
  INVESTIGATION_WEBHOOK_HOSTS: listSetting((entry) => hostProblem(entry)).describe(
    'Hosts that webhooks may go to, separated by commas: names and `*.example.org`, on every port unless one is given (`example.org:443`), and addresses or CIDR ranges, always on every port, which alone may be private; empty = none.',
  ),
  INVESTIGATION_WEBHOOK_RETRY_SECONDS: listSetting(
    (entry) => (/^\d{1,7}$/.test(entry) ? null : `${entry} is no number of seconds`),
    '5,300,1800,7200,18000,36000,50400,72000,86400',
  ).describe('Waits before the second and each later attempt to deliver an event; then it is parked.'),
  INVESTIGATION_SUBSCRIPTIONS_MAX: integerSetting({ min: 0, max: 1_000_000 })
    .default(1000)
    .describe('Most subscriptions of one tenant; a user has at most 20 on a session.'),
  INVESTIGATION_EVENT_STREAMS_MAX: integerSetting({ min: 0, max: 100_000 })
    .default(100)
    .describe('Most streams of events of one tenant at one replica; beyond it requests get 503.'),
  INVESTIGATION_EVENT_HEARTBEAT_MS: integerSetting({ min: 100, max: 15_000 })
    .default(15_000)
    .describe(
      'How often a stream of events in which nothing happens is written to; less than what a proxy cuts off.',
    ),
  INVESTIGATION_EVENTS_KEPT_DAYS: integerSetting({ min: 1, max: 36_500 })
    .default(30)
    .describe('Days after which events that are delivered, parked or without a webhook are forgotten.'),
  INVESTIGATION_ANALYSIS_TIMEOUT_MS: integerSetting({ min: 1, max: 3_600_000 })
    .default(30_000)
    .describe('Longest that an analysis may take, waiting included; then 504.'),
  INVESTIGATION_WORKERS: integerSetting({ min: 1, max: 256 })
    .optional()
    .describe(
      'Worker threads that analyze; unset = one per core and at least 2, fewer where the memory limit of the container does not hold them.',
    ),
  INVESTIGATION_WORKER_MEMORY_MIB: integerSetting({ min: 64, max: 65_536 })
    .default(1024)
    .describe('Heap of one worker thread.'),
  INVESTIGATION_QUEUE_URL: redisUrlSetting()
    .optional()
    .describe(
      '`redis://…` of one Redis or Valkey, through which replicas share judgements asked for with `Prefer: respond-async`; unset = the replica that was asked makes them.',
    ),
  INVESTIGATION_JOBS_MAX: integerSetting({ min: 1, max: 10_000_000 })
    .default(10_000)
    .describe('Most judgements of one tenant that may wait in the background; beyond it requests get 429.'),
  INVESTIGATION_QUEUE_MAX: integerSetting({ min: 0, max: 100_000 })
    .default(64)
    .describe('Analyses that may wait for a worker; beyond it requests get 503.'),
};

/** Every setting of the service. The README's table is compared with it. */
export const CONFIG = defineConfig({
  prefix: 'INVESTIGATION',
  settings: SETTINGS,
  // The MCP command over stdio reads these.
  otherNames: ['INVESTIGATION_MCP_TOOLSETS', 'INVESTIGATION_MCP_READ_ONLY'],
  contradictions(config) {
    const problems = [
      ...requireSharedStores('INVESTIGATION', config, ['Postgres']),
      ...authzTlsContradictions('INVESTIGATION', config),
    ];
    if (config.bodyBytesInFlightMax < config.bodyBytesMax)
      problems.push('INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: must be at least INVESTIGATION_BODY_BYTES_MAX');
    if (config.authorizationServer !== undefined && config.authzUrl === undefined)
      problems.push('INVESTIGATION_AUTHORIZATION_SERVER: needs INVESTIGATION_AUTHZ_URL');
    if (config.watchKeys.length > 0 && (config.authzUrl === undefined || config.docstoreUrl === undefined))
      problems.push('INVESTIGATION_WATCH_KEYS: needs INVESTIGATION_AUTHZ_URL and INVESTIGATION_DOCSTORE_URL');
    const sources = [config.authzUrl, config.jwtPublicKey, config.jwtPublicKeyFile];
    const given = sources.filter((source) => source !== undefined).length;
    if (given !== 1) {
      problems.push(
        `INVESTIGATION_AUTHZ_URL: set ${given > 1 ? 'only one of it,' : 'it,'} INVESTIGATION_JWT_PUBLIC_KEY ${given > 1 ? 'and' : 'or'} INVESTIGATION_JWT_PUBLIC_KEY_FILE`,
      );
    }
    return problems;
  },
});

export type Config = ConfigOf<typeof CONFIG>;

/**
 * Settings of the MCP command over stdio: no address and no key, since it serves its own user in its own
 * process.
 */
export const STDIO_CONFIG = defineConfig({
  prefix: 'INVESTIGATION',
  settings: {
    DATABASE_URL: SETTINGS.DATABASE_URL,
    INVESTIGATION_DATABASE_CONNECTIONS: SETTINGS.INVESTIGATION_DATABASE_CONNECTIONS,
    INVESTIGATION_PUBLIC_URL: SETTINGS.INVESTIGATION_PUBLIC_URL,
    INVESTIGATION_LOG_LEVEL: SETTINGS.INVESTIGATION_LOG_LEVEL,
    INVESTIGATION_BODY_BYTES_MAX: SETTINGS.INVESTIGATION_BODY_BYTES_MAX,
    INVESTIGATION_ANALYSIS_TIMEOUT_MS: SETTINGS.INVESTIGATION_ANALYSIS_TIMEOUT_MS,
    INVESTIGATION_WORKER_MEMORY_MIB: SETTINGS.INVESTIGATION_WORKER_MEMORY_MIB,
    INVESTIGATION_QUEUE_MAX: SETTINGS.INVESTIGATION_QUEUE_MAX,
    INVESTIGATION_SUBSCRIPTIONS_MAX: SETTINGS.INVESTIGATION_SUBSCRIPTIONS_MAX,
    INVESTIGATION_JOBS_MAX: SETTINGS.INVESTIGATION_JOBS_MAX,
    INVESTIGATION_DRAIN_MAX_MS: SETTINGS.INVESTIGATION_DRAIN_MAX_MS,
    INVESTIGATION_DATA_DIR: z
      .string()
      .default(() => join(homedir(), '.local', 'share', 'investigation'))
      .describe('Folder of the embedded database; in the home, since clients start the command anywhere.'),
    INVESTIGATION_MCP_TOOLSETS: z
      .string()
      .optional()
      .describe('Toolsets to offer, joined by commas, or all.'),
    INVESTIGATION_MCP_READ_ONLY: booleanSetting()
      .default(false)
      .describe('Whether tools that change something are hidden.'),
  },
  otherNames: Object.keys(SETTINGS),
});

export type StdioConfig = ConfigOf<typeof STDIO_CONFIG>;
