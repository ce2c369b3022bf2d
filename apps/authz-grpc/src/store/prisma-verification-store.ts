import { bytes, type StoreClient } from './prisma-store-client.ts';
import type { VerificationStore } from './verification-store.ts';

export function createVerificationStore({ prisma: { verificationToken } }: StoreClient): VerificationStore {
  return {
    async insert({ tokenHash, ...token }) {
      await verificationToken.create({ data: { ...token, tokenHash: bytes(tokenHash) } });
    },
    async take(tokenHash, type, now) {
      // One conditional statement, so that exactly one of several concurrent calls finds the token unused.
      const [taken] = await verificationToken.updateManyAndReturn({
        where: { tokenHash: bytes(tokenHash), type, usedAt: null, expiresAt: { gt: now } },
        data: { usedAt: now },
        select: { userId: true, email: true },
      });
      return taken ?? null;
    },
    async removeUnused(userId, types) {
      const some = types === undefined ? {} : { type: { in: [...types] } };
      await verificationToken.deleteMany({ where: { userId, usedAt: null, ...some } });
    },
    async removeExpired(before) {
      await verificationToken.deleteMany({ where: { expiresAt: { lt: before } } });
    },
  };
}
