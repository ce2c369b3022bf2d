import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import type { Database, Sql } from '@platform/database';
import type { FollowedChanges } from '../model/followed-event.ts';
import { DOCUMENT_RULE } from '../model/watch-rules.ts';
import { address, isUuid, LATEST, WHERE_REF } from './sql-session-row.ts';
import { addDocuments, addPolicies, follow, IS_LISTENED, learnDocuments, TENANT } from './sql-watch-feeds.ts';
import { DOCUMENTS_FEED } from './watch-store.ts';
import type {
  NewEvent,
  SequencedEvent,
  Subscription,
  TakenChange,
  TakenDelivery,
  WatchEvent,
  WatchStore,
} from './watch-store.ts';

/** The store of subscriptions and their events on SQL, the same for Postgres and PGlite. */
export function createSqlWatchStore(database: Database): WatchStore {
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
        const counted = await sql.query<{ ofSession: number; ofTenant: number }>(
          `SELECT count(*) FILTER (WHERE s.key = $1)::int AS "ofSession", count(*)::int AS "ofTenant"
           FROM watch_subscriptions w JOIN sessions s ON s.key = w.session_key WHERE s.tenant_id = $2`,
          [key, ref.tenantId],
        );
        const { ofSession, ofTenant } = counted.rows[0]!;
        if (ofSession >= limits.perSession || ofTenant >= limits.perTenant) return 'too_many';
        if (documentsSince !== null) await follow(sql, ref.tenantId, DOCUMENTS_FEED, documentsSince);
        if (policies !== null) await follow(sql, ref.tenantId, policies.domainId, policies.since);
        const values = [key, id, subscriberId, lease, request, webhookUrl, secret, now, ref.tenantId];
        const latest = await latestJudgement(sql, ref.tenantId, key);
        const listened = [
          documentsSince === null ? null : [],
          policies?.domainId ?? null,
          policies?.since ?? null,
        ];
        await sql.query(SUBSCRIBE, [...values, latest, ...listened]);
        return 'subscribed';
      }),

    async listSubscriptions(ref, subscriberId) {
      const { rows } = await database.query<Subscription>(
        `SELECT w.id, w.subscriber_id AS "subscriberId", w.request, w.webhook_url AS "webhookUrl",
           w.created_at AS "createdAt", w.paused_at AS "pausedAt", w.last_number AS "lastNumber",
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
        else await sql.query(RESUME, [id, now, await latestJudgement(sql, ref.tenantId, key!)]);
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
        `SELECT sequence, rule, body FROM watch_events
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
        if (changes === null || changes.items.length === 0) return true;
        if (changes.rule === DOCUMENT_RULE) await addDocuments(sql, tenantId, changes.items, now);
        else await addPolicies(sql, tenantId, feed, changes.items, now);
        return true;
      }),

    async nextDue() {
      const { rows } = await database.query<{ at: Date | null }>(NEXT_DUE, [], 'watch-next');
      return rows[0]!.at;
    },

    async wakeDue(now) {
      const { rowCount } = await database.query(
        `WITH due AS (
           UPDATE watch_subscriptions SET due_at = NULL WHERE id IN (
             SELECT id FROM watch_subscriptions WHERE due_at <= $1 AND paused_at IS NULL ORDER BY due_at LIMIT 100 FOR UPDATE SKIP LOCKED
           ) RETURNING /*+ tenant_id, +*/ id, session_key
         )
         INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, due_at)
         SELECT /*+ tenant_id, +*/ session_key, id, $1 FROM due`,
        [now],
        'watch-wake',
      );
      return rowCount;
    },

    async takeChange(now, takenUntil) {
      const { rows } = await database.query<{
        sequence: number;
        attempts: number;
        sessionKey: number;
        judgementId: string | null;
        subscriptionId: string | null;
        changes: string | null;
      }>(TAKE_CHANGE, [now, takenUntil], 'watch-take');
      const taken = rows[0];
      if (taken === undefined) return null;
      const { sequence, attempts, sessionKey, judgementId, subscriptionId, changes } = taken;
      const session = await database.query<Pick<TakenChange, 'tenantId' | 'sessionId' | 'sessionName'>>(
        `SELECT tenant_id AS "tenantId", session_id AS "sessionId", name AS "sessionName"
         FROM sessions WHERE key = $1`,
        [sessionKey],
      );
      const judgement = await database.query<NonNullable<TakenChange['judgement']>>(
        `SELECT id, judged_at AS "judgedAt", result, quotes FROM judgements WHERE id = $1::uuid`,
        [judgementId],
      );
      const subscriptions = await database.query<TakenChange['subscriptions'][number]>(
        `SELECT w.id, w.subscriber_id AS "subscriberId", w.request, w.state, w.webhook_url AS "webhookUrl", ${SERVED}
         FROM watch_subscriptions w JOIN sessions s ON s.key = w.session_key ${LEASE}
         WHERE w.session_key = $1 AND w.since_sequence <= $2 AND ($3::uuid IS NULL OR w.id = $3::uuid)
           AND w.paused_at IS NULL
         ORDER BY w.id`,
        [sessionKey, sequence, subscriptionId],
      );
      // Deleted meanwhile, and the row with it.
      if (session.rows[0] === undefined) return null;
      return {
        sequence,
        attempts,
        ...session.rows[0],
        judgement: judgement.rows[0] ?? null,
        changes: changes === null ? null : (JSON.parse(changes) as FollowedChanges),
        subscriptions: subscriptions.rows,
      };
    },

    async finishChange({ sequence, attempts }, outcomes, now) {
      const count = outcomes.reduce((sum, { events }) => sum + events.length, 0);
      return database.transaction(async (sql) => {
        // First, as a deletion of the session does, so that neither waits for the other.
        const numbered = await sql.query<{ last: number; tenantId: string }>(NUMBER_EVENTS, [
          sequence,
          count,
        ]);
        const { rowCount } = await sql.query(
          `DELETE FROM watch_outbox o WHERE o.sequence = $1 AND o.attempts = $2 AND ${IS_NOT_HELD}`,
          [sequence, attempts],
        );
        const [session] = numbered.rows;
        if (session === undefined || rowCount === 0) return false;
        let before = session.last - count;
        for (const { subscriptionId, remembered, events } of outcomes) {
          const { rows } = await sql.query<Numbered>(
            `UPDATE watch_subscriptions SET last_number = last_number + $2::int
             WHERE id = $1::uuid AND paused_at IS NULL
             RETURNING last_number AS "lastNumber", webhook_url AS "webhookUrl", documents`,
            [subscriptionId, events.length],
          );
          const [found] = rows;
          if (found === undefined) continue;
          if (remembered !== undefined) {
            const { state, dueAt, documents } = remembered;
            await sql.query('UPDATE watch_subscriptions SET state = $2, due_at = $3 WHERE id = $1::uuid', [
              subscriptionId,
              state,
              dueAt,
            ]);
            if (documents !== undefined && found.documents !== null)
              await learnDocuments(sql, session.tenantId, subscriptionId, documents, now);
          }
          await addEvents(sql, subscriptionId, found, before, events, now);
          before += events.length;
        }
        return true;
      });
    },

    async returnChange({ sequence, attempts }, dueAt) {
      await database.query('UPDATE watch_outbox SET due_at = $3 WHERE sequence = $1 AND attempts = $2', [
        sequence,
        attempts,
        dueAt,
      ]);
    },

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
         UPDATE watch_subscriptions w SET paused_at = $7 FROM finished f
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

    async listSubscribers(after, limit) {
      const { rows } = await database.query<{ lease: string; tenantLease: string }>(
        `SELECT DISTINCT w.lease, l.lease AS "tenantLease" FROM watch_subscriptions w
         JOIN sessions s ON s.key = w.session_key JOIN leases l ON l.owner = s.tenant_id AND l.of_tenant
         WHERE w.lease > $1 ORDER BY w.lease LIMIT $2`,
        [after, limit],
      );
      return rows;
    },

    async markSubscribers(leases, endedAt) {
      await database.query(
        `UPDATE watch_subscriptions SET ended_at = $2
         WHERE lease = ANY($1::text[]) AND (ended_at IS NULL) = ($2::timestamptz IS NOT NULL)`,
        [leases, endedAt],
      );
    },

    async eraseEnded(before) {
      const { rowCount } = await database.query('DELETE FROM watch_subscriptions WHERE ended_at < $1', [
        before,
      ]);
      return rowCount;
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

/** The id of the latest judgement of a session; null before the first. */
async function latestJudgement(sql: Sql, tenantId: string, sessionKey: number): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT j.id FROM judgements j WHERE j.session_key = $1 AND $2::text IS NOT NULL
       /*+ AND j.tenant_id = $2 +*/ ${LATEST} LIMIT 1`,
    [sessionKey, tenantId],
  );
  return rows[0]?.id ?? null;
}

interface Numbered {
  readonly lastNumber: number;
  readonly webhookUrl: string | null;
  readonly documents: readonly string[] | null;
}

/** Adds the events of a subscription whose last number counts them already, in sequence behind `before`. */
async function addEvents(
  sql: Sql,
  subscriptionId: string,
  subscription: Numbered,
  before: number,
  events: readonly NewEvent[],
  now: Date,
): Promise<void> {
  const hasWebhook = subscription.webhookUrl !== null;
  for (const [index, { id, rule, body, at }] of events.entries()) {
    const number = subscription.lastNumber - events.length + index + 1;
    await sql.query(
      `INSERT INTO watch_events (id, subscription_id, number, sequence, rule, body, at, delivery, next_attempt_at)
       VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        subscriptionId,
        number,
        before + index + 1,
        rule,
        body,
        at,
        hasWebhook ? 'pending' : 'none',
        hasWebhook ? now : null,
      ],
    );
  }
}

