import { isStorable } from '../text.ts';
import type { Prisma } from '../generated/client.ts';
import type { Policy } from '../policy/types.ts';
import type { DomainRow, DomainStore, DomainWithPolicies, PolicyVersion } from './domain-store.ts';
import { orNameTaken } from './prisma-name-taken.ts';
import { behind, byCreation } from './prisma-slice.ts';
import type { StoreClient } from './prisma-store-client.ts';

const NAME_TAKEN = 'a domain of this name exists in the tenant';

/** Prisma cannot lock rows. */
const LOCK = 'SELECT 1 FROM domains WHERE tenant_id = $1::uuid AND id = $2::uuid FOR UPDATE';
/** As JSON text: a set of policies may be 16 MiB, which Prisma would take apart and put together again. */
const REPLACE_POLICIES = `UPDATE domains SET policies = $2::jsonb, version = version + 1,
    policies_since = version + 1, policies_written_at = $3::timestamptz, policies_author = $4::uuid,
    policies_message = $5::text, policies_digest = $6::text, policies_count = $7::int
  WHERE id = $1::uuid RETURNING version`;

/** Prisma cannot insert what it selects. */
const KEEP_PAST = `INSERT INTO past_policies (domain_id, version, policies, ended_at, since_version,
    author_id, written_at, message, digest, policy_count)
  SELECT id, version, policies, $2::timestamptz, policies_since, policies_author, policies_written_at,
    policies_message, policies_digest, policies_count
  FROM domains WHERE id = $1::uuid RETURNING 1`;
/**
 * Prisma has no union. A set held up to the version under which it is kept, from behind the one of the set
 * before. What is said about its write counts only where it was written with the set: a replica of the
 * release before replaces policies and leaves it as it was.
 */
const SETS = `WITH sets AS (
    SELECT version, policies, ended_at, since_version, author_id, written_at, message, digest, policy_count
      FROM past_policies WHERE domain_id = $1::uuid
    UNION ALL
    SELECT version, policies, NULL, policies_since, policies_author, policies_written_at, policies_message,
      policies_digest, policies_count FROM domains WHERE id = $1::uuid
  ), dated AS (
    SELECT *, COALESCE(lag(version) OVER w + 1, since_version, 1) AS since, lag(ended_at) OVER w AS began
      FROM sets WINDOW w AS (ORDER BY version)
  ), told AS (
    SELECT version AS last, since AS version, policies, ended_at, since_version = since AS is_known, author_id,
      COALESCE(CASE WHEN since_version = since THEN written_at END, began) AS written_at, message, digest,
      policy_count FROM dated
  )`;
const TOLD = `version, ended_at, written_at, CASE WHEN is_known THEN author_id::text END AS author_id,
  CASE WHEN is_known THEN message ELSE '' END AS message, CASE WHEN is_known THEN digest ELSE '' END AS digest,
  CASE WHEN is_known THEN policy_count END AS policy_count`;
/** The first set that ends at the version or later holds it, unless it began later: then its set is gone. */
const AT_VERSION = `${SETS}, first AS (SELECT * FROM told WHERE last >= $2::int8 ORDER BY last LIMIT 1)
  SELECT ${TOLD}, policies FROM first WHERE version <= $2::int8`;
/**
 * Prisma has no window. What a set takes on disk is known without reading it. Of sets from before versions
 * had numbers only those behind one another tell where each began, so they go together.
 */
const MAKE_ROOM = `WITH counted AS (
    SELECT version, since_version, sum(greatest(pg_column_size(policies), $3::int)) OVER (ORDER BY version DESC)
      > $2::int8 AS is_over FROM past_policies WHERE domain_id = $1::uuid
  )
  DELETE FROM past_policies WHERE domain_id = $1::uuid AND version IN (
    SELECT version FROM counted
    WHERE is_over OR (since_version IS NULL AND EXISTS (SELECT 1 FROM counted WHERE is_over)))
  RETURNING 1`;
/** As which a smaller set counts: it bounds how many there are, and so what counting them takes. */
const LEAST_BYTES_OF_SET = 65_536;
const VERSIONS = `${SETS} SELECT ${TOLD} FROM told WHERE $2::int8 IS NULL OR version < $2::int8
  ORDER BY version DESC LIMIT $3::int`;

interface ToldRow {
  readonly version: number;
  readonly ended_at: Date | null;
  readonly written_at: Date | null;
  readonly author_id: string | null;
  readonly message: string;
  readonly digest: string;
  readonly policy_count: number | null;
}

function versionOf(row: ToldRow): PolicyVersion {
  return {
    version: row.version,
    authorId: row.author_id,
    writtenAt: row.written_at,
    message: row.message,
    digest: row.digest,
    policyCount: row.policy_count,
    endedAt: row.ended_at,
  };
}

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
    async insert({ policies, authorId, digest, ...domain }) {
      const data = {
        ...domain,
        policies: policies as unknown as Prisma.InputJsonValue,
        policiesAuthor: authorId ?? null,
        policiesWrittenAt: domain.createdAt,
        policiesDigest: digest ?? '',
        policiesCount: policies.length,
      };
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
    async replacePolicies(id, policies, { at, authorId, message, digest }) {
      await sql(KEEP_PAST, id, at);
      const text = JSON.stringify(policies);
      const written = [at, authorId, message, digest, policies.length];
      const [row] = await sql<{ version: number }>(REPLACE_POLICIES, id, text, ...written);
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
      const [row] = await sql<ToldRow & { policies: Policy[] }>(AT_VERSION, id, version);
      return row === undefined ? null : { ...versionOf(row), policies: row.policies };
    },
    async listVersions(id, { before, limit }) {
      return (await sql<ToldRow>(VERSIONS, id, before, limit)).map(versionOf);
    },
    async makeRoom(id, bytes) {
      await sql(MAKE_ROOM, id, bytes, LEAST_BYTES_OF_SET);
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
