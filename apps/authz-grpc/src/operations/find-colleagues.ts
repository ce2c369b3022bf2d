import { AuthzError } from '@platform/error-contracts';
import { tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { decideRevocation } from '../authorization/revocation.ts';
import type { Deps } from '../ports.ts';
import { isUuid } from '../ids.ts';
import type { SubjectState } from '../model/entities.ts';
import { callOfColleagues, readCheckCaller } from './check-authorization.ts';
import { leaseIn } from './leases.ts';

/** Names and ids of one call. */
const COLLEAGUES_MAX = 100;

/** A user or service account of the caller's tenant. */
export interface Colleague {
  readonly id: string;
  readonly username: string;
  /** The lease of their membership or account. */
  readonly lease: string;
  readonly isServiceAccount: boolean;
}

/**
 * The active users with these names, and the active users and service accounts with these ids, that belong to
 * the tenant of the caller's token, each once. A name or id of nobody, of somebody inactive and of somebody
 * elsewhere is left out alike. For the services, which ask with the credential that they were called with.
 * Takes one call of the user's plane and of the tenant's data_plane, for a revocation as `decideRevocation`
 * says. Throws TOKEN_INVALID, TENANT_REQUIRED,
 * ACCESS_DENIED, INVALID_ARGUMENT, limits.
 */
export async function findColleagues(
  { decisions, stores }: Pick<Deps, 'decisions' | 'stores'>,
  caller: Caller,
  { usernames, ids }: { readonly usernames: readonly string[]; readonly ids: readonly string[] },
): Promise<Colleague[]> {
  if (usernames.length + ids.length > COLLEAGUES_MAX) {
    const message = `more than ${COLLEAGUES_MAX} names and ids`;
    throw new AuthzError('INVALID_ARGUMENT', message, { field: 'usernames' });
  }
  // A caller who may not ask has nothing looked up.
  const admit = (reading: StateReader): DecisionPlan<null> => {
    const { subject, tenant } = readCheckCaller(reading, caller, callOfColleagues(caller));
    return {
      result: null,
      quotas: [...userTakes(reading, subject), tenantTake(reading, tenant, 'data_plane')],
    };
  };
  await (caller.isRevoking ? decideRevocation(decisions, caller, admit) : decisions.runDecision(admit));
  const found = await Promise.all(usernames.map((username) => stores.users.findId(username)));
  const asked = new Set([...found.filter((id) => id !== null), ...ids.filter(isUuid)]);
  return decisions.runDecision((reading): DecisionPlan<Colleague[]> => {
    const { tenant } = readCheckCaller(reading, caller, callOfColleagues(caller));
    const subjects: (SubjectState | null)[] = [];
    let suspension: unknown;
    for (const id of asked) {
      try {
        subjects.push(reading.get('subject', id));
      } catch (error) {
        if (!reading.isSuspension(error)) throw error;
        suspension = error;
      }
    }
    // All that is missing is loaded together.
    if (suspension !== undefined) throw suspension;
    const result = subjects.flatMap((subject): Colleague[] => {
      const lease = subject?.active === true ? leaseIn(tenant.id, subject) : null;
      if (subject === null || lease === null) return [];
      const { id, username, kind } = subject;
      return [{ id, username, lease, isServiceAccount: kind === 'service_account' }];
    });
    return { result };
  });
}