/**
 * Counts events of the session of a change; the last number is theirs. Those that a replica of an earlier
 * release kept have numbers of all tenants, which the next ones come behind.
 */
const NUMBER_EVENTS = `
WITH changed AS (
  SELECT /*+ o.tenant_id, +*/ o.session_key, (
    SELECT max(e.sequence) FROM watch_events e JOIN watch_subscriptions w ON w.id = e.subscription_id
    WHERE w.session_key = o.session_key
  ) AS kept FROM watch_outbox o WHERE o.sequence = $1
)
UPDATE sessions s SET last_event = $2::int + GREATEST(s.last_event, c.kept)
FROM changed c WHERE s.key = c.session_key /*+ AND s.tenant_id = c.tenant_id +*/
RETURNING s.last_event AS last, s.tenant_id AS "tenantId"`;

/** The lease that a subscription ends with, its tenant's where it has none, and its last state. */
const SERVED = `COALESCE(w.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"`;
const LEASE = `LEFT JOIN leases l ON l.owner = s.tenant_id
  AND CASE WHEN w.lease IS NULL THEN l.of_tenant ELSE l.lease = w.lease END`;

/** Changes of documents wait while their subscription is paused. */
const IS_NOT_HELD = `(o.changes IS NULL OR NOT EXISTS (
    SELECT FROM watch_subscriptions w WHERE w.id = o.subscription_id AND w.paused_at IS NOT NULL
  ))`;

