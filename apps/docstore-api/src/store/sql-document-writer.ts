import { isUniqueViolation, timeOfChange, type Sql } from '@platform/database';
import { meets } from '../rules/precondition.ts';
import type { Filenames } from '../rules/scopes.ts';
import { fold } from '../rules/text.ts';
import type {
  DocumentChange,
  DocumentHead,
  DocumentWriter,
  NewDocument,
  QuotaLimits,
  WriteOutcome,
  WriteTarget,
} from './document-store.ts';
import {
  bytesOf,
  DELETED_OWNER,
  deletedOwner,
  findHeads,
  forgetting,
  HEAD,
  makingRoom,
  patternsOf,
  type Query,
} from './sql-document-parts.ts';

export interface SqlDocumentWriterOptions {
  /** Versions kept of each document, the current one included, ≥ 1. */
  readonly versionsKept: number;
}

/**
 * The writes of a document store; `sql` may be a transaction. SQL, because each write compares, counts and
 * stores in one statement.
 *
 * INVARIANT (owner-revision): every write of an owner takes the row lock of the owner's counters before it
 * commits and numbers itself from there, so the revisions of one owner are ordered as the writes became
 * visible.
 */
export function createSqlDocumentWriter(sql: Sql, options: SqlDocumentWriterOptions): DocumentWriter {
  const isFilenameTaken = async (owner: string, filename: string | undefined, exceptId: string) => {
    if (filename === undefined) return false;
    const { rows } = await sql.query(
      'SELECT 1 FROM documents WHERE owner = $1 /*+ AND home = $1 +*/ AND filename = $2 AND id <> $3',
      [owner, filename, exceptId],
      'filename-taken',
    );
    return rows.length > 0;
  };

  const writer: DocumentWriter = {
    async create(owner, document, limits) {
      try {
        const { rows } = await sql.query(CREATE, createValues(owner, document, limits), 'create');
        if (rows.length > 0) return { kind: 'written', head: newHead(document) };
      } catch (error) {
        if (isUniqueViolation(error, 'documents_owner_filename_key')) return { kind: 'filename_taken' };
        throw error;
      }
      if (await isFilenameTaken(owner, document.filename, document.id)) return { kind: 'filename_taken' };
      return overQuota(owner, limits);
    },

    async update(owner, change, limits): Promise<WriteOutcome> {
      const { text, values, name } = updateQuery(owner, change, limits, options);
      let found: (DocumentHead & { isWritten: boolean; isSeen: boolean }) | undefined;
      try {
        [found] = (await sql.query<NonNullable<typeof found>>(text, values, name)).rows;
      } catch (error) {
        if (isUniqueViolation(error, 'documents_owner_filename_key')) return { kind: 'filename_taken' };
        throw error;
      }
      if (found === undefined) {
        const refused = await whyRefused(owner, change);
        // Another writer met the condition in between: the statement is made again.
        return refused ?? writer.update(owner, change, limits);
      }
      const { isWritten, isSeen, ...head } = found;
      if (isWritten) return { kind: 'written', head };
      // Made again, over what the writer that it waited for has left.
      if (!isSeen) return writer.update(owner, change, limits);
      if (await isFilenameTaken(owner, change.filename, change.id)) return { kind: 'filename_taken' };
      return { kind: 'quota_exceeded', quota: 'bytes' };
    },

    async remove(owner, target, limits) {
      const { id, condition, names, now } = target;
      const keeper = deletedOwner(owner);
      const values = [owner, id, condition.anyOf, patternsOf(names), condition.noneOf, now, keeper];
      const { rows } = await sql.query<{ documents: number; bytes: number }>(REMOVE, values, 'remove');
      const [kept] = rows;
      if (kept !== undefined) {
        const { documentsMax, bytesMax } = limits;
        if (kept.documents > documentsMax || kept.bytes > bytesMax)
          await sql.query(FORGET_FIRST_DELETED, [owner, documentsMax, bytesMax], 'forget-first-deleted');
        return { kind: 'removed' };
      }
      const refused = await whyRefused(owner, target);
      if (refused !== null) return refused;
      // Another writer met the condition in between: the statement is made again.
      return writer.remove(owner, target, limits);
    },

    async restore(owner, restoration, limits) {
      const { id, condition, names, newEtag, filename, metadata, contents, now } = restoration;
      const values = [
        deletedOwner(owner),
        id,
        condition.anyOf,
        newEtag,
        filename,
        fold(filename),
        contents.size,
        contents.sha256,
        JSON.stringify(metadata),
        limits.bytesMax,
        now,
        limits.documentsMax,
        condition.noneOf,
        contents.contents,
        contents.folded,
        contents.words,
        owner,
        options.versionsKept,
      ];
      if (!isWithin(names, filename)) return { kind: 'forbidden' };
      try {
        const { rows } = await sql.query<DocumentHead>(RESTORE, values, 'restore');
        const [head] = rows;
        if (head !== undefined) return { kind: 'written', head };
      } catch (error) {
        if (isUniqueViolation(error, 'documents_owner_filename_key')) return { kind: 'filename_taken' };
        throw error;
      }
      const [current] = await findHeads(sql, [{ owner, id }]);
      if (current !== undefined) return { kind: 'mismatch', etag: current.etag };
      const { rows } = await sql.query<DocumentHead>(FIND_DELETED_HEAD, [owner, id]);
      const [deleted] = rows;
      if (deleted === undefined) return { kind: 'absent' };
      if (!meets(condition, deleted.etag)) return { kind: 'mismatch', etag: deleted.etag };
      if (await isFilenameTaken(owner, filename, id)) return { kind: 'filename_taken' };
      return overQuota(owner, limits);
    },
  };
  return writer;

  /** The outcome of a document more for which there was no room. */
  async function overQuota(owner: string, { documentsMax }: QuotaLimits): Promise<WriteOutcome> {
    const sought =
      'SELECT 1 FROM owner_usage WHERE owner = $1 /*+ AND home = $1 +*/ AND documents >= $2::int';
    const isFull = (await sql.query(sought, [owner, documentsMax])).rows.length > 0 || documentsMax < 1;
    return { kind: 'quota_exceeded', quota: isFull ? 'documents' : 'bytes' };
  }

  /** Which part of a target the current version does not meet; null = none. */
  async function whyRefused(owner: string, { id, condition, names }: WriteTarget) {
    const [current] = await findHeads(sql, [{ owner, id }]);
    if (current === undefined) return { kind: 'absent' } as const;
    if (!meets(condition, current.etag)) return { kind: 'mismatch', etag: current.etag } as const;
    return isWithin(names, current.filename) ? null : ({ kind: 'forbidden' } as const);
  }
}

