import type { StoreClient } from './prisma-store-client.ts';
import type { SubjectStore } from './subject-store.ts';

/** Attributes of the subject `s` within the tenant `$1`. */
const ATTRIBUTES = `COALESCE((
    SELECT jsonb_object_agg(g.key, g.values) FROM (
      SELECT t.key, jsonb_agg(t.value ORDER BY t.value) AS values FROM attributes t
      WHERE t.tenant_id = $1::uuid AND t.user_id = s.id GROUP BY t.key) g), '{}') AS attributes`;

/** Users and service accounts in one order, which are two tables: Prisma has no union. */
const LIST_ACTIVE = `SELECT s.id::text AS id, ${ATTRIBUTES}
  FROM (
    (SELECT u.id FROM associations a JOIN users u ON u.id = a.user_id
     WHERE a.tenant_id = $1::uuid AND u.active AND ($2::uuid IS NULL OR a.user_id > $2::uuid)
     ORDER BY a.user_id LIMIT $3::int8)
    UNION ALL
    (SELECT id FROM service_accounts
     WHERE tenant_id = $1::uuid AND active AND ($2::uuid IS NULL OR id > $2::uuid) ORDER BY id LIMIT $3::int8)
    ORDER BY id LIMIT $3::int8) s
  ORDER BY s.id`;

const FIND_KNOWN = `SELECT s.id::text AS id, s.active, s.is_member AS "isMember", ${ATTRIBUTES}
  FROM (
    SELECT u.id, u.active, a.user_id IS NOT NULL AS is_member FROM users u
    LEFT JOIN associations a ON a.tenant_id = $1::uuid AND a.user_id = u.id WHERE u.id = ANY($2::uuid[])
    UNION ALL
    SELECT id, active, tenant_id = $1::uuid FROM service_accounts WHERE id = ANY($2::uuid[])) s`;

interface Row {
  readonly id: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

function subjectOf<R extends Row>(row: R) {
  return { ...row, attributes: new Map(Object.entries(row.attributes)) };
}

export function createSubjectStore({ sql }: StoreClient): SubjectStore {
  return {
    listActive: async (tenantId, after, limit) =>
      (await sql<Row>(LIST_ACTIVE, tenantId, after, limit)).map(subjectOf),
    findKnown: async (tenantId, ids) =>
      (await sql<Row & { active: boolean; isMember: boolean }>(FIND_KNOWN, tenantId, ids)).map(subjectOf),
  };
}
