import { isStorable } from '../text.ts';
import type { Prisma } from '../generated/client.ts';
import type { Policy } from '../policy/types.ts';
import type { DomainRow, DomainStore, DomainWithPolicies } from './domain-store.ts';
import { orNameTaken } from './prisma-name-taken.ts';
import { behind, byCreation } from './prisma-slice.ts';
import type { StoreClient } from './prisma-store-client.ts';

const NAME_TAKEN = 'a domain of this name exists in the tenant';

/** Prisma cannot lock rows. */
const LOCK = 'SELECT 1 FROM domains WHERE tenant_id = $1::uuid AND id = $2::uuid FOR UPDATE';
/** As JSON text: a set of policies may be 16 MiB, which Prisma would take apart and put together again. */
const REPLACE_POLICIES =
  'UPDATE domains SET policies = $2::jsonb, version = version + 1 WHERE id = $1::uuid RETURNING version';

/** Prisma cannot insert what it selects. */
const KEEP_PAST = `INSERT INTO past_policies (domain_id, version, policies, ended_at)
  SELECT id, version, policies, $2::timestamptz FROM domains WHERE id = $1::uuid RETURNING 1`;
/**
 * Prisma has no union. A set held up to the version under which it is kept, from the one of the set
 * before.
 */
const AT_VERSION = `SELECT policies FROM (
    SELECT version, policies FROM past_policies WHERE domain_id = $1::uuid AND version >= $2::int8
    UNION ALL SELECT version, policies FROM domains WHERE id = $1::uuid AND version >= $2::int8
  ) sets ORDER BY version LIMIT 1`;

const ROW = {
  id: true,
  tenantId: true,
  name: true,
  isRoot: true,
  active: true,
  version: true,
  detached: true,
  createdAt: true,
  superiors: { select: { superiorId: true }, orderBy: { position: 'asc' } },
} as const satisfies Prisma.DomainSelect;

function rowOf({ superiors, version, ...row }: Prisma.DomainGetPayload<{ select: typeof ROW }>): DomainRow {
  return { ...row, version: Number(version), superiorIds: superiors.map(({ superiorId }) => superiorId) };
}

export function createDomainStore({ prisma, sql }: StoreClient): DomainStore {
  async function find(where: Prisma.DomainWhereInput): Promise<DomainWithPolicies | null> {
    const found = await prisma.domain.findFirst({ where, select: { ...ROW, policies: true } });
    if (found === null) return null;
    const { policies, ...row } = found;
    return { ...rowOf(row), policies: policies as unknown as Policy[] };
  }

  return {
    async insert({ policies, ...domain }) {
      const data = { ...domain, policies: policies as unknown as Prisma.InputJsonValue };
      await orNameTaken(prisma.domain.create({ data }), NAME_TAKEN);
    },
    async find(tenantId, selector) {
      if ('name' in selector && !isStorable(selector.name)) return null;
      return find({ tenantId, ...selector });
    },
    exists: async (tenantId, id) => (await prisma.domain.count({ where: { tenantId, id } })) === 1,
    async findLocked(tenantId, id) {
      const isThere = (await sql(LOCK, tenantId, id)).length === 1;
      return isThere ? find({ tenantId, id }) : null;
    },
    async list(tenantId, slice) {
      const where = { tenantId, ...behind(slice) };
      return (await prisma.domain.findMany({ where, select: ROW, ...byCreation(slice) })).map(rowOf);
    },
    async update({ id, name, active, detached }) {
      const data = { name, active, detached, version: { increment: 1 } };
      await orNameTaken(prisma.domain.updateMany({ where: { id }, data }), NAME_TAKEN, 'domain.name');
    },
    async replacePolicies(id, policies, now) {
      await sql(KEEP_PAST, id, now);
      const [row] = await sql<{ version: number }>(REPLACE_POLICIES, id, JSON.stringify(policies));
      return Number(row?.version);
    },
    async replaceSuperiors(domainId, superiorIds) {
      await prisma.domainSuperior.deleteMany({ where: { domainId } });
      const data = superiorIds.map((superiorId, index) => ({ domainId, superiorId, position: index + 1 }));
      await prisma.domainSuperior.createMany({ data });
    },
    hasSubordinates: async (superiorId) =>
      (await prisma.domainSuperior.findFirst({ where: { superiorId }, select: { position: true } })) !== null,
    async policiesAt(id, version) {
      const [row] = await sql<{ policies: Policy[] }>(AT_VERSION, id, version);
      return row?.policies ?? null;
    },
    async removePast(before) {
      await prisma.pastPolicies.deleteMany({ where: { endedAt: { lt: before } } });
    },
    async remove(id, now) {
      await sql(KEEP_PAST, id, now);
      await prisma.domain.deleteMany({ where: { id } });
    },
  };
}
