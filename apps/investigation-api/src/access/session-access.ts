import { DomainError } from '@platform/error-contracts';
import { includes, roleFor, type Role, type SessionAction } from '../model/role.ts';
import type { TextPieces } from '../model/text-pieces.ts';
import { holderOf, type Caller } from './caller.ts';
import type { OwnedSession, Permissions } from './permissions.ts';
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
  /** What the caller is to it; null = policies alone let them in. */
  readonly role: Role | 'owner' | null;
}

/**
 * The session, if the caller owns it, or is invited to a role that includes the action and no policy denies
 * it, or a policy allows it; and if they may read it, too, unless they delete it. Throws `not_found`
 * otherwise, and `permission_denied` to those who are invited to less.
 */
export async function loadAuthorizedSession(
  deps: { readonly sessions: SessionStore; readonly permissions: Permissions },
  caller: Caller,
  sessionId: string,
  action: SessionAction,
): Promise<LoadedSession> {
  const { ref, head } = await findSession(deps, caller, sessionId);
  const { ownerId } = head;
  if (ownerId === caller.id) return { ref, head, role: 'owner' };
  const role = await deps.sessions.readRole(ref, holderOf(caller));
  await requireAllowed(deps.permissions, caller, action, { sessionId, ownerId, role });
  return { ref, head, role };
}

/** What policies can allow. */
const BY_POLICY: ReadonlySet<SessionAction> = new Set(['read', 'update', 'judge', 'delete']);

async function requireAllowed(
  permissions: Permissions,
  caller: Caller,
  action: SessionAction,
  session: OwnedSession,
): Promise<void> {
  const { role = null } = session;
  const isDenied = async (asked: SessionAction) =>
    (await permissions.decide(caller, asked, [session]))[0] === 'denied';
  const isIncluded = (asked: SessionAction) => role !== null && includes(role, asked);
  const isPermitted = async (asked: SessionAction) =>
    isIncluded(asked)
      ? !(await isDenied(asked))
      : BY_POLICY.has(asked) && (await permissions.isAllowed(caller, asked, session));
  if (await isPermitted(action)) {
    // The response to what is done to a session shows it, except to its deletion.
    if (action === 'read' || action === 'delete' || (await isPermitted('read'))) return;
    throw sessionNotFound();
  }
  // Who is invited knows of the session, unless a policy keeps it from them.
  if (role === null || isIncluded(action) || (await isDenied('read'))) throw sessionNotFound();
  throw beyondRole(role, action);
}

const DONE_TO_IT: Readonly<Record<SessionAction, string>> = {
  read: 'read it',
  update: 'change it',
  judge: 'judge it',
  delete: 'delete it',
  share: 'publish it',
  invite: 'invite others to it',
};

function beyondRole(role: Role, action: SessionAction): DomainError {
  const needed = roleFor(action);
  const request = needed === null ? 'do it' : `invite you to \`${needed}\``;
  return new DomainError(
    'permission_denied',
    `you are invited to \`${role}\` this session, and may not ${DONE_TO_IT[action]}: ask its owner to ${request}`,
  );
}

/** `loadAuthorizedSession` with the JSON of its InvestigationInput. Throws `not_found` as it does. */
export async function loadPayload(
  deps: { readonly sessions: SessionStore; readonly permissions: Permissions },
  caller: Caller,
  sessionId: string,
  action: SessionAction,
): Promise<LoadedSession & { readonly payload: TextPieces }> {
  const loaded = await loadAuthorizedSession(deps, caller, sessionId, action);
  const payload = await deps.sessions.readPayload(loaded.ref);
  if (payload === null) throw sessionNotFound();
  return { ...loaded, payload };
}

/** A session of the caller's tenant, whatever they may do with it. Throws `not_found`. */
export async function findSession(
  deps: { readonly sessions: SessionStore },
  caller: Caller,
  sessionId: string,
): Promise<Pick<LoadedSession, 'ref' | 'head'>> {
  const ref = { tenantId: requireTenant(caller), sessionId };
  // No session has such an id, and no database takes it.
  if (sessionId.includes('\0') || !sessionId.isWellFormed()) throw sessionNotFound();
  const head = await deps.sessions.readHead(ref);
  if (head === null) throw sessionNotFound();
  return { ref, head };
}
