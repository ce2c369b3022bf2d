import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EARLIER, insertTenant, LATER, NOW, type OpenStores } from './store.fixture.ts';

const ALL = { after: null, limit: 1_000 };

/** What every ServiceAccountStore promises. */
export function serviceAccountStoreContract(open: OpenStores): void {
  describe('service account store', () => {
    const account = (tenantId: string, name = `s-${randomUUID()}`) => ({
      id: randomUUID(),
      tenantId,
      name,
      description: 'd',
      scopes: '',
      createdAt: NOW,
    });

    it('the service account store reads an account with its newest key', async () => {
      const { stores } = open();
      const row = account(await insertTenant(stores));
      await stores.serviceAccounts.insert(row);
      const noKey = {
        ...row,
        active: true,
        version: 1,
        apiKeyId: '',
        apiKeyExpiresAt: null,
        apiKeyEnded: true,
      };
      expect(await stores.serviceAccounts.find(row.id, NOW)).toEqual(noKey);
      const jti = randomUUID();
      const key = { subjectId: row.id, tenantId: row.tenantId, scopes: '', issuedAt: NOW, expiresAt: LATER };
      await stores.credentials.insert({ ...key, jti, use: 'service_account' });
      const found = await stores.serviceAccounts.find(row.id, NOW);
      expect(found).toEqual({ ...noKey, apiKeyId: jti, apiKeyExpiresAt: LATER, apiKeyEnded: false });
      expect((await stores.serviceAccounts.find(row.id, LATER))?.apiKeyEnded).toBe(true);
      await stores.credentials.revoke(row.id, jti, NOW);
      expect((await stores.serviceAccounts.find(row.id, NOW))?.apiKeyEnded).toBe(true);
    });

    it('the service account store refuses a second account of one name within a tenant', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      await stores.serviceAccounts.insert(account(tenantId, 'taken'));
      const again = stores.serviceAccounts.insert(account(tenantId, 'taken'));
      await expect(again).rejects.toMatchObject({ reason: 'NAME_TAKEN' });
    });

    it('the service account store lists the accounts of a tenant oldest first, or only the active ones', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const [b, a] = [account(tenantId, 'a'), { ...account(tenantId, 'b'), createdAt: EARLIER }];
      for (const row of [b, a]) await stores.serviceAccounts.insert(row);
      expect(await stores.serviceAccounts.update(a.id, { active: false })).toBe(true);
      const ids = async (activeOnly: boolean) =>
        (await stores.serviceAccounts.list(tenantId, activeOnly, NOW, ALL)).map(({ id }) => id);
      expect(await ids(false)).toEqual([a.id, b.id]);
      expect(await ids(true)).toEqual([b.id]);
      expect((await stores.serviceAccounts.ids(tenantId)).sort()).toEqual([a.id, b.id].sort());
    });

    it('the service account store changes the fields that are given, and removes an account once', async () => {
      const { stores } = open();
      const row = account(await insertTenant(stores));
      await stores.serviceAccounts.insert(row);
      await stores.serviceAccounts.update(row.id, { description: 'e' });
      expect(await stores.serviceAccounts.find(row.id, NOW)).toMatchObject({
        description: 'e',
        active: true,
      });
      expect(await stores.serviceAccounts.update(randomUUID(), { active: true })).toBe(false);
      expect(await stores.serviceAccounts.remove(row.id)).toBe(true);
      expect(await stores.serviceAccounts.remove(row.id)).toBe(false);
    });
  });
}
