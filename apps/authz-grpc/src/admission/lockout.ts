import { AuthzError } from '@platform/error-contracts';
import type { Policy, PolicyCase, PolicyCaseResult, RequestContext } from '../policy/types.ts';
import type { SubjectState, TenantState } from '../model/entities.ts';
import type { DomainRow } from '../store/domain-store.ts';
import type { Stores } from '../store/stores.ts';
import type { Admission, Reading } from './admission.ts';
import type { Caller } from './caller.ts';
import { readPolicySet, withAttributes } from './policy-scope.ts';

interface LockoutDeps {
  readonly admission: Admission;
  readonly stores: Pick<Stores, 'tenants' | 'serviceAccounts' | 'domains'>;
}

interface WithPolicyTests {
  readonly policyWorker: {
    test(
      policies: readonly Policy[],
      cases: readonly PolicyCase[],
      owner: string,
    ): Promise<readonly PolicyCaseResult[]>;
  };
}

/** Accounts asked about at a time. */
const ASKED_AT_ONCE = 500;

/**
 * What someone must be allowed so that the tenant can still be managed: to write the policies of its root
 * domain again.
 */
function manageContext(tenant: TenantState, subjectId: string): Map<string, string> {
  const { rootDomainId } = tenant;
  return new Map([
    ['subject', subjectId],
    ['action', 'update'],
    ['object', `svc://${rootDomainId}/domains/${rootDomainId}/policies`],
  ]);
}

/**
 * Whether some account of the tenant could still write the root domain's policies if these were its effective
 * ones. The caller is asked about first, who nearly always is the one.
 */
async function staysManageable(
  deps: LockoutDeps & WithPolicyTests,
  caller: Caller,
  tenantId: string,
  policies: readonly Policy[],
): Promise<boolean> {
  for await (const subjects of accountsOf(deps, tenantId, caller.subjectId)) {
    const cases = await deps.admission.admit((reading): { result: PolicyCase[] } => {
      const tenant = reading.get('tenant', tenantId);
      if (tenant === null) return { result: [] };
      const contexts = activeOf(reading, subjects, tenantId).map((subject): RequestContext =>
        withAttributes(manageContext(tenant, subject.id), subject, tenantId),
      );
      return { result: contexts.map((context) => ({ context, expected: true })) };
    });
    if (cases.length === 0) continue;
    const results = await deps.policyWorker.test(policies, cases, tenantId);
    if (results.some(({ decision }) => decision.allowed)) return true;
  }
  return false;
}

/** A change of one domain, of which the tenant's root domain may be made of. */
interface DomainChange {
  readonly domainId: string;
  readonly policies?: readonly Policy[];
  readonly superiorIds?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Whether the change would leave nobody who can write the policies of the tenant's root domain. False for a
 * change that does not reach the root domain's effective policies.
 */
export async function locksOut(
  deps: LockoutDeps & WithPolicyTests,
  caller: Caller,
  tenantId: string,
  { domainId, policies, superiorIds, active }: DomainChange,
): Promise<boolean> {
  const { domains } = deps.stores;
  const before = await domains.list(tenantId);
  const after = before.map((domain) =>
    domain.id === domainId
      ? { ...domain, superiorIds: superiorIds ?? domain.superiorIds, active: active ?? domain.active }
      : domain,
  );
  const effective = effectiveDomains(after);
  const reaches = [...effective, ...effectiveDomains(before)].some(({ id }) => id === domainId);
  if (!reaches) return false;
  // Under an inactive superior every check is denied.
  if (effective.some((domain) => !domain.active)) return true;
  const sets = await Promise.all(
    effective.map(async ({ id }) =>
      id === domainId && policies !== undefined
        ? policies
        : ((await domains.find(tenantId, { id }))?.policies ?? []),
    ),
  );
  return !(await staysManageable(deps, caller, tenantId, sets.flat()));
}

/** The domains whose policies decide about the root domain: itself, its superiors and theirs. */
function effectiveDomains<D extends Pick<DomainRow, 'id' | 'isRoot' | 'superiorIds'>>(
  domains: readonly D[],
): D[] {
  const byId = new Map(domains.map((domain) => [domain.id, domain]));
  const effective = new Set(domains.filter(({ isRoot }) => isRoot));
  // A Set iterates over what is added meanwhile.
  for (const { superiorIds } of effective) {
    for (const id of superiorIds) {
      const superior = byId.get(id);
      if (superior !== undefined) effective.add(superior);
    }
  }
  return [...effective];
}

/**
 * Throws LOCKOUT when the user is the last account that can write the policies of one of these tenants' root
 * domains. The system root, who repairs tenants, is not held back.
 */
export async function requireOtherManager(
  deps: LockoutDeps,
  caller: Caller,
  userId: string,
  tenantIds: readonly string[],
): Promise<void> {
  for (const tenantId of tenantIds) {
    const mayManage = (ids: readonly string[]) =>
      deps.admission.admit((reading): { result: boolean } => {
        if (reading.get('subject', caller.subjectId)?.isRoot === true) return { result: false };
        const tenant = reading.get('tenant', tenantId);
        if (tenant === null || !tenant.active) return { result: false };
        const scope = readPolicySet(reading, tenant, tenant.rootDomainId);
        const result = activeOf(reading, ids, tenantId).some(
          (subject) =>
            scope?.policies.evaluate(withAttributes(manageContext(tenant, subject.id), subject, tenantId))
              .allowed,
        );
        return { result };
      });
    if (!(await mayManage([userId]))) continue;
    let hasOther = false;
    for await (const subjects of accountsOf(deps, tenantId, null)) {
      hasOther ||= await mayManage(subjects.filter((id) => id !== userId));
      if (hasOther) break;
    }
    if (!hasOther) throw lockout('the user is the last one who can manage a tenant');
  }
}

export function lockout(why: string): AuthzError {
  return new AuthzError(
    'LOCKOUT',
    `${why}: nobody of the tenant could write its policies again; send \`allow_lockout\` to do it all the same`,
  );
}

/** The accounts of a tenant in slices; `first`, when it is given, is a slice of its own. */
async function* accountsOf(
  { stores }: LockoutDeps,
  tenantId: string,
  first: string | null,
): AsyncGenerator<readonly string[]> {
  if (first !== null) yield [first];
  const ids = [
    ...(await stores.tenants.memberIds(tenantId)),
    ...(await stores.serviceAccounts.ids(tenantId)),
  ];
  for (let at = 0; at < ids.length; at += ASKED_AT_ONCE) yield ids.slice(at, at + ASKED_AT_ONCE);
}

/** The active accounts among these; all that are not in memory are loaded at once. */
function activeOf(reading: Reading, ids: readonly string[], tenantId: string): SubjectState[] {
  let suspension: unknown;
  const subjects = ids.flatMap((id) => {
    try {
      const subject = reading.get('subject', id);
      return subject?.active === true && subject.tenantIds.has(tenantId) ? [subject] : [];
    } catch (error) {
      if (!reading.isSuspension(error)) throw error;
      suspension = error;
      return [];
    }
  });
  if (suspension !== undefined) throw suspension;
  return subjects;
}