const FIND_DELETED_HEAD = `SELECT ${HEAD} FROM documents d
  WHERE d.id = $2 AND d.owner = ${DELETED_OWNER} /*+ AND d.home = $1 +*/`;

const FORGET_FIRST_DELETED = forgetting(`SELECT id FROM (
    SELECT id, row_number() OVER latest AS number, sum(bytes_kept) OVER latest AS bytes FROM documents
    WHERE owner = ${DELETED_OWNER} /*+ AND home = $1 +*/ WINDOW latest AS (ORDER BY updated_at DESC, id)
  ) d WHERE d.number > $2::int OR d.bytes > $3::bigint`);

/**
 * Counts, then writes; no row comes back when the guard refused. The counter's row is locked from there to
 * the end of the transaction, and a violated unique name takes the count back with everything else.
 */
const CREATE = `
WITH counted AS (
  INSERT INTO owner_usage AS u (/*+ home, +*/ owner, documents, bytes, revision)
  SELECT /*+ $1::text, +*/ $1::text, 1, ${bytesOf('$5::int', '$7::jsonb')}, 1
  WHERE $13::int >= 1 AND ${bytesOf('$5::int', '$7::jsonb')} <= $14::bigint
  ON CONFLICT (/*+ home, +*/ owner) DO UPDATE
    SET documents = u.documents + 1, bytes = u.bytes + EXCLUDED.bytes, revision = u.revision + 1
    WHERE u.documents < $13::int AND u.bytes + EXCLUDED.bytes <= $14::bigint
  RETURNING u.revision
), head AS (
  INSERT INTO documents (/*+ home, +*/ id, owner, filename, filename_folded, etag, version, revision, size, sha256,
    metadata, bytes_kept, created_at, updated_at)
  SELECT /*+ $1, +*/ $2, $1, $3, $9, $4, 1, c.revision, $5::int, $6, $7::jsonb, ${bytesOf('$5::int', '$7::jsonb')}, $8, $8
  FROM counted c
  RETURNING revision
), search AS (
  INSERT INTO document_search (/*+ home, +*/ document_id, owner, folded, words)
  SELECT /*+ $1, +*/ $2, $1, $11, $12::text[] FROM head
)
INSERT INTO document_versions (/*+ home, +*/ document_id, version, revision, etag, filename, size, sha256, metadata,
  contents, updated_at)
SELECT /*+ $1, +*/ $2, 1, h.revision, $4, $3, $5::int, $6, $7::jsonb, $10, $8 FROM head h
RETURNING version`;

