import type { Database, Sql } from '@platform/database';
import { escapeLike } from '../search/like.ts';
import type {
  DeletedHead,
  Document,
  DocumentChangeEvent,
  UncheckedChange,
  DocumentHead,
  DocumentStore,
  DocumentWriter,
  FoundDocument,
  ListedVersion,
  VersionHead,
} from './document-store.ts';
import {
  ASKED,
  askedValues,
  bytesOf,
  byOwner,
  DELETED_OWNER,
  deletedOwner,
  findHeads,
  forgetting,
  HEAD,
  patternsOf,
  type Query,
} from './sql-document-parts.ts';
import { createSqlDocumentWriter, type SqlDocumentWriterOptions } from './sql-document-writer.ts';
import { listDocuments } from './sql-list-documents.ts';
import type { Prisma } from './prisma.ts';

/**
 * What sessions on Postgres are set to. The planner does not count what it costs to unpack contents, so it
 * would read whole tables of a few thousand documents where an index finds a handful, unless random reads are
 * priced as on an SSD.
 */
export const SESSION_SETTINGS = { random_page_cost: '1.1' };

/**
 * The reads of a document store. What every request or page needs is one prepared SQL statement; the rest
 * goes through Prisma.
 */
function createReads(sql: Database, prisma: Prisma): Omit<DocumentStore, keyof DocumentWriter> {
  const { tombstone, versionMark } = prisma;
  const { isDistributed } = sql;
  // SQL, as are all reads by owner: on distributed tables it names the owner of every part of a join.
  const findVersionWhere = async (condition: string, values: readonly unknown[]) => {
    const text = `SELECT ${VERSION}, v.metadata, v.contents FROM ${VERSIONS} ${condition}`;
    const { rows } = await sql.query<VersionHead & { contents: string }>(text, values);
    return rows[0] ?? null;
  };
  const readUsage = async (owner: string) => {
    const { rows } = await sql.query<{
      documents: number;
      bytes: number;
      revision: number;
      forgotten: number;
    }>(
      `SELECT documents, bytes, revision, forgotten_revision AS forgotten FROM owner_usage
       WHERE owner = $1 /*+ AND home = $1 +*/`,
      [owner],
      'usage',
    );
    return rows[0];
  };
  return {
    findHeads: (refs) => byOwner(refs, isDistributed, (some) => findHeads(sql, some)),

    // SQL: one prepared statement serves all requests that arrive together.
    findMany: (refs, sizeMax) =>
      byOwner(refs, isDistributed, async (some) => {
        const { rows } = await sql.query<FoundDocument>(
          `SELECT ${HEAD}, d.owner, v.contents FROM ${ASKED}
           LEFT JOIN document_versions v ON v.document_id = d.id AND v.version = d.version AND d.size <= $3
             /*+ AND v.home = ($1::text[])[1] +*/`,
          [...askedValues(some), sizeMax],
          'find-many',
        );
        return rows;
      }),

    // SQL: a joined read of up to 4 MiB that every rewrite begins with.
    async find(owner, id) {
      const { text, values, name } = findQuery(owner, id);
      const { rows } = await sql.query<Document>(text, values, name);
      return rows[0] ?? null;
    },

    // SQL: keyset pages over two indexes with search conditions, which Prisma cannot express.
    list: (owner, query) => listDocuments(sql, owner, query),

    async listVersions(owner, id, limit, before) {
      const { rows } = await sql.query<ListedVersion>(
        `SELECT ${VERSION}, v.metadata::text AS "metadataJson" FROM ${VERSIONS} AND ($3::int IS NULL OR v.version < $3)
         ORDER BY v.version DESC LIMIT $4`,
        [owner, id, before, limit],
      );
      return rows;
    },

    findVersion: (owner, id, version) => findVersionWhere('AND v.version = $3', [owner, id, version]),

    findVersionByEtag: (owner, id, etag) => findVersionWhere('AND v.etag = $3', [owner, id, etag]),

    async usage(owner) {
      const row = await readUsage(owner);
      return { documents: row?.documents ?? 0, bytes: row?.bytes ?? 0 };
    },

    async findHeadByFilename(owner, filename) {
      const { rows } = await sql.query<DocumentHead>(
        `SELECT ${HEAD} FROM documents d WHERE d.owner = $1 AND d.filename = $2 /*+ AND d.home = $1 +*/`,
        [owner, filename],
      );
      return rows[0] ?? null;
    },

    async sequence(owner) {
      const row = await readUsage(owner);
      return { sequence: row?.revision ?? 0, forgotten: row?.forgotten ?? 0 };
    },

    // SQL: one order over documents and tombstones.
    async listChanges(owner, since, limit, prefixes) {
      const { rows } = await sql.query<DocumentChangeEvent>(CHANGES, [
        owner,
        since,
        limit,
        patternsOf(prefixes === null ? null : { exact: [], prefixes }),
      ]);
      return rows;
    },

    async listUncheckedChanges(owner, since, limit) {
      const { rows } = await sql.query<UncheckedChange>(UNCHECKED_CHANGES, [owner, since, limit]);
      return rows;
    },

    // In parts: a statement that deletes all of a large owner would hold its locks for long.
    async erase(owner) {
      for (const each of [owner, deletedOwner(owner)]) {
        while ((await sql.query(ERASE_DOCUMENTS, [each, ERASED_AT_ONCE])).rowCount === ERASED_AT_ONCE);
        await sql.query('DELETE FROM tombstones WHERE owner = $1', [each]);
        await sql.query('DELETE FROM owner_usage WHERE owner = $1', [each]);
      }
    },

    // SQL: the mark of what is forgotten must move with the deletion, and so must the counters.
    async forgetDeleted(before) {
      await sql.query(FORGET_TOMBSTONES, [before]);
      const { rows } = await sql.query<{ owner: string }>(DELETED_OWNERS, [
        before,
        `${escapeLike(deletedOwner(''))}%`,
      ]);
      for (const { owner } of rows)
        await sql.query(FORGET_DELETED, [owner.slice(deletedOwner('').length), before]);
    },

    async forgetMarks(before) {
      await versionMark.deleteMany({ where: { replacedAt: { lt: before } } });
    },

    // SQL: the filename stands in the last version.
    async findDeleted(owner, id, after) {
      const { rows } = await sql.query<DeletedHead>(FIND_DELETED, [owner, id, after]);
      return rows[0] ?? null;
    },

    async findDeletedFilename(owner, documentId) {
      const where = { owner, documentId, renamedTo: null };
      const last = await tombstone.findFirst({ where, orderBy: { revision: 'desc' } });
      return last?.filename ?? null;
    },

    async findDeletedVersion(owner, id, version) {
      const { rows } = await sql.query<VersionHead & { contents: string }>(
        `SELECT ${VERSION}, v.metadata, v.contents FROM ${DELETED_VERSIONS} AND v.version = $3`,
        [owner, id, version],
      );
      return rows[0] ?? null;
    },

    findQuotaDrift: () => findQuotaDrift(sql),
  };
}

