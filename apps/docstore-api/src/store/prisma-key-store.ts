import type { PrismaClient } from '../generated/client.ts';
import type { KeyStore } from './key-store.ts';

export function createPrismaKeyStore(prisma: PrismaClient): KeyStore {
  const { apiKey } = prisma;
  return {
    async create(key) {
      await apiKey.create({ data: { ...key, secretHash: bytes(key.secretHash) } });
    },
    findMany: (ids) => apiKey.findMany({ where: { id: { in: [...ids] } } }),
    find: (owner, id) => apiKey.findFirst({ where: { id, owner, revokedAt: null } }),
    list: (owner) =>
      apiKey.findMany({
        where: { owner, revokedAt: null },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      }),
    async replaceSecret(owner, id, secretHash) {
      const where = { id, owner, revokedAt: null };
      return (await apiKey.updateMany({ where, data: { secretHash: bytes(secretHash) } })).count === 1;
    },
    async revoke(owner, id, now) {
      const where = { id, owner, revokedAt: null };
      return (await apiKey.updateMany({ where, data: { revokedAt: now } })).count === 1;
    },
  };
}

/** Prisma wants bytes in a buffer of their own. */
function bytes(value: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(value);
}
