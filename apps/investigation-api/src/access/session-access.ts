import { DomainError } from '@platform/error-contracts';
import type { Caller } from './caller.ts';
import type { Permissions, SessionAction } from './permissions.ts';
import type { SessionHead, SessionRef, SessionStore } from '../store/session-store.ts';

/**
 * One error for a session that does not exist and for one that the caller may not know of, so that nobody can
 * tell them apart.
 */
export function sessionNotFound(): DomainError {
  const remedy = 'list_investigation_sessions lists those you may read';
  return new DomainError('not_found', 'no such session', { remedy });
}

export const JUDGE_FIRST = 'call judge_investigation_session first';

/** The error of an operation that needs a judgement, for a session without one. */
export function sessionNeverJudged(): DomainError {
  return new DomainError('failed_precondition', 'the session has not been judged yet', {
    remedy: JUDGE_FIRST,
  });
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
  deps: { readonly sessions: SessionStore; readonly permissions: Permissions },
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

/** `loadAuthorizedSession` with the JSON text of its InvestigationInput. Throws `not_found` as it does. */
export async function loadPayload(
  deps: { readonly sessions: SessionStore; readonly permissions: Permissions },
  caller: Caller,
  sessionId: string,
  action: SessionAction,
): Promise<LoadedSession & { readonly payload: string }> {
  const loaded = await loadAuthorizedSession(deps, caller, sessionId, action);
  const payload = await deps.sessions.readPayload(loaded.ref);
  if (payload === null) throw sessionNotFound();
  return { ...loaded, payload };
}

/** The session, if the caller owns it. Throws `not_found` otherwise. */
export async function loadOwnSession(
  deps: { readonly sessions: SessionStore },
  caller: Caller,
  sessionId: string,
): Promise<LoadedSession> {
  const opened = await findSession(deps, caller, sessionId);
  if (opened.head.ownerId !== caller.id) throw sessionNotFound();
  return opened;
}

async function findSession(
  deps: { readonly sessions: SessionStore },
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
