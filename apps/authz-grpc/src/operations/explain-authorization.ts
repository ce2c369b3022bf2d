import { AuthzError } from '@platform/error-contracts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { readSubject, tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import { CALLS, requireCall } from '../authorization/calls.ts';
import { accessDenied, allows } from '../authorization/authorize.ts';
import { readPolicySet, withAttributes } from '../authorization/policy-scope.ts';
import { readKeptCheck, type KeptCheck } from '../audit/check-detail.ts';
import { searchFault } from '../model/search-row.ts';
import { NOBODYS_ID } from '../ids.ts';
import type { ChainedEvent } from '../model/audit-event.ts';
import { combineDomains } from '../policy/compile.ts';
import type { SubjectState } from '../model/entities.ts';
import type { Deps } from '../ports.ts';
import type { CompiledDomain, Explanation, RequestContext } from '../policy/types.ts';
import { fairMemo, runInTimeSlices } from '../time-slices.ts';
import { readCheckContext } from '../policy/check-context.ts';
import {
  createCheckReader,
  domainNotAccessible,
  readCheckCaller,
  type ReadCheck,
} from './check-authorization.ts';

/**
 * Why a check is decided as it is, policy by policy, computed afresh. The caller needs the permission
 * `explain` on the object, or `manage` on the tenant's root domain. The system root may name the tenant; the
 * token's, else that of the object's domain, is taken for it. A management call, and no audit row: nothing
 * was allowed by it. Throws as `checkAuthorization`, ACCESS_DENIED.
 */
export async function explainAuthorization(
  deps: Pick<Deps, 'decisions'>,
  caller: Caller,
  values: RequestContext,
  tenantId?: string,
): Promise<Explanation> {
  const context = readCheckContext(values);
  const { policies, joined } = await deps.decisions.runDecision((reading): DecisionPlan<ReadCheck> => {
    const { subject, tenant } = readExplainCaller(reading, caller, tenantId ?? null, context.domainId);
    const check = createCheckReader(reading, tenant)(context);
    if (!mayExplain(reading, caller, subject, check)) throw accessDenied();
    const quotas = userTakes(reading, subject);
    quotas.push(tenantTake(reading, tenant, 'control_plane'));
    return { result: check, quotas };
  });
  return runInTimeSlices(policies.explainInSteps(joined, fairMemo()));
}

/** A check of the past, explained. */
export interface PastExplanation extends Explanation {
  readonly check: ChainedEvent;
  /** Where the explanation may not be what the check was. */
  readonly doubts: readonly string[];
}

/**
 * Why a check was decided as it was: the context, the attributes and the versions that its row keeps, under
 * the policies of those versions. Those who may explain such a check now may ask. Throws ACCESS_DENIED,
 * CHECK_NOT_FOUND, INVALID_ARGUMENT for a check that was refused or whose row keeps no context and for a row
 * that is about no single request, limits.
 */
