import type { Action } from '../domain/scopes.ts';
import type { Caller } from './caller.ts';

/**
 * Says whom a credential speaks for. `authenticate` gives null for a credential that is unknown, malformed, expired or
 * revoked, without telling which. `action` is what the caller is about to do: what he may do besides need not be found out.
 * Throws DomainError `unavailable` when it cannot be found out; nobody is let in then.
 */
export interface CredentialAuthority {
  authenticate(credential: string, now: Date, action: Action): Promise<Caller | null>;
}
