import { z } from 'zod';
import {
  booleanSetting,
  checkedSetting,
  collectorSetting,
  fileSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  redisUrlSetting,
  secret,
  verificationKeysFileSetting,
  verificationKeysSetting,
} from './settings.ts';

/** `AUTHZ` and `{ PORT }` as `{ AUTHZ_PORT }`. */
type Prefixed<P extends string, Shape> = { [Name in keyof Shape & string as `${P}_${Name}`]: Shape[Name] };

function prefixed<const P extends string, Shape extends z.ZodRawShape>(
  prefix: P,
  shape: Shape,
): Prefixed<P, Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, setting]) => [`${prefix}_${name}`, setting]),
  ) as Prefixed<P, Shape>;
}

/**
 * The address of one server, `<name>_HOST` and `<name>_PORT`, with `port` as the default. `what` names the
 * server.
 */
export function addressSettings<const Name extends string>(name: Name, port: number, what: string) {
  return prefixed(name, {
    HOST: z.string().default('127.0.0.1').describe(`Address of ${what}.`),
    PORT: portSetting().default(port).describe(`Port of ${what}.`),
  });
}

/** The paths of the probe port, for the descriptions of its settings. */
export const PROBES = '`/livez`, `/readyz` and `/metrics`';

/**
 * `HOST`, `PORT` and `PROBE_PORT` of a service with one HTTP server; the probe port is 1000 above by default.
 */
export function httpSettings<const P extends string>(prefix: P, port: number) {
  return prefixed(prefix, {
    HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
    PORT: portSetting().default(port).describe('Port of the API.'),
    PROBE_PORT: portSetting()
      .default(port + 1000)
      .describe(`Port of ${PROBES}.`),
  });
}

/**
 * The settings that every service has: database, replicas, log, traces and stop. `checkDatabaseUrl` throws an
 * Error that says what is wrong with a URL; `needs` names the stores that more than one replica needs.
 */
export function commonSettings<const P extends string>(
  prefix: P,
  options: {
    readonly checkDatabaseUrl: (url: string) => unknown;
    readonly dataDir: string;
    readonly needs: string;
    readonly drainMaxMs: number;
    /** What else ends as SIGTERM does, and how long the wait should be. */
    readonly drain?: { readonly occasion?: string; readonly advice?: string };
  },
) {
  const { occasion = '', advice = '' } = options.drain ?? {};
  return {
    DATABASE_URL: secret(checkedSetting(options.checkDatabaseUrl).optional()).describe(
      `\`postgres://…\` or \`pglite:<folder>\`; unset = embedded, in ${prefix}_DATA_DIR.`,
    ),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorSetting(),
    SERVICE_REVISION: z
      .string()
      .default('unknown')
      .describe('Source revision of the build, shown in `build_info`; the images bring it along.'),
    ...prefixed(prefix, {
      DATA_DIR: z.string().default(options.dataDir).describe('Folder of the embedded database.'),
      DATABASE_CONNECTIONS: integerSetting({ min: 1, max: 1000 })
        .default(10)
        .describe('Connections kept to Postgres.'),
      REPLICAS: integerSetting({ min: 1, max: 10_000 })
        .default(1)
        .describe(`Number of replicas; more than one needs ${options.needs}.`),
      LOG_LEVEL: logLevelSetting().describe('Minimum level of the log.'),
      DRAIN_DELAY_MS: integerSetting({ min: 0, max: 600_000 })
        .default(0)
        .describe(
          'On SIGTERM: time between failing readiness and closing the ports, for balancers to notice.',
        ),
      DRAIN_MAX_MS: integerSetting({ min: 0, max: 3_600_000 })
        .default(options.drainMaxMs)
        .describe(`On SIGTERM${occasion}: longest wait for requests that have begun${advice}.`),
    }),
  };
}

/** `REDIS_URL`; `what` names the state that replicas share through it. */
export function redisSettings(what: string) {
  return {
    REDIS_URL: redisUrlSetting().describe(
      `\`redis://…\`, which replicas share ${what} through; unset = ${what} in this process, for one replica.`,
    ),
    REDIS_CLUSTER: booleanSetting()
      .default(false)
      .describe(
        'REDIS_URL names nodes of a Redis Cluster, one or several separated by commas; the others are found by them.',
      ),
  };
}

