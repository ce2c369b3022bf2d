import type { Sql } from '@platform/database';
import { hashId, hashList } from './hash-id.ts';
import { fold, PREFIX_LENGTH } from './session-name.ts';
import { COUNT_CLAIMS, LATEST } from './sql-session-row.ts';
import type { Holder } from '../model/role.ts';
import type { ListedSession, SessionQuery, SessionsAmong } from './session-store.ts';

const COLUMNS = {
  updated_at: 'updated_at',
  created_at: 'created_at',
  name: 'name_prefix',
} as const satisfies Record<SessionQuery['sort'], string>;

const ORDERS = {
  updated_at: (table: string) => `${table}.updated_at DESC, ${table}.key DESC`,
  created_at: (table: string) => `${table}.created_at DESC, ${table}.key DESC`,
  name: (table: string) => `${table}.name_prefix, ${table}.key`,
} as const satisfies Record<SessionQuery['sort'], (table: string) => string>;

/** NUL and lone surrogates. */
const UNSTORABLE = /\0|\p{Cs}/u;

/**
 * `SessionStore.list`. The page is found first, on an index as far as one goes; the rest is read of its rows
 * alone.
 */
export async function listSessions(sql: Sql, query: SessionQuery): Promise<ListedSession[]> {
  // No name contains characters that text columns cannot hold.
  if (query.nameFilter !== undefined && UNSTORABLE.test(query.nameFilter)) return [];
  const { text, values } = listQuery(query);
  const { rows } = await sql.query<Omit<ListedSession, 'position'> & { readonly position: number | null }>(
    text,
    values,
  );
  return rows.map(({ position, ...row }, index) => ({
    ...row,
    position: position ?? query.offset + index + 1,
  }));
}

/** The statement of `listSessions`. */
export function listQuery(query: SessionQuery): { text: string; values: unknown[] } {
  const { tenantId, ownerId, hasResult, nameFilter, sort, updatedAfter, updatedBefore } = query;
  const { among, holder, limit, offset } = query;
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions =
    ownerId === null
      ? [`p.tenant_id = ${param(tenantId)}`]
      : [
          `p.list_hash = ${param(hashList(tenantId, ownerId))}::uuid`,
          // No other tenant has such a list; on distributed tables it says on which node this one is.
          `p.tenant_id = ${param(tenantId)}`,
        ];
  const ofTenant = `$${values.length}`;
  if (hasResult !== undefined) conditions.push(`p.judged_at IS ${hasResult ? 'NOT ' : ''}NULL`);
  if (updatedAfter !== undefined) conditions.push(`p.updated_at > ${param(writable(updatedAfter))}`);
  if (updatedBefore !== undefined) conditions.push(`p.updated_at < ${param(writable(updatedBefore))}`);
  const needed = [
    'key',
    COLUMNS[sort],
    ...(among === undefined ? [] : ['list_hash', 'session_hash', 'session_id']),
  ];
  const columnsOf = (table: string) => needed.map((column) => `${table}.${column}`).join(', ');
  const rows = (...more: string[]) =>
    `SELECT ${columnsOf('p')} FROM sessions p WHERE ${[...conditions, ...more].join(' AND ')}
    ORDER BY ${ORDERS[sort]('p')}`;
  const found = nameFilter
    ? `SELECT ${columnsOf('f')} FROM (${named(rows, param(`%${escapeLike(fold(nameFilter))}%`))}) f ORDER BY ${ORDERS[sort]('f')}`
    : rows();
  const page =
    among === undefined
      ? `SELECT f.key, NULL::int AS position FROM (${found} LIMIT ${param(limit)} OFFSET ${param(offset)}) f`
      : `SELECT f.key, f.position FROM (SELECT f.*, row_number() OVER (ORDER BY ${ORDERS[sort]('f')})::int AS position FROM (${found}) f) f
    WHERE f.position > ${param(offset)} AND ${isAmong('f', { ...among, tenantId, holder }, param)}
    ORDER BY f.position LIMIT ${param(limit)}`;
  const text = `
SELECT s.session_id AS "sessionId", s.owner_id AS "ownerId", s.name, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  s.judged_at AS "judgedAt", m.role, page.position, j.id AS "lastJudgementId", j.answer,
  COALESCE(s.claim_count, (${COUNT_CLAIMS} /*+ AND e.tenant_id = ${ofTenant} +*/)) AS "claimCount"
FROM (${page}) page
JOIN sessions s ON s.key = page.key AND s.tenant_id = ${ofTenant}
LEFT JOIN session_members m ON m.session_key = s.key AND m.tenant_id = ${ofTenant}
  AND m.user_id = ${param(holder.userId)} AND m.lease = ${param(holder.lease)}
LEFT JOIN LATERAL (
  SELECT j.id, j.answer FROM judgements j WHERE j.session_key = s.key /*+ AND j.tenant_id = ${ofTenant} +*/ ${LATEST} LIMIT 1
) j ON true
ORDER BY ${ORDERS[sort]('s')}`;
  return { text, values };
}

/**
 * The condition that a session, a row of `table`, is the holder's, or one that they are invited to, or among
 * these.
 */
export function isAmong(
  table: string,
  {
    tenantId,
    holder,
    exact,
    prefixes,
  }: SessionsAmong & { readonly tenantId: string; readonly holder: Holder },
  param: (value: unknown) => string,
): string {
  const patterns = prefixes.map((prefix) => `${escapeLike(prefix)}%`);
  return `(${table}.list_hash = ${param(hashList(tenantId, holder.userId))}::uuid
      OR ${table}.key IN (SELECT m.session_key FROM session_members m
        WHERE m.tenant_id = ${param(tenantId)} AND m.user_id = ${param(holder.userId)} AND m.lease = ${param(holder.lease)})
      OR ${table}.session_hash = ANY (${param(exact.map(hashId))}::uuid[])
      OR ${table}.session_id LIKE ANY (${param(patterns)}::text[]))`;
}

/**
 * The instant, or the nearest that has a year of four digits in SQL, where year 0 is 1 BC: nothing changed
 * outside of them.
 */
function writable(instant: Date): Date {
  return new Date(Math.min(Math.max(instant.getTime(), FIRST_MS), LAST_MS));
}
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * What holds `pattern` in its name. Nearly every name is its own prefix, which stands in the indexes, so that
 * the matches before a page are counted off there. The few that are longer have an index of their own and are
 * read for what their prefix lacks.
 */
function named(rows: (...conditions: string[]) => string, pattern: string): string {
  const inPrefix = rows(`p.name_prefix LIKE ${pattern}`);
  const furtherOn = rows(
    `char_length(p.name_prefix) = ${PREFIX_LENGTH}`,
    `p.name_prefix NOT LIKE ${pattern}`,
    `p.name_folded LIKE ${pattern}`,
  );
  return `(${inPrefix}) UNION ALL (${furtherOn})`;
}

/** `text` with LIKE's own characters escaped by a backslash, LIKE's default escape character. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
