import { objectUri, type Authority } from '@platform/authz-client';
import type { Caller } from './caller.ts';

/** What policies may let a colleague do with a session. Sharing and listing are the owner's own. */
export type SessionAction = 'read' | 'update' | 'judge' | 'delete';

/** Permissions of a caller who is not the owner. */
export interface Permissions {
  /** Throws DomainError `rate_limited` and `unavailable`. */
  isAllowed(
    caller: Caller,
    action: SessionAction,
    session: { readonly sessionId: string; readonly ownerId: string },
  ): Promise<boolean>;
}

/**
 * Permissions by the policies of the caller's root domain: the object is
 * `svc://<root domain>/investigations/<session id>`, the id's characters percent-encoded where a URI needs
 * it, and the session's owner is the attribute `owner` (`$resource_owner()`). Only owners may do anything
 * without an authority, and with a session whose id no object can hold.
 */
export function createPermissions(authority: Pick<Authority, 'isAllowed'> | null): Permissions {
  return {
    async isAllowed(caller, action, { sessionId, ownerId }) {
      if (authority === null || caller.rootDomainId === null) return false;
      const object = objectUri(caller.rootDomainId, 'investigations', ...sessionId.split('/'));
      if (object === null) return false;
      const context = { subject: caller.id, action, object, owner: ownerId };
      return authority.isAllowed(caller.credential, context, caller.metadata);
    },
  };
}
