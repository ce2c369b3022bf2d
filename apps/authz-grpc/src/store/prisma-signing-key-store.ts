import type { SigningKeyStore } from './signing-key-store.ts';
import { bytes, type StoreClient } from './store-client.ts';

export function createSigningKeyStore({ prisma: { signingKey } }: StoreClient): SigningKeyStore {
  return {
    list: (now) =>
      signingKey.findMany({
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        select: { kid: true, privateKey: true, publicKey: true, signsFrom: true },
        orderBy: { signsFrom: 'desc' },
      }),
    async insert({ publicKey, ...key }) {
      await signingKey.create({ data: { ...key, publicKey: bytes(publicKey) } });
    },
    async expireOthers(kid, expiresAt) {
      await signingKey.updateMany({ where: { kid: { not: kid }, expiresAt: null }, data: { expiresAt } });
    },
    async removeExpired(before) {
      await signingKey.deleteMany({ where: { expiresAt: { lt: before } } });
    },
  };
}
