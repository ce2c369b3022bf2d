import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A built service as a process of its own. */
export interface Running {
  readonly ports: Readonly<Record<string, number>>;
  /** Everything it wrote, on either stream. */
  output(): string;
  /** The log so far. */
  readonly lines: readonly LogLine[];
  /** Ends it by SIGTERM and waits until all it wrote is here. */
  stop(): Promise<void>;
}

export type ServiceName = 'authz-grpc' | 'docstore-api' | 'investigation-api';

/** Runs a built service with nothing but `env`; ready when it says so. Errors: what it wrote, when it ends before. */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['serve'],
): Promise<Running> {
  const main = fileURLToPath(new URL(`../../dist/apps/${name}/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      process.removeListener('exit', killWithParent);
      resolve();
    }),
  );
  const lines: LogLine[] = [];
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      output += `${text}\n`;
      if (!text.startsWith('{')) return;
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (line.msg === 'ready' || line.msg === 'listening') resolve(line as Record<string, number>);
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
  stop(): Promise<void>;
}

/** Starts all three on free ports; `env` goes to each, over the embedded database in memory unless it says otherwise. */
export async function startPlatform(
  envOf: (name: ServiceName) => Readonly<Record<string, string>>,
): Promise<Platform> {
  const embedded = { DATABASE_URL: 'pglite:memory://' };
  const authzGrpc = await startService('authz-grpc', {
    ...embedded,
    AUTHZ_GRPC_PORT: '0',
    AUTHZ_HTTP_PORT: '0',
    AUTHZ_PROBE_PORT: '0',
    AUTHZ_MIGRATE_ON_START: 'true',
    ...envOf('authz-grpc'),
  });
  const target = `127.0.0.1:${authzGrpc.ports.grpc_port}`;
  const [docstore, investigation] = await Promise.all([
    startService('docstore-api', {
      ...embedded,
      DOCSTORE_PORT: '0',
      DOCSTORE_PROBE_PORT: '0',
      DOCSTORE_AUTHZ_URL: target,
      ...envOf('docstore-api'),
    }),
    startService('investigation-api', {
      ...embedded,
      INVESTIGATION_PORT: '0',
      INVESTIGATION_PROBE_PORT: '0',
      INVESTIGATION_AUTHZ_URL: target,
      ...envOf('investigation-api'),
    }),
  ]);
  const services = {
    'authz-grpc': authzGrpc,
    'docstore-api': docstore,
    'investigation-api': investigation,
  };
  const authz = openAuthzClients(target);
  const url = (port: number | undefined) => `http://127.0.0.1:${port}`;
  return {
    services,
    authz,
    authzUrl: url(authzGrpc.ports.http_port),
    docstoreUrl: url(docstore.ports.port),
    investigationUrl: url(investigation.ports.port),
    metrics: async (name) => (await fetch(`${url(services[name].ports.probe_port)}/metrics`)).text(),
    async stop() {
      authz.close();
      await Promise.all(Object.values(services).map((service) => service.stop()));
    },
  };
}

/** Somebody with a tenant of his own. */
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
