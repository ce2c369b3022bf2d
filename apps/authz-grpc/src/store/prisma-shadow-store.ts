import type { ShadowExample } from '../model/shadow.ts';
import type { Policy } from '../policy/types.ts';
import type { StoreClient } from './prisma-store-client.ts';
import type { ShadowStore } from './shadow-store.ts';

/** One statement, so that the number is that of this set; policies as text, as in the store of domains. */
const PUT = `WITH numbered AS (
    UPDATE domains SET shadow_writes = shadow_writes + 1 WHERE id = $1::uuid RETURNING id, shadow_writes
  )
  INSERT INTO shadow_policies (domain_id, version, policies, author_id, written_at, message, digest, policy_count)
  SELECT id, shadow_writes, $2::jsonb, $3::uuid, $4::timestamptz, $5::text, $6::text, $7::int FROM numbered
  ON CONFLICT (domain_id) DO UPDATE SET version = EXCLUDED.version, policies = EXCLUDED.policies,
    author_id = EXCLUDED.author_id, written_at = EXCLUDED.written_at, message = EXCLUDED.message,
    digest = EXCLUDED.digest, policy_count = EXCLUDED.policy_count, compared_version = NULL, agree = 0,
    would_gain = 0, would_lose = 0, not_decided = 0, examples = '[]'
  RETURNING version`;

export function createShadowStore({ prisma, sql }: StoreClient): ShadowStore {
  return {
    async put(domainId, policies, { at, authorId, message, digest }) {
      const text = JSON.stringify(policies);
      const written = [text, authorId, at, message, digest, policies.length];
      const [row] = await sql<{ version: number }>(PUT, domainId, ...written);
      return Number(row?.version);
    },
    async find(domainId) {
      const found = await prisma.shadowPolicies.findUnique({ where: { domainId } });
      if (found === null) return null;
      const { authorId, writtenAt, message, digest } = found;
      return {
        version: Number(found.version),
        policies: found.policies as unknown as Policy[],
        authorId,
        writtenAt,
        message,
        digest,
        comparedVersion: found.comparedVersion === null ? null : Number(found.comparedVersion),
        counts: {
          agree: Number(found.agree),
          wouldGain: Number(found.wouldGain),
          wouldLose: Number(found.wouldLose),
          notDecided: Number(found.notDecided),
        },
        examples: found.examples as unknown as ShadowExample[],
      };
    },
    async remove(domainId, version) {
      return (await prisma.shadowPolicies.deleteMany({ where: { domainId, version } })).count === 1;
    },
  };
}
