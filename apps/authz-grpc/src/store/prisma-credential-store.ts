import { readPlace } from '../pages.ts';
import type { CredentialStore } from './credential-store.ts';
import type { StoreClient } from './prisma-store-client.ts';
import { LOCK_MEMBER } from './prisma-tenant-store.ts';

const ROW = {
  jti: true,
  subjectId: true,
  tenantId: true,
  issuedAt: true,
  expiresAt: true,
  scopes: true,
} as const;

/** Prisma cannot lock rows. */
const LOCK_LIVE = 'SELECT 1 FROM credentials WHERE jti = $1::uuid AND revoked_at IS NULL FOR SHARE';

/** Prisma cannot lock rows. The system root belongs to every tenant. */
const LOCK_USER = 'SELECT is_root FROM users WHERE id = $1::uuid AND active FOR SHARE';
const LOCK_ACCOUNT = 'SELECT 1 FROM service_accounts WHERE id = $1::uuid AND active FOR SHARE';
const LOCK_TENANT = 'SELECT 1 FROM tenants WHERE id = $1::uuid AND active FOR SHARE';

export function createCredentialStore({ prisma, sql }: StoreClient): CredentialStore {
  const { credential } = prisma;
  const idsOf = (rows: readonly { jti: string }[]) => rows.map(({ jti }) => jti);
  return {
    async insert({ use, ...row }) {
      await credential.create({ data: { ...row, type: use } });
    },
    list(subjectId, use, now, slice) {
      const after = slice?.after == null ? null : readPlace(slice.after);
      const { createdAt: issuedAt, id: jti } = after ?? {};
      const rest = after && { OR: [{ issuedAt: { gt: issuedAt } }, { issuedAt, jti: { gt: jti } }] };
      return credential.findMany({
        where: { subjectId, type: use, revokedAt: null, expiresAt: { gt: now }, ...rest },
        select: ROW,
        orderBy: [{ issuedAt: 'asc' }, { jti: 'asc' }],
        ...(slice === undefined ? {} : { take: slice.limit }),
      });
    },
    lockLive: async (jti) => (await sql(LOCK_LIVE, jti)).length === 1,
    async lockGrounds({ subjectId, tenantId, parentId }) {
      const users = await sql<{ is_root: boolean }>(LOCK_USER, subjectId);
      if (users.length === 0 && (await sql(LOCK_ACCOUNT, subjectId)).length === 0) return false;
      if (parentId !== null && (await sql(LOCK_LIVE, parentId)).length === 0) return false;
      if (tenantId === null) return true;
      if ((await sql(LOCK_TENANT, tenantId)).length === 0) return false;
      const [user] = users;
      // A service account belongs to its tenant for good, and the root to all.
      if (user === undefined || user.is_root) return true;
      return (await sql(LOCK_MEMBER, tenantId, subjectId)).length === 1;
    },
    async lastExpiry(from, to) {
      const { _max } = await credential.aggregate({
        where: { issuedAt: { gte: from, lte: to } },
        _max: { expiresAt: true },
      });
      return _max.expiresAt;
    },
    async revoke(subjectId, jti, revokedAt) {
      const data = { revokedAt };
      const { count } = await credential.updateMany({ where: { subjectId, jti, revokedAt: null }, data });
      if (count === 0) return [];
      // A second statement: it sees what was derived until the first one had the row.
      const derived = { parentId: jti, revokedAt: null };
      return [
        jti,
        ...idsOf(await credential.updateManyAndReturn({ where: derived, data, select: { jti: true } })),
      ];
    },
    async revokeAll(subjectId, revokedAt, { use, tenantId, except } = {}) {
      const where = {
        subjectId,
        revokedAt: null,
        ...(use === undefined ? {} : { type: use }),
        ...(tenantId === undefined ? {} : { tenantId }),
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
