import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { failCheck, type Arrival } from '../audit/call-record.ts';
import type { Page } from '../pages.ts';
import { namesInOrder } from '../search/candidates.ts';
import { requireNames } from '../search/read-resource.ts';
import { mayExplain } from './explain-authorization.ts';
import {
  enterSearch,
  isOwnSearch,
  pageOf,
  searchContextOf,
  registeredAttributes,
  search,
  type SearchDeps,
  type SearchRequest,
} from './search-resources.ts';

/**
 * A page of the actions that a check of the context is allowed with, of those that policies of the object's
 * domain and its superiors name whole, or of those that are given. Otherwise as `searchResources`.
 */
export async function searchActions(
  deps: SearchDeps,
  caller: Caller,
  request: (SearchRequest & { readonly actions?: readonly string[] | undefined }) | DomainError,
  arrival: Arrival,
): Promise<Page<string>> {
  try {
    if (request instanceof DomainError) throw request;
    const { actions: given } = request;
    requireNames(given ?? [], 'actions');
    const page = pageOf(request, ['actions', given]);
    const context = searchContextOf(request, 'action', '-');
    const entered = await enterSearch(deps, caller, CALLS.SearchActions, context, (reading, asked) => {
      const { subject, check } = asked;
      return (
        given !== undefined || isOwnSearch(request, subject) || mayExplain(reading, caller, subject, check)
      );
    });
    const attributes = new Map([...(await registeredAttributes(deps, context)), ...(request.derived ?? [])]);
    return await search(deps, caller, CALLS.SearchActions, {
      kind: 'action',
      entered,
      page,
      emptyName: '',
      batches: namesInOrder(given ?? entered.policies.names('action'), page.after),
      describe: () => attributes,
      settle: request.settle,
      arrival,
    });
  } catch (error) {
    const context = request instanceof DomainError ? null : request.context;
    return failCheck(deps, caller, error, context, arrival);
  }
}