/** What is wrong with the settings of Redis taken together, a line each. */
export function redisContradictions(config: {
  readonly redisUrl?: string | undefined;
  readonly redisCluster: boolean;
}): string[] {
  const { redisUrl, redisCluster } = config;
  if (redisCluster && redisUrl === undefined) return ['REDIS_CLUSTER: needs REDIS_URL'];
  if (!redisCluster && /,\s*rediss?:\/\//.test(redisUrl ?? ''))
    return ['REDIS_URL: several nodes need REDIS_CLUSTER'];
  return [];
}

/**
 * Certificates of the servers of a service; `what` names them. `tlsContradictions` says what is wrong with
 * them taken together.
 */
export function tlsSettings<const P extends string>(prefix: P, what: string) {
  return prefixed(prefix, {
    TLS_CERT: fileSetting()
      .optional()
      .describe(`PEM file of the certificate chain of ${what}, read again when it changes; unset = no TLS.`),
    TLS_KEY: fileSetting().optional().describe('PEM file of its private key.'),
    TLS_CLIENT_CA: fileSetting()
      .optional()
      .describe('PEM file of the CAs of clients; set = every client needs a certificate of one of them.'),
  });
}

/**
 * How platform tokens are verified. `keysAlone` states the use of the keys, `authzUrl` the questions sent to
 * authz-grpc.
 */
export function tokenSettings<const P extends string>(
  prefix: P,
  descriptions: { readonly authzUrl: string; readonly keysAlone: string },
) {
  return prefixed(prefix, {
    AUTHZ_URL: z
      .string()
      .optional()
      .describe(
        `gRPC target of authz-grpc, such as \`dns:///localhost:50051\`, which ${descriptions.authzUrl}.`,
      ),
    AUTHZ_TLS_CA: fileSetting()
      .optional()
      .describe(
        'PEM file of the CAs that the certificate of authz-grpc must come from, read again when it changes; unset = no TLS.',
      ),
    AUTHZ_TLS_CERT: fileSetting()
      .optional()
      .describe('PEM file of the certificate that authz-grpc asks its clients for.'),
    AUTHZ_TLS_KEY: fileSetting().optional().describe('PEM file of its private key.'),
    JWT_PUBLIC_KEY: verificationKeysSetting()
      .optional()
      .describe(`Ed25519 public keys that tokens are checked with (JWKS or PEM)${descriptions.keysAlone}.`),
    JWT_PUBLIC_KEY_FILE: verificationKeysFileSetting().optional().describe('File that holds the same.'),
    JWT_ISSUER: z.string().default('authz-grpc').describe('`iss` that tokens must carry.'),
    JWT_AUDIENCE: z.string().default('platform').describe('`aud` that tokens must name.'),
  });
}

/** The settings of TLS towards authz-grpc as they are loaded. */
interface AuthzTlsConfig {
  readonly authzUrl?: string | undefined;
  readonly authzTlsCa?: string | undefined;
  readonly authzTlsCert?: string | undefined;
  readonly authzTlsKey?: string | undefined;
}

/** The files for the connection to authz-grpc; undefined without TLS. */
export function authzTlsOf({ authzTlsCa: ca, authzTlsCert: cert, authzTlsKey: key }: AuthzTlsConfig) {
  return ca === undefined ? undefined : { ca, cert, key };
}

/** What is wrong with the settings of TLS towards authz-grpc taken together, a line each. */
export function authzTlsContradictions(prefix: string, config: AuthzTlsConfig): string[] {
  const { authzUrl, authzTlsCa, authzTlsCert, authzTlsKey } = config;
  const name = (part: string) => `${prefix}_AUTHZ_${part}`;
  if (authzTlsCa !== undefined && authzUrl === undefined) return [`${name('TLS_CA')}: needs ${name('URL')}`];
  if ((authzTlsCert === undefined) !== (authzTlsKey === undefined))
    return [`${name('TLS_CERT')}: must be set together with ${name('TLS_KEY')}`];
  if (authzTlsCert !== undefined && authzTlsCa === undefined)
    return [`${name('TLS_CERT')}: needs ${name('TLS_CA')}`];
  return [];
}

/** The reasons against more than one replica: a line for each store that the replicas would not share. */
export function requireSharedStores(
  prefix: string,
  config: {
    readonly replicas: number;
    readonly databaseUrl?: string | undefined;
    readonly redisUrl?: string | undefined;
  },
  stores: readonly ('Postgres' | 'Redis')[],
): string[] {
  if (config.replicas <= 1) return [];
  const several = `when ${prefix}_REPLICAS is more than 1`;
  const isPostgres = /^postgres(ql)?:/.test(config.databaseUrl ?? '');
  return [
    ...(isPostgres ? [] : [`DATABASE_URL: must name Postgres ${several}`]),
    ...(stores.includes('Redis') && config.redisUrl === undefined
      ? [`REDIS_URL: must be set ${several}`]
      : []),
  ];
}
