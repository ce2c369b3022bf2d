import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { placeKey } from '../pages.ts';
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

    it('the client grant store lists grants whose credential is live, with their last use, slice by slice', async () => {
      const { stores } = open();
      const userId = await insertUser(stores);
      const tenantId = await insertTenant(stores);
      const add = async (createdAt: Date) => {
        const id = randomUUID();
        const times = { issuedAt: createdAt, expiresAt: DAY };
        const scopes = 'investigations';
        await stores.credentials.insert({
          jti: id,
          use: 'session',
          subjectId: userId,
          tenantId,
          scopes,
          ...times,
        });
        const grant = {
          id,
          clientId: 'a client',
          clientName: 'Assistant',
          redirectUri: 'http://127.0.0.1/callback',
          userId,
          tenantId,
          resource: 'https://api.example/mcp',
          scopes,
          codeChallenge: 'c'.repeat(43),
          createdAt,
          expiresAt: DAY,
        };
        const codeHash = randomBytes(32);
        await stores.clientGrants.insert({ ...grant, codeHash, codeExpiresAt: LATER });
        return { grant, codeHash };
      };
      const [first, second, ended] = [await add(EARLIER), await add(NOW), await add(NOW)];
      await stores.credentials.revoke(userId, ended.grant.id, NOW);
      await stores.clientGrants.takeCode(second.codeHash, NOW);
      const hash = randomBytes(32);
      await stores.clientGrants.insertRefreshToken(hash, second.grant.id);
      const listed = (after: string | null, limit = 10, now = NOW) =>
        stores.clientGrants.listLive(userId, now, { after, limit });
      const unused = { ...first.grant, lastUsedAt: null };
      expect(await listed(null)).toEqual([unused, { ...second.grant, lastUsedAt: NOW }]);
      await stores.clientGrants.takeRefreshToken(hash, LATER);
      expect(await listed(placeKey(first.grant))).toEqual([{ ...second.grant, lastUsedAt: LATER }]);
      expect(await listed(null, 1)).toEqual([unused]);
      expect(await listed(null, 10, DAY)).toEqual([]);
    });

    it('the grants of a user end with the user', async () => {
      const { grant, codeHash, store } = await insertGrant();
      await open().stores.users.remove(grant.userId);
      expect(await store.takeCode(codeHash, NOW)).toBeNull();
    });
  });
}
