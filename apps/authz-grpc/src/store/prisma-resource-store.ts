import { objectStart } from '../model/resource.ts';
import type { StoreClient } from './prisma-store-client.ts';
import type { ResourceStore } from './resource-store.ts';

/** One statement for a thousand resources, in one order, so that two writers do not wait for each other. */
const PUT = `INSERT INTO resources (domain_id, path, attributes)
  SELECT d.id, r.path, r.attributes
  FROM domains d CROSS JOIN jsonb_to_recordset($3::jsonb) AS r(path text, attributes jsonb)
  WHERE d.id = $1::uuid AND d.tenant_id = $2::uuid ORDER BY r.path COLLATE "C"
  ON CONFLICT (domain_id, path) DO UPDATE SET attributes = EXCLUDED.attributes RETURNING 1`;

/** Prisma does not know ranges of keys: each one is a walk of its own over the index. */
const LIST = `SELECT r.path, r.attributes FROM unnest($2::text[], $3::text[]) AS i(lowest, behind)
  CROSS JOIN LATERAL (
    SELECT path, attributes FROM resources
    WHERE domain_id = $1::uuid AND path >= i.lowest COLLATE "C" AND path < i.behind COLLATE "C"
    ORDER BY path LIMIT $4::int8) r
  ORDER BY r.path LIMIT $4::int8`;

interface Row {
  readonly path: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
}

/** SQLSTATE of a domain that was deleted meanwhile. */
const DOMAIN_GONE = '23503';

export function createResourceStore({ prisma, sql }: StoreClient): ResourceStore {
  return {
    async put(tenantId, domainId, resources) {
      const { length } = objectStart(domainId);
      const rows = resources.map(({ object, attributes }): Row => ({
        path: object.slice(length),
        attributes: Object.fromEntries(attributes),
      }));
      try {
        return (await sql(PUT, domainId, tenantId, JSON.stringify(rows))).length === resources.length;
      } catch (error) {
        if ((error as { code?: unknown }).code === DOMAIN_GONE) return false;
        throw error;
      }
    },
    async remove(domainId, objects) {
      const { length } = objectStart(domainId);
      const where = { domainId, path: { in: objects.map((object) => object.slice(length)) } };
      return (await prisma.resource.deleteMany({ where })).count;
    },
    async list(domainId, ranges, limit) {
      const start = objectStart(domainId);
      const rows = await sql<Row>(
        LIST,
        domainId,
        ranges.map(({ from }) => from.slice(start.length)),
        ranges.map(({ to }) => to.slice(start.length)),
        limit,
      );
      return rows.map(({ path, attributes }) => ({
        object: start + path,
        attributes: new Map(Object.entries(attributes)),
      }));
    },
    hasAny: async (domainId) =>
      (await prisma.resource.findFirst({ where: { domainId }, select: { path: true } })) !== null,
  };
}
