import { timeOfChange, type Database, type Sql } from '@platform/database';
import { hashId, hashList } from './hash-id.ts';
import { listSessions } from './sql-list-sessions.ts';
import { foldName } from './session-name.ts';
import { address, bySession, CLAIMS, COUNT_CLAIMS, LATEST, WHERE_REF } from './sql-session-row.ts';
import type { EntityRef, SessionSettings } from '../model/entity.ts';
import {
  columnsOf,
  kindNumber,
  NO_REMOVALS,
  NO_UPSERTS,
  refAt,
  type ItemColumns,
} from '../model/item-columns.ts';
import { createPrisma } from './prisma.ts';
import {
  COMPARED_BYTES_MAX,
  COMPARED_MAX,
  MISSING_NAMED_MAX,
  type ChangedItem,
  type SessionHead,
  type SessionRef,
  type SessionStore,
  type StoredSession,
} from './session-store.ts';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import { inPieces, textOfRows, type PieceRow } from './sql-pieces.ts';
import { moveItems } from './sql-moves.ts';
import { judgementStore } from './sql-judgements.ts';
import { memberStore } from './sql-members.ts';
import { shareStore } from './sql-shares.ts';

/**
 * The session store on SQL and the Prisma client, the same for Postgres and PGlite.
 *
 * INVARIANT (session-lock): whatever changes a session takes the lock of its row first and reads only
 * afterwards, so changes of one session happen one after the other.
 */
