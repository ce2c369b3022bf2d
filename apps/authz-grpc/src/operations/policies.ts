import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../admission/caller.ts';
import { CALLS } from '../admission/calls.ts';
import { permitAnyone, permitOnTenant } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import type { Policy, PolicyCase, PolicyCaseResult, UncheckedPolicy, Validation } from '../policy/types.ts';
import { entityKey } from '../state/entities.ts';
import type { DomainWithPolicies } from '../store/domain-store.ts';
import { domainNotFound } from '../not-found.ts';

type PolicyDeps = Pick<Deps, 'admission' | 'stores'>;

export const POLICIES_MAX = 100_000;
export const POLICY_CASES_MAX = 1_000;
/** Findings told at once; more help nobody. */
const FINDINGS_TOLD_MAX = 20;

/** Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, limits. */
export async function getDomainPolicies(
  deps: PolicyDeps,
  caller: Caller,
  tenantId: string,
  domainId: string,
): Promise<DomainWithPolicies> {
  await permitOnTenant(deps, caller, CALLS.GetDomainPolicies, tenantId, {
    action: 'read',
    path: `domains/${domainId}/policies`,
  });
  const domain = await deps.stores.domains.find(tenantId, { id: domainId });
  if (domain === null) throw domainNotFound();
  return domain;
}

/**
 * Replaces the whole set and returns the domain's version after it. When this returns, no replica decides by the old
 * set any more. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, INVALID_POLICY, VERSION_CONFLICT, limits.
 */
export async function putDomainPolicies(
  deps: PolicyDeps & Pick<Deps, 'write' | 'policyWorker'>,
  caller: Caller,
  input: {
    readonly tenantId: string;
    readonly domainId: string;
    readonly policies: readonly UncheckedPolicy[];
    readonly expectedVersion?: number | undefined;
  },
): Promise<number> {
  const { tenantId, domainId, policies, expectedVersion } = input;
  await permitOnTenant(deps, caller, CALLS.PutDomainPolicies, tenantId, {
    action: 'update',
    path: `domains/${domainId}/policies`,
  });
  const valid = await requireValid(deps, caller, policies);
  return deps.write(async ({ domains }, touch) => {
    const domain = await domains.findLocked(tenantId, domainId);
    if (domain === null) throw domainNotFound();
    if (expectedVersion !== undefined && expectedVersion !== domain.version) {
      throw new AuthzError('VERSION_CONFLICT', 'the policies have changed since they were read');
    }
    const version = await domains.replacePolicies(domainId, valid);
    touch(entityKey('domain', domainId));
    return version;
  });
}

/** What `putDomainPolicies` would say of the set. Any live caller may ask. */
export async function validatePolicies(
  deps: Pick<Deps, 'admission' | 'policyWorker'>,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
): Promise<Validation> {
  await permitAnyone(deps, caller, CALLS.ValidatePolicies);
  assertCount(policies);
  return deps.policyWorker.validate(policies, ownerOf(caller));
}

/** Decides each case by the given policies alone. Throws INVALID_POLICY, INVALID_ARGUMENT, limits. */
export async function testPolicies(
  deps: Pick<Deps, 'admission' | 'policyWorker'>,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
  cases: readonly PolicyCase[],
): Promise<readonly PolicyCaseResult[]> {
  await permitAnyone(deps, caller, CALLS.TestPolicies);
  if (cases.length > POLICY_CASES_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${POLICY_CASES_MAX} cases`, { field: 'cases' });
  }
  return deps.policyWorker.test(await requireValid(deps, caller, policies), cases, ownerOf(caller));
}

async function requireValid(
  deps: Pick<Deps, 'policyWorker'>,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
): Promise<readonly Policy[]> {
  assertCount(policies);
  const { errors } = await deps.policyWorker.validate(policies, ownerOf(caller));
  if (errors.length === 0) return policies as readonly Policy[];
  const details: Record<string, string> = {};
  for (const { policyIndex, statement, key, message } of errors.slice(0, FINDINGS_TOLD_MAX)) {
    const owner = `policies[${policyIndex}]${statement === null ? '' : `.statements[${statement}]`}`;
    const place = key === null ? owner : `${owner}.rules.${key}`;
    details[place] = details[place] === undefined ? message : `${details[place]}; ${message}`;
  }
  const first = errors[0] as (typeof errors)[number];
  throw new AuthzError('INVALID_POLICY', `policy \`${first.policy}\`: ${first.message}`, { details });
}

/** For whom the policy worker works. */
function ownerOf({ tenantId, subjectId }: Caller): string {
  return tenantId ?? subjectId;
}

function assertCount(policies: readonly UncheckedPolicy[]): void {
  if (policies.length > POLICIES_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${POLICIES_MAX} policies`, { field: 'policies' });
  }
}
