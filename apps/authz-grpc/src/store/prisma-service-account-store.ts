import { AuthzError } from '@platform/error-contracts';
import { readPlace } from '../pages.ts';
import { orNameTaken } from './prisma-name-taken.ts';
import type { ServiceAccountRow, ServiceAccountStore } from './service-account-store.ts';
import type { StoreClient } from './prisma-store-client.ts';

const NAME_TAKEN = 'a service account of this name exists';

/** One statement joins the newest key, for which the schema has no relation: subjects are of two tables. */
const SELECT = `SELECT s.id, s.tenant_id AS "tenantId", s.name, s.description, s.active, s.created_at AS "createdAt",
  s.scopes, s.version,
  COALESCE(c.jti::text, '') AS "apiKeyId", c.expires_at AS "apiKeyExpiresAt",
  COALESCE(c.revoked_at IS NOT NULL OR c.expires_at <= $1::timestamptz, true) AS "apiKeyEnded"
  FROM service_accounts s LEFT JOIN LATERAL (SELECT * FROM credentials k WHERE k.subject_id = s.id
    AND k.type = 'service_account' ORDER BY k.issued_at DESC LIMIT 1) c ON true`;

/** Prisma cannot lock rows. */
const LOCK = 'SELECT 1 FROM service_accounts WHERE id = $1::uuid FOR UPDATE';

export function createServiceAccountStore(
  { prisma, sql }: StoreClient,
  newId: () => string,
): ServiceAccountStore {
  return {
    async insert(data) {
      const { tenantId, name } = data;
      if (tenantId === null && (await prisma.serviceAccount.count({ where: { tenantId, name } })) > 0) {
        throw new AuthzError('NAME_TAKEN', NAME_TAKEN, { field: 'name' });
      }
      await orNameTaken(prisma.serviceAccount.create({ data }), NAME_TAKEN);
    },
    async find(id, now) {
      const [row] = await sql<ServiceAccountRow>(`${SELECT} WHERE s.id = $2::uuid`, now, id);
      return row ?? null;
    },
    async list(tenantId, activeOnly, now, { after, limit }) {
      const place = after === null ? null : readPlace(after);
      return sql<ServiceAccountRow>(
        `${SELECT} WHERE s.tenant_id IS NOT DISTINCT FROM $2::uuid AND (s.active OR NOT $3::bool)
           AND ($4::timestamptz IS NULL OR (s.created_at, s.id) > ($4::timestamptz, $5::uuid))
         ORDER BY s.created_at, s.id LIMIT $6::int8`,
        now,
        tenantId,
        activeOnly,
        place?.createdAt ?? null,
        place?.id ?? null,
        limit,
      );
    },
    count: (tenantId, activeOnly) =>
      prisma.serviceAccount.count({ where: { tenantId, ...(activeOnly ? { active: true } : {}) } }),
    async ids(tenantId) {
      const rows = await prisma.serviceAccount.findMany({ where: { tenantId }, select: { id: true } });
      return rows.map(({ id }) => id);
    },
    async update(id, { description, active }) {
      const data = {
        ...(description === undefined ? {} : { description }),
        ...(active === undefined ? {} : { active }),
        ...(active === false ? { lease: newId() } : {}),
        version: { increment: 1 },
      };
      return (await prisma.serviceAccount.updateMany({ where: { id }, data })).count === 1;
    },
    lock: async (id) => (await sql(LOCK, id)).length === 1,
    remove: async (id) => (await prisma.serviceAccount.deleteMany({ where: { id } })).count === 1,
  };
}
