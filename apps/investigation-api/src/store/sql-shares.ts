import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import { timeOfChange, type Database } from '@platform/database';
import { hashList } from './hash-id.ts';
import type { Prisma } from './prisma.ts';
import { address, bySession, isUuid, WHERE_REF } from './sql-session-row.ts';
import {
  SHARE_ENTRIES_MAX,
  type OwnShare,
  type PublicShare,
  type SessionStore,
  type Share,
  type VersionedShare,
} from './session-store.ts';

/** Stores the published snapshots of sessions. */
export function shareStore(
  database: Database,
  prisma: Prisma,
): Pick<
  SessionStore,
  | 'readShare'
  | 'putShare'
  | 'listShares'
  | 'readPublicShare'
  | 'readPublicSnapshot'
  | 'readFeedState'
  | 'listShareEntries'
> {
  /** On distributed tables, the tenant of a share, which lies apart from its session. */
  async function tenantOf(shareUuid: string): Promise<string | null> {
    const { rows } = await database.query<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM shares WHERE share_uuid = $1::uuid',
      [shareUuid],
    );
    return rows[0]?.tenantId ?? '';
  }

  return {
    // SQL: the version is the system column `xmin`.
    async readShare(ref) {
      const { rows } = await database.query<VersionedShare | { shareUuid: null }>(
        `SELECT ${SHARE}, ${SERVED}, h.xmin::text AS version, ${JUDGED_SINCE} AS "isJudgedSince"
         FROM sessions s LEFT JOIN shares h ON h.session_key = s.key ${LEASE} WHERE ${WHERE_REF}`,
        address(ref),
        'share-read',
      );
      if (rows[0] === undefined) return 'no_session';
      return rows[0].shareUuid === null ? 'no_share' : rows[0];
    },

    // SQL: compares the version and writes under the lock of the session's row.
    async putShare(ref, change) {
      const {
        slug,
        preferredPane,
        isPublic,
        snapshot = null,
        feed = null,
        version,
        now,
        newShareUuid,
        lease,
        presentation = null,
        judgedRevision = null,
      } = change;
      const { rows } = await database.query<Share | { shareUuid: null }>(
        PUT,
        [
          ...address(ref),
          newShareUuid,
          slug,
          preferredPane,
          isPublic,
          snapshot,
          now,
          version,
          lease ?? null,
          presentation,
          feed?.state ?? null,
          feed?.entry?.id ?? null,
          feed?.entry?.changes ?? null,
          judgedRevision,
          lease !== undefined,
        ],
        'share-put',
      );
      if (rows[0] === undefined) return 'no_session';
      return rows[0].shareUuid === null ? 'conflict' : rows[0];
    },

    // SQL: the columns of the other two reads of a share.
    async listShares(tenantId, ownerId) {
      const { rows } = await database.query<OwnShare>(
        `SELECT ${SHARE}, ${SERVED} FROM shares h JOIN sessions s ON s.key = h.session_key AND s.tenant_id = $2 ${LEASE}
         WHERE h.list_hash = $1::uuid ORDER BY h.updated_at DESC, h.share_uuid`,
        [hashList(tenantId, ownerId), tenantId],
        'share-list',
      );
      return rows;
    },

    // SQL: which lease decides depends on the share's own.
    async readPublicShare(shareUuid) {
      if (!isUuid(shareUuid)) return null;
      // The session lies on the node of its tenant.
      const tenantId = database.isDistributed ? await tenantOf(shareUuid) : null;
      const { rows } = await database.query<PublicShare>(
        `SELECT h.slug, h.preferred_pane AS "preferredPane", h.presentation,
           ${JUDGED_SINCE} AS "isJudgedSince",
           h.snapshot_taken_at AS "snapshotTakenAt", h.updated_at AS "updatedAt", s.tenant_id AS "tenantId",
           ${SERVED}
         FROM shares h JOIN sessions s ON s.key = h.session_key AND ($2::text IS NULL OR s.tenant_id = $2) ${LEASE}
         WHERE h.share_uuid = $1::uuid AND h.is_public AND h.snapshot IS NOT NULL`,
        [shareUuid, tenantId],
        'share-public',
      );
      return rows[0] ?? null;
    },

    async readPublicSnapshot(shareUuid, takenAt) {
      const found = await prisma.share.findFirst({
        where: { shareUuid, isPublic: true, snapshotTakenAt: takenAt },
        select: { snapshot: true },
      });
      return found?.snapshot ?? null;
    },

    async readFeedState(ref) {
      const found = await prisma.share.findFirst({
        where: { session: bySession(ref) },
        select: { feedState: true },
      });
      return found?.feedState ?? null;
    },

    listShareEntries: (shareUuid) =>
      prisma.shareEntry.findMany({
        where: { shareUuid },
        select: { id: true, at: true, changes: true },
        orderBy: { sequence: 'desc' },
        take: SHARE_ENTRIES_MAX,
      }),
  };
}

