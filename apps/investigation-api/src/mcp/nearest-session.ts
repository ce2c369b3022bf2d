import { DomainError } from '@platform/error-contracts';
import { misspelled } from '@platform/opinion-fusion';
import type { Caller } from '../access/caller.ts';
import { requireTenant, sessionNotFound } from '../access/session-access.ts';
import { readablePage } from '../operations/shared/readable-page.ts';
import type { SessionDeps } from '../ports.ts';

/** Sessions among which the nearest is looked for, the last changed ones. */
const LOOKED_AT = 200;

/**
 * The error of a call whose session is not there, with the caller's own session whose id is nearest as the
 * remedy, where the one that was sent is a misspelling of it. Other errors come back as they are.
 */
export async function withNearestSession(
  error: unknown,
  deps: SessionDeps,
  caller: Caller,
  given: unknown,
): Promise<unknown> {
  const { message, remedy } = sessionNotFound();
  const { session_id: sent } = (given ?? {}) as { readonly session_id?: unknown };
  const isMissing = error instanceof DomainError && error.kind === 'not_found' && error.message === message;
  if (!isMissing || typeof sent !== 'string') return error;
  const { sessions } = await readablePage(deps, caller, true, {
    tenantId: requireTenant(caller),
    sort: 'updated_at',
    limit: LOOKED_AT,
    offset: 0,
    cursor: 0,
  });
  const nearest = misspelled(
    sent,
    sessions.map(({ sessionId }) => sessionId),
  );
  if (nearest === undefined) return error;
  return new DomainError('not_found', message, { remedy: `the nearest of yours is ${nearest}; ${remedy}` });
}
