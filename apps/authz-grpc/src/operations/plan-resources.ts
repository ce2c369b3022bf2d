import type { Filter } from '@platform/authz-client/filter';
import { AuthzError, DomainError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { allows } from '../authorization/authorize.ts';
import { failCheck, type Arrival } from '../audit/call-record.ts';
import { requireUuid } from '../ids.ts';
import { objectStart } from '../model/resource.ts';
import type { RequestContext } from '../policy/types.ts';
import { decideCheck } from './check-authorization.ts';
import { enterSearch, searchContextOf, without, type SearchDeps } from './search-resources.ts';

/** What a plan asks about, so that no context says it. */
const ASKED = /^(?:owner$|resource\.)/;

/**
 * The condition on an object of the domain and its attributes under which a check of the context is allowed,
 * for names and attributes within the limits of registered ones. It says what policies say, so the caller
 * needs the permission to read them. It is on record when this returns, and so is a refusal when this throws.
 * Throws INVALID_CONTEXT, INVALID_ARGUMENT, TOKEN_INVALID, TENANT_REQUIRED, DOMAIN_NOT_ACCESSIBLE,
 * ACCESS_DENIED, limits.
 */
export async function planResources(
  deps: SearchDeps,
  caller: Caller,
  request: { readonly context: RequestContext; readonly domainId: string } | DomainError,
  arrival: Arrival,
): Promise<Filter> {
  try {
    if (request instanceof DomainError) throw request;
    const domainId = requireUuid(request.domainId, 'domain_id');
    const claimed = [...request.context.keys()].find((key) => ASKED.test(key));
    if (claimed !== undefined) {
      throw new AuthzError(
        'INVALID_CONTEXT',
        `\`context.${claimed}\` must not be sent: the plan asks each resource for it`,
        { field: `context.${claimed}` },
      );
    }
    const context = searchContextOf({ ...request, page: {} }, 'object', `${objectStart(domainId)}x`);
    const entered = await enterSearch(deps, caller, CALLS.PlanResources, context, (reading, asked) => {
      const path = `domains/${domainId}/policies`;
      const { subject, check } = asked;
      return subject.isRoot || allows(reading, caller, subject, check.tenant, { action: 'read', path });
    });
    const { filter, problems } = entered.policies.plan(without(entered.joined, 'object'));
    if (problems.some(({ code }) => code === 'set_freed')) {
      throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the policies have left the memory, try again', {
        retryAfterSeconds: 1,
      });
    }
    const event = decideCheck(deps, caller, entered, arrival.startedAt);
    const row = {
      ...event,
      object: objectStart(domainId),
      decision: filter.kind !== 'constant' || filter.value,
      matchedPolicy: '',
      detail: '{"search":"plan"}',
    };
    await deps.audit.record([row], arrival.traceparent);
    return filter;
  } catch (error) {
    const context = request instanceof DomainError ? null : request.context;
    return failCheck(deps, caller, error, context, arrival);
  }
}
