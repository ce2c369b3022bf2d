import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every SigningKeyStore promises. */
export function signingKeyStoreContract(open: OpenStores): void {
  describe('signing key store', () => {
    it('the signing key store lists keys that have not expired, the most recent signer first', async () => {
      const { signingKeys } = open().stores;
      const key = (signsFrom: Date) => ({
        kid: randomUUID(),
        privateKey: 'pem',
        publicKey: new Uint8Array(randomBytes(32)),
        signsFrom,
      });
      const [old, young] = [key(NOW), key(LATER)];
      for (const row of [old, young]) await signingKeys.insert(row);
      const listed = async (now: Date) => (await signingKeys.list(now)).map(({ kid }) => kid);
      expect(await signingKeys.list(NOW)).toEqual([
        { ...young, expiresAt: null },
        { ...old, expiresAt: null },
      ]);
      await signingKeys.begin(old.kid, new Date(LATER.getTime() + 1));
      expect(await listed(NOW)).toEqual([old.kid, young.kid]);
      await signingKeys.begin(old.kid, NOW);
      await signingKeys.expire(old.kid, LATER);
      expect(await listed(NOW)).toEqual([young.kid, old.kid]);
      expect(await listed(LATER)).toEqual([young.kid]);
      await signingKeys.removeExpired(new Date(LATER.getTime() + 1));
      expect(await listed(NOW)).toEqual([young.kid]);
    });

    it('the signing key store replaces the stored form of one private key', async () => {
      const { signingKeys } = open().stores;
      const key = (kid: string) => ({ kid, privateKey: 'pem', publicKey: randomBytes(32), signsFrom: NOW });
      const [one, other] = [randomUUID(), randomUUID()];
      for (const kid of [one, other]) await signingKeys.insert(key(kid));
      await signingKeys.reseal(one, 'sealed');
      const stored = new Map((await signingKeys.list(NOW)).map(({ kid, privateKey }) => [kid, privateKey]));
      expect([stored.get(one), stored.get(other)]).toEqual(['sealed', 'pem']);
      for (const kid of [one, other]) await signingKeys.remove(kid);
    });

    it('the signing key store retires a key once, and removes one', async () => {
      const { signingKeys } = open().stores;
      const key = { kid: randomUUID(), privateKey: 'pem', publicKey: randomBytes(32), signsFrom: NOW };
      await signingKeys.insert(key);
      expect(await signingKeys.retire(key.kid, NOW)).toBe(true);
      expect(await signingKeys.retire(key.kid, NOW)).toBe(false);
      expect((await signingKeys.list(NOW)).some(({ kid }) => kid === key.kid)).toBe(false);
      const other = { ...key, kid: randomUUID() };
      await signingKeys.insert(other);
      await signingKeys.remove(other.kid);
      expect((await signingKeys.list(NOW)).some(({ kid }) => kid === other.kid)).toBe(false);
    });
  });
}
