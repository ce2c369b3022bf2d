import { ENTITY_KINDS } from '@platform/opinion-fusion';
import { hashId } from './hash-id.ts';
import type { SessionRef } from './session-store.ts';

/** Names the session `s` by the values of `address`. */
export const WHERE_REF = 's.tenant_id = $1 AND s.session_hash = $2::uuid';

/** The values of `WHERE_REF`. */
export function address({ tenantId, sessionId }: SessionRef): [string, string] {
  return [tenantId, hashId(sessionId)];
}

/** The same session as a filter of Prisma. */
export function bySession({ tenantId, sessionId }: SessionRef) {
  return { tenantId, sessionHash: hashId(sessionId) };
}

/**
 * Which judgement `j` counts as the latest: the first in this order. One that was begun after another was
 * kept has the greater revision, whatever the clocks of replicas say; time decides among those of one.
 */
export const LATEST = 'ORDER BY j.revision DESC, j.judged_at DESC, j.id DESC';

/** The number by which tables know claims. */
export const CLAIMS = ENTITY_KINDS.indexOf('claims');

/** How many claims the session `s` has; on distributed tables the tenant is still to be named. */
export const COUNT_CLAIMS = `SELECT count(*)::int FROM session_entities e WHERE e.session_key = s.key AND e.kind = ${CLAIMS}`;

/** True for what a column of UUIDs may be asked for. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
