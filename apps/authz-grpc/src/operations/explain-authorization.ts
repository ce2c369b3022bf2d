import type { Plan } from '../admission/admission.ts';
import { tenantTake, userTakes, type Caller } from '../admission/caller.ts';
import { CALLS } from '../admission/calls.ts';
import { accessDenied } from '../admission/permit.ts';
import { withAttributes } from '../admission/policy-scope.ts';
import type { Deps } from '../ports.ts';
import type { Explanation, RequestContext } from '../policy/types.ts';
import { inSlices } from '../slices.ts';
import { readCheckContext } from '../policy/check-context.ts';
import { createCheckReader, readCheckCaller, type ReadCheck } from './check-authorization.ts';

/**
 * Why a check is decided as it is, policy by policy, computed afresh. The caller needs the permission `explain` on the
 * object. A management call, and no audit row: nothing was allowed by it. Throws as `checkAuthorization`, ACCESS_DENIED.
 */
export async function explainAuthorization(
  deps: Pick<Deps, 'admission'>,
  caller: Caller,
  values: RequestContext,
): Promise<Explanation> {
  const context = readCheckContext(values);
  const { policies, joined } = await deps.admission.admit((reading): Plan<ReadCheck> => {
    const { subject, tenant } = readCheckCaller(reading, caller, CALLS.ExplainAuthorization);
    const check = createCheckReader(reading, tenant)(context);
    const asked = new Map<string, string>([
      ['subject', subject.id],
      ['action', 'explain'],
      ['object', context.object],
    ]);
    const mayExplain = check.policies.evaluate(withAttributes(asked, subject, tenant.id)).allowed;
    if (!subject.isRoot && !mayExplain) throw accessDenied();
    const takes = userTakes(reading, subject);
    takes.push(tenantTake(reading, tenant, 'control_plane'));
    return { result: check, takes };
  });
  return inSlices(policies.explainInSteps(joined));
}
