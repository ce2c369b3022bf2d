import type { ClientGrantStore } from './client-grant-store.ts';
import { bytes, type StoreClient } from './prisma-store-client.ts';

const GRANT = {
  id: true,
  clientId: true,
  clientName: true,
  redirectUri: true,
  userId: true,
  tenantId: true,
  resource: true,
  scopes: true,
  codeChallenge: true,
  createdAt: true,
  expiresAt: true,
} as const;

export function createClientGrantStore({
  prisma: { clientGrant, refreshToken },
}: StoreClient): ClientGrantStore {
  return {
    async insert({ codeHash, ...grant }) {
      await clientGrant.create({ data: { ...grant, codeHash: bytes(codeHash) } });
    },
    async takeCode(hash, now) {
      const codeHash = bytes(hash);
      // One conditional statement, so that exactly one of several concurrent calls finds the code unused.
      const [taken] = await clientGrant.updateManyAndReturn({
        where: { codeHash, codeUsedAt: null, codeExpiresAt: { gt: now } },
        data: { codeUsedAt: now },
        select: GRANT,
      });
      if (taken !== undefined) return { grant: taken, isSpent: false };
      const grant = await clientGrant.findUnique({ where: { codeHash }, select: GRANT });
      return grant && { grant, isSpent: true };
    },
    async insertRefreshToken(tokenHash, grantId) {
      await refreshToken.create({ data: { tokenHash: bytes(tokenHash), grantId } });
    },
    async takeRefreshToken(hash, usedAt) {
      const tokenHash = bytes(hash);
      const { count } = await refreshToken.updateMany({
        where: { tokenHash, usedAt: null },
        data: { usedAt },
      });
      const found = await refreshToken.findUnique({
        where: { tokenHash },
        select: { grant: { select: GRANT } },
      });
      return found && { grant: found.grant, isSpent: count === 0 };
    },
    find: (id) => clientGrant.findUnique({ where: { id }, select: GRANT }),
    async findByRefreshToken(hash) {
      const found = await refreshToken.findUnique({
        where: { tokenHash: bytes(hash) },
        select: { grant: { select: GRANT } },
      });
      return found?.grant ?? null;
    },
    async removeExpired(before) {
      await clientGrant.deleteMany({ where: { expiresAt: { lt: before } } });
    },
  };
}
