import type { Sql } from '@platform/database';
import { escapeLike } from '../search/like.ts';
import type {
  DeletedHead,
  Document,
  DocumentChangeEvent,
  DocumentStore,
  DocumentWriter,
  FoundDocument,
  VersionHead,
} from './document-store.ts';
import {
  ASKED,
  askedValues,
  bytesOf,
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
function createReads(sql: Sql, prisma: Prisma): Omit<DocumentStore, keyof DocumentWriter> {
  const { document, documentVersion, ownerUsage, tombstone, versionMark } = prisma;
  /** Prisma's filter for the versions of a document of `owner`. */
  const versionsOf = (owner: string, id: string) => ({ documentId: id, document: { owner } });
  const findVersion = async (owner: string, id: string, version: number) => {
    const row = await documentVersion.findFirst({ where: { ...versionsOf(owner, id), version } });
    return row && { ...versionHead(row), contents: row.contents };
  };
  return {
    findHeads: (refs) => findHeads(sql, refs),

    // SQL: one prepared statement serves all requests that arrive together.
    async findMany(refs, sizeMax) {
      const { rows } = await sql.query<FoundDocument>(
        `SELECT ${HEAD}, d.owner, v.contents FROM ${ASKED}
         LEFT JOIN document_versions v ON v.document_id = d.id AND v.version = d.version AND d.size <= $3`,
        [...askedValues(refs), sizeMax],
        'find-many',
      );
      return rows;
    },

    // SQL: a joined read of up to 4 MiB that every rewrite begins with.
    async find(owner, id) {
      const { text, values, name } = findQuery(owner, id);
      const { rows } = await sql.query<Document>(text, values, name);
      return rows[0] ?? null;
    },

    // SQL: keyset pages over two indexes with search conditions, which Prisma cannot express.
    list: (owner, query) => listDocuments(sql, owner, query),

    async listVersions(owner, id, limit, before) {
      const rows = await documentVersion.findMany({
        where: { ...versionsOf(owner, id), ...(before === null ? {} : { version: { lt: before } }) },
        omit: { contents: true },
        orderBy: { version: 'desc' },
        take: limit,
      });
      return rows.map(versionHead);
    },

    findVersion,

    async findVersionByEtag(owner, id, etag) {
      const row = await documentVersion.findFirst({ where: { ...versionsOf(owner, id), etag } });
      return row && { ...versionHead(row), contents: row.contents };
    },

    async usage(owner) {
      const row = await ownerUsage.findUnique({ where: { owner } });
      return { documents: row?.documents ?? 0, bytes: Number(row?.bytes ?? 0) };
    },

    async findHeadByFilename(owner, filename) {
      const row = await document.findUnique({ where: { owner_filename: { owner, filename } } });
      if (row === null) return null;
      const { id, etag, version, size, sha256, metadata, createdAt, updatedAt } = row;
      const strings = metadata as Record<string, string>;
      return { id, filename, etag, version, size, sha256, metadata: strings, createdAt, updatedAt };
    },

    async sequence(owner) {
      const row = await ownerUsage.findUnique({ where: { owner } });
      return { sequence: Number(row?.revision ?? 0), forgotten: Number(row?.forgottenRevision ?? 0) };
    },

    // SQL: one order over documents and tombstones.
    async listChanges(owner, since, limit, prefixes) {
      const { rows } = await sql.query<DocumentChangeEvent>(CHANGES, [
        owner,
        since,
        limit,
        patternsOf(prefixes),
      ]);
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
      await sql.query(FORGET_DELETED, [before, `${escapeLike(deletedOwner(''))}%`]);
    },

    async forgetMarks(before) {
      await versionMark.deleteMany({ where: { replacedAt: { lt: before } } });
    },

    // SQL: the filename stands in the last version.
    async findDeleted(owner, id, after) {
      const { rows } = await sql.query<DeletedHead>(FIND_DELETED, [deletedOwner(owner), id, after]);
      return rows[0] ?? null;
    },

    async findDeletedFilename(owner, documentId) {
      const where = { owner, documentId, renamedTo: null };
      const last = await tombstone.findFirst({ where, orderBy: { revision: 'desc' } });
      return last?.filename ?? null;
    },

    findDeletedVersion: (owner, id, version) => findVersion(deletedOwner(owner), id, version),

    findQuotaDrift: () => findQuotaDrift(sql),
  };
}

const ERASED_AT_ONCE = 200;
const ERASE_DOCUMENTS = `DELETE FROM documents WHERE id = ANY(
  ARRAY(SELECT id FROM documents WHERE owner = $1 LIMIT $2::int))`;

/** Whether those who follow `$4` see a tombstone: a deletion, or a rename out of what they may see. */
const isGone = (t: string) => `${t}.owner = $1 AND ($4::text[] IS NULL OR ${t}.filename LIKE ANY($4))
  AND (${t}.renamed_to IS NULL OR NOT ${t}.renamed_to LIKE ANY($4))`;

const CHANGES = `
SELECT d.revision AS sequence,
  CASE WHEN d.version = 1 THEN 'created'
    WHEN EXISTS (
      SELECT 1 FROM tombstones t
      WHERE t.owner = $1 AND t.document_id = d.id AND t.version = d.version - 1 AND t.renamed_to IS NULL
    ) THEN 'restored'
    WHEN p.filename <> d.filename OR EXISTS (
      SELECT 1 FROM tombstones t WHERE t.owner = $1 AND t.revision = d.revision
    ) THEN 'renamed' ELSE 'written' END AS type,
  d.id, d.filename, d.version, d.etag, d.updated_at AS at
FROM documents d LEFT JOIN document_versions p ON p.document_id = d.id AND p.version = d.version - 1
WHERE d.owner = $1 AND d.revision > $2::bigint AND ($4::text[] IS NULL OR d.filename LIKE ANY($4))
UNION ALL
SELECT t.revision, 'deleted', t.document_id, t.filename, t.version, NULL, t.deleted_at
FROM tombstones t
WHERE t.revision > $2::bigint AND ${isGone('t')}
  AND NOT EXISTS (
    SELECT 1 FROM documents d
    WHERE d.owner = $1 AND d.id = t.document_id AND ($4::text[] IS NULL OR d.filename LIKE ANY($4))
  )
  AND NOT EXISTS (
    SELECT 1 FROM tombstones l WHERE l.document_id = t.document_id AND l.revision > t.revision AND ${isGone('l')}
  )
ORDER BY 1 LIMIT $3::int`;

const FORGET_TOMBSTONES = `
WITH gone AS (DELETE FROM tombstones WHERE deleted_at < $1::timestamptz RETURNING owner, revision)
UPDATE owner_usage u SET forgotten_revision = GREATEST(u.forgotten_revision, g.revision)
FROM (SELECT owner, max(revision) AS revision FROM gone GROUP BY owner) g WHERE u.owner = g.owner`;

const FIND_DELETED = `
SELECT d.id, v.filename, d.etag, d.version, d.size, d.sha256, d.metadata, d.created_at AS "createdAt",
  v.updated_at AS "updatedAt", d.updated_at AS "deletedAt"
FROM documents d JOIN document_versions v ON v.document_id = d.id AND v.version = d.version
WHERE d.owner = $1 AND d.id = $2 AND d.updated_at > $3::timestamptz`;

const FORGET_DELETED = forgetting(
  'SELECT id FROM documents WHERE owner LIKE $2 AND updated_at < $1::timestamptz',
);

type VersionRow = Awaited<ReturnType<Prisma['documentVersion']['findMany']>>[number];

function versionHead({
  documentId,
  filename,
  etag,
  version,
  size,
  sha256,
  metadata,
  updatedAt,
}: Omit<VersionRow, 'contents'>): VersionHead {
  const strings = metadata as Record<string, string>;
  return { id: documentId, filename, etag, version, size, sha256, metadata: strings, updatedAt };
}

/** A document store on a database that `sql` and `prisma` both reach, the same for Postgres and PGlite. */
export function createSqlDocumentStore(
  sql: Sql,
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
        SELECT owner, count(DISTINCT d.id) AS documents, sum(${bytesOf('v.size', 'v.metadata')}) AS bytes
        FROM documents d JOIN document_versions v ON v.document_id = d.id GROUP BY owner
      ) a USING (owner)
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
      JOIN document_versions v ON v.document_id = d.id AND v.version = d.version
      WHERE d.id = $2 AND d.owner = $1`,
    values: [owner, id],
  };
}
