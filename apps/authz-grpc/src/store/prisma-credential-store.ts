import type { CredentialStore } from './credential-store.ts';
import type { StoreClient } from './store-client.ts';

const ROW = { jti: true, subjectId: true, tenantId: true, issuedAt: true, expiresAt: true } as const;

/** Prisma cannot lock rows. */
const LOCK_LIVE = 'SELECT 1 FROM credentials WHERE jti = $1::uuid AND revoked_at IS NULL FOR SHARE';

export function createCredentialStore({ prisma, sql }: StoreClient): CredentialStore {
  const { credential } = prisma;
  const idsOf = (rows: readonly { jti: string }[]) => rows.map(({ jti }) => jti);
  return {
    async insert({ use, ...row }) {
      await credential.create({ data: { ...row, type: use } });
    },
    list: (subjectId, use, now) =>
      credential.findMany({
        where: { subjectId, type: use, revokedAt: null, expiresAt: { gt: now } },
        select: ROW,
        orderBy: [{ issuedAt: 'asc' }, { jti: 'asc' }],
      }),
    lockLive: async (jti) => (await sql(LOCK_LIVE, jti)).length === 1,
    revoke: async (subjectId, jti, revokedAt) =>
      (await credential.updateMany({ where: { subjectId, jti, revokedAt: null }, data: { revokedAt } }))
        .count === 1,
    async revokeAll(subjectId, revokedAt, { use, except } = {}) {
      const where = {
        subjectId,
        revokedAt: null,
        ...(use === undefined ? {} : { type: use }),
        ...(except === undefined ? {} : { jti: { not: except } }),
      };
      const data = { revokedAt };
      return idsOf(await credential.updateManyAndReturn({ where, data, select: { jti: true } }));
    },
    async revokeOfTenant(tenantId, revokedAt) {
      const where = { tenantId, revokedAt: null };
      const data = { revokedAt };
      return idsOf(await credential.updateManyAndReturn({ where, data, select: { jti: true } }));
    },
    async removeExpired(before) {
      await credential.deleteMany({ where: { expiresAt: { lt: before } } });
    },
  };
}
