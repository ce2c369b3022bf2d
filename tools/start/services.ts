/** What the launcher hands to the services where the environment does not. */
export interface Provided {
  /** Folder of everything that is kept. */
  readonly data: string;
  /** Of authz-grpc alone. */
  readonly rootPassword?: string;
  /** Absent until authz-grpc has made it. */
  readonly watchKey?: string;
}

/** One deployable as the launcher runs it. */
export interface Service {
  readonly name: string;
  /** Its part of the data folder. */
  readonly folder: string;
  /** The built entry point, from the root of the repository. */
  readonly main: string;
  /** Setting and default of the probe port, where readiness shows. */
  readonly probePort: readonly [setting: string, preset: number];
  readonly port: readonly [setting: string, preset: number];
  readonly host: string;
  readonly settings: (provided: Provided) => Record<string, string>;
}

const AUTHZ_GRPC_PORT = ['AUTHZ_GRPC_PORT', 50_051] as const;
/** `iss` of the tokens of authz-grpc, as its own setting says. */
const issuer = () => process.env.AUTHZ_ISSUER || 'authz-grpc';

/** Started first: the others check credentials by its keys. */
export const AUTHZ: Service = {
  name: 'authz-grpc',
  folder: 'authz',
  main: 'dist/apps/authz-grpc/main.js',
  port: ['AUTHZ_HTTP_PORT', 8081],
  probePort: ['AUTHZ_PROBE_PORT', 9081],
  host: 'AUTHZ_HTTP_HOST',
  settings: ({ data, rootPassword = '' }) => ({
    AUTHZ_DATA_DIR: `${data}/authz`,
    AUTHZ_ISSUER: issuer(),
    AUTHZ_ROOT_PASSWORD: rootPassword,
    AUTHZ_OAUTH_RESOURCES: `${publicUrlOf(INVESTIGATION, 'INVESTIGATION_PUBLIC_URL')}/mcp`,
    // As in its image.
    NODE_OPTIONS: '--max-semi-space-size=32',
  }),
};

export const INVESTIGATION: Service = {
  name: 'investigation-api',
  folder: 'investigation',
  main: 'dist/apps/investigation-api/main.js',
  port: ['INVESTIGATION_PORT', 8080],
  probePort: ['INVESTIGATION_PROBE_PORT', 9080],
  host: 'INVESTIGATION_HOST',
  settings: ({ data, watchKey = '' }) => ({
    INVESTIGATION_DATA_DIR: `${data}/investigation`,
    INVESTIGATION_AUTHZ_URL: `dns:///${authzTarget()}`,
    INVESTIGATION_DOCSTORE_URL: urlOf(DOCSTORE, 'port'),
    INVESTIGATION_WATCH_KEYS: watchKey,
    INVESTIGATION_JWT_ISSUER: issuer(),
    INVESTIGATION_AUTHORIZATION_SERVER: publicUrlOf(AUTHZ, 'AUTHZ_PUBLIC_URL'),
  }),
};

export const DOCSTORE: Service = {
  name: 'docstore-api',
  folder: 'docstore',
  main: 'dist/apps/docstore-api/main.js',
  port: ['DOCSTORE_PORT', 8082],
  probePort: ['DOCSTORE_PROBE_PORT', 9082],
  host: 'DOCSTORE_HOST',
  settings: ({ data }) => ({
    DOCSTORE_DATA_DIR: `${data}/docstore`,
    DOCSTORE_AUTHZ_URL: `dns:///${authzTarget()}`,
    DOCSTORE_JWT_ISSUER: issuer(),
  }),
};

export const SERVICES: readonly Service[] = [AUTHZ, INVESTIGATION, DOCSTORE];

/** The environment that a service runs in: what it is given from outside goes first. */
export function environmentOf(service: Service, provided: Provided): NodeJS.ProcessEnv {
  return { ...service.settings(provided), ...process.env };
}

/** Where a service listens, by its settings. */
export function urlOf(service: Service, which: 'port' | 'probePort'): string {
  const [setting, preset] = service[which];
  return `http://${process.env[service.host] || '127.0.0.1'}:${process.env[setting] || preset}`;
}

/** Where people and their programs reach a service: its setting, else where it listens. */
function publicUrlOf(service: Service, setting: string): string {
  return (process.env[setting] || urlOf(service, 'port')).replace(/\/+$/, '');
}

/** Where authz-grpc serves gRPC: `host:port`. */
export function authzTarget(): string {
  const [setting, preset] = AUTHZ_GRPC_PORT;
  return `${process.env.AUTHZ_GRPC_HOST || '127.0.0.1'}:${process.env[setting] || preset}`;
}
