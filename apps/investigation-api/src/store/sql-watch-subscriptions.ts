import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import type { Database, Sql } from '@platform/database';
import { address, isUuid, LATEST, WHERE_REF } from './sql-session-row.ts';
import { follow } from './sql-watch-feeds.ts';
import { DOCUMENTS_FEED } from './watch-store.ts';
import type { SequencedEvent, Subscription, WatchEvent, WatchStore } from './watch-store.ts';

type Subscriptions = Pick<
  WatchStore,
  | 'subscribe'
  | 'listSubscriptions'
  | 'pause'
  | 'unsubscribe'
  | 'listEvents'
  | 'listSequence'
  | 'lastSequence'
  | 'lastOfSession'
  | 'progressOf'
  | 'replay'
>;

/**
 * What subscribers do with their subscriptions, and read of their events. SQL: the session is locked first,
 * and on distributed tables a statement names the tenant of every table.
 */
export function sqlSubscriptions(database: Database): Subscriptions {
  return {
    // The lock of the session's row orders it with judgements: each is looked at or comes before.
    subscribe: (ref, subscription, limits) =>
      database.transaction(async (sql) => {
        const { rows } = await sql.query<{ key: number }>(
          `UPDATE sessions s SET watched = true WHERE ${WHERE_REF} RETURNING s.key`,
          address(ref),
        );
        const key = rows[0]?.key;
        if (key === undefined) return 'no_session';
        const { id, subscriberId, lease, request, webhookUrl, secret, documentsSince, policies, now } =
          subscription;
        const counted = await sql.query<{ ofUser: number; ofTenant: number }>(
          `SELECT count(*) FILTER (WHERE s.key = $1 AND w.subscriber_id = $3)::int AS "ofUser",
             count(*)::int AS "ofTenant"
           FROM watch_subscriptions w JOIN sessions s ON s.key = w.session_key WHERE s.tenant_id = $2`,
          [key, ref.tenantId, subscriberId],
        );
        const { ofUser, ofTenant } = counted.rows[0]!;
        if (ofUser >= limits.perUser || ofTenant >= limits.perTenant) return 'too_many';
        if (documentsSince !== null) await follow(sql, ref.tenantId, DOCUMENTS_FEED, documentsSince);
        if (policies !== null) await follow(sql, ref.tenantId, policies.domainId, policies.since);
        const values = [key, id, subscriberId, lease, request, webhookUrl, secret, now, ref.tenantId];
        const latest = await latestJudgement(sql, ref.tenantId, key);
        const listened = [
          documentsSince === null ? null : [],
          policies?.domainId ?? null,
          policies?.since ?? null,
          documentsSince,
        ];
        await sql.query(SUBSCRIBE, [...values, latest, ...listened]);
        return 'subscribed';
      }),

    async listSubscriptions(ref, subscriberId) {
      const { rows } = await database.query<Subscription>(
        `SELECT w.id, w.subscriber_id AS "subscriberId", w.request, w.webhook_url AS "webhookUrl",
           w.created_at AS "createdAt", w.paused_at AS "pausedAt", w.pause_reason AS "pauseReason", w.last_number AS "lastNumber",
           ${SERVED}
         FROM sessions s JOIN watch_subscriptions w ON w.session_key = s.key ${LEASE}
         WHERE ${WHERE_REF} AND w.subscriber_id = $3 ORDER BY w.created_at, w.id`,
        [...address(ref), subscriberId],
      );
      return rows;
    },

    pause: (ref, subscriberId, id, { isPaused, now }) =>
      database.transaction(async (sql) => {
        if (!isUuid(id)) return false;
        const locked = await sql.query<{ key: number }>(
          `SELECT s.key FROM sessions s WHERE ${WHERE_REF} FOR NO KEY UPDATE`,
          address(ref),
        );
        const key = locked.rows[0]?.key;
        const { rowCount } = await sql.query(
          'SELECT FROM watch_subscriptions WHERE session_key = $1 AND subscriber_id = $2 AND id = $3::uuid',
          [key ?? null, subscriberId, id],
        );
        if (rowCount === 0) return false;
        if (isPaused) await sql.query(PAUSE, [id, now]);
        else {
          const judgementId = await latestJudgement(sql, ref.tenantId, key!);
          const resumed = await sql.query<{ sequence: number }>(RESUME, [id, now, judgementId]);
          const [row] = resumed.rows;
          if (row) await sql.query(SINCE, [id, row.sequence]);
        }
        return true;
      }),

    async unsubscribe(ref, subscriberId, id) {
      if (!isUuid(id)) return false;
      const { rowCount } = await database.query(
        `DELETE FROM watch_subscriptions w USING sessions s
         WHERE ${WHERE_REF} AND w.session_key = s.key AND w.subscriber_id = $3 AND w.id = $4::uuid`,
        [...address(ref), subscriberId, id],
      );
      return rowCount > 0;
    },

    async listEvents(subscriptionId, { after, limit, delivery }) {
      const { rows } = await database.query<WatchEvent>(
        `SELECT id, number, rule, body, at, delivery, attempts, next_attempt_at AS "nextAttemptAt",
           delivered_at AS "deliveredAt", problem
         FROM watch_events WHERE subscription_id = $1::uuid AND number > $2 AND ($3::text IS NULL OR delivery = $3)
         ORDER BY number LIMIT $4`,
        [subscriptionId, after, delivery ?? null, limit],
      );
      return rows;
    },

    async listSequence(subscriptionIds, after, limit) {
      const { rows } = await database.query<SequencedEvent>(
        `SELECT sequence, number, rule, body FROM watch_events
         WHERE subscription_id = ANY($1::uuid[]) AND sequence > $2 ORDER BY sequence LIMIT $3`,
        [subscriptionIds, after, limit],
      );
      return rows;
    },

    async lastSequence(subscriptionIds) {
      const { rows } = await database.query<{ last: number | null }>(
        'SELECT max(sequence) AS last FROM watch_events WHERE subscription_id = ANY($1::uuid[])',
        [subscriptionIds],
      );
      return rows[0]!.last ?? 0;
    },

    async lastOfSession(ref) {
      const { rows } = await database.query<{ last: number }>(
        `SELECT s.last_event AS last FROM sessions s WHERE ${WHERE_REF}`,
        address(ref),
      );
      return rows[0]?.last ?? 0;
    },

    async progressOf(refs) {
      if (refs.length === 0) return [];
      const { rows } = await database.query<{ progress: number }>(
        `SELECT COALESCE(sum(w.last_number), 0)::bigint AS progress
         FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS r (tenant_id, session_hash, position)
         LEFT JOIN sessions s ON s.tenant_id = r.tenant_id AND s.session_hash = r.session_hash
         LEFT JOIN watch_subscriptions w ON w.session_key = s.key
         GROUP BY r.position ORDER BY r.position`,
        [refs.map((ref) => address(ref)[0]), refs.map((ref) => address(ref)[1])],
        'watch-progress',
      );
      return rows.map(({ progress }) => progress);
    },

    async replay(subscriptionId, eventId, now) {
      if (eventId !== null && !isUuid(eventId)) return 0;
      const { rowCount } = await database.query(
        `UPDATE watch_events SET delivery = 'pending', attempts = 0, next_attempt_at = $3, problem = NULL
         WHERE subscription_id = $1::uuid AND delivery <> 'none'
           AND CASE WHEN $2::uuid IS NULL THEN delivery = 'parked' ELSE id = $2::uuid END`,
        [subscriptionId, eventId, now],
      );
      return rowCount;
    },
  };
}

