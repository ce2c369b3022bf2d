import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, requestContext, type AuthzClients } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { startPostgres, startRedis } from '@platform/testing';

/** Of the system root, too. */
export const PASSWORD = 'a password of the benchmark 5519';
/**
 * One tenant may ask 10,000 times a second, so the load is spread over several; one address may make no more
 * than a few.
 */
const TENANTS = 4;
export const POLICIES = 1_000;

/** A server of the benchmark: the service, or the yardstick. */
export interface Target {
  readonly grpc: string;
  readonly checkUrl: string;
}

export interface Tenancy {
  readonly token: string;
  readonly domainId: string;
}

/**
 * The built service over its stores with `POLICIES` policies a domain, and beside it servers that do nothing.
 */
export interface Stage {
  readonly service: Target;
  readonly echo: Target;
  readonly tenancies: readonly Tenancy[];
  /** Processor time of the service since its start, in seconds. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts everything; `durable`: Postgres with fsync. Needs the built service: `nx build authz-grpc`. */
export async function openStage(durable: boolean): Promise<Stage> {
  const children: ChildProcess[] = [];
  const postgres = await startPostgres(process.env, { durable });
  const redis = await startRedis();
  const stop = async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await redis.stop();
    await postgres.stop();
  };
  try {
    const service = start(
      children,
      [fileURLToPath(new URL('../../../dist/apps/authz-grpc/main.js', import.meta.url)), 'serve'],
      {
        // As in its image.
        NODE_OPTIONS: '--max-semi-space-size=32',
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        AUTHZ_MIGRATE_ON_START: 'true',
        AUTHZ_ROOT_PASSWORD: PASSWORD,
        AUTHZ_GRPC_PORT: '0',
        AUTHZ_HTTP_PORT: '0',
        AUTHZ_PROBE_PORT: '0',
        AUTHZ_QUOTA_DATA_PLANE: '1000000000000',
        AUTHZ_QUOTA_USER_PLANE: '1000000000000',
      },
    );
    const ready = await firstLine<{
      msg: string;
      grpc_port: number;
      http_port: number;
      probe_port: number;
    }>(service, ({ msg }) => msg === 'listening');
    service.stdout?.resume();
    const echo = start(
      children,
      ['--import', 'tsx', fileURLToPath(new URL('./echo-server.ts', import.meta.url))],
      {},
    );
    const echoPorts = await firstLine<{ grpcPort: number; httpPort: number }>(echo, () => true);
    const clients = openAuthzClients(`127.0.0.1:${ready.grpc_port}`);
    const tenancies: Tenancy[] = [];
    for (let i = 0; i < TENANTS; i += 1) tenancies.push(await createTenancy(clients));
    clients.close();
    return {
      service: {
        grpc: `127.0.0.1:${ready.grpc_port}`,
        checkUrl: `http://127.0.0.1:${ready.http_port}/v1/authz/check`,
      },
      echo: {
        grpc: `127.0.0.1:${echoPorts.grpcPort}`,
        checkUrl: `http://127.0.0.1:${echoPorts.httpPort}/v1/authz/check`,
      },
      tenancies,
      async cpuSeconds() {
        const metrics = await (await fetch(`http://127.0.0.1:${ready.probe_port}/metrics`)).text();
        return Number(/^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1]);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A request that the policies of the domain allow; `item` tells requests of one batch apart. */
export function allowedRequest(domainId: string, item: number) {
  return {
    subject: 'user-7',
    action: 'read',
    object: `svc://${domainId}/docs/7/report-${item}`,
    ip_address: '192.0.2.17',
  };
}

/** The same as gRPC has it. */
export function allowedContext(domainId: string, item: number) {
  return { context: requestContext(allowedRequest(domainId, item)) };
}

async function createTenancy(clients: AuthzClients): Promise<Tenancy> {
  const username = `user-${randomUUID()}`;
  await clients.users.createUser({ username, email: `${username}@example.org`, password: PASSWORD });
  const plain = (await clients.sessions.login({ username, password: PASSWORD })).token;
  const tenant = await clients.tenants.createTenant({ name: username, description: '' }, { token: plain });
  const { token } = await clients.sessions.refreshLoginWithTenant({ tenantId: tenant.id }, { token: plain });
  const domainId = tenant.domains[0]?.id as string;
  const policies = Array.from({ length: POLICIES }, (_, index): Policy => ({
    name: `p${index}`,
    description: '',
    invert: false,
    deny: false,
    engine: EvaluationEngine.PREFIX,
    statements: [
      {
        rules: new Map([
          ['subject', `user-${index}`],
          ['object', `svc://${domainId}/docs/${index}/`],
        ]),
      },
    ],
  }));
  await clients.domains.putDomainPolicies(
    { tenantId: tenant.id, domainId, policies, allowLockout: true },
    { token },
  );
  return { token, domainId };
}

function start(children: ChildProcess[], args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function firstLine<T>(child: ChildProcess, isWanted: (line: T) => boolean): Promise<T> {
  for await (const text of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const line = JSON.parse(text) as T;
    if (isWanted(line)) return line;
  }
  throw new Error('the server ended');
}
