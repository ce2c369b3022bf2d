import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every SigningKeyStore promises. */
export function signingKeyStoreContract(open: OpenStores): void {
  describe('signing key store', () => {
    it('lists keys that have not expired, the last one to sign first', async () => {
      const { signingKeys } = open().stores;
      const key = (signsFrom: Date) => ({
        kid: randomUUID(),
        privateKey: 'pem',
        publicKey: new Uint8Array(randomBytes(32)),
        signsFrom,
      });
      const [old, young] = [key(NOW), key(LATER)];
      for (const row of [old, young]) await signingKeys.insert(row);
      expect(await signingKeys.list(NOW)).toEqual([young, old]);
      await signingKeys.expireOthers(young.kid, LATER);
      expect(await signingKeys.list(NOW)).toEqual([young, old]);
      expect(await signingKeys.list(LATER)).toEqual([young]);
      await signingKeys.removeExpired(new Date(LATER.getTime() + 1));
      expect(await signingKeys.list(NOW)).toEqual([young]);
    });
  });
}