/** The id of the latest judgement of a session; null before the first. */
async function latestJudgement(sql: Sql, tenantId: string, sessionKey: number): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT j.id FROM judgements j WHERE j.session_key = $1 AND $2::text IS NOT NULL
       /*+ AND j.tenant_id = $2 +*/ ${LATEST} LIMIT 1`,
    [sessionKey, tenantId],
  );
  return rows[0]?.id ?? null;
}

/** The lease that a subscription ends with, its tenant's where it has none, and its last state. */
export const SERVED = `COALESCE(w.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"`;
export const LEASE = `LEFT JOIN leases l ON l.owner = s.tenant_id
  AND CASE WHEN w.lease IS NULL THEN l.of_tenant ELSE l.lease = w.lease END`;

const PAUSE = 'UPDATE watch_subscriptions SET paused_at = $2 WHERE id = $1::uuid AND paused_at IS NULL';

/** Looks at the latest judgement, which comes before later ones because the session is locked. */
const RESUME = `
WITH resumed AS (
  UPDATE watch_subscriptions SET paused_at = NULL, pause_reason = NULL WHERE id = $1::uuid AND paused_at IS NOT NULL
  RETURNING /*+ tenant_id, +*/ id, session_key
)
INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, judgement_id, due_at)
SELECT /*+ r.tenant_id, +*/ r.session_key, r.id, $3::uuid, $2 FROM resumed r
RETURNING sequence`;

/** Judgements of the pause that no replica has looked at yet are in the difference to the latest one. */
const SINCE = 'UPDATE watch_subscriptions SET since_sequence = $2 WHERE id = $1::uuid';

/** The new subscription looks at the latest judgement first, which later ones are compared with. */
const SUBSCRIBE = `
WITH base AS (
  INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, judgement_id, due_at)
  VALUES (/*+ $9::text, +*/ $1, $2::uuid, $10::uuid, $8)
  RETURNING sequence
)
INSERT INTO watch_subscriptions (/*+ tenant_id, +*/ id, session_key, subscriber_id, lease, request, webhook_url, secret, created_at,
  since_sequence, documents, policies_of, policies_since, documents_since)
SELECT /*+ $9::text, +*/ $2::uuid, $1, $3, $4, $5, $6, $7, $8, base.sequence, $11::text[], $12::text, $13::bigint,
  $14::bigint
FROM base WHERE $9::text IS NOT NULL`;
