import type { Sql } from '@platform/database';
import type { ShadowCountStore } from './shadow-store.ts';

/**
 * Of several counts of one set, those against its newest version alone hold. Rows are locked in the order of
 * their ids, because replicas add at the same time; the old counts are those of the row as it is locked.
 * Examples that stay as they are cost no write of their own.
 */
const ADD = `WITH added AS (
    SELECT DISTINCT ON (domain_id, version) * FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[],
      $5::int8[], $6::int8[], $7::int8[], $8::text[]) AS a(domain_id, version, compared, agree, would_gain,
      would_lose, not_decided, examples)
    ORDER BY domain_id, version, compared DESC
  ), locked AS (
    SELECT a.* FROM shadow_policies p JOIN added a USING (domain_id, version)
    ORDER BY p.domain_id FOR UPDATE OF p
  )
  UPDATE shadow_policies p SET
    agree = CASE WHEN compared_version = l.compared THEN p.agree ELSE 0 END + l.agree,
    would_gain = CASE WHEN compared_version = l.compared THEN p.would_gain ELSE 0 END + l.would_gain,
    would_lose = CASE WHEN compared_version = l.compared THEN p.would_lose ELSE 0 END + l.would_lose,
    not_decided = CASE WHEN compared_version = l.compared THEN p.not_decided ELSE 0 END + l.not_decided,
    examples = CASE
      WHEN l.examples IS NOT NULL THEN (
        SELECT jsonb_agg(e.one ORDER BY e.one->>'checkId' COLLATE "C") FROM (
          SELECT one, row_number() OVER (PARTITION BY one->>'kind' ORDER BY one->>'checkId' COLLATE "C") AS place
          FROM jsonb_array_elements(
            CASE WHEN compared_version = l.compared THEN p.examples ELSE '[]' END || l.examples::jsonb) AS all_of(one)
        ) e WHERE e.place <= $9::int8)
      WHEN compared_version = l.compared THEN p.examples
      ELSE '[]' END,
    compared_version = l.compared
  FROM locked l
  WHERE p.domain_id = l.domain_id AND p.version = l.version AND COALESCE(p.compared_version, 0) <= l.compared`;

/** Every second each replica adds what it counted, so it is one prepared statement for all sets. */
export function createShadowCounts(sql: Sql): ShadowCountStore {
  return {
    async add(deltas, examplesMax) {
      const columns = [
        deltas.map(({ domainId }) => domainId),
        deltas.map(({ version }) => version),
        deltas.map(({ comparedVersion }) => comparedVersion),
        deltas.map(({ counts }) => counts.agree),
        deltas.map(({ counts }) => counts.wouldGain),
        deltas.map(({ counts }) => counts.wouldLose),
        deltas.map(({ counts }) => counts.notDecided),
        deltas.map(({ examples }) => (examples.length === 0 ? null : JSON.stringify(examples))),
      ];
      await sql.query(ADD, [...columns, examplesMax], 'add-shadow-counts');
    },
  };
}
