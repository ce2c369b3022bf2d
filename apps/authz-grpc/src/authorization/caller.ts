import { AuthzError } from '@platform/error-contracts';
import { counterKey } from '../model/quota.ts';
import type { QuotaTake } from '../limits/limit-store.ts';
import {
  TENANT_EPOCH,
  USER_EPOCH,
  type SubjectState,
  type TenantState,
  type TokenUse,
} from '../model/entities.ts';
import type { StateReader } from './decision-runner.ts';
import { requireCall, type Call } from './calls.ts';
import type { Scope } from './scopes.ts';

/** Who calls, as the verified token says. Whether the token still holds is decided at the limit store. */
export interface Caller {
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly jti: string;
  readonly use: TokenUse;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  readonly scopes: readonly Scope[];
  /** The signing key of the token. */
  readonly kid: string;
  /**
   * The only service that the token may be used at (RFC 8707), which may ask here about its caller; absent
   * for tokens of the platform.
   */
  readonly resource?: string;
  /** The call says that it asks for a request that ends a credential or takes access back. */
  readonly isRevoking?: true;
}

export function tokenInvalid(cause?: unknown): AuthzError {
  return new AuthzError('TOKEN_INVALID', 'missing, invalid, expired or revoked token', { cause });
}

/**
 * The caller's subject, if the token is live (issued, signed by an accepted key, not revoked, its subject
 * active) and may make the call. Throws TOKEN_INVALID, SESSION_REQUIRED, ACCESS_DENIED.
 */
export function readSubject(reading: StateReader, caller: Caller, call: Call): SubjectState {
  const subject = readLiveSubject(reading, caller);
  requireCall(call, caller, subject);
  return subject;
}

/** The caller's subject, if the token is live, whatever it is used for. Throws TOKEN_INVALID. */
export function readLiveSubject(reading: StateReader, caller: Caller): SubjectState {
  if (reading.get('signing_key', caller.kid) === 'retired') throw tokenInvalid();
  const credential = reading.get('credential', caller.jti);
  if (credential === null || credential.revoked || credential.subjectId !== caller.subjectId)
    throw tokenInvalid();
  const subject = reading.get('subject', caller.subjectId);
  if (subject === null || !subject.active) throw tokenInvalid();
  return subject;
}

/** Whether the subject may act within the tenant at all. */
export function belongsTo(subject: SubjectState, tenantId: string): boolean {
  return subject.isRoot || subject.tenantIds.has(tenantId);
}

/**
 * One call, or `calls` of them, of the user's own plane, none meaning that one must be left; nothing for
 * service accounts, which have no plane, and for the system root, which nobody could let in again.
 */
export function userTakes(reading: StateReader, subject: SubjectState, calls = 1): QuotaTake[] {
  if (subject.userPlane === null || subject.isRoot) return [];
  const { maxTokens, maxOverage } = subject.userPlane;
  return [
    {
      key: counterKey(subject.id, 'user_plane'),
      calls,
      epoch: reading.get('epoch', USER_EPOCH).epoch,
      capacity: maxTokens + maxOverage,
    },
  ];
}

/** `calls` of one of the tenant's planes, none meaning that one must be left. */
export function tenantTake(
  reading: StateReader,
  tenant: TenantState,
  plane: 'control_plane' | 'data_plane',
  calls = 1,
): QuotaTake {
  const { maxTokens, maxOverage } = plane === 'control_plane' ? tenant.controlPlane : tenant.dataPlane;
  return {
    key: counterKey(tenant.id, plane),
    calls,
    epoch: reading.get('epoch', TENANT_EPOCH).epoch,
    capacity: maxTokens + maxOverage,
  };
}
