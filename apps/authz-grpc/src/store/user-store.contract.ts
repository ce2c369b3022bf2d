import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EARLIER, insertTenant, insertUser, LATER, NOW, type OpenStores } from './store.fixture.ts';

const ALL = { after: null, limit: 1_000 };

/** What every UserStore promises. */
export function userStoreContract(open: OpenStores): void {
  describe('user store', () => {
    it('the user store reads a user back as it was inserted', async () => {
      const { stores } = open();
      const username = `u-${randomUUID()}`;
      const id = randomUUID();
      await stores.users.insert({ id, username, email: 'a@b', passwordHash: 'phc', createdAt: NOW });
      expect(await stores.users.find(id, NOW)).toEqual({
        id,
        username,
        email: 'a@b',
        active: true,
        emailVerified: false,
        isRoot: false,
        createdAt: NOW,
        version: 1,
        apiKeyIds: [],
      });
      expect(await stores.users.findId(username)).toBe(id);
      expect(await stores.users.findLogin(username)).toEqual({ id, passwordHash: 'phc', active: true });
      expect(await stores.users.exists(id)).toBe(true);
    });

    it('the user store finds nothing under an unknown id and under a name that holds NUL', async () => {
      const { users } = open().stores;
      expect(await users.find(randomUUID(), NOW)).toBeNull();
      expect(await users.exists(randomUUID())).toBe(false);
      expect(await users.findId('a\0b')).toBeNull();
      expect(await users.findLogin('a\0b')).toBeNull();
    });

    it('the user store refuses a second user of one name on insert and on update', async () => {
      const { stores } = open();
      const taken = `u-${randomUUID()}`;
      await insertUser(stores, taken);
      const refused = { reason: 'NAME_TAKEN', field: 'username' };
      await expect(insertUser(stores, taken)).rejects.toMatchObject(refused);
      const other = await insertUser(stores);
      await expect(stores.users.update(other, { username: taken })).rejects.toMatchObject(refused);
    });

    it('the user store shows the API keys that are neither revoked nor expired, oldest first', async () => {
      const { stores } = open();
      const subjectId = await insertUser(stores);
      const [old, young, expired, revoked] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      const key = {
        use: 'api_key',
        subjectId,
        tenantId: null,
        scopes: '',
        issuedAt: NOW,
        expiresAt: LATER,
      } as const;
      await stores.credentials.insert({ ...key, jti: young, issuedAt: new Date(NOW.getTime() + 1) });
      await stores.credentials.insert({ ...key, jti: old });
      await stores.credentials.insert({ ...key, jti: expired, expiresAt: NOW });
      await stores.credentials.insert({ ...key, jti: revoked });
      await stores.credentials.revoke(subjectId, revoked, NOW);
      expect((await stores.users.find(subjectId, NOW))?.apiKeyIds).toEqual([old, young]);
    });

    it('the user store changes the fields that are given and leaves the others', async () => {
      const { stores } = open();
      const id = await insertUser(stores);
      const before = await stores.users.find(id, NOW);
      expect(await stores.users.update(id, { active: false })).toBe(true);
      expect(await stores.users.find(id, NOW)).toEqual({ ...before, active: false, version: 2 });
      expect(await stores.users.update(randomUUID(), { active: false })).toBe(false);
    });

    it('the user store clears the verification of an address that changes, and of no other', async () => {
      const { stores } = open();
      const id = await insertUser(stores);
      const { email } = (await stores.users.find(id, NOW)) as { email: string };
      expect(await stores.users.markVerified(id)).toBe(true);
      await stores.users.update(id, { email, active: true });
      expect((await stores.users.find(id, NOW))?.emailVerified).toBe(true);
      await stores.users.update(id, { email: 'new@example.org' });
      expect((await stores.users.find(id, NOW))?.emailVerified).toBe(false);
      expect(await stores.users.markVerified(randomUUID())).toBe(false);
    });

    it('the user store lists the members of a tenant oldest first', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const suffix = randomUUID();
      const second = await insertUser(stores, `a-${suffix}`);
      const first = await insertUser(stores, `b-${suffix}`, EARLIER);
      const stranger = await insertUser(stores, `c-${suffix}`);
      for (const id of [second, first]) await stores.tenants.addMember(tenantId, id);
      const ids = async (id: string | null) => (await stores.users.list(id, NOW, ALL)).map((user) => user.id);
      expect(await ids(tenantId)).toEqual([first, second]);
      expect(await ids(null)).toEqual(expect.arrayContaining([first, second, stranger]));
    });

    it('the user store removes a user together with the associations', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const id = await insertUser(stores);
      await stores.tenants.addMember(tenantId, id);
      expect(await stores.users.remove(id)).toBe(true);
      expect(await stores.users.remove(id)).toBe(false);
      expect(await stores.tenants.memberIds(tenantId)).toEqual([]);
    });

    it('the user store locks a user by the password there is, and by no other', async () => {
      const { stores, transaction } = open();
      const id = await insertUser(stores);
      await stores.users.update(id, { passwordHash: 'phc' });
      await transaction(async ({ users }) => {
        expect(await users.lock(id, 'share', 'phc')).toBe(true);
        expect(await users.lock(id, 'update', 'other')).toBe(false);
        expect(await users.lock(id, 'update')).toBe(true);
        expect(await users.lock(randomUUID(), 'share')).toBe(false);
      });
    });

    it('the user store undoes what a transaction wrote when its work fails', async () => {
      const { stores, transaction } = open();
      const id = randomUUID();
      const failing = transaction(async ({ users }) => {
        await users.insert({ id, username: id, email: 'a@b', passwordHash: null, createdAt: NOW });
        throw new Error('after the insert');
      });
      await expect(failing).rejects.toThrow('after the insert');
      expect(await stores.users.exists(id)).toBe(false);
    });
  });
}
