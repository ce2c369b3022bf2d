import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EARLIER, insertUser, LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every OAuthStore promises. */
export function oauthStoreContract(open: OpenStores): void {
  describe('OAuth store', () => {
    const state = { tenantId: null, redirectUri: 'https://x.example/back', nonce: 'n' };

    it('the OAuth store finds the user of an identity, which belongs to one user', async () => {
      const { stores } = open();
      const username = `u-${randomUUID()}`;
      const userId = await insertUser(stores, username);
      const subject = randomUUID();
      await stores.oauth.insertIdentity('provider', subject, userId);
      const user = { userId, username, email: `${username}@example.org` };
      expect(await stores.oauth.findUser('provider', subject)).toEqual(user);
      expect(await stores.oauth.findUser('other', subject)).toBeNull();
      const again = stores.oauth.insertIdentity('provider', subject, await insertUser(stores));
      await expect(again).rejects.toMatchObject({ reason: 'NAME_TAKEN', field: 'oauth_subject' });
    });

    it('the OAuth store returns a state to exactly one of many concurrent calls', async () => {
      const { oauth } = open().stores;
      const hash = randomBytes(32);
      await oauth.insertState(hash, state, LATER);
      const taken = await Promise.all(Array.from({ length: 8 }, () => oauth.takeState(hash, NOW)));
      expect(taken.filter((found) => found !== null)).toEqual([state]);
    });

    it('the OAuth store refuses a state that is stored already, and returns none that has expired', async () => {
      const { oauth } = open().stores;
      const hash = randomBytes(32);
      await oauth.insertState(hash, state, NOW);
      const again = oauth.insertState(hash, state, LATER);
      await expect(again).rejects.toMatchObject({ reason: 'NAME_TAKEN', field: 'state' });
      expect(await oauth.takeState(hash, NOW)).toBeNull();
      await oauth.removeExpired(LATER);
      expect(await oauth.takeState(hash, EARLIER)).toBeNull();
    });
  });
}
