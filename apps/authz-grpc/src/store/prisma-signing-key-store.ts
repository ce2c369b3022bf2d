import type { SigningKeyStore } from './signing-key-store.ts';
import { bytes, type StoreClient } from './prisma-store-client.ts';

/** Prisma cannot lock rows. */
const LOCK_ACCEPTED = 'SELECT 1 FROM signing_keys WHERE kid = $1 AND retired_at IS NULL FOR SHARE';

export function createSigningKeyStore({ prisma: { signingKey }, sql }: StoreClient): SigningKeyStore {
  return {
    list: (now) =>
      signingKey.findMany({
        where: { retiredAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        select: { kid: true, privateKey: true, publicKey: true, signsFrom: true, expiresAt: true },
        orderBy: { signsFrom: 'desc' },
      }),
    async insert({ publicKey, ...key }) {
      await signingKey.create({ data: { ...key, publicKey: bytes(publicKey) } });
    },
    async reseal(kid, privateKey) {
      await signingKey.updateMany({ where: { kid }, data: { privateKey } });
    },
    async begin(kid, signsFrom) {
      await signingKey.updateMany({ where: { kid }, data: { signsFrom } });
    },
    async expire(kid, expiresAt) {
      await signingKey.updateMany({ where: { kid }, data: { expiresAt } });
    },
    async remove(kid) {
      await signingKey.deleteMany({ where: { kid } });
    },
    lockAccepted: async (kid) => (await sql(LOCK_ACCEPTED, kid)).length === 1,
    retire: async (kid, retiredAt) =>
      (await signingKey.updateMany({ where: { kid, retiredAt: null }, data: { retiredAt } })).count === 1,
    async removeExpired(before) {
      await signingKey.deleteMany({ where: { retiredAt: null, expiresAt: { lt: before } } });
    },
  };
}
