import type { Caller } from '../../access/caller.ts';
import { requireTenant } from '../../access/session-access.ts';
import type { SessionDeps } from '../../ports.ts';
import type { OutcomeScope } from '../../store/outcome-store.ts';
import { areReadable } from './readable-page.ts';

/** Sessions with outcomes that a report looks through at most. */
const SESSIONS_MAX = 10_000;
/** Sessions that are asked about in one call. */
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
  const sessions = await outcomes.sessionsWithOutcomes(tenantId, SESSIONS_MAX);
  const sessionIds: string[] = [];
  for (let from = 0; from < sessions.length; from += ASKED_AT_ONCE) {
    const part = sessions.slice(from, from + ASKED_AT_ONCE);
    const isReadable = await areReadable(permissions, caller, part);
    sessionIds.push(...part.filter((_, index) => isReadable[index]).map(({ sessionId }) => sessionId));
  }
  return { tenantId, sessionIds, ownerId: caller.id };
}
