import { holderOf, type Caller } from '../../access/caller.ts';
import { requireTenant } from '../../access/session-access.ts';
import type { SessionDeps } from '../../ports.ts';
import type { OutcomeScope } from '../../store/outcome-store.ts';
import { areReadable } from './readable-page.ts';

/** Sessions with outcomes that a report looks through at most: of those that a plan names, where one does. */
const SESSIONS_MAX = 10_000;
/** Sessions that are asked about in one call; where there are more, the caller's plan narrows them first. */
const ASKED_AT_ONCE = 1_000;

/**
 * The outcomes of the sessions that the caller may read; with `mine`, and without policies, of their own.
 * Throws `rate_limited` and `unavailable`.
 */
export async function readableOutcomes(
  { outcomes, permissions }: Pick<SessionDeps, 'outcomes' | 'permissions'>,
  caller: Caller,
  mine: boolean,
): Promise<OutcomeScope> {
  const tenantId = requireTenant(caller);
  if (mine || !permissions.hasPolicies(caller)) return { tenantId, sessionIds: null, ownerId: caller.id };
  const holder = holderOf(caller);
  let sessions = await outcomes.sessionsWithOutcomes(tenantId, holder, ASKED_AT_ONCE + 1);
  if (sessions.length > ASKED_AT_ONCE) {
    const ids = await permissions.idsOf(caller, 'read');
    sessions = await outcomes.sessionsWithOutcomes(tenantId, holder, SESSIONS_MAX, ids ?? undefined);
  }
  const sessionIds: string[] = [];
  for (let from = 0; from < sessions.length; from += ASKED_AT_ONCE) {
    const part = sessions.slice(from, from + ASKED_AT_ONCE);
    const isReadable = await areReadable(permissions, caller, part);
    sessionIds.push(...part.filter((_, index) => isReadable[index]).map(({ sessionId }) => sessionId));
  }
  return { tenantId, sessionIds, ownerId: caller.id };
}
