import type { Sql } from '@platform/database';
import { escapeLike } from '../search/like.ts';
import type { DocumentHead, DocumentRef } from './document-store.ts';

/** The columns of a DocumentHead, of the document `d`. */
export const HEAD = `d.id, d.filename, d.etag, d.version, d.size, d.sha256, d.metadata,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;

/** The documents that `askedValues` name. */
export const ASKED = `unnest($1::text[], $2::text[]) AS asked (owner, id)
  JOIN documents d ON d.id = asked.id AND d.owner = asked.owner`;
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

/** The patterns of LIKE for filenames with these prefixes; null = any filename. */
export const patternsOf = (prefixes: readonly string[] | null | undefined) =>
  prefixes?.map((prefix) => `${escapeLike(prefix)}%`) ?? null;

/** Deletes the documents of `locked` for good; one that is being restored is left alone. */
export const forgetting = (chosen: string) => `
WITH chosen AS (
  ${chosen}
), locked AS (
  SELECT d.id FROM documents d JOIN chosen USING (id) FOR UPDATE OF d SKIP LOCKED
), gone AS (
  DELETE FROM documents d USING locked l WHERE d.id = l.id RETURNING d.owner, d.bytes_kept
)
UPDATE owner_usage u SET documents = u.documents - g.documents, bytes = u.bytes - g.bytes
FROM (SELECT owner, count(*)::int AS documents, sum(bytes_kept)::bigint AS bytes FROM gone GROUP BY owner) g
WHERE u.owner = g.owner`;

/** A named statement with its values. */
export interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}
