import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  rootToken,
  startFleet,
  USER_PASSWORD,
  type Fleet,
  type Tenancy,
} from './service.fixture.ts';

/** The audit has had pages under names of its own since the first contract: `limit` and `cursor`. */
const OWN_NAMES = 'ListAuditEvents';

const PROTO = new URL('../../../proto/authz/v1/', import.meta.url);
const contract = readdirSync(PROTO)
  .map((file) => readFileSync(new URL(file, PROTO), 'utf8'))
  .join('\n');

/** Every operation that lists, with its request and its response. */
const LISTS = [...contract.matchAll(/rpc ((?:List|GetTenantAssociations)\w*)\((\w+)\) returns \((\w+)\)/g)]
  .map(([, name, request, response]) => [name, request, response] as [string, string, string])
  .filter(([name]) => name !== OWN_NAMES);

const fieldsOf = (message: string) =>
  [
    ...(new RegExp(`message ${message} \\{([^}]*)\\}`).exec(contract)?.[1] ?? '').matchAll(/(\w+) = \d+;/g),
  ].map(([, field]) => field);

interface Asked {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

interface World extends Tenancy {
  readonly root: string;
  readonly clients: AuthzClients;
}

/** How a list is filled and read; `add` resolves with the id of what it made. */
interface List {
  add(world: World): Promise<string>;
  remove(world: World, id: string): Promise<unknown>;
  page(world: World, asked: Asked): Promise<{ ids: string[]; nextPageToken: string }>;
}

async function makeUser({ clients }: World): Promise<string> {
  const username = `page-${randomUUID()}`;
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

const removeUser = ({ clients, root }: World, id: string) =>
  clients.users.deleteUser({ id }, { token: root });
const removeTenant = ({ clients, root }: World, id: string) =>
  clients.tenants.deleteTenant({ id }, { token: root });
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

const MATRIX: Record<string, List> = {
  ListUsers: {
    add: makeUser,
    remove: removeUser,
    async page({ clients, root }, asked) {
      const { users, nextPageToken } = await clients.users.listUsers(asked, { token: root });
      return { ids: idsOf(users), nextPageToken };
    },
  },
  GetTenantAssociations: {
    add: makeMember,
    remove: removeUser,
    async page({ clients, token, tenantId }, asked) {
      const request = { tenantId, ...asked };
      const { users, nextPageToken } = await clients.tenants.getTenantAssociations(request, { token });
      return { ids: idsOf(users), nextPageToken };
    },
  },
  ListTenants: {
    add: makeTenant,
    remove: removeTenant,
    async page({ clients, root }, asked) {
      const { tenants, nextPageToken } = await clients.tenants.listTenants(asked, { token: root });
      return { ids: idsOf(tenants), nextPageToken };
    },
  },
  ListMyTenants: {
    add: makeTenant,
    remove: removeTenant,
    async page({ clients, plainToken: token }, asked) {
      const { tenants, nextPageToken } = await clients.tenants.listMyTenants(asked, { token });
      return { ids: idsOf(tenants), nextPageToken };
    },
  },
  ListDomains: {
    async add({ clients, token, tenantId }) {
      const made = { tenantId, name: `page-${randomUUID()}`, superiorDomainIds: [] };
      return (await clients.domains.createDomain(made, { token })).id;
    },
    remove: ({ clients, token, tenantId }, domainId) =>
      clients.domains.deleteDomain({ tenantId, domainId }, { token }),
    async page({ clients, token, tenantId }, asked) {
      const { domains, nextPageToken } = await clients.domains.listDomains({ tenantId, ...asked }, { token });
      return { ids: idsOf(domains), nextPageToken };
    },
  },
  ListServiceAccounts: {
    async add({ clients, token, tenantId }) {
      const made = { name: `page-${randomUUID()}`, description: '', tenantId };
      return (await clients.serviceAccounts.createServiceAccount(made, { token })).serviceAccountId;
    },
    remove: ({ clients, token }, id) => clients.serviceAccounts.deleteServiceAccount({ id }, { token }),
    async page({ clients, token, tenantId }, asked) {
      const request = { tenantId, ...asked };
      const found = await clients.serviceAccounts.listServiceAccounts(request, { token });
      return { ids: idsOf(found.serviceAccounts), nextPageToken: found.nextPageToken };
    },
  },
  ListApiKeys: {
    add: async ({ clients, token, userId }) =>
      (await clients.apiKeys.createApiKey({ userId }, { token })).keyId,
    remove: ({ clients, token, userId }, keyId) => clients.apiKeys.deleteApiKey({ userId, keyId }, { token }),
    async page({ clients, token, userId }, asked) {
      const { apiKeys, nextPageToken } = await clients.apiKeys.listApiKeys({ userId, ...asked }, { token });
      return { ids: apiKeys.map(({ keyId }) => keyId), nextPageToken };
    },
  },
};

describe('lists', () => {
  let fleet: Fleet;
  let world: World;
  beforeAll(async () => {
    fleet = await startFleet('embedded', { env: { AUTHZ_TENANTS_PER_FOUNDER: '1000' } });
    const { clients } = fleet;
    world = { ...(await createTenancy(clients)), root: await rootToken(clients), clients };
  });
  afterAll(() => fleet?.stop());

  it.each(LISTS)(
    '%s has pages in the contract, and is one of those that are read here',
    (name, request, response) => {
      covers('AUTHZ-W.8');
      expect(fieldsOf(request)).toEqual(expect.arrayContaining(['page_size', 'page_token']));
      expect(fieldsOf(response)).toContain('next_page_token');
      expect(Object.keys(MATRIX)).toContain(name);
    },
  );

  it('the contract has all lists that are read here', () => {
    covers('AUTHZ-W.8');
    expect(LISTS.map(([name]) => name).toSorted()).toEqual(Object.keys(MATRIX).toSorted());
  });

  it.each(Object.keys(MATRIX))(
    'pages of %s neither miss nor double what stays while others write',
    async (name) => {
      covers('AUTHZ-W.8');
      const { add, remove, page } = MATRIX[name]!;
      const staying: string[] = [];
      const leaving: string[] = [];
      for (let i = 0; i < 5; i += 1) {
        staying.push(await add(world));
        leaving.push(await add(world));
      }
      const read: string[] = [];
      let pageToken = '';
      do {
        const found = await page(world, { pageSize: 2, pageToken });
        expect(found.ids.length).toBeLessThanOrEqual(2);
        read.push(...found.ids);
        ({ nextPageToken: pageToken } = found);
        const gone = leaving.pop();
        if (gone !== undefined) {
          await remove(world, gone);
          await add(world);
        }
        // Whatever is added meanwhile is bounded, so the list ends.
      } while (pageToken !== '');
      expect(new Set(read).size).toBe(read.length);
      expect(read).toEqual(expect.arrayContaining(staying));
      // Without a size all of it comes at once, in the same order.
      const whole = (await page(world, {})).ids;
      expect(whole.filter((id) => staying.includes(id))).toEqual(read.filter((id) => staying.includes(id)));
    },
  );

  it.each(Object.keys(MATRIX))(
    '%s refuses a size above 1,000 and a token that was not given out',
    async (name) => {
      covers('AUTHZ-W.8');
      const { page } = MATRIX[name]!;
      const refused = (asked: Asked) => refusalOf(page(world, asked));
      expect(await refused({ pageSize: 1_001 })).toMatchObject({ code: 3, fields: ['page_size'] });
      const forged = [
        'x',
        'k',
        '!',
        Buffer.from('k\0').toString('base64url'),
        `${Buffer.from('kx').toString('base64url')}=`,
      ];
      for (const pageToken of forged) {
        expect(await refused({ pageToken })).toMatchObject({ code: 3, fields: ['page_token'] });
      }
    },
  );

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