export function createSqlSessionStore(database: Database, prisma = createPrisma(database)): SessionStore {
  return {
    // SQL: one statement writes the session and the first of its items, in most cases all of them.
    async create({ ref, ownerId, name, settings, entities, now }) {
      const { nameFolded, namePrefix } = foldName(name);
      const { upserts } = 'upserts' in entities ? entities : columnsOf(entities);
      const [first = NO_UPSERTS, ...more] = upserts;
      const values = [
        ...address(ref),
        ref.sessionId,
        ownerId,
        name,
        nameFolded,
        namePrefix,
        JSON.stringify(settings),
        now,
        first.kinds,
        first.hashes,
        first.bodies,
        hashList(ref.tenantId, ownerId),
      ];
      const insert = async (sql: Sql) =>
        (await sql.query<{ key: number }>(CREATE, values, 'session-create')).rows[0];
      if (more.length === 0) return (await insert(database)) === undefined ? 'taken' : 'created';
      return database.transaction(async (sql) => {
        const made = await insert(sql);
        if (made === undefined) return 'taken';
        const { key } = made;
        await writeItems(sql, { key, tenantId: ref.tenantId, now }, { upserts: more, removals: [] });
        await sql.query(KEEP_CLAIM_COUNT, [key, ref.tenantId], 'session-claims');
        return 'created';
      });
    },

    // SQL: part of every request on a session, so its plan is prepared.
    async readHead(ref) {
      const { rows } = await database.query<SessionHead>(READ_HEAD, address(ref), 'session-head');
      return rows[0] === undefined ? null : toHead(rows[0]);
    },

    // SQL: the database joins the items, thousands of them, and cuts the text.
    async readPayload(ref) {
      const { rows } = await database.query<PieceRow>(READ_PAYLOAD, address(ref), 'session-payload');
      return textOfRows(rows);
    },

    // SQL: the same join, with the head of the same moment.
    async readSession(ref) {
      const { rows } = await database.query<SessionHead & Omit<StoredSession, 'head' | 'payload'> & PieceRow>(
        READ_SESSION,
        address(ref),
        'session-read',
      );
      const [first] = rows.filter(({ n }) => n === 0);
      if (first === undefined) return null;
      const { n: _n, piece: _piece, lastResult, version, ...head } = first;
      return { head: toHead(head), version, payload: (await textOfRows(rows))!, lastResult };
    },

    // SQL: the page is found on an index alone, which Prisma cannot express.
    list: (query) => listSessions(database, query),

    async eraseTenant(tenantId) {
      for (const table of database.isDistributed ? APART : [])
        await database.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
      // In parts: a statement that deletes all of a large tenant would hold its locks for long.
      const part = { where: { tenantId }, limit: ERASED_AT_ONCE };
      while ((await prisma.session.deleteMany(part)).count === ERASED_AT_ONCE);
      await prisma.watchFollow.deleteMany({ where: { tenantId } });
      await prisma.watchDocumentChange.deleteMany({ where: { tenantId } });
    },

    // SQL: compares and writes in one statement for each chunk of items, under the lock of the row.
    async update(ref, { name, settings, items, moves = [], payloadBytesMax, version, now, ...change }) {
      // Before the lock, which others wait for.
      const columns = items ?? columnsOf(change.upserts ?? [], change.removals);
      try {
        return await database.transaction(async (sql) => {
          const locked = await sql.query<LockedRow>(LOCK, address(ref), 'session-lock');
          const session = locked.rows[0];
          if (session === undefined) return 'no_session';
          if (version !== undefined && version !== session.version) return 'conflict';
          const { key } = session;
          const merged = settings === undefined ? null : mergeSettings(session.settings, settings);
          const written = await writeItems(
            sql,
            { key, tenantId: ref.tenantId, now, name, settings: merged },
            columns,
          );
          const { payloadBytes } = written;
          if (payloadBytes > payloadBytesMax && payloadBytes > session.payloadBytes) throw new TooLarge();
          await moveItems(sql, { key, tenantId: ref.tenantId }, moves);
          if (columns.hasClaims) await sql.query(KEEP_CLAIM_COUNT, [key, ref.tenantId], 'session-claims');
          return { outcome: 'updated', ...written };
        });
      } catch (error) {
        if (error instanceof TooLarge) return 'too_large';
        throw error;
      }
    },

    async deleteSession(ref) {
      if (database.isDistributed) return deleteWithPartsApart(database, ref);
      return (await prisma.session.deleteMany({ where: bySession(ref) })).count > 0;
    },

    // SQL: on distributed tables it names the tenant of both.
    async readEntity(ref, { kind, id }) {
      const { rows } = await database.query<PieceRow>(
        READ_ENTITY,
        [...address(ref), ENTITY_KINDS.indexOf(kind), hashId(id)],
        'entity-read',
      );
      if (rows.length === 0) return 'no_session';
      const body = await textOfRows(rows);
      return body === null ? 'no_entity' : { body };
    },

    // SQL: joins the items, and cuts the text.
    async listEntities(ref, kind) {
      const { rows } = await database.query<PieceRow>(
        LIST_ENTITIES,
        [...address(ref), ENTITY_KINDS.indexOf(kind)],
        'entity-list',
      );
      return textOfRows(rows);
    },

    // SQL: the item and the bytes of its session change together, under the lock of the row.
    deleteEntity: (ref, entity, now) =>
      database.transaction(async (sql) => {
        const locked = await sql.query<LockedRow>(LOCK, address(ref), 'session-lock');
        const session = locked.rows[0];
        if (session === undefined) return 'no_session';
        const { rowCount } = await sql.query(
          DELETE_ENTITY,
          [session.key, kindNumber(entity), hashId(entity.id), now, ref.tenantId],
          'entity-delete',
        );
        if (entity.kind === 'claims')
          await sql.query(KEEP_CLAIM_COUNT, [session.key, ref.tenantId], 'session-claims');
        return rowCount > 0 ? 'deleted' : 'no_entity';
      }),

    ...judgementStore(database, prisma),
    ...shareStore(database, prisma),
    ...memberStore(database),
  };
}

/** Sessions of a tenant that one statement erases. */
const ERASED_AT_ONCE = 50;

/**
 * On distributed tables, what is found without its tenant lies apart from the session, where no foreign key
 * leads to it.
 */
const APART = ['shares', 'watch_subscriptions', 'watch_outbox'];

/** Deletes a session on distributed tables; whether there was one. */
function deleteWithPartsApart(database: Database, ref: SessionRef): Promise<boolean> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.query<{ key: number }>(
      `DELETE FROM sessions s WHERE ${WHERE_REF} RETURNING s.key`,
      address(ref),
    );
    const [deleted] = rows;
    if (deleted === undefined) return false;
    for (const table of APART) await sql.query(`DELETE FROM ${table} WHERE session_key = $1`, [deleted.key]);
    return true;
  });
}

