import type { handleUnaryCall } from '@grpc/grpc-js';
import { invalidField, orError } from '@platform/error-contracts';
import type { RequestValue } from '@platform/proto/authz/v1/policy';
import type { Resource as ResourceMessage, ResourceServiceServer } from '@platform/proto/authz/v1/resource';
import type { PlanResourcesRequest, SearchServiceServer } from '@platform/proto/authz/v1/search';
import { requireUuid } from '../ids.ts';
import type { Resource } from '../model/resource.ts';
import { deleteResources, listResources, putResources } from '../operations/resources.ts';
import { planResources } from '../operations/plan-resources.ts';
import { searchActions } from '../operations/search-actions.ts';
import { searchResources } from '../operations/search-resources.ts';
import { searchSubjects } from '../operations/search-subjects.ts';
import type { TransportDeps } from '../ports.ts';
import type { RequestContext } from '../policy/types.ts';
import { writePlan } from './plan-messages.ts';
import { contextOf } from './policy-messages.ts';
import type { Unary } from './unary.ts';

export function resourceService(deps: TransportDeps, unary: Unary): ResourceServiceServer {
  return {
    putResources: unary(
      'PutResources',
      async (context, request) => {
        const caller = await context.caller();
        const resources = request.resources.map(resourceOf);
        await putResources(deps, caller, { ...domainOf(request), resources });
        return {};
      },
      { object: ({ domainId }) => `domains/${domainId}/resources`, tenantId: tenantOf },
    ),
    deleteResources: unary(
      'DeleteResources',
      async (context, request) => {
        const caller = await context.caller();
        const { objects } = request;
        return { deleted: await deleteResources(deps, caller, { ...domainOf(request), objects }) };
      },
      { object: ({ domainId }) => `domains/${domainId}/resources`, tenantId: tenantOf },
    ),
    listResources: unary('ListResources', async (context, request) => {
      const caller = await context.caller();
      const { prefix, pageSize, pageToken } = request;
      const { items, nextPageToken } = await listResources(deps, caller, {
        ...domainOf(request),
        prefix,
        pageSize,
        pageToken,
      });
      return { resources: items.map(resourceMessage), nextPageToken };
    }),
  };
}

/** The handlers of `searchingService`. */
export interface SearchingServer extends Omit<SearchServiceServer, 'planResources'> {
  readonly planResources: handleUnaryCall<PlanResourcesRequest, Buffer>;
}

export function searchService(deps: TransportDeps, unary: Unary): SearchingServer {
  return {
    searchResources: unary('SearchResources', async (context, request) => {
      const asked = orError(() => ({
        context: contextOf(request.context),
        domainId: request.domainId,
        prefix: request.prefix,
        resources: request.resources.length === 0 ? undefined : request.resources.map(resourceOf),
        page: pageOf(request),
      }));
      const { items, nextPageToken } = await searchResources(deps, await context.caller(), asked, context);
      return { objects: [...items], nextPageToken };
    }),
    searchSubjects: unary('SearchSubjects', async (context, request) => {
      const asked = orError(() => ({
        context: contextOf(request.context),
        subjects: request.subjects.length === 0 ? undefined : request.subjects,
        page: pageOf(request),
      }));
      const { items, nextPageToken } = await searchSubjects(deps, await context.caller(), asked, context);
      return { subjects: [...items], nextPageToken };
    }),
    searchActions: unary('SearchActions', async (context, request) => {
      const asked = orError(() => ({
        context: contextOf(request.context),
        actions: request.actions.length === 0 ? undefined : request.actions,
        page: pageOf(request),
      }));
      const { items, nextPageToken } = await searchActions(deps, await context.caller(), asked, context);
      return { actions: [...items], nextPageToken };
    }),
    planResources: unary('PlanResources', async (context, request) => {
      const asked = orError(() => ({
        context: contextOf(request.context),
        domainId: request.domainId,
        namesOnly: request.namesOnly,
        prefix: request.prefix,
      }));
      return planResources(deps, await context.caller(), asked, context, writePlan);
    }),
  };
}

/** Unset numbers are 0 in a message. */
function pageOf({ pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string }) {
  return { pageToken, ...(pageSize === 0 ? {} : { pageSize }) };
}

interface OfDomain {
  readonly tenantId: string;
  readonly domainId: string;
}

function domainOf({ tenantId, domainId }: OfDomain): OfDomain {
  return { tenantId: requireUuid(tenantId, 'tenant_id'), domainId: requireUuid(domainId, 'domain_id') };
}

function tenantOf({ tenantId }: OfDomain): string {
  return tenantId.toLowerCase();
}

/** Throws INVALID_ARGUMENT naming the attribute that has no value. */
function resourceOf({ object, attributes }: ResourceMessage, index: number): Resource {
  const unset = Array.from(attributes).find(([, { value }]) => value === undefined);
  if (unset !== undefined) {
    const field = `resources[${index}].attributes.${unset[0]}`;
    throw invalidField(field, 'must be single or multiple');
  }
  return { object, attributes: contextOf(attributes) };
}

function resourceMessage({ object, attributes }: Resource): ResourceMessage {
  return { object, attributes: new Map(Array.from(attributes, ([key, value]) => [key, valueOf(value)])) };
}

function valueOf(value: RequestContext extends ReadonlyMap<string, infer V> ? V : never): RequestValue {
  return typeof value === 'string'
    ? { value: { $case: 'single', value } }
    : { value: { $case: 'multiple', value: { values: [...value] } } };
}
