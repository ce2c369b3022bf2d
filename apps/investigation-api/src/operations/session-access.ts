import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../access/caller.ts';
import type { SessionAction } from '../access/permissions.ts';
import type { SessionHead, SessionRef } from '../store/session-store.ts';
import type { SessionDeps } from '../ports.ts';

/** The one answer for a session that is not there and for one that the caller may not know of. */
export function noSession(): DomainError {
  return new DomainError('not_found', 'no such session');
}

/** What needs a result was asked of a session that has none. */
export function neverJudged(): DomainError {
  return new DomainError('failed_precondition', 'the session has not been judged yet');
}

/** The caller's tenant. Throws `permission_denied` when there is none. */
export function requireTenant(caller: Caller): string {
  if (caller.tenantId === null) {
    throw new DomainError(
      'permission_denied',
      'sessions belong to a tenant: send a credential that carries one',
    );
  }
  return caller.tenantId;
}

/** A session the caller may do something with. */
export interface OpenedSession {
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/** The session, if the caller owns it or a policy allows him the action. Throws `not_found` for all else. */
export async function openSession(
  deps: Pick<SessionDeps, 'sessions' | 'permissions'>,
  caller: Caller,
  sessionId: string,
  action: SessionAction,
): Promise<OpenedSession> {
  const opened = await findSession(deps, caller, sessionId);
  const { ownerId } = opened.head;
  if (ownerId !== caller.id && !(await deps.permissions.isAllowed(caller, action, { sessionId, ownerId })))
    throw noSession();
  return opened;
}

/** The session, if the caller owns it. Throws `not_found` for all else. */
export async function openOwnSession(
  deps: Pick<SessionDeps, 'sessions'>,
  caller: Caller,
  sessionId: string,
): Promise<OpenedSession> {
  const opened = await findSession(deps, caller, sessionId);
  if (opened.head.ownerId !== caller.id) throw noSession();
  return opened;
}

async function findSession(
  deps: Pick<SessionDeps, 'sessions'>,
  caller: Caller,
  sessionId: string,
): Promise<OpenedSession> {
  const ref = { tenantId: requireTenant(caller), sessionId };
  // No session has such an id, and no database takes it.
  if (sessionId.includes('\0') || !sessionId.isWellFormed()) throw noSession();
  const head = await deps.sessions.readHead(ref);
  if (head === null) throw noSession();
  return { ref, head };
}