/** Ends the transaction of a change that would make the payload too large. */
class TooLarge extends Error {}

interface LockedRow {
  readonly key: number;
  readonly settings: string;
  readonly payloadBytes: number;
  readonly version: string;
}

interface UpdatedRow {
  readonly version: string;
  readonly payloadBytes: number;
  readonly replaced: number;
  readonly removed: number;
  /** Places from 1 of the first removals that named no item; null = none. */
  readonly missing: readonly number[] | null;
  /** Of replaced items that differ from what they were: kinds, and both as JSON; null = none. */
  readonly changedKinds: readonly number[] | null;
  readonly were: readonly string[] | null;
  readonly are: readonly string[] | null;
}

/** What a change writes into the row of a session. */
interface RowChange {
  readonly key: number;
  readonly tenantId: string;
  readonly now: Date;
  readonly name?: string | undefined;
  readonly settings?: string | null;
}

/** Writes a change under the lock of its session: one statement for each chunk. */
async function writeItems(
  sql: Sql,
  { key, tenantId, now, name, settings = null }: RowChange,
  { upserts, removals }: Omit<ItemColumns, 'hasClaims'>,
) {
  const folded = name === undefined ? null : foldName(name);
  const rowValues = [name ?? null, folded?.nameFolded ?? null, folded?.namePrefix ?? null, settings, now];
  let [added, replaced, removed, missingCount] = [0, 0, 0, 0];
  const missing: EntityRef[] = [];
  const changed: ChangedItem[] = [];
  for (let n = 0; ; n++) {
    const [given, gone] = [upserts[n] ?? NO_UPSERTS, removals[n] ?? NO_REMOVALS];
    const { rows } = await sql.query<UpdatedRow>(
      UPDATE,
      [
        key,
        ...(n === 0 ? rowValues : [null, null, null, null, now]),
        given.kinds,
        given.hashes,
        given.bodies,
        gone.kinds,
        gone.hashes,
        tenantId,
      ],
      'session-update',
    );
    const row = rows[0]!;
    added += given.count - row.replaced;
    replaced += row.replaced;
    changed.push(...changedItems(row).slice(0, COMPARED_MAX - changed.length));
    removed += row.removed;
    // An item that the same change adds and removes was there for a moment, so it is not missing.
    if (!gone.isGiven) {
      missingCount += gone.refs.count - row.removed;
      const room = MISSING_NAMED_MAX - missing.length;
      missing.push(...(row.missing ?? []).slice(0, room).map((place) => refAt(gone, place - 1)));
    }
    if (n + 1 >= Math.max(upserts.length, removals.length))
      return {
        version: row.version,
        payloadBytes: row.payloadBytes,
        added,
        replaced,
        removed,
        missing,
        missingCount,
        changed,
      };
  }
}

const changedItems = ({ changedKinds, were, are }: UpdatedRow): ChangedItem[] =>
  (changedKinds ?? []).map((kind, at) => ({ kind: ENTITY_KINDS[kind]!, was: were![at]!, now: are![at]! }));

/** The head of a session from a row whose interpretation is a JSON string. */
function toHead(row: SessionHead): SessionHead {
  const { interpretation } = row;
  return { ...row, interpretation: interpretation === null ? null : (JSON.parse(interpretation) as string) };
}

function mergeSettings(stored: string, change: SessionSettings): string {
  return JSON.stringify({ ...(JSON.parse(stored) as SessionSettings), ...change });
}

const HEAD_COLUMNS = {
  sessionId: 'session_id',
  ownerId: 'owner_id',
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  judgedAt: 'judged_at',
  interpretation: 'interpretation',
  interpretationUpdatedAt: 'interpretation_updated_at',
  revision: 'revision',
  judgedRevision: 'judged_revision',
};
const HEAD = Object.entries(HEAD_COLUMNS)
  .map(([name, column]) => `s.${column} AS "${name}"`)
  .join(', ');

/** The transaction that wrote the row last: every write of a session or its items writes the row. */
const VERSION = `s.xmin::text AS version`;

