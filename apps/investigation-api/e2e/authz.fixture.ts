import { randomUUID } from 'node:crypto';
import type { AuthzClients } from '@platform/authz-client';
import { openAuthzClients } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { AUTHZ_SETTINGS, startBuiltService } from '@platform/testing';

const PASSWORD = 'a user password for tests 2846';

/** The built authorization service as a process. */
export interface Authz {
  /** For INVESTIGATION_AUTHZ_URL. */
  readonly target: string;
  readonly clients: AuthzClients;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Takes its time away and gives it back: it keeps its connections and responds to nothing. */
  freeze(): void;
  thaw(): void;
}

/** A user with a session that carries their tenant. */
export interface Member {
  readonly userId: string;
  readonly username: string;
  readonly token: string;
  readonly apiKey: string;
}

export interface Tenant {
  readonly id: string;
  readonly rootDomainId: string;
  readonly owner: Member;
}

/** Starts the service over a Postgres database, on `port`, free unless given. */
export async function startAuthz(
  databaseUrl: string,
  options: { port?: number; env?: Record<string, string> } = {},
): Promise<Authz> {
  const service = await startBuiltService('authz-grpc', {
    AUTHZ_GRPC_PORT: String(options.port ?? 0),
    ...AUTHZ_SETTINGS,
    AUTHZ_MIGRATE_ON_START: 'true',
    DATABASE_URL: databaseUrl,
    ...options.env,
  });
  const target = `127.0.0.1:${service.ports['grpc_port']}`;
  const clients = openAuthzClients(target);
  return {
    target,
    clients,
    freeze: () => void service.process.kill('SIGSTOP'),
    thaw: () => void service.process.kill('SIGCONT'),
    async kill() {
      clients.close();
      await service.kill();
    },
  };
}

/** A tenant with the user who made it. */
export async function createTenant({ clients }: Authz): Promise<Tenant> {
  const { userId, username } = await createUser(clients);
  const { token: plain } = await clients.sessions.login({ username, password: PASSWORD });
  const name = `tenant-${randomUUID()}`;
  const tenant = await clients.tenants.createTenant({ name, description: '' }, { token: plain });
  const owner = await login(clients, userId, username, name);
  return { id: tenant.id, rootDomainId: tenant.domains[0]!.id, owner };
}

/** Another user of the tenant. */
export async function addMember({ clients }: Authz, { id, owner }: Tenant): Promise<Member> {
  const user = await createUser(clients);
  await clients.tenants.createTenantUserAssociation(
    { tenantId: id, userId: user.userId },
    { token: owner.token },
  );
  return loginAgain({ clients }, { id, owner }, user);
}

/** A user of the tenant with fresh credentials. */
export async function loginAgain(
  { clients }: Pick<Authz, 'clients'>,
  { id, owner }: Pick<Tenant, 'id' | 'owner'>,
  { userId, username }: Pick<Member, 'userId' | 'username'>,
): Promise<Member> {
  const { name } = await clients.tenants.getTenant({ id }, { token: owner.token });
  return login(clients, userId, username, name as string);
}

/** Lets `member` do `action` on the object, besides what the domain allows already. */
export async function allow(
  authz: Authz,
  tenant: Tenant,
  member: Member,
  action: string,
  object: string,
): Promise<void> {
  const rules = { subject: member.userId, action, object };
  await addPolicies(authz, tenant, [{ engine: EvaluationEngine.FIXED, rules }]);
}

/** Adds policies of one statement each to those of the tenant's domain. */
export async function addPolicies(
  { clients }: Authz,
  tenant: Tenant,
  given: readonly {
    readonly engine: EvaluationEngine;
    readonly deny?: boolean;
    readonly rules: Readonly<Record<string, string>>;
  }[],
): Promise<void> {
  const domain = { tenantId: tenant.id, domainId: tenant.rootDomainId };
  const extras = { token: tenant.owner.token };
  const { policies } = await clients.domains.getDomainPolicies(domain, extras);
  const added = given.map(({ engine, deny = false, rules }) => ({
    name: `policy-${randomUUID()}`,
    description: '',
    invert: false,
    deny,
    engine,
    statements: [{ rules: new Map(Object.entries(rules)) }],
  }));
  await clients.domains.putDomainPolicies({ ...domain, policies: [...policies, ...added] }, extras);
}

async function createUser(clients: AuthzClients): Promise<{ userId: string; username: string }> {
  const username = `user-${randomUUID()}`;
  const { userId } = await clients.users.createUser({
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
  });
  return { userId, username };
}

async function login(
  clients: AuthzClients,
  userId: string,
  username: string,
  tenant: string,
): Promise<Member> {
  const { token } = await clients.sessions.login({ username, password: PASSWORD, tenant });
  const { apiKey } = await clients.apiKeys.createApiKey({ userId }, { token });
  return { userId, username, token, apiKey };
}