const ERASED_AT_ONCE = 200;
const ERASE_DOCUMENTS = `DELETE FROM documents WHERE id = ANY(
  ARRAY(SELECT id FROM documents WHERE owner = $1 LIMIT $2::int))`;

/** Whether those who follow `$4` see a tombstone: a deletion, or a rename out of what they may see. */
const isGone = (t: string) => `${t}.owner = $1 AND ($4::text[] IS NULL OR ${t}.filename LIKE ANY($4))
  AND (${t}.renamed_to IS NULL OR NOT ${t}.renamed_to LIKE ANY($4))`;

const CHANGE_OF_DOCUMENT = `d.revision AS sequence,
  CASE WHEN d.version = 1 THEN 'created'
    WHEN EXISTS (
      SELECT 1 FROM tombstones t
      WHERE t.owner = $1 AND t.document_id = d.id AND t.version = d.version - 1 AND t.renamed_to IS NULL
    ) THEN 'restored'
    WHEN p.filename <> d.filename OR EXISTS (
      SELECT 1 FROM tombstones t WHERE t.owner = $1 AND t.revision = d.revision
    ) THEN 'renamed' ELSE 'written' END AS type,
  d.id, d.filename, d.version, d.etag, d.updated_at AS at`;
const CHANGED_DOCUMENTS = `documents d
  LEFT JOIN document_versions p ON p.document_id = d.id AND p.version = d.version - 1 /*+ AND p.home = $1 +*/
WHERE d.owner = $1 /*+ AND d.home = $1 +*/ AND d.revision > $2::bigint`;
const DELETION = `t.revision, 'deleted', t.document_id, t.filename, t.version, NULL, t.deleted_at`;

const CHANGES = `
SELECT ${CHANGE_OF_DOCUMENT} FROM ${CHANGED_DOCUMENTS} AND ($4::text[] IS NULL OR d.filename LIKE ANY($4))
UNION ALL
SELECT ${DELETION} FROM tombstones t
WHERE t.revision > $2::bigint AND ${isGone('t')}
  AND NOT EXISTS (
    SELECT 1 FROM documents d
    WHERE d.owner = $1 /*+ AND d.home = $1 +*/ AND d.id = t.document_id AND ($4::text[] IS NULL OR d.filename LIKE ANY($4))
  )
  AND NOT EXISTS (
    SELECT 1 FROM tombstones l WHERE l.document_id = t.document_id AND l.revision > t.revision AND ${isGone('l')}
  )
ORDER BY 1 LIMIT $3::int`;

