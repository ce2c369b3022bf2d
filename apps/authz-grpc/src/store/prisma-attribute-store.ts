import type { AttributeStore } from './attribute-store.ts';
import type { StoreClient } from './prisma-store-client.ts';

/** Prisma counts no distinct values. */
const COUNT = `SELECT count(DISTINCT key) AS keys, count(*) AS values FROM attributes
  WHERE tenant_id = $1::uuid AND user_id = $2::uuid`;

export function createAttributeStore({ prisma, sql }: StoreClient): AttributeStore {
  const { attribute } = prisma;
  return {
    async add(tenantId, userId, key, values) {
      const data = values.map((value) => ({ tenantId, userId, key, value }));
      await attribute.createMany({ data, skipDuplicates: true });
    },
    async removeValues(tenantId, userId, key, values) {
      const some = values.length === 0 ? {} : { value: { in: [...values] } };
      await attribute.deleteMany({ where: { tenantId, userId, key, ...some } });
    },
    async clear(tenantId, userId) {
      await attribute.deleteMany({ where: { tenantId, userId } });
    },
    async list(tenantId, userId) {
      const rows = await attribute.findMany({
        where: { tenantId, userId },
        select: { key: true, value: true },
        orderBy: [{ key: 'asc' }, { value: 'asc' }],
      });
      const values = new Map<string, string[]>();
      for (const { key, value } of rows) values.set(key, [...(values.get(key) ?? []), value]);
      return values;
    },
    async count(tenantId, userId) {
      const [row] = await sql<{ keys: number; values: number }>(COUNT, tenantId, userId);
      return { keys: Number(row?.keys), values: Number(row?.values) };
    },
  };
}
