import type { Sql } from '@platform/database';
import { hashList } from './hash-id.ts';
import { fold } from './session-name.ts';
import type { SessionMeta, SessionQuery } from './session-store.ts';

const ORDERS = {
  updated_at: (table: string) => `${table}.updated_at DESC, ${table}.key DESC`,
  created_at: (table: string) => `${table}.created_at DESC, ${table}.key DESC`,
  name: (table: string) => `${table}.name_prefix, ${table}.key`,
} as const satisfies Record<SessionQuery['sort'], (table: string) => string>;

/** NUL and lone surrogates. */
const UNSTORABLE = /\0|\p{Cs}/u;

/** `SessionStore.list`. The page is found first, on an index as far as one goes; the rest is read of its rows alone. */
export async function listSessions(sql: Sql, query: SessionQuery): Promise<SessionMeta[]> {
  // No name holds what text columns cannot.
  if (query.nameFilter !== undefined && UNSTORABLE.test(query.nameFilter)) return [];
  const { text, values } = listQuery(query);
  return (await sql.query<SessionMeta>(text, values)).rows;
}

/** The statement of `listSessions`. */
export function listQuery(query: SessionQuery): { text: string; values: unknown[] } {
  const { tenantId, ownerId, hasResult, nameFilter, sort, updatedAfter, updatedBefore, limit, offset } =
    query;
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`p.list_hash = ${param(hashList(tenantId, ownerId))}::uuid`];
  if (hasResult !== undefined) conditions.push(`p.judged_at IS ${hasResult ? 'NOT ' : ''}NULL`);
  if (nameFilter) conditions.push(`p.name_folded LIKE ${param(`%${escapeLike(fold(nameFilter))}%`)}`);
  if (updatedAfter !== undefined) conditions.push(`p.updated_at > ${param(updatedAfter)}`);
  if (updatedBefore !== undefined) conditions.push(`p.updated_at < ${param(updatedBefore)}`);
  const text = `
SELECT s.session_id AS "sessionId", s.name, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  s.judged_at AS "judgedAt"
FROM (SELECT p.key FROM sessions p WHERE ${conditions.join(' AND ')}
  ORDER BY ${ORDERS[sort]('p')} LIMIT ${param(limit)} OFFSET ${param(offset)}) page
JOIN sessions s ON s.key = page.key
ORDER BY ${ORDERS[sort]('s')}`;
  return { text, values };
}

/** `text` with LIKE's own characters escaped by a backslash, LIKE's default escape character. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
