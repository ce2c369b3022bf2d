import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  policy,
  rootToken,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

interface FieldDescriptor {
  readonly name: string;
  readonly typeName: string;
}

const DEFINITIONS = loadFileDescriptorSetFromBuffer(
  readFileSync(new URL('../../../proto/gen/authz.binpb', import.meta.url)),
);

function fieldsOf(message: string): readonly FieldDescriptor[] {
  const definition = DEFINITIONS[message] as { type?: { field?: FieldDescriptor[] } } | undefined;
  return definition?.type?.field ?? [];
}

/** The fields of a message by path, those of the messages within it in their place. */
function pathsOf(message: string, ends: ReadonlySet<string>): string[] {
  return fieldsOf(message).flatMap(({ name, typeName }) => {
    const inner = `authz.v1.${typeName.replace(/^\.?(?:authz\.v1\.)?/, '')}`;
    if (ends.has(name) || fieldsOf(inner).length === 0) return [name];
    return pathsOf(inner, ends).map((path) => `${name}.${path}`);
  });
}

/** `{ a: { b: value } }` of the path `a.b`, in the names of the generated code. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [first, ...rest] = path
    .split('.')
    .map((name) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
  return { [first as string]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const both = { ...one, ...other };
  for (const key of Object.keys(one)) {
    const [a, b] = [one[key], other[key]];
    if (isRecord(a) && isRecord(b)) {
      both[key] = merged(a, b);
    }
  }
  return both;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How the fields of an update are tried. */
