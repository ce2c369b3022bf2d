import type { Caller } from './caller.ts';

/**
 * Says whom a credential speaks for. `authenticate` gives null for a credential that is unknown, malformed, expired or
 * revoked, without telling which. Throws DomainError `unavailable` when it cannot find out; nobody is let in then.
 */
export interface CredentialAuthority {
  authenticate(credential: string, now: Date): Promise<Caller | null>;
}
