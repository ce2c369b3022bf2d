import { readPlace } from '../pages.ts';
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

/** Prisma joins only what a foreign key connects, and a grant outlives the record of its credential. */
const LIVE_IDS = `SELECT g.id FROM client_grants g JOIN credentials c ON c.jti = g.id
  WHERE g.user_id = $1::uuid AND c.revoked_at IS NULL AND c.expires_at > $2::timestamptz
    AND (g.created_at, g.id) > ($3::timestamptz, $4::uuid)
  ORDER BY g.created_at, g.id LIMIT $5::int`;
/** A place before every grant. */
const FIRST = { createdAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

export function createClientGrantStore({
  prisma: { clientGrant, refreshToken },
  sql,
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
    async listLive(userId, now, { after, limit }) {
      const { createdAt, id } = after === null ? FIRST : readPlace(after);
      const live = await sql<{ id: string }>(LIVE_IDS, userId, now, createdAt, id, limit);
      const found = await clientGrant.findMany({
        where: { id: { in: live.map((row) => row.id) } },
        select: {
          ...GRANT,
          codeUsedAt: true,
          refreshTokens: {
            select: { usedAt: true },
            where: { usedAt: { not: null } },
            orderBy: { usedAt: 'desc' },
            take: 1,
          },
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return found.map(({ codeUsedAt, refreshTokens, ...grant }) => ({
        ...grant,
        lastUsedAt: refreshTokens[0]?.usedAt ?? codeUsedAt,
      }));
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
