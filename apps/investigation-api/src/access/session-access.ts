import { DomainError } from '@platform/error-contracts';
import type { Caller } from './caller.ts';
import type { SessionAction } from './permissions.ts';
import type { SessionHead, SessionRef } from '../store/session-store.ts';
import type { SessionDeps } from '../ports.ts';

/** One error for a session that does not exist and for one that the caller may not know of, so that nobody can tell them apart. */
export function sessionNotFound(): DomainError {
  return new DomainError('not_found', 'no such session');
}

/** The error for what needs a judgement of a session that has none. */
export function sessionNeverJudged(): DomainError {
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
export interface LoadedSession {
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/** The session, if the caller owns it or a policy allows them the action. Throws `not_found` otherwise. */
export async function loadAuthorizedSession(
  deps: Pick<SessionDeps, 'sessions' | 'permissions'>,
  caller: Caller,
  sessionId: string,
  action: SessionAction,
): Promise<LoadedSession> {
  const opened = await findSession(deps, caller, sessionId);
  const { ownerId } = opened.head;
  if (ownerId !== caller.id && !(await deps.permissions.isAllowed(caller, action, { sessionId, ownerId })))
    throw sessionNotFound();
  return opened;
}

/** The session, if the caller owns it. Throws `not_found` otherwise. */
export async function loadOwnSession(
  deps: Pick<SessionDeps, 'sessions'>,
  caller: Caller,
  sessionId: string,
): Promise<LoadedSession> {
  const opened = await findSession(deps, caller, sessionId);
  if (opened.head.ownerId !== caller.id) throw sessionNotFound();
  return opened;
}

async function findSession(
  deps: Pick<SessionDeps, 'sessions'>,
  caller: Caller,
  sessionId: string,
): Promise<LoadedSession> {
  const ref = { tenantId: requireTenant(caller), sessionId };
  // No session has such an id, and no database takes it.
  if (sessionId.includes('\0') || !sessionId.isWellFormed()) throw sessionNotFound();
  const head = await deps.sessions.readHead(ref);
  if (head === null) throw sessionNotFound();
  return { ref, head };
}
