import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ClientGrant } from './client-grant-store.ts';
import { EARLIER, insertTenant, insertUser, LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every ClientGrantStore promises. */
export function clientGrantStoreContract(open: OpenStores): void {
  describe('client grant store', () => {
    const DAY = new Date(NOW.getTime() + 86_400_000);
    async function insertGrant(codeExpiresAt = LATER) {
      const { stores } = open();
      const grant: ClientGrant = {
        id: randomUUID(),
        clientId: 'a client',
        clientName: 'Assistant',
        redirectUri: 'http://127.0.0.1/callback',
        userId: await insertUser(stores),
        tenantId: await insertTenant(stores),
        resource: 'https://api.example/mcp',
        scopes: 'investigations',
        codeChallenge: 'c'.repeat(43),
        createdAt: NOW,
        expiresAt: DAY,
      };
      const codeHash = randomBytes(32);
      await stores.clientGrants.insert({ ...grant, codeHash, codeExpiresAt });
      return { grant, codeHash, store: stores.clientGrants };
    }

    it('the client grant store finds a code unspent for exactly one of many concurrent calls', async () => {
      const { grant, codeHash, store } = await insertGrant();
      const taken = await Promise.all(Array.from({ length: 8 }, () => store.takeCode(codeHash, NOW)));
      expect(taken.map((found) => found?.grant)).toEqual(taken.map(() => grant));
      expect(taken.filter((found) => found?.isSpent === false)).toHaveLength(1);
      expect(await store.takeCode(randomBytes(32), NOW)).toBeNull();
    });

    it('the client grant store finds an expired code spent', async () => {
      const { codeHash, store } = await insertGrant(NOW);
      expect(await store.takeCode(codeHash, NOW)).toMatchObject({ isSpent: true });
      expect(await store.takeCode(codeHash, EARLIER)).toMatchObject({ isSpent: false });
    });

    it('the client grant store finds a refresh token unspent once and its grant always', async () => {
      const { grant, store } = await insertGrant();
      const hash = randomBytes(32);
      await store.insertRefreshToken(hash, grant.id);
      const taken = await Promise.all(Array.from({ length: 8 }, () => store.takeRefreshToken(hash, NOW)));
      expect(taken.filter((found) => found?.isSpent === false)).toEqual([{ grant, isSpent: false }]);
      expect(await store.findByRefreshToken(hash)).toEqual(grant);
      expect(await store.find(grant.id)).toEqual(grant);
      expect(await store.find(randomUUID())).toBeNull();
      expect(await store.takeRefreshToken(randomBytes(32), NOW)).toBeNull();
      expect(await store.findByRefreshToken(randomBytes(32))).toBeNull();
    });

    it('the client grant store removes expired grants with their refresh tokens', async () => {
      const { grant, codeHash, store } = await insertGrant();
      const hash = randomBytes(32);
      await store.insertRefreshToken(hash, grant.id);
      await store.removeExpired(DAY);
      expect(await store.findByRefreshToken(hash)).toEqual(grant);
      await store.removeExpired(new Date(DAY.getTime() + 1));
      expect([await store.findByRefreshToken(hash), await store.takeCode(codeHash, NOW)]).toEqual([
        null,
        null,
      ]);
    });

    it('the grants of a user end with the user', async () => {
      const { grant, codeHash, store } = await insertGrant();
      await open().stores.users.remove(grant.userId);
      expect(await store.takeCode(codeHash, NOW)).toBeNull();
    });
  });
}