function createValues(owner: string, document: NewDocument, limits: QuotaLimits): unknown[] {
  const { id, filename, etag, metadata, contents, now } = document;
  return [
    owner,
    id,
    filename,
    etag,
    contents.size,
    contents.sha256,
    JSON.stringify(metadata),
    now,
    fold(filename),
    contents.contents,
    contents.folded,
    contents.words,
    limits.documentsMax,
    limits.bytesMax,
  ];
}

/**
 * The owner's counters as the last writer left them, locked. A statement that waits still sees other rows as
 * they were when it began; counting from those would refuse what fits, or count below zero.
 */
const heldUsage = (source: string) => `held AS (
  SELECT u.documents, u.bytes, u.revision FROM /*-*/${source}, /*+ +*/owner_usage u
  WHERE u.owner = $1 /*+ AND u.home = $1 AND EXISTS (SELECT 1 FROM ${source}) +*/
  FOR NO KEY UPDATE OF u
)`;

const UPDATED_AT = timeOfChange('$11::timestamptz', 'd.updated_at');

/** What a write target must meet, as `meets` and `isWithin` say it. */
const isTarget = (
  anyOf: string,
  noneOf: string,
  patterns: string,
) => `id = $2 AND owner = $1 /*+ AND home = $1 +*/
  AND (${anyOf}::text[] IS NULL OR etag = ANY(${anyOf})) AND etag <> ALL(${noneOf}::text[])
  AND (${patterns}::text[] IS NULL OR filename LIKE ANY(${patterns}))`;

const isWithin = (names: Filenames | null | undefined, filename: string) =>
  names == null ||
  names.exact.includes(filename) ||
  names.prefixes.some((prefix) => filename.startsWith(prefix));

/**
 * Compare and set. `target` locks the row and, having waited for another writer, compares against what that
 * one left behind (READ COMMITTED re-evaluates the condition), so of writers with one ETag all but the first
 * find nothing. It writes nothing when the current version was stored by a writer that it waited for (not
 * `isSeen`): it sees neither its contents nor which versions are left. What is kept does not grow beyond the
 * quota, nor at all where it is over already.
 */
