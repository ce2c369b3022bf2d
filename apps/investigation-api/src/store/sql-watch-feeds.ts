import type { Sql } from '@platform/database';
import {
  mergeChanges,
  type ChangedDocument,
  type ChangedPolicies,
  type FollowedChanges,
  type QuotedDocument,
} from '../model/followed-event.ts';
import { DOCUMENT_RULE, POLICY_RULE } from '../model/watch-rules.ts';
import { DOCUMENTS_FEED } from './watch-store.ts';

/** The tenant of a subscription `w`, whose session `s` lies on another node where tables are distributed. */
export const TENANT = '/*-*/s.tenant_id/*+ w.tenant_id +*/';

/** Whether a subscription of the tenant $1 listens for the feed $2. */
export const IS_LISTENED = `EXISTS (
    SELECT FROM watch_subscriptions w /*-*/JOIN sessions s ON s.key = w.session_key/*+ +*/
    WHERE ${TENANT} = $1
      AND CASE WHEN $2 = '${DOCUMENTS_FEED}' THEN w.documents IS NOT NULL ELSE w.policies_of = $2 END
  )`;

/**
 * Has a feed of the tenant read from a number on, unless it is read already. SQL: Prisma cannot lock rows.
 */
export async function follow(sql: Sql, tenantId: string, feed: string, since: number): Promise<void> {
  await sql.query(
    `INSERT INTO watch_follows (tenant_id, feed, since) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, feed) DO NOTHING`,
    [tenantId, feed, since],
  );
  // The lock lets two who subscribe at once see one another; what nobody listened to begins anew.
  await sql.query('SELECT FROM watch_follows WHERE tenant_id = $1 AND feed = $2 FOR UPDATE', [
    tenantId,
    feed,
  ]);
  await sql.query(
    `UPDATE watch_follows SET since = $3, taken_until = NULL
     WHERE tenant_id = $1 AND feed = $2 AND NOT ${IS_LISTENED}`,
    [tenantId, feed, since],
  );
}

/**
 * Has subscriptions told from `last` on of a feed that goes back to it, as that of a store restored from a
 * backup does. What was changed after the backup is no change of what is there now.
 */
export async function goBack(sql: Sql, tenantId: string, feed: string, last: number): Promise<void> {
  const isDocuments = feed === DOCUMENTS_FEED;
  const since = isDocuments ? 'documents_since' : 'policies_since';
  await sql.query(
    `UPDATE watch_subscriptions w SET ${since} = $3 /*-*/FROM sessions s/*+ +*/
     WHERE /*-*/s.key = w.session_key AND/*+ +*/ ${TENANT} = $1 AND w.${since} > $3
       AND ($2 = '${DOCUMENTS_FEED}' OR w.policies_of = $2)`,
    [tenantId, feed, last],
  );
  if (isDocuments) await sql.query('DELETE FROM watch_document_changes WHERE tenant_id = $1', [tenantId]);
}

/** Keeps changes of documents, and tells the subscriptions that listened for them when they were made. */
export async function addDocuments(
  sql: Sql,
  tenantId: string,
  changes: readonly ChangedDocument[],
  now: Date,
): Promise<void> {
  const documents = changes.map(({ document }) => document);
  await sql.query(
    `INSERT INTO watch_document_changes (tenant_id, document, version, body, read_at)
     SELECT $1, c.document, c.version, c.body, $5 FROM unnest($2::text[], $3::bigint[], $4::text[])
       AS c (document, version, body)
     ON CONFLICT (tenant_id, document)
       DO UPDATE SET version = EXCLUDED.version, body = EXCLUDED.body, read_at = EXCLUDED.read_at`,
    [
      tenantId,
      documents,
      changes.map(({ version }) => version),
      changes.map((change) => JSON.stringify(change)),
      now,
    ],
  );
  const { rows } = await sql.query<{
    id: string;
    isPaused: boolean;
    documents: string[];
    since: number | null;
  }>(
    `SELECT w.id, w.paused_at IS NOT NULL AS "isPaused", w.documents, w.documents_since AS since
     FROM watch_subscriptions w /*-*/JOIN sessions s ON s.key = w.session_key/*+ +*/
     WHERE ${TENANT} = $1 AND w.documents && $2::text[] ORDER BY w.id`,
    [tenantId, documents],
  );
  for (const { documents: quoted, since, ...subscription } of rows) {
    const items = changes.filter(
      // Subscriptions of before this was kept hear of every change.
      ({ document, sequence }) => quoted.includes(document) && sequence > (since ?? 0),
    );
    if (items.length > 0) await tell(sql, subscription, { rule: DOCUMENT_RULE, items }, now);
  }
}

