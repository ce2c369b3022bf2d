import type { Authority } from '@platform/authz-client';
import type { Caller } from './caller.ts';

/** What policies may let a colleague do with a session. Sharing and listing are the owner's own. */
export type SessionAction = 'read' | 'update' | 'judge' | 'delete';

/** What a caller who is not the owner may do. */
export interface Permissions {
  /** Throws DomainError `rate_limited` and `unavailable`. */
  isAllowed(
    caller: Caller,
    action: SessionAction,
    session: { readonly sessionId: string; readonly ownerId: string },
  ): Promise<boolean>;
}

/**
 * Permissions by the policies of the caller's root domain: the object is `svc://<root domain>/investigations/<session id>`,
 * the id percent-encoded, and the session's owner is the attribute `owner` (`$resource_owner()`). Without an authority only
 * owners may do anything.
 */
export function createPermissions(authority: Pick<Authority, 'isAllowed'> | null): Permissions {
  return {
    async isAllowed(caller, action, { sessionId, ownerId }) {
      if (authority === null || caller.rootDomainId === null) return false;
      const object = `svc://${caller.rootDomainId}/investigations/${encodeURIComponent(sessionId)}`;
      const context = { subject: caller.id, action, object, owner: ownerId };
      return authority.isAllowed(caller.credential, context, caller.metadata);
    },
  };
}
