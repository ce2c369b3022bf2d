import type { Database } from '@platform/database';
import { DOCUMENT_RULE } from '../model/watch-rules.ts';
import { sqlKeptByLease } from './sql-kept-by-lease.ts';
import { addDocuments, addPolicies, goBack, IS_LISTENED, TENANT } from './sql-watch-feeds.ts';
import { sqlOutbox } from './sql-watch-outbox.ts';
import { LEASE, SERVED, sqlSubscriptions } from './sql-watch-subscriptions.ts';
import { DOCUMENTS_FEED } from './watch-store.ts';
import type { TakenDelivery, WatchStore } from './watch-store.ts';

/** The store of subscriptions and their events on SQL, the same for Postgres and PGlite. */
export function createSqlWatchStore(database: Database): WatchStore {
  return {
    ...sqlSubscriptions(database),
    ...sqlOutbox(database),
    ...sqlKeptByLease(database, 'watch_subscriptions', SUBSCRIBERS),

    async listPolicyFeeds(tenantId) {
      const { rows } = await database.query<{ feed: string }>(
        'SELECT feed FROM watch_follows WHERE tenant_id = $1 AND feed <> $2 ORDER BY feed',
        [tenantId, DOCUMENTS_FEED],
        'watch-policy-feeds',
      );
      return rows.map(({ feed }) => feed);
    },

    async takeFollow(tenantId, feed, now, takenUntil) {
      const { rows } = await database.query<{ since: number }>(
        `UPDATE watch_follows SET taken_until = $4
         WHERE tenant_id = $1 AND feed = $2 AND (taken_until IS NULL OR taken_until <= $3) AND ${IS_LISTENED}
         RETURNING since`,
        [tenantId, feed, now, takenUntil],
        'watch-follow',
      );
      return rows[0]?.since ?? null;
    },

    async renewFollow(tenantId, feed, takenUntil, until) {
      const { rowCount } = await database.query(
        'UPDATE watch_follows SET taken_until = $4 WHERE tenant_id = $1 AND feed = $2 AND taken_until = $3',
        [tenantId, feed, takenUntil, until],
        'watch-renew',
      );
      return rowCount > 0;
    },

    keepChanges: (tenantId, feed, { since, last, changes }, now) =>
      database.transaction(async (sql) => {
        const { rowCount } = await sql.query(
          `UPDATE watch_follows SET since = $4, taken_until = NULL
           WHERE tenant_id = $1 AND feed = $2 AND since = $3`,
          [tenantId, feed, since, last],
        );
        if (rowCount === 0) return false;
        if (last < since) await goBack(sql, tenantId, feed, last);
        if (changes === null || changes.items.length === 0) return true;
        if (changes.rule === DOCUMENT_RULE) await addDocuments(sql, tenantId, changes.items, now);
        else await addPolicies(sql, tenantId, feed, changes.items, now);
        return true;
      }),

    async takeDeliveries(now, takenUntil, { limit, withoutTenants, withoutSubscriptions }) {
      const { rows } = await database.query<TakenDelivery>(
        TAKE_DELIVERIES,
        [now, takenUntil, limit, withoutTenants, withoutSubscriptions],
        'watch-deliveries',
      );
      return rows;
    },

    async postponeDelivery({ id, attempts }, nextAttemptAt, problem) {
      await database.query(
        `UPDATE watch_events SET attempts = attempts - 1, next_attempt_at = $3, problem = $4
         WHERE id = $1::uuid AND attempts = $2 AND delivery = 'pending'`,
        [id, attempts, nextAttemptAt, problem],
      );
    },

    async finishDelivery({ id, attempts }, { deliveredAt, nextAttemptAt, problem }, pausedAt = null) {
      const delivery = deliveredAt !== null ? 'delivered' : nextAttemptAt === null ? 'parked' : 'pending';
      await database.query(
        `WITH finished AS (
           UPDATE watch_events SET delivery = $3, delivered_at = $4, next_attempt_at = $5, problem = $6
           WHERE id = $1::uuid AND attempts = $2 AND delivery = 'pending' RETURNING subscription_id
         )
         UPDATE watch_subscriptions w SET paused_at = $7, pause_reason = $6 FROM finished f
         WHERE w.id = f.subscription_id AND $7::timestamptz IS NOT NULL AND w.paused_at IS NULL`,
        [id, attempts, delivery, deliveredAt, nextAttemptAt, problem, pausedAt],
      );
    },

    async oldestUndelivered() {
      const { rows } = await database.query<{ at: Date | null }>(
        `SELECT min(e.at) AS at FROM watch_events e JOIN watch_subscriptions w ON w.id = e.subscription_id
         WHERE e.delivery = 'pending' AND w.ended_at IS NULL AND w.paused_at IS NULL`,
      );
      return rows[0]!.at;
    },

    async forgetDocumentChanges(before) {
      await database.query('DELETE FROM watch_document_changes WHERE read_at < $1', [before]);
    },

    async forgetEvents(before) {
      const { rowCount } = await database.query(
        `DELETE FROM watch_events WHERE at < $1 AND delivery <> 'pending'`,
        [before],
      );
      return rowCount;
    },
  };
}

const SUBSCRIBERS = `watch_subscriptions k
  JOIN sessions s ON s.key = k.session_key JOIN leases l ON l.owner = s.tenant_id AND l.of_tenant`;

const TAKE_DELIVERIES = `
WITH first AS (
  SELECT DISTINCT ON (${TENANT}) e.id FROM watch_events e
  JOIN watch_subscriptions w ON w.id = e.subscription_id /*-*/JOIN sessions s ON s.key = w.session_key/*+ +*/
  WHERE e.delivery = 'pending' AND e.next_attempt_at <= $1 AND NOT ${TENANT} = ANY($4::text[])
    AND NOT w.id = ANY($5::uuid[]) AND w.paused_at IS NULL
  ORDER BY ${TENANT}, e.next_attempt_at, e.number LIMIT $3
), due AS (
  SELECT id FROM watch_events WHERE id IN (SELECT id FROM first) AND delivery = 'pending' AND next_attempt_at <= $1
  FOR UPDATE SKIP LOCKED
)
UPDATE watch_events e SET next_attempt_at = $2, attempts = e.attempts + 1
FROM due, watch_subscriptions w /*-*/JOIN sessions s ON s.key = w.session_key/*+ +*/
  ${LEASE.replace('s.tenant_id', TENANT)}
WHERE e.id = due.id AND w.id = e.subscription_id
RETURNING e.id, e.number, e.attempts, e.rule, e.body, w.webhook_url AS "webhookUrl", w.secret, ${TENANT} AS "tenantId",
  w.id AS "subscriptionId", w.subscriber_id AS "subscriberId", ${SERVED}`;
