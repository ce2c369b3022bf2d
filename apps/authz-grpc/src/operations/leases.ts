import { AuthzError } from '@platform/error-contracts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import type { Caller } from '../authorization/caller.ts';
import type { Deps } from '../ports.ts';
import { isUuid } from '../ids.ts';
import type { SubjectState, TenantState } from '../model/entities.ts';

/**
 * What other services keep with what they store, to ask later whether it may still be served. Opaque to them.
 */
export interface Leases {
  /** Of the caller's membership, or their service account; of the tenant where the system root acts in it. */
  readonly subject: string;
  /**
   * The same, which ends besides with the API key or service account key that the call comes from, or with
   * the grant of the program (OAuth) that calls for its user.
   */
  readonly credential: string;
  /** As `credential`; of a user's session, it ends besides when the user revokes their keys. */
  readonly keys: string;
  readonly tenant: string;
}

export type LeaseStatus = 'active' | 'suspended' | 'ended';

/** What has become of a lease. */
export interface LeaseState {
  readonly status: LeaseStatus;
  /** Of a tenant's lease, once the tenant is deleted. */
  readonly tenantDeletedAt: Date | null;
}

/** Leases that may be asked about in one call. */
const LEASES_MAX = 100;

/** The leases of a live caller in their tenant. */
export function leasesOf(
  reading: StateReader,
  caller: Caller,
  subject: SubjectState,
  tenant: TenantState,
): Leases {
  const ofTenant = `${tenant.id}.${tenant.lease}`;
  const own = leaseIn(tenant.id, subject);
  const ofSubject = own ?? ofTenant;
  const keyId = own === null ? null : keyOf(reading, caller, subject);
  const ofCredential = keyId === null ? ofSubject : `${ofSubject}.${keyId}`;
  const ofKeys = own === null || keyId !== null ? ofCredential : `${own}.${subject.keysLease}`;
  return { subject: ofSubject, credential: ofCredential, keys: ofKeys, tenant: ofTenant };
}

/** The lease of the subject's membership or account in a tenant; null where they have none. */
export function leaseIn(tenantId: string, subject: SubjectState): string | null {
  const own = subject.leases.get(tenantId);
  return own === undefined ? null : `${tenantId}.${own}.${subject.id}`;
}

/**
 * The long-lived key or grant that the caller's credential is or was derived from; null for a user's own
 * session, whose holder can log in again.
 */
function keyOf(reading: StateReader, caller: Caller, subject: SubjectState): string | null {
  if (caller.use !== 'session') return caller.jti;
  // Only programs have tokens for one resource.
  if (subject.kind === 'user' && caller.resource === undefined) return null;
  return reading.get('credential', caller.jti)?.parentId ?? null;
}

/**
 * What has become of each lease, by index. A lease is suspended while its tenant is inactive, and ended for
 * good with its membership, user, service account, tenant or keys; a text that is not a lease counts as
 * ended. The lease itself is the right to ask: it holds 122 random bits and only services see it. Takes no
 * quota. Throws INVALID_ARGUMENT.
 */
export async function getLeaseStates(
  deps: Pick<Deps, 'decisions' | 'stores'>,
  leases: readonly string[],
): Promise<LeaseState[]> {
  if (leases.length > LEASES_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${LEASES_MAX} leases`, { field: 'leases' });
  }
  const parsed = leases.map(parseLease);
  const statuses = await deps.decisions.runDecision((reading): DecisionPlan<LeaseStatus[]> => {
    const result: LeaseStatus[] = [];
    let suspension: unknown;
    for (const lease of parsed) {
      try {
        result.push(lease === null ? 'ended' : readStatus(reading, lease));
      } catch (error) {
        if (!reading.isSuspension(error)) throw error;
        suspension = error;
      }
    }
    // All that is missing is loaded together.
    if (suspension !== undefined) throw suspension;
    return { result };
  });
  const gone = parsed.flatMap((lease, index) =>
    lease !== null && lease.subjectId === null && statuses[index] === 'ended'
      ? [{ id: lease.tenantId, lease: lease.secret }]
      : [],
  );
  const deletions = gone.length === 0 ? new Map<string, Date>() : await deps.stores.tenants.findDeleted(gone);
  return parsed.map((lease, index) => ({
    status: statuses[index]!,
    tenantDeletedAt: lease?.subjectId === null ? (deletions.get(lease.secret) ?? null) : null,
  }));
}

interface ParsedLease {
  readonly tenantId: string;
  readonly secret: string;
  /** Null in the lease of a tenant. */
  readonly subjectId: string | null;
  /** The API key, grant, or the user's `keysLease`, that it ends with, or null. */
  readonly key: string | null;
}

function parseLease(text: string): ParsedLease | null {
  const parts = text.split('.');
  if (parts.length < 2 || parts.length > 4 || !parts.every(isUuid)) return null;
  const [tenantId, secret, subjectId = null, key = null] = parts as [string, string, ...string[]];
  return { tenantId, secret, subjectId, key };
}

function readStatus(reading: StateReader, { tenantId, secret, subjectId, key }: ParsedLease): LeaseStatus {
  if (subjectId !== null) {
    const subject = reading.get('subject', subjectId);
    if (subject === null || !subject.active || subject.leases.get(tenantId) !== secret) return 'ended';
    if (key !== null && key !== subject.keysLease) {
      const credential = reading.get('credential', key);
      if (credential === null || credential.revoked) return 'ended';
    }
  }
  const tenant = reading.get('tenant', tenantId);
  if (tenant === null || (subjectId === null && tenant.lease !== secret)) return 'ended';
  return tenant.active ? 'active' : 'suspended';
}
