import type { CallMetadata } from '@platform/authz-client';
import type { Action } from '../rules/scopes.ts';
import type { Caller } from './caller.ts';

/** The part of a request that the judgement of its credential needs. */
export interface CredentialUse {
  readonly now: Date;
  /** The action the caller is about to take; permissions for other actions are not looked up. */
  readonly action: Action | undefined;
  /** Request id and trace, for calls made on the request's behalf. */
  readonly metadata: CallMetadata;
}

/**
 * Says whom a credential speaks for. `authenticate` gives null for a credential that is unknown, malformed,
 * expired or revoked, without telling which. Throws DomainError `unavailable` when it cannot be found out,
 * `rate_limited` when the holder has no calls left; nobody is let in then.
 */
export interface CredentialAuthority {
  authenticate(credential: string, use: CredentialUse): Promise<Caller | null>;
  /**
   * Whether a credential that was let in is good still, as far as this service knows by itself: no other is
   * asked again.
   */
  isActive(credential: string, now: Date): Promise<boolean>;
}
