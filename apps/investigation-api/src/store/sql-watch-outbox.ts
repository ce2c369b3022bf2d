import type { Database, Sql } from '@platform/database';
import type { FollowedChanges } from '../model/followed-event.ts';
import { learnDocuments } from './sql-watch-feeds.ts';
import { LEASE, SERVED } from './sql-watch-subscriptions.ts';
import type { NewEvent, TakenChange, WatchStore } from './watch-store.ts';

type Outbox = Pick<WatchStore, 'nextDue' | 'wakeDue' | 'takeChange' | 'finishChange' | 'returnChange'>;

/**
 * The outbox: what subscriptions still have to look at, taken by one replica at a time. SQL: Prisma cannot
 * lock rows, nor pass over those that another replica has locked.
 */
export function sqlOutbox(database: Database): Outbox {
  return {
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
        `SELECT id, judged_at AS "judgedAt", revision, result, quotes,
           CASE WHEN quotes IS NOT NULL THEN input_snapshot END AS "inputSnapshot" FROM judgements WHERE id = $1::uuid`,
        [judgementId],
      );
      const subscriptions = await database.query<TakenChange['subscriptions'][number]>(
        `SELECT w.id, w.subscriber_id AS "subscriberId", w.request, w.state, w.webhook_url AS "webhookUrl", ${SERVED}
         FROM watch_subscriptions w JOIN sessions s ON s.key = w.session_key ${LEASE}
         WHERE w.session_key = $1 AND (w.id = $3::uuid OR $3::uuid IS NULL AND w.since_sequence <= $2)
           AND (w.paused_at IS NULL OR w.id = $3::uuid AND w.state IS NULL)
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
        const finished = await sql.query<{ only: string | null }>(
          `DELETE FROM watch_outbox o WHERE o.sequence = $1 AND o.attempts = $2 AND ${IS_NOT_HELD}
           RETURNING o.subscription_id AS only`,
          [sequence, attempts],
        );
        const [session] = numbered.rows;
        const [row] = finished.rows;
        if (session === undefined || row === undefined) return false;
        let before = session.last - count;
        for (const { subscriptionId, remembered, events } of outcomes) {
          const { rows } = await sql.query<Numbered>(
            `UPDATE watch_subscriptions SET last_number = last_number + $2::int
             WHERE id = $1::uuid AND (paused_at IS NULL OR id = $3::uuid AND state IS NULL)
             RETURNING last_number AS "lastNumber", webhook_url AS "webhookUrl", documents`,
            [subscriptionId, events.length, row.only],
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
  };
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
