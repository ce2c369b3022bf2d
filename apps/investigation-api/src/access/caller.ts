import type { Holder } from '../model/role.ts';

export interface Caller {
  /** User or service account. */
  readonly id: string;
  /** Null when no authorization service is asked. */
  readonly username: string | null;
  readonly tenantId: string | null;
  /** Domain whose policies speak about the tenant's sessions; null when no authorization service is asked. */
  readonly rootDomainId: string | null;
  readonly scopes: readonly string[];
  /**
   * Leases of authz-grpc for what is stored for the caller; null without tenant, and where authz-grpc is not
   * asked.
   */
  readonly leases: {
    readonly subject: string;
    /** Ends besides with the key that the caller came with. */
    readonly credential: string;
    readonly tenant: string;
  } | null;
  /** Token or API key as it was sent, for asking the authorization service as the caller. */
  readonly credential: string;
  /** Request id and trace, which go along when the authorization service is asked. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The caller as invitations know them. */
export function holderOf({ id, leases }: Pick<Caller, 'id' | 'leases'>): Holder {
  return { userId: id, lease: leases?.subject ?? null };
}

/** For whom the engine works: callers of one tenant share its turns in the queue. */
export function workFor(caller: Caller): {
  readonly owner: string;
  readonly traceparent: string | undefined;
} {
  return { owner: caller.tenantId ?? caller.id, traceparent: caller.metadata.traceparent };
}
