import type { Plan, Reading } from '../admission/admission.ts';
import { readSubject, tenantTake, userTakes, type Caller } from '../admission/caller.ts';
import { CALLS } from '../admission/calls.ts';
import { accessDenied, allows } from '../admission/permit.ts';
import { withAttributes } from '../admission/policy-scope.ts';
import type { Deps } from '../ports.ts';
import type { Explanation, RequestContext } from '../policy/types.ts';
import { inSlices } from '../slices.ts';
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
  deps: Pick<Deps, 'admission'>,
  caller: Caller,
  values: RequestContext,
  tenantId?: string,
): Promise<Explanation> {
  const context = readCheckContext(values);
  const { policies, joined } = await deps.admission.admit((reading): Plan<ReadCheck> => {
    const { subject, tenant } = readExplainCaller(reading, caller, tenantId ?? null, context.domainId);
    const check = createCheckReader(reading, tenant)(context);
    const asked = new Map<string, string>([
      ['subject', subject.id],
      ['action', 'explain'],
      ['object', context.object],
    ]);
    // A domain that denies everything also denies `explain` to the administrator who must find out why.
    const mayExplain = () =>
      check.policies.evaluate(withAttributes(asked, subject, tenant.id)).allowed ||
      allows(reading, caller, subject, tenant, { action: 'manage', path: 'tenant' });
    if (!subject.isRoot && !mayExplain()) throw accessDenied();
    const takes = userTakes(reading, subject);
    takes.push(tenantTake(reading, tenant, 'control_plane'));
    return { result: check, takes };
  });
  return inSlices(policies.explainInSteps(joined));
}

/** The caller and the tenant to explain for, which the system root need not belong to. */
function readExplainCaller(
  reading: Reading,
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
