import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EARLIER, insertUser, LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every VerificationStore promises. */
export function verificationStoreContract(open: OpenStores): void {
  describe('verification store', () => {
    const make = (userId: string, type = 'password_reset') => ({
      tokenHash: randomBytes(32),
      userId,
      email: 'a@b',
      type,
      expiresAt: LATER,
    });

    it('the verification store returns a token to exactly one of many concurrent calls', async () => {
      const { stores } = open();
      const token = make(await insertUser(stores));
      await stores.verifications.insert(token);
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => stores.verifications.take(token.tokenHash, token.type, NOW)),
      );
      expect(taken.filter((found) => found !== null)).toEqual([{ userId: token.userId, email: 'a@b' }]);
    });

    it('the verification store returns no token of another type and none that has expired', async () => {
      const { stores } = open();
      const token = make(await insertUser(stores));
      await stores.verifications.insert(token);
      expect(await stores.verifications.take(token.tokenHash, 'email_change', NOW)).toBeNull();
      expect(await stores.verifications.take(token.tokenHash, token.type, LATER)).toBeNull();
      expect(await stores.verifications.take(randomBytes(32), token.type, NOW)).toBeNull();
    });

    it('the verification store removes the unused tokens of a user, of some types or of all', async () => {
      const { stores } = open();
      const userId = await insertUser(stores);
      const [reset, change] = [make(userId), make(userId, 'email_change')];
      for (const token of [reset, change]) await stores.verifications.insert(token);
      await stores.verifications.removeUnused(userId, ['password_reset']);
      expect(await stores.verifications.take(reset.tokenHash, reset.type, NOW)).toBeNull();
      await stores.verifications.removeUnused(userId);
      expect(await stores.verifications.take(change.tokenHash, change.type, NOW)).toBeNull();
    });

    it('the verification store removes tokens that expired before a given moment', async () => {
      const { stores } = open();
      const token = { ...make(await insertUser(stores)), expiresAt: NOW };
      await stores.verifications.insert(token);
      await stores.verifications.removeExpired(NOW);
      expect(await stores.verifications.take(token.tokenHash, token.type, EARLIER)).not.toBeNull();
      await stores.verifications.insert({ ...token, tokenHash: randomBytes(32) });
      await stores.verifications.removeExpired(LATER);
    });
  });
}
