import type { Plane } from '../model/quota.ts';
import type { QuotaScope, QuotaStore } from './quota-store.ts';
import type { StoreClient } from './prisma-store-client.ts';

/** One statement, so that the plane begins in the cycle that is current when the row is made. */
const INSERT = `INSERT INTO quotas (owner_id, plane, max_tokens, max_overage, epoch)
  VALUES ($1::uuid, $2, $3::int8, $4::int8, (SELECT epoch FROM quota_epochs WHERE scope = $5))`;

/** One statement, so that the cycle and what was used in it are of one moment. */
const FIND = `SELECT q.owner_id AS "ownerId", q.plane, q.max_tokens AS "maxTokens", q.max_overage AS "maxOverage",
  e.epoch, CASE WHEN q.epoch = e.epoch THEN q.used ELSE 0 END AS used
  FROM quotas q JOIN quota_epochs e ON e.scope = CASE WHEN q.plane = 'user_plane' THEN 'user' ELSE 'tenant' END
  WHERE q.owner_id = ANY($1::uuid[])`;

/** A thousand counters a second go through one statement, which keeps the larger figure within a cycle. */
const SAVE_USAGE = `UPDATE quotas q SET epoch = n.epoch,
  used = CASE WHEN q.epoch = n.epoch THEN GREATEST(q.used, n.used) ELSE n.used END
  FROM unnest($1::uuid[], $2::text[], $3::int8[], $4::int8[]) AS n(owner_id, plane, used, epoch)
  WHERE q.owner_id = n.owner_id AND q.plane = n.plane AND q.epoch <= n.epoch`;

interface StoredQuota {
  readonly ownerId: string;
  readonly plane: Plane;
  readonly maxTokens: number;
  readonly maxOverage: number;
  readonly used: number;
  readonly epoch: number;
}

export function createQuotaStore({ prisma, sql }: StoreClient): QuotaStore {
  const { quota, quotaEpoch } = prisma;
  return {
    async insert(ownerId, plane, { maxTokens, maxOverage }) {
      await sql(INSERT, ownerId, plane, maxTokens, maxOverage, scopeOf(plane));
    },
    async updateLimits(ownerId, plane, { maxTokens, maxOverage }) {
      await quota.updateMany({ where: { ownerId, plane }, data: { maxTokens, maxOverage } });
    },
    async remove(ownerId) {
      await quota.deleteMany({ where: { ownerId } });
    },
    find: (ownerIds) => sql<StoredQuota>(FIND, [...ownerIds]),
    async startCycle(scope, resetAt) {
      await quotaEpoch.updateMany({ where: { scope }, data: { epoch: { increment: 1 }, resetAt } });
    },
    async cycleStart(scope) {
      return (await quotaEpoch.findUniqueOrThrow({ where: { scope }, select: { resetAt: true } })).resetAt;
    },
    async usage({ ownerId, plane }) {
      const found = await quota.findFirst({ where: { ownerId, plane }, select: { used: true, epoch: true } });
      return { used: Number(found?.used ?? 0), epoch: Number(found?.epoch ?? 1) };
    },
    async saveUsage(counters) {
      await sql(
        SAVE_USAGE,
        counters.map(({ ownerId }) => ownerId),
        counters.map(({ plane }) => plane),
        counters.map(({ used }) => used),
        counters.map(({ epoch }) => epoch),
      );
    },
  };
}

function scopeOf(plane: Plane): QuotaScope {
  return plane === 'user_plane' ? 'user' : 'tenant';
}
