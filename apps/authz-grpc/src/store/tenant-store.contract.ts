import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EARLIER, insertDomain, insertTenant, insertUser, NOW, type OpenStores } from './store.fixture.ts';

/** What every TenantStore promises. */
export function tenantStoreContract(open: OpenStores): void {
  describe('tenant store', () => {
    it('the tenant store reads a tenant back as it was inserted and updated', async () => {
      const { tenants } = open().stores;
      const tenant = { id: randomUUID(), name: `t-${randomUUID()}`, description: 'd', createdAt: NOW };
      await tenants.insert(tenant);
      expect(await tenants.find(tenant.id)).toEqual({
        ...tenant,
        active: true,
        subscription: '',
        version: 1,
      });
      const { createdAt, ...update } = { ...tenant, description: 'e', active: false, subscription: 's' };
      expect(await tenants.update(update)).toBe(true);
      expect(await tenants.find(tenant.id)).toEqual({ ...update, createdAt, version: 2 });
      expect(await tenants.update({ ...update, id: randomUUID(), name: randomUUID() })).toBe(false);
    });

    it('the tenant store finds a tenant by name and nothing under other names', async () => {
      const { stores } = open();
      const name = `t-${randomUUID()}`;
      const id = await insertTenant(stores, name);
      expect(await stores.tenants.findId(name)).toBe(id);
      expect(await stores.tenants.findId(randomUUID())).toBeNull();
      expect(await stores.tenants.findId('a\0b')).toBeNull();
    });

    it('the tenant store refuses a second tenant of one name', async () => {
      const { stores } = open();
      const name = `t-${randomUUID()}`;
      await insertTenant(stores, name);
      await expect(insertTenant(stores, name)).rejects.toMatchObject({ reason: 'NAME_TAKEN' });
    });

    it('the tenant store lists the tenants of the ids oldest first', async () => {
      const { stores } = open();
      const suffix = randomUUID();
      const second = await insertTenant(stores, `a-${suffix}`);
      const first = await insertTenant(stores, `b-${suffix}`, EARLIER);
      expect((await stores.tenants.list([second, first, randomUUID()])).map(({ id }) => id)).toEqual([
        first,
        second,
      ]);
    });

    it('the tenant store adds and removes a member once', async () => {
      const { stores } = open();
      const { tenants } = stores;
      const [tenantId, userId] = [await insertTenant(stores), await insertUser(stores)];
      expect(await tenants.isMember(tenantId, userId)).toBe(false);
      expect(await tenants.addMember(tenantId, userId)).toBe(true);
      expect(await tenants.addMember(tenantId, userId)).toBe(false);
      expect(await tenants.isMember(tenantId, userId)).toBe(true);
      expect(await tenants.memberIds(tenantId)).toEqual([userId]);
      expect(await tenants.removeMember(tenantId, userId)).toBe(true);
      expect(await tenants.removeMember(tenantId, userId)).toBe(false);
    });

    it('the tenant store reports whether the row it locks exists', async () => {
      const { stores, transaction } = open();
      const [tenantId, userId] = [await insertTenant(stores), await insertUser(stores)];
      await stores.tenants.addMember(tenantId, userId);
      await transaction(async ({ tenants }) => {
        expect(await tenants.lock(tenantId)).toBe(true);
        expect(await tenants.lock(randomUUID())).toBe(false);
        expect(await tenants.lockMember(tenantId, userId)).toBe(true);
        expect(await tenants.lockMember(tenantId, randomUUID())).toBe(false);
      });
    });

    it('the tenant store removes a tenant whose domains are superiors of one another', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const above = await insertDomain(stores, tenantId);
      const below = await insertDomain(stores, tenantId);
      await stores.domains.replaceSuperiors(below, [above]);
      expect(await stores.tenants.remove(tenantId, NOW)).toBe(true);
      expect(await stores.tenants.remove(tenantId, NOW)).toBe(false);
      expect(await stores.domains.find(tenantId, { id: below })).toBeNull();
    });
  });
}
