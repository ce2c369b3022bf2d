import type { Sql } from '@platform/database';
import { SCAN_SECONDS_MAX } from '../rules/limits.ts';
import type { Filenames } from '../rules/scopes.ts';
import { escapeLike } from '../search/like.ts';
import type { DocumentHead, DocumentRef } from './document-store.ts';

/** The columns of a DocumentHead, of the document `d`. */
export const HEAD = `d.id, d.filename, d.etag, d.version, d.size, d.sha256, d.metadata,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;

/** The documents that `askedValues` name; on distributed tables those of the first owner. */
export const ASKED = `unnest($1::text[], $2::text[]) AS asked (owner, id)
  JOIN documents d ON d.id = asked.id AND d.owner = asked.owner /*+ AND d.home = ($1::text[])[1] +*/`;
/** The values of `ASKED`. */
export const askedValues = (refs: readonly DocumentRef[]) => [
  refs.map(({ owner }) => owner),
  refs.map(({ id }) => id),
];

// SQL: one prepared statement serves all requests that arrive together.
/** The heads of the documents that exist. */
export async function findHeads(
  sql: Sql,
  refs: readonly DocumentRef[],
): Promise<(DocumentHead & DocumentRef)[]> {
  const { rows } = await sql.query<DocumentHead & DocumentRef>(
    `SELECT ${HEAD}, d.owner FROM ${ASKED}`,
    askedValues(refs),
    'find-heads',
  );
  return rows;
}

/**
 * INVARIANT (deleted-owner): what is deleted belongs to this owner until it is restored or forgotten, so no
 * look-up finds it.
 */
export function deletedOwner(owner: string): string {
  return `deleted\n${owner}`;
}

/** Bytes that a version counts for: its contents and its metadata as JSON, of which `{}` is free. */
export const bytesOf = (size: string, metadata: string) =>
  `(${size} + octet_length((${metadata})::text) - 2)::bigint`;

/**
 * Finds by one statement for all, or by one per owner where their documents lie on different nodes.
 */
export async function byOwner<Found>(
  refs: readonly DocumentRef[],
  isDistributed: boolean,
  find: (some: readonly DocumentRef[]) => Promise<Found[]>,
): Promise<Found[]> {
  if (!isDistributed) return find(refs);
  const owners = new Map<string, DocumentRef[]>();
  for (const ref of refs) owners.set(ref.owner, [...(owners.get(ref.owner) ?? []), ref]);
  return (await Promise.all([...owners.values()].map(find))).flat();
}

/**
 * The parts of a write that make room for the new version of `target` (`id`, `version`, `bytes_kept`,
 * `new_bytes`): its oldest versions go until `lacking` bytes are free and at most `kept` versions are left.
 * `room` is empty when all of them together would not do, `freed` says how many bytes went. A scan that began
 * before one of them was replaced goes by the mark that it leaves.
 *
 * `source` must hold the row of the current version: a statement that does not see that one waited for
 * another writer, and does not see which versions are left. `home` is the owner of the document, deleted or
 * not.
 */
export const makingRoom = (
  source: string,
  lacking: string,
  kept: string,
  now: string,
  home: string,
) => `lacking AS (
  SELECT t.id, t.version + 1 - ${kept} AS version, t.bytes_kept, ${lacking} AS bytes
  FROM target t, held h WHERE EXISTS (SELECT FROM ${source})
), room AS (
  SELECT l.id, GREATEST(l.version, CASE WHEN l.bytes > 0 THEN (
    SELECT min(o.version) FROM (
      SELECT v.version, sum(${bytesOf('v.size', 'v.metadata')}) OVER (ORDER BY v.version) AS bytes
      FROM document_versions v WHERE v.document_id = l.id /*+ AND v.home = ${home} +*/
    ) o WHERE o.bytes >= l.bytes
  ) END) AS version
  FROM lacking l WHERE l.bytes <= l.bytes_kept
), pruned AS (
  DELETE FROM document_versions v USING room r WHERE v.document_id = r.id AND v.version <= r.version
    /*+ AND v.home = ${home} +*/
  RETURNING v.document_id, v.version, v.revision, v.filename, v.size, v.updated_at,
    ${bytesOf('v.size', 'v.metadata')} AS bytes
), freed AS (
  SELECT COALESCE(sum(bytes), 0)::bigint AS bytes FROM pruned
), marked AS (
  INSERT INTO version_marks (/*+ home, +*/ document_id, version, revision, filename, size, updated_at, replaced_at)
  SELECT /*+ ${home}, +*/ p.document_id, p.version, p.revision, p.filename, p.size, p.updated_at, COALESCE(n.updated_at, ${now})
  FROM pruned p LEFT JOIN document_versions n ON n.document_id = p.document_id AND n.version = p.version + 1
    /*+ AND n.home = ${home} +*/
  WHERE COALESCE(n.updated_at, ${now}) > ${now} - interval '${SCAN_SECONDS_MAX} seconds'
)`;

/** The patterns of LIKE for these filenames; null = any filename. */
export const patternsOf = (names: Filenames | null | undefined) =>
  names == null
    ? null
    : [...names.exact.map(escapeLike), ...names.prefixes.map((prefix) => `${escapeLike(prefix)}%`)];

/** The owner of what the owner `$1` has deleted, as `deletedOwner` names it. */
export const DELETED_OWNER = `E'deleted\\n' || $1::text`;

/** Deletes the `chosen` documents of `DELETED_OWNER` for good; one that is being restored is left alone. */
export const forgetting = (chosen: string) => `
WITH chosen AS (
  ${chosen}
), locked AS (
  SELECT d.id FROM documents d /*-*/JOIN chosen USING (id)
  /*+ WHERE d.home = $1 AND d.id = ANY(ARRAY(SELECT id FROM chosen)) +*/ FOR UPDATE OF d SKIP LOCKED
), gone AS (
  DELETE FROM documents d USING locked l WHERE d.id = l.id /*+ AND d.home = $1 +*/ RETURNING d.bytes_kept
)
UPDATE owner_usage u SET documents = u.documents - g.documents, bytes = u.bytes - g.bytes
FROM (SELECT count(*)::int AS documents, COALESCE(sum(bytes_kept), 0)::bigint AS bytes FROM gone) g
WHERE u.owner = ${DELETED_OWNER} /*+ AND u.home = $1 +*/`;

/** A named statement with its values. */
export interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}
