import { objectUri, type Authority, type Colleague, type PolicyDecision } from '@platform/authz-client';
import type { Role, SessionAction } from '../model/role.ts';
import type { Caller } from './caller.ts';

/** Permissions of a caller who is not the owner. */
export interface Permissions {
  /** Throws DomainError `rate_limited` and `unavailable`. */
  isAllowed(caller: Caller, action: SessionAction, session: OwnedSession): Promise<boolean>;
  /**
   * What policies say about the action on up to 1,000 sessions, in one call, by index; `denied` where they
   * cannot be asked. Throws as `isAllowed`.
   */
  decide(caller: Caller, action: SessionAction, sessions: readonly OwnedSession[]): Promise<PolicyDecision[]>;
  /** Whether policies can speak about a session with this id. */
  isNamable(caller: Caller, sessionId: string): boolean;
  /**
   * The active users with these names, and active users and service accounts with these ids, of the caller's
   * tenant; none where nobody is asked. Throws as `isAllowed`.
   */
  findColleagues(
    caller: Caller,
    sought: { readonly usernames?: readonly string[]; readonly ids?: readonly string[] },
  ): Promise<Colleague[]>;
  /**
   * Where `action` may be allowed by policies: every session on which it is, and others, so that each one is
   * asked about besides. Null where policies narrow the ids down to nothing less than all. Throws as
   * `isAllowed`.
   */
  idsOf(caller: Caller, action: SessionAction): Promise<SessionIds | null>;
  /** Whether there are policies that could let the caller do anything with a session of a colleague. */
  hasPolicies(caller: Caller): boolean;
  /**
   * Whether the caller may read what other services keep below these paths of `svc://<root domain>/`, by
   * index, as they decide it: by the scope of the credential and the policies on `documents/<filename>` and
   * `domains/…`; all of it where nobody is asked. Throws as `isAllowed`.
   */
  mayRead(caller: Caller, paths: readonly string[]): Promise<boolean[]>;
}

/** The scope that a credential needs, by the first part of a path. */
const SCOPES: Readonly<Record<string, string>> = { documents: 'documents', domains: 'read' };
/** Contexts in one call. */
const BATCH_MAX = 1_000;
/** Colleagues in one call. */
const COLLEAGUES_MAX = 100;

/** The object that policies know a session by; null where there is none. */
function objectOf({ rootDomainId }: Caller, sessionId: string): string | null {
  return rootDomainId === null ? null : objectUri(rootDomainId, 'investigations', ...sessionId.split('/'));
}

/** Sessions by id: these, and all that begin with one of the prefixes. */
export interface SessionIds {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

/** Path of the objects of sessions, which the id follows. */
const INVESTIGATIONS = 'investigations/';

/** A session, and who may do everything with it. */
export interface OwnedSession {
  readonly sessionId: string;
  readonly ownerId: string;
  /** What the caller is invited to; absent or null = nothing. */
  readonly role?: Role | null;
}

/**
 * Permissions by the policies of the caller's root domain: the object is
 * `svc://<root domain>/investigations/<session id>`, the id's characters percent-encoded where a URI needs
 * it, and the session's owner is the attribute `owner` (`$resource_owner()`). What the caller is invited to
 * is the attribute `invited_to`, which the audit keeps. Only owners may do anything without an authority, and
 * with a session whose id no object can hold.
 */
export function createPermissions(
  authority: Pick<
    Authority,
    'isAllowed' | 'areAllowed' | 'decide' | 'namesAllowed' | 'findColleagues'
  > | null,
): Permissions {
  /** What is asked about a session; null = nobody else may do anything with it. */
  const contextOf = (caller: Caller, action: SessionAction, { sessionId, ownerId, role }: OwnedSession) => {
    const object = objectOf(caller, sessionId);
    if (object === null) return null;
    return { subject: caller.id, action, object, owner: ownerId, ...(role && { invited_to: role }) };
  };
  async function mayRead(caller: Caller, paths: readonly string[]): Promise<boolean[]> {
    const { id: subject, rootDomainId, scopes, credential, metadata } = caller;
    if (authority === null || rootDomainId === null) return paths.map(() => true);
    const answers = new Map<string, boolean>();
    const asked = [...new Set(paths)].flatMap((path) => {
      const parts = path.split('/');
      if (!scopes.includes(SCOPES[parts[0]!]!)) return [];
      const object = objectUri(rootDomainId, ...parts);
      return object === null ? [] : [{ path, context: { subject, action: 'read', object } }];
    });
    for (let from = 0; from < asked.length; from += BATCH_MAX) {
      const part = asked.slice(from, from + BATCH_MAX);
      const contexts = part.map(({ context }) => context);
      const allowed = await authority.areAllowed(credential, contexts, metadata);
      for (const [index, { path }] of part.entries()) answers.set(path, allowed[index] ?? false);
    }
    return paths.map((path) => answers.get(path) ?? false);
  }
  return {
    async isAllowed(caller, action, session) {
      const context = contextOf(caller, action, session);
      if (authority === null || context === null) return false;
      return authority.isAllowed(caller.credential, context, caller.metadata);
    },
    async decide(caller, action, sessions) {
      const contexts = sessions.map((session) => contextOf(caller, action, session));
      const asked = contexts.filter((context) => context !== null);
      const answers =
        authority === null || asked.length === 0
          ? []
          : await authority.decide(caller.credential, asked, caller.metadata);
      let next = 0;
      return contexts.map((context) => (context === null ? 'denied' : (answers[next++] ?? 'denied')));
    },
    isNamable: (caller, sessionId) => objectOf(caller, sessionId) !== null,
    async findColleagues({ credential, metadata }, { usernames = [], ids = [] }) {
      if (authority === null) return [];
      const found =
        usernames.length === 0 ? [] : await authority.findColleagues(credential, { usernames }, metadata);
      for (let from = 0; from < ids.length; from += COLLEAGUES_MAX) {
        const part = ids.slice(from, from + COLLEAGUES_MAX);
        found.push(...(await authority.findColleagues(credential, { ids: part }, metadata)));
      }
      return found;
    },
    async idsOf({ id: subject, rootDomainId, credential, metadata }, action) {
      if (authority === null || rootDomainId === null) return { exact: [], prefixes: [] };
      const within = { domainId: rootDomainId, prefix: INVESTIGATIONS };
      const names = await authority.namesAllowed(credential, { subject, action }, within, metadata);
      const idOf = (path: string) => path.slice(INVESTIGATIONS.length);
      return names && { exact: names.exact.map(idOf), prefixes: names.prefixes.map(idOf) };
    },
    mayRead,
    hasPolicies: (caller) => authority !== null && caller.rootDomainId !== null,
  };
}
