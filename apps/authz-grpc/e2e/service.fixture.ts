import { randomUUID } from 'node:crypto';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import type { AuthzClients } from '@platform/authz-client';
import { AUTHZ_SETTINGS, migratedCopy, ROOT_PASSWORD, startPostgres, startRedis } from '@platform/testing';
import type { Logger } from 'pino';
import { CONFIG } from '../src/config.ts';
import { migrationsOf } from '../src/deps.ts';
import { createPasswords } from '../src/identity/passwords.ts';
import { startService, type Service } from '../src/service.ts';
import type { Policy as PolicyModel } from '../src/policy/types.ts';
import { createPolicyWorker } from '../src/worker/policy-worker-pool.ts';
import { openClients } from './clients.fixture.ts';
import { POLICY_WORKER } from './policy-worker.fixture.ts';

export const USER_PASSWORD = 'a user password for tests 2846';

export interface Replica {
  readonly service: Service;
  readonly clients: AuthzClients;
}

/** One or more replicas over the same stores, and what a test does first. */
export interface Fleet {
  readonly replicas: readonly Replica[];
  readonly clients: AuthzClients;
  readonly httpUrl: string;
  readonly databaseUrl: string | null;
  stop(): Promise<void>;
}

/**
 * Embedded in memory, which takes seconds to start; a real Postgres, with the limits in process; or a real
 * Postgres and a real Redis. A suite that tests neither store takes `postgres`.
 */
export type Stores = 'embedded' | 'postgres' | 'postgres and redis';

/** The least that argon2 takes: suites make users by the hundred. Built services hash at their own cost. */
const QUICK_HASH = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const MIGRATIONS = new URL('../../../prisma/authz/migrations/', import.meta.url);

const migrate = async (url: string) =>
  void (await migrationsOf(await CONFIG.load({ DATABASE_URL: url })).apply());

/** Starts the real service over these stores, on free ports. */
export async function startFleet(
  stores: Stores,
  options: { replicas?: number; env?: Record<string, string>; now?: () => Date; logger?: Logger } = {},
): Promise<Fleet> {
  const postgres = stores === 'embedded' ? null : await startPostgres();
  const redis = stores === 'postgres and redis' ? await startRedis() : null;
  const databaseUrl =
    postgres === null ? null : await migratedCopy(postgres, 'authz-grpc', MIGRATIONS, migrate);
  const count = options.replicas ?? 1;
  const config = await CONFIG.load({
    AUTHZ_GRPC_PORT: '0',
    AUTHZ_HTTP_PORT: '0',
    AUTHZ_PROBE_PORT: '0',
    AUTHZ_LOG_LEVEL: 'error',
    ...AUTHZ_SETTINGS,
    AUTHZ_MIGRATE_ON_START: 'true',
    AUTHZ_REPLICAS: String(count),
    // On a machine that runs many suites at once a slow response does not mean that Redis is unavailable.
    AUTHZ_REDIS_TIMEOUT_MS: '10000',
    DATABASE_URL: databaseUrl ?? 'pglite:memory://',
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
    ...options.env,
  });
  const replicas: Replica[] = [];
  for (let i = 0; i < count; i += 1) {
    const service = await startService(config, {
      passwords: await createPasswords(QUICK_HASH),
      policyWorker: createPolicyWorker(POLICY_WORKER),
      ...(options.now === undefined ? {} : { now: options.now }),
      ...(options.logger === undefined ? {} : { logger: options.logger }),
    });
    replicas.push({ service, clients: openClients(service.grpcPort) });
  }
  const [first] = replicas as [Replica];
  return {
    replicas,
    clients: first.clients,
    httpUrl: `http://127.0.0.1:${first.service.httpPort}`,
    databaseUrl,
    async stop() {
      for (const { clients, service } of replicas) {
        clients.close();
        await service.stop();
      }
      await redis?.stop();
      await postgres?.stop();
    },
  };
}

/** A user with a session that carries a tenant of their own. */
export interface Tenancy {
  readonly userId: string;
  readonly username: string;
  /** A token of a session that has chosen no tenant. */
  readonly plainToken: string;
  /** Session with the tenant. */
  readonly token: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly rootDomainId: string;
}

export async function rootToken(clients: AuthzClients): Promise<string> {
  return (await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD })).token;
}

export async function createUserAndLogin(
  clients: AuthzClients,
): Promise<Pick<Tenancy, 'userId' | 'username' | 'plainToken'>> {
  const username = `user-${randomUUID()}`;
  const { userId } = await clients.users.createUser({
    username,
    email: `${username}@example.org`,
    password: USER_PASSWORD,
  });
  const { token } = await clients.sessions.login({ username, password: USER_PASSWORD });
  return { userId, username, plainToken: token };
}

export async function createTenancy(clients: AuthzClients): Promise<Tenancy> {
  const user = await createUserAndLogin(clients);
  const tenantName = `tenant-${randomUUID()}`;
  const tenant = await clients.tenants.createTenant(
    { name: tenantName, description: '' },
    { token: user.plainToken },
  );
  const { token } = await clients.sessions.refreshLoginWithTenant(
    { tenantId: tenant.id },
    { token: user.plainToken },
  );
  return { ...user, token, tenantId: tenant.id, tenantName, rootDomainId: tenant.domains[0]?.id as string };
}

/** A policy of one statement. */
export function policy(name: string, rules: Record<string, string>, more: Partial<Policy> = {}): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny: false,
    engine: EvaluationEngine.FIXED,
    statements: [{ rules: new Map(Object.entries(rules)) }],
    ...more,
  };
}

/** The engines of policies by the names that policies in files have. */
export const ENGINES = {
  fixed: EvaluationEngine.FIXED,
  prefix: EvaluationEngine.PREFIX,
  regex: EvaluationEngine.REGEX,
  glob: EvaluationEngine.GLOB,
} as const;

/** A policy of `policies.fixture.ts` as it goes over the wire, about objects of this domain. */
export function messageOf({ engine, statements, ...rest }: PolicyModel, domainId: string): Policy {
  return {
    ...rest,
    engine: ENGINES[engine],
    statements: statements.map(({ rules }) => ({
      rules: new Map(
        Object.entries(rules).map(([key, text]) => [key, text.replaceAll('svc://d/', `svc://${domainId}/`)]),
      ),
    })),
  };
}