/** Tells the subscriptions that listen for the policies of a domain of sets that are newer than theirs. */
export async function addPolicies(
  sql: Sql,
  tenantId: string,
  domainId: string,
  sets: readonly ChangedPolicies[],
  now: Date,
): Promise<void> {
  const { rows } = await sql.query<{ id: string; isPaused: boolean; since: number }>(
    `SELECT w.id, w.paused_at IS NOT NULL AS "isPaused", w.policies_since AS since
     FROM watch_subscriptions w /*-*/JOIN sessions s ON s.key = w.session_key/*+ +*/
     WHERE ${TENANT} = $1 AND w.policies_of = $2 ORDER BY w.id`,
    [tenantId, domainId],
  );
  for (const { since, ...subscription } of rows) {
    const items = sets.filter(({ version }) => version > since);
    if (items.length > 0) await tell(sql, subscription, { rule: POLICY_RULE, items }, now);
  }
}

/** Makes an outbox row of changes for one subscription. While it is paused, one row holds those of a rule. */
async function tell(
  sql: Sql,
  { id: subscriptionId, isPaused }: { readonly id: string; readonly isPaused: boolean },
  added: FollowedChanges,
  now: Date,
): Promise<void> {
  const waiting = isPaused
    ? await sql.query<{ changes: string }>(
        `DELETE FROM watch_outbox WHERE subscription_id = $1::uuid AND changes::json ->> 'rule' = $2
         RETURNING changes`,
        [subscriptionId, added.rule],
      )
    : { rows: [] };
  const earlier = waiting.rows.map((row) => JSON.parse(row.changes) as FollowedChanges);
  const changes = [...earlier, added].reduce(mergeChanges);
  await sql.query(
    `INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, subscription_id, changes, due_at)
     SELECT /*+ tenant_id, +*/ session_key, id, $2, $3 FROM watch_subscriptions WHERE id = $1::uuid`,
    [subscriptionId, JSON.stringify(changes), now],
  );
}

/**
 * Keeps which documents are under a judgement's quotes. Of those that are new the changes are told that were
 * read while the judgement was made: the lock keeps the reader of changes away until these are listened for.
 */
export async function learnDocuments(
  sql: Sql,
  tenantId: string,
  subscriptionId: string,
  quoted: readonly QuotedDocument[],
  now: Date,
): Promise<void> {
  await sql.query('SELECT FROM watch_follows WHERE tenant_id = $1 AND feed = $2 FOR SHARE', [
    tenantId,
    DOCUMENTS_FEED,
  ]);
  const { rows: before } = await sql.query<{ documents: string[] }>(
    'SELECT documents FROM watch_subscriptions WHERE id = $1::uuid',
    [subscriptionId],
  );
  const known = new Set(before[0]?.documents ?? []);
  await sql.query('UPDATE watch_subscriptions SET documents = $2::text[] WHERE id = $1::uuid', [
    subscriptionId,
    [...new Set(quoted.map(({ document }) => document))],
  ]);
  const added = quoted.filter(({ document, version }) => version !== null && !known.has(document));
  if (added.length === 0) return;
  const { rows } = await sql.query<{ body: string }>(
    `SELECT c.body FROM watch_document_changes c
     JOIN unnest($2::text[], $3::bigint[]) AS q (document, version) ON q.document = c.document
     JOIN watch_subscriptions w ON w.id = $4::uuid
     WHERE c.tenant_id = $1 AND ${IS_HEARD} AND ${IS_AFTER} ORDER BY c.document`,
    [tenantId, added.map(({ document }) => document), added.map(({ version }) => version), subscriptionId],
  );
  if (rows.length > 0)
    await tell(
      sql,
      { id: subscriptionId, isPaused: false },
      { rule: DOCUMENT_RULE, items: rows.map(({ body }) => JSON.parse(body) as ChangedDocument) },
      now,
    );
}

/** Whether the change `c` came after the version of `q`; a deletion has the version that it removed. */
const IS_AFTER = `(c.version > q.version OR c.version = q.version AND c.body::json ->> 'type' = 'deleted')`;

/** Whether `w` was made before the change `c`, or before it was read where either's place was not kept. */
const IS_HEARD = `COALESCE((c.body::json ->> 'sequence')::bigint > w.documents_since, c.read_at >= w.created_at)`;