const NEXT_DUE = `SELECT LEAST(
  (SELECT min(due_at) FROM watch_subscriptions WHERE paused_at IS NULL),
  (SELECT min(o.due_at) FROM watch_outbox o WHERE ${IS_NOT_HELD}),
  (SELECT min(e.next_attempt_at) FROM watch_events e JOIN watch_subscriptions w ON w.id = e.subscription_id
   WHERE e.delivery = 'pending' AND w.paused_at IS NULL)
) AS at`;

const PAUSE = 'UPDATE watch_subscriptions SET paused_at = $2 WHERE id = $1::uuid AND paused_at IS NULL';

/** Looks at the latest judgement, which comes before later ones because the session is locked. */
const RESUME = `
WITH resumed AS (
  UPDATE watch_subscriptions SET paused_at = NULL WHERE id = $1::uuid AND paused_at IS NOT NULL
  RETURNING /*+ tenant_id, +*/ id, session_key
)
INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, judgement_id, due_at)
SELECT /*+ r.tenant_id, +*/ r.session_key, r.id, $3::uuid, $2 FROM resumed r`;

/** The new subscription looks at the latest judgement first, which later ones are compared with. */
const SUBSCRIBE = `
WITH base AS (
  INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, judgement_id, due_at)
  VALUES (/*+ $9::text, +*/ $1, $2::uuid, $10::uuid, $8)
  RETURNING sequence
)
INSERT INTO watch_subscriptions (/*+ tenant_id, +*/ id, session_key, subscriber_id, lease, request, webhook_url, secret, created_at,
  since_sequence, documents, policies_of, policies_since)
SELECT /*+ $9::text, +*/ $2::uuid, $1, $3, $4, $5, $6, $7, $8, base.sequence, $11::text[], $12::text, $13::bigint
FROM base WHERE $9::text IS NOT NULL`;

/**
 * Only the first row of a session, so that judgements are looked at in their order. Changes of documents have
 * an order of their own, by subscription, so that judgements do not wait for whom they are told to.
 */
const TAKE_CHANGE = `
UPDATE watch_outbox SET due_at = $2, attempts = attempts + 1 WHERE sequence = (
  SELECT o.sequence FROM watch_outbox o WHERE o.due_at <= $1 AND ${IS_NOT_HELD} AND NOT EXISTS (
    SELECT FROM watch_outbox e WHERE e.session_key = o.session_key AND e.sequence < o.sequence
      AND CASE WHEN o.changes IS NULL THEN e.changes IS NULL
        ELSE e.changes IS NOT NULL AND e.subscription_id = o.subscription_id END
  ) ORDER BY o.sequence LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING sequence, attempts, session_key AS "sessionKey", judgement_id AS "judgementId",
  subscription_id AS "subscriptionId", changes`;

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
RETURNING e.id, e.attempts, e.rule, e.body, w.webhook_url AS "webhookUrl", w.secret, ${TENANT} AS "tenantId",
  w.id AS "subscriptionId", w.subscriber_id AS "subscriberId", ${SERVED}`;