/** The lists of the payload as text, for the session `s`. */
const LISTS = `(SELECT string_agg(head || COALESCE(items, '') || ']', ',' ORDER BY kind)
  FROM (VALUES ${ENTITY_KINDS.map((kind, number) => `(${number}, '"${kind}":[')`).join(', ')}) AS k (kind, head)
  LEFT JOIN (
    SELECT e.kind, string_agg(e.body, ',' ORDER BY e.position) AS items
    FROM session_entities e WHERE e.session_key = s.key /*+ AND e.tenant_id = $1 +*/ GROUP BY e.kind
  ) i USING (kind))`;

const PAYLOAD = `left(s.settings, -1) || CASE WHEN s.settings = '{}' THEN '' ELSE ',' END || ${LISTS} || '}'`;

/**
 * Bytes of a payload beside its settings and items; a comma is counted for every item. The braces are those
 * of the settings, which a comma follows.
 */
const FRAME_BYTES = JSON.stringify(Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, []]))).length - 1;

const CREATE = `
WITH given AS (
  SELECT * FROM unnest($10::smallint[], $11::uuid[], $12::text[]) WITH ORDINALITY AS g (kind, id_hash, body, n)
), made AS (
  INSERT INTO sessions (tenant_id, session_hash, session_id, owner_id, list_hash, name, name_folded, name_prefix,
    settings, payload_bytes, next_position, created_at, updated_at, claim_count)
  SELECT $1, $2::uuid, $3, $4, $13::uuid, $5, $6, $7, $8::text,
    ${FRAME_BYTES} + octet_length($8::text) + COALESCE(sum(octet_length(body) + 1), 0), count(*), $9, $9,
    count(*) FILTER (WHERE kind = ${CLAIMS}) FROM given
  ON CONFLICT (tenant_id, session_hash) DO NOTHING
  RETURNING key
), entities AS (
  INSERT INTO session_entities (/*+ tenant_id, +*/ session_key, kind, id_hash, position, body)
  SELECT /*+ $1, +*/ made.key, kind, id_hash, n - 1, body FROM made, given
)
SELECT key FROM made`;

const READ_HEAD = `
SELECT ${HEAD}, (
  SELECT j.id FROM judgements j WHERE j.session_key = s.key /*+ AND j.tenant_id = $1 +*/ ${LATEST} LIMIT 1
) AS "lastJudgementId"
FROM sessions s WHERE ${WHERE_REF}`;

const READ_PAYLOAD = inPieces(
  `SELECT convert_to(${PAYLOAD}, 'UTF8') AS text FROM sessions s WHERE ${WHERE_REF}`,
);

const READ_SESSION = inPieces(
  `
SELECT ${HEAD}, ${VERSION}, j.id AS "lastJudgementId", j.result AS "lastResult", convert_to(${PAYLOAD}, 'UTF8') AS text
FROM sessions s
LEFT JOIN LATERAL (
  SELECT j.id, j.result FROM judgements j WHERE j.session_key = s.key /*+ AND j.tenant_id = $1 +*/ ${LATEST} LIMIT 1
) j ON true
WHERE ${WHERE_REF}`,
  [...Object.keys(HEAD_COLUMNS), 'version', 'lastJudgementId', 'lastResult'],
);

const LOCK = `
SELECT s.key, s.settings, s.payload_bytes AS "payloadBytes", ${VERSION} FROM sessions s WHERE ${WHERE_REF} FOR UPDATE`;