const updateText = (seen: string, search: string, contents: string) => `
WITH target AS (
  SELECT id, filename, version, bytes_kept,
    ${bytesOf('COALESCE($7::int, size)', 'COALESCE($9::jsonb, metadata)')} AS new_bytes
  FROM documents WHERE ${isTarget('$3', '$13', '$12')} FOR UPDATE
), seen AS (
  SELECT ${seen} FROM target t JOIN document_versions v ON v.document_id = t.id AND v.version = t.version
    /*+ AND v.home = $1 +*/
), ${heldUsage('target')}, ${makingRoom(
  'seen',
  'h.bytes + t.new_bytes - GREATEST($10::bigint, h.bytes)',
  '$14::int',
  '$11::timestamptz',
  '$1',
)}, counted AS (
  UPDATE owner_usage u SET bytes = h.bytes + t.new_bytes - f.bytes, revision = h.revision + 1
  FROM target t, held h, room, freed f WHERE u.owner = $1 /*+ AND u.home = $1 +*/
  RETURNING u.revision
), head AS (
  UPDATE documents d SET filename = COALESCE($5, d.filename), filename_folded = COALESCE($6, d.filename_folded),
    etag = $4, version = d.version + 1, revision = c.revision, size = COALESCE($7::int, d.size),
    sha256 = COALESCE($8, d.sha256), metadata = COALESCE($9::jsonb, d.metadata),
    bytes_kept = d.bytes_kept + t.new_bytes - f.bytes, updated_at = ${UPDATED_AT}
  FROM target t, counted c, freed f WHERE d.id = t.id /*+ AND d.home = $1 +*/
  RETURNING ${HEAD}, d.revision
)${search}, version AS (
  INSERT INTO document_versions (/*+ home, +*/ document_id, version, revision, etag, filename, size, sha256, metadata,
    contents, updated_at)
  SELECT /*+ $1, +*/ head.id, head.version, head.revision, head.etag, head.filename, head.size, head.sha256, head.metadata,
    ${contents}, head."updatedAt" FROM head
), departed AS (
  INSERT INTO tombstones (owner, revision, document_id, filename, version, deleted_at, renamed_to)
  SELECT $1, head.revision, head.id, t.filename, t.version, head."updatedAt", head.filename
  FROM head JOIN target t ON t.id = head.id WHERE t.filename <> head.filename
)
SELECT h.id, h.filename, h.etag, h.version, h.size, h.sha256, h.metadata, h."createdAt", h."updatedAt",
  h.id IS NOT NULL AS "isWritten", EXISTS (SELECT FROM seen) AS "isSeen"
FROM target LEFT JOIN head h ON true`;

const UPDATE = {
  name: 'update',
  text: updateText(
    'v.version',
    `, search AS (
  UPDATE document_search s SET folded = $16, words = $17::text[] FROM head WHERE s.document_id = head.id
    /*+ AND s.home = $1 +*/
)`,
    '$15::text',
  ),
};

const UPDATE_HEAD = {
  name: 'update-head',
  text: updateText('v.contents', '', '(SELECT contents FROM seen)'),
};

/** The statement of `update`. */
export function updateQuery(
  owner: string,
  change: DocumentChange,
  limits: QuotaLimits,
  { versionsKept }: SqlDocumentWriterOptions,
): Query {
  const { id, condition, newEtag, filename, metadata, contents, now } = change;
  const values: unknown[] = [
    owner,
    id,
    condition.anyOf,
    newEtag,
    filename ?? null,
    filename === undefined ? null : fold(filename),
    contents?.size ?? null,
    contents?.sha256 ?? null,
    metadata === undefined ? null : JSON.stringify(metadata),
    limits.bytesMax,
    now,
    patternsOf(change.names),
    condition.noneOf,
    versionsKept,
  ];
  if (contents !== undefined) values.push(contents.contents, contents.folded, contents.words);
  return { ...(contents === undefined ? UPDATE_HEAD : UPDATE), values };
}

/**
 * Locks the document, then the counters, and only then removes, as `update` does. Otherwise a writer that
 * holds the counters and wants the filename would wait for a removal that waits for the counters.
 */
