import { isStorable } from '../text.ts';
import { orNameTaken } from './prisma-name-taken.ts';
import { behind, byCreation } from './prisma-slice.ts';
import type { StoreClient } from './prisma-store-client.ts';
import type { TenantRow, TenantStore } from './tenant-store.ts';

const NAME_TAKEN = 'a tenant of this name exists';

/** Prisma cannot lock rows. */
const LOCK = 'SELECT 1 FROM tenants WHERE id = $1::uuid FOR UPDATE';
/**
 * Prisma cannot lock rows. The user first, as a deletion of the user does, which takes the association after
 * it.
 */
const LOCK_USER = 'SELECT 1 FROM users WHERE id = $1::uuid FOR KEY SHARE';
export const LOCK_MEMBER =
  'SELECT 1 FROM associations WHERE tenant_id = $1::uuid AND user_id = $2::uuid FOR SHARE';

/** Columns that no row of a tenant shows. */
const HIDDEN = { founderId: true, lease: true } as const;

/** Prisma cannot insert what it selects. */
const KEEP_DELETED = `INSERT INTO deleted_tenants (id, lease, deleted_at)
  SELECT id, lease, $2::timestamptz FROM tenants WHERE id = $1::uuid RETURNING 1`;
/** Prisma has no random UUIDs by row. */
const END_LEASES = 'UPDATE associations SET lease = gen_random_uuid() WHERE user_id = $1::uuid RETURNING 1';

function rowOf({ version, ...row }: Omit<TenantRow, 'version'> & { version: bigint }): TenantRow {
  return { ...row, version: Number(version) };
}

export function createTenantStore({ prisma, sql }: StoreClient): TenantStore {
  return {
    async insert(data) {
      await orNameTaken(prisma.tenant.create({ data }), NAME_TAKEN);
    },
    countOfFounder: (founderId) => prisma.tenant.count({ where: { founderId } }),
    async listActive(memberId, slice) {
      const rows = await prisma.tenant.findMany({
        where: {
          active: true,
          ...(memberId === null ? {} : { associations: { some: { userId: memberId } } }),
          ...behind(slice),
        },
        omit: HIDDEN,
        ...byCreation(slice),
      });
      return rows.map(rowOf);
    },
    async find(id) {
      const row = await prisma.tenant.findFirst({ where: { id }, omit: HIDDEN });
      return row && rowOf(row);
    },
    async findId(name) {
      if (!isStorable(name)) return null;
      return (await prisma.tenant.findFirst({ where: { name }, select: { id: true } }))?.id ?? null;
    },
    async list(ids, slice) {
      const rows = await prisma.tenant.findMany({
        where: { ...(ids === null ? {} : { id: { in: [...ids] } }), ...behind(slice) },
        omit: HIDDEN,
        ...byCreation(slice),
      });
      return rows.map(rowOf);
    },
    async update({ id, name, description, active, subscription }) {
      const data = { name, description, active, subscription, version: { increment: 1 } };
      return (
        (await orNameTaken(prisma.tenant.updateMany({ where: { id }, data }), NAME_TAKEN, 'tenant.name'))
          .count === 1
      );
    },
    async remove(id, now) {
      await sql(KEEP_DELETED, id, now);
      // The cascade takes the domains one by one, and none goes while another one names it as its superior.
      await prisma.domainSuperior.deleteMany({ where: { domain: { tenantId: id } } });
      return (await prisma.tenant.deleteMany({ where: { id } })).count === 1;
    },
    async findDeleted(tenants) {
      const rows = await prisma.deletedTenant.findMany({
        where: { OR: tenants.map(({ id, lease }) => ({ id, lease })) },
      });
      return new Map(rows.map(({ lease, deletedAt }) => [lease, deletedAt]));
    },
    async endLeases(userId) {
      await sql(END_LEASES, userId);
    },
    lock: async (id) => (await sql(LOCK, id)).length === 1,
    addMember: async (tenantId, userId) =>
      (await prisma.association.createMany({ data: { tenantId, userId }, skipDuplicates: true })).count === 1,
    removeMember: async (tenantId, userId) =>
      (await prisma.association.deleteMany({ where: { tenantId, userId } })).count === 1,
    isMember: async (tenantId, userId) =>
      (await prisma.association.count({ where: { tenantId, userId } })) === 1,
    async lockMember(tenantId, userId) {
      await sql(LOCK_USER, userId);
      return (await sql(LOCK_MEMBER, tenantId, userId)).length === 1;
    },
    async memberIds(tenantId) {
      const rows = await prisma.association.findMany({ where: { tenantId }, select: { userId: true } });
      return rows.map(({ userId }) => userId);
    },
  };
}