/** No item is both given and removed here: the caller has taken the removed ones out. */
const UPDATE = `
WITH given AS (
  SELECT * FROM unnest($7::smallint[], $8::uuid[], $9::text[]) WITH ORDINALITY AS g (kind, id_hash, body, n)
), replaced AS (
  SELECT e.kind, octet_length(e.body) + 1 AS bytes, given.n, e.body AS was, given.body AS now
  FROM given JOIN session_entities e
  ON e.session_key = $1::bigint AND e.kind = given.kind AND e.id_hash = given.id_hash /*+ AND e.tenant_id = $12 +*/
), changed AS (
  SELECT kind, was, now, n FROM replaced
  WHERE was <> now AND GREATEST(octet_length(was), octet_length(now)) <= ${COMPARED_BYTES_MAX}
  ORDER BY n LIMIT ${COMPARED_MAX}
), removed AS (
  DELETE FROM session_entities e USING unnest($10::smallint[], $11::uuid[]) AS r (kind, id_hash)
  WHERE e.session_key = $1::bigint AND e.kind = r.kind AND e.id_hash = r.id_hash
    /*+ AND e.tenant_id = $12 +*/
  RETURNING e.kind, e.id_hash, octet_length(e.body) + 1 AS bytes
), upserted AS (
  INSERT INTO session_entities (/*+ tenant_id, +*/ session_key, kind, id_hash, position, body)
  SELECT /*+ $12, +*/ $1::bigint, kind, id_hash, s.next_position + n - 1, body
  FROM given, sessions s WHERE s.key = $1::bigint AND s.tenant_id = $12
  ON CONFLICT (/*+ tenant_id, +*/ session_key, kind, id_hash) DO UPDATE SET body = EXCLUDED.body
  RETURNING kind, octet_length(body) + 1 AS bytes
)
UPDATE sessions s SET name = COALESCE($2, s.name), name_folded = COALESCE($3, s.name_folded),
  name_prefix = COALESCE($4, s.name_prefix), settings = COALESCE($5::text, s.settings),
  payload_bytes = s.payload_bytes + COALESCE(octet_length($5::text) - octet_length(s.settings), 0)
    + (SELECT COALESCE(sum(bytes), 0) FROM upserted) - (SELECT COALESCE(sum(bytes), 0) FROM replaced)
    - (SELECT COALESCE(sum(bytes), 0) FROM removed),
  next_position = s.next_position + (SELECT count(*) FROM given),
  updated_at = ${timeOfChange('$6::timestamptz', 's.updated_at')},
  revision = s.revision + 1
WHERE s.key = $1::bigint AND s.tenant_id = $12
RETURNING s.payload_bytes AS "payloadBytes", ${VERSION}, (SELECT count(*)::int FROM replaced) AS replaced,
  (SELECT count(*)::int FROM removed) AS removed,
  (SELECT array_agg(kind::int ORDER BY n) FROM changed) AS "changedKinds",
  (SELECT array_agg(was ORDER BY n) FROM changed) AS were, (SELECT array_agg(now ORDER BY n) FROM changed) AS are,
  (SELECT array_agg(n) FROM (
    SELECT r.n::int AS n FROM unnest($10::smallint[], $11::uuid[]) WITH ORDINALITY AS r (kind, id_hash, n)
    WHERE (r.kind, r.id_hash) NOT IN (SELECT kind, id_hash FROM removed) ORDER BY r.n LIMIT ${MISSING_NAMED_MAX}
  ) m) AS missing`;

/**
 * A statement of its own after the items were written: what a statement sees of its own writes differs
 * between one server and several.
 */
const KEEP_CLAIM_COUNT = `
UPDATE sessions s SET claim_count = (${COUNT_CLAIMS} /*+ AND e.tenant_id = $2 +*/)
WHERE s.key = $1::bigint AND s.tenant_id = $2`;

const LIST_ENTITIES = inPieces(`
SELECT convert_to('[' || COALESCE((SELECT string_agg(e.body, ',' ORDER BY e.position) FROM session_entities e
  WHERE e.session_key = s.key /*+ AND e.tenant_id = $1 +*/ AND e.kind = $3), '') || ']', 'UTF8') AS text
FROM sessions s WHERE ${WHERE_REF}`);

const READ_ENTITY = inPieces(`
SELECT convert_to(e.body, 'UTF8') AS text FROM sessions s LEFT JOIN session_entities e
  ON e.session_key = s.key AND e.kind = $3 AND e.id_hash = $4::uuid /*+ AND e.tenant_id = $1 +*/
WHERE ${WHERE_REF}`);

const DELETE_ENTITY = `
WITH removed AS (
  DELETE FROM session_entities WHERE session_key = $1::bigint AND kind = $2 AND id_hash = $3::uuid
    /*+ AND tenant_id = $5 +*/
  RETURNING octet_length(body) + 1 AS bytes
)
UPDATE sessions s SET payload_bytes = s.payload_bytes - removed.bytes,
  updated_at = ${timeOfChange('$4::timestamptz', 's.updated_at')},
  revision = s.revision + 1
FROM removed WHERE s.key = $1::bigint AND s.tenant_id = $5`;
