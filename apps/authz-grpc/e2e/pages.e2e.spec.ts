import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext, type AuthzClients } from '@platform/authz-client';
import { AuditKind, type ListAuditEventsRequest } from '@platform/proto/authz/v1/authorization';
import { UpdateDomainRequest } from '@platform/proto/authz/v1/domain';
import { UpdateTenantRequest } from '@platform/proto/authz/v1/tenant';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { writeToken } from '../src/pages.ts';
import { openProgram, RESOURCE } from './browser.fixture.ts';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  rootToken,
  USER_PASSWORD,
  type Tenancy,
} from './service.fixture.ts';

fc.configureGlobal({ seed: SEED });

/** How a list calls the size and the token of a page. */
const NAMES = { size: 'page_size', token: 'page_token', next: 'next_page_token' };
/** The audit has had pages under names of its own since the first contract. */
const AUDIT_NAMES = { size: 'limit', token: 'cursor', next: 'next_cursor' };

const PROTO = new URL('../../../proto/authz/v1/', import.meta.url);
const contract = readdirSync(PROTO)
  .map((file) => readFileSync(new URL(file, PROTO), 'utf8'))
  .join('\n');

const fieldsOf = (message: string) =>
  [
    ...(new RegExp(`message ${message} \\{([^}]*)\\}`).exec(contract)?.[1] ?? '').matchAll(/(\w+) = \d+;/g),
  ].map(([, field]) => field);

/**
 * Every operation that returns a page, with its request and its response; searches have tests of their
 * own.
 */
const LISTS = [...contract.matchAll(/rpc (\w+)\((\w+)\) returns \((\w+)\)/g)]
  .map(([, name = '', request = '', response = '']): [string, string, string] => [name, request, response])
  .filter(([name, , response]) => {
    const isPage = fieldsOf(response).some((field) => [NAMES.next, AUDIT_NAMES.next].includes(field ?? ''));
    return (isPage || name.startsWith('List')) && !name.startsWith('Search');
  });