interface Update {
  /** Creates what is updated, with no field at its default, and returns the request without changes. */
  make(): Promise<Record<string, unknown>>;
  send(request: Record<string, unknown>): Promise<unknown>;
  /** The version that it has now. */
  version(request: Record<string, unknown>): Promise<bigint | undefined>;
  /** What can be read of it, by the names in `changes`. */
  read(request: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** A new value of each field that can change, and the name under which it is read. */
  readonly changes: Readonly<
    Record<
      string,
      {
        readonly to: unknown;
        readonly reads: string;
        readonly as?: unknown;
        readonly with?: Record<string, unknown>;
      }
    >
  >;
  /** Fields that change nothing: ids, conditions, proofs, and what is only read. */
  readonly inert: readonly string[];
}

const fleet = useFleet('postgres');
let root: { token: string };
let tenancy: Tenancy;
let other: string;
beforeAll(async () => {
  root = { token: await rootToken(fleet.clients) };
  tenancy = await createTenancy(fleet.clients);
  const made = await fleet.clients.domains.createDomain(
    { tenantId: tenancy.tenantId, name: 'above', superiorDomainIds: [], detached: undefined },
    tenancy,
  );
  other = made.id;
});

const plane = (name: string) => {
  // The generated code writes these two numbers whenever it writes the message.
  const written = { with: nested(`tenant.${name}`, { tokens: 0n, overage: 0n }) };
  return {
    [`tenant.${name}.max_tokens`]: { to: 77n, reads: `${name}.max`, ...written },
    [`tenant.${name}.max_overage`]: { to: 33n, reads: `${name}.overage`, ...written },
  };
};

const UPDATES: Readonly<Record<string, Update>> = {
  UpdateTenantRequest: {
    async make() {
      const { tenantId } = await createTenancy(fleet.clients);
      const tenant = { id: tenantId, description: 'described', subscription: 'gold' };
      await fleet.clients.tenants.updateTenant({ id: '', tenant: { ...tenant, domains: [] } as never }, root);
      return { id: '', tenant: { id: tenantId, domains: [] } };
    },
    send: (request) => fleet.clients.tenants.updateTenant(request as never, root),
    async version({ tenant }) {
      return (await fleet.clients.tenants.getTenant({ id: (tenant as { id: string }).id }, root)).version;
    },
    async read({ tenant }) {
      const found = await fleet.clients.tenants.getTenant({ id: (tenant as { id: string }).id }, root);
      const { name, description, active, subscription, controlPlane, dataPlane } = found;
      return {
        name,
        description,
        active,
        subscription,
        'control_plane.max': controlPlane?.maxTokens,
        'control_plane.overage': controlPlane?.maxOverage,
        'data_plane.max': dataPlane?.maxTokens,
        'data_plane.overage': dataPlane?.maxOverage,
        domains: found.domains.length,
      };
    },
    changes: {
      'tenant.name': { to: 'another name of a tenant', reads: 'name' },
      'tenant.description': { to: '', reads: 'description' },
      'tenant.active': { to: false, reads: 'active' },
      'tenant.subscription': { to: 'silver', reads: 'subscription' },
      ...plane('control_plane'),
      ...plane('data_plane'),
    },
    inert: [
      'id',
      'expected_version',
      'allow_lockout',
      'tenant.id',
      'tenant.version',
      'tenant.last_token_reset',
      'tenant.domains',
      ...['control_plane', 'data_plane'].flatMap((name) => [
        `tenant.${name}.tokens`,
        `tenant.${name}.overage`,
      ]),
    ],
  },
  UpdateDomainRequest: {
    async make() {
      const { tenantId } = tenancy;
      const domain = await fleet.clients.domains.createDomain(
        { tenantId, name: `domain ${randomUUID()}`, superiorDomainIds: [other], detached: undefined },
        tenancy,
      );
      const policies = [
        policy('no deletions', { action: 'delete' }, { deny: true, engine: EvaluationEngine.FIXED }),
      ];
      await fleet.clients.domains.putDomainPolicies({ tenantId, domainId: domain.id, policies }, tenancy);
      const empty = { superiorDomainIds: [], policies: [], version: 0n, tenantId: '' };
      return { tenantId, domain: { id: domain.id, ...empty } };
    },
    send: (request) => fleet.clients.domains.updateDomain(request as never, tenancy),
    async version({ domain }) {
      const place = { tenantId: tenancy.tenantId, domainId: (domain as { id: string }).id };
      return (await fleet.clients.domains.getDomain(place, tenancy)).version;
    },
    async read({ domain }) {
      const { tenantId } = tenancy;
      const domainId = (domain as { id: string }).id;
      const found = await fleet.clients.domains.getDomain({ tenantId, domainId }, tenancy);
      const { name, active, superiorDomainIds, policies, detached } = found;
      return { name, active, superiorDomainIds, policies, detached };
    },
    changes: {
      'domain.name': { to: 'another name of a domain', reads: 'name' },
      'domain.active': { to: false, reads: 'active' },
      'domain.detached': { to: true, reads: 'detached' },
      'domain.superiors': { to: { ids: [] }, reads: 'superiorDomainIds', as: [] },
      'domain.superior_domain_ids': { to: [], reads: 'superiorDomainIds', as: undefined },
    },
    inert: [
      'tenant_id',
      'domain.id',
      'domain.tenant_id',
      'domain.policies',
      'domain.version',
      'expected_version',
      'allow_lockout',
    ],
  },
  UpdateUserRequest: {
    async make() {
      return { id: (await createUserAndLogin(fleet.clients)).userId };
    },
    send: (request) => fleet.clients.users.updateUser(request as never, root),
    async version({ id }) {
      return (await fleet.clients.users.getUser({ id: id as string }, root)).version;
    },
    async read({ id }) {
      const { username, email, active } = await fleet.clients.users.getUser({ id: id as string }, root);
      const login = (password: string) =>
        fleet.clients.sessions.login({ username, password }).then(
          () => password,
          () => null,
        );
      const password = active
        ? ((await login(USER_PASSWORD)) ?? (await login('another password 8274')))
        : USER_PASSWORD;
      return { username, email, active, password };
    },
    changes: {
      username: { to: 'another-name-of-a-user', reads: 'username' },
      email: { to: 'another@example.org', reads: 'email' },
      active: { to: false, reads: 'active' },
      password: { to: 'another password 8274', reads: 'password', with: { currentPassword: USER_PASSWORD } },
    },
    inert: [
      'id',
      'current_password',
      'proof',
      'reset_token',
      'revoke_api_keys',
      'expected_version',
      'allow_lockout',
    ],
  },
  UpdateServiceAccountRequest: {
    async make() {
      const made = await fleet.clients.serviceAccounts.createServiceAccount(
        { name: `robot-${randomUUID()}`, description: 'described', tenantId: tenancy.tenantId },
        tenancy,
      );
      return { id: made.serviceAccountId };
    },
    send: (request) => fleet.clients.serviceAccounts.updateServiceAccount(request as never, tenancy),
    async version({ id }) {
      return (await fleet.clients.serviceAccounts.getServiceAccount({ id: id as string }, tenancy)).version;
    },
    async read({ id }) {
      const found = await fleet.clients.serviceAccounts.getServiceAccount({ id: id as string }, tenancy);
      const { description, active, username, apiKeyExpiration, scopes } = found;
      return { description, active, username, apiKeyExpiration, scopes };
    },
    changes: {
      description: { to: '', reads: 'description' },
      active: { to: false, reads: 'active' },
    },
    inert: ['id', 'expected_version', 'allow_lockout'],
  },
};

/** Messages that are sent whole, not field by field. */
const WHOLE = new Set(['policies', 'superiors', 'superior_domain_ids', 'domains', 'last_token_reset']);

/** What writes something of a version without being an update of its fields. */
const WRITES = [
  'authz.v1.PutDomainPoliciesRequest',
  'authz.v1.RollbackPoliciesRequest',
  'authz.v1.PutShadowPoliciesRequest',
  'authz.v1.PromoteShadowPoliciesRequest',
];

/** The new value of a field; of a name one that no other test has taken. */
function anew({ to, reads }: Update['changes'][string]): unknown {
  return reads === 'name' || reads === 'username' ? `${String(to)}-${randomUUID()}` : to;
}

describe('updates', () => {
  const messages = Object.keys(DEFINITIONS).filter((name) => /^authz\.v1\.Update\w+Request$/.test(name));

  it('every field of every Update message of the contract is known to these tests', () => {
    covers('AUTHZ-W.1');
    const known = (name: string) =>
      Object.keys(UPDATES[name]?.changes ?? {}).concat(UPDATES[name]?.inert ?? []);
    expect(messages.map((message) => [message, pathsOf(message, WHOLE).sort()])).toEqual(
      messages.map((message) => [message, known(message.replace('authz.v1.', '')).sort()]),
    );
  });

  const cases = Object.entries(UPDATES).flatMap(([message, { changes }]) =>
    Object.keys(changes).map((path) => [message, path] as const),
  );

  it.each(cases)('%s of `%s` alone leaves every other field as it was', async (message, path) => {
    covers('AUTHZ-W.1');
    const { make, send, read, changes } = UPDATES[message] as Update;
    const change = changes[path] as Update['changes'][string];
    const request = await make();
    const before = await read(request);
    await send(merged(merged(request, nested(path, change.to)), change.with ?? {}));
    const expected = 'as' in change ? change.as : change.to;
    expect(await read(request)).toEqual({
      ...before,
      ...(expected === undefined ? {} : { [change.reads]: expected }),
    });
  });

  it('every message that updates something of a version says which one it expects', () => {
    covers('AUTHZ-W.2');
    expect(messages.length).toBeGreaterThan(0);
    for (const message of [...messages, ...WRITES]) {
      expect([message, fieldsOf(message).map(({ name }) => name)]).toEqual([
        message,
        expect.arrayContaining(['expected_version']),
      ]);
    }
  });

  it.each(cases.filter(([message, path]) => !('as' in UPDATES[message]!.changes[path]!)))(
    '%s of `%s` with an outdated expected_version is refused and writes nothing',
    async (message, path) => {
      covers('AUTHZ-W.2');
      const { make, send, read, version, changes } = UPDATES[message] as Update;
      const change = changes[path] as Update['changes'][string];
      const request = await make();
      const before = await version(request);
      const changed = merged(merged(request, nested(path, anew(change))), change.with ?? {});
      const at = (expectedVersion: bigint | undefined) => send(merged(changed, { expectedVersion }));
      const untouched = await read(request);
      expect(await refusalOf(at(before! + 1n))).toMatchObject({ code: 10, reason: 'VERSION_CONFLICT' });
      expect([await read(request), await version(request)]).toEqual([untouched, before]);
      await at(before);
      const now = await version(request);
      expect(now).toBeGreaterThan(before!);
      const written = await read(request);
      // The password that the second one names is no longer the current one, either.
      const reason = path === 'password' ? 'INVALID_ARGUMENT' : 'VERSION_CONFLICT';
      expect(await refusalOf(at(before))).toMatchObject({ reason });
      expect([await read(request), await version(request)]).toEqual([written, now]);
    },
  );

  it.each(Object.keys(UPDATES).filter((message) => message !== 'UpdateDomainRequest'))(
    'two updates by %s at once that expect one version are one update and one refusal',
    async (message) => {
      covers('AUTHZ-W.2');
      const { make, send, version, changes } = UPDATES[message] as Update;
      const request = await make();
      const [path, change] = Object.entries(changes)[0]!;
      const expectedVersion = await version(request);
      const one = merged(merged(request, nested(path, anew(change))), { expectedVersion });
      const outcomes = await Promise.allSettled([send(one), send(one)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    },
  );

  it('a tenant cannot be named or renamed like a UUID', async () => {
    covers('AUTHZ-W.6');
    const { tenantId, plainToken } = await createTenancy(fleet.clients);
    const name = randomUUID().toUpperCase();
    const refused = { code: 3, reason: 'INVALID_ARGUMENT' };
    const made = fleet.clients.tenants.createTenant({ name, description: '' }, { token: plainToken });
    expect(await refusalOf(made)).toMatchObject(refused);
    const tenant = { id: tenantId, name, domains: [] } as never;
    expect(await refusalOf(fleet.clients.tenants.updateTenant({ id: '', tenant }, root))).toMatchObject(
      refused,
    );
  });

  it('a tenant administrator cannot change the subscription', async () => {
    covers('AUTHZ-W.3');
    const { tenantId, token } = await createTenancy(fleet.clients);
    const update = (subscription: string) =>
      fleet.clients.tenants.updateTenant(
        { id: tenantId, tenant: { id: tenantId, subscription, domains: [] } as never },
        { token },
      );
    expect(await refusalOf(update('gold'))).toMatchObject({ code: 7, reason: 'ACCESS_DENIED' });
    expect(await update('')).toEqual({});
  });
});