export async function explainPastCheck(
  deps: Pick<Deps, 'decisions' | 'auditRows' | 'stores' | 'policies'>,
  caller: Caller,
  checkId: string,
  tenantId?: string,
): Promise<PastExplanation> {
  const chain = tenantId ?? caller.tenantId;
  if (chain === null)
    throw new AuthzError('TENANT_REQUIRED', 'the token carries no tenant: send `tenant_id`');
  const found = await deps.auditRows.event(chain, checkId);
  const check = found?.operation === '' ? found : null;
  await deps.decisions.runDecision((reading): DecisionPlan<null> => {
    const domainId = check?.domainId ?? NOBODYS_ID;
    const { subject, tenant } = readExplainCaller(reading, caller, chain, domainId);
    const mayManage = () => allows(reading, caller, subject, tenant, { action: 'manage', path: 'tenant' });
    const isExplainer = () => {
      const scope = check === null ? null : readPolicySet(reading, tenant, domainId);
      const asked = new Map([
        ['subject', subject.id],
        ['action', 'explain'],
        ['object', check?.object ?? ''],
      ]);
      const joined = withAttributes(asked, subject, tenant.id);
      return scope?.policies.evaluate(joined, reading.regexes).allowed === true;
    };
    if (!subject.isRoot && !mayManage() && !isExplainer()) throw accessDenied();
    const quotas = userTakes(reading, subject);
    quotas.push(tenantTake(reading, tenant, 'control_plane'));
    return { result: null, quotas };
  });
  if (check === null)
    throw new AuthzError('CHECK_NOT_FOUND', 'no such check, or its row is gone by retention');
  if (check.outcome !== '') throw notExplained(`was refused with ${check.outcome}: no policy decided it`);
  const fault = searchFault(check);
  if (fault !== null) throw notExplained(fault);
  const kept = readKeptCheck(check);
  if (kept === null) throw notExplained('is of before rows kept contexts');
  const explanation = await explainKept(deps, kept);
  return { ...explanation, check, doubts: doubtsOf(check, kept, explanation) };
}

function notExplained(why: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', `the check of \`check_id\` ${why}`, { field: 'check_id' });
}

async function explainKept(
  { stores, policies }: Pick<Deps, 'stores' | 'policies'>,
  { context, versions }: KeptCheck,
): Promise<Explanation> {
  const domains: CompiledDomain[] = [];
  try {
    for (const [domainId, version] of versions) {
      const set = await stores.domains.policiesAt(domainId, version);
      if (set === null) throw notExplained(`was decided by policies of domain ${domainId} that are gone`);
      domains.push(await policies.compile({ domainId, version, policies: set.policies }));
    }
    return await runInTimeSlices(combineDomains(domains).explainInSteps(context, fairMemo()));
  } finally {
    for (const domain of domains) domain.free();
  }
}

function doubtsOf(check: ChainedEvent, { digested }: KeptCheck, { decision }: Explanation): string[] {
  const doubts = digested.map(
    (key) =>
      `the row keeps a digest of what \`${key}\` had above 1 KiB: its rules are explained without that`,
  );
  if (decision.allowed !== check.decision)
    doubts.push(`the check was ${check.decision ? 'allowed' : 'denied'}, and explained it is not`);
  return doubts;
}

/**
 * Whether the caller's subject may learn why checks of the object are decided as they are. Throws
 * ACCESS_DENIED naming the scope that the credential lacks.
 */
export function mayExplain(
  reading: StateReader,
  caller: Caller,
  subject: SubjectState,
  { policies, tenant, context }: ReadCheck,
): boolean {
  requireCall(CALLS.ExplainAuthorization, caller, subject);
  const asked = new Map<string, string>([
    ['subject', subject.id],
    ['action', 'explain'],
    ['object', context.object],
  ]);
  return (
    subject.isRoot ||
    policies.evaluate(withAttributes(asked, subject, tenant.id), reading.regexes).allowed ||
    // A domain that denies everything also denies `explain` to the administrator who must find out why.
    allows(reading, caller, subject, tenant, { action: 'manage', path: 'tenant' })
  );
}

/** The caller and the tenant to explain for, which the system root need not belong to. */
function readExplainCaller(
  reading: StateReader,
  caller: Caller,
  tenantId: string | null,
  domainId: string,
): ReturnType<typeof readCheckCaller> {
  const subject = readSubject(reading, caller, CALLS.ExplainAuthorization);
  if (!subject.isRoot) {
    if (tenantId !== null && tenantId !== caller.tenantId) throw accessDenied();
    return readCheckCaller(reading, caller, CALLS.ExplainAuthorization);
  }
  const id = tenantId ?? caller.tenantId ?? reading.get('domain', domainId)?.tenantId;
  const tenant = id === undefined ? null : reading.get('tenant', id);
  if (tenant === null) throw domainNotAccessible();
  return { subject, tenant };
}