interface Asked {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

interface World extends Tenancy {
  readonly root: string;
  readonly clients: AuthzClients;
  readonly httpUrl: string;
}

interface Found {
  readonly ids: string[];
  readonly nextPageToken: string;
}

/** How a list is filled, changed and read; `add` resolves with the id of what it made. */
interface List {
  readonly names?: typeof NAMES;
  add(world: World): Promise<string>;
  /** Changes what can be changed of an item, its name before all. */
  rename(world: World, id: string, name: string): Promise<unknown>;
  remove(world: World, id: string): Promise<unknown>;
  page(world: World, asked: Asked): Promise<Found>;
  /** The list of the same operation for another tenant or user, under another filter, to another caller. */
  readonly others: readonly ((world: World, other: World, asked: Asked) => Promise<unknown>)[];
}

/** Of what cannot be changed. */
const unchangeable = async () => undefined;

async function makeUser({ clients }: World): Promise<string> {
  const username = randomUUID();
  return (await clients.users.createUser({ username, email: 'p@example.org', password: USER_PASSWORD }))
    .userId;
}

async function makeMember(world: World): Promise<string> {
  const userId = await makeUser(world);
  const { tenantId, token, clients } = world;
  await clients.tenants.createTenantUserAssociation({ tenantId, userId }, { token });
  return userId;
}

async function makeTenant({ clients, plainToken }: World): Promise<string> {
  const name = `page-${randomUUID()}`;
  return (await clients.tenants.createTenant({ name, description: '' }, { token: plainToken })).id;
}

const renameUser = ({ clients, root }: World, id: string, username: string) =>
  clients.users.updateUser({ id, username }, { token: root });
const renameTenant = ({ clients, root }: World, id: string, name: string) =>
  clients.tenants.updateTenant(UpdateTenantRequest.fromPartial({ tenant: { id, name } }), { token: root });
const ofOther =
  (page: List['page']): List['others'][number] =>
  (_, other, asked) =>
    page(other, asked);
const removeUser = ({ clients, root }: World, id: string) =>
  clients.users.deleteUser({ id }, { token: root });
const removeTenant = ({ clients, root }: World, id: string) =>
  clients.tenants.deleteTenant({ id }, { token: root });
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

const listUsers = async ({ clients, root }: World, asked: Asked) => {
  const { users, nextPageToken } = await clients.users.listUsers(asked, { token: root });
  return { ids: idsOf(users), nextPageToken };
};
const listMembers = async ({ clients, token, tenantId }: World, asked: Asked) => {
  const request = { tenantId, ...asked };
  const { users, nextPageToken } = await clients.tenants.getTenantAssociations(request, { token });
  return { ids: idsOf(users), nextPageToken };
};
const listTenants = async ({ clients, root }: World, asked: Asked) => {
  const { tenants, nextPageToken } = await clients.tenants.listTenants(asked, { token: root });
  return { ids: idsOf(tenants), nextPageToken };
};
const listMyTenants = async ({ clients, plainToken: token }: World, asked: Asked) => {
  const { tenants, nextPageToken } = await clients.tenants.listMyTenants(asked, { token });
  return { ids: idsOf(tenants), nextPageToken };
};
const listDomains = async ({ clients, token, tenantId }: World, asked: Asked) => {
  const { domains, nextPageToken } = await clients.domains.listDomains({ tenantId, ...asked }, { token });
  return { ids: idsOf(domains), nextPageToken };
};
const listAccounts = async ({ clients, token, tenantId }: World, asked: Asked & { activeOnly?: boolean }) => {
  const found = await clients.serviceAccounts.listServiceAccounts({ tenantId, ...asked }, { token });
  return { ids: idsOf(found.serviceAccounts), nextPageToken: found.nextPageToken };
};
const listKeys = async ({ clients, token, userId }: World, asked: Asked) => {
  const { apiKeys, nextPageToken } = await clients.apiKeys.listApiKeys({ userId, ...asked }, { token });
  return { ids: apiKeys.map(({ keyId }) => keyId), nextPageToken };
};
const listGrants = async ({ clients, token, userId }: World, asked: Asked) => {
  const { clientGrants, nextPageToken } = await clients.sessions.listClientGrants(
    { userId, ...asked },
    { token },
  );
  return { ids: clientGrants.map(({ id }) => id), nextPageToken };
};
const listResources = async (
  { clients, token, tenantId, rootDomainId: domainId }: World,
  asked: Asked & { prefix?: string },
) => {
  const request = { tenantId, domainId, prefix: '', ...asked };
  const { resources, nextPageToken } = await clients.resources.listResources(request, { token });
  return { ids: resources.map(({ object }) => object), nextPageToken };
};
const listVersions = async ({ clients, token, tenantId, rootDomainId: domainId }: World, asked: Asked) => {
  const { versions, nextPageToken } = await clients.policySets.listPolicyVersions(
    { tenantId, domainId, ...asked },
    { token },
  );
  return { ids: versions.map(({ version }) => String(version)), nextPageToken };
};
/** Checks of one subject, for every call of these tests leaves rows. */
const listRows = async (
  { clients, token, tenantId }: World,
  { pageSize = 1_000, pageToken = '' }: Asked,
  filters: Partial<ListAuditEventsRequest> = {},
) => {
  const request = { tenantId, subject: 'page', limit: pageSize, cursor: pageToken, ...filters };
  const { events, nextCursor } = await clients.authorization.listAuditEvents(request, { token });
  return { ids: idsOf(events), nextPageToken: nextCursor };
};

const MATRIX: Record<string, List> = {
  ListUsers: {
    add: makeUser,
    rename: renameUser,
    remove: removeUser,
    page: listUsers,
    others: [({ clients, token }, _, asked) => clients.users.listUsers(asked, { token })],
  },
  GetTenantAssociations: {
    add: makeMember,
    rename: renameUser,
    remove: removeUser,
    page: listMembers,
    others: [ofOther(listMembers)],
  },
  ListTenants: {
    add: makeTenant,
    rename: renameTenant,
    remove: removeTenant,
    page: listTenants,
    others: [({ clients, token }, _, asked) => clients.tenants.listTenants(asked, { token })],
  },
  ListMyTenants: {
    add: makeTenant,
    rename: renameTenant,
    remove: removeTenant,
    page: listMyTenants,
    others: [ofOther(listMyTenants)],
  },
  ListDomains: {
    async add({ clients, token, tenantId }) {
      const made = { tenantId, name: randomUUID(), superiorDomainIds: [] };
      return (await clients.domains.createDomain(made, { token })).id;
    },
    rename: ({ clients, token, tenantId }, id, name) =>
      clients.domains.updateDomain(UpdateDomainRequest.fromPartial({ tenantId, domain: { id, name } }), {
        token,
      }),
    remove: ({ clients, token, tenantId }, domainId) =>
      clients.domains.deleteDomain({ tenantId, domainId }, { token }),
    page: listDomains,
    others: [ofOther(listDomains)],
  },
  ListResources: {
    async add({ clients, token, tenantId, rootDomainId: domainId }) {
      const object = `svc://${domainId}/${randomUUID()}`;
      const resources = [{ object, attributes: new Map() }];
      await clients.resources.putResources({ tenantId, domainId, resources }, { token });
      return object;
    },
    rename: unchangeable,
    remove: ({ clients, token, tenantId, rootDomainId: domainId }, object) =>
      clients.resources.deleteResources({ tenantId, domainId, objects: [object] }, { token }),
    page: listResources,
    others: [ofOther(listResources), (world, _, asked) => listResources(world, { ...asked, prefix: 'x' })],
  },
  ListPolicyVersions: {
    async add({ clients, token, tenantId, rootDomainId: domainId }) {
      const { policies } = await clients.domains.getDomainPolicies({ tenantId, domainId }, { token });
      const [first, ...more] = policies;
      const put = { tenantId, domainId, policies: [{ ...first!, description: randomUUID() }, ...more] };
      return String((await clients.domains.putDomainPolicies(put, { token })).version);
    },
    rename: unchangeable,
    remove: unchangeable,
    page: listVersions,
    others: [ofOther(listVersions)],
  },
  ListServiceAccounts: {
    async add({ clients, token, tenantId }) {
      const made = { name: randomUUID(), description: '', tenantId };
      return (await clients.serviceAccounts.createServiceAccount(made, { token })).serviceAccountId;
    },
    // Its name cannot change.
    rename: ({ clients, token }, id, description) =>
      clients.serviceAccounts.updateServiceAccount({ id, description }, { token }),
    remove: ({ clients, token }, id) => clients.serviceAccounts.deleteServiceAccount({ id }, { token }),
    page: listAccounts,
    others: [ofOther(listAccounts), (world, _, asked) => listAccounts(world, { ...asked, activeOnly: true })],
  },
  ListApiKeys: {
    add: async ({ clients, token, userId }) =>
      (await clients.apiKeys.createApiKey({ userId }, { token })).keyId,
    rename: unchangeable,
    remove: ({ clients, token, userId }, keyId) => clients.apiKeys.deleteApiKey({ userId, keyId }, { token }),
    page: listKeys,
    others: [ofOther(listKeys)],
  },
  ListClientGrants: {
    async add(world) {
      const before = (await listGrants(world, {})).ids;
      await openProgram(world.httpUrl).tokens(world);
      return (await listGrants(world, {})).ids.find((id) => !before.includes(id))!;
    },
    rename: unchangeable,
    remove: ({ clients, token, userId }, id) => clients.sessions.deleteClientGrant({ userId, id }, { token }),
    page: listGrants,
    others: [ofOther(listGrants)],
  },
  ListAuditEvents: {
    names: AUDIT_NAMES,
    async add({ clients, token, rootDomainId }) {
      let checkId = '';
      const context = requestContext({ subject: 'page', action: 'read', object: `svc://${rootDomainId}/x` });
      const onTrailer = (trailer: { get(key: string): unknown[] }) =>
        (checkId = String(trailer.get('x-check-id')[0]));
      await clients.authorization.checkAuthorization({ context }, { token, onTrailer });
      return checkId;
    },
    rename: unchangeable,
    remove: unchangeable,
    page: listRows,
    others: [
      ofOther(listRows),
      ...[
        { subject: undefined },
        { action: 'read' },
        { decision: false },
        { kind: AuditKind.CHECK },
        { refused: false },
        { after: new Date(0) },
        { before: new Date('2100-01-01') },
      ].map(
        (filter): List['others'][number] =>
          (world, _, asked) =>
            listRows(world, asked, filter),
      ),
      ({ clients, root }, _, { pageSize: limit = 0, pageToken: cursor = '' }) =>
        clients.authorization.listAuditEvents({ tenantId: '', limit, cursor }, { token: root }),
    ],
  },
};

describe('lists', () => {
  const fleet = useFleet('postgres', {
    env: { AUTHZ_TENANTS_PER_FOUNDER: '1000', AUTHZ_OAUTH_RESOURCES: RESOURCE },
  });
  const { clients } = fleet;
  let world: World;
  let other: World;
  beforeAll(async () => {
    const common = { root: await rootToken(clients), clients, httpUrl: fleet.httpUrl };
    world = { ...(await createTenancy(clients)), ...common };
    other = { ...(await createTenancy(clients)), ...common };
  });

  it.each(LISTS)(
    '%s has pages in the contract, and is one of those that are read here',
    (name, request, response) => {
      covers('AUTHZ-W.8');
      const { size, token, next } = MATRIX[name]?.names ?? NAMES;
      expect(fieldsOf(request)).toEqual(expect.arrayContaining([size, token]));
      expect(fieldsOf(response)).toContain(next);
      expect(Object.keys(MATRIX)).toContain(name);
    },
  );

  it('the contract has all lists that are read here', () => {
    covers('AUTHZ-W.8');
    expect(LISTS.map(([name]) => name).toSorted()).toEqual(Object.keys(MATRIX).toSorted());
  });

  /** What a writer does between two pages of a scan. */
  const writes = fc.array(
    fc.record({
      what: fc.constantFrom('add', 'remove', 'rename'),
      which: fc.nat(),
      first: fc.constantFrom('0', 'a', 'm', 'z'),
    }),
    { minLength: 1, maxLength: 3 },
  );

  it.each(Object.keys(MATRIX))(
    'pages of %s neither miss nor double what stays while others add, remove and rename',
    async (name) => {
      covers('AUTHZ-W.8');
      const { add, remove, rename, page } = MATRIX[name]!;
      const staying: string[] = [];
      for (let i = 0; i < 5; i += 1) staying.push(await add(world));
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 3 }),
          fc.array(writes, { minLength: 1, maxLength: 6 }),
          async (pageSize, rounds) => {
            const leaving: string[] = [];
            for (let i = 0; i < 3; i += 1) leaving.push(await add(world));
            const read: string[] = [];
            let pageToken = '';
            do {
              const found = await page(world, { pageSize, pageToken });
              expect(found.ids.length).toBeLessThanOrEqual(pageSize);
              read.push(...found.ids);
              ({ nextPageToken: pageToken } = found);
              // Whatever is added meanwhile is bounded, so the list ends.
              for (const { what, which, first } of rounds.shift() ?? []) {
                if (what === 'rename') {
                  const id = staying[which % staying.length]!;
                  await rename(world, id, `${first}${randomUUID().slice(1)}x`);
                } else if (what === 'add') leaving.push(await add(world));
                else if (leaving.length > 0) {
                  await remove(world, leaving.splice(which % leaving.length, 1)[0]!);
                }
              }
            } while (pageToken !== '');
            expect(new Set(read).size).toBe(read.length);
            expect(read).toEqual(expect.arrayContaining(staying));
            // Without a size all of it comes at once, in the same order.
            const whole = (await page(world, {})).ids;
            expect(whole.filter((id) => staying.includes(id))).toEqual(
              read.filter((id) => staying.includes(id)),
            );
            for (const id of leaving) await remove(world, id);
          },
        ),
        { numRuns: 3 },
      );
    },
  );

  it.each(Object.keys(MATRIX))('%s refuses a size above 1,000 and a token that is none', async (name) => {
    covers('AUTHZ-W.8');
    const { page, names = NAMES } = MATRIX[name]!;
    const refused = (asked: Asked) => refusalOf(page(world, asked));
    expect(await refused({ pageSize: 1_001 })).toMatchObject({ code: 3, fields: [names.size] });
    const forged = [
      'x',
      'k',
      '!',
      Buffer.from('k\0').toString('base64url'),
      Buffer.from('kx').toString('base64'),
    ];
    for (const pageToken of forged) {
      expect(await refused({ pageToken })).toMatchObject({ code: 3, fields: [names.token] });
    }
  });

  /** The token of the second page. */
  async function tokenOf(name: string): Promise<string> {
    const { add, page } = MATRIX[name]!;
    for (let i = 0; i < 2; i += 1) await add(world);
    const { nextPageToken } = await page(world, { pageSize: 1 });
    expect(nextPageToken).not.toBe('');
    return nextPageToken;
  }

  it.each(Object.keys(MATRIX))(
    'the token of %s is good for no other list, tenant, filter or caller, nor with a changed character',
    async (name) => {
      covers('AUTHZ-W.11');
      const pageToken = await tokenOf(name);
      const { page, others, names: own = NAMES } = MATRIX[name]!;
      for (const [list, { page: foreign, names = NAMES }] of Object.entries(MATRIX)) {
        if (list === name) continue;
        expect([list, await refusalOf(foreign(world, { pageToken }))]).toMatchObject([
          list,
          { code: 3, reason: 'INVALID_ARGUMENT', fields: [names.token] },
        ]);
      }
      const refused = { code: 3, reason: 'INVALID_ARGUMENT', fields: [own.token] };
      for (const view of others) {
        expect(await refusalOf(view(world, other, { pageToken }))).toMatchObject(refused);
      }
      for (let at = 0; at < pageToken.length; at += 1) {
        const character = pageToken[at] === 'A' ? 'B' : 'A';
        const changed = pageToken.slice(0, at) + character + pageToken.slice(at + 1);
        expect([at, await refusalOf(page(world, { pageToken: changed }))]).toMatchObject([at, refused]);
      }
      expect(await refusalOf(page(world, { pageToken: pageToken.slice(0, -1) }))).toMatchObject(refused);
      // It is good for its own list all the while.
      expect((await page(world, { pageSize: 1, pageToken })).ids).toHaveLength(1);
    },
  );

  it('a token made by hand of a place that is none is refused', async () => {
    covers('AUTHZ-W.11');
    const { tenantId } = world;
    for (const key of ['', '7', 'x y', `1 ${tenantId}x`, `1e3 ${tenantId}`, '1 ']) {
      const pageToken = writeToken(['ListDomains', tenantId], key);
      expect(await refusalOf(listDomains(world, { pageToken }))).toMatchObject({ code: 3 });
    }
  });

  it('the last page names no other, also when it is full', async () => {
    covers('AUTHZ-W.8');
    const { clients } = world;
    const { plainToken, userId } = await createUserAndLogin(clients);
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1)
      ids.push((await clients.apiKeys.createApiKey({ userId }, { token: plainToken })).keyId);
    const page = (pageSize: number, pageToken = '') =>
      clients.apiKeys.listApiKeys({ userId, pageSize, pageToken }, { token: plainToken });
    expect((await page(4)).nextPageToken).toBe('');
    const { apiKeys, nextPageToken } = await page(2);
    const rest = await page(2, nextPageToken);
    expect([...apiKeys, ...rest.apiKeys].map(({ keyId }) => keyId).toSorted()).toEqual(ids.toSorted());
    expect(rest.nextPageToken).toBe('');
  });

  it('the total of service accounts counts all pages', async () => {
    covers('AUTHZ-W.8');
    const tenancy = { ...world, ...(await createTenancy(world.clients)) };
    const { tenantId, token } = tenancy;
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await MATRIX['ListServiceAccounts']!.add(tenancy));
    const accounts = world.clients.serviceAccounts;
    await accounts.updateServiceAccount({ id: ids[0]!, active: false }, { token });
    const total = async (activeOnly: boolean) =>
      (await accounts.listServiceAccounts({ tenantId, activeOnly, pageSize: 1 }, { token })).totalCount;
    expect([await total(false), await total(true)]).toEqual([3, 2]);
  });
});