const REMOVE = `
WITH target AS (
  SELECT id, filename FROM documents WHERE ${isTarget('$3', '$5', '$4')} FOR UPDATE
), ${heldUsage('target')}, gone AS (
  UPDATE documents d SET owner = $7, filename = d.id, filename_folded = d.id, updated_at = $6::timestamptz
  FROM target t, held h WHERE d.id = t.id /*+ AND d.home = $1 +*/ RETURNING d.id, t.filename, d.version, d.bytes_kept
), search AS (
  DELETE FROM document_search s USING gone WHERE s.document_id = gone.id /*+ AND s.home = $1 +*/
), counted AS (
  UPDATE owner_usage u SET documents = h.documents - 1, bytes = h.bytes - gone.bytes_kept, revision = h.revision + 1
  FROM gone, held h WHERE u.owner = $1 /*+ AND u.home = $1 +*/
  RETURNING u.revision
), tombstone AS (
  INSERT INTO tombstones (owner, revision, document_id, filename, version, deleted_at)
  SELECT $1, c.revision, gone.id, gone.filename, gone.version, $6::timestamptz FROM gone, counted c
)
INSERT INTO owner_usage AS u (/*+ home, +*/ owner, documents, bytes, revision)
SELECT /*+ $1, +*/ $7, 1, gone.bytes_kept, 1 FROM gone
ON CONFLICT (/*+ home, +*/ owner) DO UPDATE SET documents = u.documents + 1, bytes = u.bytes + EXCLUDED.bytes
RETURNING documents, bytes`;

/**
 * As `update` of a document of `deletedOwner`, which it moves back to its owner with those of its versions
 * that there is room for.
 */
const RESTORE = `
WITH target AS (
  SELECT id, version, bytes_kept, ${bytesOf('$7::int', '$9::jsonb')} AS new_bytes
  FROM documents
  WHERE id = $2 AND owner = $1 /*+ AND home = $17 +*/ AND ($3::text[] IS NULL OR etag = ANY($3)) AND etag <> ALL($13::text[]) FOR UPDATE
), held AS (
  SELECT u.documents, u.bytes, u.revision FROM /*-*/target, /*+ +*/owner_usage u
  WHERE u.owner = $17 /*+ AND u.home = $17 AND EXISTS (SELECT 1 FROM target) +*/ AND u.documents < $12::int FOR NO KEY UPDATE OF u
), ${makingRoom(
  'target',
  'h.bytes + t.bytes_kept + t.new_bytes - $10::bigint',
  '$18::int',
  '$11::timestamptz',
  '$17',
)}, counted AS (
  UPDATE owner_usage u SET documents = h.documents + 1, bytes = h.bytes + t.bytes_kept + t.new_bytes - f.bytes,
    revision = h.revision + 1
  FROM target t, held h, room, freed f WHERE u.owner = $17 /*+ AND u.home = $17 +*/
  RETURNING u.revision
), given AS (
  UPDATE owner_usage u SET documents = u.documents - 1, bytes = u.bytes - t.bytes_kept
  FROM target t, counted WHERE u.owner = $1 /*+ AND u.home = $17 +*/
), head AS (
  UPDATE documents d SET owner = $17, filename = $5, filename_folded = $6, etag = $4, version = d.version + 1,
    revision = c.revision, size = $7::int, sha256 = $8, metadata = $9::jsonb,
    bytes_kept = t.bytes_kept + t.new_bytes - f.bytes, updated_at = ${UPDATED_AT}
  FROM target t, counted c, freed f WHERE d.id = t.id /*+ AND d.home = $17 +*/
  RETURNING ${HEAD}, d.revision
), search AS (
  INSERT INTO document_search (/*+ home, +*/ document_id, owner, folded, words)
  SELECT /*+ $17, +*/ id, $17, $15, $16::text[] FROM head
), version AS (
  INSERT INTO document_versions (/*+ home, +*/ document_id, version, revision, etag, filename, size, sha256, metadata,
    contents, updated_at)
  SELECT /*+ $17, +*/ id, version, revision, etag, filename, size, sha256, metadata, $14::text, "updatedAt" FROM head
)
SELECT id, filename, etag, version, size, sha256, metadata, "createdAt", "updatedAt" FROM head`;

function newHead(document: NewDocument): DocumentHead {
  const { id, filename, etag, metadata, contents, now } = document;
  const { size, sha256 } = contents;
  return { id, filename, etag, version: 1, size, sha256, metadata, createdAt: now, updatedAt: now };
}
