import { objectUri, type Authority } from '@platform/authz-client';
import type { Caller } from './caller.ts';

/** What policies may let a colleague do with a session. Sharing is the owner's own. */
export type SessionAction = 'read' | 'update' | 'judge' | 'delete';

/** Permissions of a caller who is not the owner. */
export interface Permissions {
  /** Throws DomainError `rate_limited` and `unavailable`. */
  isAllowed(caller: Caller, action: SessionAction, session: OwnedSession): Promise<boolean>;
  /** The same of up to 1,000 sessions in one call, by index. */
  areAllowed(caller: Caller, action: SessionAction, sessions: readonly OwnedSession[]): Promise<boolean[]>;
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
}

/**
 * Permissions by the policies of the caller's root domain: the object is
 * `svc://<root domain>/investigations/<session id>`, the id's characters percent-encoded where a URI needs
 * it, and the session's owner is the attribute `owner` (`$resource_owner()`). Only owners may do anything
 * without an authority, and with a session whose id no object can hold.
 */
export function createPermissions(
  authority: Pick<Authority, 'isAllowed' | 'areAllowed' | 'namesAllowed'> | null,
): Permissions {
  /** What is asked about a session; null = nobody else may do anything with it. */
  const contextOf = (caller: Caller, action: SessionAction, { sessionId, ownerId }: OwnedSession) => {
    if (caller.rootDomainId === null) return null;
    const object = objectUri(caller.rootDomainId, 'investigations', ...sessionId.split('/'));
    return object === null ? null : { subject: caller.id, action, object, owner: ownerId };
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
    async areAllowed(caller, action, sessions) {
      const contexts = sessions.map((session) => contextOf(caller, action, session));
      const asked = contexts.filter((context) => context !== null);
      const answers =
        authority === null || asked.length === 0
          ? []
          : await authority.areAllowed(caller.credential, asked, caller.metadata);
      let next = 0;
      return contexts.map((context) => context !== null && (answers[next++] ?? false));
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
