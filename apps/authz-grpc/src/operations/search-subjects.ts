import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { failCheck, type Arrival } from '../audit/call-record.ts';
import type { Page } from '../pages.ts';
import type { RequestContext } from '../policy/types.ts';
import { givenSubjects, knownSubjects } from '../search/candidates.ts';
import { requireNames } from '../search/read-resource.ts';
import { mayExplain } from './explain-authorization.ts';
import {
  enterSearch,
  pageOf,
  searchContextOf,
  registeredAttributes,
  search,
  type SearchDeps,
  type SearchRequest,
} from './search-resources.ts';

/**
 * A page of the subjects that a check of the context is allowed for: of those that policies of the object's
 * domain and its superiors name whole and the tenant's active users and service accounts, or of those that
 * are given. Otherwise as `searchResources`.
 */
export async function searchSubjects(
  deps: SearchDeps,
  caller: Caller,
  request:
    | (SearchRequest & {
        readonly subjects?: readonly string[] | undefined;
        /** Attributes that a subject has by its name; null for what this search is not about. */
        readonly describe?: (subject: string) => RequestContext | null;
      })
    | DomainError,
  arrival: Arrival,
): Promise<Page<string>> {
  try {
    if (request instanceof DomainError) throw request;
    const { subjects: given, describe } = request;
    requireNames(given ?? [], 'subjects');
    const page = pageOf(request, ['subjects', given]);
    const context = searchContextOf(request, 'subject', '-');
    const entered = await enterSearch(
      deps,
      caller,
      CALLS.SearchSubjects,
      context,
      (reading, { subject, check }) => given !== undefined || mayExplain(reading, caller, subject, check),
    );
    const attributes = new Map([...(await registeredAttributes(deps, context)), ...(request.derived ?? [])]);
    const { policies, tenant } = entered;
    return await search(deps, caller, CALLS.SearchSubjects, {
      kind: 'subject',
      entered,
      page,
      emptyName: '',
      batches:
        given === undefined
          ? knownSubjects(deps.stores, tenant.id, policies.names('subject'), page.after)
          : givenSubjects(deps.stores, tenant.id, given, page.after),
      describe({ name }) {
        const described = describe === undefined ? [] : describe(name);
        return described && [...attributes, ...described];
      },
      settle: request.settle,
      arrival,
    });
  } catch (error) {
    const context = request instanceof DomainError ? null : request.context;
    return failCheck(deps, caller, error, context, arrival);
  }
}
