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
    async replacePolicies(id, policies) {
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
    async remove(id) {
      await prisma.domain.deleteMany({ where: { id } });
    },
  };
}