/** Whether there is a later judgement than the shown one; time tells it of snapshots of earlier versions. */
const JUDGED_SINCE = `COALESCE(CASE WHEN h.judged_revision IS NULL THEN s.judged_at > h.snapshot_taken_at
  ELSE s.judged_revision > h.judged_revision END, false)`;

const SHARE = `h.share_uuid AS "shareUuid", s.session_id AS "sessionId", s.name AS "sessionName", h.slug,
  h.preferred_pane AS "preferredPane", h.is_public AS "isPublic", h.presentation, h.snapshot_taken_at AS "snapshotTakenAt",
  h.updated_at AS "updatedAt",
  CASE WHEN h.snapshot_taken_at IS NOT NULL AND NOT ${JUDGED_SINCE} THEN s.judged_at END AS "judgedAt"`;

/** The lease that decides whether a share is shown, its tenant's where it has none, and its last state. */
const SERVED = `COALESCE(h.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"`;
const LEASE = `LEFT JOIN leases l ON l.owner = s.tenant_id
  AND CASE WHEN h.lease IS NULL THEN l.of_tenant ELSE l.lease = h.lease END`;

/** On distributed tables the parts run one after another, so the last one counts the new entry. */
const PUT = `
WITH s AS (
  SELECT s.key, s.session_id, s.name, s.list_hash, s.judged_at, s.judged_revision FROM sessions s WHERE ${WHERE_REF} FOR UPDATE
), frozen AS (
  SELECT $7::text AS snapshot, CASE WHEN $7::text IS NULL THEN NULL ELSE $8::timestamptz END AS at
), h AS (
  INSERT INTO shares AS h (/*+ tenant_id, +*/ share_uuid, session_key, list_hash, slug, preferred_pane, is_public, snapshot,
    snapshot_taken_at, updated_at, lease, presentation, feed_state, judged_revision)
  SELECT /*+ $1, +*/ $3::uuid, s.key, s.list_hash, $4, $5, $6, f.snapshot, f.at, $8::timestamptz, $10::text, $11::text, $12::text, $15::bigint
  FROM s, frozen f
  ON CONFLICT (session_key) DO UPDATE SET
    slug = EXCLUDED.slug, preferred_pane = EXCLUDED.preferred_pane,
    is_public = EXCLUDED.is_public, snapshot = COALESCE(EXCLUDED.snapshot, h.snapshot),
    snapshot_taken_at = COALESCE(EXCLUDED.snapshot_taken_at, h.snapshot_taken_at),
    judged_revision = COALESCE(EXCLUDED.judged_revision, h.judged_revision),
    updated_at = ${timeOfChange('EXCLUDED.updated_at', 'h.updated_at')}, 
    lease = CASE WHEN $16::boolean THEN EXCLUDED.lease ELSE h.lease END,
    presentation = EXCLUDED.presentation, feed_state = COALESCE(EXCLUDED.feed_state, h.feed_state)
    WHERE h.xmin::text = $9::text
  RETURNING *
), entry AS (
  INSERT INTO share_entries (id, share_uuid, at, changes)
  SELECT $13::uuid, h.share_uuid, $8::timestamptz, $14::text FROM h WHERE $13::uuid IS NOT NULL
), forgotten AS (
  DELETE FROM share_entries WHERE sequence IN (
    SELECT e.sequence FROM share_entries e JOIN h ON e.share_uuid = h.share_uuid
    WHERE $13::uuid IS NOT NULL ORDER BY e.sequence DESC OFFSET /*-*/${SHARE_ENTRIES_MAX - 1}/*+ ${SHARE_ENTRIES_MAX} +*/
  )
)
SELECT ${SHARE} FROM s LEFT JOIN h ON true`;
