import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { permitAnyone, permitOnTenant } from '../authorization/permit.ts';
import type { Note } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { readCheckContext } from '../policy/check-context.ts';
import type {
  Policy,
  PolicyCase,
  PolicyCaseResult,
  PolicyFinding,
  RequestContext,
  UncheckedPolicy,
  Validation,
} from '../policy/types.ts';
import { entityKey } from '../model/entities.ts';
import type { DomainWithPolicies } from '../store/domain-store.ts';
import { summaryOf } from '../policy/digest.ts';
import { domainNotFound } from '../not-found.ts';
import { requireVersion } from '../fields.ts';
import { groundsOfDomainChange, LOCKED_OUT, lockout, writeGuarded } from '../authorization/lockout.ts';

type PolicyDeps = Pick<Deps, 'decisions' | 'stores'>;
type CheckedDeps = Pick<Deps, 'policyWorker' | 'config'>;

export const POLICY_CASES_MAX = 1_000;
/** Findings reported at once; a longer list helps nobody. */
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
 * Replaces the whole set and returns the domain's version after it. When this returns, no replica decides by
 * the old set any more. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, INVALID_POLICY, VERSION_CONFLICT, LOCKOUT,
 * limits.
 */
export async function putDomainPolicies(
  deps: PolicyDeps & CheckedDeps & Pick<Deps, 'write' | 'now'>,
  caller: Caller,
  input: {
    readonly tenantId: string;
    readonly domainId: string;
    readonly policies: readonly UncheckedPolicy[];
    readonly expectedVersion?: number | undefined;
    readonly allowLockout?: boolean | undefined;
  },
  note: Note = () => undefined,
): Promise<number> {
  const { tenantId, domainId, policies, expectedVersion } = input;
  await permitOnTenant(deps, caller, CALLS.PutDomainPolicies, tenantId, {
    action: 'update',
    path: `domains/${domainId}/policies`,
  });
  const valid = await requireValid(deps, caller, policies);
  const before = await deps.stores.domains.find(tenantId, { id: domainId });
  if (before === null) throw domainNotFound();
  requireVersion('domain', before.version, expectedVersion);
  const find = async () => {
    if (input.allowLockout === true) return [];
    const grounds = await groundsOfDomainChange(deps, caller, tenantId, { domainId, policies: valid });
    if (grounds === null) throw lockout('this set of policies locks the tenant');
    return grounds;
  };
  return writeGuarded(deps, [tenantId], find, async ({ domains }, touch) => {
    const domain = await domains.findLocked(tenantId, domainId);
    if (domain === null) throw domainNotFound();
    requireVersion('domain', domain.version, expectedVersion);
    const version = await domains.replacePolicies(domainId, valid, deps.now());
    note({
      before: { version: domain.version, ...summaryOf(domain.policies) },
      after: { version, ...summaryOf(valid) },
    });
    touch(entityKey('domain', domainId));
    return version;
  });
}

/**
 * What `putDomainPolicies` would say of the set. Any live caller may ask; those who name the domain that the
 * set is for must be permitted to read its policies, and are warned of a set that locks the tenant. Throws
 * ACCESS_DENIED, limits.
 */
export async function validatePolicies(
  deps: PolicyDeps & CheckedDeps,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
  target: { readonly tenantId: string; readonly domainId: string } | null,
): Promise<Validation> {
  if (target === null) await permitAnyone(deps, caller, CALLS.ValidatePolicies);
  else {
    const path = `domains/${target.domainId}/policies`;
    await permitOnTenant(deps, caller, CALLS.ValidatePolicies, target.tenantId, { action: 'read', path });
  }
  assertCount(deps, policies);
  const validation = await deps.policyWorker.validate(policies, ownerOf(caller));
  if (target === null || validation.errors.length > 0) return validation;
  const { tenantId, domainId } = target;
  const change = { domainId, policies: policies as readonly Policy[] };
  if ((await groundsOfDomainChange(deps, caller, tenantId, change)) !== null) return validation;
  return { ...validation, warnings: [...validation.warnings, LOCKOUT_WARNING] };
}

const LOCKOUT_WARNING: PolicyFinding = {
  policy: '',
  policyIndex: -1,
  statement: null,
  key: null,
  code: 'lockout',
  message: LOCKED_OUT,
};

/**
 * Decides each case by the given policies alone; a case takes the contexts that a check takes. Throws
 * INVALID_POLICY, INVALID_CONTEXT, INVALID_OBJECT_URI, INVALID_ARGUMENT, limits.
 */
export async function testPolicies(
  deps: CheckedDeps & Pick<Deps, 'decisions'>,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
  cases: readonly PolicyCase[],
): Promise<readonly PolicyCaseResult[]> {
  await permitAnyone(deps, caller, CALLS.TestPolicies);
  if (cases.length > POLICY_CASES_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `more than ${POLICY_CASES_MAX} cases`, { field: 'cases' });
  }
  cases.forEach(({ context }, index) => requireContext(context, index));
  return deps.policyWorker.test(await requireValid(deps, caller, policies), cases, ownerOf(caller));
}

/** Throws what a check of the context throws, naming the case. */
function requireContext(context: RequestContext, index: number): void {
  try {
    readCheckContext(context);
  } catch (error) {
    if (!(error instanceof AuthzError)) throw error;
    const place = `cases[${index}]`;
    throw new AuthzError(error.reason, `${place}: ${error.message}`, { field: `${place}.context` });
  }
}

async function requireValid(
  deps: CheckedDeps,
  caller: Caller,
  policies: readonly UncheckedPolicy[],
): Promise<readonly Policy[]> {
  assertCount(deps, policies);
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

function assertCount({ config }: Pick<Deps, 'config'>, policies: readonly UncheckedPolicy[]): void {
  const { domainPolicies: max } = config;
  if (policies.length <= max) return;
  throw new AuthzError('INVALID_ARGUMENT', `more than ${max} policies`, { field: 'policies' });
}
