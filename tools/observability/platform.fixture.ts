import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import { runService } from '@platform/e2e';
import { killOnExit, startPostgres } from '@platform/testing';

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A built service in a process of its own. */
export interface Running {
  readonly ports: Readonly<Record<string, number>>;
  /** Everything it wrote, on either stream. */
  output(): string;
  /** The log so far. */
  readonly lines: readonly LogLine[];
  /** Ends it by SIGTERM and waits until all it wrote is here. */
  stop(): Promise<void>;
}

const SERVICES = ['authz-grpc', 'docstore-api', 'investigation-api'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** What ends each thing that runs: a start that fails leaves some that no test has in its hands. */
const ends = new Set<() => Promise<void>>();

/** Ends whatever still runs, the latest first. A suite that leaves a service behind never ends. */
export async function stopServices(): Promise<void> {
  for (const end of [...ends].reverse()) await end();
  ends.clear();
}

/**
 * Runs a built service with nothing but `env`; ready when it says so. A line of its log that begins with
 * `endAt` ends it by SIGTERM. Errors: what it wrote, when it ends before it is ready.
 */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  { args = ['serve'], endAt }: { readonly args?: readonly string[]; readonly endAt?: string } = {},
): Promise<Running> {
  const main = fileURLToPath(new URL(`../../dist/apps/${name}/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  ends.add(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines: LogLine[] = [];
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      output += `${text}\n`;
      if (!text.startsWith('{')) return;
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (endAt !== undefined && String(line.msg).startsWith(endAt)) child.kill('SIGTERM');
      if (line.msg === 'listening') resolve(line as Record<string, number>);
    });
    child.once('close', (code) => reject(new ServiceEnded(`${name} ended with ${code}`, output)));
  });
  return {
    ports,
    lines,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A service that ended before it was ready, with everything it wrote. */
export class ServiceEnded extends Error {
  override readonly name = 'ServiceEnded';
  readonly output: string;

  constructor(message: string, output: string) {
    super(`${message}: ${output}`);
    this.output = output;
  }
}

/** The three services, with what every test of them needs. */
export interface Platform {
  readonly services: Readonly<Record<ServiceName, Running>>;
  readonly authz: AuthzClients;
  readonly authzUrl: string;
  readonly docstoreUrl: string;
  readonly investigationUrl: string;
  /** The text of `/metrics`. */
  metrics(name: ServiceName): Promise<string>;
  /** Ends the services by SIGTERM. */
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/**
 * Starts all three on free ports, each over a migrated database of its own, with what `envOf` gives for it
 * and its database. One server holds the databases: the embedded one takes tens of seconds to start where
 * three services share two cores.
 */
export async function startPlatform(
  envOf: (name: ServiceName, databaseUrl: string) => Env | Promise<Env> = () => ({}),
): Promise<Platform> {
  const postgres = await startPostgres();
  ends.add(postgres.stop);
  const envs = {} as Record<ServiceName, Env>;
  for (const name of SERVICES) {
    const url = await postgres.createDatabase();
    const env = { DATABASE_URL: url, ...(await envOf(name, url)) };
    const { code, stderr } = await runService(name, ['migrate'], { DATABASE_URL: env.DATABASE_URL });
    if (code !== 0) throw new Error(`${name} migrate ended with ${code}: ${stderr}`);
    envs[name] = env;
  }
  const authzGrpc = await startService('authz-grpc', {
    AUTHZ_GRPC_PORT: '0',
    AUTHZ_HTTP_PORT: '0',
    AUTHZ_PROBE_PORT: '0',
    ...envs['authz-grpc'],
  });
  const target = `127.0.0.1:${authzGrpc.ports.grpc_port}`;
  const docstore = await startService('docstore-api', {
    DOCSTORE_PORT: '0',
    DOCSTORE_PROBE_PORT: '0',
    DOCSTORE_AUTHZ_URL: target,
    ...envs['docstore-api'],
  });
  const investigation = await startService('investigation-api', {
    INVESTIGATION_PORT: '0',
    INVESTIGATION_PROBE_PORT: '0',
    INVESTIGATION_AUTHZ_URL: target,
    ...envs['investigation-api'],
  });
  const services = {
    'authz-grpc': authzGrpc,
    'docstore-api': docstore,
    'investigation-api': investigation,
  };
  // Half of what a test may take, whatever else the machine is at.
  const authz = openAuthzClients(target, { timeoutMs: 300_000 });
  ends.add(async () => authz.close());
  const url = (port: number | undefined) => `http://127.0.0.1:${port}`;
  return {
    services,
    authz,
    authzUrl: url(authzGrpc.ports.http_port),
    docstoreUrl: url(docstore.ports.port),
    investigationUrl: url(investigation.ports.port),
    metrics: async (name) => (await fetch(`${url(services[name].ports.probe_port)}/metrics`)).text(),
    stop: async () => void (await Promise.all(Object.values(services).map((service) => service.stop()))),
  };
}

/** Somebody with a tenant of their own. */
export interface Owner {
  readonly userId: string;
  readonly username: string;
  readonly tenantId: string;
  readonly rootDomainId: string;
  /** Session without tenant, and with it. */
  readonly plainToken: string;
  readonly token: string;
}

export async function createOwner(authz: AuthzClients, password: string): Promise<Owner> {
  const username = `user-${randomUUID()}`;
  const { userId } = await authz.users.createUser({
    username,
    email: `${username}@example.org`,
    password,
  });
  const { token: plainToken } = await authz.sessions.login({ username, password });
  const tenant = await authz.tenants.createTenant(
    { name: `tenant-${randomUUID()}`, description: '' },
    { token: plainToken },
  );
  const { token } = await authz.sessions.refreshLoginWithTenant(
    { tenantId: tenant.id },
    { token: plainToken },
  );
  return {
    userId,
    username,
    tenantId: tenant.id,
    rootDomainId: tenant.domains[0]!.id,
    plainToken,
    token,
  };
}