// A rename has the sequence number of the tombstone under the old filename.
const UNCHECKED_CHANGES = `
SELECT ${CHANGE_OF_DOCUMENT}, ARRAY[]::text[] AS "laterFilenames" FROM ${CHANGED_DOCUMENTS}
UNION ALL
SELECT ${DELETION}, array_remove(ARRAY[t.renamed_to, d.filename]::text[], NULL)
FROM tombstones t LEFT JOIN documents d ON d.owner = $1 /*+ AND d.home = $1 +*/ AND d.id = t.document_id
WHERE t.owner = $1 AND t.revision > $2::bigint AND NOT EXISTS (
  SELECT 1 FROM tombstones l
  WHERE l.owner = $1 AND l.document_id = t.document_id AND l.filename = t.filename AND l.revision > t.revision
)
ORDER BY 1 FETCH FIRST ($3::int) ROWS WITH TIES`;

const FORGET_TOMBSTONES = `
WITH gone AS (DELETE FROM tombstones WHERE deleted_at < $1::timestamptz RETURNING owner, revision)
UPDATE owner_usage u SET forgotten_revision = GREATEST(u.forgotten_revision, g.revision)
FROM (SELECT owner, max(revision) AS revision FROM gone GROUP BY owner) g WHERE u.owner = g.owner`;

const FIND_DELETED = `
SELECT d.id, v.filename, d.etag, d.version, d.size, d.sha256, d.metadata, d.created_at AS "createdAt",
  v.updated_at AS "updatedAt", d.updated_at AS "deletedAt"
FROM documents d JOIN document_versions v ON v.document_id = d.id AND v.version = d.version /*+ AND v.home = $1 +*/
WHERE d.owner = ${DELETED_OWNER} /*+ AND d.home = $1 +*/ AND d.id = $2 AND d.updated_at > $3::timestamptz`;

const DELETED_OWNERS =
  'SELECT DISTINCT owner FROM documents WHERE owner LIKE $2 AND updated_at < $1::timestamptz';
const FORGET_DELETED = forgetting(
  `SELECT id FROM documents WHERE owner = ${DELETED_OWNER} /*+ AND home = $1 +*/ AND updated_at < $2::timestamptz`,
);

/** The columns of a VersionHead but for its metadata. */
const VERSION = `v.document_id AS id, v.filename, v.etag, v.version, v.size, v.sha256,
  v.updated_at AS "updatedAt"`;
/** The versions of the document `$2` of `owner`. */
const versionsOf = (owner: string) => `document_versions v JOIN documents d ON d.id = v.document_id
  /*+ AND d.home = $1 +*/
WHERE d.owner = ${owner} AND v.document_id = $2 /*+ AND v.home = $1 +*/`;
const VERSIONS = versionsOf('$1');
const DELETED_VERSIONS = versionsOf(DELETED_OWNER);

/** A document store on a database that `sql` and `prisma` both reach, the same for Postgres and PGlite. */
export function createSqlDocumentStore(
  sql: Database,
  prisma: Prisma,
  options: SqlDocumentWriterOptions,
): DocumentStore {
  return { ...createReads(sql, prisma), ...createSqlDocumentWriter(sql, options) };
}

// SQL: compares two aggregates over all owners.
async function findQuotaDrift(sql: Sql): ReturnType<DocumentStore['findQuotaDrift']> {
  const { rows } = await sql.query<{
    owner: string;
    countedDocuments: number;
    countedBytes: number;
    documents: number;
    bytes: number;
  }>(`SELECT owner, COALESCE(u.documents, 0) AS "countedDocuments", COALESCE(u.bytes, 0) AS "countedBytes",
        COALESCE(a.documents, 0)::int AS documents, COALESCE(a.bytes, 0)::int8 AS bytes
      FROM owner_usage u
      FULL JOIN (
        SELECT /*+ d.home, +*/ owner, count(DISTINCT d.id) AS documents,
          sum(${bytesOf('v.size', 'v.metadata')}) AS bytes
        FROM documents d JOIN document_versions v ON v.document_id = d.id /*+ AND v.home = d.home +*/
        GROUP BY /*+ d.home, +*/ owner
      ) a USING (/*+ home, +*/ owner)
      WHERE COALESCE(u.documents, 0) <> COALESCE(a.documents, 0) OR COALESCE(u.bytes, 0) <> COALESCE(a.bytes, 0)
      ORDER BY owner`);
  return rows.map(({ owner, countedDocuments, countedBytes, documents, bytes }) => ({
    owner,
    counted: { documents: countedDocuments, bytes: countedBytes },
    actual: { documents, bytes },
  }));
}

/** The statement of `find`. */
export function findQuery(owner: string, id: string): Query {
  return {
    name: 'find',
    text: `SELECT ${HEAD}, v.contents FROM documents d
      JOIN document_versions v ON v.document_id = d.id AND v.version = d.version /*+ AND v.home = $1 +*/
      WHERE d.id = $2 AND d.owner = $1 /*+ AND d.home = $1 +*/`,
    values: [owner, id],
  };
}
